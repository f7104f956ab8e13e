"""A search that is recommended for a problem, and the problems that recommend searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, final, runtime_checkable

from attrs import field, frozen

from metaheur.representation import Solution
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.validate import instance_field, whole_field

__all__ = ["KnowsLeast", "Recommendation", "Recommends", "RecommendsTogether", "RecommendsWithin"]


@final
@frozen(eq=False)
class Recommendation:
    """A search for a problem, with everything that a run by hand needs.

    Parameters
    ----------
    name : str
        The name of the search, in words.
    search : Search
        The search.
    start : array_like or "construct", optional
        Where each walk begins, as for `run`; by default at a random solution.
    walks : int, default 1
        The number of walks, unless `parallel` is given; `solve` makes so many on each core where time is limited.
    parallel : ParallelModel, optional
        The model that spreads the walks, where it is part of the search, as `Islands` are.
    price : int, default 1
        The time for a move of this search, divided by the time for a move of other searches for this problem.
    first : bool, default False
        Whether it has the first turn, because it mostly proves an optimum at once.
    length : int, default 0
        The iterations of each walk until its schedule is over; 0 if it has none.
    of_length : callable, optional
        Makes the same recommendation with a schedule of another length.
    instead : callable, optional
        Makes another recommendation of the same length, or None, given the best solution of a short schedule: `solve`
        takes it where its own short schedule ends clearly better, and asks it again.
    settles : bool, default False
        Whether the first iteration leads to a local optimum, and is the same for all lengths of the schedule.
    names : mapping of str to object
        Expressions of Python for values in the search or the start, such as ``{"problem.nearest(8)": near}``, for users
        who compose the search by hand; the problem is called `problem`.
    """

    name: str
    search: Search[Any] = instance_field(Search)
    start: Any = None
    walks: int = whole_field(1, default=1, kw_only=True)
    parallel: ParallelModel | None = field(default=None, kw_only=True)
    price: int = whole_field(1, default=1, kw_only=True)
    first: bool = field(default=False, kw_only=True)
    length: int = whole_field(0, default=0, kw_only=True)
    of_length: Callable[[int], Recommendation] = field(default=None, kw_only=True, repr=False)
    instead: Callable[[Solution], Recommendation | None] | None = field(default=None, kw_only=True, repr=False)
    settles: bool = field(default=False, kw_only=True)
    names: Mapping[str, Any] = field(factory=dict, kw_only=True)


@runtime_checkable
class Recommends(Protocol):
    """A problem that knows which searches suit it; `solve` asks."""

    def recommended(self) -> Sequence[Recommendation]:
        """The searches that suit this instance, the most promising first: at least one, and mostly at most four.

        The data alone decide which searches these are, not the machine.
        """


@runtime_checkable
class RecommendsWithin(Protocol):
    """A problem whose best search has a length, such as a schedule; `solve` measures how long it may be, and asks."""

    def recommended_within(self, steps: int, cores: int) -> Recommendation | None:
        """The search for a budget, with `length` and `of_length`; the same on every machine. None where none has one.

        `steps`: the iterations that the budget pays for on each core, of the walk that is recommended for few of them.
        `cores`: the cores, or the walks if their number is given.
        """


@runtime_checkable
class RecommendsTogether(Protocol):
    """A problem that knows searches for many walks at a time, which cooperate; `solve` asks if there are many."""

    def recommended_together(self, walks: int) -> Sequence[Recommendation]:
        """The searches that suit this instance and so many walks; none if those of `recommended` suit as well.

        The model of each has these walks; `solve` puts the model that a user gives in the place of its inner model.
        """


@runtime_checkable
class KnowsLeast(Protocol):
    """A problem that knows a lower bound of the cost; `solve` ends when a solution reaches the bound."""

    @property
    def least_cost(self) -> int:
        """The lower bound, such as 0 edges in conflict."""
