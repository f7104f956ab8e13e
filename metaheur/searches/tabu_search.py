"""Robust tabu search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.loops.scan import Scan
from metaheur.neighborhood import Neighborhood
from metaheur.parts import BestSoFar, LongTerm, PlacementMemory, Tenure
from metaheur.searches.composed import Composed
from metaheur.validate import whole_field

__all__ = ["TabuSearch"]


def _tenure(value: Any) -> Tenure:
    if isinstance(value, Tenure):
        return value
    try:
        low, high = value
    except (TypeError, ValueError):
        raise InputError(
            f"`tenure` must be a pair of multiples of n, but is {value!r}.", "use tenure=(0.9, 1.1), the default."
        ) from None
    return Tenure(low, high)


@final
@frozen
class TabuSearch(Composed):
    """Robust tabu search (Taillard, Parallel Computing 17, 1991).

    Every iteration makes the best move that is not tabu or that beats the best cost. A move is tabu when it would put
    all the values that it writes back where they were within their tenure; each value draws its own.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    tenure : pair of float, default (0.9, 1.1)
        The tenure is an integer drawn from [floor(low n), ceil(high n)].
    long_term : int, optional
        Long-term aspiration: a move that was not forbidden for more than that many iterations is made before all
        others; None, the default, for never.
    """

    neighborhood: Neighborhood
    tenure: Tenure = field(factory=Tenure, converter=_tenure)
    long_term: int | None = whole_field(1, 2**30, default=None, maybe="use None to have none.", kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse moves that have no placements to remember."""
        _ = self.loop

    @cached_property
    def loop(self) -> Scan:
        """A scan with a memory of placements, which accepts every move."""
        aspiration = BestSoFar() if self.long_term is None else LongTerm(self.long_term)
        return Scan(self.neighborhood, PlacementMemory(self.tenure), aspiration)
