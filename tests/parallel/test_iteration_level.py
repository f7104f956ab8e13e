"""Iteration level: the same trajectory on every device, the rule of "auto", and what is refused."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np
import pytest
from attrs import frozen

from metaheur.device import evaluator, host
from metaheur.device.device import Device
from metaheur.device.source import Source
from metaheur.errors import DeviceError, InputError
from metaheur.evaluator import Evaluator, NumpyEvaluator
from metaheur.loops.scan import Scan
from metaheur.neighborhood import Move, Neighborhood
from metaheur.neighborhoods import Sampled, Swap, TwoOpt, Union
from metaheur.parallel import Bound, IterationLevel, iteration_level
from metaheur.parts import Acceptance, PlacementMemory, Selection
from metaheur.problem import Kept, Problem, data
from metaheur.problems import QAP, TSP
from metaheur.random import START, Key, Random
from metaheur.representation import Permutation, Representation, Solution
from metaheur.search import Incumbent, Search, Until, Walk
from metaheur.searches import HillClimbing, TabuSearch

KEY = Key(11)
ROOT = Path(__file__).resolve().parents[2]


def begin(problem: Problem, search: Search[Any]) -> Any:
    space = problem.representation
    x = space.random(Random(KEY, START, 0))
    cost = problem.cost(x)
    return search.init(Incumbent(space, x, cost), KEY)


def facts(state: Any) -> dict[str, Any]:
    walk = state.walk
    return {
        "iteration": walk.iteration,
        "evaluated": walk.evaluated,
        "improved_at": walk.improved_at,
        "current": (walk.current.solution.tolist(), walk.current.cost),
        "best": (walk.best.solution.tolist(), walk.best.cost),
        "kept": {name: array.tolist() for name, array in getattr(state, "kept", {}).items()},
    }


def by_steps(problem: Problem, search: Search[Any], iterations: int) -> tuple[Any, list[tuple[int, int | float]]]:
    """The reference: `Search.step` with the Python halves."""
    state, improvements = begin(problem, search), []
    evaluate = NumpyEvaluator(problem, search.neighborhood)
    while state.walk.iteration < iterations and not search.done(state):
        state = search.step(state, evaluate)
        if state.walk.improved_at == state.walk.iteration:
            improvements.append((state.walk.iteration, state.walk.best.cost))
    return state, improvements


def advance(bound: Bound, problem: Problem, search: Search[Any], iterations: int, chunk: int) -> Any:
    """The same by a bound search, chunk by chunk."""
    state, improvements = begin(problem, search), []
    while state.walk.iteration < iterations and not search.done(state):
        until = Until(min(iterations, state.walk.iteration + chunk))
        state, found = bound.advance(state, until)
        improvements += found
    return state, improvements


def same_trajectory(model: IterationLevel, problem: Problem, search: Search[Any], iterations: int = 150) -> Bound:
    bound = model.bind(search, problem)
    expected, improvements = by_steps(problem, search, iterations)
    for chunk in (iterations, 13):
        state, found = advance(bound, problem, search, iterations, chunk)
        assert facts(state) == facts(expected)
        assert found == improvements
        assert search.done(state) == search.done(expected)
    return bound


def asymmetric(n: int, factor: int = 1) -> QAP:
    a, b = np.random.default_rng(n).integers(-9, 40, (2, n, n))
    return QAP(a * factor, b * factor)


INSTANCES = {
    "tai12a": QAP.taillard(12),
    "tai15a": QAP.taillard(15),
    "tai17a": QAP.taillard(17),
    "tai20a": QAP.taillard(20),
    "asymmetric": asymmetric(12),
    "asymmetric, large": asymmetric(13, 10_007),
}
SEARCHES: dict[str, Search[Any]] = {
    "hill climbing": HillClimbing(Swap()),
    "tabu search": TabuSearch(Swap()),
    "long-term aspiration": TabuSearch(Swap(), (0.5, 1.5), long_term=60),
}
searches = pytest.mark.parametrize("search", SEARCHES)


@pytest.mark.parametrize("instance", INSTANCES)
@searches
def test_every_device_makes_the_same_trajectory(device: str, search: str, instance: str) -> None:
    bound = same_trajectory(IterationLevel(device), INSTANCES[instance], SEARCHES[search])
    assert bound.resident == (device != "numpy")


@pytest.mark.parametrize("instance", ["tai12a", "asymmetric", "asymmetric, large"])
@searches
def test_a_device_that_only_evaluates_makes_it_too(device: str, search: str, instance: str) -> None:
    bound = same_trajectory(IterationLevel(device, resident=False), INSTANCES[instance], SEARCHES[search])
    assert not bound.resident


@searches
def test_a_move_and_its_evaluation_in_two_launches_are_those_in_one(
    monkeypatch: pytest.MonkeyPatch, compiling: Device, search: str
) -> None:
    monkeypatch.setattr(evaluator, "ONE_LAUNCH", 0)
    same_trajectory(IterationLevel(compiling.name, resident=False), INSTANCES["tai12a"], SEARCHES[search])


def test_neighborhoods_too_large_to_be_kept_are_streamed(monkeypatch: pytest.MonkeyPatch, compiling: Device) -> None:
    monkeypatch.setattr(iteration_level, "STREAM_FROM", 1)
    monkeypatch.setattr(iteration_level, "STREAM_ALWAYS_FROM", 66)
    larger, smaller = INSTANCES["tai12a"], asymmetric(11)
    assert not same_trajectory(IterationLevel(compiling.name), larger, SEARCHES["hill climbing"]).resident
    assert same_trajectory(IterationLevel(compiling.name), larger, SEARCHES["tabu search"]).resident
    assert IterationLevel(compiling.name).bind(SEARCHES["hill climbing"], smaller).resident


def test_large_neighborhoods_without_updates_are_streamed(monkeypatch: pytest.MonkeyPatch, compiling: Device) -> None:
    tsp, climbing = TSP.random(12, 1), HillClimbing(TwoOpt())  # 54 moves
    monkeypatch.setattr(iteration_level, "STREAM_FROM", 55)
    assert same_trajectory(IterationLevel(compiling.name), tsp, climbing).resident
    monkeypatch.setattr(iteration_level, "STREAM_FROM", 54)
    assert not same_trajectory(IterationLevel(compiling.name), tsp, climbing).resident
    assert IterationLevel(compiling.name, resident=True).bind(climbing, tsp).resident


@pytest.mark.parametrize("n", [1, 2, 3])
@searches
def test_the_smallest_instances_are_searched_on_every_device(device: str, search: str, n: int) -> None:
    same_trajectory(IterationLevel(device), asymmetric(n), SEARCHES[search], 30)
    same_trajectory(IterationLevel(device, resident=False), asymmetric(n), SEARCHES[search], 30)


@pytest.mark.parametrize("resident", [True, False])
def test_what_is_bound_says_where_and_why(resident: bool) -> None:
    bound = IterationLevel("host", resident=resident).bind(TabuSearch(Swap()), INSTANCES["tai12a"])
    assert bound.device == "host"
    assert bound.reason == "asked for"
    assert bound.description
    assert bound.resident is resident
    assert bound.compile_seconds >= 0


def test_costs_are_those_of_the_python_half(device: str) -> None:
    problem = INSTANCES["asymmetric"]
    bound = IterationLevel(device).bind(TabuSearch(Swap()), problem)
    x = problem.representation.random(Random(KEY, START, 5))
    assert bound.cost(x) == problem.cost(x)
    assert type(bound.cost(x)) is int


@pytest.mark.parametrize("until", [Until(40), Until(10**9, cost=240_000), Until(10**9, stagnation=9)], ids=repr)
def test_a_chunk_ends_at_the_first_iteration_where_it_should(device: str, until: Until) -> None:
    problem, search = INSTANCES["tai12a"], TabuSearch(Swap())
    state, _ = IterationLevel(device).bind(search, problem).advance(begin(problem, search), until)
    for iteration in range(1, 1000):
        walk = by_steps(problem, search, iteration)[0].walk
        if (
            walk.iteration == until.iteration
            or (until.cost is not None and walk.best.cost <= until.cost)
            or (until.stagnation is not None and walk.iteration - walk.improved_at >= until.stagnation)
        ):
            break
    assert state.walk.iteration == walk.iteration < 1000


def test_a_chunk_that_is_over_before_it_begins_makes_one_step(device: str) -> None:
    problem, search = INSTANCES["tai12a"], TabuSearch(Swap())
    state, _ = IterationLevel(device).bind(search, problem).advance(begin(problem, search), Until(50, cost=10**9))
    assert state.walk.iteration == 1


# ---- problems, with and without halves -------------------------------------------------------------------------------

COST = """
    MH_FN Total cost(Team team, const Item* x) const {
        return team.sum(n, [&](int p) {
            Total total = 0;
            for (int q = p + 1; q < n; ++q) total -= weights(x[p], x[q]);
            return total;
        });
    }
"""
DELTA = """
    MH_FN Cost change(Team team, const Item* x, SwapMove m) const {
        int u = x[m.i], v = x[m.j];
        Cost between = team.sum(m.j - m.i - 1, [&](int k) {
            int w = x[m.i + 1 + k];
            return Cost(weights(u, w)) - Cost(weights(w, u)) + Cost(weights(w, v)) - Cost(weights(v, w));
        });
        return between + Cost(weights(u, v)) - Cost(weights(v, u));
    }
"""
HALVES: dict[str, str | None] = {
    "none": None,
    "cost": COST,
    "cost and delta": COST
    + DELTA
    + "MH_FN Cost delta(Team team, const Item* x, SwapMove m) const { return change(team, x, m); }",
    "delta alone": DELTA
    + "MH_FN Cost delta(Team team, const Item* x, SwapMove m) const { return change(team, x, m); }",
    "what is kept": COST
    + DELTA
    + """
    MH_FN void init(Team team, const Item* x, State s) const {
        team.for_each(n, [&](i64 k) { s.order(k) = x[k]; });
    }
    MH_FN void commit(Team team, const Item* x, State s, SwapMove m) const {
        team.for_each(2, [&](i64 c) { s.order(m.place(int(c))) = x[m.place(int(c))]; });
    }
    MH_FN Cost delta(Team team, const Item*, State s, SwapMove m) const { return change(team, s.order.data, m); }
""",
}


def linear_ordering(half: str, dtype: str = "int32", *, python_delta: bool = False, n: int = 9) -> Problem:
    """Order items so that the weight above the diagonal is largest, with the C++ half of that name."""
    members = HALVES[half]
    floating = dtype == "float64"

    @final
    @frozen(eq=False)
    class LinearOrdering(Problem):
        weights: Any = data(dtype, ndim=2)

        maximise: ClassVar[bool] = True
        source: ClassVar[Source | None] = (
            None if members is None else Source(f"struct LinearOrdering : LinearOrderingData {{{members}}};\n")
        )

        @property
        def representation(self) -> Permutation:
            return Permutation(len(self.weights))

        def cost(self, x: Solution) -> int | float:
            return -np.triu(self.weights[np.ix_(x, x)], 1).sum().item()  # type: ignore[no-any-return]

        def delta(self, x: Solution, move: Any) -> Any:
            if not python_delta or np.ndim(move.i):
                return NotImplemented
            return self.cost(move.apply(x)) - self.cost(x)

        @property
        def cost_type(self) -> str:
            return "float64" if floating else "int64"

        @property
        def state(self) -> dict[str, Kept]:
            return {"order": Kept((len(self.weights),), "int32")} if half == "what is kept" else {}

    weights = np.random.default_rng(n).integers(-20, 100, (n, n))
    return LinearOrdering(weights / 4 if floating else weights)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
@pytest.mark.parametrize("half", [half for half, members in HALVES.items() if members])
@pytest.mark.parametrize("resident", [True, False])
def test_any_members_of_the_cpp_half_will_do(device: str, half: str, dtype: str, resident: bool) -> None:
    problem = linear_ordering(half, dtype)
    model = IterationLevel(device, resident=resident and device != "numpy")
    same_trajectory(model, problem, TabuSearch(Swap()), 80)


@pytest.mark.parametrize("python_delta", [True, False])
def test_a_problem_in_python_only_is_searched_by_numpy(python_delta: bool) -> None:
    problem = linear_ordering("none", python_delta=python_delta)
    bound = same_trajectory(IterationLevel(), problem, TabuSearch(Swap()), 60)
    assert bound.device == "numpy"
    assert bound.reason == "LinearOrdering has no C++ half"


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_costs_have_the_type_that_the_problem_declares(device: str, dtype: str) -> None:
    problem = linear_ordering("cost and delta", dtype)
    search = TabuSearch(Swap())
    bound = IterationLevel(device).bind(search, problem)
    state, improvements = bound.advance(begin(problem, search), Until(30))
    kind = float if dtype == "float64" else int
    assert improvements
    for cost in (state.walk.current.cost, state.walk.best.cost, *(cost for _, cost in improvements)):
        assert type(cost) is kind


def test_the_host_refuses_a_problem_in_python_only() -> None:
    with pytest.raises(InputError, match="LinearOrdering has no C\\+\\+ half") as caught:
        IterationLevel("host").bind(TabuSearch(Swap()), linear_ordering("none"))
    assert caught.value.maybe


@pytest.mark.parametrize("name", ["auto", "host", "numpy"])
def test_no_walk_is_resident_without_all_halves(name: str) -> None:
    with pytest.raises(InputError, match="resident=True keeps the walk on a device, but LinearOrdering has no C\\+\\+"):
        IterationLevel(name, resident=True).bind(TabuSearch(Swap()), linear_ordering("none"))


def test_no_walk_is_resident_on_numpy() -> None:
    with pytest.raises(InputError, match='device="numpy" runs the Python halves'):
        IterationLevel("numpy", resident=True).bind(TabuSearch(Swap()), INSTANCES["tai12a"])


# ---- searches and neighborhoods in Python only -----------------------------------------------------------------------


@final
@frozen
class Second(Search[Walk]):
    """Make the second best move: a search with no loop of parts."""

    neighborhood: Neighborhood

    def init(self, start: Incumbent, key: Key) -> Walk:
        return Walk(key, start, start)

    def step(self, state: Walk, evaluate: Evaluator) -> Walk:
        deltas = evaluate.deltas(state.current)
        k = int(np.argsort(deltas, kind="stable")[1])
        move = self.neighborhood.move(state.current.representation, k)
        return state.go(k, move, deltas[k].item(), evaluate.size)

    def done(self, state: Walk) -> bool:
        return False


def test_a_search_without_parts_decides_in_python_on_every_device(device: str) -> None:
    bound = same_trajectory(IterationLevel(device), INSTANCES["asymmetric"], Second(Swap()), 60)
    assert not bound.resident


def test_auto_takes_the_host_for_a_search_without_parts() -> None:
    bound = same_trajectory(IterationLevel(), INSTANCES["tai12a"], Second(Swap()), 40)
    assert (bound.device, bound.resident) == ("host", False)


def test_a_search_without_parts_is_not_resident() -> None:
    with pytest.raises(InputError, match="but Second has no C\\+\\+ half"):
        IterationLevel("host", resident=True).bind(Second(Swap()), INSTANCES["tai12a"])


@final
@frozen
class Middle(Selection):
    """The smallest change of cost, up or down; in Python only."""

    def score(self, delta: Any) -> Any:
        return np.abs(delta)


@final
@frozen
class Threshold(Acceptance):
    """Whatever does not cost too much; in Python only."""

    def accepts(self, delta: Any) -> Any:
        return delta < 500


@pytest.mark.parametrize(
    "scan",
    [
        Scan(Swap(), selection=Middle()),
        Scan(Swap(), selection=Middle(), memory=PlacementMemory()),
        Scan(Swap(), acceptance=Threshold(), memory=PlacementMemory()),
        Scan(Swap(), acceptance=Threshold()),
    ],
    ids=["selection", "selection and memory", "acceptance and memory", "acceptance"],
)
@pytest.mark.parametrize("name", ["auto", "host", "numpy"])
def test_a_part_in_python_only_decides_on_every_device(name: str, scan: Scan) -> None:
    bound = same_trajectory(IterationLevel(name), INSTANCES["asymmetric"], scan, 60)
    assert not bound.resident


@final
@frozen
class Rotation(Move):
    """Move all items up by some places."""

    by: Any

    def apply(self, x: Solution) -> Solution:
        return np.roll(x, self.by)

    def inverse(self) -> Self:
        return Rotation(-self.by)

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        return tuple(enumerate(np.roll(x, self.by)))


@final
@frozen
class Rotations(Neighborhood):
    """All rotations of few items: a neighborhood in Python only, without batches."""

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, Permutation) and representation.length <= 12

    def size(self, representation: Representation) -> int:
        return representation.length - 1

    def moves(self, representation: Representation) -> Iterator[Rotation]:
        return (Rotation(by) for by in range(1, representation.length))

    def move(self, representation: Representation, k: int) -> Rotation:
        return Rotation(k + 1)

    def index(self, representation: Representation, move: Rotation) -> int:
        return int(move.by) - 1


def test_a_neighborhood_in_python_only_is_searched_by_numpy() -> None:
    problem = linear_ordering("cost and delta")
    bound = same_trajectory(IterationLevel(), problem, HillClimbing(Rotations()))
    assert bound.device == "numpy"
    assert bound.reason == "Rotations has no C++ half"


@pytest.mark.parametrize("around", [Union(Swap(), Rotations()), Sampled(Rotations(), 5)], ids=repr)
def test_what_is_made_of_one_in_python_only_is_searched_by_numpy(around: Neighborhood) -> None:
    bound = IterationLevel().bind(HillClimbing(around), QAP.random(6, 1))
    assert (bound.device, bound.reason) == ("numpy", "Rotations has no C++ half")


def test_the_host_refuses_a_neighborhood_in_python_only() -> None:
    with pytest.raises(InputError, match="Rotations has no C\\+\\+ half"):
        IterationLevel("host").bind(HillClimbing(Rotations()), INSTANCES["tai12a"])


def test_a_neighborhood_that_does_not_fit_is_refused(device: str) -> None:
    with pytest.raises(InputError, match=r"Rotations does not act on Permutation\(n=13.*, which represents this QAP"):
        IterationLevel(device).bind(HillClimbing(Rotations()), asymmetric(13))


def test_a_class_in_place_of_a_neighborhood_is_refused(device: str) -> None:
    search: Any = HillClimbing
    with pytest.raises(InputError, match=r"HillClimbing\.neighborhood is .*Swap.*, which is no Neighborhood"):
        IterationLevel(device).bind(search(Swap), INSTANCES["tai12a"])


# ---- which device ----------------------------------------------------------------------------------------------------


def test_auto_takes_the_host_for_short_solutions() -> None:
    bound = IterationLevel().bind(TabuSearch(Swap()), INSTANCES["tai12a"])
    assert bound.device == "host"
    assert "solutions have 12 entries, fewer than the 200" in bound.reason


def test_auto_takes_a_gpu_for_long_solutions_where_there_is_one(gpu_is_there: bool) -> None:
    bound = IterationLevel().bind(HillClimbing(Swap()), QAP.random(200, 1))
    assert bound.device == ("cuda:0" if gpu_is_there else "host")
    assert ("a GPU is there" if gpu_is_there else "CuPy") in bound.reason


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    for name in ("METAHEUR_CXX", "CXX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    host.find_compiler.cache_clear()
    yield
    host.find_compiler.cache_clear()


@pytest.mark.usefixtures("no_compiler")
def test_auto_goes_on_without_a_compiler_and_says_so() -> None:
    bound = IterationLevel().bind(TabuSearch(Swap()), INSTANCES["tai12a"])
    assert bound.device == "numpy"
    assert not bound.resident
    assert "no C++ compiler" in bound.reason


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("resident", [None, True, False])
def test_the_host_does_not_go_on_without_a_compiler(resident: bool | None) -> None:
    with pytest.raises(DeviceError, match="There is no C\\+\\+ compiler"):
        IterationLevel("host", resident=resident).bind(TabuSearch(Swap()), INSTANCES["tai12a"])


@pytest.mark.parametrize("name", ["gpu", "HOST", "", "cuda:", "cuda:-1", "cuda:x", "cuda:²", "host:0", None, 1, True])
def test_what_is_no_device_is_refused(name: Any) -> None:
    with pytest.raises(InputError, match="is no device") as caught:
        IterationLevel(name)
    assert '"cuda:1"' in caught.value.maybe


@pytest.mark.parametrize("argument", ["threads", "blocks"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True])
def test_what_is_no_number_of_threads_or_blocks_is_refused(argument: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"{argument} is a number from 1 on, but it is {value!r}"):
        IterationLevel("host", **{argument: value})


@pytest.mark.parametrize("value", ["yes", 1, 0.0])
def test_resident_is_true_false_or_none(value: Any) -> None:
    with pytest.raises(InputError, match="resident"):
        IterationLevel("host", resident=value)


# ---- threads ---------------------------------------------------------------------------------------------------------

two_cores = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="two threads need two cores")


@two_cores
@pytest.mark.parametrize("search", ["tabu search", "hill climbing"])
def test_threads_that_share_a_neighborhood_change_nothing(search: str) -> None:
    model = IterationLevel("host", resident=False, threads=2)
    same_trajectory(model, INSTANCES["tai20a"], SEARCHES[search])
    same_trajectory(model, INSTANCES["asymmetric"], SEARCHES[search])


@two_cores
@pytest.mark.parametrize("half", ["cost", "what is kept"])
def test_threads_that_evaluate_in_full_change_nothing(half: str) -> None:
    model = IterationLevel("host", resident=False, threads=2)
    same_trajectory(model, linear_ordering(half), TabuSearch(Swap()), 60)
    same_trajectory(model, linear_ordering(half), HillClimbing(Swap()), 60)


@two_cores
def test_threads_that_a_compiler_cannot_make_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "has_openmp", lambda: False)
    model = IterationLevel("host", resident=False, threads=2)
    same_trajectory(model, INSTANCES["tai12a"], HillClimbing(Swap()))
    same_trajectory(model, INSTANCES["tai12a"], Scan(Swap()), 41)


@two_cores
def test_threads_that_the_system_does_not_give_change_nothing() -> None:
    code = """
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.host import Host
from metaheur.evaluator import NumpyEvaluator
from metaheur.loops.scan import Scan
from metaheur.neighborhoods import Sampled, Swap, Union
from metaheur.problems import QAP
from metaheur.random import Key, Random
from metaheur.search import Incumbent

qap, scan = QAP.taillard(12), Scan(Swap())
x = qap.representation.random(Random(Key(1), 0, 0))
state = scan.init(Incumbent(qap.representation, x, qap.cost(x)), Key(1))
shared, alone = DeviceEvaluator(qap, Swap(), Host(), threads=2), NumpyEvaluator(qap, Swap())
for _ in range(30):
    incumbent = state.walk.current
    assert shared.deltas(incumbent).tolist() == alone.deltas(incumbent).tolist()
    assert shared.best(incumbent) == alone.best(incumbent)
    state = scan.step(state, alone)
"""
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_more_threads_than_cores_are_refused() -> None:
    with pytest.raises(InputError, match=r"threads is 100000, but this machine has \d+ cores"):
        IterationLevel("host", resident=False, threads=100_000).bind(TabuSearch(Swap()), INSTANCES["tai12a"])
