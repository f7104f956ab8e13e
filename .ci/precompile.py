"""Machine code for a GPU, made where there is none: `python .ci/precompile.py NVRTC PAPER/TABLE[/ROWS] ...`.

NVRTC: the library of the version that the GPU's machine has, such as libnvrtc.so.13 of the wheel nvidia-cuda-nvrtc; its
folder must be in LD_LIBRARY_PATH. PAPER/TABLE: the runs of `metaheur reproduce PAPER --table TABLE`, or of a figure
behind an f: luong2011-multistart/f2. The units go into METAHEUR_CACHE, which is then carried to that machine.

A module that launches nothing stands in for CuPy, with the facts of an H200; runs by it end at once, with an error.
"""

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from metaheur import run, stop
from metaheur.device.cuda import binary, cuda
from metaheur.errors import MetaheurError
from metaheur.problem import Problem
from metaheur.report.papers.columns import Planned
from metaheur.report.papers.paper import chosen_tables

FACTS = {"MultiProcessorCount": 132, "MaxSharedMemoryPerBlockOptin": 232_448, "MaxThreadsPerMultiProcessor": 2048}
LONGEST = 20.0
"""Seconds after which a run by the stand-in is left alone: it waits for a kernel that never comes."""


class Entries(np.ndarray):
    """An array as CuPy's."""

    def get(self) -> np.ndarray:
        return np.array(self)

    def set(self, values: np.ndarray) -> None:
        self[...] = values

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)


class Kernel:
    """A kernel that does nothing."""

    max_dynamic_shared_size_bytes = 0
    kernel = SimpleNamespace(ptr=1)

    def __call__(self, *arguments: Any, **options: Any) -> None:
        pass


class Card:
    """A GPU of compute capability 9.0."""

    compute_capability = "90"
    attributes = FACTS

    def __init__(self, index: int = 0) -> None:
        self.id = index

    def use(self) -> None:
        pass

    def __enter__(self) -> "Card":
        return self

    def __exit__(self, *error: object) -> None:
        pass


def stand_in(count: int, version: tuple[int, int], compiled: Callable[[str], bytes]) -> Any:
    """What `import cupy` gives elsewhere: so many GPUs, and the compiler of such a version."""
    runtime = SimpleNamespace(
        getDeviceCount=lambda: count,
        getDeviceProperties=lambda index: {"name": b"NVIDIA H200"},
        driverGetVersion=lambda: 13_000,
        memGetInfo=lambda: (10**11, 10**11),
        cudaResourceTypeLinear=2,
    )
    nothing = SimpleNamespace(record=lambda: None, synchronize=lambda: None, use=lambda: None, done=True, ptr=1)
    texture = SimpleNamespace(
        ChannelFormatDescriptor=lambda *_: nothing,
        ResourceDescriptor=lambda *_, **__: nothing,
        TextureObject=lambda *_: nothing,
        TextureDescriptor=lambda: nothing,
    )
    card = SimpleNamespace(
        runtime=runtime,
        Device=Card,
        Event=lambda: nothing,
        Stream=lambda: nothing,
        texture=texture,
        get_elapsed_time=lambda begin, end: 0.01,
        get_current_stream=lambda: nothing,
        alloc_pinned_memory=bytearray,
        driver=SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda *_: 4),
        nvrtc=SimpleNamespace(getVersion=lambda: version),
        compiler=SimpleNamespace(compile_using_nvrtc=lambda text, _: (compiled(text), ""), CompileException=OSError),
    )
    return SimpleNamespace(
        cuda=card,
        __version__="14.2.0",
        asarray=lambda values: np.array(values).view(Entries),
        zeros=lambda count, dtype: np.zeros(count, dtype).view(Entries),
        RawModule=lambda **_: SimpleNamespace(get_function=lambda name: Kernel()),
        get_default_memory_pool=lambda: SimpleNamespace(free_bytes=lambda: 0),
    )


def install(module: Any) -> None:
    """Let this process see the stand-in."""
    room: Any = cuda
    room._with_gpus = cache(lambda: module)
    room.allow_large_clusters = lambda kernel: None
    room.clusters_together = lambda kernel, blocks, threads, shared: FACTS["MultiProcessorCount"] // blocks


def attempt(planned: Planned, problem: Problem) -> None:
    """Begin a run, which compiles its units, and leave it."""

    def begun() -> None:
        with suppress(MetaheurError, ArithmeticError, LookupError, ValueError):
            run(
                planned.search,
                problem,
                stop=stop.seconds(0.2) | stop.iterations(1),
                start=planned.start,
                parallel=planned.model,
            )

    thread = threading.Thread(target=begun, daemon=True)
    thread.start()
    thread.join(LONGEST)


def plans(names: str, gpus: int) -> Iterator[tuple[str, Planned, Problem]]:
    """The runs on GPUs of a table, such as "luong2009/4/rat*"."""
    paper, number, *rows = names.split("/")
    place = {"figure": int(number[1:])} if number.startswith("f") else {"table": int(number)}
    for table in chosen_tables(paper, **place, rows=rows[0] if rows else "*"):
        for row in table.matching(rows[0] if rows else "*"):
            for problem in table.problems(row):
                for name, plan in table.plans.items():
                    planned = plan(row, problem)
                    if 0 < planned.gpus <= gpus:
                        yield f"{paper}, {table.name}, {row}, {name}", planned, problem


def compiler(path: str) -> tuple[tuple[int, int], Callable[[str], bytes]]:
    """The version of a library of NVRTC, and what it makes of a unit."""
    nvrtc = ctypes.CDLL(path)
    major, minor = ctypes.c_int(), ctypes.c_int()
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    options = [each.encode() for each in (*binary.OPTIONS, "-arch=sm_90")]

    def compiled(text: str) -> bytes:
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"unit.cu", 0, None, None)
        if nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)):
            nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
            log = ctypes.create_string_buffer(size.value)
            nvrtc.nvrtcGetProgramLog(program, log)
            raise SystemExit(log.value.decode())
        nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size))
        code = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetCUBIN(program, code)
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
        return code.raw

    return (major.value, minor.value), compiled


def main(path: str, *tables: str, gpus: int = 2) -> None:
    """Compile what the runs of tables need."""
    version, compiled = compiler(str(Path(path)))
    install(stand_in(gpus, version, compiled))
    for names in tables:
        for told, planned, problem in plans(names, gpus):
            attempt(planned, problem)
            print(told, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
