"""Neutrality: neighbors of equal cost, and walks along them."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import frozen

from metaheur.landscape.estimate import Estimate
from metaheur.landscape.ground import Ground
from metaheur.searches.random_walk import RandomWalk
from metaheur.validate import whole

__all__ = ["Neutrality", "neutrality"]


@final
@frozen(eq=False)
class Neutrality:
    """How flat a landscape is around random solutions.

    Parameters
    ----------
    degree : Estimate
        The share of neighbors that cost as much as the solution.
    flat : Estimate
        The share of solutions with at least one such neighbor.
    distance : Estimate
        The largest distance from its start that a neutral walk reached, in units of `Representation.distance`.
    moved : Estimate
        The share of the trials of a neutral walk that were made.
    percolation : Estimate
        The number of different costs that were seen among the neighbors of a neutral walk: what a population on the
        plateau can reach (M. A. Huynen, "Exploring phenotype space through neutral evolution", 1996).
    evolvability : Estimate
        The share of a neutral walk's examined solutions that have a better neighbor.
    """

    degree: Estimate
    flat: Estimate
    distance: Estimate
    moved: Estimate
    percolation: Estimate
    evolvability: Estimate


LOOKS = 10
"""The solutions of a neutral walk whose neighbors are examined, the start included."""


def neutrality(ground: Ground, walks: int, steps: int) -> Neutrality:
    """Neutral degrees of random solutions, and neutral walks from them."""
    whole(walks, "walks"), whole(steps, "steps")
    space, starts = ground.problem.representation, ground.starts(walks)
    places = sorted({round(k * steps / (LOOKS - 1)) for k in range(LOOKS)})
    walked = ground.walk(RandomWalk(ground.neighborhood, neutral=True), starts, steps, frozenset(places))
    costs = ground.costs(starts)
    degrees, better = np.zeros((2, walks))
    seen: list[set[int | float]] = [set() for _ in range(walks)]
    for at in places:
        for w, deltas in enumerate(ground.deltas(walked.solutions[at], costs)):
            if at == 0:
                degrees[w] = (deltas == 0).mean() if len(deltas) else np.nan
            seen[w].update(np.unique(deltas).tolist())
            better[w] += (deltas < 0).any()
    solutions = [walked.solutions[at] for at in places]
    far = [max(space.distance(start, rows[w]) for rows in solutions) for w, start in enumerate(starts)]
    return Neutrality(
        Estimate.of(degrees),
        Estimate.of(degrees > 0),
        Estimate.of(far),
        Estimate.of(walked.moved / steps),
        Estimate.of([len(each) for each in seen]),
        Estimate.of(better / len(places)),
    )
