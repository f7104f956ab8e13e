"""AspirationPlus: how many moves are examined before the best of them is made."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Factor
from metaheur.part import Part
from metaheur.validate import whole_field

__all__ = ["AspirationPlus"]


@final
@frozen
class AspirationPlus(Part):
    """Moves are examined until one is below a threshold, then some more; the best examined move is made.

    With the defaults the first improving move is made: first-improvement tabu search.

    Parameters
    ----------
    threshold : int, default 0
        In units of cost, -2**53 ... 2**53: a move is good if its change of cost is below it.
    plus : int, default 0
        Moves that are examined after the first good one.
    least : int, default 1
        Moves that are examined at least.
    most : int, optional
        Moves that are examined at most; None, the default, for the whole neighborhood.

    Notes
    -----
    F. Glover and M. Laguna, *Tabu Search*, 1997, section 3.2.1.
    """

    threshold: int = whole_field(-(2**53), 2**53, default=0)
    plus: int = whole_field(0, default=0, kw_only=True, metadata={"tune": Factor()})
    least: int = whole_field(1, default=1, kw_only=True, metadata={"tune": Factor()})
    most: int | None = whole_field(default=None, kw_only=True)

    source: ClassVar[str] = "aspiration_plus.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse a `most` below `least`."""
        if self.most is not None and self.most < self.least:
            raise InputError(
                f"AspirationPlus examines at least {self.least} moves, but at most {self.most}.", "exchange them."
            )

    def good(self, delta: Any) -> Any:
        """Whether a move with this change of cost is good; arrays entry by entry."""
        return delta < self.threshold

    def end(self, first: Any, size: Any) -> Any:
        """How many moves are examined; arrays entry by entry.

        Parameters
        ----------
        first : int or numpy.ndarray
            The place of the first good move in the order of examination; -1 for none.
        size : int or numpy.ndarray
            The number of moves of the neighborhood.
        """
        most = size if self.most is None else np.minimum(self.most, size)
        some = np.minimum(most, np.maximum(self.least, first + 1 + np.minimum(self.plus, size)))
        return np.where(np.asarray(first) < 0, most, some)[()]
