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

MOST_ROUNDS = 32
"""Rounds after which the host looks at the latest."""

LOOK = 0.02
"""Seconds after which it shall look."""


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
    _each: float = field(default=0.0, init=False)  # seconds by the steps of a round, as of the last ones
    _rounds: int = field(default=1, init=False)  # how many were made last
    _said: Said = field(init=False)
    _weighed: Said | None = field(default=None, init=False)  # with what is left

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.walker.native_devices

    @property
    def widest_round(self) -> int:
        return self.order.count * self.order.steps

    @property
    def done(self) -> bool:
        return self._said.idle == self.order.count

    @property
    def open(self) -> int:
        return self._left.untried

    @property
    def lowest(self) -> int:
        return self._left.lowest

    @property
    def _left(self) -> Said:
        if self._weighed is None:
            self._weighed = self.walker.said()
        return self._weighed

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
        self._said = self._weighed = self.walker.said()

    def advance(self, incumbents: Incumbents, rounds: int) -> Made:
        count, threshold, began = self.order.count, incumbents.threshold, perf_counter()
        pairs, steps = self._said.dealt(count, self.order.steps)
        seconds = steps * self._each * (1 + pairs / max(1, count - self._said.idle))  # as long as so many more take
        if seconds > self.alarm.left():  # a round cannot be broken off, and a shorter one is another tree
            self.alarm.wait()
            raise StepCut
        enough = min(LOOK, self.alarm.left()) / seconds if seconds else 1
        made = self.walker.rounds(
            self._said,
            max(1, min(rounds, MOST_ROUNDS, 2 * self._rounds, int(enough))),
            threshold,
            self.order.steps,
            completes=incumbents.completes,
            eager=incumbents.eager,
        )
        self._said, self._weighed, self._rounds = made.said, None, made.made
        self._each, said = (perf_counter() - began) / made.steps, made.said
        if said.faulty < count:
            self._refuse(said.faulty)
        winner = None
        if said.cost < threshold:
            winner = Winner(said.cost, self.walker.found(said.winner)[:1], said.depth)
        improved = incumbents.accept(winner, 0, None)
        sums = {name: getattr(said, name) for name in ("branched", "bounded", "complete", "kept", "by_bound")}
        return Made(made.made, Counts(**sums, deepest=said.deepest), improved)

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
