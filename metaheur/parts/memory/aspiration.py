"""Aspiration: when a forbidden move is made all the same."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Factor
from metaheur.part import Part
from metaheur.representation import Representation
from metaheur.validate import whole_field

__all__ = ["Aspiration", "BestSoFar", "LongTerm", "NewBest", "NoAspiration"]

LONGEST = 2**30
"""The longest time: 32 bits hold all expiries that matter."""


class Aspiration(Part):
    """Decides which forbidden moves may be made all the same.

    Attributes
    ----------
    precedes : bool
        Whether moves that aspire precede all other moves; False by default: they compete with the moves that are not
        forbidden.
    takes_first : bool
        Whether the first of the preceding moves is made instead of the best; False by default. If True, only moves
        that lead to a new best solution are asked.
    """

    facts: ClassVar[tuple[str, ...]] = ("precedes", "takes_first")
    precedes: ClassVar[bool] = False
    takes_first: ClassVar[bool] = False

    def fitted(self, representation: Representation) -> Aspiration:
        """The aspiration with its numbers for solutions of a representation; itself by default."""
        return self

    @abstractmethod
    def aspires(self, delta: Any, gap: Any, expiry: Any, iteration: Any) -> Any:
        """Whether a move may be made though it is forbidden; arrays entry by entry.

        Parameters
        ----------
        delta : int, float or numpy.ndarray
            The move's change of cost.
        gap : int or float
            The best cost minus the current cost, 0 or less.
        expiry : int or numpy.ndarray
            The last iteration in which the move is forbidden; at least the iteration at which a search around this one
            last took the walk elsewhere.
        iteration : int
            The current iteration.
        """


@final
@frozen
class NoAspiration(Aspiration):
    """No forbidden move aspires."""

    source: ClassVar[str] = "no_aspiration.cuh"

    def aspires(self, delta: Any, gap: Any, expiry: Any, iteration: Any) -> Any:
        return (delta < gap) & False


@final
@frozen
class BestSoFar(Aspiration):
    """A move aspires if it leads to a new best solution."""

    source: ClassVar[str] = "best_so_far.cuh"

    def aspires(self, delta: Any, gap: Any, expiry: Any, iteration: Any) -> Any:
        return delta < gap


@final
@frozen
class NewBest(Aspiration):
    """The first move to a new best solution is made at once, unless it is forbidden; no forbidden move aspires.

    Notes
    -----
    The first improvement of G. Palubeckis, "Multistart tabu search strategies for the unconstrained binary quadratic
    optimization problem", Annals of Operations Research 131, 2004.
    """

    source: ClassVar[str] = "new_best.cuh"
    precedes: ClassVar[bool] = True
    takes_first: ClassVar[bool] = True

    def aspires(self, delta: Any, gap: Any, expiry: Any, iteration: Any) -> Any:
        return (delta < gap) & (expiry < iteration)


@final
@frozen
class LongTerm(Aspiration):
    """A move aspires if it leads to a new best solution, or was not forbidden for long; such moves come first.

    A move aspires when one of its placements has not been forbidden for more than a number of iterations. This number
    is the sum of both parameters, at most 2**30. The count begins anew where a search around this one takes the walk
    elsewhere.

    Parameters
    ----------
    iterations : int
        0 ... 2**30, but not 0 where `squares` is 0.
    squares : int, default 0
        A multiple of the square of a solution's length, which is added to `iterations`; 0 ... 2**30.

    Notes
    -----
    Taillard 1991, section 3: the long-term aspiration makes rare placements happen; sensible values exceed the size of
    the neighborhood.
    """

    iterations: int = whole_field(0, LONGEST, metadata={"tune": Factor()})
    squares: int = whole_field(0, LONGEST, default=0, kw_only=True, metadata={"tune": Factor()})

    source: ClassVar[str] = "long_term.cuh"
    precedes: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse a time of no iterations."""
        if not self.iterations and not self.squares:
            raise InputError(
                "`LongTerm.iterations` must be a whole number in 1 ... 1073741824 where `squares` is 0, but is 0.",
                "use LongTerm(0, squares=5), or BestSoFar(), which has no such rule.",
            )

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`longest`, the number of iterations."""
        return {"longest": self.fitted(representation).iterations}

    def fitted(self, representation: Representation) -> LongTerm:
        """The same aspiration with a number of iterations alone."""
        return _long_term(self.iterations, self.squares, representation.length) if self.squares else self

    def aspires(self, delta: Any, gap: Any, expiry: Any, iteration: Any) -> Any:
        if self.squares:
            raise InputError(
                f"{self!r} depends on the length of the solutions.", "ask fitted(representation).aspires(...)."
            )
        return (delta < gap) | (expiry < iteration - self.iterations)


@cache
def _long_term(iterations: int, squares: int, n: int) -> LongTerm:
    """The same aspiration with a number of iterations alone; made once."""
    return LongTerm(min(LONGEST, iterations + squares * n**2))
