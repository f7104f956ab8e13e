"""The order in which open nodes are branched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.lazy import expressible
from metaheur.tree.part import NO_COST
from metaheur.validate import whole_field

if TYPE_CHECKING:
    from metaheur.tree.chunk import OpenNodes

__all__ = ["Beam", "BestFirst", "BreadthFirst", "DepthFirst", "Explorers", "Frontier", "Order"]

BATCH = 1 << 16


@expressible
class Order(ABC):
    """How the open nodes of a tree are kept, and which nodes are branched next."""

    @abstractmethod
    def template(self) -> Mapping[str, np.ndarray]:
        """The arrays in which open nodes are saved, empty."""


class Frontier(Order):
    """Open nodes are kept as chunks of one depth; a batch of them is branched at once.

    A better incumbent is visible from the next batch on, or in an order by levels from the next level on. So every
    device, with any number of cores, branches the same nodes in each batch.

    `by_levels`: whether a level is finished before the next one begins; false by default. `by_bounds`: whether the
    nodes of a chunk are sorted by their bounds, and a batch is one level; false by default.
    """

    by_levels: ClassVar[bool] = False
    by_bounds: ClassVar[bool] = False

    @property
    @abstractmethod
    def batch(self) -> int:
        """The most nodes that are branched at once."""

    @property
    def widest(self) -> int:
        """The most nodes of a level that are kept, the lowest bounds first; `NO_COST` for all nodes."""
        return NO_COST

    @abstractmethod
    def next(self, chunks: list[OpenNodes]) -> int:
        """The index of the chunk whose first nodes are branched next."""

    def template(self) -> Mapping[str, np.ndarray]:
        return {
            "nodes": np.zeros((0, 0), np.uint8),
            "lowers": np.zeros(0, np.int64),
            "chunks": np.zeros((0, 2), np.int64),
            "level": np.zeros(0, np.int64),
        }

    def last(self, chunks: list[OpenNodes]) -> int:
        """The index of the chunk that will probably be branched last: the first that leaves a full memory."""
        return 0


@final
@frozen
class DepthFirst(Frontier):
    """The deepest nodes first, and of these the children of the first nodes: at most depth x arity x batch are open.

    Parameters
    ----------
    batch : int, default 65536
        The most nodes that are branched at once.
    """

    batch: int = whole_field(1, 1 << 26, default=BATCH)

    def next(self, chunks: list[OpenNodes]) -> int:
        return len(chunks) - 1


class ByLevels(Frontier):
    """A level is finished before the next one begins; a dominance compares all its nodes."""

    by_levels: ClassVar[bool] = True

    def next(self, chunks: list[OpenNodes]) -> int:
        return 0

    def last(self, chunks: list[OpenNodes]) -> int:
        return len(chunks) - 1


@final
@frozen
class BreadthFirst(ByLevels):
    """Level by level, as in Boukedjar, Lalami and El Baz (2012); a whole level is open.

    Parameters
    ----------
    batch : int, default 65536
        The most nodes that are branched at once; it does not change which nodes are branched.
    """

    batch: int = whole_field(1, 1 << 26, default=BATCH)


@final
@frozen
class BestFirst(Frontier):
    """The chunk with the lowest bound first, among equals the deepest; and in it the nodes with the lowest bounds.

    Parameters
    ----------
    batch : int, default 4096
        The most nodes that are branched at once.
    """

    batch: int = whole_field(1, 1 << 26, default=1 << 12)
    by_bounds: ClassVar[bool] = True

    def next(self, chunks: list[OpenNodes]) -> int:
        return min(range(len(chunks)), key=_rank(chunks))

    def last(self, chunks: list[OpenNodes]) -> int:
        return max(range(len(chunks)), key=_rank(chunks))


def _rank(chunks: list[OpenNodes]) -> Callable[[int], tuple[int, int, int]]:
    """The key by which chunks are compared: the lowest bound first, then the deepest chunk, then the last chunk."""
    return lambda i: (chunks[i].lowest, -chunks[i].depth, -i)


@final
@frozen
class Beam(ByLevels):
    """Level by level, but only the nodes with the lowest bounds: a heuristic, unless no node was left out.

    Parameters
    ----------
    width : int
        The most nodes of a level that are kept; of nodes with equal bounds the first ones.
    batch : int, default 65536
        The most nodes that are branched at once; it does not change which nodes are branched.
    """

    width: int = whole_field()
    batch: int = whole_field(1, 1 << 26, default=BATCH)

    @property
    def widest(self) -> int:
        return self.width


@final
@frozen
class Explorers(Order):
    """Many explorers, each depth first in an interval of the tree; idle explorers steal half of another interval.

    No list of open nodes is kept, so memory is never short. The explorer that finds a better solution uses it at once,
    all others from the next round on; so every device searches the same nodes. For trees without dominance whose bounds
    are cheap.

    Parameters
    ----------
    count : int, default 1024
        The number of explorers. On a GPU each is a thread: take 512 for each multiprocessor, or 768 if a node has at
        most 48 bytes, which is 67,584 and 101,376 on an H100. Several GPUs share explorers: take several times as many.
    steps : int, default 1024
        Children that each explorer tries in a round: take fewer if bounds are slow, more on several devices. While more
        than a quarter of the explorers are idle, a round has a 16th of these steps. When the time is over, a CPU breaks
        a round off between two explorers; GPUs and workers begin no round that would take longer than the time left.
    """

    count: int = whole_field(1, 1 << 24, default=1024)
    steps: int = whole_field(1, 1 << 30, default=1024)

    def template(self) -> Mapping[str, np.ndarray]:
        return {
            "heights": np.zeros(0, np.int64),
            "entries": np.zeros((0, 3), np.int64),
            "nodes": np.zeros((0, 0), np.uint8),
            "lowers": np.zeros(0, np.int64),
            "round": np.zeros(0, np.int64),
        }
