"""A resident scan makes the same decisions as repeated steps, however its iterations are cut into launches."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, ClassVar, Self, final

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.device.host import Host
from metaheur.device.source import Source
from metaheur.evaluator import NumpyEvaluator
from metaheur.loops import resident
from metaheur.loops.resident import ROOM, ResidentScan, scan_kernel
from metaheur.loops.scan import Scan, ScanState
from metaheur.neighborhood import Move, Neighborhood
from metaheur.neighborhoods import Restricted, Swap, Union
from metaheur.parts import Aspiration, Improving, PlacementMemory, Selection, Tenure
from metaheur.problem import Problem, data
from metaheur.problems import QAP
from metaheur.random import START, Key, Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.search import Incumbent, Until, Walk
from metaheur.searches import HillClimbing, TabuSearch
from metaheur.testing.unit import Costless

KEY = Key(5, 2)
FAR = 10**9


def instance(kind: str, n: int) -> QAP:
    a, b = np.random.default_rng(n).integers(0, 30, (2, n, n))
    if kind == "symmetric":
        return QAP(a + a.T, b + b.T)
    if kind == "asymmetric":
        return QAP(a - 9, b - 9)
    return QAP((a - 9) * 100_003, (b - 9) * 100_003)  # "large": asymmetric, its costs are of 64 bits


def begin(problem: Problem, loop: Scan, x: Solution | None = None) -> ScanState:
    space = problem.representation
    solution = space.random(Random(KEY, START, 0)) if x is None else x
    return loop.init(Incumbent(space, solution, problem.cost(solution)), KEY)


def facts(state: ScanState) -> dict[str, Any]:
    """All that a state says, as plain values."""
    walk = state.walk
    return {
        "iteration": walk.iteration,
        "evaluated": walk.evaluated,
        "improved_at": walk.improved_at,
        "current": (walk.current.solution.tolist(), walk.current.cost),
        "best": (walk.best.solution.tolist(), walk.best.cost),
        "kept": {name: array.tolist() for name, array in state.kept.items()},
        "optimum": state.local_optimum,
    }


def steps(problem: Problem, loop: Scan, state: ScanState) -> Iterator[ScanState]:
    """The states after each step, until the scan is done."""
    evaluate = NumpyEvaluator(problem, loop.neighborhood)
    while not loop.done(state):
        state = loop.step(state, evaluate)
        yield state


def stepped(
    problem: Problem, loop: Scan, state: ScanState, ends: Callable[[Walk], bool]
) -> tuple[ScanState, list[tuple[int, int | float]]]:
    """Step by step until the walk ends or the scan is done; the state there, and the improvements on the way."""
    improvements: list[tuple[int, int | float]] = []
    for after in steps(problem, loop, state):
        walk = after.walk
        if walk.improved_at == walk.iteration:
            improvements.append((walk.iteration, walk.best.cost))
        state = after
        if ends(walk):
            break
    return state, improvements


SEARCHES = {
    "hill climbing": HillClimbing(Swap()).loop,
    "tabu search": TabuSearch(Swap()).loop,
    "all tabu at times": TabuSearch(Swap(), (6, 8)).loop,
    "short tenures": TabuSearch(Swap(), (0, 0.3)).loop,
    "long-term aspiration": TabuSearch(Swap(), long_term=20).loop,
    "no memory": Scan(Swap()),
    "memory, improving": Scan(Swap(), memory=PlacementMemory(), acceptance=Improving()),
}
kinds = pytest.mark.parametrize("kind", ["symmetric", "asymmetric", "large"])
searches = pytest.mark.parametrize("search", SEARCHES)


@kinds
@searches
def test_every_iteration_is_that_of_a_step(compiling: Device, kind: str, search: str) -> None:
    problem, loop = instance(kind, 7), SEARCHES[search]
    scan, state = ResidentScan(problem, loop, compiling), begin(problem, loop)
    for _, expected in zip(range(120), steps(problem, loop, begin(problem, loop)), strict=False):
        state, improvements = scan.advance(state, Until(state.walk.iteration + 1))
        assert facts(state) == facts(expected)
        walk = expected.walk
        assert improvements == ([(walk.iteration, walk.best.cost)] if walk.improved_at == walk.iteration else [])


@kinds
@searches
def test_one_launch_of_many_iterations_ends_where_the_steps_end(compiling: Device, kind: str, search: str) -> None:
    problem, loop = instance(kind, 9), SEARCHES[search]
    expected, improvements = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 400)
    state, found = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(400))
    assert facts(state) == facts(expected)
    assert found == improvements


@pytest.mark.parametrize("n", [1, 2, 3, 31, 32, 33])
@pytest.mark.parametrize("search", ["hill climbing", "tabu search", "long-term aspiration"])
def test_solutions_of_every_length_are_searched(compiling: Device, search: str, n: int) -> None:
    problem, loop = instance("asymmetric", n), SEARCHES[search]
    expected, improvements = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 60)
    state, found = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(60))
    assert facts(state) == facts(expected)
    assert found == improvements


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(1, 60), min_size=1, max_size=20))
def test_any_chunks_make_one_trajectory(compiling: Device, pieces: list[int]) -> None:
    problem, loop = instance("asymmetric", 8), SEARCHES["long-term aspiration"]
    whole, improvements = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(sum(pieces)))
    scan, state, found = ResidentScan(problem, loop, compiling), begin(problem, loop), []
    for piece in pieces:
        state, some = scan.advance(state, Until(state.walk.iteration + piece))
        found += some
    assert facts(state) == facts(whole)
    assert found == improvements


@kinds
@pytest.mark.parametrize("search", ["tabu search", "all tabu at times", "long-term aspiration", "no memory"])
def test_a_walk_goes_on_from_step_to_launch_and_back(compiling: Device, kind: str, search: str) -> None:
    problem, loop = instance(kind, 8), SEARCHES[search]
    scan, evaluate = ResidentScan(problem, loop, compiling), NumpyEvaluator(problem, Swap())
    state = begin(problem, loop)
    for turn in range(8):
        if turn % 2:
            state, _ = scan.advance(state, Until(state.walk.iteration + 23))
        else:
            for _ in range(17):
                state = loop.step(state, evaluate)
    expected, _ = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 160)
    assert facts(state) == facts(expected)


def test_a_walk_goes_on_in_another_scan_of_its_problem(compiling: Device) -> None:
    problem, loop = instance("symmetric", 8), SEARCHES["tabu search"]
    state = begin(problem, loop)
    for _ in range(4):
        state, _ = ResidentScan(problem, loop, compiling).advance(state, Until(state.walk.iteration + 30))
    expected, _ = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 120)
    assert facts(state) == facts(expected)


def test_two_walks_take_turns_on_one_scan(compiling: Device) -> None:
    problem, loop = instance("symmetric", 8), SEARCHES["tabu search"]
    scan = ResidentScan(problem, loop, compiling)
    first, second = begin(problem, loop), begin(problem, loop, np.arange(8, dtype=np.int32))
    for _ in range(4):
        first, _ = scan.advance(first, Until(first.walk.iteration + 30))
        second, _ = scan.advance(second, Until(second.walk.iteration + 20))
    alone, _ = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 120)
    assert facts(first) == facts(alone)


def test_a_state_keeps_its_solutions_when_the_walk_goes_on(compiling: Device) -> None:
    problem, loop = instance("symmetric", 8), SEARCHES["tabu search"]
    scan = ResidentScan(problem, loop, compiling)
    state, _ = scan.advance(begin(problem, loop), Until(10))
    before = facts(state)
    scan.advance(state, Until(100))
    assert {**facts(state), "kept": ...} == {**before, "kept": ...}


# ---- where a launch ends ---------------------------------------------------------------------------------------------


@kinds
@pytest.mark.parametrize("search", ["tabu search", "long-term aspiration"])
def test_a_launch_ends_when_the_cost_is_reached(compiling: Device, kind: str, search: str) -> None:
    problem, loop = instance(kind, 10), SEARCHES[search]
    _, improvements = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 200)
    assert len(improvements) > 3
    scan = ResidentScan(problem, loop, compiling)
    for (_, above), (iteration, cost) in pairwise(improvements):
        for target in (cost, above - 1, cost + 0.5):
            state, found = scan.advance(begin(problem, loop), Until(FAR, cost=target))
            assert (state.walk.iteration, state.walk.best.cost) == (iteration, cost)
            assert found == [pair for pair in improvements if pair[0] <= iteration]


def test_a_cost_that_no_solution_has_is_never_reached(compiling: Device) -> None:
    problem, loop = instance("symmetric", 6), SEARCHES["tabu search"]
    for target in (-1, -0.5, -(2**70), float("-inf")):
        state, _ = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(50, cost=target))
        assert state.walk.iteration == 50


def test_a_cost_that_every_solution_has_is_reached_after_one_step(compiling: Device) -> None:
    problem, loop = instance("symmetric", 6), SEARCHES["tabu search"]
    for target in (10**9, 2**70, float("inf")):
        state, _ = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(50, cost=target))
        assert state.walk.iteration == 1


@kinds
@pytest.mark.parametrize("stagnation", [1, 2, 7, 40])
def test_a_launch_ends_when_nothing_improved_for_so_long(compiling: Device, kind: str, stagnation: int) -> None:
    problem, loop = instance(kind, 10), SEARCHES["tabu search"]
    expected, _ = stepped(
        problem, loop, begin(problem, loop), lambda walk: walk.iteration - walk.improved_at >= stagnation
    )
    state, _ = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(FAR, stagnation=stagnation))
    assert facts(state) == facts(expected)
    assert state.walk.iteration == state.walk.improved_at + stagnation


@kinds
def test_a_launch_ends_at_every_improvement(compiling: Device, kind: str) -> None:
    problem, loop = instance(kind, 10), SEARCHES["tabu search"]
    _, improvements = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 200)
    scan, state = ResidentScan(problem, loop, compiling), begin(problem, loop)
    for improvement in improvements:
        state, found = scan.advance(state, Until(FAR, improvement=True))
        assert found == [improvement]
        assert (state.walk.iteration, state.walk.best.cost) == improvement
        assert state.walk.current.cost == state.walk.best.cost


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(1, 80),
    st.none() | st.integers(20_000, 50_000),
    st.none() | st.integers(1, 30),
    st.booleans(),
)
def test_a_launch_ends_at_the_first_of_its_conditions(
    compiling: Device, iteration: int, cost: int | None, stagnation: int | None, improvement: bool
) -> None:
    def ends(walk: Walk) -> bool:
        return (
            walk.iteration == iteration
            or (cost is not None and walk.best.cost <= cost)
            or (stagnation is not None and walk.iteration - walk.improved_at >= stagnation)
            or (improvement and walk.improved_at == walk.iteration)
        )

    problem, loop = instance("symmetric", 10), SEARCHES["tabu search"]
    expected, improvements = stepped(problem, loop, begin(problem, loop), ends)
    until = Until(iteration, cost=cost, stagnation=stagnation, improvement=improvement)
    state, found = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), until)
    assert facts(state) == facts(expected)
    assert found == improvements


# ---- more improvements than a launch can report ----------------------------------------------------------------------


@final
@frozen
class AdjacentMove(Move):
    """Exchange the items at the positions i and i + 1."""

    i: Any

    def apply(self, x: Solution) -> Solution:
        moved = np.array(x)
        moved[self.i], moved[self.i + 1] = x[self.i + 1], x[self.i]
        return moved

    def inverse(self) -> Self:
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        return (self.i, x[self.i + 1]), (self.i + 1, x[self.i])


@final
@frozen
class Adjacent(Neighborhood):
    """Exchanges of neighbors."""

    source: ClassVar[Source] = Source("""
struct AdjacentMove {
    int i;
    static constexpr int placements = 2;
    MH_FN int place(int c) const { return i + c; }
    MH_FN Item value(const Item* x, int c) const { return x[i + 1 - c]; }
};
struct Adjacent : AdjacentData {
    typedef AdjacentMove Move;
    MH_FN i64 size() const { return n - 1; }
    MH_FN int groups() const { return 1; }
    MH_FN i64 length(int) const { return n - 1; }
    MH_FN i64 first(int) const { return 0; }
    MH_FN Move move(int, int k) const { return {k}; }
    MH_FN int group(Move) const { return 0; }
    MH_FN i64 index(Move m) const { return m.i; }
    MH_FN Move unrank(i64 k) const { return {int(k)}; }
    MH_FN void apply(Team team, Item* x, Move m) const {
        if (team.rank == 0) {
            Item item = x[m.i];
            x[m.i] = x[m.i + 1];
            x[m.i + 1] = item;
        }
    }
    MH_FN int touched() const { return 3; }
    MH_FN bool around(Move m, int t, Move& other) const {
        other = {m.i - 1 + t};
        return other.i >= 0 && other.i < n - 1;
    }
};
""")

    @property
    def writes(self) -> int:
        return 2

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation)

    def size(self, representation: Representation) -> int:
        return representation.length - 1

    def moves(self, representation: Representation) -> Iterator[AdjacentMove]:
        return (AdjacentMove(i) for i in range(representation.length - 1))

    def move(self, representation: Representation, k: int) -> AdjacentMove:
        return AdjacentMove(k)

    def index(self, representation: Representation, move: AdjacentMove) -> int:
        return int(move.i)

    def batch(self, representation: Representation, indices: np.ndarray) -> AdjacentMove:
        return AdjacentMove(indices)


@final
@frozen(eq=False)
class Inversions(Problem):
    """Sort: the cost is the number of pairs in the wrong order, and a neighbors' exchange changes it by one."""

    size: int = data("int32")

    source: ClassVar[Source] = Source("""
struct Inversions : InversionsData {
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(i64(n) * n, [&](i64 k) { return Total(k / n < k % n && x[k / n] > x[k % n]); });
    }
    MH_FN Cost delta(Team, const Item* x, AdjacentMove m) const { return x[m.i] > x[m.i + 1] ? -1 : 1; }
};
""")

    @property
    def representation(self) -> Permutation:
        return Permutation(self.size)

    def cost(self, x: Solution) -> int:
        return int(np.triu(x[:, None] > x[None, :]).sum())

    def delta(self, x: Solution, move: Any) -> Any:
        return np.where(x[move.i] > x[move.i + 1], -1, 1)


def test_a_walk_may_improve_more_often_than_a_launch_can_report(compiling: Device) -> None:
    problem, loop = Inversions(60), HillClimbing(Adjacent()).loop
    reversed_order = np.arange(60, dtype=np.int32)[::-1].copy()
    state, improvements = ResidentScan(problem, loop, compiling).advance(
        begin(problem, loop, reversed_order), Until(FAR)
    )
    assert 60 * 59 // 2 == 1770 > ROOM
    assert improvements == [(k, 1770 - k) for k in range(1, 1771)]
    assert state.local_optimum
    assert state.walk.iteration == 1771
    assert state.walk.best.solution.tolist() == list(range(60))


@pytest.mark.parametrize("iterations", [ROOM - 1, ROOM, ROOM + 1, 2 * ROOM - 300])
def test_a_launch_that_is_full_does_not_change_where_the_walk_ends(compiling: Device, iterations: int) -> None:
    problem, loop = Inversions(60), TabuSearch(Adjacent()).loop
    reversed_order = np.arange(60, dtype=np.int32)[::-1].copy()
    expected, improvements = stepped(
        problem, loop, begin(problem, loop, reversed_order), lambda walk: walk.iteration == iterations
    )
    state, found = ResidentScan(problem, loop, compiling).advance(
        begin(problem, loop, reversed_order), Until(iterations)
    )
    assert facts(state) == facts(expected)
    assert found == improvements
    assert len(found) > 0.8 * ROOM


# ---- iterations beyond 32 bits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rebase", [1, 7, 40])
@pytest.mark.parametrize("search", ["tabu search", "all tabu at times", "long-term aspiration"])
def test_expiries_are_counted_anew_without_a_trace(
    compiling: Device, monkeypatch: pytest.MonkeyPatch, search: str, rebase: int
) -> None:
    problem, loop = instance("symmetric", 8), SEARCHES[search]
    expected, improvements = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 200)
    monkeypatch.setattr(resident, "REBASE", rebase)
    state, found = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(200))
    assert facts(state) == facts(expected)
    assert found == improvements


@pytest.mark.parametrize("iteration", [2**31 - 30, 2**32 - 30, 2**40])
@pytest.mark.parametrize("search", ["tabu search", "long-term aspiration"])
def test_a_walk_goes_on_beyond_32_bits_of_iterations(compiling: Device, search: str, iteration: int) -> None:
    problem, loop = instance("asymmetric", 8), SEARCHES[search]

    def late() -> ScanState:
        state = begin(problem, loop)
        walk = attrs.evolve(state.walk, iteration=iteration, improved_at=iteration)
        state.kept["expiries"][...] = iteration + np.arange(64).reshape(8, 8) % 11 - 4
        return attrs.evolve(state, walk=walk)

    expected, _ = stepped(problem, loop, late(), lambda walk: walk.iteration == iteration + 100)
    state, _ = ResidentScan(problem, loop, compiling).advance(late(), Until(iteration + 100))
    assert facts(state) == facts(expected)


# ---- other parts -----------------------------------------------------------------------------------------------------


@final
@frozen
class Steepest(Selection):
    """The largest change of cost: what the default selection avoids."""

    source: ClassVar[Source] = Source("""
struct Steepest : SteepestData {
    MH_FN Cost score(Cost delta) const { return -delta; }
};
""")

    def score(self, delta: Any) -> Any:
        return -delta


@pytest.mark.parametrize(
    "loop",
    [
        Scan(Swap(), selection=Steepest()),
        Scan(Swap(), selection=Steepest(), memory=PlacementMemory()),
        Scan(Swap(), selection=Steepest(), memory=PlacementMemory(Tenure(2, 3)), aspiration=Aspiration(30)),
    ],
    ids=["no memory", "memory", "memory and long-term aspiration"],
)
def test_a_selection_of_ones_own_scores_the_same_moves(compiling: Device, loop: Scan) -> None:
    problem = instance("symmetric", 8)
    expected, improvements = stepped(problem, loop, begin(problem, loop), lambda walk: walk.iteration == 150)
    state, found = ResidentScan(problem, loop, compiling).advance(begin(problem, loop), Until(150))
    assert facts(state) == facts(expected)
    assert found == improvements


@pytest.mark.cuda
@pytest.mark.parametrize("blocks", [2, 5])
@kinds
@searches
def test_blocks_that_share_a_walk_make_the_same_trajectory(gpu: Device, kind: str, search: str, blocks: int) -> None:
    problem, loop = instance(kind, 40), SEARCHES[search]
    expected, improvements = ResidentScan(problem, loop, Host()).advance(begin(problem, loop), Until(500))
    state, found = ResidentScan(problem, loop, gpu, blocks=blocks).advance(begin(problem, loop), Until(500))
    assert facts(state) == facts(expected)
    assert found == improvements


def test_arrays_of_neighborhoods_of_one_type_take_shared_memory_each() -> None:
    space, beside = Permutation(10), np.roll(np.arange(10), -1)[:, None]
    twice = Union(Restricted(Swap(), beside), Restricted(Swap(), beside))
    scan = HillClimbing(twice).loop
    kernel, taken = scan_kernel(Costless(space), scan, Host(), threads=32, blocks=1, shared_memory=2**20)
    own = [array.nbytes(Host()) for _, array in kernel.structs["neighborhood"].arrays()]
    solution, table, expiries = 10 * 4, 40 * 8, 40 * 4
    assert len(own) == 4  # candidates and positions of each
    assert taken == sum(-(-nbytes // 16) * 16 for nbytes in (*own, solution, table, expiries))
