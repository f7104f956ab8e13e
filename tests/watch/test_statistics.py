"""Statistics against counting by hand, and the same on every device."""

from itertools import islice, pairwise
from math import ceil
from typing import Any

import numpy as np
import pytest

from metaheur import stop
from metaheur.door.run import run
from metaheur.door.states import iterate, snapshot
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Insertion, Sampled, Swap
from metaheur.parallel import IterationLevel
from metaheur.parts import Limit, RandomMoves
from metaheur.problems import QAP
from metaheur.searches import FirstImprovement, HillClimbing, IteratedLocalSearch, SimulatedAnnealing, TabuSearch
from metaheur.watch import Statistics, StatisticsRow
from tests.toys import SeveralWalks

NUMPY = IterationLevel("numpy")
SEARCH = TabuSearch(Swap())
QAP_8 = QAP.random(8, seed=2)


def statistics(search: Any = SEARCH, parallel: Any = NUMPY, iterations: int = 60, **options: Any) -> Statistics:
    watcher = Statistics(**{"every": 20, **options})
    run(search, QAP_8, stop=stop.iterations(iterations), parallel=parallel, watch=[watcher])
    return watcher


def states(search: Any, iterations: int = 60) -> list[Any]:
    return list(islice(iterate(search, QAP_8, parallel=NUMPY), iterations + 1))


def without_seconds(rows: list[StatisticsRow]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row._asdict().items() if name != "seconds"} for row in rows]


def test_changes_of_cost_are_those_of_full_evaluations() -> None:
    for row, state in zip(statistics().rows, states(SEARCH)[::20], strict=True):
        x = state.walk.current.solution
        moved = [move.apply(x) for move in Swap().moves(QAP_8.representation)]
        changes = sorted(QAP_8.cost(y) - QAP_8.cost(x) for y in moved)
        quartiles = [changes[ceil(len(changes) * share) - 1] for share in (0.25, 0.5, 0.75)]
        assert [row.lowest, row.lower_quartile, row.median, row.upper_quartile] == [changes[0], *quartiles]
        assert row.better == sum(change < 0 for change in changes) / len(changes)
        assert row.equal == sum(change == 0 for change in changes) / len(changes)
        assert (row.iteration, row.current, row.best) == (
            state.walk.iteration,
            state.walk.current.cost,
            state.walk.best.cost,
        )


def test_the_tabu_share_is_that_of_moves_that_would_bring_values_back() -> None:
    rows = statistics(iterations=20, every=1).rows
    walks = map(snapshot, islice(iterate(SEARCH, QAP_8, parallel=NUMPY), 21))
    assert rows[0].tabu == 0
    shares = []
    for state in walks:
        expiries, x = state.kept["memory"]["expiries"], state.walk.current.solution
        back = [
            all(expiries[p, v] > state.walk.iteration for p, v in ((m.i, x[m.j]), (m.j, x[m.i])))
            for m in Swap().moves(QAP_8.representation)
        ]
        shares.append(np.mean(back))
    assert [row.tabu for row in rows] == shares
    assert max(shares) > 0


def test_searches_without_a_memory_have_no_tabu_share() -> None:
    assert all(row.tabu is None for row in statistics(SimulatedAnnealing(Swap(), 50)).rows)


def test_a_search_within_a_search_says_what_is_tabu() -> None:
    nested = IteratedLocalSearch(SEARCH, RandomMoves(Swap(), 2), limit=Limit(15))
    assert max(row.tabu or 0 for row in statistics(nested).rows) > 0


@pytest.mark.parametrize("search", [SEARCH, SimulatedAnnealing(Swap(), 50)], ids=["scan", "trial"])
def test_accepted_and_neutral_shares_are_counted_step_by_step(search: Any) -> None:
    rows, walks = statistics(search).rows, [state.walk for state in states(search)]
    moved = [after.current is not before.current for before, after in pairwise(walks)]
    equal = [after.current.cost == before.current.cost for before, after in pairwise(walks)]
    assert (rows[0].accepted, rows[0].neutral) == (None, None)
    for k, row in enumerate(rows[1:]):
        steps = slice(20 * k, 20 * k + 20)
        assert row.accepted == sum(moved[steps]) / 20
        assert row.neutral == sum(m and e for m, e in zip(moved[steps], equal[steps], strict=True)) / 20


@pytest.mark.parametrize(
    "search",
    [
        SEARCH,
        SimulatedAnnealing(Swap(), 50),
        IteratedLocalSearch(HillClimbing(Swap(), FirstImprovement()), RandomMoves(Swap(), 3)),
    ],
    ids=lambda search: type(search).__name__,
)
@pytest.mark.parametrize("resident", [False, True])
def test_statistics_are_the_same_on_every_device(search: Any, resident: bool, compiling: Any) -> None:
    model = IterationLevel(compiling.name, resident=resident)
    there = statistics(search, model, 400, every=7).rows
    assert without_seconds(there) == without_seconds(statistics(search, iterations=400, every=7).rows)


def test_each_walk_has_rows_of_its_own() -> None:
    together = without_seconds(statistics(parallel=SeveralWalks(3)).rows)
    for walk in range(3):
        alone = without_seconds(statistics(parallel=SeveralWalks(1, first=walk)).rows)
        assert [row for row in together if row["walk"] == walk] == [{**row, "walk": walk} for row in alone]


def test_another_neighborhood_may_be_looked_at_or_a_sample() -> None:
    all_moves = statistics(neighborhood=Insertion()).rows
    sample = statistics(neighborhood=Sampled(Insertion(), 9)).rows
    assert all(a.lowest <= b.lowest for a, b in zip(all_moves, sample, strict=True))
    assert {round(9 * row.better) for row in sample if row.better is not None} <= set(range(10))


def test_changes_may_be_left_out() -> None:
    rows = statistics(changes=False).rows
    assert len(rows) == 4
    assert all(row.lowest is None and row.better is None for row in rows)
    assert all(row.tabu is not None for row in rows)


def test_a_neighborhood_that_does_not_fit_is_refused_before_the_first_step() -> None:
    with pytest.raises(InputError, match=r"Hamming does not act on Permutation.* represents this QAP"):
        statistics(neighborhood=Hamming(1))


def test_statistics_are_a_data_frame() -> None:
    pytest.importorskip("pandas")
    watcher = statistics()
    frame = watcher.to_dataframe()
    assert list(frame.columns) == list(StatisticsRow._fields)
    assert frame["lowest"].tolist() == [row.lowest for row in watcher.rows]
