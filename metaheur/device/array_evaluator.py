"""The Python half on a GPU: `Problem.costs` on CuPy arrays."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, final

import numpy as np
from attrs import define, field, fields

from metaheur.device.cuda import Cuda, cupy
from metaheur.errors import InputError
from metaheur.evaluator import Evaluator, largest, python_cost
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.search import Incumbent

__all__ = ["ArrayEvaluator"]

CHUNK = 1 << 24
"""Entries of moved solutions that travel to the GPU at a time."""


@final
@define(eq=False)
class ArrayEvaluator(Evaluator):
    """Full evaluations of the moved solutions by `Problem.costs`, written with array functions, on a GPU.

    Parameters
    ----------
    problem : Problem
        Without a C++ half, but with `costs`.
    neighborhood : Neighborhood
        The moves.
    device : Cuda
        The GPU.

    Raises
    ------
    InputError
        If the problem has no `costs` of its own.
    """

    problem: Problem
    neighborhood: Neighborhood
    device: Cuda
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
            for attribute in fields(kind):  # type: ignore[arg-type]
                value = getattr(self.problem, attribute.name)
                if isinstance(value, np.ndarray):
                    object.__setattr__(self._there, attribute.name, cupy().asarray(value))

    def moved_to(self, neighborhood: Neighborhood) -> Evaluator:
        """Itself, at another moment."""
        self.neighborhood = neighborhood
        return self

    def cost(self, x: Solution) -> int | float:
        """The Python half's cost, on the CPU."""
        return python_cost(self.problem, x)

    def deltas(self, incumbent: Incumbent) -> np.ndarray:
        """All changes of cost, by chunks of moved solutions."""
        out = np.empty(self.size, dtype=self.problem.cost_type)
        for first, piece in self.pieces(incumbent):
            out[first : first + len(piece)] = piece
        return out

    def pieces(self, incumbent: Incumbent) -> Iterator[tuple[int, np.ndarray]]:
        """Chunks of moves whose moved solutions have 2**24 entries."""
        chunk = max(1, CHUNK // self.problem.representation.length)
        for first in range(0, self.size, chunk):
            indices = np.arange(first, min(first + chunk, self.size))
            deltas = self._costs(self._moved(incumbent, indices)) - incumbent.cost
            if self.neighborhood.partial:
                x, space = incumbent.solution, self.problem.representation
                none = [self.neighborhood.move(space, int(k)).within(x) is None for k in indices]
                deltas[none] = largest(self.problem.cost_type)
            yield first, deltas

    def _moved(self, incumbent: Incumbent, indices: np.ndarray) -> np.ndarray:
        space = self.problem.representation
        moves = self.neighborhood.batch(space, indices)
        if moves is NotImplemented:
            return np.stack([self.neighborhood.move(space, int(k)).apply(incumbent.solution) for k in indices])
        return np.asarray(moves.apply(incumbent.solution))

    def _costs(self, rows: np.ndarray) -> Any:
        with self.device.handle:
            return cupy().asnumpy(self._there.costs(cupy().asarray(rows)))
