"""metaheur beside its rivals: A and B by turns on one core, on instances that the program draws.

``make rivals`` runs all comparisons, writes docs/records/rivals/*.json, and renders docs/rivals.md from these records.
"""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from attrs import evolve

from metaheur import run, stop
from metaheur.archives import hypervolume, nondominated
from metaheur.device.host.compiler import processor
from metaheur.neighborhoods import Hamming
from metaheur.parts import Geometric, InSweeps
from metaheur.problems import TSP, MaxCut
from metaheur.searches import SimulatedAnnealing
from tests.benchmarks.comparison import LONGER, SEEDS, Comparison, EqualTime
from tests.benchmarks.processor_clock import today
from tests.benchmarks.rival_searches import SEARCHES

RECORDS = Path(__file__).resolve().parents[2] / "docs/records/rivals"
PAGE = RECORDS.parents[1] / "rivals.md"


def cloud(n: int, k: int) -> Callable[[int], np.ndarray]:
    """Costs uniform in a cube."""
    return lambda seed: np.random.default_rng(seed).random((n, k))


def front(n: int, k: int) -> Callable[[int], np.ndarray]:
    """Costs on a simplex, none of which dominates another one."""

    def draw(seed: int) -> np.ndarray:
        costs = np.random.default_rng(seed).exponential(size=(n, k))
        scaled: np.ndarray = costs / costs.sum(axis=1)[:, None]
        return scaled

    return draw


def filters() -> Iterator[Comparison]:
    """Non-dominated costs."""
    moocore = import_module("moocore")
    for n in (1_000, 10_000, 100_000):
        for shape, draw in (("cloud", cloud), ("front", front)):
            for k in range(2, 9):
                yield Comparison(
                    "non-dominated costs", f"{n:,} costs, a {shape}, {k} objectives", "moocore", draw(n, k),
                    lambda costs: nondominated(costs, device="host"), moocore.is_nondominated,
                )  # fmt: skip


def hypervolumes() -> Iterator[Comparison]:
    """Measures of fronts."""
    moocore = import_module("moocore")
    for k in (2, 3):
        for n in (1_000, 10_000, 100_000):
            yield Comparison(
                "hypervolume", f"{n:,} costs, a front, {k} objectives", "moocore", front(n, k),
                lambda costs: hypervolume(costs, np.full(costs.shape[1], 1.1), device="host"),
                lambda costs: moocore.hypervolume(costs, ref=np.full(costs.shape[1], 1.1)),
            )  # fmt: skip


def candidates() -> Iterator[Comparison]:
    """Nearest cities."""
    spatial = import_module("scipy.spatial")

    def drawn(n: int) -> Callable[[int], TSP]:
        return lambda seed: TSP.random(n, seed)

    for n in (10_000, 100_000, 1_000_000):
        yield Comparison(
            "the 8 nearest cities of each", f"{n:,} cities", "scipy", drawn(n),
            lambda tsp: tsp.nearest(8),
            lambda tsp: spatial.cKDTree(tsp.instance.coordinates).query(tsp.instance.coordinates, 9),
        )  # fmt: skip


def sparse_graph(n: int, degree: int, signs: bool) -> Callable[[int], MaxCut]:
    """A random graph with edges of weight 1, or of 1 and -1."""

    def draw(seed: int) -> MaxCut:
        generator = np.random.default_rng(seed)
        ends = generator.integers(0, n, (n * degree // 2, 2))
        edges = np.unique(np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1), axis=0)
        return MaxCut.from_edges(n, edges, generator.choice([-1, 1], len(edges)) if signs else None)

    return draw


TRIALS = 25_000_000


def with_model(draw: Callable[[int], MaxCut]) -> Callable[[int], tuple[MaxCut, Any]]:
    """A graph, and the rival's model of it."""

    def drawn(seed: int) -> tuple[MaxCut, Any]:
        problem = draw(seed)
        graph = problem.graph
        edges = {(int(i), int(j)): float(w) for i, j, w in zip(graph.i, graph.j, graph.w, strict=True)}
        vertices = dict.fromkeys(range(graph.n), 0.0)
        return problem, import_module("dimod").BinaryQuadraticModel.from_ising(vertices, edges)

    return drawn


def annealed(data: tuple[MaxCut, Any]) -> float:
    """The cut after so many trials."""
    n = data[0].graph.n
    search = SimulatedAnnealing(Hamming(1), 1.5, Geometric(0.1 ** (n / TRIALS), n, 0.15), order=InSweeps())
    return float(run(search, data[0], stop=stop.iterations(TRIALS), seed=1, parallel="host").cost)


def annealed_by_dwave(data: tuple[MaxCut, Any]) -> float:
    """The cut after as many trials, at temperatures that the rival chooses."""
    graph, sampler = data[0].graph, import_module("dwave.samplers").SimulatedAnnealingSampler()
    found = sampler.sample(data[1], num_reads=1, num_sweeps=TRIALS // graph.n, seed=1).first.energy
    return float(graph.w.sum() - found) / 2


def annealing() -> Iterator[Comparison]:
    """Maximum cuts after equally many trials."""
    for n, degree, signs in ((1000, 20, False), (2000, 12, False), (2000, 12, True), (5000, 5, False)):
        weights = "1 and -1" if signs else "1"
        yield Comparison(
            f"annealing of maximum cuts, {TRIALS:,} trials", f"{n:,} vertices of degree {degree}, weights {weights}",
            "dwave-samplers", with_model(sparse_graph(n, degree, signs)), annealed, annealed_by_dwave, "cut",
        )  # fmt: skip


TASKS: dict[str, Callable[[], Iterator[Comparison] | Iterator[EqualTime]]] = {
    "filters": filters,
    "hypervolumes": hypervolumes,
    "candidates": candidates,
    "annealing": annealing,
    **SEARCHES,
}


TELLS = 100
"""Above so many per cent, a difference says less than both results."""


def spread(numbers: list[float], form: str) -> str:
    """The median, with the least and the largest."""
    low, middle, high = (format(each, form) for each in (min(numbers), median(numbers), max(numbers)))
    return f"{middle} ({low} – {high})"


def row(record: dict[str, Any]) -> str:
    """A line of the page; who is ahead is in bold, in time by more than the spread, in quality with every seed."""
    ours, theirs = by_quality(record) if "best" in record else by_time(record)
    return f"| {record['instance']} | {ours} | {theirs} |"


def by_time(record: dict[str, Any]) -> list[str]:
    """Milliseconds of both sides, with their qualities."""
    texts = []
    for side, other in (("ours", "theirs"), ("theirs", "ours")):
        seconds, quality = record[side]["seconds"], record[side]["quality"]
        text = spread([1000 * each for each in seconds], ".3g")
        if quality:
            text += f"; {record['quality']} {spread(quality, '.0f')}"
        texts.append(f"**{text}**" if max(seconds) < min(record[other]["seconds"]) else text)
    return texts


def by_quality(record: dict[str, Any]) -> list[str]:
    """By how many per cent each side is behind the better one, seed by seed; bold is for equal time only.

    Where a result is behind by more than `TELLS` per cent, the results themselves.
    """
    equal = longest(record) <= LONGER
    pairs = list(zip(record["ours"]["quality"], record["theirs"]["quality"], strict=True))
    better = min if record["best"] == "least" else max
    gaps = [[100 * abs(each - better(pair)) / max(1.0, abs(better(pair))) for each in pair] for pair in pairs]
    texts = []
    for number, side in enumerate(("ours", "theirs")):
        behind = [gap[number] for gap in gaps]
        text = f"{spread(behind, '.3f')} %"
        if max(map(max, gaps)) > TELLS:
            text = f"{record['quality']} {spread(record[side]['quality'], ',.0f')}"
        text += f" in {median(record[side]['seconds']):.1f} s"
        ahead = not any(behind) and any(a != b for a, b in pairs) and (equal or side == "theirs")
        texts.append(f"**{text}**" if ahead else text)
    return texts


def longest(record: dict[str, Any]) -> float:
    """How many times as long as the rival metaheur took at most."""
    pairs = zip(record["ours"]["seconds"], record["theirs"]["seconds"], strict=True)
    return max(float(ours / theirs) for ours, theirs in pairs)


def heading(line: dict[str, Any]) -> str:
    """The heading of a comparison that has this line."""
    return f"{line['task'][0].upper()}{line['task'][1:]}: beside {line['rival']}"


def ahead(line: dict[str, Any]) -> int:
    """Which side of a line is in bold: 0 for metaheur, 1 for the rival, 2 for none."""
    sides = by_quality(line) if "best" in line else by_time(line)
    return next((number for number, text in enumerate(sides) if text.startswith("**")), 2)


def summary(records: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each comparison: on how many instances who is ahead, and how many times as fast metaheur is."""
    yield "| comparison | instances | metaheur ahead | rival ahead | neither | times as fast, median |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for record in records:
        lines = record["lines"]
        sides = [ahead(line) for line in lines]
        counts = " | ".join(str(sides.count(side)) for side in range(3))
        times = [median(line["theirs"]["seconds"]) / median(line["ours"]["seconds"]) for line in lines]
        faster = "equal time" if "best" in lines[0] else f"{median(times):.1f}"
        anchor = re.sub(r"[^\w -]", "", heading(lines[0]).lower()).replace(" ", "-")
        yield f"| [{heading(lines[0])}](#{anchor}) | {len(lines)} | {counts} | {faster} |"


def rendered(records: list[dict[str, Any]]) -> str:
    """The page of some records."""
    lines = [
        "# Beside rivals",
        "",
        "Each program had one core, and the two programs took turns. Neither was tuned to the instances. Each line",
        "has five seeds: the median of processor time in milliseconds and, in parentheses, the least and the largest",
        "time; bold where all five times are below all five of the other program. `make rivals` repeats this; the",
        "records are in [records/rivals](records/rivals). [A page](decisions/beside-rivals.md) says why metaheur is",
        "not ahead on the other lines, and how temperatures were chosen.",
        "",
        "Where the limit is a time, the rival had that time by the clock, and metaheur as much processor time as the",
        "rival took. There, a number says how far, in per cent, a result is behind the better result of both programs;",
        f"where one is behind by more than {TELLS} %, both results stand there. Bold where a program is never behind,",
        "and metaheur took no more than 1 % longer with any seed. The medians of both times are beside it.",
        "Where a rival found no solution, its cost is one that no solution exceeds: hence the largest numbers.",
        "",
        "Rivals of tours end at their matrices: of 100,000 cities that of fast-tsp takes 20 GB, and as much again, and",
        "OR-tools' model of 10,000 cities is a list of 10^8 numbers. A run of LKH has no limit of time, and takes many",
        "minutes there.",
        "",
        "Every comparison has the date on which it was made. Flow shops, colorings and assignments are not compared",
        "here, since pip installs no rival for them: [the choice of searches](results/choice.md) compares `solve` with",
        "programs in plain C++.",
    ]
    lines += ["", *summary(records)]
    for record in records:
        first = record["lines"][0]
        lines += ["", f"## {heading(first)}", ""]
        lines += [f"{record['date']}, {record['machine']}; {first['rival']} {first['rival_version']}.", ""]
        unit = "behind" if "best" in first else "ms"
        lines += [f"| instance | metaheur, {unit} | {first['rival']}, {unit} |", "| --- | --- | --- |"]
        lines += map(row, record["lines"])
    return "\n".join(lines) + "\n"


def stored() -> list[dict[str, Any]]:
    """The records, by the order of the tasks."""
    paths = (RECORDS / f"{name}.json" for name in TASKS)
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.exists()]


TOO_LITTLE = "is left out: this machine has too little memory for it."


def check(name: str) -> None:
    """Print the first line of a task with one seed and, of a limit of time, a second at most."""
    every: Iterator[Comparison | EqualTime] = TASKS[name]()
    comparison = next(every, None)
    if comparison is None:
        print(name, TOO_LITTLE)
        return
    if isinstance(comparison, EqualTime):
        comparison = evolve(comparison, limit=min(1.0, comparison.limit))
    comparison.prepare()
    print(name, row(comparison.by_turns(SEEDS[:1])), flush=True)


def main(names: list[str]) -> None:
    """Run the tasks of these names, or all, on one core; write their records and the page.

    With ``--check``, only a line of each, and nothing is written.

    Several tasks have a process each: libraries of different rivals may have the same symbols.
    """
    checks = [name for name in names if name == "--check"]
    names = [name for name in names if name != "--check"]
    if len(names) != 1:
        programs = [[sys.executable, "-m", "tests.benchmarks.rivals", *checks, name] for name in names or TASKS]
        codes = [subprocess.run(each, check=False).returncode for each in programs]  # one may fail
        sys.exit(max(codes))
    if checks:
        check(*names)
        return
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    RECORDS.mkdir(parents=True, exist_ok=True)
    for name in names:
        lines = []
        for comparison in TASKS[name]():
            comparison.prepare()
            lines.append(comparison.by_turns())
            print(row(lines[-1]), flush=True)
        if not lines:
            print(name, TOO_LITTLE)
            continue
        machine = f"{processor()}, Python {platform.python_version()}"
        record = {"date": today(), "machine": machine, "command": "make rivals", "lines": lines}
        (RECORDS / f"{name}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(rendered(stored()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
