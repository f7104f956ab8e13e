"""What `choice.py` measures: kinds of drawn instances, single compositions of ours, and rivals."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metaheur.loops import LinKernighan
from metaheur.machine.pace import TimeBudget
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, OnEach, OrOpt, Swap, Union
from metaheur.parts import (
    Always,
    Annealed,
    DoubleBridge,
    Geometric,
    InSweeps,
    Limit,
    Metropolis,
    RandomMoves,
    Rebuild,
    Tenure,
)
from metaheur.problem import Problem
from metaheur.problems import (
    QAP,
    QUBO,
    RCPSP,
    TSP,
    FlowShop,
    GraphColoring,
    GraphPartition,
    JobShop,
    JobShopByMachines,
    Knapsack,
    MaxCut,
    MaximumDiversity,
    ParallelMachines,
    PMedian,
    SequentialOrdering,
    VehicleRouting,
)
from metaheur.problems.formats.tsplib import distance_matrix
from metaheur.search import Search
from metaheur.searches import (
    FirstImprovement,
    GroupDescent,
    HillClimbing,
    HybridEvolutionaryAlgorithm,
    IteratedLocalSearch,
    MultistartTabuSearch,
    SimulatedAnnealing,
    TabuSearch,
)
from metaheur.searches.temperature import start_temperature
from metaheur.searches.usual import usual_neighborhoods
from tests.benchmarks.rival_routes import drawn_as_lists, routed_by_pyvrp
from tests.benchmarks.rival_searches import by_cp_sat, quadratic, scheduled_by_cp_sat, several, shop
from tests.benchmarks.rivals import sparse_graph

__all__ = ["KINDS", "SEED", "Kind"]

SEED = 3101
"""The first seed of instances; no search was chosen by these."""


class Kind(NamedTuple):
    """A kind of instances: sizes, how one is drawn, single compositions by a length, and a rival if there is one.

    `needs`: the packages of the rival; none if it is plain C++.
    """

    sizes: tuple[int, ...]
    draw: Callable[[int, int], Any]
    singles: dict[str, Callable[[Any, int], Search[Any]]]
    start: str | None = None
    rival: Callable[[Any, float], float] | None = None
    needs: tuple[str, ...] = ()


def kicked(problem: TSP, kicks: int) -> Search[Any]:
    """Annealed kicks."""
    return IteratedLocalSearch(LinKernighan(problem.alpha_nearest(5, 50)), DoubleBridge(50), Annealed(kicks))


def removed(problem: VehicleRouting, steps: int) -> Search[Any]:
    """Annealed string removal."""
    found = problem.recommended_within(steps, 1)
    assert found is not None
    return found.search


def greedy(problem: FlowShop, count: int, share: float, improves: bool) -> Search[Any]:
    """Iterated greedy."""
    warm = Metropolis(share * float(problem.times.mean()) / 10)
    return IteratedLocalSearch(GroupDescent(Insertion()), Rebuild(count, improves=improves, random_ties=True), warm)


def cooled(problem: MaxCut, trials: int) -> Search[Any]:
    """Annealing, once."""
    n, weight = problem.graph.n, float(np.abs(problem.graph.w).mean())
    sweeps = max(2, trials // n)
    schedule = Geometric.between(2 * weight, 0.1 * weight, sweeps * n, min(sweeps, 2000))
    return SimulatedAnnealing(Hamming(1), 2 * weight, schedule, order=InSweeps())


def colored(problem: GraphColoring, phase: int) -> Search[Any]:
    """Tabu search alone is a phase that never ends; with phases, the members of a population cross."""
    least = max(4, problem.n // 50)
    tenure = Tenure(0, 0, low_plus=least, high_plus=least + 9)
    return HybridEvolutionaryAlgorithm(phase, size=4, tenure=tenure)


def swapped(problem: QAP, trials: int) -> Search[Any]:
    """Annealing over swaps, once: hot is a tenth of the mean product of flow and distance of a facility."""
    hot = 0.3 * len(problem.a) * float(problem.a.mean() * problem.b.mean())
    schedule = Geometric.between(hot, hot / 100, max(1000, trials), 1000)
    return SimulatedAnnealing(Swap(), hot, schedule, order=InSweeps())


def robust(problem: QAP, _: int) -> Search[Any]:
    """Robust tabu search, kicked."""
    kicks = RandomMoves(Swap(), len(problem.a) // 3)
    return IteratedLocalSearch(TabuSearch(Swap(), Tenure(0.1, 0.3)), kicks, Always(), limit=Limit(1000))


def flipped(problem: QUBO, trials: int) -> Search[Any]:
    """Annealing over flips, once."""
    hot = float(np.abs(problem.couplings).mean()) * np.sqrt(len(problem.matrix))
    schedule = Geometric.between(hot, hot / 30, max(1000, trials), 1000)
    return SimulatedAnnealing(Hamming(1), hot, schedule, order=InSweeps())


def filled(problem: Knapsack, steps: int) -> Search[Any]:
    """Annealing over flips and exchanges, once."""
    hot = 0.1 * float(problem.profits.mean())
    schedule = Geometric.between(hot, hot / 50, max(1000, steps), 1000)
    return SimulatedAnnealing(Union(Hamming(1), Hamming(2)), hot, schedule)


def packed(problem: Knapsack, _: int) -> Search[Any]:
    """Tabu search over flips and exchanges, kicked."""
    tabu = TabuSearch(Union(Hamming(1), Hamming(2)), Tenure(0, 0, low_plus=5, high_plus=20))
    return IteratedLocalSearch(tabu, RandomMoves(Hamming(1), 6), Always(), limit=Limit(stagnation=4 * problem.n))


def scheduled(moves: int) -> Callable[[JobShopByMachines, int], Search[Any]]:
    """Tabu search in critical blocks, with so many moves in a kick."""
    tabu = TabuSearch(OnEach(AdjacentSwap()), Tenure(0, 0, low_plus=4, high_plus=16))
    return lambda _problem, _length: IteratedLocalSearch(
        tabu, RandomMoves(OnEach(Insertion()), moves, tries=1000), limit=Limit(15_000)
    )


def usual(problem: Problem) -> Neighborhood:
    """The first of the usual moves of a representation."""
    return usual_neighborhoods(problem.representation)[0]


def by_moves(moves: Callable[[Any], Neighborhood]) -> dict[str, Callable[[Any, int], Search[Any]]]:
    """Annealing over some moves, once, and iterated descents."""

    def annealed(problem: Problem, trials: int) -> Search[Any]:
        hot = start_temperature(problem, moves(problem), samples=100)
        schedule = Geometric.between(hot, 0.003 * hot, max(1000, trials), 1000)
        return SimulatedAnnealing(moves(problem), hot, schedule)

    def descended(problem: Problem, _: int) -> Search[Any]:
        descent = HillClimbing(moves(problem), FirstImprovement())
        return IteratedLocalSearch(descent, RandomMoves(moves(problem), 3))

    return {"annealing": annealed, "iterated descents": descended}


def medians(n: int, seed: int) -> PMedian:
    """Places in a square, of which a twentieth is open."""
    at = np.random.default_rng((n, seed)).integers(0, 1000, (n, 2))
    return PMedian(np.hypot(*(at[:, None] - at).transpose(2, 0, 1)).round().astype(np.int64), n // 20)


def diverse(n: int, seed: int) -> MaximumDiversity:
    """Distances of 0 to 99, and a tenth of the elements."""
    half = np.triu(np.random.default_rng((n, seed)).integers(0, 100, (n, n)), 1)
    return MaximumDiversity(half + half.T, n // 10)


def ordered(n: int, seed: int) -> SequentialOrdering:
    """Ways of 1 to 999 between items, about half of which have a predecessor."""
    generator = np.random.default_rng((n, seed))
    pairs = [(i, j) for i, j in generator.integers(0, n, (n, 2)).tolist() if 0 < i < j]
    return SequentialOrdering(generator.integers(1, 1000, (n, n)), np.array(pairs))


def project(n: int, seed: int) -> RCPSP:
    """Activities that need four resources, and follow others among the fifteen before them."""
    generator = np.random.default_rng((n, seed))
    pairs = {(i, j) for i, j in generator.integers(0, n, (2 * n, 2)).tolist() if i < j < i + 15}
    needs = generator.integers(0, 10, (n, 4))
    return RCPSP(generator.integers(1, 11, n), needs, np.full(4, 20), np.array(sorted(pairs)))


def decoded(n: int, seed: int) -> JobShop:
    """A job shop whose solutions are sequences of jobs."""
    drawn_shop = shop(n, seed)
    return JobShop(drawn_shop.order, drawn_shop.times)


def toured_by_fast_tsp(problem: TSP, seconds: float) -> float:
    """The length of the rival's tour."""
    lengths = distance_matrix(problem.instance).astype(np.uint16)
    return float(problem.cost(np.array(import_module("fast_tsp").find_tour(lengths, duration_seconds=seconds))))


PLAIN = Path(__file__).with_name("plain_searches.cpp")


@cache
def built(source: Path) -> ctypes.CDLL:
    """A program in plain C++ as a library."""
    library = Path(__file__).resolve().parents[2] / "build" / f"{source.stem}.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        library.parent.mkdir(exist_ok=True)
        made = library.with_suffix(f".{os.getpid()}.so")
        line = ["c++", "-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", "-o", str(made), str(source)]
        subprocess.run(line, check=True)
        made.replace(library)  # whole at any time, since several processes may look for it
    found = ctypes.CDLL(str(library))
    for name in ("iterated_greedy", "tabu_coloring"):
        if hasattr(found, name):
            getattr(found, name).restype = ctypes.c_int64
    return found


def made_greedily(problem: FlowShop, seconds: float) -> float:
    """The makespan of the rival's sequence."""
    times = np.ascontiguousarray(problem.times, np.int32)
    given = (*times.shape, times.ctypes.data_as(ctypes.c_void_p), ctypes.c_double(seconds), ctypes.c_uint64(1))
    return float(built(PLAIN).iterated_greedy(*given))


def colored_by_tabu_search(problem: GraphColoring, seconds: float) -> float:
    """The conflicts of the rival's coloring."""
    edges = np.ascontiguousarray(problem.edges, np.int32)
    ends, took, steps = edges.ctypes.data_as(ctypes.c_void_p), ctypes.c_double(), ctypes.c_int64()
    given = (problem.n, problem.k, ctypes.c_int64(len(edges)), ends, ctypes.c_double(seconds), ctypes.c_uint64(1))
    return float(built(PLAIN).tabu_coloring(*given, ctypes.byref(took), ctypes.byref(steps)))


ROBUST_TABU = PLAIN.with_name("robust_tabu.cpp")


def assigned_by_robust_tabu(problem: QAP, seconds: float) -> float:
    """The cost that robust tabu search in plain C++ finds: a thousand iterations tell how many the rest pays for."""
    library, budget = built(ROBUST_TABU), TimeBudget(seconds)
    x = np.random.default_rng(1).permutation(len(problem.a)).astype(np.int32)
    fields = np.dtype([(name, "i8") for name in ("n", "a", "b", "x", "cost", "best")])
    job = np.zeros(1, fields)
    job[0] = (len(x), problem.a.ctypes.data, problem.b.ctypes.data, x.ctypes.data, 0, 0)
    library.tabu(ctypes.c_void_p(job.ctypes.data), ctypes.c_longlong(1000))
    first, left = budget.seconds(), budget.left()
    library.tabu(ctypes.c_void_p(job.ctypes.data), ctypes.c_longlong(int(1000 * left / max(first, 1e-4))))
    return float(job["best"][0])


def minimised_by_dwave(problem: QUBO, seconds: float) -> float:
    """The cost of the rival's tabu search."""
    matrix = np.triu(problem.matrix) + np.triu(problem.matrix.T, 1)
    i, j = np.nonzero(np.triu(matrix, 1))
    model = import_module("dimod").BinaryQuadraticModel.from_numpy_vectors(
        np.diagonal(matrix).astype(float), (i, j, matrix[i, j].astype(float)), 0.0, "BINARY"
    )
    sampler = import_module("dwave.samplers").TabuSampler()
    return float(sampler.sample(model, num_reads=1, timeout=int(1000 * seconds), seed=1).first.energy)


KINDS = {
    "tours": Kind(
        (1000, 5000, 20_000),
        TSP.random,
        {"annealed kicks": kicked},
        "construct",
        toured_by_fast_tsp,
        ("fast_tsp",),
    ),
    "routes": Kind(
        (100, 300, 600),
        lambda n, seed: drawn_as_lists(n, "random", n // 2, "1 ... 100", 9)(seed),
        {"annealed string removal": removed},
        "construct",
        routed_by_pyvrp,
        ("pyvrp",),
    ),
    "flow shops": Kind(
        (50, 100, 200),
        lambda n, seed: FlowShop(np.random.default_rng((n, seed)).integers(1, 100, (n, 20))),
        {
            "partial sequences improved": lambda problem, _: greedy(problem, 2, 0.6, improves=True),
            "4 jobs, cold": lambda problem, _: greedy(problem, 4, 0.4, improves=False),
        },
        "construct",
        made_greedily,
    ),
    "cuts": Kind((800, 3000, 10_000), lambda n, seed: sparse_graph(n, 6, True)(seed), {"annealing": cooled}),
    "colorings": Kind(
        (125, 250, 500),
        lambda n, seed: GraphColoring.random(n, {125: 18, 250: 29, 500: 51}[n], density=0.5, seed=seed),
        {
            "short phases": lambda problem, _: colored(problem, 16 * problem.n),
            "one tabu search": lambda problem, _: colored(problem, 1 << 40),
        },
        "construct",
        colored_by_tabu_search,
    ),
    "assignments": Kind(
        (40, 80, 150),
        QAP.random,
        {"robust tabu search, kicked": robust, "annealing": swapped},
        rival=assigned_by_robust_tabu,
    ),
    "quadratic programs": Kind(
        (500, 1000, 2500),
        lambda n, seed: quadratic(n)(seed)[0],
        {"MST2": lambda _problem, _length: MultistartTabuSearch(), "annealing": flipped},
        rival=minimised_by_dwave,
        needs=("dwave", "dimod"),
    ),
    "knapsacks": Kind(
        (100, 250, 500),
        lambda n, seed: several(n, {100: 5, 250: 10, 500: 30}[n])(seed),
        {"tabu search, kicked": packed, "annealing": filled},
        "construct",
        lambda problem, seconds: by_cp_sat(problem, seconds)[0],
        ("ortools",),
    ),
    "job shops": Kind(
        (10, 15, 20),
        shop,
        {"tabu search, kicked by 12": scheduled(12), "tabu search, kicked by 3": scheduled(3)},
        "construct",
        scheduled_by_cp_sat,
        ("ortools",),
    ),
    "medians": Kind((200, 500, 1000), medians, by_moves(usual)),
    "graphs to be divided": Kind(
        (200, 500, 1000),
        lambda n, seed: GraphPartition.random(n, 4, density=10 / n, seed=seed),
        by_moves(usual),
    ),
    "diversity": Kind((200, 500, 1000), diverse, by_moves(usual)),
    "parallel machines": Kind(
        (50, 100, 200),
        lambda n, seed: ParallelMachines.random(n, 5, seed=seed),
        by_moves(usual),
        "construct",
    ),
    "precedences": Kind((40, 80, 150), ordered, by_moves(lambda _: OrOpt(3)), "construct"),
    "projects": Kind((60, 120, 240), project, by_moves(lambda _: Insertion()), "construct"),
    "job shops by sequences": Kind((10, 15, 20), decoded, by_moves(usual)),
}
"""Knapsacks are drawn as Chu and Beasley drew them, job shops as Taillard."""
