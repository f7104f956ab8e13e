"""What keeps the open nodes of a tree and advances through them."""

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

__all__ = ["BatchReport", "Engine", "shares"]


@final
@frozen
class BatchReport:
    """What a call of an engine has done.

    Parameters
    ----------
    rounds : int
        How many batches, or rounds of explorers, were finished.
    counts : Counts
        The nodes that were counted in them.
    improved : bool
        Whether the last of them found a better solution.
    """

    rounds: int
    counts: Counts
    improved: bool


class Engine(ABC):
    """Keeps open nodes, and branches, bounds and prunes them batch by batch.

    Attributes
    ----------
    parts : TreeParts
        What is searched.
    problem : Problem
        On what.
    full : bool
        Whether there is no memory for more open nodes.
    alarm : Alarm
        Asked where a batch takes long; whoever runs the engine sets it.
    """

    parts: TreeParts
    problem: Problem
    full: bool
    alarm: Alarm = NEVER

    @property
    @abstractmethod
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code branches and bounds here, not that of workers."""

    @property
    def lost(self) -> str:
        """Devices that were lost on the way, in words; "" for none, the default."""
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
        """Nodes that wait."""

    @property
    def done(self) -> bool:
        """Whether no node waits."""
        return self.open == 0

    @property
    @abstractmethod
    def lowest(self) -> int:
        """The least bound of a node that waits or was left out; `NO_COST` where there is none."""

    @property
    @abstractmethod
    def share(self) -> float:
        """How much of the tree is done, 0 ... 1, where the children of a node share it equally."""

    @abstractmethod
    def begin(self) -> None:
        """The root alone waits."""

    def root_winner(self) -> Winner | None:
        """The solution of the root, if the bound knows one."""
        bound, root = self.parts.bound, self.parts.branching.root_nodes(self.problem)
        cost = bound.upper(self.problem, root[0], 0)
        return None if cost == NO_COST else Winner(cost, root, 0)

    @abstractmethod
    def advance(self, incumbents: Incumbents, rounds: int) -> BatchReport | None:
        """Make a batch, or several in turn; the call ends with the first that finds a better solution.

        Where the alarm rings on the way, the batch is broken off: what is known of it is returned.

        Parameters
        ----------
        incumbents : Incumbents
            What prunes, and what takes the solutions that are found.
        rounds : int
            The most batches.

        Returns
        -------
        BatchReport or None
            What was done; None where the alarm asks for a look, or rings, in the middle of a batch. The next call goes
            on with it.
        """

    @abstractmethod
    def unfinished(self, incumbents: Incumbents) -> BatchReport | None:
        """What is known of a batch that has begun, as `saved` has it; None if there is nothing to tell.

        Parameters
        ----------
        incumbents : Incumbents
            What takes the solutions that are found: a copy of those that `advance` is given.
        """

    @abstractmethod
    def saved(self) -> Mapping[str, Any]:
        """All that the rest of the search depends on: arrays and numbers."""

    @abstractmethod
    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from there."""

    @property
    def left_out(self) -> int:
        """The least bound of a node that was left out; `NO_COST` if none was, so that the search is exact."""
        return self.lowest if self.full else NO_COST


def shares(parts: TreeParts, problem: Problem) -> np.ndarray:
    """The share of the tree that a node of each depth stands for, float64 of shape (levels + 1,)."""
    return np.concatenate([[1.0], np.cumprod(1.0 / parts.arities(problem))])
