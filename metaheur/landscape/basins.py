"""Basins of attraction, and the transitions between them."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import frozen

from metaheur.device.names import device_of
from metaheur.landscape.blocks import SwapBlocks, spans
from metaheur.landscape.ground import Ground
from metaheur.landscape.optima import Optima, optima_of
from metaheur.landscape.space import EnumeratedSpace

__all__ = ["Basins", "exact_basins", "exact_transitions"]


@final
@frozen(eq=False)
class Basins:
    """The basins of attraction of steepest descent; of equal moves it makes the one with the lowest index.

    Parameters
    ----------
    optima : Optima
        All local optima of the space.
    sizes : numpy.ndarray of int64, shape (m,)
        How many solutions lead to each local optimum, itself included; their sum is the size of the space.
    """

    optima: Optima
    sizes: np.ndarray

    @property
    def shares(self) -> np.ndarray:
        """The share of the space in each basin."""
        found: np.ndarray = self.sizes / self.sizes.sum()
        return found


def _small(ground: Ground) -> tuple[Optima, np.ndarray, np.ndarray]:
    """By Python: the optima, the label of every solution, and the numbers of its neighbors."""
    space = EnumeratedSpace(ground.problem.representation)
    space.require_small()
    costs, beside = space.costs(ground.evaluate), space.neighbors(ground.neighborhood)
    here = np.arange(space.count)
    best = beside[here, costs[beside].argmin(axis=1)]
    follow = np.where(costs[best] < costs, best, here)
    ranks = np.flatnonzero(follow == here)
    while (follow[follow] != follow).any():
        follow = follow[follow]
    return optima_of(ground, space.solutions(ranks)), np.searchsorted(ranks, follow), beside


def _compiled(ground: Ground) -> tuple[Optima, SwapBlocks]:
    """By compiled code: the optima, and the blocks."""
    blocks = SwapBlocks(ground.problem, device_of(ground.place))
    return optima_of(ground, EnumeratedSpace(ground.problem.representation).solutions(blocks.optima)), blocks


def _is_compiled(ground: Ground) -> bool:
    return ground.place != "numpy" and spans(ground.problem, ground.neighborhood)


def exact_basins(ground: Ground) -> Basins:
    """The basins of all local optima."""
    if _is_compiled(ground):
        optima, blocks = _compiled(ground)
        return Basins(optima, blocks.sizes)
    optima, labels, _ = _small(ground)
    return Basins(optima, np.bincount(labels, minlength=len(optima)))


def exact_transitions(ground: Ground) -> tuple[Basins, np.ndarray]:
    """The basins, and how many ordered pairs of neighbors lead from one to another, int64, shape (m, m)."""
    if _is_compiled(ground):
        optima, blocks = _compiled(ground)
        return Basins(optima, blocks.sizes), blocks.transitions()
    optima, labels, beside = _small(ground)
    count = len(optima)
    cells = labels[:, None] * count + labels[beside]
    counts = np.bincount(cells.ravel(), minlength=count * count).reshape(count, count)
    return Basins(optima, np.bincount(labels, minlength=count)), counts
