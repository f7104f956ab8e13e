"""`solve` beside the best single composition of ours and a rival, after equal processor time, on drawn instances.

``make choice`` runs the grid: problems in three sizes, limits of time, seeds that nobody tuned to. The programs take
turns in one process for each instance, on its processor clock and one core. ``--problems tours routes`` takes only some
problems, ``--seconds`` and ``--seeds`` other limits and numbers of seeds; ``--save`` renews these rows of the record,
one after the other.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from metaheur import run, solve, stop
from metaheur.loops import CandidateDescent, NoSearch
from metaheur.machine.pace import TimeBudget
from metaheur.neighborhoods import Hamming, Insertion, OrOpt, ThreeOpt, TwoOpt, Union
from metaheur.parts import Annealed, DoubleBridge, Geometric, InSweeps, Metropolis, Rebuild, StringRemoval, Tenure
from metaheur.problem import Problem
from metaheur.problems import CVRP, TSP, FlowShop, GraphColoring, MaxCut
from metaheur.problems.formats.tsplib import distance_matrix
from metaheur.search import Search
from metaheur.searches import (
    GroupDescent,
    HybridEvolutionaryAlgorithm,
    IteratedLocalSearch,
    SimulatedAnnealing,
)
from tests.benchmarks.processor_clock import environment
from tests.benchmarks.records import MEASURED, Record, arguments, device
from tests.benchmarks.rival_routes import drawn, routed_by_pyvrp
from tests.benchmarks.rivals import sparse_graph

SEED = 901
"""The first seed of instances; no search was chosen by these."""


class Kind(NamedTuple):
    """A kind of instances: sizes, how one is drawn, single compositions by a length, and a rival if one installs."""

    sizes: tuple[int, ...]
    draw: Callable[[int, int], Any]
    singles: dict[str, Callable[[Any, int], Search[Any]]]
    start: str | None = None
    rival: Callable[[Any, float], float] | None = None


def kicked(problem: TSP, kicks: int) -> Search[Any]:
    """Annealed kicks."""
    descent = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), problem.quadrants(8))
    return IteratedLocalSearch(descent, DoubleBridge(50), Annealed(kicks))


def removed(problem: CVRP, steps: int) -> Search[Any]:
    """Annealed string removal."""
    return IteratedLocalSearch(
        NoSearch(), StringRemoval(problem.nearest(60), problem.orders), Annealed(max(1, steps // 2), 0.01)
    )


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
    least = max(4, problem.n // 80)
    tenure = Tenure(0, 0, low_plus=least, high_plus=least + 9)
    return HybridEvolutionaryAlgorithm(phase, size=4, tenure=tenure)


def toured_by_fast_tsp(problem: TSP, seconds: float) -> float:
    """The length of the rival's tour."""
    lengths = distance_matrix(problem.instance).astype(np.uint16)
    return float(problem.cost(np.array(import_module("fast_tsp").find_tour(lengths, duration_seconds=seconds))))


PLAIN = Path(__file__).with_name("plain_searches.cpp")


@cache
def plain() -> ctypes.CDLL:
    """The searches in plain C++."""
    library = Path(__file__).resolve().parents[2] / "build" / "plain_searches.so"
    if not library.exists() or library.stat().st_mtime < PLAIN.stat().st_mtime:
        library.parent.mkdir(exist_ok=True)
        line = ["c++", "-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", "-o", str(library), str(PLAIN)]
        subprocess.run(line, check=True)
    found = ctypes.CDLL(str(library))
    found.iterated_greedy.restype = found.tabu_coloring.restype = ctypes.c_int64
    return found


def made_greedily(problem: FlowShop, seconds: float) -> float:
    """The makespan of the rival's sequence."""
    times = np.ascontiguousarray(problem.times, np.int32)
    given = (*times.shape, times.ctypes.data_as(ctypes.c_void_p), ctypes.c_double(seconds), ctypes.c_uint64(1))
    return float(plain().iterated_greedy(*given))


def colored_by_tabu_search(problem: GraphColoring, seconds: float) -> float:
    """The conflicts of the rival's coloring."""
    edges = np.ascontiguousarray(problem.edges, np.int32)
    ends, took, steps = edges.ctypes.data_as(ctypes.c_void_p), ctypes.c_double(), ctypes.c_int64()
    given = (problem.n, problem.k, ctypes.c_int64(len(edges)), ends, ctypes.c_double(seconds), ctypes.c_uint64(1))
    return float(plain().tabu_coloring(*given, ctypes.byref(took), ctypes.byref(steps)))


KINDS = {
    "tours": Kind(
        (1000, 5000, 20_000),
        TSP.random,
        {"annealed kicks": kicked},
        "construct",
        toured_by_fast_tsp,
    ),
    "routes": Kind(
        (100, 300, 600),
        lambda n, seed: drawn(n, "random", n // 2, "1 ... 100", 9)(seed),
        {"annealed string removal": removed},
        "construct",
        routed_by_pyvrp,
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
}


def alone(kind: Kind, name: str, problem: Problem, seconds: float) -> float:
    """The cost of a composition by hand: a first run shows its rate, and a second one has the length for the rest."""
    made, budget = kind.singles[name], TimeBudget(seconds)
    common: dict[str, Any] = {"seed": 1, "start": kind.start, "parallel": "host"}
    first = run(made(problem, 1000), problem, stop=stop.iterations(1), **common)
    begun = budget.seconds()
    more = run(made(problem, 1 << 40), problem, stop=stop.seconds(seconds / 20), **common)
    rate = more.iterations / max(1e-6, budget.seconds() - begun)
    left = max(0.01, budget.left())
    found = run(made(problem, max(1, int(0.9 * rate * left))), problem, stop=stop.seconds(left), **common)
    best = max if problem.maximise else min
    return float(best(first.cost, more.cost, found.cost))


def answer(kind: Kind, name: str, n: int, seed: int, seconds: float) -> float:
    """The cost that `solve`, a composition or the rival finds."""
    problem = kind.draw(n, seed)
    if name == "rival":
        assert kind.rival is not None
        return kind.rival(problem, seconds)
    if name in kind.singles:
        return alone(kind, name, problem, seconds)
    return float(solve(problem, seconds=seconds, seed=1, parallel="host", report=False).cost)


def names_of(kind: Kind) -> list[str]:
    """The programs: `solve`, single compositions, and the rival, if there is one."""
    return ["solve", *kind.singles, *(["rival"] if kind.rival else [])]


def answers(kind: Kind, n: int, seed: int, limits: list[float]) -> list[list[float]]:
    """The cost of each program for each limit; after a short run of each, which compiles."""
    for name in names_of(kind):
        answer(kind, name, n, SEED - 1, 0.1)
    return [[answer(kind, name, n, seed, seconds) for name in names_of(kind)] for seconds in limits]


def asked(kind: str, n: int, seed: int, limits: list[float]) -> list[list[float]]:
    """The same in a process of its own, on a processor clock."""
    question = json.dumps([kind, n, seed, limits])
    line = [sys.executable, "-m", __spec__.name if __spec__ else __name__, "--answer", question]
    done = subprocess.run(line, env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{question}: {done.stderr}")
    found: list[list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found


def rows(kinds: list[str], limits: list[float], seeds: range) -> Iterator[tuple[str, ...]]:
    """A row for each problem, size and limit: by how much each program is behind the best of the row."""
    for kind in kinds:
        known = KINDS[kind]
        for n in known.sizes:
            found = np.array([asked(kind, n, seed, limits) for seed in seeds])  # seeds x limits x programs
            for seconds, costs in zip(limits, np.moveaxis(found, 1, 0), strict=True):
                sign = -1 if kind == "cuts" else 1
                least = (sign * costs).min(axis=1, keepdims=True)
                scale = 1.0 if kind == "colorings" else 0.01 * np.maximum(1.0, np.abs(least))
                behind = dict(zip(names_of(known), ((sign * costs - least) / scale).T, strict=True))
                single = min(known.singles, key=lambda name: behind[name].mean())
                cells = [f"{behind[name].mean():.2f}" for name in ("solve", single)]
                cells[1] += f" by {single}"
                rival = f"{behind['rival'].mean():.2f}" if known.rival else ""
                yield f"{kind}, {n:,}, {seconds:g} s", *cells, f"{np.ptp(behind[single]):.2f}", rival, str(len(seeds))


def main() -> None:
    """Print a row for each cell of the grid."""
    given = argparse.ArgumentParser()
    given.add_argument("--problems", nargs="*", choices=KINDS, default=[*KINDS])
    given.add_argument("--seconds", type=float, nargs="*", default=[1.0, 5.0, 30.0])
    given.add_argument("--seeds", type=int, default=5, help="how many")
    given.add_argument("--answer", help=argparse.SUPPRESS)
    chosen = given.parse_args(arguments())
    if chosen.answer:
        kind, *rest = json.loads(chosen.answer)
        print(json.dumps(answers(KINDS[kind], *rest)))
        return
    title = "behind the best of a row after equal processor time on a core: conflicts of colorings, else per cent"
    columns = ("problem, size, limit", "solve", "best single search", "its spread", "rival", "seeds")
    print(f"{title}\n| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for row in rows(chosen.problems, chosen.seconds, range(SEED, SEED + chosen.seeds)):
        print(f"| {' | '.join(row)} |", flush=True)
        if "--save" in sys.argv:
            path = MEASURED / "choice.json"
            kept = {each[0]: each for each in Record.read(path).rows} if path.exists() else {}
            found = tuple({**kept, row[0]: row}.values())
            Record(title, "make choice", datetime.now(UTC).date().isoformat(), device(), columns, found).save(path)


if __name__ == "__main__":
    main()
