"""Pictures of routes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from metaheur.errors import InputError
from metaheur.pictures.solutions import draw_tour
from metaheur.representation import Solution

__all__ = ["HasPlaces", "drawn_routes"]


class HasPlaces(Protocol):
    """A problem of routes, with the depot as the last of its places."""

    @property
    def coordinates(self) -> Any:
        """Where the places are, shape (c + 1, 2), the depot last; None if that is not known."""

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used."""


def drawn_routes(problem: HasPlaces, x: Solution, ax: Any, depots: Sequence[int] = ()) -> None:
    """Draw each route as a closed line through its customers and the depot, a square.

    `depots`: the number of the depot of each route, if there are several; they are then the last places.
    """
    if problem.coordinates is None:
        raise InputError(f"{type(problem).__name__} has no coordinates.", "give coordinates=..., or read a file.")
    places = np.asarray(problem.coordinates, float)
    routes, most = problem.routes(x), max(depots, default=0) + 1
    for depot, route in zip(depots or [0] * len(routes), routes, strict=True):
        if route:
            draw_tour(places, np.array([len(places) - most + depot, *route]), ax)
    ax.plot(*places[-most:].T, "s", color="black")
