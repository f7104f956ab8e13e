"""The members of a problem and of a neighborhood that searches of tours need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np

from metaheur.tours.tour import Exchange, Tour

__all__ = ["EdgeSum", "InThePlane", "TradesEdges", "trades_edges"]


@runtime_checkable
class TradesEdges(Protocol):
    """A neighborhood that enumerates exchanges of a tour's edges; `CandidateDescent` needs one.

    If only some instances of a class do so, its attribute `trades_edges` is True for these instances.
    """

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """Exchanges of edges of a tour that bring an item beside one of its candidates.

        In C++: ``template <class Tour, class Offer> bool exchanges(const Tour&, int item, Offer offer) const``, which
        calls ``offer(gain, a, b, c, d, ...)`` for each, four items a step, and returns true as soon as an offer is
        accepted.

        `tour`: the tour; it does not change while its exchanges are listed. Yields `gain`: by how much the tour becomes
        cheaper; negative where it becomes dearer. `steps`: see `metaheur.tours.tour.Step`.
        """


def trades_edges(neighborhood: Any) -> TypeGuard[TradesEdges]:
    """Whether a neighborhood says which edges of a tour to exchange."""
    # a descent asks this for every item, and a protocol's isinstance takes longer than a short list of exchanges
    return hasattr(neighborhood, "exchanges") and bool(getattr(neighborhood, "trades_edges", True))


@runtime_checkable
class EdgeSum(Protocol):
    """A problem whose cost is the sum of the edges of a cyclic permutation; searches of tours need one."""

    def edge(self, a: Any, b: Any) -> Any:
        """The cost of the edge between two items, the same in both directions.

        The edge from the last item to the first one counts, too. In C++: ``Cost edge(int a, int b) const``.

        `a`, `b`: items; of arrays, entry by entry. Returns `NotImplemented` where the cost of this instance is not such
        a sum.
        """


class InThePlane(Protocol):
    """A problem whose items are points in the plane; `TourPartitioning` needs one."""

    @property
    def points(self) -> np.ndarray | None:
        """The points, shape (n, 2); None where this instance has none."""
