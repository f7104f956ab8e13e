"""Acceptance: whether the chosen move is made."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.parts.part import Part

__all__ = ["Acceptance", "Always", "Improving"]


class Acceptance(Part):
    """Says whether the chosen move is made; where it is not, the solution is a local optimum and the scan ends."""

    @abstractmethod
    def accepts(self, delta: Any) -> Any:
        """Whether a move with this change of cost is made; arrays entry by entry."""


@final
@frozen
class Always(Acceptance):
    """Every chosen move is made, as in tabu search."""

    source: ClassVar[str] = "always.cuh"

    def accepts(self, delta: Any) -> Any:
        """True."""
        return np.full(np.shape(delta), True) if np.ndim(delta) else True


@final
@frozen
class Improving(Acceptance):
    """Only moves that lower the cost are made, as in hill climbing."""

    source: ClassVar[str] = "improving.cuh"

    def accepts(self, delta: Any) -> Any:
        """Whether the change of cost is negative."""
        return delta < 0
