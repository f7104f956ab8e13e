"""Iteration level: the same trajectory on every device, the rule of "auto", and what is refused."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import HillClimbing, IteratedLocalSearch, Scan, Search, SimulatedAnnealing, TabuSearch, Trial, run, stop
from metaheur.device.device import Device
from metaheur.device.host import compiler, host
from metaheur.device.names import device_for
from metaheur.errors import DeviceError, InputError
from metaheur.evaluators import device as by_device
from metaheur.evaluators.device import DeviceEvaluator, Launches
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Sampled, Swap, TwoOpt, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import Limit, PlacementMemory, RandomMoves
from metaheur.problem import Problem
from metaheur.problems import QAP, TSP
from metaheur.representation import Permutation, Solution
from metaheur.runners.stepped import Stepped
from metaheur.running.runner import Runner, in_python
from metaheur.running.thresholds import Thresholds, walk_on_gpu
from metaheur.running.view import Until
from tests.helpers import advanced, facts, started, stepped, two_cores
from tests.toys import HALVES, Rotations, SecondBest, Smallest, Threshold, linear_ordering

ROOT = Path(__file__).resolve().parents[2]


def same_trajectory(model: IterationLevel, problem: Problem, search: Search[Any], iterations: int = 80) -> Runner:
    return makes_the_steps(model.bind(search, problem), problem, search, iterations)


def makes_the_steps(runner: Runner, problem: Problem, search: Search[Any], iterations: int = 80) -> Runner:
    expected, improvements = stepped(search, problem, started(search, problem), iterations)
    for chunk in (iterations, 13):
        state, found = advanced(runner, started(search, problem), iterations, chunk)
        assert facts(state) == facts(expected)
        assert found == improvements
        assert search.done(state) == search.done(expected)
    return runner


def asymmetric(n: int, factor: int = 1) -> QAP:
    a, b = np.random.default_rng(n).integers(-9, 40, (2, n, n))
    return QAP(a * factor, b * factor)


INSTANCES = {
    "tai12a": QAP.taillard(12),
    "asymmetric": asymmetric(12),
    "asymmetric, large": asymmetric(13, 10_007),
}
SEARCHES: dict[str, Search[Any]] = {
    "hill climbing": HillClimbing(Swap()),
    "tabu search": TabuSearch(Swap()),
    "annealing": SimulatedAnnealing(Swap(), 300.0),
    "iterated": IteratedLocalSearch(TabuSearch(Swap()), RandomMoves(Swap(), 3), limit=Limit(20)),
}
searches = pytest.mark.parametrize("search", SEARCHES)


@pytest.mark.parametrize("instance", INSTANCES)
@pytest.mark.parametrize("resident", [None, False])
@searches
def test_every_device_makes_the_same_trajectory(device: str, search: str, instance: str, resident: bool | None) -> None:
    runner = same_trajectory(IterationLevel(device, resident=resident), INSTANCES[instance], SEARCHES[search])
    assert runner.facts.resident == (device != "numpy" and resident is None)


@searches
def test_a_move_and_its_evaluation_in_two_launches_are_those_in_one(compiling: Device, search: str) -> None:
    problem, steps = INSTANCES["tai12a"], SEARCHES[search]
    evaluator = DeviceEvaluator(problem, compiling, steps.neighborhood, launches=Launches(step_below=0))
    makes_the_steps(Stepped(steps, evaluator, in_python("asked for")), problem, steps)


def test_neighborhoods_too_large_to_be_kept_are_streamed(compiling: Device) -> None:
    thresholds = Thresholds(stream_from=1, stream_always_from=66)
    model, larger, smaller = IterationLevel(compiling.name, thresholds=thresholds), INSTANCES["tai12a"], asymmetric(11)
    assert not same_trajectory(model, larger, SEARCHES["hill climbing"]).facts.resident
    assert same_trajectory(model, larger, SEARCHES["tabu search"]).facts.resident
    assert model.bind(SEARCHES["hill climbing"], smaller).facts.resident


def test_large_neighborhoods_without_updates_are_streamed(compiling: Device) -> None:
    tsp, climbing = TSP.random(12, 1), HillClimbing(TwoOpt())  # 54 moves
    longer, model = Thresholds(stream_from=55), Thresholds(stream_from=54)
    assert same_trajectory(IterationLevel(compiling.name, thresholds=longer), tsp, climbing).facts.resident
    assert not same_trajectory(IterationLevel(compiling.name, thresholds=model), tsp, climbing).facts.resident
    assert IterationLevel(compiling.name, resident=True, thresholds=model).bind(climbing, tsp).facts.resident


@pytest.mark.parametrize("n", [1, 2, 3])
@searches
def test_the_smallest_instances_are_searched_on_every_device(device: str, search: str, n: int) -> None:
    same_trajectory(IterationLevel(device), asymmetric(n), SEARCHES[search], 30)
    same_trajectory(IterationLevel(device, resident=False), asymmetric(n), SEARCHES[search], 30)


def test_a_gpu_that_is_asked_for_but_slower_than_a_core_is_told() -> None:
    _, small = walk_on_gpu(12, 1, 1, Thresholds())
    told = "asked for; beware, solutions have 12 entries, fewer than the 200 from which one walk is faster on a GPU"
    assert device_for("cuda", (), gpu=False, why=small) == ("cuda", told)
    assert device_for("cuda", (), gpu=True, why="") == ("cuda", "asked for")
    assert device_for("host", (), gpu=False, why=small) == ("host", "asked for")


@pytest.mark.parametrize("resident", [True, False])
def test_what_is_bound_says_where_and_why(resident: bool) -> None:
    facts = IterationLevel("host", resident=resident).bind(TabuSearch(Swap()), INSTANCES["tai12a"]).facts
    assert (facts.device, facts.reason, facts.resident) == ("host", "asked for", resident)
    assert facts.description


@pytest.mark.parametrize("resident", [None, False])
@pytest.mark.parametrize("until", [Until(40), Until(10**9, cost=240_000), Until(10**9, stagnation=9)], ids=repr)
def test_a_chunk_ends_at_the_first_iteration_where_it_should(device: str, until: Until, resident: bool | None) -> None:
    problem, search = INSTANCES["tai12a"], TabuSearch(Swap())
    runner = IterationLevel(device, resident=resident).bind(search, problem)
    walks = runner.advance(runner.load([started(search, problem)]), until).walks
    assert facts(walks.state(0)) == facts(stepped(search, problem, started(search, problem), until)[0])


@pytest.mark.parametrize("resident", [None, False])
def test_a_chunk_that_is_over_before_it_begins_makes_one_step(device: str, resident: bool | None) -> None:
    problem, search = INSTANCES["tai12a"], TabuSearch(Swap())
    runner = IterationLevel(device, resident=resident).bind(search, problem)
    assert runner.advance(runner.load([started(search, problem)]), Until(50, cost=10**9)).walks.iterations == [1]


# ---- problems, with and without halves -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("half", "dtype"),
    [
        *((half, "int32") for half, members in HALVES.items() if members),
        ("what is kept", "int64"),
        ("cost and delta", "float64"),
    ],
)
@pytest.mark.parametrize("resident", [True, False])
def test_any_members_of_the_cpp_half_will_do(device: str, half: str, dtype: str, resident: bool) -> None:
    problem = linear_ordering(half, dtype)
    model = IterationLevel(device, resident=resident and device != "numpy")
    same_trajectory(model, problem, TabuSearch(Swap()), 80)


@pytest.mark.parametrize("delta", [True, False])
def test_a_problem_in_python_only_is_searched_by_numpy(delta: bool) -> None:
    problem = linear_ordering("none", delta=delta)
    facts = same_trajectory(IterationLevel(), problem, TabuSearch(Swap()), 60).facts
    assert (facts.device, facts.reason) == ("numpy", "LinearOrdering has no C++ half")


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_costs_have_the_type_that_the_problem_declares(device: str, dtype: str) -> None:
    problem, search = linear_ordering("cost and delta", dtype), TabuSearch(Swap())
    state, improvements = advanced(IterationLevel(device).bind(search, problem), started(search, problem), 30, 30)
    kind = float if dtype == "float64" else int
    assert improvements
    for cost in (state.walk.current.cost, state.walk.best.cost, *(cost for _, _, cost, _ in improvements)):
        assert type(cost) is kind


FORMULA = "MH_FN Cost delta(Team, const Item* x, SwapMove m) const { return NUMBER + x[m.i] * 0.0; }"
GROUPS = """MH_FN Total cost(Team, const Item*) const { return 0; }
template <class N>
MH_FN void deltas(Team team, const Item* x, State, const N& moves, i64 group, Cost* out) const {
    team.for_each(moves.length(group), [=](i64 k) { out[k] = NUMBER + x[0] * 0.0; });
}"""


@pytest.mark.parametrize(("member", "number"), [(FORMULA, "0.0 / 0.0"), (FORMULA, "1.0 / 0.0"), (GROUPS, "0.0 / 0.0")])
@pytest.mark.parametrize("resident", [None, False])
def test_a_half_that_makes_no_numbers_is_refused(
    compiling: Device, member: str, number: str, resident: bool | None
) -> None:
    problem = broken(member.replace("NUMBER", number))
    with pytest.raises(
        InputError, match=r"The C\+\+ half of Broken (led to a cost that is not|says that a move changes)"
    ):
        run(
            TabuSearch(Swap()),
            problem,
            stop=stop.iterations(9),
            parallel=IterationLevel(compiling.name, resident=resident),
        )


def broken(members: str) -> Problem:
    """A problem whose C++ half has these members."""

    @final
    @frozen(eq=False)
    class Broken(Problem):
        cost_type = "float64"
        source = f"struct Broken : BrokenData {{\n{members}\n}};"

        @property
        def representation(self) -> Permutation:
            return Permutation(6)

        def cost(self, x: Solution) -> float:
            return 0.0

    return Broken()


def test_the_host_refuses_a_problem_in_python_only() -> None:
    with pytest.raises(InputError, match=r"LinearOrdering has no C\+\+ half") as caught:
        IterationLevel("host").bind(TabuSearch(Swap()), linear_ordering("none"))
    assert caught.value.maybe


@pytest.mark.parametrize("name", ["auto", "host", "numpy"])
def test_no_walk_is_resident_without_all_halves(name: str) -> None:
    with pytest.raises(InputError, match=r"resident=True keeps the walk on a device, but LinearOrdering has no C\+\+"):
        IterationLevel(name, resident=True).bind(TabuSearch(Swap()), linear_ordering("none"))


def test_no_walk_is_resident_on_numpy() -> None:
    with pytest.raises(InputError, match='device="numpy" runs the Python halves'):
        IterationLevel("numpy", resident=True).bind(TabuSearch(Swap()), INSTANCES["tai12a"])


# ---- searches, parts and neighborhoods in Python only ----------------------------------------------------------------


def test_a_search_without_parts_decides_in_python_on_every_device(device: str) -> None:
    assert not same_trajectory(IterationLevel(device), INSTANCES["asymmetric"], SecondBest(Swap()), 60).facts.resident


def test_auto_takes_the_host_for_a_search_without_parts() -> None:
    facts = same_trajectory(IterationLevel(), INSTANCES["tai12a"], SecondBest(Swap()), 40).facts
    assert (facts.device, facts.resident) == ("host", False)


def test_a_search_without_parts_is_not_resident() -> None:
    with pytest.raises(InputError, match=r"but SecondBest has no C\+\+ half"):
        IterationLevel("host", resident=True).bind(SecondBest(Swap()), INSTANCES["tai12a"])


@pytest.mark.parametrize(
    "search",
    [
        Scan(Swap(), selection=Smallest()),
        Scan(Swap(), selection=Smallest(), memory=PlacementMemory()),
        Scan(Swap(), acceptance=Threshold(), memory=PlacementMemory()),
        Trial(Swap(), Threshold()),
        IteratedLocalSearch(SecondBest(Swap()), RandomMoves(Swap(), 2), limit=Limit(5)),
    ],
    ids=["selection", "selection and memory", "acceptance and memory", "acceptance", "inside another search"],
)
@pytest.mark.parametrize("name", ["auto", "host", "numpy"])
def test_a_part_in_python_only_decides_on_every_device(name: str, search: Search[Any]) -> None:
    assert not same_trajectory(IterationLevel(name), INSTANCES["asymmetric"], search, 60).facts.resident


def test_a_neighborhood_in_python_only_is_searched_by_numpy() -> None:
    problem = linear_ordering("cost and delta")
    facts = same_trajectory(IterationLevel(), problem, HillClimbing(Rotations())).facts
    assert (facts.device, facts.reason) == ("numpy", "Rotations has no C++ half")


@pytest.mark.parametrize("around", [Union(Swap(), Rotations()), Sampled(Rotations(), 5)], ids=repr)
def test_what_is_made_of_one_in_python_only_is_searched_by_numpy(around: Neighborhood) -> None:
    facts = IterationLevel().bind(HillClimbing(around), QAP.random(6, 1)).facts
    assert (facts.device, facts.reason) == ("numpy", "Rotations has no C++ half")


def test_the_host_refuses_a_neighborhood_in_python_only() -> None:
    with pytest.raises(InputError, match=r"Rotations has no C\+\+ half"):
        IterationLevel("host").bind(HillClimbing(Rotations()), INSTANCES["tai12a"])


def test_a_neighborhood_that_does_not_fit_is_refused(device: str) -> None:
    with pytest.raises(InputError, match=r"Rotations does not act on Permutation\(n=13.*, which represents this QAP"):
        IterationLevel(device).bind(HillClimbing(Rotations()), asymmetric(13))


# ---- which device ----------------------------------------------------------------------------------------------------


def test_auto_takes_the_host_for_short_solutions() -> None:
    facts = IterationLevel().bind(TabuSearch(Swap()), INSTANCES["tai12a"]).facts
    assert facts.device == "host"
    assert "solutions have 12 entries, fewer than the 200" in facts.reason


def test_auto_takes_a_gpu_for_long_solutions_where_there_is_one(gpu_is_there: bool) -> None:
    facts = IterationLevel().bind(HillClimbing(Swap()), QAP.random(200, 1)).facts
    assert facts.device == ("cuda:0" if gpu_is_there else "host")
    assert ("a GPU is there" if gpu_is_there else "CuPy") in facts.reason


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Iterator[None]:
    for name in ("METAHEUR_CXX", "CXX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    compiler.find_compiler.cache_clear()
    yield
    compiler.find_compiler.cache_clear()


@pytest.mark.usefixtures("no_compiler")
def test_auto_goes_on_without_a_compiler_and_says_so() -> None:
    facts = IterationLevel().bind(TabuSearch(Swap()), INSTANCES["tai12a"]).facts
    assert facts.device == "numpy"
    assert not facts.resident
    assert "no C++ compiler" in facts.reason


@pytest.mark.usefixtures("no_compiler")
@pytest.mark.parametrize("resident", [None, True, False])
def test_the_host_does_not_go_on_without_a_compiler(resident: bool | None) -> None:
    with pytest.raises(DeviceError, match="There is no C\\+\\+ compiler"):
        IterationLevel("host", resident=resident).bind(TabuSearch(Swap()), INSTANCES["tai12a"])


@pytest.mark.parametrize("name", ["gpu", "HOST", "", "cuda:", "cuda:-1", "cuda:x", "cuda:²", "host:0", None, 1, True])
def test_what_is_no_device_is_refused(name: Any) -> None:
    with pytest.raises(InputError, match="is not the name of a device") as caught:
        IterationLevel(name)
    assert '"cuda:1"' in caught.value.maybe


@pytest.mark.parametrize("argument", ["threads", "blocks"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "2", True])
def test_what_is_no_number_of_threads_or_blocks_is_refused(argument: str, value: Any) -> None:
    with pytest.raises(
        InputError, match=rf"`IterationLevel\.{argument}` must be a whole number from 1 on, but is {value!r}"
    ):
        IterationLevel("host", **{argument: value})


@pytest.mark.parametrize("value", ["yes", 1, 0.0])
def test_resident_is_true_false_or_none(value: Any) -> None:
    with pytest.raises(InputError, match="resident"):
        IterationLevel("host", resident=value)


# ---- threads ---------------------------------------------------------------------------------------------------------


@two_cores
@pytest.mark.parametrize("search", ["tabu search", "hill climbing"])
def test_threads_that_share_a_neighborhood_change_nothing(search: str) -> None:
    model = IterationLevel("host", resident=False, threads=2)
    same_trajectory(model, QAP.taillard(20), SEARCHES[search])
    same_trajectory(model, INSTANCES["asymmetric"], SEARCHES[search])


@two_cores
@pytest.mark.parametrize("half", ["cost", "what is kept"])
def test_threads_that_evaluate_in_full_change_nothing(half: str) -> None:
    model = IterationLevel("host", resident=False, threads=2)
    same_trajectory(model, linear_ordering(half), TabuSearch(Swap()), 60)
    same_trajectory(model, linear_ordering(half), HillClimbing(Swap()), 60)


@two_cores
def test_threads_that_a_compiler_cannot_make_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (host, by_device):
        monkeypatch.setattr(module, "has_openmp", lambda: False)
    model = IterationLevel("host", resident=False, threads=2)
    same_trajectory(model, INSTANCES["tai12a"], HillClimbing(Swap()))
    same_trajectory(model, INSTANCES["tai12a"], Scan(Swap()), 41)


@two_cores
def test_threads_that_the_system_does_not_give_change_nothing() -> None:
    code = """
from metaheur import Scan
from metaheur.device.host.host import Host
from metaheur.evaluators import NumpyEvaluator
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from tests.helpers import started

qap, scan = QAP.taillard(12), Scan(Swap())
state = started(scan, qap)
shared, alone = DeviceEvaluator(qap, Host(), Swap(), threads=2), NumpyEvaluator(qap, Swap())
for _ in range(30):
    current = state.walk.current
    assert shared.deltas(current).tolist() == alone.deltas(current).tolist()
    assert shared.best(current) == alone.best(current)
    state = scan.step(state, alone)
"""
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_more_threads_than_cores_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"`threads` must be a whole number in 1 \.\.\. \d+, but is 100000\.\nMaybe use None"
    ):
        IterationLevel("host", resident=False, threads=100_000).bind(TabuSearch(Swap()), INSTANCES["tai12a"])
