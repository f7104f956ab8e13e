"""Descents from millions of random starts, in batches whose memory is used again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.device.halves import undrawn
from metaheur.device.session import Session
from metaheur.evaluators.costs import require_in_range
from metaheur.landscape.descents import richness
from metaheur.landscape.estimate import Estimate
from metaheur.landscape.ground import Ground
from metaheur.parallel.multistart import Multistart
from metaheur.random import START, Key, Random
from metaheur.runners.drive import CONTROL
from metaheur.runners.resident import Driver
from metaheur.runners.walk_memory import cancel_flags
from metaheur.running.runner import Runner
from metaheur.running.view import Until
from metaheur.searches.hill_climbing import HillClimbing

__all__ = ["DescentStream", "number_of_optima"]

MOST = 1 << 17
"""The most descents of a batch."""

ENDLESS = 2**40
"""Iterations that no descent needs."""


TEAM = 32
"""Threads of a GPU that draw, evaluate and hash a solution."""

BLOCKS = 1 << 14
"""The most teams of a GPU's grid."""


@final
@frozen(eq=False)
class StreamEnds:
    """The ends of a batch of descents.

    `costs`: as they are minimised. `steps`: the moves made. `hashes`: of the solutions, 64 bits each; see `hashed`.
    `solutions`: copies the solutions, shape (W, n), from where the walks are; until the next batch.
    """

    costs: np.ndarray
    steps: np.ndarray
    hashes: np.ndarray
    solutions: Callable[[], np.ndarray]


@final
@frozen(eq=False)
class DescentStream:
    """Steepest descents from the random starts of walks 0, 1, 2, ... of a seed, `batch` at a time.

    Where compiled code can, it draws and evaluates the starts in the walks' own memory, so that only three numbers of
    each walk leave the device.

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
    def _resident(self) -> ResidentDescents | None:
        """The walks in the memory of a device; None where Python draws or evaluates starts, or blocks share a walk."""
        runner = self._runner
        if not isinstance(runner, Driver) or undrawn(self.ground.problem.representation):
            return None
        if not runner.compiled.solutions.has_cost or runner.compiled.team.league > 1:
            return None
        return ResidentDescents(runner, self.batch, self.ground.seed)

    @cached_property
    def _keys(self) -> tuple[Key, ...]:
        """Keys that are never used: steepest descent draws nothing."""
        return self._model.keys(0)

    @cached_property
    def _weights(self) -> np.ndarray:
        return weights_of(self.ground.problem.representation.length)

    def ends(self, first: int) -> StreamEnds:
        """Where the descents of a batch end."""
        if self._resident is not None:
            return self._resident.ends(first)
        runner = self._runner
        walks = runner.begin(self._keys, self.ground.starts(self.batch, first))
        while not walks.finished.all():
            walks = runner.advance(walks, Until(ENDLESS)).walks
        hashes = hashed(walks.solutions_now(), self._weights)
        return StreamEnds(walks.costs, walks.improved_at, hashes, walks.solutions_now)


@final
class ResidentDescents:
    """Descents in the memory of a driver's walks, where starts are drawn and evaluated, and ends are hashed."""

    def __init__(self, driver: Driver, walks: int, seed: int) -> None:
        self.problem, device = driver.problem, driver.device
        self.memory = memory = driver.memory_for(walks)
        memory.send(memory.blank(walks), Until(ENDLESS).values(memory.session.unit.types.total))
        unit = compiled_kernels(self.problem, ends_of_walks(memory.session.unit.types.item), device)
        self.session = session = Session(unit, device, shared=memory.session)
        if not session.arrays:
            session.keep()
        weights = weights_of(self.problem.representation.length)
        session.own("weights", len(weights))
        session.write("weights", weights)
        for name in ("costs", "steps", "hashes"):
            session.own(name, walks)
        session.set(seed=seed, count=walks, sharing=driver.threads)
        self.cancelled, _ = cancel_flags(device)

    def ends(self, first: int) -> StreamEnds:
        """Where the descents from the starts of walks numbered `first` and on end."""
        memory, session = self.memory, self.session
        blocks = min(memory.walks, BLOCKS)
        session.launch("begin", first, blocks=blocks)
        cut = True
        while cut:  # by another run on this device that was cancelled
            self.cancelled[0] = 0
            memory.session.launch("drive", memory.walks, blocks=memory.blocks)
            session.launch("end", blocks=blocks)
            steps = np.array(session.read("steps"))
            cut = bool((steps < 0).any())
        costs, hashes = np.array(session.read("costs")), np.array(session.read("hashes"))
        require_in_range(self.problem, costs)
        return StreamEnds(costs, steps, hashes, partial(memory.solutions, "x"))


def ends_of_walks(item: np.dtype[Any]) -> Shell:
    """The entries `begin` and `end` for walks whose solutions have entries of a type."""
    return Shell(
        pieces=("landscape/streams.cuh",),
        components={},
        members={
            "x": "Item*",
            "controls": "Control*",
            "costs": "Total*",
            "steps": "i64*",
            "hashes": "u64*",
            "weights": "u64*",
            "seed": "u32",
            "count": "i64",
            "sharing": "i64",  # threads of a CPU
        },
        records=(CONTROL,),
        launch=Launch(threads=TEAM, openmp=True),
        stateless=True,
        item=item,
    )


def number_of_optima(ground: Ground, walks: int) -> Estimate:
    """How many local optima there are, from how often descents came to the same one; see `richness`."""
    hashes = np.concatenate(list(_hashes(ground, walks)))
    return richness(np.unique(hashes, return_counts=True)[1])


def _hashes(ground: Ground, walks: int) -> Iterator[np.ndarray]:
    """A hash of 64 bits of the end of each descent."""
    batch = min(walks, MOST)
    stream = DescentStream(ground, batch)
    for first in range(0, walks, batch):
        yield stream.ends(first).hashes[: walks - first]


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
