"""Search order: which of several searches follows the one whose phase has ended."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array
from metaheur.part import Kept, Part
from metaheur.random import Random
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution

__all__ = ["BackToFirst", "Cyclic", "InOrder", "PhaseEnd", "Pipe", "SearchOrder", "Shuffled"]

END = -1
"""The number of the next search when all is over."""


@final
@frozen
class PhaseEnd:
    """The end of a phase.

    `turn`: the number of its search, from 0 on; -1 before the first phase. `count`: how many searches there are.
    `improved`: whether the phase lowered the cost. `done`: whether the search itself ended, such as at a local optimum;
    False if a limit ended the phase.
    """

    turn: int
    count: int
    improved: bool = False
    done: bool = False

    @property
    def behind(self) -> int:
        """The number of the next search; after the last search, that of the first."""
        return (self.turn + 1) % self.count

    def failed(self, before: int) -> int:
        """How many searches in a row have nothing left to improve, given that number before the phase."""
        if self.turn < 0 or (self.improved and not self.done):
            return 0
        return 1 if self.improved else before + 1


class SearchOrder(Part):
    """Decides which search comes next."""

    def require(self, count: int) -> None:
        """Refuse a number of searches that does not fit."""

    @abstractmethod
    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        """The number of the next search, or -1: then all is over. Writes the kept arrays.

        In C++, called by all threads of a team: ``i64 next(Team, PhaseEnd, Random)``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        end : PhaseEnd
            The end of the phase before.
        random : Random
            The random numbers to draw from.
        """


@final
@frozen
class InOrder(SearchOrder):
    """Each search once, in the order of the list; or again and again.

    Parameters
    ----------
    cycles : bool, default False
        Whether the first search follows the last one.
    """

    cycles: bool = field(default=False)

    source: ClassVar[str] = "in_order.cuh"

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        return end.behind if self.cycles or end.turn + 1 < end.count else END


@final
@frozen
class BackToFirst(SearchOrder):
    """After an improvement the first search again, otherwise the next one; all is over after the last search.

    Notes
    -----
    The basic variable neighborhood descent: P. Hansen, N. Mladenović, R. Todosijević and S. Hanafi, "Variable
    neighborhood search: basics and variants", EURO Journal on Computational Optimization 5, 2017, section 2.2. If the
    first search has ended by itself, it has nothing left to improve, and the second search follows.
    """

    source: ClassVar[str] = "back_to_first.cuh"

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        if end.improved and (end.turn > 0 or not end.done):
            return 0
        return end.behind if end.turn + 1 < end.count else END


@final
@frozen
class Cyclic(SearchOrder):
    """The next search after every phase, again and again, until all searches fail in a row.

    Notes
    -----
    The cyclic variable neighborhood descent of Hansen et al. 2017, section 2.2.
    """

    source: ClassVar[str] = "cyclic.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`failed`: how many searches in a row have nothing left to improve."""
        return {"failed": Array((), "int64", within=COUNT)}

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        kept["failed"][()] = end.failed(int(kept["failed"]))
        return end.behind if kept["failed"] < end.count else END


@final
@frozen
class Pipe(SearchOrder):
    """The same search as long as it improves, then the next one, again and again, until all searches fail in a row.

    Notes
    -----
    The pipe variable neighborhood descent of Hansen et al. 2017, section 2.2.
    """

    source: ClassVar[str] = "pipe.cuh"

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`failed`: how many searches in a row have nothing left to improve."""
        return {"failed": Array((), "int64", within=COUNT)}

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        kept["failed"][()] = end.failed(int(kept["failed"]))
        if end.turn >= 0 and not kept["failed"]:
            return end.turn
        return end.behind if kept["failed"] < end.count else END


@final
@frozen
class Shuffled(SearchOrder):
    """A random search among those that have not failed since the last improvement, until all searches have failed.

    Parameters
    ----------
    count : int
        How many searches there are, 1 ... 1000.

    Notes
    -----
    A. Subramanian, L. M. A. Drummond, C. Bentes, L. S. Ochi and R. Farias, "A parallel heuristic for the vehicle
    routing problem with simultaneous pickup and delivery", Computers & Operations Research 37, 2010 (RVND).
    """

    count: int = whole_field(1, 1000)

    source: ClassVar[str] = "shuffled.cuh"

    def require(self, count: int) -> None:
        """Refuse a number of searches other than `count`.

        Raises
        ------
        InputError
            If the numbers differ; names both.
        """
        if count != self.count:
            raise InputError(f"Shuffled({self.count}) orders {self.count} searches, but there are {count}.")

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`listed`: the searches, failed ones first; `failed`: how many have failed."""
        listed = Array((self.count,), "int32", within=(0, self.count - 1), distinct=True)
        return {"listed": listed, "failed": Array((), "int64", within=(0, self.count - 1))}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {"listed": np.arange(self.count, dtype=np.int32), "failed": np.array(0)}

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        listed, failed = kept["listed"], 0 if end.improved else int(kept["failed"])
        if end.turn >= 0 and (end.done or not end.improved):  # it failed, or has nothing left to improve
            place = int(np.flatnonzero(listed == end.turn)[0])
            listed[[failed, place]] = listed[[place, failed]]
            failed += 1
        kept["failed"][()] = failed % self.count
        return END if failed == self.count else int(listed[random.integer(0, failed, self.count - 1)])
