"""The members of a space that moves of lists use: numbers of items and of lists, and whether items may be left out."""

from __future__ import annotations

from typing import Protocol, cast, runtime_checkable

from metaheur.component import Representation, Solution

__all__ = ["HasLists", "lists_in"]


@runtime_checkable
class HasLists(Protocol):
    """A space of solutions in which places follow each other, such as `Lists`."""

    @property
    def items(self) -> int:
        """Number of items, which are the places 0 ... items - 1; the heads of lists come behind them."""

    @property
    def lists(self) -> int:
        """Number of lists."""

    @property
    def optional(self) -> bool:
        """Whether items may be left out."""

    def split(self, x: Solution) -> list[list[int]]:
        """The items of each list, in order."""


def lists_in(representation: Representation) -> HasLists:
    """The same representation, which has lists."""
    return cast(HasLists, representation)
