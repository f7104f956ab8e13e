"""The least time of a resident step on a GPU: an empty one, in a warp, a block, and a cluster of blocks.

``python -m tests.benchmarks.floor [--save]`` takes some seconds on a GPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

from metaheur.device.cuda.binary import OPTIONS
from metaheur.device.cuda.clusters import PORTABLE, allow_large_clusters
from metaheur.device.cuda.cuda import cupy
from tests.benchmarks.records import report

SOURCE: Final = Path(__file__).with_suffix(".cuh")
STEPS: Final = 100_000
WHERE: Final = {
    "a warp": (32, 1),
    **{f"a block of {threads:,}": (threads, 1) for threads in (64, 128, 256, 512, 1024)},
    **{f"a cluster of {blocks} blocks of 128": (128, blocks) for blocks in (2, 4, 8, 16)},
}
"""Threads of a block, and blocks, by a name."""


def text_of(threads: int, blocks: int) -> str:
    """The unit for so many threads of so many blocks."""
    return f"#define THREADS {threads}\n#define BLOCKS {blocks}\n{SOURCE.read_text('utf-8')}"


def expected(threads: int, blocks: int, steps: int) -> int:
    """What a GPU must find, by Python's integers."""
    solution, state, mask = list(range(64)), 1, 2**32 - 1
    for _ in range(steps):
        least = min(_mixed((state + number) & mask) for number in range(threads * blocks))
        i, j = least % 64, least // 64 % 64
        solution[i], solution[j] = solution[j], solution[i]
        state = (least + solution[least // 4096 % 64]) & mask
    return state


def _mixed(x: int) -> int:
    x ^= x >> 16
    x = x * 0x7FEB352D & 0xFFFFFFFF
    x ^= x >> 15
    x = x * 0x846CA68B & 0xFFFFFFFF
    return x ^ x >> 16


def made(kernel: Any, threads: int, blocks: int, steps: int) -> tuple[int, float]:
    """The result of so many empty steps, and their milliseconds."""
    xp = cupy()
    out, begin, end = xp.zeros(1, xp.uint32), xp.cuda.Event(), xp.cuda.Event()
    begin.record()
    kernel((blocks,), (threads,), (out, xp.int32(steps)))
    end.record()
    end.synchronize()
    return int(out.get()[0]), float(xp.cuda.get_elapsed_time(begin, end))


def kernel_of(threads: int, blocks: int) -> Any:
    """The kernel for so many threads of so many blocks."""
    kernel = cupy().RawModule(code=text_of(threads, blocks), options=OPTIONS).get_function("empty_steps")
    if blocks > PORTABLE:
        allow_large_clusters(kernel.kernel.ptr)
    return kernel


def rows() -> Iterator[str]:
    """For each place the nanoseconds of an empty step, and how many a second has."""
    for name, (threads, blocks) in WHERE.items():
        kernel = kernel_of(threads, blocks)
        nanoseconds = median(1e6 * made(kernel, threads, blocks, STEPS)[1] / STEPS for _ in range(5))
        yield f"| {name} | {nanoseconds:,.0f} | {1e3 / nanoseconds:.2f} |"


if __name__ == "__main__":
    report(
        "gpu_floor",
        "an empty step of a walk on a GPU, medians of five runs of 100,000",
        ("", "ns", "M steps/s"),
        rows(),
    )
