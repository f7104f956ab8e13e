"""What an evaluator answers: what solutions cost, and what the moves of a neighborhood would change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np

from metaheur.errors import InputError
from metaheur.evaluators.selection import Lowest, Selection

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.neighborhood import Neighborhood
    from metaheur.problem import Problem
    from metaheur.representation import Representation, Solution
    from metaheur.walk import EvaluatedSolution

__all__ = ["LOWEST", "Evaluator", "NeighborhoodEvaluator"]

LOWEST = Lowest()

MOST_OBJECTIVES = 8


class NeighborhoodEvaluator(ABC):
    """Evaluates the moves of one neighborhood.

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
        """All moves in index order, as one Move whose fields are arrays of shape (size,); made once.

        `NotImplemented` where the neighborhood has no `batch`.
        """
        return _all_moves(self.neighborhood, self.problem.representation)

    @abstractmethod
    def resampled(self, neighborhood: Neighborhood) -> NeighborhoodEvaluator:
        """Return an evaluator of the same neighborhood with newly sampled moves; may modify and return `self`."""

    @abstractmethod
    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        """The changes of cost chunk by chunk, for neighborhoods larger than memory.

        Yields
        ------
        first : int
            Index of the chunk's first move.
        deltas : numpy.ndarray, shape (m,), or (m, K) with K objectives
            The changes of cost of the moves first ... first + m - 1, int32, int64 or float64; the largest number of
            that type where a move is infeasible. Valid until the next chunk.
        """

    @abstractmethod
    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        """The change of cost of the move with index k, a tuple with several objectives; None if it is infeasible."""

    def deltas(self, solution: EvaluatedSolution) -> np.ndarray:
        """The changes of cost of all moves, in index order.

        Returns
        -------
        numpy.ndarray, shape (size,), or (size, K) with K objectives
            As `chunks` has them. Valid until the next call.
        """
        chunks = [(first, deltas.copy()) for first, deltas in self.chunks(solution)]
        if not chunks:
            return np.zeros((0, *numbers(self.problem)), wide_type(self.problem))
        return chunks[0][1] if len(chunks) == 1 else np.concatenate([deltas for _, deltas in chunks])

    def best(self, solution: EvaluatedSolution, selection: Selection = LOWEST) -> tuple[int, int | float]:
        """The move of lowest score, the one with the lowest index among equals; for one objective.

        Parameters
        ----------
        solution : EvaluatedSolution
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
        for first, deltas in self.chunks(solution):
            feasible = feasible_moves(deltas) if self.neighborhood.partial else None
            if feasible is not None and not feasible.any():
                continue
            scores = selection.score(deltas)
            scores = scores if feasible is None else np.where(feasible, scores, largest(scores.dtype))
            k = int(np.argmin(scores))
            if lowest is None or scores[k] < lowest:
                index, delta, lowest = first + k, deltas[k].item(), scores[k]
        return index, delta


class Evaluator(ABC):
    """Evaluates solutions, and gives the evaluators of neighborhoods.

    Where a search names a neighborhood, its evaluator answers for that one: `deltas`, `delta`, `best` and so on are
    those of ``of(neighborhood)``.

    Attributes
    ----------
    problem : Problem
    neighborhood : Neighborhood or None
        The search's.
    """

    problem: Problem
    neighborhood: Neighborhood | None

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code evaluates; none by default, as of Python."""
        return ()

    @abstractmethod
    def cost(self, x: Solution) -> Any:
        """The cost of a solution, shape (n,), evaluated in full; a tuple with several objectives."""

    @abstractmethod
    def costs(self, xs: np.ndarray) -> np.ndarray:
        """The costs of many solutions, a row each: (m, n) makes (m,), or (m, K) with K objectives; int64 or float64."""

    @abstractmethod
    def of(self, neighborhood: Neighborhood) -> NeighborhoodEvaluator:
        """The evaluator of a neighborhood; made once, if the neighborhood is the same object."""

    @final
    def on(self, neighborhood: Neighborhood | None) -> Evaluator:
        """The same evaluator for a search that names another neighborhood, as one inside another search does."""
        return self if neighborhood is None or neighborhood is self.neighborhood else _Elsewhere(self, neighborhood)

    @property
    @final
    def _here(self) -> NeighborhoodEvaluator:
        if self.neighborhood is None:
            raise InputError(
                "The `neighborhood` of the search is None, so its evaluator evaluates solutions only.",
                "ask evaluate.of(neighborhood), or set `neighborhood` in the search.",
            )
        return self.of(self.neighborhood)

    @property
    @final
    def size(self) -> int:
        """Number of moves of the search's neighborhood."""
        return self._here.size

    @property
    @final
    def moves(self) -> Any:
        """See `NeighborhoodEvaluator.moves`."""
        return self._here.moves

    @final
    def deltas(self, solution: EvaluatedSolution) -> np.ndarray:
        """See `NeighborhoodEvaluator.deltas`."""
        return self._here.deltas(solution)

    @final
    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        """See `NeighborhoodEvaluator.delta`."""
        return self._here.delta(solution, k)

    @final
    def best(self, solution: EvaluatedSolution, selection: Selection = LOWEST) -> tuple[int, int | float]:
        """See `NeighborhoodEvaluator.best`."""
        return self._here.best(solution, selection)


@final
class _Elsewhere(Evaluator):
    """An evaluator that answers for another neighborhood."""

    def __init__(self, evaluator: Evaluator, neighborhood: Neighborhood) -> None:
        self.evaluator, self.problem, self.neighborhood = evaluator, evaluator.problem, neighborhood

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.evaluator.native_devices

    def cost(self, x: Solution) -> Any:
        return self.evaluator.cost(x)

    def costs(self, xs: np.ndarray) -> np.ndarray:
        return self.evaluator.costs(xs)

    def of(self, neighborhood: Neighborhood) -> NeighborhoodEvaluator:
        return self.evaluator.of(neighborhood)


@lru_cache(maxsize=8)
def _all_moves(neighborhood: Neighborhood, representation: Representation) -> Any:
    return neighborhood.batch(representation, np.arange(neighborhood.size(representation)))


def wide_type(problem: Problem) -> np.dtype[Any]:
    """The type of a cost: int64, or float64.

    Raises
    ------
    InputError
        If `cost_type` is none of the three types.
    """
    if problem.cost_type not in ("int32", "int64", "float64"):
        raise InputError(
            f'{type(problem).__name__}.cost_type must be "int32", "int64" or "float64", but is {problem.cost_type!r}.',
            'write cost_type = "float64" in the class.',
        )
    return np.dtype(np.float64 if problem.cost_type == "float64" else np.int64)


def numbers(problem: Problem) -> tuple[int, ...]:
    """The last axes of an array of costs: (K,) for K objectives, () for one.

    Raises
    ------
    InputError
        If `objectives` are not 2 ... 8 different names.
    """
    names = problem.objectives
    if not names and isinstance(names, tuple):
        return ()
    if not isinstance(names, tuple) or not 2 <= len(set(names)) == len(names) <= MOST_OBJECTIVES:
        raise InputError(
            f"{type(problem).__name__}.objectives must be a tuple of 2 ... {MOST_OBJECTIVES} different names, but is "
            f"{names!r}.",
            "leave it empty where there is one objective.",
        )
    return (len(names),)


@cache
def largest(dtype: np.dtype[Any]) -> Any:
    """Sentinel: the delta of an infeasible move, worse than any real score."""
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


def feasible_moves(deltas: np.ndarray, problem: Problem | None = None) -> np.ndarray:
    """Which of the moves with these changes of cost are feasible; bool, shape (m,).

    Parameters
    ----------
    deltas : numpy.ndarray, shape (m,), or (m, K) with K objectives
        As `NeighborhoodEvaluator.chunks` has them.
    problem : Problem, optional
        Whose they are, where it may have several objectives.
    """
    first = deltas[:, 0] if problem is not None and problem.objectives else deltas
    feasible: np.ndarray = first < largest(deltas.dtype)
    return feasible


def python_cost(problem: Problem, x: Solution) -> Any:
    """`problem.cost(x)` as an int or a float, whichever the problem declares; or as a tuple of one for each objective.

    Raises
    ------
    InputError
        If it is not a finite number, or not a whole one where costs are, or beyond 64 bits; if it is not one number for
        each objective.
    """
    return as_cost(problem, problem.cost(x), "cost")


def change(problem: Problem, after: Any, before: Any) -> Any:
    """The difference of two costs, of one objective or several."""
    return tuple(a - b for a, b in zip(after, before, strict=True)) if problem.objectives else after - before


def as_cost(problem: Problem, cost: Any, function: str) -> Any:
    """What a function of a problem returned, as a cost or a change of one; see `python_cost`."""
    if not numbers(problem):
        return _number(problem, cost, function)
    values = cost.tolist() if isinstance(cost, np.ndarray) else cost
    if not isinstance(values, tuple | list) or len(values) != len(problem.objectives):
        raise InputError(
            f"{type(problem).__name__}.{function} must return {len(problem.objectives)} numbers, for the objectives "
            f"{', '.join(problem.objectives)}, but returned {cost!r}."
        )
    return tuple(_number(problem, value, function) for value in values)


def _number(problem: Problem, cost: Any, function: str) -> int | float:
    """One number of a cost, as an int or a float."""
    name = type(problem).__name__
    value = cost.item() if isinstance(cost, np.generic) or (isinstance(cost, np.ndarray) and cost.size == 1) else cost
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(
            f"{name}.{function} must return a number, but returned {cost!r}.", "write int(...) or float(...)."
        )
    if wide_type(problem).kind == "f":
        if not np.isfinite(value):
            raise InputError(f"{name}.{function} must return a finite number, but returned {value}.")
        return float(value)
    if isinstance(value, float) and not value.is_integer():
        raise InputError(
            f"{name}.{function} returned {value}, but its cost_type is {problem.cost_type!r}.",
            'scale the data to integers, or say cost_type = "float64" in the class.',
        )
    if isinstance(value, float) and abs(value) >= 2**53:
        raise InputError(
            f"{name}.{function} returned {value}, a float too large to be exact.", "compute it in integers."
        )
    if not -(2**63) <= value < 2**63:
        raise InputError(f"{name}.{function} returned {value}, beyond 64 bits.", "scale the data down.")
    return int(value)
