"""Edges of local optima networks: transitions, escapes, perturbations, and runs of iterated descents."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from metaheur.errors import InputError
from metaheur.landscape.basins import exact_transitions
from metaheur.landscape.ground import Ground
from metaheur.landscape.network import Network
from metaheur.landscape.optima import Optima, optima_of
from metaheur.random import Key, Random
from metaheur.searches.random_walk import RandomWalk
from metaheur.validate import whole
from metaheur.walk import applied

__all__ = ["escape_network", "perturbation_network", "sampled_network", "transition_network"]

KICK = 1003
"""The stream of the seeds of kicks."""

TOGETHER = 1 << 16
"""The most descents of one run."""


def transition_network(ground: Ground) -> Network:
    """Edges between basins: pairs of neighboring solutions."""
    basins, counts = exact_transitions(ground)
    return Network.of_counts(basins.optima, counts, "transition", basins.sizes)


def escape_network(ground: Ground, optima: Optima, distance: int) -> Network:
    """Edges from each optimum to where descents from all solutions within `distance` moves end."""
    whole(distance, "distance", 1, 2)
    sources, ends = [], []
    batch: list[np.ndarray] = []
    origins: list[np.ndarray] = []

    def flush() -> None:
        if batch:
            ends.append(optima.index(ground.descend(np.concatenate(batch)).solutions))
            sources.append(np.concatenate(origins))
            batch.clear()
            origins.clear()

    for i, x in enumerate(optima.solutions):
        around = _around(ground, x, distance)
        batch.append(around)
        origins.append(np.full(len(around), i))
        if sum(map(len, batch)) >= TOGETHER:
            flush()
    flush()
    return _network(optima, sources, ends, "escape")


def _around(ground: Ground, x: np.ndarray, distance: int) -> np.ndarray:
    """The different solutions that 1 ... `distance` moves lead to, without x itself."""
    space, moves = ground.problem.representation, ground.neighborhood
    near = _neighbors(ground, x)
    if distance > 1:
        near = np.concatenate([near, *(_neighbors(ground, each) for each in near)])
    found = np.unique(near.astype(space.dtype), axis=0)
    if moves.partial:
        raise InputError(f"{moves!r} has moves that some solutions do not allow, so it has no escape edges.")
    other: np.ndarray = found[(found != x).any(axis=1)]
    return other


def _neighbors(ground: Ground, x: np.ndarray) -> np.ndarray:
    space, neighborhood = ground.problem.representation, ground.neighborhood
    moves = neighborhood.batch(space, np.arange(ground.size))
    if moves is NotImplemented:
        return np.array([applied(move, x) for move in neighborhood.moves(space)])
    found: np.ndarray = applied(moves, x)
    return found


def _network(optima: Optima, sources: list[np.ndarray], ends: list[np.ndarray], kind: str) -> Network:
    """The network of descents from around each source; refused if one ends outside the optima."""
    source, end = (np.concatenate(each) if each else np.zeros(0, np.int64) for each in (sources, ends))
    if (end < 0).any():
        raise InputError(
            f"{int((end < 0).sum())} of {len(end)} descents end at local optima that are not among those given.",
            "take all of them: Landscape.optima().",
        )
    sizes = np.ones(len(optima), np.int64)
    return Network.of_pairs(optima, (source, end), kind, sizes)


def perturbation_network(ground: Ground, optima: Optima, strength: int, kicks: int) -> Network:
    """Edges from each optimum to where descents after `kicks` kicks of `strength` random moves end."""
    whole(strength, "strength"), whole(kicks, "kicks")
    sources, ends = [], []
    step = max(1, TOGETHER // kicks)
    for first in range(0, len(optima), step):
        origins = np.repeat(np.arange(first, min(len(optima), first + step)), kicks)
        kicked = _kicked(ground, optima.solutions[origins], strength, first)
        ends.append(optima.index(ground.descend(kicked).solutions))
        sources.append(origins)
    return _network(optima, sources, ends, "perturbation")


def _kicked(ground: Ground, xs: np.ndarray, strength: int, turn: int) -> np.ndarray:
    """Each solution after so many random moves; `turn` chooses the random numbers."""
    seed = Random(Key(ground.seed, 0), KICK, turn).bits(0)
    again = Ground(ground.problem, ground.neighborhood, ground.place, seed)
    walked = again.walk(RandomWalk(ground.neighborhood), xs, strength, frozenset({strength}))
    return walked.solutions[strength]


def sampled_network(ground: Ground, walks: int, iterations: int, strength: int, *, refused: bool) -> Network:
    """Edges that runs of iterated descents make: from the present optimum to the one after a kick and a descent.

    A run goes on from the new optimum unless it is worse. `refused`: whether steps to worse optima are edges, too. A
    run without another edge has a loop at its start.
    """
    whole(walks, "walks"), whole(iterations, "iterations"), whole(strength, "strength")
    ends = ground.descend(ground.starts(walks))
    now, heights, numbers = ends.solutions.copy(), ends.costs.copy(), np.arange(walks)
    begun, steps = ends.solutions, []
    for turn in range(iterations):
        later = ground.descend(_kicked(ground, now, strength, turn))
        accepted = later.costs <= heights
        kept = np.flatnonzero(accepted | refused)
        steps.append((kept, now[kept], later.solutions[kept]))
        now[accepted], heights[accepted] = later.solutions[accepted], later.costs[accepted]
    alone = np.setdiff1d(numbers, np.concatenate([kept for kept, *_ in steps]))
    steps.append((alone, begun[alone], begun[alone]))
    runs, sources, targets = (np.concatenate([each[k] for each in steps]) for k in range(3))
    order = np.argsort(runs, kind="stable")
    every = np.unique(np.concatenate([sources, targets]), axis=0)
    optima = optima_of(ground, every, complete=False)
    trace = np.stack([runs, optima.index(sources), optima.index(targets)], axis=1)[order]
    visits = np.bincount(trace[:, 2], minlength=len(optima)) + np.bincount(optima.index(begun), minlength=len(optima))
    found = Network.of_pairs(optima, (trace[:, 1], trace[:, 2]), "perturbation", visits)
    return evolve(found, trace=trace)
