"""Open nodes of one depth."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.tree.arena import together

__all__ = ["OpenNodes", "joined"]


@final
@define(eq=False)
class OpenNodes:
    """Open nodes of one depth, in their order, in the memory of a device.

    `depth`: the depth of all nodes. `nodes`, array of uint8, shape (m, bytes of a node): an array of NumPy or CuPy.
    `lowers`, array of int64, shape (m,): the bounds of the nodes. `lowest`: the least bound, if it is known. `home`:
    where the nodes are while they are not in the device's memory.
    """

    depth: int
    nodes: Any
    lowers: Any
    _lowest: int | None = field(default=None, alias="lowest")
    home: Any = None

    def __len__(self) -> int:
        return len(self.lowers) if self.home is None else int(self.home.count)

    @property
    def nbytes(self) -> int:
        """The bytes of the device's memory that the nodes take."""
        return 0 if self.home is not None else int(self.nodes.nbytes + self.lowers.nbytes)

    @property
    def lowest(self) -> int:
        """The least bound of a node."""
        if self._lowest is None:
            self._lowest = int(self.lowers.min())
        return self._lowest

    def split(self, count: int) -> tuple[OpenNodes, OpenNodes]:
        """The first so many nodes, and the rest."""
        parts = (slice(None, count), slice(count, None))
        first, rest = (evolve(self, nodes=self.nodes[p], lowers=self.lowers[p], lowest=None) for p in parts)
        return first, rest

    def picked(self, indices: Any) -> OpenNodes:
        """The nodes with these indices."""
        return evolve(self, nodes=self.nodes[indices], lowers=self.lowers[indices], lowest=None)


def joined(chunks: list[OpenNodes], xp: Any = np) -> OpenNodes:
    """The nodes of several chunks of one depth as one chunk."""
    if len(chunks) == 1:
        return chunks[0]
    put = together if xp is np else xp.concatenate
    nodes, lowers = (put([getattr(each, name) for each in chunks]) for name in ("nodes", "lowers"))
    return OpenNodes(chunks[0].depth, nodes, lowers, min((each.lowest for each in chunks if len(each)), default=None))
