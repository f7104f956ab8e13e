"""Acceptance: whether a move, or the result of a search, is accepted."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.part import Kept, Part
from metaheur.validate import real_field

__all__ = ["Acceptance", "Always", "Better", "BetterOrEqual", "Improving", "Neutral"]


class Acceptance(Part):
    """Decides whether a change of cost is accepted; the loop decides what happens after a refusal.

    Attributes
    ----------
    draws : bool
        Whether the decision depends on random bits; False by default.
    improves : bool
        Whether it accepts only changes that lower the cost; False by default.
    """

    facts: ClassVar[tuple[str, ...]] = ("draws", "improves")
    draws: ClassVar[bool] = False
    improves: ClassVar[bool] = False

    @abstractmethod
    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        """Whether a change of cost is accepted; arrays entry by entry.

        In C++: ``bool accepts(Total delta, Total current, Total best, u32 draw) const``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        delta : int, float or numpy.ndarray
            The change of cost.
        current, best : int or float
            The cost before the change, and the best cost so far.
        draw : int
            Random bits, 0 ... 2**32 - 1; 0 unless the acceptance `draws`.
        """

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        """Take note of a decision; writes the kept arrays. Does nothing by default.

        In C++, called by all threads of a team: ``void record(Team, bool accepted, Total cost, Total best)``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        accepted : bool
            Whether the change was accepted.
        cost, best : int or float
            The cost after the decision, and the best cost so far.
        """

    def ended(self, kept: Kept) -> bool:
        """Whether the search is over, such as at the end of a schedule; False by default.

        In C++: ``bool ended() const``.
        """
        return False

    @property
    def endless(self) -> bool:
        """Whether it certainly never ends a search; where `ended` is not defined by default."""
        return type(self).ended is Acceptance.ended


@final
@frozen
class Always(Acceptance):
    """Accepts every change, as in tabu search."""

    source: ClassVar[str] = "always.cuh"

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return np.full(delta.shape, True) if isinstance(delta, np.ndarray) else True


@final
@frozen
class Better(Acceptance):
    """Accepts a change that lowers the cost."""

    source: ClassVar[str] = "better.cuh"
    improves: ClassVar[bool] = True

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return delta < 0


@final
@frozen
class BetterOrEqual(Acceptance):
    """Accepts a change that does not raise the cost."""

    source: ClassVar[str] = "better_or_equal.cuh"

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return delta <= 0


@final
@frozen
class Improving(Acceptance):
    """Accepts a change that lowers the cost; floats must fall by more than rounding errors, so that a descent ends.

    Parameters
    ----------
    tolerance : float, default 1e-9
        Floats must fall by more than this times the current cost, or times 1 where that is smaller.
    """

    tolerance: float = real_field(0, 1, below=True, default=1e-9)

    source: ClassVar[str] = "improving.cuh"
    improves: ClassVar[bool] = True

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        if np.asarray(current).dtype.kind != "f":
            return delta < 0
        return delta < -(self.tolerance * np.maximum(1.0, np.abs(current)))


@final
@frozen
class Neutral(Acceptance):
    """Accepts a change that leaves the cost as it is."""

    source: ClassVar[str] = "neutral.cuh"

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return delta == 0
