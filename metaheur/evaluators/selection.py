"""Selections, which make scores of changes of cost; the lowest score is chosen, among equals the lowest index."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.part import Part

__all__ = ["LeastImproving", "Lowest", "Selection"]


class Selection(Part):
    """Makes scores of changes of cost.

    Attributes
    ----------
    monotone : bool
        Whether a lower change of cost never has a higher score; True by default.
    """

    facts: ClassVar[tuple[str, ...]] = ("monotone",)
    monotone: ClassVar[bool] = True

    @abstractmethod
    def score(self, delta: Any) -> Any:
        """The score of a change of cost, lower is better, in the same type; arrays entry by entry."""


@final
@frozen
class Lowest(Selection):
    """The change of cost itself: best improvement, or least deterioration."""

    source: ClassVar[str] = "lowest.cuh"

    def score(self, delta: Any) -> Any:
        return delta


@final
@frozen
class LeastImproving(Selection):
    """The least improvement; if no move improves, the least deterioration.

    Notes
    -----
    Scores of type float64 use the reciprocals of improvements.
    """

    source: ClassVar[str] = "least_improving.cuh"
    monotone: ClassVar[bool] = False

    def score(self, delta: Any) -> Any:
        if np.asarray(delta).dtype.kind == "f":
            with np.errstate(divide="ignore"):
                return np.where(delta < 0, np.divide(1.0, delta), delta)[()]
        wide = np.asarray(delta, np.int64)
        return np.where(wide < 0, -(2**63 - 1) - 1 - wide, wide)[()]
