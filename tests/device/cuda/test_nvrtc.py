"""NVRTC compiles, without a GPU, every kernel that ships.

Every pair of a problem and a neighborhood goes through the front end, for two architectures: that is where C++ is
refused. Binaries, which take ten times as long, are made of every loop, as many at a time as there are processors.
"""

import io
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur.archives import filter, volume
from metaheur.device.generator.compose import compose
from metaheur.evaluators.shells import moves_of, solutions
from metaheur.fields import data
from metaheur.lists import CrossExchange, Granular, Relocate, RuinAndRecreate, TwoOptStar
from metaheur.loops import CandidateDescent, Loop, NoSearch
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Insertion, OrOpt, Sampled, Swap, TwoOpt, Union
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problem import Problem
from metaheur.problems import (
    QAP,
    TSP,
    CarSequencing,
    CourseTimetabling,
    FlowShop,
    GraphPartition,
    MultiModeRCPSP,
    MultiObjective,
    OneMax,
    Scalarised,
    VehicleRouting,
)
from metaheur.representation import Permutation, Solution
from metaheur.runners.archiving import Archiving
from metaheur.runners.drive import Team, drive
from metaheur.searches import HillClimbing, IteratedLocalSearch, TabuSearch, TourPartitioning
from metaheur.source import Source
from tests.compositions import FRONTS, LOOPS
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.pairs import INSTANCES, JUDGED, fitting
from tests.problems.test_cvrp import random_routes
from tests.problems.test_vrptw import drawn as drawn_windows
from tests.runners.herd import Herd, Herding
from tests.translator.test_segments import windows

SLOW = pytest.mark.thorough

core = pytest.importorskip("cuda.core", reason="cuda-core is not installed: nothing compiles for a GPU without one")


def device(architecture: str = "sm_90") -> Any:
    return NoGPU(architecture)


def compiled(text: str, architecture: str, *, binary: bool = True) -> bytes:
    """The binary of a unit, or what the front end makes; AssertionError with the compiler's messages if it fails."""
    log = io.StringIO()
    options = core.ProgramOptions(
        std="c++17",
        arch=architecture,
        fma=False,
        ftz=True,
        device_as_default_execution_space=True,
        link_time_optimization=not binary or None,
    )
    try:
        made = core.Program(text, "c++", options).compile("cubin" if binary else "ltoir", logs=log)
    except Exception as error:
        raise AssertionError(f"{error}\n{log.getvalue()}") from None
    return bytes(made.code)


def asymmetric(n: int, factor: int = 1) -> QAP:
    a, b = np.random.default_rng(n).integers(-9, 40, (2, n, n))
    return QAP(a * factor, b * factor)


@SLOW
@pytest.mark.parametrize("name", INSTANCES)
def test_the_kernel_of_every_neighborhood_compiles(name: str) -> None:
    problem = INSTANCES[name]
    for number, shell in enumerate((solutions(), *map(moves_of, fitting(name)))):
        assert compiled(compose(problem, shell, device()).text, ARCHITECTURES[number % 2], binary=False)


@SLOW
@pytest.mark.parametrize("name", JUDGED)
def test_the_kernels_of_problems_with_hard_constraints_compile(name: str) -> None:
    problem, neighborhoods = JUDGED[name]
    for number, shell in enumerate((solutions(), *map(moves_of, neighborhoods))):
        assert compiled(compose(problem, shell, device()).text, ARCHITECTURES[number % 2], binary=False)


def composed() -> dict[str, tuple[Problem, Neighborhood]]:
    """Problems made of others, and a shop of several objectives."""
    both = MultiObjective([QAP.taillard(12), QAP.random(12, 1)])
    shop = FlowShop(np.eye(12, 5), due_dates=np.arange(12), objectives=("makespan", "total tardiness"))
    return {
        "objectives of one problem": (shop, Insertion()),
        "several problems": (both, Swap()),
        "a sum of several problems": (Scalarised(both, [1, 2]), Swap()),
        "a distance of objectives": (Scalarised(shop, [1, 2], [0, 0]), Insertion()),
    }


@SLOW
@pytest.mark.parametrize(
    "problem",
    [
        CarSequencing.random(9, classes=4, seed=3),
        CourseTimetabling.random(4, rooms=2, seed=2),
        GraphPartition.random(9, 3, density=0.5, seed=1),
        MultiModeRCPSP.random(6, modes=2, seed=1),
    ],
    ids=lambda each: type(each).__name__,
)
def test_problems_in_compiled_python_compile(problem: Any) -> None:
    moves = problem.recommended()[0].search.neighborhoods
    for number, shell in enumerate((solutions(), *map(moves_of, moves))):
        assert compiled(compose(problem, shell, device()).text, ARCHITECTURES[number % 2], binary=False)


@pytest.mark.parametrize("name", composed())
def test_problems_of_several_objectives_compile(name: str) -> None:
    problem, neighborhood = composed()[name]
    for architecture in ARCHITECTURES:
        text = compose(problem, moves_of(neighborhood), device()).text
        assert compiled(text, architecture, binary=False)


@pytest.mark.parametrize(
    "problem", [VehicleRouting.of(random_routes()), windows()], ids=lambda each: type(each).__name__
)
def test_moves_of_lists_compile(problem: Problem) -> None:
    near = np.array([[k for k in range(7) if k != i][:3] for i in range(7)])
    moves = (Relocate(), CrossExchange(reverse=True), TwoOptStar(), Granular(TwoOptStar(), near))
    for number, shell in enumerate((solutions(), moves_of(Union(*moves)))):
        assert compiled(compose(problem, shell, device()).text, ARCHITECTURES[number], binary=False)


@pytest.mark.parametrize(
    "problem", [VehicleRouting.of(random_routes()), drawn_windows()], ids=lambda p: type(p).__name__
)
@pytest.mark.parametrize("team", [Team("thread", 128), Team("block")], ids=["a thread", "a block"])
def test_ruin_and_recreate_compiles(problem: Any, team: Team) -> None:
    ruin = RuinAndRecreate(problem.nearest(3), problem.orders)
    loop: Any = IteratedLocalSearch(NoSearch(), ruin, Annealed(9)).loop
    assert compiled(resident(problem, loop, team), ARCHITECTURES[0], binary=False)


OWNERS = {
    "a thread": Team("thread", 128),
    "a warp": Team("warp", 256),
    "a block": Team("block"),
    "eight blocks": Team("block", league=8),
    "a cluster": Team("cluster", league=8),
}


TELLING = ("tabu", "annealing", "iterated greedy", "D2TS", "local kicks")
"""Compositions that each make another use of a team; the others take long."""


@pytest.mark.parametrize("name", [name if name in TELLING else pytest.param(name, marks=SLOW) for name in LOOPS])
def test_every_composition_compiles_for_every_owner_of_a_walk(name: str) -> None:
    problem, loop = LOOPS[name]
    for owner, team in OWNERS.items():
        if team.league == 1 or loop.divides:
            assert compiled(resident(problem, loop, team), "sm_90", binary=owner == "a block" and name not in TELLING)


def test_kicks_of_subtours_compile() -> None:
    tsp = TSP.random(60, seed=1)
    descent = CandidateDescent(Union(TwoOpt(), OrOpt()), tsp.quadrants(6), best=True)
    search = TourPartitioning(IteratedLocalSearch(descent, DoubleBridge(10), Annealed(100)), 12)
    text = resident(search.subtour(tsp), search.subtour_kicks, Team("warp", 256))
    assert compiled(text, "sm_90", binary=False)


@SLOW
@pytest.mark.parametrize("name", FRONTS)
def test_every_part_of_a_search_for_fronts_compiles(name: str) -> None:
    problem, search = FRONTS[name]
    text = compose(problem, Archiving(problem, search).composed(0), device()).text
    assert compiled(text, "sm_90", binary=name == "whole neighborhoods")


def test_a_pipeline_of_ones_own_compiles() -> None:
    text = compose(OneMax(50), Herding(OneMax(50), Herd()).composed(0), device()).text
    assert compiled(text, "sm_90")


@pytest.mark.parametrize("objectives", [2, pytest.param(3, marks=SLOW), pytest.param(8, marks=SLOW)])
def test_filters_of_costs_compile(objectives: int) -> None:
    assert compiled(filter.unit_of(objectives).text, ARCHITECTURES[objectives % 2])


@pytest.mark.parametrize("number", ["int64", "float64"])
def test_the_hypervolume_compiles(number: str) -> None:
    assert compiled(volume.unit_of(number).text, "sm_90")


LARGE = {
    "int64": asymmetric(12, 10_007),
    "asymmetric": asymmetric(12),
    "beyond shared memory": QAP.random(300, 1),
    "beyond a thread's memory": QAP.taillard(60),
    "asymmetric, beyond shared memory": asymmetric(300),
}


@SLOW
@pytest.mark.parametrize("instance", LARGE)
def test_every_storage_of_an_instance_compiles_as_a_resident_kernel(instance: str) -> None:
    team = Team("thread", 128) if "thread" in instance else Team()
    assert compiled(resident(LARGE[instance], TabuSearch(Swap()).loop, team), "sm_90")


EVALUATIONS: dict[str, tuple[str, Neighborhood]] = {
    "by groups": ("FlowShop, int16 kept", Insertion()),
    "in full": ("QAP, symmetric", Insertion()),
    "a union": ("TSP, matrix", Union(Swap(), Insertion())),
    "a sample": ("TSP, whole coordinates", Sampled(Swap(), 20)),
}


@SLOW
@pytest.mark.parametrize("way", EVALUATIONS)
def test_every_way_to_evaluate_a_neighborhood_compiles_as_a_resident_kernel(way: str) -> None:
    name, neighborhood = EVALUATIONS[way]
    texts = [resident(INSTANCES[name], HillClimbing(neighborhood).loop, team) for team in OWNERS.values()]
    assert all(compiled(text, "sm_90", binary=False) for text in texts)


@pytest.mark.parametrize(
    ("problem", "neighborhood", "placement"),
    [
        (QAP.taillard(12), Swap(), "texture"),
        (TSP.random(12, 1), TwoOpt(), "texture"),
        (QAP.taillard(12), Swap(), "constant"),
        pytest.param(TSP.random(12, 1), TwoOpt(), "constant", marks=SLOW),
        pytest.param(QAP.taillard(12), Swap(), "global", marks=SLOW),
    ],
)
def test_every_placement_of_data_compiles(problem: Problem, neighborhood: Neighborhood, placement: str) -> None:
    gpu: Any = NoGPU("sm_90", placement)
    assert compiled(compose(problem, moves_of(neighborhood), gpu).text, "sm_90", binary=False)


def resident(problem: Problem, loop: Loop, team: Team) -> str:
    gpu = device("sm_80")  # what fits there fits on larger ones
    return compose(problem, drive(loop, problem, gpu, team), gpu).text


@final
@frozen(eq=False)
class Broken(Problem):
    """A problem whose C++ half has a mistake in its third line."""

    weights: np.ndarray = data("int32", ndim=2)

    source: ClassVar[Source] = Source(
        "struct Broken : BrokenData {\n"
        "    MH_FN Total cost(Team team, const Item* x) const {\n"
        "        return team.sum(n, [&](int k) { return weigths(k, x[k]); });\n"
        "    }\n"
        "};\n",
        "some/where/broken.cuh",
    )

    @property
    def representation(self) -> Permutation:
        return Permutation(len(self.weights))

    def cost(self, x: Solution) -> int:
        return int(self.weights[np.arange(len(x)), x].sum())


def test_a_mistake_is_shown_with_its_file_and_line() -> None:
    text = compose(Broken(np.eye(3)), moves_of(Swap()), device()).text
    with pytest.raises(AssertionError, match=r"some/where/broken\.cuh\(3\): error: .*weigths"):
        compiled(text, "sm_90", binary=False)
