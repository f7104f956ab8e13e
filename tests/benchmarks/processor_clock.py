"""Programs whose clocks are the processor time of their process, so that a busy machine changes little.

``python -m tests.benchmarks.processor_clock PROGRAM ARGUMENTS`` runs a module of Python on one core in this way: every
clock that it reads, in Python or in a library of another package, tells the processor time of its process. A limit of
five seconds then is five seconds of a core, whatever else runs.
"""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

__all__ = ["environment", "on_one_core", "today"]

DATE = "METAHEUR_BENCHMARK_DATE"
"""The variable with the date on which a program was started."""

SOURCE = Path(__file__).with_suffix(".c")


def environment() -> dict[str, str]:
    """The variables of such a program; compiles the library that they name."""
    library = Path(__file__).resolve().parents[2] / "build" / "processor_clock.so"
    if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
        library.parent.mkdir(exist_ok=True)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", str(SOURCE), "-o", str(library), "-ldl"], check=True)
    return {**os.environ, "LD_PRELOAD": str(library), "OMP_NUM_THREADS": "1", DATE: today()}


def today() -> str:
    """The date, as 2026-11-28; such a program has it from the process that started it, as its clock begins in 1970."""
    return os.environ.get(DATE) or str(date.today())


def on_one_core(module: str, *arguments: str) -> int:
    """Run a module on one core, by the processor time of its process; returns its exit status."""
    core = min(os.sched_getaffinity(0))
    line = [sys.executable, "-m", module, *arguments]
    return subprocess.run(
        line, env=environment(), preexec_fn=lambda: os.sched_setaffinity(0, {core}), check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(on_one_core(*sys.argv[1:]))
