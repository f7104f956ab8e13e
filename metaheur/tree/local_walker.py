"""Explorers on a device of this process, which may exchange intervals with explorers of other devices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from metaheur.device.device import Buffer
from metaheur.tree.walker import Walker
from metaheur.tree.work_stealing import exchanges_of

__all__ = ["LocalWalker", "Transfer"]

Transfer = tuple[Buffer, Buffer]
"""The nodes that donors send to explorers of another device, in the memory of the donors' device: the places of the
nodes, among `MOST_STOLEN` for each pair, and their bytes, one node after the other."""


class LocalWalker(Walker):
    """Explorers on a device of this process: all explorers, or some of them."""

    @property
    def _node_type(self) -> np.dtype[Any]:
        return self.parts.branching.node_type(self.problem)

    @abstractmethod
    def load(self, arrays: Mapping[str, np.ndarray], cuts: np.ndarray | None = None) -> None:
        """Like `Walker.load`; `cuts` are the groups of the explorers, by default the walker's own."""

    @abstractmethod
    def summary(self) -> tuple[np.ndarray, np.ndarray]:
        """The last round's report without waiting children, and how many explorers of each group have each rank.

        The longer the interval of a donor is, the lower is its rank. Of two intervals, the longer one has its first
        node with waiting children nearer to the root, or has more children waiting at the same depth. The last rank,
        `idle_rank`, is for idle explorers.

        Returns an array of `REPORT`, shape (1,), and integers of shape (groups, ranks + 1), in the host's memory.
        """

    @abstractmethod
    def plan(self, rank: int, exchanges: np.ndarray) -> None:
        """List donors and receivers, as `plan_of` does; `exchanges_of` returns the rank and the numbers."""

    def steal(self) -> None:
        rank, exchanges = exchanges_of(self.summary()[1])
        self.plan(rank, exchanges)
        self.exchange(int(exchanges[:, :2].sum()))

    @abstractmethod
    def exchange(self, pairs: int, donor: int = 0, receiver: int = 0) -> None:
        """Let `pairs` donors of the plan donate to as many receivers, from these places of the two lists on.

        A donor donates every other waiting child, from the bottom of its stack on, of at most `MOST_STOLEN` nodes. If
        several children of a node wait, it donates the upper half of them, rounded up and down in turn.
        """

    @abstractmethod
    def send(self, count: int, donor: int) -> Transfer:
        """The nodes that `count` donors of the plan, from a place of the list on, send to another device."""

    @abstractmethod
    def receive(self, receiver: int, transfer: Transfer) -> None:
        """Give the nodes that donors of another device sent to receivers of the plan, from a place of the list on."""
