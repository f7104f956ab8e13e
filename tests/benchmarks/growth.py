"""How time and memory grow: each shipped problem at three sizes, on one core, by the processor's clock.

``python -m tests.benchmarks.growth --jobs 8 --save`` measures all problems; ``--only TEXT`` those whose names hold a
text: with ``--save``, their rows alone are renewed in the records. ``--seconds 20`` is the limit of a descent,
``--minutes 4`` of a size, ``--memory 22`` that of its memory in GiB. Each size has a process of its own, so that one
that ends for want of memory takes no other with it. The record `growth` has a row for each size, `growth_exponents` one
for each problem: by which power of the number of items time and memory grow between the larger two sizes.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import log
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from attrs import evolve

from metaheur import run, stop
from metaheur.device.session import copies_of
from metaheur.machine import pace
from metaheur.machine.pace import TimeBudget
from metaheur.parallel import IterationLevel
from metaheur.problem import Constructs
from metaheur.runners.walk_memory import WalkMemory
from tests.benchmarks.growth_problems import PROBLEMS, Growing
from tests.benchmarks.processor_clock import today
from tests.benchmarks.records import MEASURED, Record, arguments, device, report

BUILD, FIRST, DESCENT, WALK, MEMORY = STEPS = (
    "read or build, s",
    "first solution, s",
    "local optimum, s",
    "bytes a walk and item",
    "memory, GiB",
)
SHARE = "share of a scan"

SHORTEST = 0.05
"""Seconds below which nothing is told about growth."""

Found = dict[str, float]


def measured(growing: Growing, n: int, seconds: float) -> Iterator[tuple[str, float]]:
    """The steps at one size, each with its number; of a descent that was broken off the moves by those of a scan."""
    with tempfile.TemporaryDirectory() as folder:
        problem, spent = timed(growing.draw(n, Path(folder)))
    yield BUILD, spent
    start = "construct" if isinstance(problem, Constructs) else None
    model = IterationLevel("host", threads=1)
    search, prepared = timed(lambda: growing.search(problem))
    walks = watched()
    first, spent = timed(lambda: run(search, problem, stop=stop.seconds(0), start=start, seed=1, parallel=model))
    yield FIRST, spent
    if walks:
        yield WALK, bytes_of(walks[-1]) / n
    limit = stop.seconds(max(0.1, seconds - prepared))
    done, spent = timed(lambda: run(search, problem, stop=limit, start=first.solution, seed=1, parallel=model))
    if done.stopped_by != "seconds":
        yield DESCENT, prepared + spent
    elif search.neighborhoods:
        yield SHARE, done.evaluated / search.neighborhoods[0].size(problem.representation)
    yield MEMORY, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What some work returns, and its seconds, compiling left out."""
    budget, began = TimeBudget(), process_time()
    made = work()
    return made, process_time() - began - budget.compile_seconds


def watched() -> list[WalkMemory]:
    """The memories of walks that are made from now on."""
    found, require = list[WalkMemory](), WalkMemory._require

    def noted(self: WalkMemory, workers: int, problem: str) -> None:
        found.append(self)
        require(self, workers, problem)

    WalkMemory._require = noted  # type: ignore[method-assign]
    return found


def bytes_of(memory: WalkMemory) -> int:
    """The bytes of one walk: its solution, the best one, and what is kept beside them."""
    arrays = (each for each in memory.session.arrays.values() if each.values is None and not each.scratch)
    kept = sum(copies_of(each, 1, 1, tabulates=memory.tabulates) * each.nbytes(memory.device) for each in arrays)
    return kept + 2 * memory.space.length * memory.space.dtype.itemsize


# ---- a process for each size ----


def one(name: str, n: int, seconds: float, memory: float) -> None:
    """Measure one size within so many GiB; a line of JSON for each step, so that those before an end remain."""
    resource.setrlimit(resource.RLIMIT_AS, (int(memory * 2**30),) * 2)
    pace.perf_counter = process_time  # type: ignore[attr-defined, assignment, unused-ignore]
    try:
        for step, number in measured(PROBLEMS[name], n, seconds):
            print(json.dumps([step, number]), flush=True)
    except Exception as error:
        print(json.dumps([f"{type(error).__name__}: {error}"[:200], 0.0]), flush=True)


def apart(name: str, n: int, options: Mapping[str, float]) -> Found:
    """The steps of one size, measured by another process; what ended it is a step, too."""
    words = [name, str(n), str(options["seconds"]), str(options["memory"])]
    line = [sys.executable, "-m", "tests.benchmarks.growth", "--one", *words]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            text, _ = process.communicate(timeout=60 * options["minutes"])
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
            text += json.dumps([f"{options['minutes']:g} minutes", 0.0]) + "\n"
    found = {str(step): float(number) for step, number in map(json.loads, text.splitlines())}
    if process.returncode > 0:
        found[f"exit status {process.returncode}"] = 0.0
    print(f"{name}, {n:,}: {found}", file=sys.stderr, flush=True)
    return found


def row(name: str, n: int, found: Found, seconds: float) -> str:
    """The row of one size."""
    cells = [f"{found[step]:.3g}" if step in found else "" for step in STEPS]
    ended = next((step for step in found if step not in (*STEPS, SHARE)), "")
    place = STEPS.index(DESCENT)
    if found.get(SHARE):
        cells[place] = f"> {seconds:g}: {found[SHARE]:.2g} of a scan"
    elif ended:
        cells[place] = " ".join(ended.replace("|", "/").split())
    elif DESCENT not in found:
        cells[place] = f"> {seconds:g}"
    return f"| {name} | {n:,} | {' | '.join(cells)} |"


def exponent(sizes: tuple[int, ...], numbers: list[float | None], least: float) -> str:
    """The power of n by which a number grows between the last two sizes that have one of at least so much."""
    known = [(n, number) for n, number in zip(sizes, numbers, strict=True) if number is not None and number >= least]
    if len(known) < 2:
        return ""
    (n, low), (m, high) = known[-2:]
    return f"{log(high / low) / log(m / n):.1f}"


def exponents(name: str, sizes: tuple[int, ...], found: list[Found]) -> str:
    """The row of one problem."""
    columns = {step: [each.get(step) for each in found] for step in (*STEPS, SHARE)}
    cells = [exponent(sizes, columns[step], SHORTEST if step.endswith("s") else 0.0) for step in STEPS[:3]]
    walk = [None if each is None else each * n for n, each in zip(sizes, columns[WALK], strict=True)]
    return f"| {name} | {' | '.join([*cells, exponent(sizes, walk, 0.0)])} |"


def renewed(record: Record, lines: Sequence[str], remark: str) -> Record:
    """A record with these rows instead of its own ones with the same names, and a remark on where they are from."""
    rows = [each.removeprefix("| ").removesuffix(" |").split(" | ") for each in lines]
    names = {each[0] for each in rows}
    place = next((k for k, each in enumerate(record.rows) if each[0] in names), len(record.rows))
    others = [each for each in record.rows if each[0] not in names]
    return evolve(record, rows=(*others[:place], *rows, *others[place:]), device=f"{record.device}; {remark}")


@pytest.mark.thorough
def test_a_size_has_all_steps() -> None:
    found = dict(measured(PROBLEMS["MaxCut"], 1000, 5.0))
    assert found.keys() == {*STEPS}
    assert "| MaxCut | 1,000 | " in row("MaxCut", 1000, found, 5.0)
    assert exponent((10, 100), [1.0, 100.0], 0.0) == "2.0"


def test_rows_of_some_problems_are_renewed() -> None:
    record = Record("t", "c", "d", "here", ("problem", "n"), (("a", "1"), ("b", "1"), ("c", "1")))
    found = renewed(record, ["| b | 1 |", "| b | 2 |"], "b: there")
    assert found.rows == (("a", "1"), ("b", "1"), ("b", "2"), ("c", "1"))
    assert found.device == "here; b: there"


def main() -> None:
    """Measure the problems that are asked for."""
    words = arguments()
    if "--one" in words:
        name, n, seconds, memory = words[words.index("--one") + 1 :]
        one(name, int(n), float(seconds), float(memory))
        return

    def given(option: str, usual: Any) -> Any:
        return type(usual)(words[words.index(option) + 1]) if option in words else usual

    options = {
        name: given(f"--{name}", usual) for name, usual in (("seconds", 20.0), ("minutes", 4.0), ("memory", 22.0))
    }
    only, shrink = given("--only", ""), given("--shrink", 1)
    works = {
        name: tuple(n // shrink for n in growing.sizes)
        for name, growing in PROBLEMS.items()
        if only.lower() in name.lower()
    }
    with ThreadPoolExecutor(given("--jobs", 2)) as pool:
        largest_first = sorted(((n, name) for name, sizes in works.items() for n in sizes), reverse=True)
        futures = {(name, n): pool.submit(apart, name, n, options) for n, name in largest_first}
        found = {key: future.result() for key, future in futures.items()}
    rows = [
        row(f"{name}, {PROBLEMS[name].items}", n, found[name, n], options["seconds"])
        for name in works
        for n in works[name]
    ]
    powers = [exponents(name, sizes, [found[name, n] for n in sizes]) for name, sizes in works.items()]
    if only and "--save" in sys.argv:
        for place, lines in ((MEASURED / "growth.json", rows), (MEASURED / "growth_exponents.json", powers)):
            renewed(Record.read(place), lines, f"{only}: {device()}, {today()}").save(place)
        return
    report("growth", "time and memory at three sizes", ("problem", "n", *STEPS), rows)
    report("growth_exponents", "the power of n by which they grow", ("problem", *STEPS[:3], "a walk"), powers)


if __name__ == "__main__":
    main()
