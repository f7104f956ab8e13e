"""NVRTC compiles, without a GPU, every kernel that ships.

Every pair of a problem and a neighborhood goes through the front end, for two architectures: that is where C++ is
refused. Binaries, which take ten times as long, are made of every loop, as many at a time as there are processors.
"""

import io
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur.archives import (
    AllMembers,
    Crowding,
    FirstFound,
    Grid,
    HypervolumeContribution,
    LeastCrowded,
    OldestMembers,
    OptimisticHypervolume,
    RandomNeighbors,
)
from metaheur.component import components_of
from metaheur.device.compose import compose
from metaheur.device.source import Source
from metaheur.evaluators.shells import moves_of, solutions
from metaheur.fields import data
from metaheur.loops import CandidateDescent, GuidedLocalSearch, Kicks, Loop
from metaheur.loops.archiving import shell as archiving_shell
from metaheur.loops.driver import Team, drive
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Insertion, OrOpt, Sampled, Swap, ThreeOpt, TwoOpt, Union
from metaheur.parts import (
    Annealed,
    DoubleBridge,
    Limit,
    Metropolis,
    NoAspiration,
    Part,
    RandomMoves,
    SegmentReversal,
    SegmentShuffle,
)
from metaheur.parts.acceptance import Always, Better
from metaheur.problem import Problem
from metaheur.problems import QAP, TSP, FlowShop, MultiObjective, Scalarised
from metaheur.representation import Permutation, Solution
from metaheur.searches import HillClimbing, IteratedLocalSearch, ParetoLocalSearch, SimulatedAnnealing, TabuSearch
from tests.device.compilers import ARCHITECTURES, NoGPU
from tests.pairs import INSTANCES, fitting

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


def all_compiled(texts: Iterable[str]) -> None:
    """Make binaries for the two architectures in turn, as many at a time as there are processors."""
    with ThreadPoolExecutor() as pool:
        made = pool.map(lambda numbered: compiled(numbered[1], ARCHITECTURES[numbered[0] % 2]), enumerate(texts))
        assert all(made)


def asymmetric(n: int, factor: int = 1) -> QAP:
    a, b = np.random.default_rng(n).integers(-9, 40, (2, n, n))
    return QAP(a * factor, b * factor)


LOOPS: dict[str, Loop] = {
    "HillClimbing": HillClimbing(Swap()).loop,
    "TabuSearch": TabuSearch(Swap()).loop,
    "TabuSearch, long-term": TabuSearch(Swap(), long_term=1000).loop,
    "SimulatedAnnealing": SimulatedAnnealing(Swap(), 100.0).loop,
    "IteratedLocalSearch": IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3)).loop,
    "IteratedLocalSearch, of tabu search": IteratedLocalSearch(
        TabuSearch(Swap()), RandomMoves(Insertion(), 3), Metropolis(9.0), limit=Limit(100)
    ).loop,
}
"""Every shipped search, once for each way in which it is composed; the name begins with the class's."""

CITIES = TSP.random(12, 1)
DESCENT = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), CITIES.nearest(5))
TOURS: dict[str, Loop] = {
    "local kicks": Kicks(DESCENT, DoubleBridge(3, 0.1), Annealed(100)),
    "reversals": Kicks(DESCENT, SegmentReversal(5)),
    "penalties": GuidedLocalSearch(CandidateDescent(TwoOpt(), CITIES.nearest(5))),
    "shuffles around a descent": IteratedLocalSearch(DESCENT, SegmentShuffle(5), limit=Limit(9)).loop,
}
"""Searches of tours."""

FRONTS: dict[str, ParetoLocalSearch] = {
    "whole neighborhoods": ParetoLocalSearch(Insertion()),
    "the least crowded": ParetoLocalSearch(Insertion(), LeastCrowded(), FirstFound("dominating"), Crowding(9)),
    "the oldest": ParetoLocalSearch(Swap(), OldestMembers(), RandomNeighbors(9), HypervolumeContribution(9)),
    "where the hypervolume may grow": ParetoLocalSearch(Swap(), OptimisticHypervolume(), archive=Grid(9)),
    "all": ParetoLocalSearch(Union(Swap(), Insertion()), AllMembers(), archive=HypervolumeContribution(9)),
}
"""Searches for fronts that together have every part which runs on a device."""

ELSEWHERE: set[type] = {Always, Better, NoAspiration}
"""Parts that the searches above have not: `Always` they have, the others every composition may have."""


def parts_of(thing: Any) -> set[type]:
    """The classes of a loop's parts, and of their parts."""
    inner = [each for _, each in components_of(thing)]
    return {type(each) for each in inner if isinstance(each, Part)}.union(*map(parts_of, inner))


@pytest.mark.parametrize("name", INSTANCES)
def test_the_kernel_of_every_neighborhood_compiles(name: str) -> None:
    problem = INSTANCES[name]
    for number, shell in enumerate((solutions(), *map(moves_of, fitting(name)))):
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


@pytest.mark.parametrize("name", composed())
def test_problems_of_several_objectives_compile(name: str) -> None:
    problem, neighborhood = composed()[name]
    for architecture in ARCHITECTURES:
        text = compose(problem, moves_of(neighborhood), device()).text
        assert compiled(text, architecture, binary=False)


OWNERS = {
    "a thread": Team("thread", 128),
    "a warp": Team("warp", 256),
    "a block": Team("block"),
    "eight blocks": Team("block", league=8),
}


@pytest.mark.parametrize("search", LOOPS)
def test_every_loop_compiles_for_every_owner_of_a_walk(search: str) -> None:
    for owner, team in OWNERS.items():
        text = resident(QAP.taillard(12), LOOPS[search], team)
        assert compiled(text, "sm_90", binary=owner == "a block")


@pytest.mark.parametrize("search", TOURS)
def test_every_search_of_tours_compiles(search: str) -> None:
    teams = [OWNERS[name] for name in ("a thread", "a warp", "a block")]
    all_compiled(resident(CITIES, TOURS[search], team) for team in teams)


@pytest.mark.parametrize("search", FRONTS)
def test_every_part_of_a_search_for_fronts_compiles(search: str) -> None:
    objectives = ("makespan", "total tardiness") + ("tardy jobs",) * (search in ("whole neighborhoods", "the oldest"))
    problem = FlowShop(np.eye(20, 5), due_dates=np.arange(20), objectives=objectives)
    text = compose(problem, archiving_shell(FRONTS[search], 0), device()).text
    assert compiled(text, "sm_90", binary=search == "whole neighborhoods")


LARGE = {
    "int64": asymmetric(12, 10_007),
    "asymmetric": asymmetric(12),
    "beyond shared memory": QAP.random(300, 1),
    "asymmetric, beyond shared memory": asymmetric(300),
}


@pytest.mark.parametrize("instance", LARGE)
def test_every_storage_of_an_instance_compiles_as_a_resident_kernel(instance: str) -> None:
    assert compiled(resident(LARGE[instance], LOOPS["TabuSearch"], Team()), "sm_90")


EVALUATIONS: dict[str, tuple[str, Neighborhood]] = {
    "by groups": ("FlowShop, int16 kept", Insertion()),
    "in full": ("QAP, symmetric", Insertion()),
    "a union": ("TSP, matrix", Union(Swap(), Insertion())),
    "a sample": ("TSP, whole coordinates", Sampled(Swap(), 20)),
}


@pytest.mark.parametrize("way", EVALUATIONS)
def test_every_way_to_evaluate_a_neighborhood_compiles_as_a_resident_kernel(way: str) -> None:
    name, neighborhood = EVALUATIONS[way]
    texts = [resident(INSTANCES[name], HillClimbing(neighborhood).loop, team) for team in OWNERS.values()]
    assert all(compiled(text, "sm_90", binary=False) for text in texts)


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
