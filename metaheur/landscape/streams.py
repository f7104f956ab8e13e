"""Descents from millions of random starts, in batches whose memory is used again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.halves import undrawn
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.evaluators.shells import THREADS, solutions
from metaheur.landscape.descents import richness
from metaheur.landscape.estimate import Estimate
from metaheur.landscape.ground import DescentEnds, Ground
from metaheur.machine.processors import cores
from metaheur.parallel.multistart import Multistart
from metaheur.random import START, Key, Random
from metaheur.running.runner import Runner
from metaheur.running.view import Until
from metaheur.searches.hill_climbing import HillClimbing

__all__ = ["DescentStream", "number_of_optima"]

MOST = 1 << 17
"""The most descents of a batch."""

ENDLESS = 2**40
"""Iterations that no descent needs."""


@final
@frozen(eq=False)
class DescentStream:
    """Steepest descents from the random starts of walks 0, 1, 2, ... of a seed, `batch` at a time.

    `per`: who owns a walk on a GPU; see `Multistart`.
    """

    ground: Ground
    batch: int
    per: str = "auto"

    @cached_property
    def _model(self) -> Multistart:
        return Multistart(self.batch, per=self.per, device=self.ground.place)

    @cached_property
    def _runner(self) -> Runner:
        return self._model.bind(HillClimbing(self.ground.neighborhood), self.ground.problem)

    @cached_property
    def _keys(self) -> tuple[Key, ...]:
        """Keys that are never used: steepest descent draws nothing."""
        return self._model.keys(0)

    @cached_property
    def _draw(self) -> Callable[[int], np.ndarray]:
        """From the number of the first walk to the starts of a batch."""
        ground = self.ground
        space = ground.problem.representation
        if ground.place == "numpy" or undrawn(space):
            return lambda first: ground.starts(self.batch, first)
        device = device_of(ground.place)
        session = Session(compiled_kernels(ground.problem, solutions(openmp=True), device), device)
        session.keep()
        for name, count in (("xs", self.batch * space.length), ("costs", 1), ("keys", 2 * self.batch)):
            session.own(name, count)
        session.near("answer")
        session.set(teams=cores(), sharers=1)

        def drawn(first: int) -> np.ndarray:
            keys = np.empty((self.batch, 2), np.uint32)
            keys[:, 0], keys[:, 1] = ground.seed, np.arange(first, first + self.batch)
            session.write("keys", keys.ravel())
            session.launch("draw", self.batch, blocks=-(-self.batch // THREADS))
            return session.read("xs", 0, self.batch * space.length).reshape(self.batch, space.length)

        return drawn

    def ends(self, first: int) -> DescentEnds:
        """Where the descents of a batch end; valid until the next batch."""
        runner = self._runner
        walks = runner.begin(self._keys, self._draw(first))
        while not walks.finished.all():
            walks = runner.advance(walks, Until(ENDLESS)).walks
        return DescentEnds(walks.solutions_now(), walks.costs, walks.improved_at)


def number_of_optima(ground: Ground, walks: int) -> Estimate:
    """How many local optima there are, from how often descents came to the same one; see `richness`."""
    hashes = np.concatenate(list(_hashes(ground, walks)))
    return richness(np.unique(hashes, return_counts=True)[1])


def _hashes(ground: Ground, walks: int) -> Iterator[np.ndarray]:
    """A hash of 64 bits of the end of each descent."""
    batch = min(walks, MOST)
    stream, weights = DescentStream(ground, batch), weights_of(ground.problem.representation.length)
    for first in range(0, walks, batch):
        yield hashed(stream.ends(first).solutions, weights)[: walks - first]


def weights_of(length: int) -> np.ndarray:
    """An odd number of 64 bits for each position."""
    words = Random(Key(0), START, 0)
    return np.array([words.bits(2 * k) << 32 | words.bits(2 * k + 1) | 1 for k in range(length)], np.uint64)


def hashed(xs: Any, weights: np.ndarray) -> np.ndarray:
    """The sum of the entries times these numbers, modulo 2**64, of each solution."""
    total: np.ndarray = xs[:, 0].astype(np.uint64) * weights[0]
    for k in range(1, len(weights)):
        total += xs[:, k].astype(np.uint64) * weights[k]
    return total
