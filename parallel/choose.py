"""Which device a search runs on, and how: pure functions of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, final

from attrs import frozen

from metaheur.component import members_of
from metaheur.device.device import Device
from metaheur.device.halves import lacking, unanswered
from metaheur.errors import InputError
from metaheur.machine.memory import available
from metaheur.problem import Problem
from metaheur.search import Search

__all__ = [
    "CLUSTER_THREADS",
    "Thresholds",
    "blocks_of_walk",
    "lack",
    "missing_halves",
    "require_staged",
    "require_steps",
    "require_walks",
    "streams",
    "threads_of_share",
    "walk_on_gpu",
]


CLUSTER_THREADS = 512
"""Threads of a cluster's block: twice and half as many are slower (tabu search on QAP, n = 100 and 256, H100)."""

KEY_BYTES = 128
"""Bytes of a key in Python, with its place in a tuple."""


@final
@frozen
class Thresholds:
    """Sizes from which one way of running a search is faster than another, as measured.

    Parameters
    ----------
    cuda_from : int
        Length of a solution from which one resident walk on a GPU is faster than one on a CPU core (QAP).
    cuda_walks : int
        Walks for each CPU core from which a GPU that has them all is faster than the cores, whatever their length: that
        many walks of thousands on an H200 make the iterations of one on a core (QAP, n = 30 ... 100).
    cuda_blocks : int
        The same where a block has each walk: one makes about half of a core's iterations at n = 50, and as many at
        n = 100.
    gpu_walks : int
        Walks for each GPU from which several share them: fewer do not fill the processors of one.
    stream_from : int
        Neighborhood size from which a search without memory and without O(1) updates evaluates its moves on the whole
        device, instead of by the one thread or the few blocks of a resident walk.
    stream_always_from : int
        Neighborhood size from which it does so with O(1) updates, too: a table of changes of cost would take memory.
    league_from : int
        Neighborhood size from which eight blocks that share a walk are faster than one (QAP), where they agree through
        global memory.
    cluster_from : int
        The same for the blocks of a cluster, which agree through their shared memory.
    wide_from : int
        The same for as many blocks as have `block_moves` each, where changes of cost have no O(1) update: all are
        computed in every iteration (swaps of TSP tours, pairs of flips of PPP).
    block_moves : int
        Moves for each of those blocks.
    block_operations : int
        Elementary operations of a neighborhood for each block that shares a walk, where a change of cost takes many.
    """

    cuda_from: int = 200
    cuda_walks: int = 16
    cuda_blocks: int = 2
    gpu_walks: int = 132
    stream_from: int = 1 << 21
    stream_always_from: int = 1 << 26
    league_from: int = 20_000
    cluster_from: int = 4_000
    wide_from: int = 1 << 15
    block_moves: int = 1 << 10
    block_operations: int = 1 << 17


def walk_on_gpu(
    length: int, walks: int, cores: int, thresholds: Thresholds, *, block: bool = False
) -> tuple[bool, str]:
    """Whether walks are faster on a GPU than on the cores of a CPU, and why.

    Parameters
    ----------
    length : int
        Entries of a solution.
    walks : int
        How many there are.
    cores : int
        Of the CPU.
    thresholds : Thresholds
        What was measured.
    block : bool, default False
        Whether a block of a GPU has each walk.
    """
    least, per_core = thresholds.cuda_from, thresholds.cuda_blocks if block else thresholds.cuda_walks
    if length >= least:
        return True, f"a GPU is there, and solutions have at least {least} entries"
    if walks >= per_core * cores:
        return True, f"a GPU is there, and {walks:,} walks are at least {per_core} for each core"
    entries = f"solutions have {length} entries, fewer than the {least} from which one walk is faster on a GPU"
    return False, entries if walks == 1 else f"{entries}, and {walks:,} walks are fewer than {per_core} for each core"


def threads_of_share(moves: int) -> int:
    """Threads of a block that owns so many moves whose changes of cost take many operations.

    About one for each, 128 ... 512: with more, none would have registers enough (tabu search on three objectives of a
    flow shop, 200 jobs on 20 machines, H100: 72 µs an iteration with 512 threads, 122 µs with 1,024).
    """
    threads = 128
    while threads < min(moves, 512):
        threads *= 2
    return threads


def require_walks(walks: int, problem: Problem) -> None:
    """Refuse more walks than the memory of the host has room for: their keys, and two solutions of each.

    Raises
    ------
    InputError
        With the number that would fit.
    """
    space, free = problem.representation, available()
    each = KEY_BYTES + 2 * space.length * space.dtype.itemsize
    if walks * each > free:
        raise InputError(
            f"{walks:,} walks of {type(problem).__name__} with {space!r} would take {walks * each / 2**30:,.1f} GiB "
            f"for their keys and solutions alone, but {free / 2**30:,.1f} GiB are free.",
            f"use fewer walks: {free // each:,} would fit at most.",
        )


def require_steps(search: Search[Any], model: str) -> None:
    """Refuse a search that no model steps, since it brings a runner of its own, as exact searches do.

    Raises
    ------
    InputError
        With the name of the model.
    """
    if type(search).runner is not Search.runner:
        raise InputError(
            f"{type(search).__name__} brings a runner of its own, and has no walks that {model} could spread.",
            "use IterationLevel(), or TreeExploration for exact searches.",
        )


def require_staged(search: Search[Any], device: Device, *, resident: bool) -> None:
    """Refuse data in a GPU's shared memory where no loop stays there, whose blocks would copy it.

    Raises
    ------
    InputError
        With the name of the search.
    """
    if device.placement == "shared" and not (resident and search.loop is not None):
        raise InputError(
            f'placement="shared" copies data into the blocks that keep the walks of a loop, but here '
            f"{type(search).__name__} keeps none on {device.name}.",
            'use placement="auto".',
        )


def lack(missing: Sequence[str]) -> str:
    """That things have no C++ half, in words: "A and B have no C++ half"."""
    *most, last = dict.fromkeys(missing)
    return f"{', '.join(most)} and {last} have no C++ half" if most else f"{last} has no C++ half"


def missing_halves(search: Search[Any], problem: Problem) -> list[str]:
    """What keeps a walk from being resident: things without a C++ half, and members that the problem's lacks."""
    loop = search.loop
    if loop is None and search.device_parts:
        return lacking(problem, search.neighborhoods[0], *search.device_parts)
    if loop is None:
        return [*lacking(problem, *search.neighborhoods), type(search).__name__]
    return [*lacking(problem, loop), *_searches_in_python(loop), *unanswered(loop, problem)]


def _searches_in_python(loop: Any) -> Iterator[str]:
    """The searches inside a loop that Python alone knows."""
    for _, inner in members_of(loop):
        if isinstance(inner, Search):
            if inner.loop is None:
                yield type(inner).__name__
            else:
                yield from _searches_in_python(inner.loop)


def streams(size: int, *, updates: bool, thresholds: Thresholds) -> bool:
    """Whether a search without memory evaluates each step on the whole device, and keeps no table."""
    if size < thresholds.stream_from:
        return False
    return size >= thresholds.stream_always_from or not updates


def blocks_of_walk(  # noqa: PLR0913 - facts
    size: int, operations: int, processors: int, cluster: int, thresholds: Thresholds, *, updates: bool = True
) -> int:
    """Blocks of a GPU that share a walk: more where each has enough to do between two meetings.

    Parameters
    ----------
    size : int
        Of the neighborhood.
    operations : int
        The problem's `delta_operations`.
    processors : int
        Of the GPU.
    cluster : int
        Blocks of the GPU's largest cluster, 1 where there are none.
    thresholds : Thresholds
        What was measured.
    updates : bool, default True
        Whether changes of cost have an O(1) update.
    """
    if operations == 1 and not updates and size >= thresholds.wide_from:
        return min(processors, size // thresholds.block_moves)
    if operations == 1 and cluster > 1 and size >= thresholds.cluster_from:
        return cluster
    few = 8 if size >= thresholds.league_from else 1
    if operations == 1:
        return few
    return max(few, min(processors, size // 64, size * operations // thresholds.block_operations))
