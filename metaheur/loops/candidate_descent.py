"""CandidateDescent: first improvement over candidate lists, with a queue of the items to examine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, cast, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.loops.tour_descent import TourDescent
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.neighborhoods.by_candidates import require_candidates
from metaheur.tours.edges import TradesEdges, trades_edges
from metaheur.tours.tour import Exchange, Tour
from metaheur.validate import true_or_false

__all__ = ["CandidateDescent"]


@final
@frozen(eq=False)
class CandidateDescent(TourDescent):
    """Descend to a local optimum by exchanges of edges that join an item to one of its candidates.

    Items wait in a queue, at first all of them in the order of the tour. The first item in the queue makes its first
    improving exchange (or its best) until it has none; the ends of exchanged edges enter the queue again. A whole
    descent is one iteration, and then the search has ended. An item needs as many evaluations as it has candidates that
    may give a gain, and an exchange reverses the shorter side of the tour.

    Parameters
    ----------
    neighborhood : Neighborhood
        TwoOpt(), OrOpt(), ThreeOpt(), another one with `exchanges`, or a union of such neighborhoods, which are tried
        in turn.
    candidates : array_like, shape (n, k)
        For each item 0 ... n-1 other items, the nearest first, as `TSP.nearest` or `TSP.quadrants` returns them.
    best : bool, default False
        Whether an item makes its best exchange, the first one among equals, instead of its first improving one.

    Notes
    -----
    The cost must be the sum of the edges of a cyclic permutation: see `metaheur.tours.edges.EdgeSum`.

    J. L. Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4, 1992
    (neighbor lists, don't-look bits as a queue); S. Lin and B. W. Kernighan, "An effective heuristic algorithm for the
    traveling-salesman problem", Operations Research 21, 1973 (gain criterion).
    """

    neighborhood: Neighborhood = neighborhood_field()
    candidates: np.ndarray = data("int32", ndim=2)
    best: bool = field(default=False, kw_only=True, validator=true_or_false)

    source: ClassVar[str] = "candidate_descent.cuh"

    @neighborhood.validator
    def _exchanges(self, _: Attribute[Any], value: Any) -> None:
        if not trades_edges(value):
            raise InputError(
                f"`neighborhood` must exchange edges of a tour, but {value!r} has no `exchanges`.",
                "use TwoOpt(), OrOpt(), ThreeOpt() or a union of them, or write `exchanges`.",
            )

    def __attrs_post_init__(self) -> None:
        """Refuse an array that is not a candidate list."""
        require_candidates(self.candidates)

    @property
    def takes_best(self) -> bool:
        """`best`."""
        return self.best

    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """Those of the neighborhood."""
        return cast(TradesEdges, self.neighborhood).exchanges(tour, item)
