"""A solution of real numbers, as Python reads it."""

from __future__ import annotations

from typing import Any, Protocol, final

import numpy as np

from metaheur.representation import SolutionView

__all__ = ["RealVector"]


class HasGrids(Protocol):
    """A space whose entries stand for real numbers."""

    def value(self, k: int, entry: int) -> float:
        """The real number that an entry stands for."""

    def decode(self, x: Any) -> np.ndarray:
        """The real numbers of solutions."""


@final
class RealVector(SolutionView):
    """A solution of `Real`, or a solution a row: whole numbers that stand for real ones.

    Attributes
    ----------
    space : Real or None
        The space of the solution; None for a part of a solution.
    """

    space: HasGrids | None

    @property
    def reals(self) -> np.ndarray:
        """All real numbers, shape (n,) or (m, n)."""
        return self._space.decode(np.asarray(self))

    def value(self, k: int) -> Any:
        """The real number of entry k; a negative k counts from the end. Of many solutions an array."""
        if self.ndim > 1:
            return self.reals[..., k]
        return self._space.value(k, int(self[k]))

    @property
    def _space(self) -> HasGrids:
        if self.space is None:
            raise AttributeError("only whole solutions have real numbers, not a part of one")
        return self.space
