"""The Python half on a GPU: `Problem.costs` on CuPy arrays."""

from __future__ import annotations

import copy
from typing import Any, final

import attrs
import numpy as np
from attrs import define, field

from metaheur.device.cuda.cuda import Cuda, cupy
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.costs import as_costs, packed, python_cost
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.whole import MovedEvaluator
from metaheur.machine.pace import NEVER, Alarm
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.representation import Solution

__all__ = ["ArrayEvaluator"]


@final
@define(eq=False)
class ArrayEvaluator(Evaluator):
    """Full evaluations by `Problem.costs`, written with array functions, on a GPU.

    `problem`: a problem without a C++ half, but with `costs`. `device`: the GPU. `alarm`: asked between chunks whether
    to break off.
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
                f"{kind.__name__} has no C++ half and no costs(xs), so it cannot run on {self.device.name}.",
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
        meter = self.device.meter
        with meter, self.device.handle:
            there = self._there.costs(cupy().asarray(xs))
            there = cupy().stack(there, axis=-1) if isinstance(there, tuple) else there
            found: np.ndarray = cupy().asnumpy(there)
        meter.count(launches=1, nbytes=xs.nbytes + found.nbytes)
        return as_costs(self.problem, packed(self.problem, found, "costs"), "costs")

    def of(self, neighborhood: Neighborhood) -> MovedEvaluator:
        return MovedEvaluator(self.problem, neighborhood, self)
