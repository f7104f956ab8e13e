"""Explorers on a device of this process, which may exchange intervals with those of other devices."""

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
"""What donors send to explorers of another device, in the memory of their own device: the places of the nodes, among
`MOST_STOLEN` for each pair, and their bytes, one node after the other."""


class LocalWalker(Walker):
    """Explorers on a device of this process; they may be some of all."""

    @property
    def _node_type(self) -> np.dtype[Any]:
        return self.parts.branching.node_type(self.problem)

    @abstractmethod
    def load(self, arrays: Mapping[str, np.ndarray], cuts: np.ndarray | None = None) -> None:
        """As `Walker.load`; `cuts` are the groups of the explorers, by default as many as the walker says."""

    @abstractmethod
    def summary(self) -> tuple[np.ndarray, np.ndarray]:
        """The report of the last round but for what waits, and how many explorers of each group have each rank.

        The longer the interval of a donor is, the lower is its rank. An interval is the longer, the nearer to the root
        its first node with waiting children is, and then the more children wait there. The last rank is that of idle
        explorers, `idle_rank`.

        Returns
        -------
        tuple of numpy.ndarray
            An array of `REPORT`, shape (1,), and integers of shape (groups, ranks + 1), in the host's memory.
        """

    @abstractmethod
    def plan(self, rank: int, exchanges: np.ndarray) -> None:
        """List donors and receivers, as `plan_of` does; rank and numbers are those of `exchanges_of`."""

    def steal(self) -> None:
        rank, exchanges = exchanges_of(self.summary()[1])
        self.plan(rank, exchanges)
        self.exchange(int(exchanges[:, :2].sum()))

    @abstractmethod
    def exchange(self, pairs: int, donor: int = 0, receiver: int = 0) -> None:
        """So many donors of the plan donate to as many receivers, from these places of the two lists on.

        A donor donates every other waiting child, from the bottom of its stack on, of at most `MOST_STOLEN` nodes. Of
        several children of one node these are the upper half, rounded up and down in turn.
        """

    @abstractmethod
    def send(self, count: int, donor: int) -> Transfer:
        """What so many donors of the plan, from a place of the list on, send to explorers of another device."""

    @abstractmethod
    def receive(self, receiver: int, transfer: Transfer) -> None:
        """Receivers of the plan, from a place of the list on, take what donors of another device sent."""
