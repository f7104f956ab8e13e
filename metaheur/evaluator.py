"""The seam where iteration- and solution-level parallelism plugs in: who answers what a move would change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, final

import numpy as np
from attrs import evolve, frozen

from metaheur.errors import InputError
from metaheur.neighborhood import Move, Neighborhood
from metaheur.parts.selection import Lowest, Selection
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution
from metaheur.search import Incumbent

__all__ = ["Evaluator", "NumpyEvaluator", "largest", "python_cost"]


class Evaluator(ABC):
    """Evaluates the neighborhood of a solution.

    An evaluator may cache what it likes, but its answers depend on the solution alone.

    Attributes
    ----------
    problem : Problem
    neighborhood : Neighborhood
    """

    problem: Problem
    neighborhood: Neighborhood

    @property
    def size(self) -> int:
        """Number of moves of the neighborhood."""
        return self.neighborhood.size(self.problem.representation)

    @property
    def moves(self) -> Any:
        """All moves in index order, as one Move whose fields are arrays of shape (size,); made once."""
        representation = self.problem.representation
        return _all_moves(self.neighborhood, representation)

    def of(self, neighborhood: Neighborhood) -> Evaluator:
        """The evaluator of the same neighborhood at another moment; see `Neighborhood.at`."""
        return self if neighborhood is self.neighborhood else self.moved_to(neighborhood)

    @abstractmethod
    def moved_to(self, neighborhood: Neighborhood) -> Evaluator:
        """An evaluator of a neighborhood that differs in its moment only; this one may become it."""

    @abstractmethod
    def cost(self, x: Solution) -> int | float:
        """The cost of a solution, evaluated in full."""

    @abstractmethod
    def deltas(self, incumbent: Incumbent) -> np.ndarray:
        """The changes of cost of all moves, in index order.

        Returns
        -------
        numpy.ndarray, shape (size,)
            Of the problem's cost type; the largest number of that type where an index denotes no move. Valid until the
            next call.
        """

    @abstractmethod
    def pieces(self, incumbent: Incumbent) -> Iterator[tuple[int, np.ndarray]]:
        """The changes of cost piece by piece, for neighborhoods larger than memory.

        Yields
        ------
        first : int
            Index of the piece's first move.
        deltas : numpy.ndarray, shape (m,)
            The changes of cost of the moves first ... first + m - 1; valid until the next piece.
        """

    def best(self, incumbent: Incumbent, selection: Selection = Lowest()) -> tuple[int, int | float]:
        """The move of lowest score, the one with the lowest index among equals.

        Parameters
        ----------
        incumbent : Incumbent
            The solution whose neighborhood is evaluated.
        selection : Selection, default Lowest()
            Makes scores of changes of cost.

        Returns
        -------
        index : int
            -1 where there is no move.
        delta : int or float
            Its change of cost.
        """
        index, delta, lowest = -1, 0, None
        for first, deltas in self.pieces(incumbent):
            moves = deltas < largest(deltas.dtype) if self.neighborhood.partial else None
            if moves is not None and not moves.any():
                continue
            scores = selection.score(deltas)
            scores = scores if moves is None else np.where(moves, scores, largest(scores.dtype))
            k = int(np.argmin(scores))
            if lowest is None or scores[k] < lowest:
                index, delta, lowest = first + k, deltas[k].item(), scores[k]
        return index, delta


@final
@frozen(eq=False)
class NumpyEvaluator(Evaluator):
    """The reference: the Python half alone, on NumPy arrays.

    Moves are evaluated by `Problem.delta`, many at a time, or where there is none by `Problem.costs` on the moved
    solutions.

    Parameters
    ----------
    problem : Problem
        What is to be minimised.
    neighborhood : Neighborhood
        The moves.
    """

    problem: Problem
    neighborhood: Neighborhood

    CHUNK = 1 << 20
    """Entries of moved solutions that are made at a time."""

    def moved_to(self, neighborhood: Neighborhood) -> Evaluator:
        """Another evaluator: nothing is kept."""
        return evolve(self, neighborhood=neighborhood)

    def cost(self, x: Solution) -> int | float:
        """`Problem.cost`, as a Python number of the declared type."""
        return python_cost(self.problem, x)

    def deltas(self, incumbent: Incumbent) -> np.ndarray:
        """All changes of cost, by chunks of moves."""
        out = np.empty(self.size, dtype=self.problem.cost_type)
        for first, piece in self.pieces(incumbent):
            out[first : first + len(piece)] = piece
        return out

    def pieces(self, incumbent: Incumbent) -> Iterator[tuple[int, np.ndarray]]:
        """Chunks of moves whose moved solutions have 2**20 entries."""
        representation, size = self.problem.representation, self.size
        chunk = max(1, self.CHUNK // representation.length)
        for first in range(0, size, chunk):
            indices = np.arange(first, min(first + chunk, size))
            yield first, np.asarray(self._some(incumbent, representation, indices), dtype=self.problem.cost_type)

    def _some(self, incumbent: Incumbent, representation: Representation, indices: np.ndarray) -> Any:
        x = incumbent.solution
        moves = self.neighborhood.batch(representation, indices)
        if moves is NotImplemented:
            return [self._one(incumbent, self.neighborhood.move(representation, int(k))) for k in indices]
        deltas = self.problem.delta(x, moves)
        if deltas is NotImplemented:
            return np.asarray(self.problem.costs(moves.apply(x))) - incumbent.cost
        return deltas

    def _one(self, incumbent: Incumbent, move: Move) -> Any:
        meant = move.within(incumbent.solution)
        if meant is None:
            return largest(self.problem.cost_type)
        delta = self.problem.delta(incumbent.solution, meant)
        if delta is NotImplemented:
            return python_cost(self.problem, move.apply(incumbent.solution)) - incumbent.cost
        return delta


@lru_cache(maxsize=8)
def _all_moves(neighborhood: Neighborhood, representation: Representation) -> Any:
    return neighborhood.batch(representation, np.arange(neighborhood.size(representation)))


@cache
def largest(cost_type: Any) -> Any:
    """The largest number of a type: the change of cost where an index denotes no move, and a score that no move has."""
    dtype = np.dtype(cost_type)
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


def python_cost(problem: Problem, x: Solution) -> int | float:
    """`problem.cost(x)` as an int or a float, whichever the problem declares; refused where it is the other."""
    cost = problem.cost(x)
    if problem.cost_type == "float64":
        return float(cost)
    if isinstance(cost, float | np.floating) and not float(cost).is_integer():
        raise InputError(
            f"{type(problem).__name__}.cost returned {cost}, but its cost_type is {problem.cost_type!r}.",
            'scale the data to integers, or say cost_type = "float64" in the class.',
        )
    if isinstance(cost, float | np.floating) and abs(cost) >= 2**53:
        raise InputError(f"{type(problem).__name__}.cost returned {cost}, a float too large to be exact.")
    return int(cost)
