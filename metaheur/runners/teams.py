"""The number of threads of a GPU that own a walk: rules from measurements."""

from __future__ import annotations

from collections.abc import Callable

from metaheur.evaluators.offers import Offers
from metaheur.running.thresholds import Thresholds

__all__ = [
    "BLOCK_FROM",
    "CLUSTER_THREADS",
    "MANY",
    "blocks_of_walk",
    "threads_of_block",
    "threads_of_share",
    "threads_of_threads",
    "warps_of_block",
]

CLUSTER_THREADS = 512
"""Threads of a cluster's block: twice and half as many are slower (tabu search on QAP, n = 100 and 256, H100)."""

BLOCK_FROM = 600
"""Moves of a neighborhood from which a block scans it faster than a warp (tabu search on QAP, H100)."""

FEW_MOVES = 2_000
"""Moves of a single walk, below which 512 threads wait for each other longer than 256 do (QAP, n = 20 to 70, H100)."""

MANY_MOVES = 20_000
"""Moves whose changes of cost, and expiries, fit into no shared memory: 1,024 threads wait less for them than 512."""

MANY = 132
"""Walks from which a GPU has more than one on a processor, so that each is faster with fewer threads."""


def threads_of_threads(walks: int) -> int:
    """Threads of a block if each thread owns a walk: few enough that every processor has a block; 32 to 256.

    With 256 each has the registers of half a processor's threads, and a processor does not wait for the last of 1,024
    walks: 3 to 7 % faster (annealing on QAP, n = 50, H100).
    """
    return min(256, 32 * max(1, -(-walks // (32 * MANY))))


def threads_of_block(size: int, beside: int = 1, *, moves: int = 0, keeps: Callable[[], bool] = lambda: True) -> int:
    """Threads of a block that owns a walk: a power of two, 64 to 1,024.

    The walks that a processor runs beside each other have 512 threads together, or somewhat more: with fewer threads
    the processor waits for its memory, with more of them for all to arrive. A walk alone takes 1,024 threads for very
    many moves, or for moves all of which are evaluated anew, and 256 for few moves. A thread has 1.5 moves, at least.
    This rule was the fastest one for tabu search on QAP, n = 40 to 150; TSP, n = 60 and 100, by swaps and 2-opt; PPP,
    n = 51 and 101; and flow shops of 50 and 100 jobs (H100).

    `size`: moves that a step examines. `beside`: walks that a processor runs at the same time. `moves`: moves of the
    neighborhood, where a step examines some of them. `keeps`: whether changes of cost stay valid after a move, or are
    updated, which they are by default; called only where it matters.
    """
    together = threads = 512
    if beside == 1:
        together = threads = (
            1024 if size >= MANY_MOVES or not keeps() else 512 if max(size, moves) >= FEW_MOVES else 256
        )
    while threads > 64 and (threads // 2 * beside >= together or threads * 3 > size * 2):
        threads //= 2
    return threads


def warps_of_block(n: int, walks: int) -> int:
    """Warps of a block for walks that keep little except a tour of n items: as many as fit, up to 28 (H100).

    A walk keeps the tour and the positions in it, 4 bytes an item together; all of them share 8 bytes of coordinates.
    """
    return max(1, min(28, 55_000 // n - 2, -(-walks // MANY)))


def threads_of_share(moves: int) -> int:
    """Threads of a block that owns a number of moves whose changes of cost take many operations.

    About one for each move, 128 ... 512: with more, the threads would have too few registers (tabu search on three
    objectives of a flow shop, 200 jobs on 20 machines, H100: 72 µs an iteration with 512 threads, 122 µs with 1,024).
    """
    threads = 128
    while threads < min(moves, 512):
        threads *= 2
    return threads


def blocks_of_walk(  # noqa: PLR0913 - facts
    size: int,
    operations: int,
    processors: int,
    cluster: int,
    thresholds: Thresholds,
    *,
    offers: Callable[[], Offers] = lambda: Offers.DELTA | Offers.UPDATE,
) -> int:
    """Blocks of a GPU that share a walk: as many as have enough work between two exchanges.

    `size`: moves of the neighborhood. `operations`: the problem's `delta_operations`. `processors`: processors of the
    GPU. `cluster`: blocks of the GPU's largest cluster, 1 without clusters. `thresholds`: the measured sizes. `offers`:
    how the problem evaluates the moves, by default with an O(1) update; called only where it matters.
    """
    few = 8 if size >= thresholds.league_from else 1
    if operations > 1:
        return max(few, min(processors, size // 64, size * operations // thresholds.block_operations))
    if size >= thresholds.wide_from:
        return max(cluster, few) if Offers.UPDATE in offers() else min(processors, size // thresholds.block_moves)
    if cluster > 1 and size >= thresholds.cluster_from:
        return cluster
    found = offers()
    if Offers.RUNS in found:
        wide = min(processors, size // thresholds.run_moves)
        return wide if wide >= 2 * cluster else cluster
    formula = Offers.DELTA in found and Offers.GROUPS not in found
    anew_from = thresholds.formula_from if formula else thresholds.recomputed_from
    return cluster if size >= anew_from and Offers.UPDATE not in found else few
