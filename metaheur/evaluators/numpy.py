"""The reference: the Python halves alone, on NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, final

import attrs
import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import (
    allows,
    as_cost,
    as_costs,
    asked,
    change,
    numbers,
    packed,
    python_cost,
    require_levels,
    wide_type,
)
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, largest
from metaheur.machine.pace import AIM, NEVER, Alarm, now
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem, judges, levels_of, type_of_changes
from metaheur.representation import Solution
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, applied

if TYPE_CHECKING:
    from metaheur.costs.levels import Levels

__all__ = ["NumpyEvaluator", "NumpyNeighborhoodEvaluator"]

CHUNK = 1 << 20
"""The most entries of moved solutions that are made at a time."""

FIRST_CHUNK = 1 << 14
"""Entries at first, so that a chunk takes little time."""

MOST_NARROW = largest(np.dtype(np.int32))
"""The largest change of cost where int32 holds all of them."""


@final
@frozen(eq=False)
class NumpyEvaluator(Evaluator):
    """Solutions by `Problem.cost` and `costs`.

    Parameters
    ----------
    problem : Problem
        The problem that is minimised.
    neighborhood : Neighborhood, optional
        The neighborhood of the search.
    alarm : Alarm, optional
        Asked between chunks whether to break off.
    first_chunk : int, default 16384
        Entries of the moved solutions of a first chunk; later ones have as many as take a twentieth of a second.
    """

    problem: Problem
    neighborhood: Neighborhood | None = None
    alarm: Alarm = NEVER
    first_chunk: int = whole_field(default=FIRST_CHUNK, kw_only=True)
    _made: dict[int, NumpyNeighborhoodEvaluator] = field(factory=dict, init=False, repr=False)

    def cost(self, x: Solution) -> Any:
        return python_cost(self.problem, x)

    def costs(self, xs: np.ndarray) -> np.ndarray:
        found = np.asarray(packed(self.problem, asked(self.problem, "costs", xs), "costs"))
        expected = (len(xs), *numbers(self.problem))
        if found.shape != expected:
            raise InputError(
                f"{type(self.problem).__name__}.costs must return {_wanted(expected)} for {len(xs)} solutions, but "
                f"returned the shape {found.shape}."
            )
        return as_costs(self.problem, found, "costs")

    def of(self, neighborhood: Neighborhood) -> NumpyNeighborhoodEvaluator:
        found = self._made.get(id(neighborhood))
        if found is None or found.neighborhood is not neighborhood:
            found = self._made[id(neighborhood)] = NumpyNeighborhoodEvaluator(
                self.problem, neighborhood, self.alarm, self.first_chunk
            )
        return found


@final
@define(eq=False)
class NumpyNeighborhoodEvaluator(NeighborhoodEvaluator):
    """Moves by `Problem.delta`, many at a time; for a problem without `delta`, by `costs` of the moved solutions.

    `neighborhood`: the moves. `alarm`: asked between chunks whether to break off. `first_chunk`: as in
    `NumpyEvaluator`.
    """

    problem: Problem
    neighborhood: Neighborhood
    alarm: Alarm = NEVER
    first_chunk: int = FIRST_CHUNK
    _count: int = field(default=0, init=False, repr=False)  # moves of a chunk that takes about 50 ms
    _formula_known: bool = field(default=False, init=False, repr=False)
    _has_formula: bool = field(init=False, repr=False)  # whether the problem has a `delta` of its own
    _judged: bool = field(init=False, repr=False)  # whether the problem has hard constraints
    _levels: Levels | None = field(init=False, repr=False)
    _size: int = field(init=False, repr=False)
    _narrow: bool | None = field(default=None, init=False, repr=False)  # whether changes of cost are int32, once known

    def __attrs_post_init__(self) -> None:
        """Look once for what every trial would ask."""
        self._has_formula = type(self.problem).delta is not Problem.delta
        self._judged, self._levels = judges(self.problem), levels_of(self.problem)
        self._size = self.neighborhood.size(self.problem.representation)

    @property
    def size(self) -> int:
        return self._size

    def resampled(self, neighborhood: Neighborhood) -> NumpyNeighborhoodEvaluator:
        other = evolve(self, neighborhood=neighborhood)
        other._count, other._formula_known = self._count, self._formula_known
        return other

    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        """Chunks of moves that take about 50 ms; chunks of moved solutions have at most 2**24 entries."""
        length, size, first = self.problem.representation.length, self.size, 0
        self._count = self._count or max(1, self.first_chunk // length)
        while first < size:
            self.alarm.check()
            began, end = now(), min(first + self._count, size)
            yield first, self._some(solution, np.arange(first, end))
            if now() - began > AIM:
                self._count = max(1, self._count // 2)
            elif end - first == self._count:
                self._count = min(CHUNK if self._formula_known else max(1, CHUNK // length), 2 * self._count)
            first = end

    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        move = self.neighborhood.move(solution.representation, k).resolve(solution.solution)
        if move is None or (self._judged and not allows(self.problem, solution.solution, move)):
            return None
        delta = asked(self.problem, "delta", solution.solution, move) if self._has_formula else NotImplemented
        if delta is NotImplemented:
            delta = change(self.problem, python_cost(self.problem, applied(move, solution.solution)), solution.cost)
            found = delta if type(delta) is int or self._levels else as_cost(self.problem, delta, "delta")
        else:
            found = as_cost(self.problem, delta, "delta")
        if self._is_narrow() and abs(found) > MOST_NARROW:
            self._require_proven(np.array(found))
        self._require_levels(solution, found)
        return found

    def _require_levels(self, solution: EvaluatedSolution, deltas: Any) -> None:
        """Refuse changes of cost that lead to a level beyond its bounds."""
        if self._levels is not None:
            require_levels(self._levels, solution.cost + np.asarray(deltas), f"{type(self.problem).__name__}.delta")

    def _some(self, solution: EvaluatedSolution, indices: np.ndarray) -> np.ndarray:
        x, dtype = solution.solution, wide_type(self.problem)
        moves = self.neighborhood.batch(self.problem.representation, indices)
        if moves is NotImplemented or self._judged:
            none = np.full(numbers(self.problem), largest(dtype))
            deltas = (self.delta(solution, int(k)) for k in indices)
            return np.array([none if delta is None else delta for delta in deltas], dtype)
        deltas = self._formula(x, moves)
        self._formula_known = deltas is not NotImplemented
        if deltas is NotImplemented and asked(self.problem, "delta", x, _first(moves)) is not NotImplemented:
            return np.array([self.delta(solution, int(k)) for k in indices], dtype)  # a formula for one move at a time
        if deltas is NotImplemented:
            costs = packed(self.problem, asked(self.problem, "costs", np.asarray(applied(moves, x))), "costs")
            deltas = as_costs(self.problem, costs, "costs") - np.array(solution.cost, dtype)
        found = _checked(self.problem, deltas, len(indices))
        self._require_levels(solution, found)
        if self._is_narrow():
            self._require_proven(found)
        return found

    def _is_narrow(self) -> bool:
        """Whether the problem says that int32 holds every change of cost."""
        if self._narrow is None:
            several = self.problem.objectives  # whose changes of cost are as wide as costs
            self._narrow = not several and type_of_changes(self.problem, [self.neighborhood.move_types]) == "int32"
        return self._narrow

    def _require_proven(self, deltas: np.ndarray) -> None:
        """Refuse a change of cost beyond int32 if the problem promises that int32 holds all of them."""
        if (wrong := np.abs(deltas) > MOST_NARROW).any():
            raise InputError(
                f"{type(self.problem).__name__} says that int32 holds every change of cost under "
                f"{self.neighborhood!r}, but one is {np.atleast_1d(deltas)[np.atleast_1d(wrong)][0]}.",
                'return "int64" in `change_type`, or `cost_type`.',
            )

    def _formula(self, x: Solution, moves: Any) -> Any:
        try:
            return packed(self.problem, asked(self.problem, "delta", x, moves), "delta")
        except InputError:
            raise
        except (TypeError, ValueError) as error:
            raise InputError(
                f"{type(self.problem).__name__}.delta was asked for many moves, whose fields are arrays, and failed: "
                f"{error}.",
                "let it return NotImplemented where a field is an array; it is then asked for one move at a time.",
            ) from error


def _wanted(shape: tuple[int, ...]) -> str:
    """An array of costs in words."""
    return f"{shape[0]} numbers" if len(shape) == 1 else f"an array of shape {shape}"


def _first(moves: Any) -> Any:
    """The first of many moves."""
    fields = (getattr(moves, each.name) for each in attrs.fields(type(moves)))
    return type(moves)(*(_first_of(value) for value in fields))


def _first_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_first_of, value))
    if isinstance(value, Move):
        return _first(value)
    return value[0].item() if isinstance(value, np.ndarray) and value.ndim else value


def _checked(problem: Problem, deltas: Any, count: int) -> np.ndarray:
    """The result of `delta` for many moves, as an array; refused if it has another type or shape."""
    array = np.asarray(deltas)
    expected = (count, *numbers(problem))
    if array.shape != expected or array.dtype.kind not in "iufO":
        raise InputError(
            f"{type(problem).__name__}.delta must return {_wanted(expected)} for {count} moves, but returned "
            f"{type(deltas).__name__} of the shape {array.shape}.",
            "index with the fields of the move, arrays here and numbers where one move is asked for; or return "
            "NotImplemented unless they are numbers.",
        )
    return as_costs(problem, array, "delta")
