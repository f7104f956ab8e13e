"""The same races on a core and on a GPU, each by one command of the shell, and the best single search beside them.

By hand, with METAHEUR_DATA: ``python -m tests.benchmarks.races``; ``--rows`` only some rows, by number; ``--times 0.1``
with a tenth of the work; ``--abreast`` runs at a time on the GPU. Every run has a core of its own. Without a GPU, the
table has the answers of a core alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from attrs import frozen

from metaheur.machine.processors import cores
from metaheur.testing import devices_here
from tests.benchmarks import test_solve_quality
from tests.benchmarks.records import arguments, report
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
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **(HIDDEN if device == "host" else {})}
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


@frozen(eq=False)
class Pools:
    """Processes for runs on cores, and for runs on a GPU."""

    host: ProcessPoolExecutor
    cuda: ProcessPoolExecutor | None

    @classmethod
    def made(cls, abreast: int) -> Pools:
        """So many processes for runs on a GPU, if there is one, and a process for each other core."""
        spawn = get_context("spawn")
        free = spawn.Queue()
        for core in sorted(os.sched_getaffinity(0))[: cores()]:
            free.put(core)

        def pool(size: int) -> ProcessPoolExecutor:
            return ProcessPoolExecutor(max(1, size), spawn, _pin, (free,))

        there = "cuda" in devices_here()
        return cls(pool(cores() - abreast * there), pool(abreast) if there else None)

    def close(self) -> None:
        """End all processes."""
        for pool in (self.host, self.cuda):
            if pool is not None:
                pool.shutdown(cancel_futures=True)


@frozen(eq=False)
class Row:
    """A case with its work, and its runs, which may still be under way."""

    case: Case
    work: int
    maximise: bool
    host: Sequence[Future[Answer]]
    cuda: Sequence[Future[Answer]]
    singles: Sequence[tuple[str, Sequence[Future[Any]]]]

    @classmethod
    def begun(cls, case: Case, work: int, seeds: range, pools: Pools) -> Row:
        """Submit all runs of a case."""
        problem = problem_of(case)
        return cls(
            case,
            work,
            bool(problem.maximise),
            [pools.host.submit(raced, case, work, seed, "host") for seed in seeds],
            [pools.cuda.submit(raced, case, work, seed, "cuda") for seed in seeds] if pools.cuda else [],
            [
                (each.name, [pools.host.submit(single, case, work, seed, number) for seed in seeds])
                for number, each in enumerate(singles(problem))
            ],
        )

    def text(self) -> str:
        """The row of the table, after all runs ended."""
        host, cuda = ([run.result() for run in runs] for runs in (self.host, self.cuda))
        costs = [each.cost for each in host]
        medians = {name: median(run.result() for run in runs) for name, runs in self.singles}
        best = (max if self.maximise else min)(medians, key=lambda name: medians[name])
        alone = [f"{shown(medians[best])} by {best}"]
        options = [f"{name} = {value}" for name, value in self.case.options.items()]
        if _own(self.case):
            options = ["an object of a module"]
            alone += [f"{name} {shown(cost)}" for name, cost in medians.items() if name.endswith("of the example")]
        cells = [
            ", ".join((Path(self.case.path).name, *options)),
            f"{self.work:,}",
            "; ".join(map(shown, costs)),
            shown(median(costs)),
            "; ".join(alone),
        ]
        if cuda:
            same = sum(here[:2] == there[:2] for here, there in zip(host, cuda, strict=True))
            cells += [f"{median(each.seconds for each in runs):.2f}" for runs in (host, cuda)]
            cells.append(f"{same} of {len(host)}")
        return f"| {' | '.join(cells)} |"


def rows(cases: Sequence[Case], times: float, seeds: range, abreast: int) -> Iterator[str]:
    """A row for each case; races with the least work compile everything first."""
    pools = Pools.made(abreast)
    try:
        for run in [pools.host.submit(raced, case, 1, 0, on) for on in reversed(devices_here()) for case in cases]:
            run.result()
        begun = [Row.begun(case, int(case.work * times), seeds, pools) for case in cases]
        for row in begun:
            yield row.text()
    finally:
        pools.close()


def main() -> None:
    """Print a row for each case."""
    given = argparse.ArgumentParser()
    given.add_argument("--rows", type=int, nargs="*", help="numbers of rows, from 0 on")
    given.add_argument("--times", type=float, default=1.0, help="the work is multiplied by it")
    given.add_argument("--seeds", type=int, default=5, help="how many seeds, from 1 on")
    given.add_argument("--abreast", type=int, default=4, help="runs at a time on the GPU")
    chosen = given.parse_args(arguments())
    cases = [case for number, case in enumerate(CASES) if not chosen.rows or number in chosen.rows]
    gpu = "cuda" in devices_here()
    seeds = f"costs of seeds 1 ... {chosen.seeds}"
    columns = ["", "work", seeds, "median", "best search alone, median"]
    more = ["seconds, a core", "seconds, the GPU", "same solution"] if gpu else []
    title = f"races by one command each{f', {chosen.abreast} at a time on the GPU' if gpu else ''}"
    lines = rows(cases, chosen.times, range(1, chosen.seeds + 1), chosen.abreast)
    report("race_on_a_gpu" if gpu else "race_on_a_core", title, [*columns, *more], lines)


if __name__ == "__main__":
    main()
