"""Statistics of populations against counting by hand, and the same on every device."""

from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest

from metaheur import stop
from metaheur.device.device import Device
from metaheur.door.run import run
from metaheur.door.states import iterate, snapshot
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import Islands, IterationLevel, Multistart
from metaheur.parts import (
    BitFlips,
    Breeding,
    Limit,
    NoCrossover,
    OrderCrossover,
    RandomMoves,
    SteadyState,
    Uniform,
    UniformLike,
)
from metaheur.problem import Problem
from metaheur.problems import QAP, OneMax
from metaheur.searches import NSGA2, GeneticAlgorithm, MemeticAlgorithm, Portfolio, TabuSearch
from metaheur.watch import PopulationRow, PopulationStatistics
from tests.compositions import MANY

QAP_8 = QAP.random(8, seed=2)
GENETIC = GeneticAlgorithm(UniformLike(), RandomMoves(Swap(), 1), size=6, replacement=SteadyState())
MEMETIC = MemeticAlgorithm(TabuSearch(Swap()), Breeding(UniformLike(), size=4), Limit(5))
POOL = Breeding(NoCrossover(), size=1)


def watched(
    search: Any, problem: Problem = QAP_8, parallel: Any = "numpy", iterations: int = 60, **options: Any
) -> list[PopulationRow]:
    watcher = PopulationStatistics(**{"every": 20, **options})
    run(search, problem, stop=stop.iterations(iterations), seed=1, parallel=parallel, watch=[watcher])
    return watcher.rows


def without_seconds(rows: list[PopulationRow]) -> list[PopulationRow]:
    return [row._replace(seconds=0) for row in rows]


def by_hand(members: list[list[int]], before: list[list[int]] | None) -> tuple[Any, ...]:
    pairs = [sum(a != b for a, b in zip(*pair, strict=True)) for pair in combinations(members, 2)]
    new = None if before is None else sum(k >= len(before) or x != before[k] for k, x in enumerate(members))
    return (
        len(members),
        len(set(map(tuple, members))),
        pytest.approx(np.mean(pairs)) if pairs else None,
        None if new is None or not members else new / len(members),
    )


@pytest.mark.parametrize(
    ("search", "part"), [(GENETIC, "breeding"), (MEMETIC, "perturbation")], ids=["genetic", "memetic"]
)
def test_rows_are_those_of_the_members(search: Any, part: str) -> None:
    rows = watched(search, iterations=60, every=10)
    before = None
    states = map(snapshot, islice(iterate(search, QAP_8, seed=1, parallel=IterationLevel("numpy")), 61))
    for row, state in zip(rows, list(states)[::10], strict=True):
        kept = state.kept[part]
        filled = int(kept["filled"])
        members, costs = kept["solutions"][:filled].tolist(), kept["costs"][:filled].tolist()
        assert (row.members, row.distinct, row.distance, row.joined) == by_hand(members, before)
        assert row.iteration == state.walk.iteration
        if costs:
            assert (row.best, row.worst) == (min(costs), max(costs))
            assert row.mean == pytest.approx(np.mean(costs))
        before = members
    assert rows[0].members == 0
    assert max(row.joined or 0 for row in rows) > 0


def test_costs_are_as_users_read_them() -> None:
    last = watched(GeneticAlgorithm(Uniform(), BitFlips(), size=6), OneMax(20), iterations=200)[-1]
    assert last.best is not None
    assert last.worst is not None
    assert 0 < last.worst < last.best <= 20


def test_members_of_all_walks_may_count_as_one_population() -> None:
    memetic = MemeticAlgorithm(TabuSearch(Swap()), POOL, Limit(9))
    islands = Islands(Multistart(5, device="numpy"), 10, recombination=UniformLike(), replaces="always")
    apart = watched(memetic, parallel=islands)
    together = watched(memetic, parallel=islands, together=True)
    assert [(row.walk, row.members) for row in together[1:]] == [(-1, 5)] * 3
    assert [row.members for row in apart if row.iteration] == [1] * 15
    assert all(row.distance is None for row in apart)
    assert together[-1].distance is not None
    for row in together[1:]:
        costs = [each.best for each in apart if each.iteration == row.iteration]
        assert (row.best, row.worst) == (min(costs), max(costs))  # type: ignore[type-var]
    assert together[-1].joined == pytest.approx(np.mean([row.joined for row in apart if row.iteration == 60]))


def test_several_objectives_have_no_single_cost() -> None:
    rows = watched(NSGA2(OrderCrossover(), RandomMoves(Swap(), 1), size=6), MANY, iterations=40)
    assert rows[-1].members == 6
    assert rows[-1].best is None
    assert rows[-1].distance is not None


def test_walks_without_a_population_have_no_rows() -> None:
    both = Portfolio([GENETIC, TabuSearch(Swap())])
    assert {row.walk for row in watched(both, parallel=Multistart(4, device="numpy"))} == {0, 2}
    with pytest.raises(InputError, match=r"TabuSearch keeps none.*\nMaybe"):
        watched(TabuSearch(Swap()))


def test_rows_are_the_same_on_every_device(compiling: Device) -> None:
    for search in (GENETIC, MEMETIC):
        numpy, device = (watched(search, parallel=Multistart(3, device=each)) for each in ("numpy", compiling.name))
        assert without_seconds(device) == without_seconds(numpy)


def test_a_data_frame_has_a_column_for_each_field() -> None:
    pytest.importorskip("pandas")
    watcher = PopulationStatistics(20)
    run(GENETIC, QAP_8, stop=stop.iterations(40), parallel="numpy", watch=[watcher])
    assert list(watcher.to_dataframe().columns) == list(PopulationRow._fields)
