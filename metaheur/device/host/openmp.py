"""OpenMP: whether the compiler makes threads, and whether this process can still use them.

GNU's OpenMP keeps its threads from one parallel region to the next. A forked process inherits the list of threads but
not the threads: its first parallel region would wait for them for ever. Entries of such a process run in one thread,
which changes no result.

Threads that wait for each other sleep. GNU's OpenMP would let them spin, which on cores that others use takes the time
of the thread that they wait for (the page "Parallel models" has the figures).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from attrs import define

from metaheur.device.host.compiler import Compiler, find_compiler
from metaheur.device.host.library import build
from metaheur.errors import CompileError, DeviceError
from metaheur.machine.pace import compiling

__all__ = ["forked_after_openmp", "has_openmp", "require_threads"]

PROBE = """#include <omp.h>
extern "C" __attribute__((visibility("default"))) int probe() {
    int threads = 0;
#pragma omp parallel num_threads(1) reduction(+ : threads)
    threads += 1;
    return threads;
}
"""
GNU = "libgomp.so.1"


@define
class _Process:
    """What is known of this process: whether it was `forked` from one into which GNU's OpenMP had been loaded."""

    forked: bool = False

    def notice(self) -> None:
        """Look, right after a fork, whether the parent had loaded GNU's OpenMP, whose threads are then gone."""
        try:
            ctypes.CDLL(GNU, mode=os.RTLD_NOW | os.RTLD_NOLOAD)
        except OSError:
            return
        self.forked = True


_PROCESS = _Process()
os.register_at_fork(after_in_child=_PROCESS.notice)


def forked_after_openmp() -> bool:
    """Whether this process was forked after OpenMP was loaded, by metaheur or another package, and lacks its threads.

    False in processes that `multiprocessing` starts by "spawn" or "forkserver", which begin anew.
    """
    return _PROCESS.forked


@compiling()
def has_openmp() -> bool:
    """Whether units may use several threads in this process: the compiler builds OpenMP code that loads and runs."""
    return not forked_after_openmp() and _runs(find_compiler())


@cache
def _runs(compiler: Compiler) -> bool:
    """Whether the compiler's OpenMP code loads and runs: some build what does not load."""
    try:
        with _sleeping_threads():
            return int(ctypes.CDLL(str(build(PROBE, ("-fopenmp",)))).probe()) >= 1
    except (CompileError, OSError):
        return False


WAITING = {"OMP_WAIT_POLICY": "passive", "GOMP_SPINCOUNT": "2000"}
"""How threads wait: they sleep after some microseconds."""


@contextmanager
def _sleeping_threads() -> Iterator[None]:
    """An environment in which an OpenMP library that is loaded makes threads sleep, unless the user says otherwise.

    Before a thread sleeps, GNU's library lets it look a short time for work, which threads that share short steps need.
    """
    if any(name in os.environ for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")):
        yield
        return
    os.environ.update(WAITING)
    try:
        yield
    finally:
        for name in WAITING:
            os.environ.pop(name, None)  # another thread may have been first


def require_threads() -> None:
    """Refuse to run entries with OpenMP where they would wait for ever."""
    if forked_after_openmp():
        raise DeviceError(
            "This unit was loaded before the process was forked. The forked process lacks its OpenMP threads, "
            "and would wait for them for ever.",
            'begin the run in the forked process, or start processes by multiprocessing.get_context("forkserver").',
        )
