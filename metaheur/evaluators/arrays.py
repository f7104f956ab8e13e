"""The Python half on a GPU: `Problem.costs` on CuPy arrays."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from time import perf_counter
from typing import Any, final

import attrs
import numpy as np
from attrs import define, evolve, field

from metaheur.device.cuda import Cuda, cupy
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator, NeighborhoodEvaluator, change, largest, python_cost, wide_type
from metaheur.neighborhood import Neighborhood
from metaheur.pace import NEVER, Alarm
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.walk import EvaluatedSolution

__all__ = ["ArrayEvaluator"]

CHUNK = 1 << 24
"""Entries of moved solutions that travel to the GPU at a time."""


@final
@define(eq=False)
class ArrayEvaluator(Evaluator):
    """Full evaluations by `Problem.costs`, written with array functions, on a GPU.

    Parameters
    ----------
    problem : Problem
        Without a C++ half, but with `costs`.
    device : Cuda
        The GPU.
    neighborhood : Neighborhood, optional
        The search's.
    alarm : Alarm, optional
        Asked between chunks whether to break off.

    Raises
    ------
    InputError
        If the problem has no `costs` of its own.
    """

    problem: Problem
    device: Cuda
    neighborhood: Neighborhood | None = None
    alarm: Alarm = NEVER
    _there: Problem = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Copy the problem's data to the GPU."""
        kind = type(self.problem)
        if kind.costs is Problem.costs:
            raise InputError(
                f"{kind.__name__} has no C++ half and no costs(xs), so nothing of it can run on {self.device.name}.",
                "write costs(xs) with array functions, or a .cuh half.",
            )
        self._there = copy.copy(self.problem)
        with self.device.handle:
            for attribute in attrs.fields(kind):  # type: ignore[arg-type]
                value = getattr(self.problem, attribute.name)
                if isinstance(value, np.ndarray):
                    object.__setattr__(self._there, attribute.name, cupy().asarray(value))

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def cost(self, x: Solution) -> Any:
        """The Python half's cost, on the CPU."""
        return python_cost(self.problem, x)

    def costs(self, xs: np.ndarray) -> np.ndarray:
        began, meter = perf_counter(), self.device.meter
        with self.device.handle:
            found: np.ndarray = cupy().asnumpy(self._there.costs(cupy().asarray(xs)))
        meter.launches, meter.nbytes = meter.launches + 1, meter.nbytes + xs.nbytes + found.nbytes
        meter.seconds += perf_counter() - began
        return found.astype(wide_type(self.problem))

    def of(self, neighborhood: Neighborhood) -> NeighborhoodEvaluator:
        return _ArrayNeighborhoodEvaluator(self.problem, neighborhood, self)


@final
@attrs.frozen(eq=False)
class _ArrayNeighborhoodEvaluator(NeighborhoodEvaluator):
    problem: Problem
    neighborhood: Neighborhood
    solutions: ArrayEvaluator

    def resampled(self, neighborhood: Neighborhood) -> NeighborhoodEvaluator:
        return evolve(self, neighborhood=neighborhood)

    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        move = self.neighborhood.move(self.problem.representation, k).resolve(solution.solution)
        if move is None:
            return None
        return change(self.problem, python_cost(self.problem, move.apply(solution.solution)), solution.cost)

    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        """Chunks of moves whose moved solutions have 2**24 entries."""
        space, size = self.problem.representation, self.size
        chunk = max(1, CHUNK // space.length)
        for first in range(0, size, chunk):
            self.solutions.alarm.check()
            indices = np.arange(first, min(first + chunk, size))
            deltas = self.solutions.costs(self._moved(solution, indices)) - np.array(solution.cost)
            if self.neighborhood.partial:
                x = solution.solution
                infeasible = [self.neighborhood.move(space, int(k)).resolve(x) is None for k in indices]
                deltas[infeasible] = largest(deltas.dtype)
            yield first, deltas

    def _moved(self, solution: EvaluatedSolution, indices: np.ndarray) -> Any:
        space, x = self.problem.representation, solution.solution
        moves = self.neighborhood.batch(space, indices)
        if moves is NotImplemented:
            return np.stack([self.neighborhood.move(space, int(k)).apply(x) for k in indices])
        return np.asarray(moves.apply(x))
