"""What searches for fronts add to the core: the front of walks, and a search that suits several objectives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.searches.recommendation import Recommendation

__all__ = ["front", "front_search"]


def front(problem: Problem, kept: Iterable[tuple[int, Any]]) -> Any:
    """The front of what walks keep: pairs of a walk's number and `Members`."""
    from metaheur.archives.front import Front

    return Front.of(problem, kept)


def front_search(moves: Neighborhood) -> Recommendation:
    """The search that `solve` makes of a neighborhood."""
    from metaheur.searches.front_search import front_search

    return front_search(moves)
