"""How many threads of a GPU own a walk: rules that measurements gave."""

from __future__ import annotations

__all__ = ["BLOCK_FROM", "MANY", "threads_of_block", "threads_of_threads", "warps_of_block"]

BLOCK_FROM = 600
"""Moves of a neighborhood from which a block scans it faster than a warp (tabu search on QAP, H100)."""

MANY = 132
"""Walks from which a GPU has more than one on a processor, and each had better take fewer threads."""


def threads_of_threads(walks: int) -> int:
    """Threads of a block where each owns a walk: as many as give every processor one block; 32 to 256.

    With 256 each has the registers of half a processor's threads, and a processor does not wait for the last of 1,024
    walks: 3 to 7 % faster (annealing on QAP, n = 50, H100).
    """
    return min(256, 32 * max(1, -(-walks // (32 * MANY))))


def threads_of_block(size: int, walks: int) -> int:
    """Threads of a block that owns a walk: about ten moves a thread where walks are many, else four; 64 to 1,024."""
    each, threads = 10 if walks > MANY else 4, 64
    while threads < 1024 and threads * each < size:
        threads *= 2
    return threads


def warps_of_block(n: int, walks: int) -> int:
    """Warps of a block, of walks that keep little but a tour of n items: what fits into its memory, up to 28 (H100).

    A walk keeps the tour and the positions in it, 4 bytes an item together; all of them share 8 bytes of coordinates.
    """
    return max(1, min(28, 55_000 // n - 2, -(-walks // MANY)))
