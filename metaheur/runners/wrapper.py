"""A runner that holds another one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metaheur.device.device import Device
from metaheur.machine.performance import Spent
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.running.runner import Arrive, Runner
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution, Walks

__all__ = ["RunnerWrapper"]


class RunnerWrapper(Runner):
    """A runner that leaves everything except `advance` to another runner.

    `inner`: the runner that has the walks.
    """

    inner: Runner

    @property
    def search(self) -> Search[Any]:
        """The search of the inner runner."""
        return self.inner.search

    @property
    def problem(self) -> Problem:
        """The problem of the inner runner."""
        return self.inner.problem

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.inner.native_devices

    def count_anew(self) -> None:
        self.inner.count_anew()

    def spent(self) -> Spent:
        """The time and the bytes that the inner runner used."""
        return self.inner.spent()

    def paced(self, seconds: float) -> float:
        """The seconds as the inner runner counts them."""
        return self.inner.paced(seconds)

    def draw(self, keys: Sequence[Key]) -> np.ndarray:
        """The solutions as the inner runner draws them."""
        return self.inner.draw(keys)

    def load(self, states: Sequence[Any]) -> Walks:
        return self.inner.load(states)

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The walks as the inner runner begins them."""
        return self.inner.begin(keys, solutions)

    def replace(self, walks: Walks, states: Mapping[int, Any]) -> Walks:
        """The walks after the inner runner has replaced states."""
        return self.inner.replace(walks, states)

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """The walks after the inner runner has settled some of them."""
        return self.inner.settle(walks, solutions, arrive)
