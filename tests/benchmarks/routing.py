"""Published routing instances beside PyVRP, OR-tools and VROOM, on as many cores as there are.

``python -m tests.benchmarks.routing data/*.vrp data/*.txt --seconds 10 --seeds 5 --jobs 16 --save routing.json``

Each process has one core, and runs all programs by turns on one instance with one seed, each for so many processor
seconds. The record has a row for each program, instance and seed; rows that it has already are not made again, so that
a command that was ended can be given again. A last argument ``--table`` prints what the record says.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from importlib.util import find_spec
from math import inf
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from time import perf_counter
from typing import Any, Final

from metaheur.device.host.compiler import processor
from metaheur.problems import CVRP, VRPTW, MultiTripRouting, VehicleRouting, problem_from_file
from metaheur.problems.solutions import solution_from_file
from tests.benchmarks.comparison import fitted, timed
from tests.benchmarks.processor_clock import environment, today
from tests.benchmarks.rival_routers import routed_by_ortools, routed_by_vroom
from tests.benchmarks.rival_routes import (
    routed,
    routed_by_pyvrp,
    routed_in_time_by_pyvrp,
    routed_in_trips_by_pyvrp,
)

Routed = VehicleRouting | VRPTW | MultiTripRouting
"""The problems of the files."""


def by_giant_tours(problem: Routed, seconds: float, seed: int) -> float:
    """The length by giant tours, of instances without windows of time."""
    return routed(problem.giant_tour, seconds, seed) if isinstance(problem, VehicleRouting) else inf


def by_pyvrp(problem: Routed, seconds: float, seed: int) -> float:
    """The length of PyVRP's routes."""
    if isinstance(problem, MultiTripRouting):
        return routed_in_trips_by_pyvrp(problem, seconds, seed)
    if isinstance(problem, VRPTW):
        return routed_in_time_by_pyvrp(problem, seconds, seed)
    return routed_by_pyvrp(problem, seconds, seed)


OURS: dict[str, Callable[..., float]] = {"metaheur": routed, "giant tours": by_giant_tours}
PROGRAMS: dict[str, tuple[str, Callable[..., float]]] = {
    **{name: ("metaheur", program) for name, program in OURS.items()},
    "pyvrp": ("pyvrp", by_pyvrp),
    "ortools": ("ortools", lambda problem, seconds, _: routed_by_ortools(problem, seconds)),
    "vroom": ("vroom", lambda problem, seconds, _: routed_by_vroom(problem, seconds)),
}
"""The module that each program needs, and the program: a problem, seconds and a seed give the length of its routes."""

SEEDLESS: Final = ("ortools", "vroom")
"""Programs that know no seed, and are run with the first one only."""

Key = tuple[str, int, str, float]
"""The instance, the seed, the program, and its limit in seconds."""


def read(path: str) -> Routed:
    """The problem in a file."""
    problem = problem_from_file(path)
    if isinstance(problem, CVRP):
        problem = VehicleRouting.of(problem)
    assert isinstance(problem, Routed), f"{path} has a {type(problem).__name__}"
    return problem


def rows(path: str, seed: int, seconds: float, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """A row for each program, in an order that changes from seed to seed."""
    problem = read(path)
    routed(problem, min(1.0, seconds), seed)  # compiles
    shift = seed % len(names)
    for name in (*names[shift:], *names[:shift]):
        program = PROGRAMS[name][1]
        if name in OURS:
            spent, length = fitted(partial(program, seed=seed), problem, seconds)
        else:
            try:
                spent, length = timed(program, problem, seconds, seed)
            except Exception as error:  # the other programs' rows are worth more
                print(f"{name} failed on {path}: {error!r}", file=sys.stderr, flush=True)
                continue
        key = {"instance": Path(path).name, "seed": seed, "program": name, "limit": seconds}
        yield {**key, "seconds": round(spent, 3), "length": length / problem.factor if length < inf else None}


def key_of(row: dict[str, Any]) -> Key:
    """What a row is about."""
    return row["instance"], row["seed"], row["program"], row["limit"]


def known(path: str) -> float | None:
    """The best known length, if a file of a solution is beside the instance's."""
    solution = Path(path).with_suffix(".sol")
    if not solution.exists():
        return None
    problem, stated, x = solution_from_file(solution, read(path))
    return float(problem.displayed(problem.cost(x)) if isinstance(problem, MultiTripRouting) else stated)


def made(paths: Sequence[str], options: argparse.Namespace, record: dict[str, Any]) -> None:
    """Make the rows that are missing, a process a core, and save the record after each instance and seed."""
    done, began = {key_of(row) for row in record["rows"]}, perf_counter()
    cores: SimpleQueue[int] = SimpleQueue()
    for core in sorted(os.sched_getaffinity(0))[: options.jobs]:
        cores.put(core)

    def one(path: str, seed: int) -> list[dict[str, Any]]:
        names = [name for name in options.programs if seed == 1 or name not in SEEDLESS]
        names = [name for name in names if (Path(path).name, seed, name, options.seconds) not in done]
        if not names or perf_counter() - began > options.within:
            return []
        core = cores.get()
        command = [sys.executable, "-m", "tests.benchmarks.routing", path, "--seconds", str(options.seconds)]
        command += ["--one", str(seed), "--programs", *names]
        try:
            found = subprocess.run(
                command, env=environment(), preexec_fn=lambda: os.sched_setaffinity(0, {core}),
                capture_output=True, text=True, check=False,
            )  # fmt: skip
        finally:
            cores.put(core)
        if found.stderr:
            print(f"{path}, seed {seed}: {found.stderr[-2000:]}", file=sys.stderr, flush=True)
        return [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]

    environment()  # compiles once
    with ThreadPoolExecutor(options.jobs) as pool:
        tasks = [pool.submit(one, path, seed) for seed in range(1, options.seeds + 1) for path in paths]
        for task in as_completed(tasks):
            if found := task.result():
                record["rows"] += found
                saved(record, options.save)
                print(*(f"{row['instance']} {row['program']} {row['length']}" for row in found), sep="; ", flush=True)


def saved(record: dict[str, Any], path: Path) -> None:
    """Write the record at once, so that a reader finds it whole."""
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(record, indent=0) + "\n", encoding="utf-8")
    draft.replace(path)


def table(record: dict[str, Any]) -> Iterator[str]:
    """By limit and instance, how far each program is behind the best known length, the median of its seeds in per cent.

    Without a best known length, the shortest routes of the record count. A program that found no routes is "none".
    """
    for limit in sorted({row["limit"] for row in record["rows"]}):
        rows = [row for row in record["rows"] if row["limit"] == limit]
        names = [name for name in PROGRAMS if any(row["program"] == name for row in rows)]
        yield f"| {limit:g} s | {' | '.join(names)} | longest, s |"
        yield "| --- |" + " ---: |" * (len(names) + 1)
        gaps: dict[str, list[float]] = {name: [] for name in names}
        for instance in sorted({row["instance"] for row in rows}):
            own = [row for row in rows if row["instance"] == instance]
            lengths = [row["length"] for row in record["rows"] if row["instance"] == instance and row["length"]]
            best = record["known"].get(instance) or min(lengths, default=1)
            texts = []
            for name in names:
                found = [row["length"] or inf for row in own if row["program"] == name]
                gap = 100 * (median(found) / best - 1) if found else None
                texts.append("" if gap is None else f"{gap:.2f}" if gap < inf else "none")
                gaps[name] += [] if gap is None else [gap]
            ours = [row["seconds"] for row in own if row["program"] in OURS]
            yield f"| {instance} | {' | '.join(texts)} | {max(ours, default=0.0):.2f} |"
        yield "| median | " + " | ".join(f"{median(gaps[name]):.2f}" for name in names) + " | |"


def main(arguments: Sequence[str]) -> None:
    """Run the programs on the files of instances, or one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--within", type=float, default=inf, help="begin nothing after so many seconds")
    parser.add_argument("--programs", nargs="+", default=[name for name in PROGRAMS if find_spec(PROGRAMS[name][0])])
    parser.add_argument("--save", type=Path, default=Path("routing.json"))
    parser.add_argument("--one", type=int, help="a seed: run here, and print rows")
    parser.add_argument("--table", action="store_true", help="print what the record says")
    options = parser.parse_args(arguments)
    if options.one is not None:
        for row in rows(options.paths[0], options.one, options.seconds, options.programs):
            print(json.dumps(row), flush=True)
        return
    record: dict[str, Any] = {"rows": [], "known": {}}
    if options.save.exists():
        record = json.loads(options.save.read_text(encoding="utf-8"))
    record |= {"date": today(), "machine": f"{processor()}, {options.jobs} processes"}
    for path in options.paths:
        if (length := known(path)) is not None:
            record["known"][Path(path).name] = length
    if options.paths:
        made(options.paths, options, record)
        saved(record, options.save)
    if options.table or not options.paths:
        print(*table(record), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
