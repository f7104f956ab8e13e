"""Aspiration: when a forbidden move is made all the same."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, final

from attrs import frozen

from metaheur.part import Part
from metaheur.validate import whole_field

__all__ = ["Aspiration", "BestSoFar", "LongTerm", "NewBest", "NoAspiration"]


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
            The last iteration in which the move is forbidden.
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
    """The first move that leads to a new best solution precedes, if it is not forbidden; no forbidden move aspires.

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

    Parameters
    ----------
    iterations : int
        A move aspires when one of its placements has not been forbidden for more than that many iterations,
        1 ... 2**30.

    Notes
    -----
    Taillard 1991, section 3: the long-term aspiration makes rare placements happen; sensible values exceed the size of
    the neighborhood.
    """

    iterations: int = whole_field(1, 2**30)

    source: ClassVar[str] = "long_term.cuh"
    precedes: ClassVar[bool] = True

    def aspires(self, delta: Any, gap: Any, expiry: Any, iteration: Any) -> Any:
        return (delta < gap) | (expiry < iteration - self.iterations)
