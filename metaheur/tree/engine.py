"""Engines, which keep the open nodes of a tree and advance through them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.device.device import Device
from metaheur.machine.pace import NEVER, Alarm
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.expander import Winner
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.part import NO_COST
from metaheur.tree.tree_parts import TreeParts

__all__ = ["LOOK", "BatchReport", "Engine", "shares"]


LOOK = 0.02
"""Seconds between two looks at the alarm."""


@final
@frozen
class BatchReport:
    """The report on a call of an engine.

    `rounds`: how many batches, or rounds of explorers, were finished. `counts`: the nodes that were counted in these
    rounds. `improved`: whether the last round found a better solution.
    """

    rounds: int
    counts: Counts
    improved: bool


class Engine(ABC):
    """Keeps the open nodes, and branches, bounds and prunes them batch by batch.

    `parts`: the parts of the search. `full`: whether there is no memory for more open nodes. `alarm`: the engine asks
    the alarm while a batch takes long; the caller of the engine sets it. `look`: the most seconds that a piece of a
    batch takes, as an estimate: the engine looks at the alarm between pieces.
    """

    parts: TreeParts
    problem: Problem
    full: bool
    alarm: Alarm = NEVER
    look: float = LOOK

    @property
    @abstractmethod
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code branches and bounds in this process."""

    @property
    def lost(self) -> str:
        """The devices that were lost during the run, in words; "" for none, the default."""
        return ""

    @property
    @abstractmethod
    def most_branched(self) -> int:
        """The most nodes that a round branches."""

    @property
    @abstractmethod
    def most_bounded(self) -> int:
        """The most children that a round bounds."""

    @property
    @abstractmethod
    def open(self) -> int:
        """The number of open nodes."""

    @property
    def done(self) -> bool:
        """Whether no node is open."""
        return self.open == 0

    @property
    @abstractmethod
    def lowest(self) -> int:
        """The least bound of a node that is open or was left out; `NO_COST` if there is none."""

    @property
    @abstractmethod
    def share(self) -> float:
        """The share of the tree that is done, 0 ... 1; all children of a node have equal shares."""

    @abstractmethod
    def begin(self) -> None:
        """Begin: only the root is open."""

    def root_winner(self) -> Winner | None:
        """The solution of the root, if the bound has one."""
        bound, root = self.parts.bound, self.parts.branching.root_nodes(self.problem)
        cost = bound.upper(self.problem, root[0], 0)
        return None if cost == NO_COST else Winner(cost, root, 0)

    @abstractmethod
    def advance(self, incumbents: Incumbents, rounds: int) -> BatchReport | None:
        """Branch a batch, or several in turn; the first batch that finds a better solution is the last of the call.

        If the alarm rings in the middle of a batch, the batch is broken off, and its results so far are returned.

        `incumbents`: the incumbents, which prune, and accept the solutions that are found. `rounds`: the most batches.
        Returns the report. None if the alarm asks for a look, or rings, in the middle of a batch: the next call goes on
        with this batch.
        """

    @abstractmethod
    def unfinished(self, incumbents: Incumbents) -> BatchReport | None:
        """The report on a batch that has begun, as far as it is in `saved`; None if nothing was done.

        `incumbents`: the incumbents that receive the solutions found: a copy of the incumbents that `advance` receives.
        """

    @abstractmethod
    def saved(self) -> Mapping[str, Any]:
        """The arrays and numbers on which the rest of the search depends."""

    @abstractmethod
    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from where `saved` was called."""

    @property
    def left_out(self) -> int:
        """The least bound of a node that was left out; `NO_COST` if no node was left out: then the search is exact."""
        return self.lowest if self.full else NO_COST


def shares(parts: TreeParts, problem: Problem) -> np.ndarray:
    """The share of the tree below a node, by its depth; float64 of shape (levels + 1,)."""
    return np.concatenate([[1.0], np.cumprod(1.0 / parts.arities(problem))])
