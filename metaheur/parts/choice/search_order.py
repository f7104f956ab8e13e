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
"""What follows the last search."""


@final
@frozen
class PhaseEnd:
    """How a phase ended.

    Parameters
    ----------
    turn : int
        Whose phase it was: the searches are numbered from 0 on; -1 where there was none yet.
    count : int
        How many searches there are.
    improved : bool, default False
        Whether the phase lowered the cost.
    done : bool, default False
        Whether the search came to its own end, such as a local optimum; False where a limit ended the phase.
    """

    turn: int
    count: int
    improved: bool = False
    done: bool = False

    @property
    def behind(self) -> int:
        """The search behind in a round: the first one behind the last."""
        return (self.turn + 1) % self.count

    def failed(self, before: int) -> int:
        """How many searches in a row have nothing left to improve, from their number before the phase."""
        if self.turn < 0 or (self.improved and not self.done):
            return 0
        return 1 if self.improved else before + 1


class SearchOrder(Part):
    """Says which search comes next."""

    def require(self, count: int) -> None:
        """Refuse a number of searches that it does not order."""

    @abstractmethod
    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        """The number of the search that comes next, -1 for none: then all is over. Writes the kept arrays.

        In C++, called by all threads of a team: ``i64 next(Team, PhaseEnd, Random)``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        end : PhaseEnd
            How the phase before ended.
        random : Random
            What to draw from.
        """


@final
@frozen
class InOrder(SearchOrder):
    """Each search once, in the order in which they are listed; or round and round.

    Parameters
    ----------
    cycles : bool, default False
        Whether the first one follows the last.
    """

    cycles: bool = field(default=False)

    source: ClassVar[str] = "in_order.cuh"

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        return end.behind if self.cycles or end.turn + 1 < end.count else END


@final
@frozen
class BackToFirst(SearchOrder):
    """After an improvement the first search again, else the one behind; all is over behind the last one.

    Notes
    -----
    The basic variable neighborhood descent: P. Hansen, N. Mladenović, R. Todosijević and S. Hanafi, "Variable
    neighborhood search: basics and variants", EURO Journal on Computational Optimization 5, 2017, section 2.2. A first
    search that is done has nothing left to improve, so that the second follows it.
    """

    source: ClassVar[str] = "back_to_first.cuh"

    def next(self, kept: Kept, end: PhaseEnd, random: Random) -> int:
        if end.improved and (end.turn > 0 or not end.done):
            return 0
        return end.behind if end.turn + 1 < end.count else END


@final
@frozen
class Cyclic(SearchOrder):
    """After an improvement, too, the search behind: round and round until all of them fail in a row.

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
    """The same search as long as it improves, then the one behind: round and round until all of them fail in a row.

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
    """A search drawn from those that have not failed since the last improvement; all is over when all have.

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
        """Refuse more or fewer searches than it counts.

        Raises
        ------
        InputError
            With both numbers.
        """
        if count != self.count:
            raise InputError(f"Shuffled({self.count}) orders {self.count} searches, but there are {count}.")

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`listed`: the searches, those first that have failed; `failed`: how many these are."""
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
