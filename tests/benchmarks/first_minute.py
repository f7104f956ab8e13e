"""What a newcomer waits for: `metaheur solve` with an empty cache, from the command to the answer.

``python -m tests.benchmarks.first_minute`` runs the same commands as a user, each with caches of its own, then once
more with what the first run has compiled. A script in place of the compiler notes its processor seconds; units for a
GPU are not among them. ``--gpu`` is for a machine that has one: each command as it is, and with ``--parallel cuda``;
the units for the GPU are counted, and the seconds on the clock in which the command waited for a compiler. Names of
lines may follow, such as "a module:object, n = 40". The variable METAHEUR_DATA names the folder of the instances.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import final

from attrs import frozen

from tests.benchmarks.records import report

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 5
OWN = """
import numpy as np
from attrs import frozen
from metaheur import Permutation, Problem, compiled, data

@frozen(eq=False)
class LinearOrdering(Problem):
    maximise = True
    weights: np.ndarray = data("int32", ndim=2)

    @property
    def representation(self):
        return Permutation(len(self.weights))

    @compiled
    def cost(self, x):
        return -sum(self.weights[x[k], b] for k in range(self.n) for b in x[k + 1 :])

problem = LinearOrdering(np.random.default_rng(1).integers(0, 100, (40, 40)))
"""
NOTING = """#!{python}
import resource, subprocess, sys
code = subprocess.run(["c++", *sys.argv[1:]]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if any(each.endswith("unit.cpp") for each in sys.argv):
    open("{notes}", "a").write(f"{{used.ru_utime + used.ru_stime}}\\n")
sys.exit(code)
"""
CASES = {
    "tai30a": ("qaplib/tai30a.dat",),
    "pcb442": ("tsplib/pcb442.tsp",),
    "tai50_10, the first": ("flowshop/taillard_original/tai50_10.txt",),
    "a knapsack of 100": ("knapsack/pisinger_csv/knapPI_11_100_1000.csv",),
    "DSJC125.5, 17 colors": ("gcp/DSJC125.5.col", "--k", "17"),
    "a module:object, n = 40": ("mine:problem",),
}


@final
@frozen
class Solved:
    """A run of the command.

    `first`, `search`, `whole`: seconds on the clock until the first cost, until the first cost of a search, and in all.
    `waited`: those in which it waited for a compiler. `processor`: processor seconds.
    """

    first: float
    search: float
    whole: float
    waited: float
    processor: float


def solved(folder: Path, *arguments: str) -> Solved:
    """Run the command with the caches of a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "METAHEUR_CACHE": str(folder / "cache")}
    environment["METAHEUR_CXX"] = str(folder / "c++")
    environment["CUPY_CACHE_DIR"] = str(folder / "cupy")
    began, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "metaheur", "solve", *arguments, "--seconds", str(SECONDS), "--format", "json"]
    at: list[float] = []
    with subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stderr is not None
        assert run.stdout is not None
        for line in run.stderr:
            if b" s  " in line:
                at.append(perf_counter() - began)
        answer = run.stdout.read()
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, command)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    whole = perf_counter() - began
    return Solved(at[0], at[1] if len(at) > 1 else whole, whole, float(json.loads(answer)["compile_seconds"]), spent)


def twice(name: str, *more: str) -> tuple[Solved, Solved, list[float], int]:
    """A problem with empty caches, and once more with these; the seconds of its units, and how many a GPU has."""
    instance, *options = CASES[name]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "mine.py").write_text(OWN, encoding="utf-8")
        (folder / "notes").touch()
        (folder / "c++").write_text(NOTING.format(python=sys.executable, notes=folder / "notes"), encoding="utf-8")
        (folder / "c++").chmod(0o700)
        path = instance if ":" in instance else str(Path(os.environ["METAHEUR_DATA"]) / instance)
        cold = solved(folder, path, *options, *more)
        units = [float(line) for line in (folder / "notes").read_text(encoding="utf-8").split()]
        binaries = len(list((folder / "cache").rglob("*.cubin")))
        return cold, solved(folder, path, *options, *more), units, binaries


def rows(names: Sequence[str]) -> Iterator[str]:
    """A row for each problem of these names."""
    for name in names:
        cold, warm, units, _ = twice(name)
        numbers = f"{sum(units):.1f} | {max(units):.1f} | {cold.first:.1f} | {cold.search:.1f} | {warm.search:.1f}"
        yield f"| {name} | {len(units)} | {numbers} | {cold.whole:.1f} | {cold.processor:.1f} |"


def rows_beside_a_gpu(names: Sequence[str]) -> Iterator[str]:
    """Two rows for each problem of these names: what solve chooses, and the GPU."""
    for name in names:
        for words, options in (("", ()), (", on the GPU", ("--parallel", "cuda"))):
            try:
                cold, warm, units, binaries = twice(name, *options)
            except subprocess.CalledProcessError:  # one core proves a knapsack, and no GPU
                yield f"| {name}{words} | refused | | | | | | | |"
                continue
            numbers = f"{cold.waited:.1f} | {cold.first:.1f} | {cold.search:.1f} | {warm.search:.1f}"
            yield f"| {name}{words} | {len(units)} | {binaries} | {numbers} | {cold.whole:.1f} | {warm.whole:.1f} |"


def main() -> None:
    """Print the table."""
    named = [each for each in sys.argv[1:] if each in CASES] or list(CASES)
    head = f"`metaheur solve FILE --seconds {SECONDS}`, an empty cache"
    times = ("first cost, s", "of a search, s", "the same, warm", "whole, s")
    if "--gpu" in sys.argv:
        columns = (head, "units", "for the GPU", "waited for compilers, s", *times, "whole, warm")
        report(
            "first_minute_gpu", "the first minute beside a GPU: seconds on the clock", columns, rows_beside_a_gpu(named)
        )
        return
    columns = (head, "units", "compiling, processor s", "largest unit", *times, "processor s")
    title = "the first minute: seconds on the clock, but where processor seconds are named"
    report("first_minute", title, columns, rows(named))


if __name__ == "__main__":
    main()
