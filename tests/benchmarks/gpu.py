"""Figures of a GPU beside a core of the machine that it is in.

By hand, with METAHEUR_DATA: ``python -m tests.benchmarks.gpu [folds] [trial] [children] [shares] [calls]``,
``python -m tests.benchmarks.gpu memetic [seconds [n ...]]`` and ``python -m tests.benchmarks.gpu qaplib [seconds]``.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from metaheur import GeneticAlgorithm, MemeticAlgorithm, Problem, TabuSearch, run, stop
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.machine.processors import cores
from metaheur.neighborhoods import Hamming, Insertion, Swap
from metaheur.parallel import Islands, IterationLevel, MultiGPU, Multistart, ParallelModel, RandomTopology
from metaheur.parts import (
    Breeding,
    Limit,
    NoCrossover,
    NoPerturbation,
    RandomMoves,
    RandomParents,
    SteadyState,
    Tenure,
    TwoPoints,
    Uniform,
    UniformLike,
)
from metaheur.problems import QAP, Knapsack, OneMax
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.tree import BranchAndBound, Explorers
from tests.benchmarks.folds import PAIRS
from tests.benchmarks.records import arguments, report
from tests.benchmarks.test_folds import descended
from tests.benchmarks.test_trial import HEAD as TRIAL
from tests.benchmarks.test_trial import rows
from tests.helpers import evaluated

ROUNDS = 5
WALKS, TENURE = 132, Tenure(0, 0, low_plus=5, high_plus=20)
NUMBERS = [int(word) for word in arguments() if word.isdigit()]
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


def population(phase: int, size: int) -> tuple[MemeticAlgorithm, Islands]:
    """A population in 132 walks of the GPU: a child has one parent in its walk, and one in another walk."""
    members = Breeding(NoCrossover(), size=size, selection=RandomParents(), replacement=SteadyState())
    meetings = Islands(
        Multistart(WALKS, device="cuda"),
        phase + 1,
        RandomTopology(),
        emigrant="current",
        replaces="always",
        after=(phase + 1) * size,
        recombination=UniformLike(),
    )
    return MemeticAlgorithm(TabuSearch(Swap(), TENURE), members, Limit(phase)), meetings


def compiled(problem: QAP) -> None:
    """Compile what a population needs."""
    search, model = population(9, 1)
    run(search, problem, stop=stop.iterations(12), seed=1, parallel=model)


def all_compiled(problems: Iterable[QAP]) -> None:
    """Compile for many problems, in some processes beside each other."""
    with ProcessPoolExecutor(min(12, cores()), mp_context=get_context("spawn")) as pool:
        for each in [pool.submit(compiled, problem) for problem in problems]:
            each.result()


GOALS = {60: 0.10, 80: 0.25, 100: 0.30}
"""The excess in % that the seconds are for, by n."""


def memetic() -> Iterator[str]:
    """Excess over the best known cost after some seconds of a population on the GPU, and the seconds to a goal."""
    seconds, *sizes = NUMBERS or [60]
    problems = {n: QAP.taillard(n) for n in sizes or GOALS}
    all_compiled(problems.values())
    for size, seeds in ((3, (1, 2, 3)), (6, (1,))):
        for n, problem in problems.items():
            best, gaps, times = problem.best_known or 0, [], []
            for seed in seeds:
                search, model = population(10_000, size)
                result = run(search, problem, stop=stop.seconds(seconds), seed=seed, parallel=model)
                gaps.append(100 * (result.cost / best - 1))
                goal = best * (1 + GOALS[n] / 100)
                times += [next((f"{each.seconds:.1f}" for each in result.improvements if each.cost <= goal), "-")]
            extremes = f"{min(gaps):.3f} ... {max(gaps):.3f}"
            yield (
                f"| tai{n}a, {WALKS} x {size} members, {seconds} s | {median(gaps):.3f} | {extremes} "
                f"| {GOALS[n]:.2f} % | {', '.join(times)} |"
            )


def qaplib() -> Iterator[str]:
    """Seconds until a population on the GPU has the best known cost: short phases first, then longer ones."""
    limit, *_ = NUMBERS or [15]
    folder = _data() / "qaplib"
    with (folder / "bks.csv").open(newline="") as table:
        known = {row["instance"]: int(row["best_known"]) for row in csv.DictReader(table)}
    files = [file for file in folder.glob("*.dat") if file.stem not in ("tai60a", "tai80a", "tai100a")]
    problems = {file.stem: QAP.from_file(file) for file in files}
    order = sorted(problems, key=lambda name: (len(problems[name].a), name))
    all_compiled([problems[name] for name in order])
    total, reached = 0.0, 0
    for name in order:
        problem, best, seconds, cost = problems[name], known[name], 0.0, inf
        for phase, size, share in ((3, 2, 1 / 2), (100, 4, 1)):
            search, model = population(phase * len(problem.a), size)
            until = stop.target(best) | stop.seconds(share * limit - seconds)
            result = run(search, problem, stop=until, seed=1, parallel=model)
            seconds, cost = seconds + result.seconds, min(cost, result.cost)
            if cost <= best:
                break
        total, reached = total + seconds, reached + (cost <= best)
        yield f"| {name} | {seconds:.2f} | {100 * (cost / best - 1):.3f} |"
    yield f"| {reached} of {len(order)} | {total:.0f} | |"


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
    "qaplib": qaplib,
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
    "memetic": (
        "excess in % of one population in 132 walks of a GPU",
        ("", "median", "extremes", "goal", "seconds to the goal, each seed"),
    ),
    "qaplib": ("seconds until the best known cost, by a population in 132 walks of a GPU", ("", "s", "excess in %")),
}
"""The title and the columns of each part."""

if __name__ == "__main__":
    for part in [word for word in arguments() if word in PARTS] or PARTS:
        report(f"gpu_{part}", *HEADS[part], PARTS[part]())
