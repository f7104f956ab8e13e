"""Ruin and recreate, annealed, for problems of routes."""

from __future__ import annotations

from functools import partial
from typing import Protocol

import numpy as np

from metaheur.lists.ruin_and_recreate import RuinAndRecreate
from metaheur.searches.recommendation import Recommendation

__all__ = ["HasRoutes", "rebuilt"]

NEAR = 60
"""Near customers from whose routes strings are taken."""

FIRST, LAST = 0.3, 0.01
"""The first temperature, as a share of the mean distance to 20 near customers; the last one, as a share of the first.

On X-n101-k25, RC101 and R201, shares of 1 lead to slightly longer routes, and of 0.01 to much longer ones.
"""

LEVELS = 458
"""Of the temperatures."""


class HasRoutes(Protocol):
    """A problem of routes that knows which customers are near to each other, and in which orders to serve them."""

    @property
    def distances(self) -> np.ndarray:
        """From each place to each other one, the depot last."""

    @property
    def orders(self) -> np.ndarray:
        """Orders in which customers come back; see `RuinAndRecreate`."""

    def nearest(self, k: int) -> np.ndarray:
        """Near customers of each one."""


def rebuilt(problem: HasRoutes, walks: int, length: int, near: np.ndarray | None = None) -> Recommendation:
    """Ruin and recreate within so many iterations, of which a removal takes two; from the routes of `construct`."""
    from metaheur.loops.no_search import NoSearch
    from metaheur.parts import Geometric, Metropolis
    from metaheur.parts.acceptance.cooling import Cooling
    from metaheur.searches.iterated_local_search import IteratedLocalSearch

    if near is None:
        near = problem.nearest(NEAR)
    mean = float(problem.distances[np.arange(len(near))[:, None], near[:, :20]].mean())
    first = max(1.0, float(f"{FIRST * mean:.2g}"))
    schedule = Geometric.between(first, LAST * first, max(LEVELS, length // 2), LEVELS)
    removal = RuinAndRecreate(near, problem.orders)
    return Recommendation(
        "ruin and recreate",
        IteratedLocalSearch(NoSearch(), removal, Metropolis(Cooling(first, schedule))),
        "construct",
        walks=walks,
        length=length,
        of_length=partial(rebuilt, problem, walks, near=near),
        names={f"problem.nearest({NEAR})": near, "problem.orders": removal.orders},
    )
