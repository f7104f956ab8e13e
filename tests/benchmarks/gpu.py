"""Figures of a GPU beside a core of the machine that it is in.

By hand, with METAHEUR_DATA, some parts or all: ``python -m tests.benchmarks.gpu folds trial children shares calls
routes solve blocks``; ``fronts``, where pymoo is installed; ``memetic [seconds [n ...]]``;
``qaplib [seconds]``; ``colorings [seconds]``.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from math import floor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from metaheur import GeneticAlgorithm, IteratedLocalSearch, Problem, TabuSearch, run, solve, stop
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.machine.processors import cores
from metaheur.neighborhoods import Hamming, Insertion, Swap, TwoOpt
from metaheur.parallel import (
    Islands,
    IterationLevel,
    MultiGPU,
    Multistart,
    ParallelModel,
    Truncation,
)
from metaheur.parts import (
    Limit,
    NoPerturbation,
    RandomMoves,
    Tenure,
    TwoPoints,
    Uniform,
)
from metaheur.problems import PPP, QAP, TSP, GraphColoring, Knapsack, OneMax
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.running.result import Result
from metaheur.searches import HybridEvolutionaryAlgorithm
from metaheur.tree import BranchAndBound, Explorers
from tests.benchmarks.folds import PAIRS
from tests.benchmarks.records import arguments, report
from tests.benchmarks.rehearsal import rehearse
from tests.benchmarks.rival_routes import KINDS, drawn
from tests.benchmarks.rival_routes import search as annealed_removal
from tests.benchmarks.test_folds import descended
from tests.benchmarks.test_fronts import BESIDE, RIVAL, SHOPS, TEN, beside, counted, pymoo_shop, shop
from tests.benchmarks.test_populations import quadratic
from tests.benchmarks.test_trial import HEAD as TRIAL
from tests.benchmarks.test_trial import rows
from tests.helpers import evaluated

ROUNDS = 5
ONE_WALK: list[tuple[Problem, Any, int]] = [
    *((QAP.random(n, seed=1), Swap(), n) for n in (12, 20, 30, 40, 60, 80, 100, 120)),
    *((PPP.random(n, n, 1), Hamming(1), n) for n in (73, 201, 301, 601, 1301)),
    *((PPP.random(n, n, 1), Hamming(2), n) for n in (31, 73)),
    *((TSP.random(n, seed=1), Swap(), n) for n in (31, 61, 76)),
    *((TSP.random(n, seed=1), TwoOpt(), n) for n in (33, 76)),
    *((quadratic(n), Hamming(1), n) for n in (100, 500, 2000)),
]
"""Problems, neighborhoods and lengths of solutions."""

SHORT = Tenure(0, 0, low_plus=5, high_plus=20)
WALKS = 132
NUMBERS = [int(word) for word in arguments() if word.isdigit()]
CORE = Multistart(1, device="host", threads=1)
SEEDS = range(1, 4)
POPULATIONS = (264, 1056)
ROUTING_WALKS = 2112
COLORED = {
    28: ("DSJC250.5, 28 colors", HybridEvolutionaryAlgorithm(5_000, tenure=SHORT)),
    48: ("a random graph like DSJC500.5, 48 colors", HybridEvolutionaryAlgorithm(10_000, size=20, tenure=SHORT)),
}
"""For each number of colors a graph, and the search."""


def moves_a_second(problem: Problem, neighborhood: Any, x: Any, device: str) -> float:
    """The median rate of whole neighborhoods, which are evaluated again and again."""
    whole: Any = DeviceEvaluator(problem, device_of(device), threads=1).of(neighborhood)
    start = evaluated(problem, x)
    found: list[float] = []
    count, rounds = min(len(whole.deltas(start)), whole._kernels.chunk), 1
    while len(found) < ROUNDS:
        began = perf_counter()
        rehearse(whole, start, rounds)
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


def timed(model: ParallelModel, search: Any, problem: Problem, seconds: float = 2.0) -> Result:
    """A run of so many seconds; a short one compiles before."""
    run(search, problem, stop=stop.iterations(20), seed=1, parallel=model)
    return run(search, problem, stop=stop.seconds(seconds), seed=1, parallel=model)


def children() -> Iterator[str]:
    """Children a second for 1,000 bits: populations on a core, and 102,400 members on the GPU."""
    problems = {"": OneMax(1000), "QUBO: ": quadratic(1000)}
    for (kind, problem), (size, walks) in product(problems.items(), ((100, 1024), (25, 4096))):
        searches = {
            "uniform crossover, one flip": GeneticAlgorithm(Uniform(), RandomMoves(Hamming(), 1), size=size),
            "two points, no mutation": GeneticAlgorithm(TwoPoints(), NoPerturbation(), size=size),
        }
        for name, search in searches.items():
            models = (CORE, Multistart(walks, device="cuda"))
            made = (timed(model, search, problem) for model in models)
            core, gpu = (each.walks.iterations.sum() / each.seconds for each in made)
            yield f"| {kind}{name}, populations of {size} | {core:,.0f} | {gpu:,.0f} | {gpu / core:.0f} |"


def fronts() -> Iterator[str]:
    """NSGA-II on a flow shop: populations on the GPU and on a core, and that of pymoo on a core."""
    search, until = SHOPS["NSGA-II"], stop.seconds(3)
    with ProcessPoolExecutor(4, get_context("spawn")) as pool:
        theirs = list(pool.map(pymoo_shop, TEN))
    found = {}
    for walks in POPULATIONS:
        model = Multistart(walks, device="cuda")
        counted(search, shop(), 0, stop.iterations(300), model)  # compiles
        found[f"NSGA-II, {walks:,} populations on the GPU"] = [counted(search, shop(), s, until, model) for s in TEN]
    found["NSGA-II, a population on a core"] = [counted(search, shop(), s, until) for s in TEN]
    yield from beside({**found, RIVAL: theirs})


def shares() -> Iterator[str]:
    """Moves a second of 4,096 walks of tabu search, QAP: on the GPU, on all cores, and on both by measured shares."""
    models: dict[str, ParallelModel] = {
        "the GPU": Multistart(4096, device="cuda"),
        "all cores": Multistart(4096, device="host"),
        "both": MultiGPU(Multistart(4096), ("host", "cuda:0")),
    }
    for n in (20, 50):
        made = {name: timed(model, TabuSearch(Swap()), QAP.taillard(n)) for name, model in models.items()}
        rates = {name: each.evaluated / each.seconds for name, each in made.items()}
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


def routes() -> Iterator[str]:
    """Lengths after 10 s of annealed string removal: of one walk on a core, and the best one of walks on the GPU."""
    for kind in KINDS[::2]:
        problem, cells = drawn(*kind)(101), []
        for model in (CORE, Multistart(ROUTING_WALKS, device="cuda")):
            removals = 500
            for limit in (stop.iterations(2), stop.seconds(1), stop.seconds(9)):  # compile, measure the rate, use it
                result = run(annealed_removal(problem, removals), problem, stop=limit, seed=1, parallel=model)
                rate = result.iterations / 2 / result.seconds
                removals = max(1, int(9 * rate))
            cells += [f"{result.cost:,}", f"{rate:,.0f}"]
        yield f"| {kind[0]} customers | {' | '.join(cells)} |"


def blocks() -> Iterator[str]:
    """Iterations a second of one walk: on a core, by some blocks of a GPU, and as the planner chooses."""
    with ProcessPoolExecutor(cores(), get_context("spawn")) as pool:
        list(pool.map(_one_walk, range(len(ONE_WALK)), chunksize=1))  # which compiles
    for number, (problem, neighborhood, n) in enumerate(ONE_WALK):
        rates = [median(rates) for rates in zip(*(_one_walk(number) for _ in range(3)), strict=True)]
        name = f"{type(problem).__name__}, n = {n}, {neighborhood!r}"
        yield f"| {name} | {neighborhood.size(problem.representation):,} | {' | '.join(f'{r:,.0f}' for r in rates)} |"


def _one_walk(number: int) -> list[float]:
    """Iterations a second of runs of 0.2 s, by each model."""
    problem, neighborhood, _ = ONE_WALK[number]
    models: tuple[ParallelModel, ...] = (
        Multistart(1, device="host"),
        *(Multistart(1, per="block", block=threads, device="cuda") for threads in (128, 256, 512, 1024)),
        *(IterationLevel("cuda", blocks=blocks) for blocks in (16, 32)),
        IterationLevel("cuda"),
    )
    results = [timed(model, TabuSearch(neighborhood, (0.2, 0.4)), problem, 0.2) for model in models]
    return [each.iterations / each.seconds for each in results]


def raced(problem: Problem, seconds: float, target: float | None = None, seed: int = 1) -> Result:
    """What a user gets who gives a time alone."""
    return solve(problem, seconds=seconds, target=target, seed=seed, report=False)


def all_compiled(problems: Iterable[Problem]) -> None:
    """Compile for many problems, in some processes beside each other."""
    with ProcessPoolExecutor(min(12, cores()), mp_context=get_context("spawn")) as pool:
        for each in [pool.submit(raced, problem, 0.01) for problem in problems]:
            each.result()


def _text(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.1f}"


GOALS = {60: 0.10, 80: 0.25, 100: 0.30}
"""The excess in % that the seconds are for, by n."""


def memetic() -> Iterator[str]:
    """Seconds of `solve` until an excess over the best known cost, at most as many as are given; three seeds."""
    seconds, *sizes = NUMBERS or [60]
    problems = {n: QAP.taillard(n) for n in sizes or GOALS}
    all_compiled(problems.values())
    for n, problem in problems.items():
        best = problem.best_known or 0
        target = floor(best * (1 + GOALS[n] / 100))
        found = [raced(problem, seconds, target, seed) for seed in SEEDS]
        gaps = ", ".join(f"{100 * (each.cost / best - 1):.3f}" for each in found)
        times = [each.seconds if each.cost <= target else None for each in found]
        yield f"| tai{n}a, {len(found[0].walks)} walks | {GOALS[n]:.2f} % | {', '.join(map(_text, times))} | {gaps} |"


def qaplib() -> Iterator[str]:
    """Seconds of `solve` until the best known cost, and the excess where they did not suffice."""
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
        best = known[name]
        result = raced(problems[name], limit, best)
        total, reached = total + result.seconds, reached + (result.cost <= best)
        excess = 100 * (result.cost / best - 1) if best else float(result.cost)
        yield f"| {name} | {result.seconds:.2f} | {excess:.3f} |"
    yield f"| {reached} of {len(order)} | {total:.0f} | - |"


def solved(seconds: float = 10.0) -> Iterator[str]:
    """Excess over the best known cost of tai100a after seconds of `solve`, and of islands on the GPU: three seeds."""
    problem = QAP.taillard(100)
    best = problem.best_known or 0
    search = IteratedLocalSearch(TabuSearch(Swap(), (0.1, 0.3)), RandomMoves(Swap(), 30), limit=Limit(3000))
    islands, until = Islands(Multistart(WALKS, device="cuda"), 30_000, Truncation()), stop.seconds(seconds)

    def row(name: str, results: list[Result]) -> str:
        gaps = [100 * (result.cost / best - 1) for result in results]
        made = " | ".join(f"{median(each):,.0f}" for each in _made(results))
        device = f"{len(results[0].walks)} walks on {results[0].device}"
        return f"| {name} | {device} | {median(gaps):.3f} | {min(gaps):.3f} ... {max(gaps):.3f} | {made} |"

    raced(problem, 1.0)  # compiles, and tries devices
    yield row("`solve`", [raced(problem, seconds, seed=seed) for seed in SEEDS])
    run(search, problem, stop=stop.iterations(20), parallel=islands)
    alone = [run(search, problem, stop=until, seed=seed, parallel=islands) for seed in SEEDS]
    yield row("iterated tabu search, 132 islands", alone)


def colorings() -> Iterator[str]:
    """Runs that find a proper coloring, by 132 populations on the GPU, and by one on a core; three seeds."""
    limit, *_ = NUMBERS or [35]
    with ProcessPoolExecutor(2 * len(SEEDS), get_context("spawn")) as pool:
        begun = {case: [pool.submit(colored, case, seed, "host", 3 * limit) for seed in SEEDS] for case in COLORED}
        for case, (graph, _) in COLORED.items():
            colored(case, 0, "cuda", 0.1)  # compiles
            results = [colored(case, seed, "cuda", limit) for seed in SEEDS]
            yield f"| {graph}, 132 populations on the GPU, {limit} s at most | {_found(results)} |"
        for case, (graph, _) in COLORED.items():
            results = [each.result() for each in begun[case]]
            yield f"| {graph}, one population on a core, {3 * limit} s at most | {_found(results)} |"


def colored(case: int, seed: int, device: str, limit: float) -> tuple[float, float, int]:
    """The cost, the seconds and the iterations of a walk of a run that colors a graph."""
    problem = GraphColoring.random(500, case, seed=1)
    if case == 28:
        problem = GraphColoring.from_file(_data() / "gcp" / "DSJC250.5.col", case)
    model = Multistart(WALKS, device="cuda") if device == "cuda" else CORE
    search, until = COLORED[case][1], stop.target(0) | stop.seconds(limit)
    result = run(search, problem, stop=until, seed=seed, parallel=model)
    assert problem.cost(result.solution) == result.cost
    return result.cost, result.seconds, result.iterations


def _found(results: list[tuple[float, float, int]]) -> str:
    """Cells: how many colorings were found, and edges in conflict, seconds and iterations a second of each run."""
    costs, seconds, made = zip(*results, strict=True)
    rate = median(count / each for count, each in zip(made, seconds, strict=True))
    each = (", ".join(map(str, costs)), ", ".join(f"{one:.1f}" for one in seconds), f"{rate:,.0f}")
    return " | ".join((f"{costs.count(0)} of {len(costs)}", *each))


def _made(results: list[Result]) -> Iterator[list[float]]:
    """The iterations of a walk, and millions of moves evaluated a second."""
    yield [result.iterations for result in results]
    yield [result.evaluated / result.seconds / 1e6 for result in results]


def _data() -> Path:
    """The folder of published instances."""
    return Path(os.environ["METAHEUR_DATA"])


PARTS: dict[str, Callable[[], Iterator[str]]] = {
    "folds": folds,
    "trial": trial,
    "children": children,
    "fronts": fronts,
    "shares": shares,
    "calls": calls,
    "memetic": memetic,
    "routes": routes,
    "solve": solved,
    "colorings": colorings,
    "qaplib": qaplib,
    "blocks": blocks,
}

HEADS = {
    "folds": (
        "M moves/s of whole neighborhoods on a GPU; the ratio is to the core in full",
        ("", "neighborhood", "in full, a core", "fold, a core", "fold, the GPU", "ratio"),
    ),
    "trial": TRIAL,
    "children": ("children/s, 1,000 bits, OneMax or QUBO", ("", "a core", "the GPU", "ratio")),
    "fronts": ("flow shop, 50 jobs, 20 machines, three seconds, share of the hypervolume, 10 seeds", BESIDE),
    "shares": ("M moves/s of 4,096 walks", ("", "the GPU", "all cores", "both", "both / the GPU")),
    "calls": ("milliseconds of twelve proofs of 10.100-00 in one process", ("", "ms")),
    "routes": (
        "lengths after 10 s of string removal, and removals/s of a walk",
        ("", "a core", "removals/s", f"{ROUTING_WALKS:,} walks on the GPU", "removals/s of each"),
    ),
    "solve": (
        "excess in % over the best known cost of tai100a after 10 s, three seeds",
        ("", "walks", "median", "extremes", "iterations of a walk", "M moves/s"),
    ),
    "colorings": (
        "proper colorings by the hybrid evolutionary algorithm, three seeds",
        ("", "found", "edges in conflict", "seconds", "iterations of a walk a second"),
    ),
    "memetic": (
        "seconds of `solve` on a GPU until an excess over the best known cost, three seeds",
        ("", "goal", "seconds to the goal", "excess in % at the end"),
    ),
    "blocks": (
        "iterations/s of one walk of tabu search, medians of three runs of 0.2 s",
        (
            "",
            "moves",
            "a core",
            *(f"a block of {threads:,}" for threads in (128, 256, 512, 1024)),
            "a cluster of 16",
            "32 blocks",
            "the planner's choice",
        ),
    ),
    "qaplib": ("seconds of `solve` on a GPU until the best known cost", ("", "s", "excess in %")),
}
"""The title and the columns of each part."""

if __name__ == "__main__":
    for part in [word for word in arguments() if word in PARTS] or PARTS:
        report(f"gpu_{part}", *HEADS[part], PARTS[part]())
