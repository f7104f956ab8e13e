"""Published routing instances beside PyVRP, OR-tools and VROOM, on as many cores as there are.

``python -m tests.benchmarks.routing data/*/*.vrp --seconds 10 60 --seeds 5 3 --jobs 16 --save routing.json``

Each process has one core, and runs one program on one instance with one seed, for so many processor seconds, or, with
``--wall``, seconds of the clock on the wall. The program "metaheur with a GPU" has a GPU of its own, an equal part of
the cores that ``--jobs`` leaves, and the clock on the wall; it runs where it is named. The limits are
measured in their order, and the first seed of all instances before the next one. ``--sets cvrp hfvrp`` takes only the
files in folders of these names. ``--minutes 8`` ends in time.

The file has a row for each program, instance and seed; rows that it has already are not made again, so that a command
that was ended can be given again. ``--table`` prints what the file says.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from importlib.util import find_spec
from math import inf
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from time import monotonic
from typing import Any, Final

from metaheur.device.cuda.cuda import gpus
from metaheur.device.host.compiler import processor
from metaheur.door.solve import warm
from metaheur.problems import (
    CVRP,
    VRPTW,
    FleetRouting,
    MultiTripRouting,
    PickupAndDelivery,
    VehicleRouting,
    problem_from_file,
)
from metaheur.problems.solutions import solution_from_file
from tests.benchmarks.choice_processes import Place, places_on
from tests.benchmarks.comparison import fitted, timed
from tests.benchmarks.processor_clock import environment, today
from tests.benchmarks.records import Record, device
from tests.benchmarks.rival_fleets import routed_by_fleets_of_pyvrp, routed_with_pickups_by_pyvrp
from tests.benchmarks.rival_routers import routed_by_ortools, routed_by_vroom
from tests.benchmarks.rival_routes import (
    routed,
    routed_by_pyvrp,
    routed_in_time_by_pyvrp,
    routed_in_trips_by_pyvrp,
)

Routed = VehicleRouting | VRPTW | MultiTripRouting | FleetRouting | PickupAndDelivery
"""The problems of the files."""


def by_giant_tours(problem: Routed, seconds: float, seed: int) -> float:
    """The length by giant tours, of instances without windows of time."""
    return routed(problem.giant_tour, seconds, seed) if isinstance(problem, VehicleRouting) else inf


def by_pyvrp(problem: Routed, seconds: float, seed: int) -> float:
    """The length of PyVRP's routes."""
    if isinstance(problem, MultiTripRouting):
        return routed_in_trips_by_pyvrp(problem, seconds, seed)
    if isinstance(problem, FleetRouting):
        return routed_by_fleets_of_pyvrp(problem, seconds, seed)
    if isinstance(problem, PickupAndDelivery):
        return routed_with_pickups_by_pyvrp(problem, seconds, seed)
    if isinstance(problem, VRPTW):
        return routed_in_time_by_pyvrp(problem, seconds, seed)
    return routed_by_pyvrp(problem, seconds, seed)


ON_A_GPU: Final = "metaheur with a GPU"

OURS: dict[str, Callable[..., float]] = {
    "metaheur": routed,
    ON_A_GPU: partial(routed, device="auto"),
    "giant tours": by_giant_tours,
}
PROGRAMS: dict[str, tuple[str, Callable[..., float]]] = {
    **{name: ("metaheur", program) for name, program in OURS.items()},
    "pyvrp": ("pyvrp", by_pyvrp),
    "ortools": ("ortools", lambda problem, seconds, _: routed_by_ortools(problem, seconds)),
    "vroom": ("vroom", lambda problem, seconds, _: routed_by_vroom(problem, seconds)),
}
"""The module that each program needs, and the program: a problem, seconds and a seed give the length of its routes."""

TITLE: Final = "behind the best known routes after equal time, in per cent, the median of seeds"

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


def row(path: str, seed: int, seconds: float, name: str) -> dict[str, Any]:
    """What a program finds."""
    problem, program = read(path), PROGRAMS[name][1]
    if name == ON_A_GPU:
        deque(warm(problem, "auto"), 0)  # compiles what a trial compares, too
    if name in OURS:
        program(problem, min(1.0, seconds), seed)  # compiles
    if name in OURS and name != ON_A_GPU:
        spent, length = fitted(partial(program, seed=seed), problem, seconds)
    else:
        spent, length = timed(program, problem, seconds, seed)
    key = {"instance": Path(path).name, "set": Path(path).parent.name, "seed": seed, "program": name, "limit": seconds}
    found = float(problem.displayed(int(length))) if length < inf else None
    return {**key, "seconds": round(spent, 3), "length": found}


def key_of(row: dict[str, Any]) -> Key:
    """What a row is about."""
    return row["instance"], row["seed"], row["program"], row["limit"]


def known(path: str) -> float | None:
    """The best known length, if a file of a solution is beside the instance's."""
    solution = Path(path).with_suffix(".sol")
    if not solution.exists():
        return None
    problem, stated, x = solution_from_file(solution, read(path))
    of_its_own = isinstance(problem, MultiTripRouting | FleetRouting)  # tables have other units
    return float(problem.displayed(problem.cost(x)) if of_its_own else stated)


def asked(paths: Sequence[str], options: argparse.Namespace) -> Iterator[tuple[str, int, float, str]]:
    """The file, seed, limit and program of all rows, the most wanted first."""
    for seconds, seeds in zip(options.seconds, options.seeds, strict=True):
        for seed in range(1, seeds + 1):
            for path in paths:
                for name in options.programs:
                    if seed == 1 or name not in SEEDLESS:
                        yield path, seed, seconds, name


def made(paths: Sequence[str], options: argparse.Namespace, record: dict[str, Any]) -> None:
    """Make the rows that are missing, a process a core, and save the record after each."""
    done, ends = {key_of(row) for row in record["rows"]}, monotonic() + 60 * options.minutes
    here, cards = sorted(os.sched_getaffinity(0)), cards_here() if ON_A_GPU in options.programs else []
    places = places_on(here, min(options.jobs, len(here)), 0, len(cards))
    alone, beside = (lent(each for each in places if (each.gpu is None) == one_core) for one_core in (True, False))
    known = dict(os.environ) if options.wall else environment()  # compiles once

    def one(path: str, seed: int, seconds: float, name: str) -> dict[str, Any] | None:
        if (Path(path).name, seed, name, seconds) in done:
            return None
        free = beside if name == ON_A_GPU else alone
        place = free.get()
        os.sched_setaffinity(0, place.cores)  # of this thread, and of the process that it begins
        command = [sys.executable, "-m", "tests.benchmarks.routing", path, "--seconds", str(seconds)]
        command += ["--one", str(seed), "--programs", name, *(["--wall"] if options.wall else [])]
        card, variables = ("", known) if place.gpu is None else (cards[place.gpu], dict(os.environ))
        try:
            if (left := ends - monotonic()) < 1.05 * seconds + 2:
                return None
            found = subprocess.run(
                command,
                env={**variables, "CUDA_VISIBLE_DEVICES": card},
                capture_output=True,
                text=True,
                check=False,
                timeout=None if left == inf else left,
            )
        except subprocess.TimeoutExpired:
            return None
        finally:
            free.put(place)
        lines = [line for line in found.stdout.splitlines() if line.startswith("{")]
        if not lines:
            print(f"{name} failed on {path}, seed {seed}: {found.stderr[-2000:]}", file=sys.stderr, flush=True)
        return json.loads(lines[-1]) if lines else None

    with ThreadPoolExecutor(options.jobs) as pool, ThreadPoolExecutor(max(1, len(cards))) as with_gpus:
        tasks = [(with_gpus if each[-1] == ON_A_GPU else pool).submit(one, *each) for each in asked(paths, options)]
        for task in as_completed(tasks):
            if error := task.exception():
                print(f"not run: {error!r}", file=sys.stderr, flush=True)
            elif row := task.result():
                record["rows"].append(row)
                saved(record, options.save)
                print(
                    f"{row['limit']:g} s {row['instance']} {row['seed']} {row['program']} {row['length']}", flush=True
                )


def cards_here() -> list[str]:
    """The GPUs that this process may use, as CUDA names them."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return visible.split(",")[: gpus()] if visible else list(map(str, range(gpus())))


def lent(places: Iterable[Place]) -> SimpleQueue[Place]:
    """Places that are lent one by one."""
    found: SimpleQueue[Place] = SimpleQueue()
    for each in places:
        found.put(each)
    return found


def saved(record: dict[str, Any], path: Path) -> None:
    """Write the record at once, so that a reader finds it whole."""
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps(record, indent=0) + "\n", encoding="utf-8")
    draft.replace(path)


def table(record: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """By limit and instance, how far each program is behind the best known length, the median of its seeds in per cent.

    Only seeds that all programs have count, where they have one in common. Without a best known length, the shortest
    routes of the record count. A program that found no routes is "none". Medians are of instances that all programs
    with seeds have that ran for so long.
    """
    names = programs_of(record["rows"])
    for limit in sorted({row["limit"] for row in record["rows"]}):
        rows = [row for row in record["rows"] if row["limit"] == limit]
        seeded = [name for name in programs_of(rows) if name not in SEEDLESS]
        gaps: dict[str, list[dict[str, float]]] = {}
        for folder, instance in sorted({(row.get("set", ""), row["instance"]) for row in rows}):
            found = gaps_of(record, instance, limit)
            middle = {name: median(each.values()) for name, each in found.items()}
            if all(name in middle for name in seeded):
                for group in (folder, "all sets"):
                    gaps.setdefault(group, []).append(middle)
            seeds = str(max(map(len, found.values())))
            yield f"{Path(instance).stem}, {limit:g} s", *(shown(middle.get(name)) for name in names), seeds
        for group, each in sorted(gaps.items()):
            middles = [[one[name] for one in each if name in one] for name in names]
            texts = (shown(median(one)) if one else "" for one in middles)
            yield f"median of {len(each)}, {group}, {limit:g} s", *texts, ""


def programs_of(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The programs of some rows."""
    return [name for name in PROGRAMS if any(row["program"] == name for row in rows)]


def shown(gap: float | None) -> str:
    """A gap in per cent."""
    return "" if gap is None else f"{gap:.2f}" if gap < inf else "none"


def gaps_of(record: dict[str, Any], instance: str, limit: float) -> dict[str, dict[int, float]]:
    """By program and seed, how far it is behind the best known length, in per cent."""
    own = [row for row in record["rows"] if row["instance"] == instance]
    lengths = [row["length"] for row in own if row["length"] is not None]
    best = record["known"].get(instance) or min(lengths, default=1)
    found: dict[str, dict[int, float]] = {}
    for row in own:
        if row["limit"] == limit:
            length = inf if row["length"] is None else row["length"]
            found.setdefault(row["program"], {})[row["seed"]] = 100 * (length / best - 1)
    with_seeds = [set(each) for name, each in found.items() if name not in SEEDLESS]
    common = set.intersection(*with_seeds) if with_seeds else set()
    return {
        name: {seed: gap for seed, gap in each.items() if name in SEEDLESS or not common or seed in common}
        for name, each in found.items()
    }


def columns(record: dict[str, Any]) -> tuple[str, ...]:
    """The heads of the table."""
    return "instance, limit", *programs_of(record["rows"]), "seeds"


def command(words: Sequence[str]) -> str:
    """The line of shell that measures the same: all arguments but files, and the minutes."""
    given = argparse.ArgumentParser()
    for name in ("--minutes", "--save", "--record"):
        given.add_argument(name)
    given.add_argument("--table", action="store_true")
    kept = [word for word in given.parse_known_args(words)[1] if not word.endswith((".sol", ".txt", ".vrp"))]
    return f"make routing ARGS='FILES {' '.join(kept)}'"


def programs_here() -> list[str]:
    """The programs that are installed; that with a GPU only runs where it is named."""
    return [name for name in PROGRAMS if name != ON_A_GPU and find_spec(PROGRAMS[name][0])]


def main(arguments: Sequence[str]) -> None:
    """Run the programs on the files of instances, or one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--seconds", type=float, nargs="+", default=[10.0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[5], help="how many, for each limit or for all")
    parser.add_argument("--sets", nargs="+", help="only files in folders of these names")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=inf, help="end by then, on the wall")
    parser.add_argument("--wall", action="store_true", help="the clock on the wall, for idle cores")
    parser.add_argument("--programs", nargs="+", default=programs_here())
    parser.add_argument("--save", type=Path, default=Path("routing.json"))
    parser.add_argument("--one", type=int, help="a seed: run here, and print rows")
    parser.add_argument("--table", action="store_true", help="print what the file says")
    parser.add_argument("--record", type=Path, help="write what the file says as a record for a page")
    options = parser.parse_args(arguments)
    if options.one is not None:
        print(json.dumps(row(options.paths[0], options.one, options.seconds[0], options.programs[0])), flush=True)
        return
    if ON_A_GPU in options.programs and not gpus():
        parser.error(f'"{ON_A_GPU}" needs a GPU and CuPy.')
    if ON_A_GPU in options.programs and options.jobs + gpus() > len(os.sched_getaffinity(0)):
        parser.error(f'"{ON_A_GPU}" needs a core for each GPU beside those of --jobs.')
    if len(options.seeds) == 1:
        options.seeds *= len(options.seconds)
    if len(options.seeds) != len(options.seconds):
        parser.error(f"{len(options.seconds)} limits need as many numbers of seeds, or one, but not {options.seeds}")
    paths = [each for each in options.paths if not each.endswith(".sol")]
    paths = [each for each in paths if not options.sets or Path(each).parent.name in options.sets]
    record: dict[str, Any] = {"rows": [], "known": {}}
    if options.save.exists():
        record = json.loads(options.save.read_text(encoding="utf-8"))
    clock = ", clock on the wall" if options.wall else ""
    record |= {"date": today(), "machine": f"{processor()}, {options.jobs} processes{clock}"}
    for path in paths:
        if Path(path).name not in record["known"] and (length := known(path)) is not None:
            record["known"][Path(path).name] = length
    if paths:
        made(paths, options, record)
        saved(record, options.save)
    if options.table or not options.paths:
        print(*(f"| {' | '.join(row)} |" for row in table(record)), sep="\n")
    if options.record:
        saved_as = Record(TITLE, command(arguments), today(), device(), columns(record), tuple(table(record)))
        saved_as.save(options.record)


if __name__ == "__main__":
    main(sys.argv[1:])
