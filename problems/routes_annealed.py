"""Annealing over granular moves, for problems of routes."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np

from metaheur.lists.cross_exchange import CrossExchange
from metaheur.lists.granular import Granular
from metaheur.lists.relocate import Relocate
from metaheur.lists.two_opt_star import TwoOptStar
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.union import Union
from metaheur.searches.recommendation import Recommendation

__all__ = ["HasRoutes", "annealed", "granular"]

NEAR = 20
"""Near customers to which moves bring each one."""

FACTOR, LEVELS = 0.99, 458
"""Of the temperatures: what each is of the one before, and how many there are."""


class HasRoutes(Protocol):
    """A problem of routes that knows which customers are near to each other."""

    @property
    def distances(self) -> np.ndarray:
        """From each place to each other one, the depot last."""

    def nearest(self, k: int) -> np.ndarray:
        """Near customers of each one."""


def granular(near: np.ndarray) -> Neighborhood:
    """The moves that bring customers to near ones; the last ones reach empty routes, too."""
    return Union(*(Granular(each, near) for each in (Relocate(), CrossExchange(2), TwoOptStar())), Relocate(1))


def annealed(problem: HasRoutes, length: int, near: np.ndarray | None = None) -> Recommendation:
    """Annealing of so many trials; the first temperature is a third of the mean distance to near customers."""
    from metaheur.parts import Geometric
    from metaheur.searches.simulated_annealing import SimulatedAnnealing

    if near is None:
        near = problem.nearest(NEAR)
    every = max(1, length // LEVELS)
    mean = problem.distances[np.arange(len(near))[:, None], near].mean()
    first = max(1.0, float(f"{mean / 3:.2g}"))
    return Recommendation(
        "annealing, granular",
        SimulatedAnnealing(granular(near), first, Geometric(FACTOR, every, first * FACTOR**LEVELS), reheats=60),
        "construct",
        length=every * LEVELS,
        of_length=partial(annealed, problem, near=near),
        names={f"problem.nearest({NEAR})": near},
    )
