"""`solve` beside the best single composition of ours and a rival, after equal time, on drawn instances.

``make choice`` runs the grid: problems in three sizes, limits of time, seeds that nobody tuned to. The programs take
turns in one process for each instance and limit, on its processor clock and one core. ``--problems tours routes`` takes
only some problems, ``--seconds`` and ``--seeds`` other limits and numbers of seeds, ``--jobs`` more processes at once.
``--cores 2`` gives each process two cores and the clock on the wall: for an idle machine. ``--gpu`` compares `solve`
with what it finds on the cores alone. ``--save`` renews these rows of the record.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime
from itertools import product
from queue import Queue
from typing import Any, NamedTuple

import numpy as np

from metaheur import run, solve, stop
from metaheur.machine.pace import TimeBudget
from metaheur.problem import Problem
from tests.benchmarks.choice_kinds import KINDS, SEED, Kind
from tests.benchmarks.processor_clock import environment
from tests.benchmarks.records import MEASURED, Record, arguments, device

ALONE = "the cores alone"
"""What `solve` with a GPU is compared with."""


class Place(NamedTuple):
    """Where a process runs: its cores, and the number of its GPU, if it has one."""

    cores: tuple[int, ...]
    gpu: int | None = None


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


def answer(kind: Kind, name: str, problem: Problem, seconds: float, gpu: bool) -> float:
    """The cost that `solve`, a composition or the rival finds; `problem` is new, so that nobody has its candidates."""
    if name == "rival":
        assert kind.rival is not None
        return kind.rival(problem, seconds)
    if name in kind.singles:
        return alone(kind, name, problem, seconds)
    parallel = "auto" if gpu and name == "solve" else "host"
    return float(solve(problem, seconds=seconds, seed=1, parallel=parallel, report=False).cost)


def names_of(kind: Kind, gpu: bool) -> list[str]:
    """The programs: `solve`, single compositions, and the rival, if there is one; or `solve` with and without a GPU."""
    return ["solve", ALONE] if gpu else ["solve", *kind.singles, *(["rival"] if kind.rival else [])]


def answers(name: str, n: int, seed: int, seconds: float, gpu: bool) -> list[float]:
    """The cost of each program; after a short run of each, which compiles."""
    kind = KINDS[name]
    for each in names_of(kind, gpu):
        answer(kind, each, kind.draw(n, SEED - 1), 0.1, gpu)
    return [answer(kind, each, kind.draw(n, seed), seconds, gpu) for each in names_of(kind, gpu)]


def asked(place: Place, name: str, n: int, seed: int, seconds: float) -> list[float]:
    """The same in a process of its own: with one core and no GPU on its processor clock."""
    question = json.dumps([name, n, seed, seconds, place.gpu is not None])
    known = environment() if place == Place(place.cores[:1]) else dict(os.environ)
    known["CUDA_VISIBLE_DEVICES"] = "" if place.gpu is None else str(place.gpu)
    line = ["taskset", "-c", ",".join(map(str, place.cores)), sys.executable, "-m", "tests.benchmarks.choice"]
    done = subprocess.run([*line, "--answer", question], env=known, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{question}: {done.stderr}")
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def row(label: str, kind: Kind, found: np.ndarray, maximised: bool, gpu: bool) -> tuple[str, ...]:
    """By how much each program is behind the best of a row, as a mean over the seeds; `found`: seeds x programs."""
    costs = -found if maximised else found
    least = costs.min(axis=1, keepdims=True)
    scale = 1.0 if label.startswith("colorings") else 0.01 * np.maximum(1.0, np.abs(least))
    behind = dict(zip(names_of(kind, gpu), ((costs - least) / scale).T, strict=True))
    single = min([ALONE] if gpu else kind.singles, key=lambda name: behind[name].mean())
    cells = [f"{behind[name].mean():.2f}" for name in ("solve", single)]
    cells[1] += f" by {single}"
    rival = f"{behind['rival'].mean():.2f}" if "rival" in behind else ""
    return label, *cells, f"{np.ptp(behind[single]):.2f}", rival, str(len(found))


def rows(names: list[str], limits: list[float], seeds: int, places: list[Place]) -> Iterator[tuple[str, ...]]:
    """A row for each problem, size and limit; as many processes at a time as there are places."""
    free: Queue[Place] = Queue()
    for place in places:
        free.put(place)

    def found(name: str, n: int, seed: int, seconds: float) -> list[float]:
        place = free.get()
        try:
            return asked(place, name, n, seed, seconds)
        finally:
            free.put(place)

    gpu, count = places[0].gpu is not None, len(places[0].cores)
    cells = [(name, n, seconds) for name in names for n, seconds in product(KINDS[name].sizes, limits)]
    where = f", {count} core{'s' * (count > 1)}{' and a GPU' * gpu}" if gpu or count > 1 else ""
    with ThreadPoolExecutor(len(places)) as pool:
        if len(places) > 1:
            cells.sort(key=lambda cell: -cell[2])  # so that no long one is left at the end
            # compile once, not in each process
            wait([pool.submit(found, *pair, SEED - 1, 0.1) for pair in dict.fromkeys(cell[:2] for cell in cells)])
        asking = {cell: [pool.submit(found, *cell[:2], SEED + k, cell[2]) for k in range(seeds)] for cell in cells}
        for cell in cells:
            name, n, seconds = cell
            costs = np.array([each.result() for each in asking[cell]])
            maximised = bool(KINDS[name].draw(n, SEED).maximise)
            yield row(f"{name}, {n:,}, {seconds:g} s{where}", KINDS[name], costs, maximised, gpu)


def main() -> None:
    """Print a row for each cell of the grid."""
    given = argparse.ArgumentParser()
    given.add_argument("--problems", nargs="*", choices=KINDS, default=[*KINDS])
    given.add_argument("--seconds", type=float, nargs="*", default=[1.0, 5.0, 30.0])
    given.add_argument("--seeds", type=int, default=5, help="how many")
    given.add_argument("--jobs", type=int, default=1, help="how many processes at a time")
    given.add_argument("--cores", type=int, default=1, help="of each process")
    given.add_argument("--gpu", action="store_true", help="compare solve with and without a GPU, one for each process")
    given.add_argument("--answer", help=argparse.SUPPRESS)
    chosen = given.parse_args(arguments())
    if chosen.answer:
        print(json.dumps(answers(*json.loads(chosen.answer))))
        return
    here, count = sorted(os.sched_getaffinity(0)), chosen.cores
    if chosen.jobs * count > len(here):
        given.error(f"{chosen.jobs} processes on {count} cores each do not fit on {len(here)} cores")
    places = [Place(tuple(here[k * count : (k + 1) * count]), k if chosen.gpu else None) for k in range(chosen.jobs)]
    title = "behind the best of a row after equal time: conflicts of colorings, else per cent"
    columns = ("problem, size, limit", "solve", "best single search", "its spread", "rival", "seeds")
    print(f"{title}\n| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for each in rows(chosen.problems, chosen.seconds, chosen.seeds, places):
        print(f"| {' | '.join(each)} |", flush=True)
        if "--save" in sys.argv:
            path = MEASURED / "choice.json"
            kept = {known[0]: known for known in Record.read(path).rows} if path.exists() else {}
            found = tuple({**kept, each[0]: each}.values())
            Record(title, "make choice", datetime.now(UTC).date().isoformat(), device(), columns, found).save(path)


if __name__ == "__main__":
    main()
