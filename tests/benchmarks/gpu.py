"""Figures of a GPU beside a core of the machine that it is in.

By hand, with METAHEUR_DATA: ``python -m tests.benchmarks.gpu``, and names of parts: folds, trial, children, shares,
calls, memetic, routes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from metaheur import GeneticAlgorithm, MemeticAlgorithm, Problem, TabuSearch, run, stop
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Hamming, Insertion, Swap
from metaheur.parallel import IterationLevel, MultiGPU, Multistart, ParallelModel
from metaheur.parts import (
    Breeding,
    Limit,
    NoPerturbation,
    QualityAndDistance,
    RandomMoves,
    RandomParents,
    TwoPoints,
    Uniform,
    UniformLike,
)
from metaheur.problems import QAP, Knapsack, OneMax
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.tree import BranchAndBound, Explorers
from tests.benchmarks.folds import PAIRS
from tests.benchmarks.records import arguments, report
from tests.benchmarks.rival_routes import KINDS, drawn
from tests.benchmarks.rival_routes import search as annealed_removal
from tests.benchmarks.test_folds import descended
from tests.benchmarks.test_trial import HEAD as TRIAL
from tests.benchmarks.test_trial import rows
from tests.helpers import evaluated

ROUNDS = 5
WALKS = 2112
CORE = Multistart(1, device="host", threads=1)


def moves_a_second(problem: Problem, neighborhood: Any, x: Any, device: str) -> float:
    """The median rate of whole neighborhoods, which are evaluated again and again."""
    whole: Any = DeviceEvaluator(problem, device_of(device), threads=1).of(neighborhood)
    start = evaluated(problem, x)
    found: list[float] = []
    count, rounds = min(len(whole.deltas(start)), whole._kernels.chunk), 1
    while len(found) < ROUNDS:
        began = perf_counter()
        whole.rehearse(start, rounds)
        seconds = perf_counter() - began
        if seconds < 0.02:
            rounds *= 2
        else:
            found.append(count * rounds / seconds)
    return median(found)


def folds() -> Iterator[str]:
    """Costs that are folds: M moves a second in full on a core, and by folds there and on the GPU."""
    for name, fold, full, instance, sizes in PAIRS:
        for n in sizes:
            x = descended(fold(*instance(n)))
            for neighborhood in (Swap(), Insertion()):
                plain = moves_a_second(full(*instance(n)), neighborhood, x, "host")
                here, there = (moves_a_second(fold(*instance(n)), neighborhood, x, on) for on in ("host", "cuda"))
                rates = " | ".join(f"{each / 1e6:,.2f}" for each in (plain, here, there))
                yield f"| {name}, n = {n:,} | {neighborhood!r} | {rates} | {there / plain:,.0f} |"


def trial() -> Iterator[str]:
    """Compiled Python as a multiple of C++ by hand, on the GPU: lines of Python, all moves, tabu search."""
    yield from rows("cuda")


def evaluations(model: ParallelModel, search: Any, problem: Problem, seconds: float = 2.0) -> float:
    """Moves or children of all walks a second; a short run compiles first."""
    run(search, problem, stop=stop.iterations(20), seed=1, parallel=model)
    result = run(search, problem, stop=stop.seconds(seconds), seed=1, parallel=model)
    moves: int = result.walks.evaluated.sum()
    return moves / result.seconds


def children() -> Iterator[str]:
    """Children a second on OneMax, n = 1,000: populations on a core, and 102,400 members on the GPU."""
    for size, walks in ((100, 1024), (25, 4096)):
        searches = {
            "uniform crossover, one flip": GeneticAlgorithm(Uniform(), RandomMoves(Hamming(), 1), size=size),
            "two points, no mutation": GeneticAlgorithm(TwoPoints(), NoPerturbation(), size=size),
        }
        for name, search in searches.items():
            models = (CORE, Multistart(walks, device="cuda"))
            core, gpu = (evaluations(model, search, OneMax(1000)) for model in models)
            yield f"| {name}, populations of {size} | {core:,.0f} | {gpu:,.0f} | {gpu / core:.0f} |"


def shares() -> Iterator[str]:
    """Moves a second of 4,096 walks of tabu search, QAP: on the GPU, on all cores, and on both by measured shares."""
    models: dict[str, ParallelModel] = {
        "the GPU": Multistart(4096, device="cuda"),
        "all cores": Multistart(4096, device="host"),
        "both": MultiGPU(Multistart(4096), ("host", "cuda:0")),
    }
    for n in (20, 50):
        rates = {name: evaluations(model, TabuSearch(Swap()), QAP.taillard(n)) for name, model in models.items()}
        cells = " | ".join(f"{each / 1e6:,.0f}" for each in rates.values())
        yield f"| tabu search, QAP, n = {n} | {cells} | {rates['both'] / rates['the GPU']:.2f} |"


def calls() -> Iterator[str]:
    """Milliseconds of proofs of one knapsack (10.100-00) that follow each other in one process."""
    knapsack = Knapsack.from_file(_data() / "knapsack" / "mkp_orlib" / "mknapcb4.txt", number=1)
    search = BranchAndBound(MultiKnapsackTree(), order=Explorers(67_584, 128))
    best = run(search, knapsack, stop=stop.seconds(60), parallel=IterationLevel("cuda")).solution
    for name, start in (("from a poor start", None), ("from its solution", best)):
        seconds = []
        for _ in range(12):
            began = perf_counter()
            run(search, knapsack, start=start, stop=stop.seconds(60), parallel=IterationLevel("cuda"))
            seconds.append(perf_counter() - began)
        yield f"| {name} | {' '.join(f'{1e3 * each:.0f}' for each in seconds)} |"


def memetic() -> Iterator[str]:
    """Excess over the best known cost after 20 s of memetic search by 132 populations on the GPU: three seeds."""
    search = MemeticAlgorithm(
        TabuSearch(Swap(), (0.1, 0.3)),
        Breeding(UniformLike(), size=15, selection=RandomParents(), replacement=QualityAndDistance()),
        Limit(20_000),
    )
    for n in (60, 80, 100):
        problem, gaps = QAP.taillard(n), []
        assert problem.best_known is not None
        for seed in range(3):
            result = run(search, problem, stop=stop.seconds(20), seed=seed, parallel=Multistart(132, device="cuda"))
            gaps.append(100 * (result.cost / problem.best_known - 1))
        yield f"| tai{n}a | {median(gaps):.3f} | {min(gaps):.3f} ... {max(gaps):.3f} |"


def routes() -> Iterator[str]:
    """Lengths after 10 s of annealed string removal: of one walk on a core, and the best one of walks on the GPU."""
    for kind in KINDS[::2]:
        problem, cells = drawn(*kind)(101), []
        for model in (CORE, Multistart(WALKS, device="cuda")):
            removals = 500
            for limit in (stop.iterations(2), stop.seconds(1), stop.seconds(9)):  # compile, measure the rate, use it
                result = run(annealed_removal(problem, removals), problem, stop=limit, seed=1, parallel=model)
                rate = result.iterations / 2 / result.seconds
                removals = max(1, int(9 * rate))
            cells += [f"{result.cost:,}", f"{rate:,.0f}"]
        yield f"| {kind[0]} customers | {' | '.join(cells)} |"


def _data() -> Path:
    """The folder of published instances."""
    return Path(os.environ["METAHEUR_DATA"])


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "folds": folds,
    "trial": trial,
    "children": children,
    "shares": shares,
    "calls": calls,
    "memetic": memetic,
    "routes": routes,
}

HEADS = {
    "folds": (
        "M moves/s of whole neighborhoods on a GPU; the ratio is to the core in full",
        ("", "neighborhood", "in full, a core", "fold, a core", "fold, the GPU", "ratio"),
    ),
    "trial": TRIAL,
    "children": ("children/s, OneMax, n = 1,000", ("", "a core", "the GPU", "ratio")),
    "shares": ("M moves/s of 4,096 walks", ("", "the GPU", "all cores", "both", "both / the GPU")),
    "calls": ("milliseconds of twelve proofs of 10.100-00 in one process", ("", "ms")),
    "routes": (
        "lengths after 10 s of string removal, and removals/s of a walk",
        ("", "a core", "removals/s", f"{WALKS:,} walks on the GPU", "removals/s of each"),
    ),
    "memetic": ("excess in % after 20 s of 132 populations, three seeds", ("", "median", "extremes")),
}
"""The title and the columns of each part."""

if __name__ == "__main__":
    for part in arguments() or PARTS:
        report(f"gpu_{part}", *HEADS[part], PARTS[part]())
