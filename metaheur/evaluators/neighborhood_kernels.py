"""The kernels of a neighborhood on a device, and their memory."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.record import types_of
from metaheur.device.generator.structs import struct_of
from metaheur.device.session import Session
from metaheur.evaluators.evaluator import LOWEST, Selection
from metaheur.evaluators.offers import Offers
from metaheur.evaluators.shells import THREADS, moves_of
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.representation import Solution

__all__ = ["NeighborhoodKernels"]

NEAR = 1 << 16
"""The most bytes of changes of cost that a device writes directly into the memory of the host."""


@final
@define(eq=False)
class NeighborhoodKernels:
    """The kernels of a neighborhood, compiled for each selection, and the memory that they share.

    `problem`, `neighborhood`: a problem and a neighborhood, both with C++ halves. `device`: the device that runs the
    kernels. `teams`: CPU threads, or blocks of a GPU's grid, that share the moves. `chunk`: the most moves that one
    launch evaluates.
    """

    problem: Problem
    neighborhood: Neighborhood
    device: Device
    teams: int
    chunk: int
    offers: Offers = field(init=False)
    cost: np.ndarray = field(init=False)  # of the solution on the device, one row
    found: np.ndarray = field(init=False)  # the best move
    _count: int = field(init=False, default=0)
    _near: np.ndarray | None = field(init=False, default=None)
    _answer: np.ndarray = field(init=False)
    _sessions: dict[Selection, Session] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        cuda, length = self.device.kind == "cuda", self.problem.representation.length
        self._sessions[LOWEST] = session = Session(self._compile(LOWEST), self.device)
        session.keep(workers=self.teams * (THREADS // 32 if cuda else 1))
        self.cost, self.found, self._answer = (session.near(name) for name in ("cost", "found", "answer"))
        for name, count in (("x", length), ("best", self.teams), ("done", 1), ("count", 1)):
            session.own(name, count)
        session.set(teams=self.teams)
        self.offers = Offers(self.answer("capabilities"))
        evaluates_in_full = not self.offers & (Offers.DELTA | Offers.GROUPS)
        session.own("scratch", self.teams * (THREADS if cuda else 1) * length if evaluates_in_full else 1)
        types = session.unit.types
        if self.chunk * max(1, types.objectives) * types.cost.itemsize <= NEAR:
            self._near = session.near("out", self.chunk)
        else:
            session.own("out", self.chunk)

    def _compile(self, selection: Selection) -> CompiledUnit:
        shell = moves_of(self.neighborhood, selection, openmp=self.teams > 1)
        unit: CompiledUnit = compiled_kernels(self.problem, shell, self.device)
        return unit

    def _session(self, selection: Selection) -> Session:
        """Compile the kernels with another score."""
        made = self._sessions[selection] = Session(self._compile(selection), self.device, self._sessions[LOWEST])
        return made

    @property
    def cost_type(self) -> np.dtype[Any]:
        """The type of a change of cost."""
        return self._sessions[LOWEST].unit.types.cost

    def launch(self, entry: str, value: int = 0, blocks: int = 1, selection: Selection = LOWEST) -> None:
        """Run an entry of the kernels of a selection."""
        session = self._sessions.get(selection) or self._session(selection)
        session.launch(entry, value, blocks=blocks)

    def answer(self, entry: str, value: int = 0) -> int:
        """Run an entry and return the number that it writes."""
        self.launch(entry, value)
        self.device.wait()
        return int(self._answer[0])

    def best(self, first: int, selection: Selection) -> np.ndarray:
        """The best move of the chunk that begins at an index: an array of one struct, valid until the next call."""
        self.launch("best", first, self.teams, selection)
        self.device.wait()
        return self.found

    def write(self, solution: Solution) -> None:
        """Write a solution to the device, and build the kept arrays beside it."""
        self._sessions[LOWEST].write("x", solution)
        self.launch("prepare")

    def limit(self, count: int) -> None:
        """Set the number of moves of a chunk, which lies on the device, is read by all threads and seldom changes."""
        if count != self._count:
            self._sessions[LOWEST].write("count", [count])
            self._count = count

    def changes(self, count: int) -> np.ndarray:
        """The first changes of cost of a chunk."""
        if self._near is None:
            return self._sessions[LOWEST].read("out", 0, count)
        self.device.wait()
        return self._near[:count]

    def resampled(self, neighborhood: Neighborhood) -> None:
        """Take newly sampled moves of the same neighborhood."""
        self.neighborhood = neighborhood
        types = types_of(self.problem, (neighborhood,))
        struct = struct_of(neighborhood, self.problem.representation, self.device, types)
        for session in self._sessions.values():
            session.place("neighborhood", struct)
