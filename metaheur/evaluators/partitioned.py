"""One neighborhood on several devices: each evaluates a share of the moves, and the host compares the best ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.device.halves import reads
from metaheur.evaluators.device import DeviceEvaluator, DeviceNeighborhoodEvaluator
from metaheur.evaluators.evaluator import LOWEST, Evaluator, NeighborhoodEvaluator, Selection
from metaheur.machine.pace import now
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.walk import EvaluatedSolution

__all__ = ["PartitionedEvaluator"]

T = TypeVar("T")

ADAPTS = 3
"""The number of first evaluations after which the shares are fitted to the measured speeds."""


@final
@define(eq=False)
class PartitionedEvaluator(Evaluator):
    """Solutions and moves by the C++ halves, on several devices.

    `problem`: a problem with a C++ half. `parts`: an evaluator for each device. `weights`: the share of each device;
    None to measure the speeds.
    """

    problem: Problem
    parts: Sequence[DeviceEvaluator]
    weights: Sequence[float] | None = None
    neighborhood: Neighborhood | None = field(init=False)
    _threads: list[ThreadPoolExecutor] = field(init=False)
    _made: dict[int, _Partitioned] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        """A thread of the host for each device."""
        self.neighborhood, self.alarm = self.parts[0].neighborhood, self.parts[0].alarm
        self._threads = [ThreadPoolExecutor(1) for _ in self.parts]

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return tuple(part.device for part in self.parts)

    def cost(self, x: Solution) -> Any:
        return self.parts[0].cost(x)

    def costs(self, xs: np.ndarray) -> np.ndarray:
        return self.parts[0].costs(xs)

    def of(self, neighborhood: Neighborhood) -> _Partitioned:
        found = self._made.get(id(neighborhood))
        if found is None or found.neighborhood is not neighborhood:
            parts = self.everywhere(lambda i: self.parts[i].of(neighborhood))
            found = self._made[id(neighborhood)] = _Partitioned(self, neighborhood, parts)
        return found

    def everywhere(self, work: Callable[[int], T]) -> list[T]:
        """Call a function with the number of each device, in the device's thread; returns the results."""
        futures = [thread.submit(work, i) for i, thread in enumerate(self._threads)]
        return [future.result() for future in futures]


@final
class _Partitioned(NeighborhoodEvaluator):
    def __init__(
        self, whole: PartitionedEvaluator, neighborhood: Neighborhood, parts: Sequence[DeviceNeighborhoodEvaluator]
    ) -> None:
        self.whole, self.problem, self.neighborhood, self.parts = whole, whole.problem, neighborhood, parts
        self.rounds = 0
        self.ends = self._split(whole.weights or [1.0] * len(parts))

    def _split(self, weights: Sequence[float]) -> list[int]:
        """The ends of the shares."""
        sums = np.cumsum(weights)
        cuts = [round(self.size * share) for share in (sums / sums[-1]).tolist()]
        return [*(self.parts[0].aligned(cut) for cut in cuts[:-1]), self.size]

    def resampled(self, neighborhood: Neighborhood) -> _Partitioned:
        self.neighborhood = neighborhood
        self.parts = [part.resampled(neighborhood) for part in self.parts]
        return self

    def delta(self, solution: EvaluatedSolution, k: int) -> Any:
        return self.parts[0].delta(solution, k)

    def deltas(self, solution: EvaluatedSolution) -> np.ndarray:
        return self.parts[0].deltas(solution)

    def chunks(self, solution: EvaluatedSolution) -> Iterator[tuple[int, np.ndarray]]:
        return self.parts[0].chunks(solution)

    def best(self, solution: EvaluatedSolution, selection: Selection = LOWEST) -> tuple[int, int | float]:
        """The best move of all shares; among equals, the one with the lowest index."""
        if not reads(selection):
            return super().best(solution, selection)
        firsts, seconds = [0, *self.ends[:-1]], [0.0] * len(self.parts)

        def work(i: int) -> tuple[int, int | float]:
            began = now()
            found = self.parts[i].best_between(solution, firsts[i], self.ends[i], selection)
            seconds[i] = now() - began
            return found

        found = [(k, delta) for k, delta in self.whole.everywhere(work) if k >= 0]
        self._adapt(firsts, seconds)
        return min(found, key=lambda move: (self._score(selection, move[1]), move[0]), default=(-1, 0))

    @staticmethod
    def _score(selection: Selection, delta: int | float) -> Any:
        return np.asarray(selection.score(np.array([delta])))[0]

    def _adapt(self, firsts: Sequence[int], seconds: Sequence[float]) -> None:
        """Fit the shares to the moves that each device evaluated in a second; results do not depend on the shares."""
        self.rounds += 1
        if self.whole.weights is None and 1 < self.rounds <= 1 + ADAPTS:  # the first one warms up
            done = [max(1, end - first) / s for first, end, s in zip(firsts, self.ends, seconds, strict=True)]
            self.ends = self._split(done)
