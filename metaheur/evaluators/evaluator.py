"""What an evaluator answers: what solutions cost, and what the moves of a neighborhood would change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, final

import numpy as np

from metaheur.errors import CheckFailed, InputError
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

MOST_COST = 2**62
"""Whole costs are below it, and above its negative, so that int64 holds every change of cost. C++ knows it, too."""


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
        If it is not a finite number, or not a whole one where costs are, or beyond `MOST_COST`; if it is not one number
        for each objective; if the function writes into x.
    """
    return as_cost(problem, asked(problem, "cost", x), "cost")


def asked(problem: Problem, function: str, xs: np.ndarray, *more: Any) -> Any:
    """What a function of a problem says of solutions, which it must not write.

    Raises
    ------
    InputError
        If it writes into them.
    """
    ask, kept = getattr(problem, function), xs.view()
    kept.flags.writeable = False
    try:
        return ask(kept, *more)
    except ValueError as error:  # what NumPy raises where a solution is written, among others
        copy = xs.copy()
        try:
            ask(copy, *more)
        except Exception:
            raise error from None
        if np.array_equal(copy, xs):
            raise
        raise InputError(
            f"{type(problem).__name__}.{function} writes into the solution, which must stay as it is.",
            "write x = x.copy() first, or sorted(x) instead of x.sort().",
        ) from error


def change(problem: Problem, after: Any, before: Any) -> Any:
    """The difference of two costs, of one objective or several."""
    return tuple(a - b for a, b in zip(after, before, strict=True)) if problem.objectives else after - before


def same_cost(problem: Problem, a: Any, b: Any, scale: Any = 0) -> bool:
    """Whether two costs are equal; of type float64, whether they differ by a relative 1e-9 at most.

    Parameters
    ----------
    problem : Problem
        Whose costs.
    a, b : int, float or tuple
        The costs.
    scale : int, float or tuple, optional
        A cost, too, relative to which rounding may have made them differ, such as that of the start of a walk.
    """
    if wide_type(problem).kind != "f":
        return bool(a == b)
    first, second, third = (np.asarray(each, np.float64) for each in (a, b, scale))
    most = np.maximum(np.maximum(abs(first), abs(second)), np.maximum(abs(third), 1))
    return bool((abs(first - second) <= 1e-9 * most).all())


def require_cost(problem: Problem, solution: EvaluatedSolution, where: str, scale: Any = 0) -> None:
    """Validate a solution, evaluate it in full by the Python half, and refuse its cost if it is another one.

    Parameters
    ----------
    problem : Problem
        Whose solution.
    solution : EvaluatedSolution
        With the cost that is reported.
    where : str
        What the message calls the solution, and where it was found.
    scale : int, float or tuple, optional
        See `same_cost`.

    Raises
    ------
    CheckFailed
        If the solution is invalid, or the costs differ, with both.
    """
    try:
        x = problem.representation.validate(solution.solution)
    except InputError as error:
        raise CheckFailed(f"{where} solution is invalid: {error.reason}") from error
    true = python_cost(problem, x)
    if not same_cost(problem, solution.cost, true, scale):
        raise CheckFailed(
            f"{where} cost is reported as {problem.displayed(solution.cost)}, but {type(problem).__name__}.cost gives "
            f"{problem.displayed(true)}.",
            "check the problem's `delta` with metaheur.testing.check_problem.",
        )


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


def as_costs(problem: Problem, found: Any, function: str) -> np.ndarray:
    """What a function of a problem returned, as an array of costs, or of changes of cost: int64 or float64.

    Raises
    ------
    InputError
        With the first number that is none; see `python_cost`.
    """
    array, dtype = np.asarray(found), wide_type(problem)
    bad: np.ndarray = np.zeros(0, bool)
    if array.dtype.kind not in "iuf":
        bad = np.ones(array.shape, bool)
    elif dtype.kind == "f":
        bad = ~np.isfinite(array)
    elif array.dtype.kind == "f":
        bad = (array != np.floor(array)) | ~(np.abs(array) < 2**53)
    elif array.size and (array.max() >= _most(function) or array.min() <= -_most(function)):
        bad = (array >= _most(function)) | (array <= -_most(function))
    if bad.any():
        for value in array[bad].tolist():
            _number(problem, value, function)
    converted: np.ndarray = array.astype(dtype, copy=False)
    return converted


def unmarked(problem: Problem, deltas: np.ndarray, cost: Any = None) -> np.ndarray:
    """The changes of cost that compiled code says; refused where it marks one by the lowest there is.

    Parameters
    ----------
    problem : Problem
        With a C++ half.
    deltas : numpy.ndarray
        The changes of cost, of any shape.
    cost : int or float, optional
        Of the solution, where the moved solutions were evaluated in full: there alone whole numbers are marked, of one
        objective.

    Raises
    ------
    InputError
        If one is not a finite number, leads to a cost out of range, or is not of the type that is promised.
    """
    if deltas.dtype.kind == "f":
        if not (deltas > -largest(deltas.dtype)).all():
            raise InputError(
                f"The C++ half of {type(problem).__name__} says that a move changes the cost by what is not a finite "
                "number.",
                "check_problem names the move.",
            )
    elif cost is not None and not problem.objectives and deltas.size:
        narrow = deltas.dtype == np.int32
        if deltas.min() <= (np.iinfo(np.int32).min if narrow else -MOST_COST - int(cost)):
            beyond = "changes the cost beyond int32, its `cost_type`" if narrow else "leads beyond -2**62 ... 2**62"
            raise InputError(
                f"The C++ half of {type(problem).__name__} says that a move {beyond}.",
                "scale the data down; check_problem compares both halves.",
            )
    return deltas


def _most(function: str) -> int:
    """What whole numbers that a function returns are below: costs, and their differences."""
    return 2 * MOST_COST - 1 if function == "delta" else MOST_COST


def _number(problem: Problem, cost: Any, function: str) -> int | float:
    """One number of a cost, as an int or a float."""
    if type(cost) is int and abs(cost) < _most(function) and problem.cost_type in ("int64", "int32"):
        return cost
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
    if abs(value) >= _most(function):
        raise InputError(
            f"{name}.{function} returned {value}, but costs must lie between -2**62 and 2**62, so that int64 holds "
            "every change of cost.",
            "scale the data down.",
        )
    return int(value)
