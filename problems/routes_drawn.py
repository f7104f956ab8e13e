"""Pictures of routes."""

from __future__ import annotations

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


def drawn_routes(problem: HasPlaces, x: Solution, ax: Any) -> None:
    """Draw each route as a closed line through its customers and the depot, a square."""
    if problem.coordinates is None:
        raise InputError(f"{type(problem).__name__} has no coordinates.", "give coordinates=..., or read a file.")
    places = np.asarray(problem.coordinates, float)
    for route in problem.routes(x):
        draw_tour(places, np.array([len(places) - 1, *route]), ax)
    ax.plot(*places[-1], "s", color="black")
