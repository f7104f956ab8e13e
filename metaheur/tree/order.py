"""In which order open nodes are branched."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.tree.chunk import OpenNodes
from metaheur.tree.part import NO_COST
from metaheur.validate import whole_field

__all__ = ["Beam", "BestFirst", "BreadthFirst", "DepthFirst", "Explorers", "Frontier", "Order"]

BATCH = 1 << 16


class Order(ABC):
    """How the open nodes of a tree are kept, and which come next."""

    @abstractmethod
    def template(self) -> Mapping[str, np.ndarray]:
        """The arrays in which open nodes are saved, before there are any."""


class Frontier(Order):
    """Open nodes are kept as chunks of one depth; a batch of them is branched at once.

    A better incumbent is visible from the next batch on, or from the next level on where the order is by levels; so
    batch by batch every device, with any number of cores, branches the same nodes.

    Attributes
    ----------
    by_levels : bool
        Whether a level is finished before the next one begins.
    by_bounds : bool
        Whether the nodes of a chunk are sorted by their bounds, and a batch is one level.
    """

    by_levels: ClassVar[bool] = False
    by_bounds: ClassVar[bool] = False

    @property
    @abstractmethod
    def batch(self) -> int:
        """The most nodes that are branched at once."""

    @property
    def widest(self) -> int:
        """The most nodes of a level that are kept, those with the lowest bounds; `NO_COST` for all."""
        return NO_COST

    @abstractmethod
    def next(self, chunks: list[OpenNodes]) -> int:
        """Which of the chunks is to be branched next; the first nodes of it are."""

    def template(self) -> Mapping[str, np.ndarray]:
        return {
            "nodes": np.zeros((0, 0), np.uint8),
            "lowers": np.zeros(0, np.int64),
            "chunks": np.zeros((0, 2), np.int64),
            "level": np.zeros(0, np.int64),
        }

    def last(self, chunks: list[OpenNodes]) -> int:
        """Which of the chunks will be branched last, as far as can be foreseen: the first to leave a full memory."""
        return 0


@final
@frozen
class DepthFirst(Frontier):
    """The deepest nodes first, among them those of the first fathers: at most depth x arity x batch nodes are open.

    Parameters
    ----------
    batch : int, default 65536
        The most nodes that are branched at once.
    """

    batch: int = whole_field(1, 1 << 26, default=BATCH)

    def next(self, chunks: list[OpenNodes]) -> int:
        return len(chunks) - 1


class ByLevels(Frontier):
    """A level is finished before the next one begins; a dominance then compares all its nodes."""

    by_levels: ClassVar[bool] = True

    def next(self, chunks: list[OpenNodes]) -> int:
        return 0

    def last(self, chunks: list[OpenNodes]) -> int:
        return len(chunks) - 1


@final
@frozen
class BreadthFirst(ByLevels):
    """Level by level, as in Boukedjar, Lalami and El Baz (2012); all nodes of a level are open.

    Parameters
    ----------
    batch : int, default 65536
        The most nodes that are branched at once; it does not change which are.
    """

    batch: int = whole_field(1, 1 << 26, default=BATCH)


@final
@frozen
class BestFirst(Frontier):
    """The chunk with the lowest bound first, the deepest among equals, and in it the nodes with the lowest bounds.

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
    """What chunks are compared by: the lowest bound first, then the deepest, then the last."""
    return lambda i: (chunks[i].lowest, -chunks[i].depth, -i)


@final
@frozen
class Beam(ByLevels):
    """Level by level, of each only the nodes with the lowest bounds: a heuristic, unless nothing was left out.

    Parameters
    ----------
    width : int
        The most nodes of a level that are kept, the first among equals.
    batch : int, default 65536
        The most nodes that are branched at once; it does not change which are.
    """

    width: int = whole_field()
    batch: int = whole_field(1, 1 << 26, default=BATCH)

    @property
    def widest(self) -> int:
        return self.width


@final
@frozen
class Explorers(Order):
    """Many explorers, each depth first in a part of the tree; who has nothing left takes half of another one's.

    No list of open nodes is kept, so memory is never short. A better solution is visible to the explorer that found it
    at once, to all others from the next round on; so every device searches the same nodes. For trees without dominance
    whose nodes are cheap to bound. The C++ halves do not need batches of nodes; the Python halves search node by node.

    Parameters
    ----------
    count : int, default 1024
        How many there are; on a GPU a thread is one, so take 512 times its multiprocessors, or 768 times where a node
        takes 48 bytes at most: 67,584 and 101,376 on an H100. Several GPUs share them; there, take some times as many.
    steps : int, default 1024
        Children that each tries in a round: fewer where bounds are slow, more on several devices; a 16th of it while
        more than a quarter have nothing to do. Where time is over, a CPU breaks a round off between two explorers; GPUs
        and workers begin none that takes longer than what is left.
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
