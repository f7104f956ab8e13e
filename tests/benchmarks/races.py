"""Races by one command of the shell each: on a core beside single searches, and on a GPU beside the core's answers.

By hand, with METAHEUR_DATA: ``python -m tests.benchmarks.races``, on the GPU if there is one; ``--rows`` only some
rows, by number; ``--times 0.1`` with a tenth of the work; ``--abreast`` runs at a time on the GPU.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from metaheur.machine.processors import cores
from metaheur.testing import devices_here
from tests.benchmarks import test_solve_quality
from tests.benchmarks.records import MEASURED, Record, arguments, report
from tests.benchmarks.test_solve_quality import CASES, Case, alone, problem_of, shown, singles

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = {"CUDA_VISIBLE_DEVICES": ""}
"""The environment of a process that must not see a GPU."""


class Answer(NamedTuple):
    """What a race found, and its seconds without the time to compile."""

    cost: float
    solution: list[int]
    seconds: float


def _own(case: Case) -> bool:
    """Whether a case is an object of a module, not a file."""
    return hasattr(test_solve_quality, case.path)


def command(case: Case, work: int, seed: int, device: str) -> list[str]:
    """The line of shell that solves a case."""
    path = str(Path(os.environ["METAHEUR_DATA"], case.path))
    what = f"{test_solve_quality.__name__}:{case.path}" if _own(case) else path
    options = [f"--{name}={value}" for name, value in case.options.items()]
    line = f"-m metaheur solve {what} --work {work} --seed {seed} --parallel {device} --format json --quiet"
    return [sys.executable, *line.split(), *options]


def raced(case: Case, work: int, seed: int, device: str) -> Answer:
    """The answer of a race."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, **(HIDDEN if device == "host" else {})}
    line = command(case, work, seed, device)
    done = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(line)}: {done.stderr}")
    found = json.loads(done.stdout)
    return Answer(found["cost"], found["solution"], found["seconds"])


def single(case: Case, work: int, seed: int, number: int) -> Any:
    """The cost of one of the single searches with all the work, on a core."""
    os.environ |= HIDDEN
    problem = problem_of(case)
    return alone(problem, list(singles(problem))[number], work, seed)


def _pin(free: Any) -> None:
    """Give a process of a pool, and the processes that it starts, a core of their own."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {free.get()})


def pool_of(size: int) -> ProcessPoolExecutor:
    """So many processes, each on a core of its own as far as there are enough."""
    spawn = get_context("spawn")
    free, here = spawn.Queue(), sorted(os.sched_getaffinity(0))[: cores()]
    for number in range(size):
        free.put(here[number % len(here)])
    return ProcessPoolExecutor(size, spawn, _pin, (free,))


def named(case: Case) -> str:
    """The name of a row."""
    options = ["an object of a module"] if _own(case) else [f"{name} = {value}" for name, value in case.options.items()]
    return ", ".join((Path(case.path).name, *options))


def answers(cases: Sequence[Case], device: str, seeds: range, abreast: int) -> Iterator[tuple[Case, list[Answer]]]:
    """The answers of all seeds for each case, so many runs at a time; short races compile everything first."""
    with pool_of(cores()) as pool:
        for run in [pool.submit(raced, case, 1, 0, device) for case in cases]:
            run.result()
    with pool_of(abreast) as pool:
        begun = [(case, [pool.submit(raced, case, case.work, seed, device) for seed in seeds]) for case in cases]
        for case, runs in begun:
            yield case, [run.result() for run in runs]


def head(case: Case, found: list[Answer]) -> list[str]:
    """The first cells of a row: the work, the costs and their median."""
    costs = [each.cost for each in found]
    return [named(case), f"{case.work:,}", "; ".join(map(shown, costs)), shown(median(costs))]


def on_a_core(cases: Sequence[Case], seeds: range) -> Iterator[str]:
    """A row for each case: races, and the best single search."""
    with pool_of(cores()) as pool:
        for case, found in answers(cases, "host", seeds, cores()):
            problem = problem_of(case)
            runs = {
                each.name: [pool.submit(single, case, case.work, seed, number) for seed in seeds]
                for number, each in enumerate(singles(problem))
            }
            medians = {name: median(run.result() for run in each) for name, each in runs.items()}
            best = (max if problem.maximise else min)(medians, key=lambda name: medians[name])
            alone = [f"{shown(medians[best])} by {best}"]
            if _own(case):
                alone += [f"{name} {shown(cost)}" for name, cost in medians.items() if name.endswith("of the example")]
            yield f"| {' | '.join([*head(case, found), '; '.join(alone)])} |"


def on_a_gpu(cases: Sequence[Case], seeds: range, abreast: int) -> Iterator[str]:
    """A row for each case: races, beside those that a core made."""
    recorded = {row[:2]: row for row in Record.read(MEASURED / "race_on_a_core.json").rows}
    for case, found in answers(cases, "cuda", seeds, abreast):
        cells = head(case, found)
        row = recorded.get((cells[0], cells[1]))
        same, alone = "not recorded", ""
        if row:
            costs, alone = row[2].split("; "), row[4]
            pairs = list(zip(cells[2].split("; "), costs, strict=False))
            same = f"{sum(here == there for here, there in pairs)} of {len(pairs)}"
        yield f"| {' | '.join([*cells, alone, same, f'{median(each.seconds for each in found):.2f}'])} |"


def main() -> None:
    """Print a row for each case."""
    given = argparse.ArgumentParser()
    given.add_argument("--rows", type=int, nargs="*", help="numbers of rows, from 0 on")
    given.add_argument("--times", type=float, default=1.0, help="the work is multiplied by it")
    given.add_argument("--seeds", type=int, default=5, help="how many seeds, from 1 on")
    given.add_argument("--abreast", type=int, default=4, help="runs at a time on the GPU")
    chosen = given.parse_args(arguments())
    cases = [
        case._replace(work=int(case.work * chosen.times))
        for number, case in enumerate(CASES)
        if not chosen.rows or number in chosen.rows
    ]
    columns = ["", "work", f"costs of seeds 1 ... {chosen.seeds}", "median", "best search alone, median"]
    seeds = range(1, chosen.seeds + 1)
    if "cuda" in devices_here():
        title = f"races by one command each, {chosen.abreast} at a time on the GPU"
        columns += ["costs as on a core", "seconds, median"]
        report("race_on_a_gpu", title, columns, on_a_gpu(cases, seeds, chosen.abreast))
    else:
        report("race_on_a_core", "races by one command each", columns, on_a_core(cases, seeds))


if __name__ == "__main__":
    main()
