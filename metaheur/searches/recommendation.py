"""A search that is recommended for a problem, and the problems that recommend some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, final, runtime_checkable

from attrs import field, frozen

from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.validate import instance_field, whole_field

__all__ = ["KnowsLeast", "Recommendation", "Recommends"]


@final
@frozen(eq=False)
class Recommendation:
    """A search for a problem, with all that it takes to run it by hand.

    Parameters
    ----------
    name : str
        What it is called, in words.
    search : Search
        The search.
    start : array_like or "construct", optional
        Where each walk begins, as for `run`; by default at a random solution.
    walks : int, default 4
        How many walks it has, where `parallel` does not say.
    parallel : ParallelModel, optional
        How its walks are spread, where that is part of the search, as in `Islands`.
    price : int, default 1
        How many of the moves that other searches for this problem evaluate take as long as one of this search.
    names : mapping of str to object
        Python that makes values which the search or the start hold, such as ``{"problem.nearest(8)": near}``, for
        those who compose it by hand; the problem is called `problem`.
    """

    name: str
    search: Search[Any] = instance_field(Search)
    start: Any = None
    walks: int = whole_field(1, default=4, kw_only=True)
    parallel: ParallelModel | None = field(default=None, kw_only=True)
    price: int = whole_field(1, default=1, kw_only=True)
    names: Mapping[str, Any] = field(factory=dict, kw_only=True)


@runtime_checkable
class Recommends(Protocol):
    """A problem that knows which searches suit it; `solve` asks."""

    def recommended(self) -> Sequence[Recommendation]:
        """The searches that suit this instance, the most promising first: one at least, and mostly not more than four.

        What they are follows from the data alone, not from the machine.
        """


@runtime_checkable
class KnowsLeast(Protocol):
    """A problem that knows a cost which no solution goes below; `solve` ends where one reaches it."""

    @property
    def least_cost(self) -> int:
        """Such as 0 edges in conflict."""
