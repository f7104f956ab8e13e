"""One number of several objectives: its values, both halves, searches on it, and what it refuses."""

from typing import Any

import numpy as np
import pytest

from metaheur import ParetoLocalSearch, TabuSearch, run, stop, weighted_front
from metaheur.archives import AnytimeWeights, DichotomicWeights, Front, RegularWeights
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, Swap
from metaheur.problems import QAP, FlowShop, MultiObjective, Scalarised
from metaheur.testing import check_problem, check_search
from metaheur.watch import ArchiveVisited

THREE = ("makespan", "total tardiness", "tardy jobs")


def shop(n: int = 8, objectives: tuple[str, ...] = THREE) -> FlowShop:
    generator = np.random.default_rng(n)
    due = generator.integers(60, 60 * n, n)
    return FlowShop(generator.integers(1, 99, (n, 3)), due_dates=due, objectives=objectives)


def assignments(n: int = 7) -> MultiObjective:
    first = QAP.random(n, 1)
    return MultiObjective([first, QAP(first.a, QAP.random(n, 2).b)])


def test_a_weighted_sum_adds_and_a_chebyshev_distance_takes_the_largest() -> None:
    problem, x = shop(), np.arange(8)
    makespan, tardiness, tardy = problem.cost(x)
    assert Scalarised(problem, [3, 1, 20]).cost(x) == 3 * makespan + tardiness + 20 * tardy
    distance = Scalarised(problem, [3, 1, 20], [100, 50, 1])
    assert distance.cost(x) == max(3 * (makespan - 100), tardiness - 50, 20 * (tardy - 1))
    rows = np.array([x, x[::-1]])
    assert distance.costs(rows).tolist() == [distance.cost(row) for row in rows]


def test_an_augmented_distance_adds_all_terms_and_a_limit_counts_what_exceeds_it() -> None:
    problem = shop()
    for x in np.random.default_rng(1).permuted(np.tile(np.arange(8), (20, 1)), axis=1):
        makespan, tardiness, tardy = problem.cost(x)
        terms = 3 * (makespan - 400), tardiness - 900, 20 * (tardy - 4)
        augmented = Scalarised(problem, [3, 1, 20], [400, 900, 4], augmented=7)
        assert augmented.cost(x) == 7 * max(terms) + sum(terms)
        constrained = Scalarised(problem, [1, 10, 99], limits=[None, 900, 4])
        assert constrained.cost(x) == makespan + 10 * max(0, tardiness - 900) + 99 * max(0, tardy - 4)
        goals = Scalarised(problem, [3, 1, 20], [0, 0, 0], limits=[400, 900, 4])
        assert goals.cost(x) == max(0, *terms)


CASES = {
    "sum": Scalarised(shop(), [3, 1, 20]),
    "chebyshev": Scalarised(shop(), [3, 1, 20], [100, 50, 1]),
    "augmented, with a limit": Scalarised(shop(), [3, 1, 20], [100, 50, 0], augmented=7, limits=[None, None, 3]),
    "of parts": Scalarised(assignments(), [2, 5], [10, -10]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_halves_agree(name: str, compiling: Device) -> None:
    problem = CASES[name]
    moves = Swap() if name == "of parts" else Insertion()
    report = check_problem(problem, moves, devices=[compiling.name])
    groups = name != "of parts" and compiling.kind == "host"  # on a GPU, a thread takes a move
    assert ("deltas" if groups else "delta") in report.lines[0].split(": ")[1].split(", ")


def test_a_search_for_one_objective_runs_on_it(compiling: Device) -> None:
    check_search(TabuSearch(Swap()), CASES["of parts"], iterations=20, devices=[compiling.name])


def test_balanced_weights_are_whole_and_told() -> None:
    problem = Scalarised.balanced(shop(), [500, 20_000, 8], [2, 1, 1])
    assert problem.weights == (80, 1, 2500)
    with pytest.raises(InputError, match="`shares` must hold 3 numbers"):
        Scalarised.balanced(shop(), [1, 2, 3], [1])
    with pytest.raises(InputError, match="`spans` must be a whole number"):
        Scalarised.balanced(shop(), [1, 0, 3])


@pytest.mark.parametrize(
    ("weights", "ideal", "reason"),
    [
        ([1, 2], None, "`weights` must hold a number for each of the objectives makespan"),
        ([1, 2, 3], [0], "`ideal` must hold a number for each"),
        ([1, -2, 3], None, r"`weights` must be 0 or more, and not all 0, but are \[1, -2, 3\]"),
        ([0, 0, 0], None, "not all 0"),
        ([1, 0.5, 0], None, "`weights` must be a whole number"),
        (3, None, "`weights` must hold whole numbers, but is 3"),
    ],
)
def test_wrong_weights_are_refused(weights: Any, ideal: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Scalarised(shop(), weights, ideal)


def test_wrong_limits_are_refused() -> None:
    for limits, reason in (
        ([1], "hold a number for each"),
        (3, "but is 3"),
        ([1, None, 0.5], "`limits` must be a whole"),
    ):
        with pytest.raises(InputError, match=reason):
            Scalarised(shop(), [1, 2, 3], limits=limits)
    with pytest.raises(InputError, match=r"augmented.*5.*\nMaybe give an `ideal`"):
        Scalarised(shop(), [1, 2, 3], augmented=5)


def test_a_problem_of_one_objective_is_refused() -> None:
    with pytest.raises(InputError, match="`problem` must have several objectives, but is QAP with one"):
        Scalarised(QAP.random(4, 1), [1])
    with pytest.raises(InputError, match="QAP has one objective"):
        weighted_front(TabuSearch(Swap()), QAP.random(4, 1), RegularWeights(2), stop=stop.iterations(1))


@pytest.mark.parametrize("weights", [RegularWeights(3), AnytimeWeights(2), DichotomicWeights(3)])
def test_weighted_sums_make_a_front_that_begins_a_pareto_local_search(weights: Any) -> None:
    problem = shop(9, ("makespan", "total flow time"))
    limit = stop.iterations(15)
    first = weighted_front(TabuSearch(Swap()), problem, weights, stop=limit, seed=3, parallel="numpy")
    alone = [
        run(TabuSearch(Swap()), Scalarised(problem, w), stop=limit, seed=3, parallel="numpy").cost for w in ([1, 0],)
    ]
    assert first.costs[:, 0].min() <= alone[0]
    assert all(problem.cost(x) == tuple(cost.tolist()) for cost, x in first)
    second = run(ParetoLocalSearch(Swap(), begin=first), problem, stop=stop.iterations(20), parallel="numpy").front
    assert second is not None
    assert second.epsilon(first) <= 0
    assert second.hypervolume(second.merge(first).reference() + 1) > 0


def test_what_any_search_visits_can_be_archived(device: str) -> None:
    problem = shop()
    watcher = ArchiveVisited(problem)
    search, single = TabuSearch(Swap()), Scalarised(problem, [1, 1, 1])
    run(search, single, stop=stop.iterations(30), seed=1, parallel=device, watch=[watcher])
    visited = []
    from metaheur import iterate

    for state, _ in zip(iterate(search, single, seed=1, parallel="numpy"), range(31), strict=False):
        visited.append(state.walk.current.solution.copy())
    expected = Front.from_solutions(problem, visited)
    assert watcher.front.costs.tolist() == expected.costs.tolist()


def test_an_archive_of_what_is_visited_needs_objectives_and_a_run() -> None:
    with pytest.raises(InputError, match="has not watched a run yet"):
        _ = ArchiveVisited(shop()).front
    with pytest.raises(InputError, match="ArchiveVisited needs a problem of several objectives"):
        run(
            TabuSearch(Swap()),
            QAP.random(5, 1),
            stop=stop.iterations(2),
            watch=[ArchiveVisited(shop())],
        )
