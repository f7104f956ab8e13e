"""Ruggedness by the information in random walks."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import frozen

from metaheur.landscape.estimate import Curve, Estimate
from metaheur.landscape.ground import Ground
from metaheur.searches.random_walk import RandomWalk
from metaheur.validate import whole

__all__ = ["Ruggedness", "ruggedness"]


@final
@frozen(eq=False)
class Ruggedness:
    """The information content of random walks, for several sensitivities.

    Parameters
    ----------
    content : Curve
        The information content H, 0 ... 1, over the sensitivity: changes of cost of at most so much count as none.
    partial : Curve
        The partial information content M, 0 ... 1: the share of steps at which the walk turns.
    stability : Estimate
        The smallest sensitivity at which the walk is flat: the largest change of cost.
    highest : Estimate
        The largest information content of each walk.

    Notes
    -----
    V. K. Vassilev, T. C. Fogarty and J. F. Miller, "Information characteristics and the structure of landscapes",
    Evolutionary Computation 8(1), 2000, section 3.
    """

    content: Curve
    partial: Curve
    stability: Estimate
    highest: Estimate


PAIRS = [(p, q) for p in (-1, 0, 1) for q in (-1, 0, 1) if p != q]


def ruggedness(ground: Ground, walks: int, steps: int, levels: int) -> Ruggedness:
    """The information content of random walks at `levels` sensitivities, from 0 to the largest change of cost."""
    whole(walks, "walks"), whole(steps, "steps", 2), whole(levels, "levels", 2)
    costs = ground.walk(RandomWalk(ground.neighborhood), ground.starts(walks), steps).costs
    changes = np.diff(np.array(costs), axis=0)
    largest = np.abs(changes).max(axis=0)
    top = float(largest.max())
    sensitivities = np.unique(
        np.concatenate([[0.0], np.geomspace(max(top, 1e-12) / 1000, max(top, 1e-12), levels - 1)])
    )
    content, partial = zip(*(_information(changes, each) for each in sensitivities), strict=True)
    return Ruggedness(
        Curve.of(sensitivities, content),
        Curve.of(sensitivities, partial),
        Estimate.of(largest),
        Estimate.of(np.max(content, axis=0)),
    )


def _information(changes: np.ndarray, sensitivity: float) -> tuple[np.ndarray, np.ndarray]:
    """H and M of each walk: of pairs of unlike signs that follow each other, and of turns."""
    signs = np.sign(changes) * (np.abs(changes) > sensitivity)
    entropy = np.zeros(changes.shape[1])
    for p, q in PAIRS:
        share = ((signs[:-1] == p) & (signs[1:] == q)).mean(axis=0)
        entropy -= np.where(share > 0, share * np.log(np.where(share > 0, share, 1)), 0) / np.log(len(PAIRS))
    turns = np.array([_turns(column[column != 0]) for column in signs.T])
    return entropy, turns / len(changes)


def _turns(signs: np.ndarray) -> int:
    """The length of the string of signs without zeros and without repetitions."""
    return int(len(signs) > 0) + int((signs[1:] != signs[:-1]).sum())
