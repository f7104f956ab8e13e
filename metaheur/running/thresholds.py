"""Sizes from which one way of running a search is faster than another."""

from __future__ import annotations

from typing import final

from attrs import frozen

__all__ = ["Thresholds", "walk_on_gpu"]


@final
@frozen
class Thresholds:
    """Sizes from which one way of running a search is faster than another, as measured.

    Parameters
    ----------
    cuda_from : int
        Length of a solution from which one resident walk is faster on a GPU than on a CPU core: with single flips of
        PPP it is so at 217, and not at 117; with swaps of a QAP at 80; with flips of QUBO not yet at 2,000.
    cuda_walks : int
        Walks for each CPU core from which a GPU is faster than the cores, whatever the length of a solution: of
        thousands of walks on an H200, this many make as many iterations as one walk on a core (QAP, n = 30 ... 100).
    cuda_blocks : int
        The same number where each walk has a block of the GPU. A walk in a block makes about half as many iterations
        as a walk on a core at n = 50, and as many at n = 100.
    gpu_walks : int
        Walks for each GPU from which several GPUs share the walks: fewer do not fill the processors of one GPU.
    stream_from : int
        Neighborhood size from which a search without memory and without O(1) updates evaluates its moves on the whole
        device, instead of by the thread or the few blocks of a resident walk.
    stream_always_from : int
        Neighborhood size from which such a search with O(1) updates does so, too, since its table of changes of cost
        would take much memory.
    league_from : int
        Neighborhood size from which eight blocks that share a walk are faster than one (QAP), where they agree through
        global memory.
    cluster_from : int
        The same for the blocks of a cluster, which agree through their shared memory.
    recomputed_from : int
        The same where changes of cost have no O(1) update, so that every iteration computes all of them (pairs of flips
        of PPP).
    formula_from : int
        The same where, besides, each change of cost has a formula of its own (swaps of TSP tours).
    wide_from : int
        Neighborhood size without such updates from which more blocks than those of a cluster share a walk, each with
        `block_moves` moves.
    block_moves : int
        Moves for each of those blocks.
    run_moves : int
        Moves for each block of a walk whose moves are evaluated in runs, where these are twice as many blocks as a
        cluster has, since they agree through global memory (single flips of PPP).
    block_operations : int
        Elementary operations of a neighborhood for each block that shares a walk, if a change of cost takes many.
    trial_seconds : float
        The most seconds of all trials together in which `Auto` compares ways to run; 0 for no trials.
    trial_share : float
        The largest share of a run that these trials take, 0 ... 1.
    calibration_seconds : float
        The most seconds in which a GPU tries sizes of blocks for many walks; in a run with a limit, at most a tenth of
        it.
    trial_least : float
        Seconds of a trial below which it says nothing: shorter runs follow the sizes above.
    trial_faster : float
        The speed-up over the way that the sizes choose from which another way is taken: less is noise.
    """

    cuda_from: int = 200
    cuda_walks: int = 16
    cuda_blocks: int = 2
    gpu_walks: int = 132
    stream_from: int = 1 << 21
    stream_always_from: int = 1 << 26
    league_from: int = 20_000
    cluster_from: int = 7_000
    recomputed_from: int = 465
    formula_from: int = 2_000
    wide_from: int = 1 << 15
    block_moves: int = 1 << 10
    run_moves: int = 28
    block_operations: int = 1 << 17
    trial_seconds: float = 0.3
    trial_share: float = 0.05
    calibration_seconds: float = 1.0
    trial_least: float = 0.02
    trial_faster: float = 1.05


def walk_on_gpu(
    length: int, walks: int, cores: int, thresholds: Thresholds, *, block: bool = False
) -> tuple[bool, str]:
    """Whether walks are faster on a GPU than on the cores of a CPU, and why.

    `length`: entries of a solution. `walks`: number of walks. `cores`: cores of the CPU. `thresholds`: the measured
    sizes. `block`: whether each walk has a block of the GPU.
    """
    least, per_core = thresholds.cuda_from, thresholds.cuda_blocks if block else thresholds.cuda_walks
    if length >= least:
        return True, f"a GPU is there, and solutions have at least {least} entries"
    if walks >= per_core * cores:
        return True, f"a GPU is there, and {walks:,} walks are at least {per_core} for each core"
    entries = f"solutions have {length} entries, fewer than the {least} from which one walk is faster on a GPU"
    return False, entries if walks == 1 else f"{entries}, and {walks:,} walks are fewer than {per_core} for each core"
