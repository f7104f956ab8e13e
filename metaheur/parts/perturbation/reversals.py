"""Reversals: perturbations that reverse segments, such as the double bridge."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import Factor, Range
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.two_opt import TwoOpt, TwoOptMove
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.representation import is_cyclic
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["DoubleBridge", "Reversals", "SegmentReversal", "SegmentShuffle"]

_LONGEST: Final = 2**31 - 1
_LEAST: Final = 8


class Reversals(Perturbation):
    """A perturbation of permutations that reverses segments; a search that keeps a journal can undo it."""

    @abstractmethod
    def reversals(self, random: Random, n: int) -> Iterator[tuple[int, int]]:
        """The segments to reverse, one after the other.

        In C++: ``template <class F> void reversals(Random, F f) const``, which calls ``f(i, last)`` for each.

        Parameters
        ----------
        random : Random
            The random numbers to draw from.
        n : int
            Length of the permutation.

        Yields
        ------
        i, last : int
            Positions, 1 <= i <= last < n; a segment of one item changes nothing.
        """

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (TwoOpt(),)

    def require(self, problem: Problem) -> None:
        """Refuse solutions that are not permutations, or that have fewer than 8 items.

        Raises
        ------
        InputError
            If the solutions do not fit.
        """
        space = problem.representation
        if not space.arranges or space.length < _LEAST:
            raise InputError(
                f"{type(self).__name__} perturbs permutations of {_LEAST} items or more, but the solutions are "
                f"{space!r}.",
                "use RandomMoves with a neighborhood for these solutions.",
            )

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        space, moves, made = solution.representation, TwoOpt(), 0
        self.require(evaluate.problem)
        n, evaluator = space.length, evaluate.of(moves)
        for i, last in self.reversals(walk.random(Stream.PERTURBATION), n):
            if i < last and not (is_cyclic(space) and last - i == n - 2):  # which would only turn the tour around
                move = TwoOptMove(i, last)
                k = moves.index(space, move)
                delta = evaluator.delta(solution, k)
                assert delta is not None
                solution = solution.moved(moves, k, delta, move)
                made += 1
        return solution, made


@final
@frozen
class DoubleBridge(Reversals):
    """The tour A B C D becomes A D C B: exactly four edges change, and no sequential exchange undoes it.

    Parameters
    ----------
    length : int, optional
        The largest length of B, C and D, 2 or more; the three lengths are drawn at random: a *local* kick, in one place
        of the tour. At most (n-2) // 3 is used. None, the default, for a *global* kick, with cuts anywhere.
    share : float, default 0.0
        The share of kicks that are global although `length` is given, 0 ... 1.

    Notes
    -----
    O. Martin, S. W. Otto and E. W. Felten, "Large-step Markov chains for the traveling salesman problem", Complex
    Systems 5, 1991. A C B D would change three edges only: it is a 3-opt move. Here A and C have two items or more,
    since two neighboring segments of one item each would keep the edge between them.
    """

    length: int | None = whole_field(
        2, _LONGEST, default=None, maybe="use None for global kicks.", metadata={"tune": Factor()}
    )
    share: float = real_field(0, 1, default=0.0, metadata={"tune": Range(0.0, 1.0)})
    moves: TwoOpt = field(factory=TwoOpt, init=False, repr=False)

    source: ClassVar[str] = "double_bridge.cuh"
    blind: ClassVar[bool] = True

    def reversals(self, random: Random, n: int) -> Iterator[tuple[int, int]]:
        words = random.words(0)
        if self.length is None or (self.share > 0 and random.bits(1) < self.share * 2.0**32):
            b, c, d = _anywhere(words, n)
        else:
            most = min(self.length, (n - 2) // 3)
            b, c, d = (1 + (words[0] * most >> 32), 2 + (words[1] * (most - 1) >> 32), 1 + (words[2] * most >> 32))
        begin = 1 + (words[3] * (n - b - c - d) >> 32)
        yield begin, begin + b + c + d - 1
        yield begin, begin + d - 1
        yield begin + d, begin + d + c - 1
        yield begin + d + c, begin + d + c + b - 1


def _anywhere(words: tuple[int, ...], n: int) -> tuple[int, int, int]:
    """Random lengths of B, C and D such that A and C have two items or more; all such lengths are equally likely."""
    first, second, third = (1 + (words[k] * (n - 3 - k) >> 32) for k in range(3))  # three of n - 3 cuts
    second += second >= first
    low, high = min(first, second), max(first, second)
    third += third >= low
    third += third >= high
    low, middle, high = sorted((low, high, third))
    return middle - low, high - middle + 1, n - 2 - high


@final
@frozen
class SegmentReversal(Reversals):
    """Reverses a segment of two items or more at a random place: two edges of a tour change.

    Parameters
    ----------
    length : int
        The largest length of the segment; at most n - 1 is used.
    """

    length: int = whole_field(2, _LONGEST, metadata={"tune": Factor()})
    moves: TwoOpt = field(factory=TwoOpt, init=False, repr=False)

    source: ClassVar[str] = "segment_reversal.cuh"
    blind: ClassVar[bool] = True

    def reversals(self, random: Random, n: int) -> Iterator[tuple[int, int]]:
        words = random.words(0)
        length = 2 + (words[0] * (min(self.length, n - 1) - 1) >> 32)
        begin = 1 + (words[1] * (n - length) >> 32)
        yield begin, begin + length - 1


@final
@frozen
class SegmentShuffle(Reversals):
    """Shuffles the items of a segment at a random place; with a length of n or more, all items but the first.

    Parameters
    ----------
    length : int
        The number of items of the segment; at most n - 1 is used. An exchange of two items takes two reversals, so that
        the work grows with the square of the length.
    """

    length: int = whole_field(2, _LONGEST, metadata={"tune": Factor()})
    moves: TwoOpt = field(factory=TwoOpt, init=False, repr=False)

    source: ClassVar[str] = "segment_shuffle.cuh"
    blind: ClassVar[bool] = True

    def reversals(self, random: Random, n: int) -> Iterator[tuple[int, int]]:
        length = min(self.length, n - 1)
        begin = 1 + random.integer(0, 0, n - length - 1)
        for k in range(length - 1, 0, -1):  # Fisher and Yates, from the top
            other = random.integer(k, 0, k)
            if other < k:
                yield begin + other, begin + k
            if other + 1 < k - 1:
                yield begin + other + 1, begin + k - 1
