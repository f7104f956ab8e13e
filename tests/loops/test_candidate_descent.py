"""A descent over candidate lists ends in a local optimum, by the same steps on every device."""

from collections.abc import Callable
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import CandidateDescent, HillClimbing, IteratedLocalSearch, Permutation, Problem, data, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.loops import Kicks
from metaheur.neighborhoods import OrOpt, Swap, ThreeOpt, TwoOpt, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import DoubleBridge, Limit, RandomMoves
from metaheur.problems import QAP, TSP
from metaheur.random import Key
from metaheur.representation import Solution
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.testing import check_search
from tests.helpers import solution_of

TSP_40 = TSP.random(40, 1)
BOTH = Union(TwoOpt(), OrOpt())


def descent(neighborhood: Any = BOTH, tsp: TSP = TSP_40, k: int = 6, *, best: bool = False) -> CandidateDescent:
    return CandidateDescent(neighborhood, tsp.nearest(k), best=best)


@pytest.mark.parametrize("neighborhood", [BOTH, ThreeOpt()], ids=repr)
@pytest.mark.parametrize("best", [False, True])
def test_it_takes_the_same_steps_everywhere(compiling: Device, neighborhood: Any, best: bool) -> None:
    check_search(descent(neighborhood, best=best), TSP_40, devices=[compiling.name])


def test_with_all_cities_as_candidates_it_ends_where_three_opt_finds_nothing() -> None:
    found = run(descent(ThreeOpt(), k=39), TSP_40, stop=stop.iterations(5), seed=4, parallel="numpy")
    again = run(HillClimbing(ThreeOpt()), TSP_40, stop=stop.iterations(5), start=found.solution)
    assert (found.iterations, found.stopped_by) == (1, "local optimum")
    assert again.cost == found.cost < TSP_40.cost(solution_of(TSP_40))


def test_the_best_exchange_of_an_item_is_another_walk_than_the_first() -> None:
    costs = {run(descent(best=best), TSP_40, stop=stop.iterations(1), parallel="numpy").cost for best in (False, True)}
    assert len(costs) == 2


def test_a_local_optimum_has_nothing_left_to_exchange() -> None:
    first = run(descent(), TSP_40, stop=stop.iterations(1), parallel="numpy")
    second = run(descent(), TSP_40, stop=stop.iterations(1), start=first.solution, parallel="numpy")
    assert second.cost == first.cost
    assert 0 < second.evaluated < first.evaluated


@final
@frozen(eq=False)
class Ring(Problem):
    """Items on a circle of numbers, the cost of an edge being a float: nothing but `edge` is known of it."""

    places: np.ndarray = data("float64", ndim=1)

    source: ClassVar[str] = """
struct Ring : RingData {
    MH_FN Cost edge(int a, int b) const {
        const double apart = places(a) - places(b);
        return apart < 0 ? -apart : apart;
    }
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int k) { return edge(x[k], x[k + 1 == n ? 0 : k + 1]); });
    }
};"""

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.places), cyclic=True)

    @property
    def cost_type(self) -> str:
        return "float64"

    def cost(self, x: Solution) -> float:
        return float(self.edge(x, np.roll(x, -1)).sum())

    def edge(self, a: Any, b: Any) -> Any:
        return np.abs(self.places[a] - self.places[b])


def test_any_problem_that_is_a_sum_of_edges_may_be_one_of_floats(compiling: Device) -> None:
    ring = Ring(np.random.default_rng(1).integers(0, 64, 12) / 8)
    near = np.argsort(np.abs(ring.places[:, None] - ring.places), axis=1, kind="stable")
    candidates = np.array([[other for other in row if other != item][:5] for item, row in enumerate(near)])
    search = CandidateDescent(Union(TwoOpt(), OrOpt()), candidates)
    check_search(IteratedLocalSearch(search, DoubleBridge()), ring, iterations=20, devices=[compiling.name])
    found = run(search, ring, stop=stop.iterations(1), parallel="numpy")
    assert found.cost <= ring.cost(solution_of(ring))


def test_inside_a_nest_it_is_any_other_search(compiling: Device) -> None:
    for search in (
        IteratedLocalSearch(descent(), RandomMoves(OrOpt(), 3)),
        IteratedLocalSearch(
            IteratedLocalSearch(descent(), DoubleBridge(5)), RandomMoves(TwoOpt(), 2), limit=Limit(iterations=4)
        ),
    ):
        assert not isinstance(search.loop, Kicks)
        check_search(search, TSP_40, iterations=24, devices=[compiling.name])


def test_cities_at_one_place_and_candidates_that_part_the_cities_are_welcome() -> None:
    """Two clusters, in each of which five cities are at one place: no candidate leads from one to the other."""
    near = np.random.default_rng(3).integers(0, 500, (20, 2))
    near[:5] = near[0]
    tsp = TSP.from_coordinates(np.concatenate([near, near + 9000]))
    candidates = tsp.nearest(6)
    assert ((candidates < 20) == (np.arange(40) < 20)[:, None]).all()
    every = CandidateDescent(Union(TwoOpt(), OrOpt()), candidates)
    for search in (every, IteratedLocalSearch(every, DoubleBridge(5))):
        costs = {
            device: run(search, tsp, stop=stop.iterations(30), start=np.arange(40), parallel=device).cost
            for device in ("numpy", "host")
        }
        assert costs["numpy"] == costs["host"] < tsp.cost(np.arange(40))


ASYMMETRIC = TSP.from_matrix(np.random.default_rng(1).integers(1, 99, (9, 9)))


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (QAP.random(40, 1), "needs a cost that is a sum of edges, the same in both directions, but this QAP"),
        (ASYMMETRIC, "needs a cost that is a sum of edges, the same in both directions, but this TSP"),
        (TSP.random(41, 1), "`candidates` has 40 rows, but this TSP has 41 items"),
    ],
    ids=["another cost", "directions", "another size"],
)
def test_a_problem_that_does_not_fit_is_refused(problem: Problem, reason: str) -> None:
    for search in (descent(), IteratedLocalSearch(descent(), DoubleBridge(5))):
        with pytest.raises(InputError, match=reason):
            run(search, problem, stop=stop.iterations(1), parallel="numpy")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((Swap(), [[1], [0]]), r"must exchange edges of a tour, but Swap\(\) has no `exchanges`"),
        ((TwoOpt, [[1], [0]]), "`neighborhood` must be a Neighborhood, but is <class"),
        ((TwoOpt(), [[1, 1], [0, 0]]), "The candidates of item 0 must differ, but item 1 is listed twice"),
        (
            (TwoOpt(), [[0], [1]]),
            r"The candidates of item 0 must be other items of 0 \.\.\. 1, but candidates\[0, 0\] is 0",
        ),
    ],
)
def test_what_does_not_fit_is_named(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        CandidateDescent(*arguments)


def test_candidates_come_in_the_order_of_their_edges() -> None:
    tsp = TSP.from_coordinates([[0, 0], [1, 0], [3, 0], [9, 0], [9, 7]])
    search = CandidateDescent(TwoOpt(), np.array([[1, 2], [0, 2], [1, 0], [2, 4], [3, 2]]))
    run(search, tsp, stop=stop.iterations(1), parallel="numpy")
    wrong = CandidateDescent(TwoOpt(), np.array([[1, 2], [0, 2], [0, 1], [2, 4], [3, 2]]))
    with pytest.raises(InputError, match="item 2 must be the nearest first, but 0, at 3, comes before 1, at 2"):
        run(wrong, tsp, stop=stop.iterations(1), parallel="numpy")


def test_candidates_that_fit_one_problem_may_not_fit_another() -> None:
    tsp, other = TSP.random(30, 1), TSP.random(30, 2)
    descent = CandidateDescent(TwoOpt(), tsp.nearest(4))
    for _ in range(2):
        descent.require(tsp)
        with pytest.raises(InputError, match="must be the nearest first"):
            descent.require(other)


def test_the_last_of_many_items_is_named() -> None:
    tsp = TSP.random(70_000, 1)
    near = tsp.nearest(2).copy()
    distances = tsp.edge(69_998, near[69_998])
    assert distances[0] < distances[1]
    near[69_998] = near[69_998, ::-1]
    with pytest.raises(InputError, match=f"item 69998 must be the nearest first, but {near[69_998, 0]}, at"):
        CandidateDescent(TwoOpt(), near).require(tsp)


def test_best_is_true_or_false() -> None:
    with pytest.raises(InputError, match=r"CandidateDescent\.best` must be True or False, but is 1"):
        CandidateDescent(TwoOpt(), [[1], [0]], best=1)  # type: ignore[arg-type]


# Descents that are broken off


def ringing_after(looks: int) -> Callable[[], bool]:
    """Whether an alarm rings: after so many looks at it."""
    seen = iter(range(10**9))
    return lambda: next(seen) > looks


@pytest.mark.parametrize("device", ["numpy", "host"])
@pytest.mark.parametrize("kicks", [False, True], ids=["descent", "kicks"])
def test_a_descent_that_is_broken_off_keeps_its_tour_and_goes_on_from_its_start(kicks: bool, device: str) -> None:
    """The start stays the current solution, so that the walk goes on as if it had never been broken off."""
    n = 8_000 if device == "host" else 300
    problem = TSP.random(n, 1)
    descent = CandidateDescent(TwoOpt(), problem.nearest(6))
    search: Search[Any] = IteratedLocalSearch(descent, DoubleBridge(50)) if kicks else descent
    start = np.random.default_rng(1).permutation(n).astype(np.int32)
    for late in (100,) if device == "numpy" else (0, 2, 4, 8):  # a busy core may not have begun before the first look
        runner = IterationLevel(device).bind(search, problem)
        runner.alarm.interrupted = ringing_after(late)
        chunk = runner.advance(runner.begin([Key(1)], start[None]), Until(1))
        walk = chunk.walks.state(0).walk
        if walk.best.cost < walk.current.cost:
            break
    assert (walk.iteration, walk.evaluated, walk.improved_at) == (0, 0, 0)
    assert np.array_equal(walk.current.solution, start)
    assert walk.current.cost == problem.cost(start)
    assert problem.cost(walk.best.solution) == walk.best.cost < walk.current.cost
    assert [each[:3] for each in chunk.improvements] == [(0, 0, walk.best.cost)]
    runner.alarm.interrupted = bool
    after = runner.advance(chunk.walks, Until(1)).walks.state(0).walk
    whole = IterationLevel(device).bind(search, problem)
    expected = whole.advance(whole.begin([Key(1)], start[None]), Until(1)).walks.state(0).walk
    assert (after.iteration, after.evaluated, after.current.cost) == (1, expected.evaluated, expected.current.cost)
    assert np.array_equal(after.current.solution, expected.current.solution)
    assert np.array_equal(after.best.solution, expected.best.solution)
