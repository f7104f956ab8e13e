"""The explorers engine: each searches an interval of the tree depth first; who has nothing left takes half of one."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.pace import NEVER, Alarm, StepCut
from metaheur.problem import Problem
from metaheur.tree.chunk import Counts
from metaheur.tree.engine import Engine, Made
from metaheur.tree.expander import Winner, as_bytes, require_valid
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.order import Explorers
from metaheur.tree.unit import TreeParts
from metaheur.tree.walker import Said, Walker

__all__ = ["ExplorerEngine"]

FEW = 64
"""As long as less than this part of the explorers have nothing left, nothing is exchanged."""


@final
@define(eq=False)
class ExplorerEngine(Engine):
    """Explorers that share a tree.

    Parameters
    ----------
    parts : TreeParts
        What is searched; there is no dominance.
    problem : Problem
        On what.
    order : Explorers
        How many, and how far they go in a round.
    walker : Walker
        What lets them search.
    """

    parts: TreeParts
    problem: Problem
    order: Explorers
    walker: Walker
    full: bool = field(default=False, init=False)
    alarm: Alarm = field(default=NEVER, init=False)
    _each: float = field(default=0.0, init=False)  # seconds by the steps of a round, as of the last round
    _said: Said = field(init=False)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.walker.native_devices

    @property
    def widest_round(self) -> int:
        return self.order.count * self.order.steps

    @property
    def open(self) -> int:
        return self._said.untried

    @property
    def lowest(self) -> int:
        return self._said.lowest

    @property
    def share(self) -> float:
        return max(0.0, 1.0 - float(self.walker.left.sum()))

    def begin(self) -> None:
        branching, problem = self.parts.branching, self.problem
        root = branching.root_nodes(problem)
        heights = np.zeros(self.order.count, np.int64)
        heights[0] = 1
        self._load(
            {
                "heights": heights,
                "entries": np.array([[0, 0, branching.arity(problem, 0)]], np.int64),
                "nodes": as_bytes(root),
                "lowers": np.asarray(self.parts.bound.lowers(problem, root, 0), np.int64),
            }
        )

    def _load(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.walker.load(arrays)
        self._said = self.walker.said()

    def advance(self, incumbents: Incumbents, rounds: int) -> Made:
        said, count = self._said, self.order.count
        pairs = min(said.idle, said.rich) if FEW * said.idle >= count else 0
        steps = self.order.steps if 4 * (said.idle - pairs) <= count else max(1, self.order.steps // 16)
        if steps * self._each > self.alarm.left():  # a round cannot be broken off, and a shorter one is another tree
            self.alarm.wait()
            raise StepCut
        threshold, began = incumbents.threshold, perf_counter()
        if pairs:
            self.walker.give(pairs, said.rich)
        self.walker.explore(threshold, steps, completes=incumbents.completes, eager=incumbents.eager)
        self._said = said = self.walker.said()
        self._each = (perf_counter() - began) / steps
        if said.faulty < count:
            self._refuse(said.faulty)
        winner = None
        if said.cost < threshold:
            winner = Winner(said.cost, self.walker.found(said.winner)[:1], said.depth)
        improved = incumbents.accept(winner, 0, None)
        sums = {name: getattr(said, name) for name in ("branched", "bounded", "complete", "kept", "by_bound")}
        return Made(1, Counts(**sums, deepest=said.deepest), improved)

    def _refuse(self, e: int) -> None:
        depth, *numbers = self.walker.fault(e)
        _, father, child = self.walker.found(e)
        require_valid(self.parts, father, child, depth, (numbers[0], numbers[1], numbers[2]))

    def saved(self) -> Mapping[str, Any]:
        return self.walker.arrays()

    def restore(self, saved: Mapping[str, Any]) -> None:
        if len(saved["heights"]) != self.order.count:
            raise InputError(f"{len(saved['heights'])} explorers were saved, but here are {self.order.count}.")
        self._load(saved)
