"""Evaluators: costs of solutions, changes of cost of the moves of a neighborhood, and the scores that choose one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import MOST_COST, numbers, wide_type
from metaheur.part import Part
from metaheur.problem import level_names

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.machine.pace import Alarm
    from metaheur.neighborhood import Neighborhood
    from metaheur.problem import Problem
    from metaheur.representation import Representation, Solution
    from metaheur.walk import EvaluatedSolution

__all__ = ["LOWEST", "Evaluator", "LeastImproving", "Lowest", "NeighborhoodEvaluator", "Selection"]


class Selection(Part):
    """Makes scores of changes of cost.

    Attributes
    ----------
    monotone : bool
        Whether a lower change of cost never has a higher score; True by default.
    """

    facts: ClassVar[tuple[str, ...]] = ("monotone",)
    monotone: ClassVar[bool] = True

    @abstractmethod
    def score(self, delta: Any) -> Any:
        """The score of a change of cost, lower is better, in the same type; arrays entry by entry."""


@final
@frozen
class Lowest(Selection):
    """The change of cost itself: best improvement, or least deterioration."""

    source: ClassVar[str] = "lowest.cuh"

    def score(self, delta: Any) -> Any:
        return delta


@final
@frozen
class LeastImproving(Selection):
    """The least improvement; if no move improves, the least deterioration.

    Notes
    -----
    Scores of type float64 use the reciprocals of improvements.
    """

    source: ClassVar[str] = "least_improving.cuh"
    monotone: ClassVar[bool] = False

    def score(self, delta: Any) -> Any:
        if np.asarray(delta).dtype.kind == "f":
            with np.errstate(divide="ignore"):
                return np.where(delta < 0, np.divide(1.0, delta), delta)[()]
        wide = np.asarray(delta, np.int64)
        return np.where(wide < 0, -(2**63 - 1) - 1 - wide, wide)[()]


LOWEST = Lowest()


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
    def partial(self) -> bool:
        """Whether a move may be infeasible, by the neighborhood or by the problem."""
        from metaheur.problem import judges

        return self.neighborhood.partial or judges(self.problem)

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
            The same numbers as from `chunks`. Valid until the next call.
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
            Its index; -1 if there is no feasible move.
        delta : int or float
            Its change of cost.
        """
        index, delta, lowest = -1, 0, None
        for first, deltas in self.chunks(solution):
            feasible = feasible_moves(deltas) if self.partial else None
            if feasible is not None and not feasible.any():
                continue
            scores = selection.score(deltas)
            scores = scores if feasible is None else np.where(feasible, scores, largest(scores.dtype))
            k = int(np.argmin(scores))
            if lowest is None or scores[k] < lowest:
                index, delta, lowest = first + k, deltas[k].item(), scores[k]
        return index, delta


class Evaluator(ABC):
    """Evaluates solutions, and makes the evaluators of neighborhoods.

    If a search has a neighborhood, its evaluator evaluates this neighborhood, too: `deltas`, `delta`, `best` and so on
    are the methods of ``of(neighborhood)``.

    Attributes
    ----------
    problem : Problem
    neighborhood : Neighborhood or None
        The neighborhood of the search.
    alarm : Alarm
        Rings when the run must end: a search whose steps take long asks it, and raises `StepCut`.
    """

    problem: Problem
    neighborhood: Neighborhood | None
    alarm: Alarm

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code evaluates; none by default."""
        return ()

    @abstractmethod
    def cost(self, x: Solution) -> Any:
        """The cost of a solution, shape (n,), evaluated in full; a tuple with several objectives."""

    @abstractmethod
    def costs(self, xs: np.ndarray) -> np.ndarray:
        """The costs of many solutions, a row each: (m, n) makes (m,), or (m, K) with K objectives; int64 or float64."""

    @abstractmethod
    def of(self, neighborhood: Neighborhood) -> NeighborhoodEvaluator:
        """The evaluator of a neighborhood; the same object for the same neighborhood object."""

    @final
    def on(self, neighborhood: Neighborhood | None) -> Evaluator:
        """The same evaluator for a search with another neighborhood, such as an inner search."""
        return self if neighborhood is None or neighborhood is self.neighborhood else _OfAnother(self, neighborhood)

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
class _OfAnother(Evaluator):
    """An evaluator whose methods serve another neighborhood."""

    def __init__(self, evaluator: Evaluator, neighborhood: Neighborhood) -> None:
        self.evaluator, self.problem, self.neighborhood = evaluator, evaluator.problem, neighborhood
        self.alarm = evaluator.alarm

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


@cache
def largest(dtype: np.dtype[Any]) -> Any:
    """Sentinel: the delta of an infeasible move, worse than any real score."""
    return np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max


def feasible_moves(deltas: np.ndarray, problem: Problem | None = None) -> np.ndarray:
    """Whether moves with these changes of cost are feasible; bool, shape (m,).

    `deltas`, shape (m,), or (m, K) with K objectives: as from `NeighborhoodEvaluator.chunks`. `problem`: the problem,
    which may have several objectives; without it, there is one objective.
    """
    first = deltas[:, 0] if problem is not None and problem.objectives else deltas
    feasible: np.ndarray = first < largest(deltas.dtype)
    return feasible


def unmarked(problem: Problem, deltas: np.ndarray, cost: Any = None) -> np.ndarray:
    """The changes of cost from compiled code; refused if it marks one as wrong, by the lowest number of the type.

    `problem`: a problem with a C++ half. `deltas`: the changes of cost, of any shape. `cost`, int, float or array_like
    of shape (K,): the cost of the solution, if the moved solutions were evaluated in full. Only then can changes of
    type int32 and int64 be marked.
    """
    if deltas.dtype.kind == "f":
        if not (deltas > -largest(deltas.dtype)).all():
            raise InputError(
                f"The C++ half of {type(problem).__name__} says that a move changes the cost by what is not a finite "
                "number.",
                "check_problem names the move.",
            )
    elif level_names(problem) and deltas.size and (deltas <= -MOST_COST).any():
        raise InputError(
            f"The C++ half of {type(problem).__name__} says that a move changes a level by more than `level_bounds` "
            "allow.",
            "check_problem names the move; widen the bounds of this level, which hold for every solution.",
        )
    elif cost is not None and deltas.size:
        narrow = deltas.dtype == np.int32
        if (deltas <= (np.iinfo(np.int32).min if narrow else -MOST_COST - np.asarray(cost, np.int64))).any():
            beyond = "changes the cost beyond int32, its `cost_type`" if narrow else "leads beyond -2**62 ... 2**62"
            raise InputError(
                f"The C++ half of {type(problem).__name__} says that a move {beyond}.",
                "scale the data down; check_problem compares both halves.",
            )
    return deltas
