"""Where walks begin: one solution for all, one for each, or what an earlier run found."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Key, ParetoLocalSearch, TabuSearch, run, run_many, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Insertion, Swap
from metaheur.parallel import Auto, Distributed, Islands, MultiGPU, Multistart, ParallelModel
from metaheur.problems import QAP, FlowShop, OneMax
from metaheur.searches import Portfolio
from metaheur.watch import Solutions, Trace

QAP_9 = QAP.random(9, seed=3)
TABU = TabuSearch(Swap())
ROWS = QAP_9.representation.starts([Key(77, w) for w in range(6)])
COSTS = [QAP_9.cost(x) for x in ROWS]
AT_ONCE = stop.seconds(0)


def begun(start: Any, model: ParallelModel | str, search: Any = TABU) -> list[Any]:
    """The costs at which walks begin."""
    costs: list[Any] = run(search, QAP_9, stop=AT_ONCE, start=start, parallel=model).walks.costs.tolist()
    return costs


MODELS: dict[str, Callable[[str], ParallelModel]] = {
    "multistart": lambda device: Multistart(6, device=device),
    "islands": lambda device: Islands(Multistart(6, device=device), 5),
    "workers": lambda device: Distributed(Multistart(6, device=device), ThreadPoolExecutor(1), 4),
    "devices": lambda _: MultiGPU(Multistart(6), ("host", "host")),
}


@pytest.mark.parametrize("name", MODELS)
def test_an_array_or_a_list_has_a_solution_for_each_walk(name: str, device: str) -> None:
    model = MODELS[name](device)
    assert begun(ROWS, model) == begun(ROWS.tolist(), model) == begun(list(ROWS), model) == COSTS
    assert begun(ROWS, model, Portfolio([TABU, HillClimbing(Swap())])) == COSTS
    assert begun(ROWS[2], model) == [COSTS[2]] * 6


def test_walks_go_on_from_what_an_earlier_run_found() -> None:
    each = Solutions()
    first = run(TABU, QAP_9, stop=stop.iterations(3), seed=1, parallel=Multistart(6), watch=[each])
    assert begun(each.best, Multistart(6)) == first.walks.costs.tolist()
    assert begun(first, Multistart(4)) == [first.cost] * 4
    assert begun(first, "host") == [first.cost]
    other = run(TABU, QAP_9, stop=stop.iterations(1), seed=2)
    assert begun([first, other, ROWS[0]], Multistart(3)) == [first.cost, other.cost, COSTS[0]]


def test_walks_begin_in_turn_at_the_best_solutions_of_an_experiment() -> None:
    experiment = run_many(TABU, QAP_9, stop=stop.iterations(2), seeds=range(3), progress=False)
    costs = sorted(result.cost for result in experiment.results())
    assert len(set(costs)) > 1
    assert begun(experiment, Multistart(5)) == [*costs, *costs[:2]]
    ones = run_many(HillClimbing(Hamming()), OneMax(12), stop=stop.iterations(1), seeds=range(4), progress=False)
    found = [OneMax(12).cost(x) for x in ones.solutions]
    assert len(set(found)) > 1
    assert found == sorted(found)  # minimised, whatever the user reads
    both = run_many(TABU, {"a": QAP_9, "b": QAP_9}, stop=stop.iterations(1), seeds=range(1), progress=False)
    with pytest.raises(InputError, match=r"those of one problem, but here are a, b\.\nMaybe use experiment\.results"):
        begun(both, Multistart(2))
    assert begun(both.results("a"), "host") == [both.results("a")[0].cost]


def test_walks_begin_in_turn_at_the_solutions_of_a_front() -> None:
    generator = np.random.default_rng(1)
    times, due = generator.integers(1, 99, (8, 3)), generator.integers(50, 300, 8)
    shop = FlowShop(times, due_dates=due, objectives=("makespan", "total tardiness"))
    search = ParetoLocalSearch(Insertion())
    first = run(search, shop, stop=stop.iterations(60), seed=1)
    assert first.front is not None
    count = len(first.front)
    assert count > 1
    for start in (first, first.front):
        found = run(search, shop, stop=AT_ONCE, start=start, parallel=Multistart(count + 1, device="numpy"))
        assert found.front is not None
        assert found.front.costs.tolist() == first.front.costs.tolist()


def test_each_generation_begins_at_the_same_solutions() -> None:
    model = Multistart(2, device="host", follow=True)
    found = run(HillClimbing(Swap()), QAP_9, stop=stop.iterations(40), start=ROWS[:2], parallel=model)
    assert len(found.walks) > 4
    assert len(set(found.walks.costs[:-2].tolist())) <= 2


def test_runs_with_many_seeds_begin_where_one_does() -> None:
    runs = run_many(TABU, QAP_9, stop=stop.iterations(1), seeds=range(3), start=ROWS[:1], progress=False).results()
    assert [each.start_cost for each in runs] == [COSTS[0]] * 3


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (
            ROWS,
            "`start` has 6 solutions, but there are 4 walks.\nMaybe give one solution for each walk",
        ),
        (ROWS[:1], "`start` has 1 solutions, but there are 4 walks"),
        ([], r"`start` does not fit this QAP: .* but this one has \(0,\)"),
        (np.zeros((4, 8), int), r"`start\[0\]` does not fit this QAP: .* but this one has \(8,\)"),
        ([*ROWS[:3], np.zeros(9, int)], r"`start\[3\]` does not fit this QAP: This is not a solution"),
        ([*ROWS[:3], 5], r"`start\[3\]` does not fit this QAP"),
        (5, "`start` does not fit this QAP"),
        ("best", "`start` must be solutions or \"construct\", but is 'best'"),
        (
            run(HillClimbing(Hamming()), OneMax(5), stop=AT_ONCE, parallel="numpy"),
            r"`start`, the solution 0 of a Result, does not fit this QAP: .* \(5,\)\.\nMaybe it belongs",
        ),
        (Trace(), "`start` does not fit this QAP"),
    ],
    ids=range(10),
)
def test_what_does_not_fit_is_refused_in_words(start: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        begun(start, Auto(4))


def test_a_start_for_each_walk_is_no_start_of_one() -> None:
    with pytest.raises(InputError, match="`start` has 6 solutions, but there is 1 walk"):
        begun(ROWS, "host")
