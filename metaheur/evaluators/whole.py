"""Moves by the full evaluation of the moved solutions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.device import Device
from metaheur.evaluators.costs import allows, change
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, largest
from metaheur.machine.pace import AIM, Alarm, now
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.walk import EvaluatedSolution, applied

__all__ = ["MovedEvaluator", "WholeEvaluator"]

FIRST_CHUNK = 1 << 14
"""Entries of the first chunk of moved solutions; later chunks take a twentieth of a second."""

CHUNK = 1 << 24
"""The most entries of the moved solutions of a chunk."""


class _Solutions(Protocol):
    """An evaluator of solutions whose evaluations an alarm can break off."""

    @property
    def problem(self) -> Problem: ...

    @property
    def alarm(self) -> Alarm: ...

    @property
    def native_devices(self) -> tuple[Device, ...]: ...

    def cost(self, x: Solution) -> Any: ...

    def costs(self, xs: np.ndarray) -> np.ndarray: ...


@final
@define(eq=False)
class MovedEvaluator(NeighborhoodEvaluator):
    """The moves of a neighborhood by the costs of the moved solutions, which `solutions` evaluates in full."""

    problem: Problem
    neighborhood: Neighborhood
    solutions: _Solutions
    _count: int = field(default=0, init=False)

    def resampled(self, neighborhood: Neighborhood) -> MovedEvaluator:
        other = evolve(self, neighborhood=neighborhood)
        other._count = self._count
        return other

    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        move = self.neighborhood.move(self.problem.representation, k).resolve(solution.solution)
        if move is None or not allows(self.problem, solution.solution, move):
            return None
        return change(self.problem, self.solutions.cost(applied(move, solution.solution)), solution.cost)

    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        """Chunks of moves whose moved solutions take a twentieth of a second, and have at most 2**24 entries."""
        length, size, first = self.problem.representation.length, self.size, 0
        self._count = self._count or max(1, FIRST_CHUNK // length)
        while first < size:
            self.solutions.alarm.check()
            began, end = now(), min(first + self._count, size)
            yield first, self._some(solution, np.arange(first, end))
            if now() - began > AIM:
                self._count = max(1, self._count // 2)
            elif end - first == self._count:
                self._count = min(max(1, CHUNK // length), 2 * self._count)
            first = end

    def _some(self, solution: EvaluatedSolution, indices: np.ndarray) -> np.ndarray:
        deltas: np.ndarray = self.solutions.costs(self._moved(solution, indices)) - np.array(solution.cost)
        if self.partial:
            space, x = self.problem.representation, solution.solution
            resolved = (self.neighborhood.move(space, int(k)).resolve(x) for k in indices)
            deltas[[each is None or not allows(self.problem, x, each) for each in resolved]] = largest(deltas.dtype)
        return deltas

    def _moved(self, solution: EvaluatedSolution, indices: np.ndarray) -> np.ndarray:
        space, x = self.problem.representation, solution.solution
        moves = self.neighborhood.batch(space, indices)
        if moves is NotImplemented:
            return np.stack([self.neighborhood.move(space, int(k)).apply(x) for k in indices])
        return np.asarray(moves.apply(x))


@final
@define(eq=False)
class WholeEvaluator(Evaluator):
    """Solutions by another evaluator, `solutions`, and moves by the costs of the moved solutions."""

    solutions: _Solutions
    neighborhood: Neighborhood | None = None
    problem: Problem = field(init=False)
    _made: dict[int, MovedEvaluator] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """The problem is that of the other evaluator."""
        self.problem, self.alarm = self.solutions.problem, self.solutions.alarm

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.solutions.native_devices

    def cost(self, x: Solution) -> Any:
        return self.solutions.cost(x)

    def costs(self, xs: np.ndarray) -> np.ndarray:
        return self.solutions.costs(xs)

    def of(self, neighborhood: Neighborhood) -> MovedEvaluator:
        found = self._made.get(id(neighborhood))
        if found is None or found.neighborhood is not neighborhood:
            found = self._made[id(neighborhood)] = MovedEvaluator(self.problem, neighborhood, self.solutions)
        return found
