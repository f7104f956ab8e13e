"""Aspiration: when a forbidden move is made all the same."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.parts.part import Part

__all__ = ["Aspiration"]


@final
@frozen
class Aspiration(Part):
    """A move is aspired when it beats the best cost, or when it is long due.

    Where a move is long due, only such moves and those that beat the best cost are looked at.

    Parameters
    ----------
    long_term : int, optional
        A move is due when one of its placements has not been forbidden for more than that many iterations,
        1 ... 2**30; None, the default, for never.

    Notes
    -----
    Taillard 1991, section 3: the long-term aspiration makes rare placements happen; sensible values exceed the size of
    the neighborhood.
    """

    long_term: int | None = field(default=None)

    source: ClassVar[str] = "aspiration.cuh"

    @long_term.validator
    def _in_range(self, _: Attribute[Any], value: Any) -> None:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 2**30):
            raise InputError(
                f"long_term is a number of iterations in 1 ... 2**30, but it is {value!r}.", "use None to have none."
            )

    def due(self, expiry: Any, iteration: Any) -> Any:
        """Whether a move whose tabu ended with iteration `expiry` is long due; arrays entry by entry."""
        if self.long_term is None:
            return np.zeros(np.shape(expiry), dtype=bool)
        return expiry < iteration - self.long_term
