"""Children a second of genetic algorithms, and memetic search beside tabu search at equal processor time, by turns.

By hand, some or all: ``python -m tests.benchmarks.test_populations children memetic colorings``; the graphs that are
colored lie in the folder that METAHEUR_DATA names.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import numpy as np
import pytest

from metaheur import GeneticAlgorithm, IteratedLocalSearch, MemeticAlgorithm, Search, TabuSearch, run, stop
from metaheur.neighborhoods import Hamming, Substitution, Swap
from metaheur.parallel import Multistart
from metaheur.parts import (
    Always,
    Breeding,
    HeavyTailedMoves,
    Limit,
    NoPerturbation,
    QualityAndDistance,
    RandomMoves,
    RandomParents,
    SteadyState,
    Tenure,
    TwoPoints,
    Uniform,
    UniformLike,
)
from metaheur.problem import Problem
from metaheur.problems import QAP, QUBO, GraphColoring, OneMax
from metaheur.searches import HybridEvolutionaryAlgorithm, OnePlusLambda
from tests.benchmarks.comparison import within
from tests.benchmarks.records import arguments, report

CORE = Multistart(1, device="host", threads=1)
FLIP = RandomMoves(Hamming(), 1)
SHORT = TabuSearch(Swap(), (0.1, 0.3))

GENETIC: dict[str, Search[Any]] = {
    "uniform crossover, one flip, generations of 100": GeneticAlgorithm(Uniform(), FLIP),
    "uniform crossover, one flip, steady state of 100": GeneticAlgorithm(Uniform(), FLIP, replacement=SteadyState()),
    "two points, no mutation, generations of 100": GeneticAlgorithm(TwoPoints(), NoPerturbation()),
    "(1 + 1), one flip": OnePlusLambda(FLIP),
    "(1 + 1), heavy-tailed": OnePlusLambda(HeavyTailedMoves(Hamming())),
}

QUADRATIC: dict[str, Search[Any]] = {
    "robust tabu search": TabuSearch(Swap()),
    "iterated tabu search, phases of 1,000": IteratedLocalSearch(
        SHORT, RandomMoves(Swap(), 20), Always(), limit=Limit(1_000)
    ),
    "memetic, phases of 5,000, quality and distance": MemeticAlgorithm(
        SHORT,
        Breeding(UniformLike(), size=15, selection=RandomParents(), replacement=QualityAndDistance()),
        Limit(5_000),
    ),
    "memetic, phases of 20,000, steady state": MemeticAlgorithm(SHORT, Breeding(UniformLike(), size=15), Limit(20_000)),
}

SPAN = Tenure(0, 0, low_plus=10, high_plus=30)
COLORINGS: dict[str, Search[Any]] = {
    "hybrid evolutionary algorithm": HybridEvolutionaryAlgorithm(),
    "its tabu search alone": TabuSearch(Substitution(), SPAN, random_ties=True, in_conflict=True),
    "tabu search of all vertices": TabuSearch(Substitution(), SPAN, random_ties=True),
}


def quadratic(n: int) -> QUBO:
    """A QUBO with a full matrix of numbers in -100 ... 100."""
    return QUBO(np.random.default_rng(1).integers(-100, 101, (n, n)))


def children(seeds: int = 5) -> list[str]:
    """Children a second of processor time for 1,000 bits: OneMax by all searches, QUBO by those with generations."""
    ones, matrix = OneMax(1000), quadratic(1000)
    works: dict[str, tuple[Problem, Search[Any], int]] = {n: (ones, s, 200_000) for n, s in GENETIC.items()}
    works |= {f"QUBO: {n}": (matrix, s, 10_000) for n, s in GENETIC.items() if "generations" in n}
    rates: dict[str, list[float]] = {name: [] for name in works}
    for seed in range(seeds + 1):  # the first turn compiles
        for name, (problem, search, count) in works.items():
            began = process_time()
            run(search, problem, stop=stop.iterations(count), seed=seed, parallel=CORE)
            rates[name] += [count / (process_time() - began)] if seed else []
    return [f"| {name} | {median(each):,.0f} |" for name, each in rates.items()]


def memetic(seeds: int = 5, seconds: float = 10.0) -> list[str]:
    """Excess over the best known cost of tai60a after seconds of processor time."""
    problem = QAP.taillard(60)
    assert problem.best_known is not None
    gaps: dict[str, list[float]] = {name: [] for name in QUADRATIC}
    for seed in range(seeds + 1):
        for name, search in QUADRATIC.items():
            result = run(search, problem, stop=within(seconds if seed else 0.1), seed=seed, parallel=CORE)
            assert problem.cost(result.solution) == result.cost
            gaps[name] += [100 * (result.cost / problem.best_known - 1)] if seed else []
    return [f"| {name} | {median(each):.3f} % | {min(each):.3f} ... {max(each):.3f} % |" for name, each in gaps.items()]


def colorings(seeds: int = 5, seconds: float = 20.0) -> list[str]:
    """Runs that find a proper coloring within seconds of processor time, and the seconds of all runs."""
    rows = []
    for graph, colors in (("DSJC125.5", 17), ("DSJC250.5", 28)):
        problem = GraphColoring.from_file(Path(os.environ["METAHEUR_DATA"], "gcp", f"{graph}.col"), colors)
        solved: dict[str, list[bool]] = {name: [] for name in COLORINGS}
        needed: dict[str, list[float]] = {name: [] for name in COLORINGS}
        for seed in range(seeds + 1):
            for name, search in COLORINGS.items():
                began, end = process_time(), stop.target(0) | within(seconds if seed else 0.1)
                result = run(search, problem, stop=end, seed=seed, parallel=CORE)
                assert problem.cost(result.solution) == result.cost
                solved[name] += [result.cost == 0] if seed else []
                needed[name] += [process_time() - began] if seed else []
        for name, each in needed.items():
            spread = f"{median(each):.1f} s ({min(each):.1f} ... {max(each):.1f} s)"
            rows.append(f"| {graph}, {colors} colors, {name} | {sum(solved[name])} of {seeds} | {spread} |")
    return rows


PARTS: dict[str, Callable[[], list[str]]] = {
    "children": children,
    "memetic": memetic,
    "colorings": colorings,
}

HEADS = {
    "children": ("children/s, 1,000 bits, OneMax or QUBO", ("", "children/s")),
    "memetic": ("excess over the best known cost of tai60a after 10 s", ("", "median", "extremes")),
    "colorings": ("runs of 20 s at most that found a coloring", ("", "found", "seconds")),
}
"""The title and the columns of each part."""


@pytest.mark.benchmark(group="populations")
@pytest.mark.parametrize("part", PARTS)
def test_populations(part: str, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rows = benchmark.pedantic(PARTS[part], rounds=1, iterations=1)
    with capsys.disabled():
        print("", *rows, sep="\n")


if __name__ == "__main__":
    for each in arguments() or PARTS:
        report(f"populations_{each}", *HEADS[each], PARTS[each]())
