"""Expanders make and bound the children of many nodes; each device has its own expander."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.chunk import OpenNodes, joined
from metaheur.tree.part import Nodes
from metaheur.tree.tree_parts import TreeParts

__all__ = ["Expanded", "Expander", "Rules", "Winner", "as_bytes", "as_nodes", "require_valid", "shown"]


@final
@frozen
class Rules:
    """The rules by which a call prunes nodes, and how far it goes.

    `threshold`: nodes whose bound is not below this cost are pruned. `batch`: the most nodes that are branched at once:
    the call ends when more nodes are left. `rounds`: the most levels that the call goes down. `collect`: whether all
    complete nodes are returned, not only the best complete node. `completes`: whether the bound is asked for solutions
    of nodes that are not complete. `dominance`: whether the dominance drops nodes of a level. `eager`: whether a better
    solution may prune the rest of the batch; an expander need not do so where it is not faster. `by_levels`: whether
    the children wait until their level is finished, after the children of earlier calls. `behind`: the number of nodes
    of the same batch that are branched next; the children of all these nodes are adjacent in memory.
    """

    threshold: int
    batch: int
    rounds: int = 1
    collect: bool = False
    completes: bool = True
    dominance: bool = False
    eager: bool = False
    by_levels: bool = False
    behind: int = 0

    @property
    def of_a_part(self) -> Rules:
        """The rules for a part of a level, whose nodes are compared only when all parts are there."""
        return evolve(self, rounds=1, dominance=False)


@final
@frozen(eq=False)
class Winner:
    """The solution of least cost that was found; among equals the first in index order.

    `node`, numpy.ndarray, shape (1,): the node with this solution. `depth`: the depth of the node. If the node is not
    complete, the bound completes it.
    """

    cost: int
    node: Nodes
    depth: int


@final
@frozen(eq=False)
class Expanded:
    """The findings of one call of an expander.

    `left`: the children of the last level that were not pruned: in index order, or in the order of their keys if a
    dominance has compared them. `counts`: the counts of all levels of the call. `rounds`: the number of levels.
    `winner`: the best solution below the threshold.
    """

    left: OpenNodes
    counts: Counts
    rounds: int = 1
    winner: Winner | None = field(default=None)


class Expander(ABC):
    """Makes, bounds and prunes the children of nodes.

    `parts`: the parts of the search. `problem`: the problem that is solved. `dtype`: the type of a node. `xp`: the
    module of the arrays of chunks, NumPy or CuPy. `lost`: devices that were lost during the run, in words; "" for none.
    """

    parts: TreeParts
    problem: Problem
    dtype: np.dtype[Any]
    xp: Any = np
    lost: str = ""

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code expands; none by default, as for Python."""
        return ()

    @property
    def current(self) -> AbstractContextManager[Any]:
        """Makes the expander's device the current one of a thread; a CPU always is."""
        return nullcontext()

    @abstractmethod
    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        """Branch the nodes of a chunk that are below the threshold; bound, prune and count their children.

        If what is left is not more than a batch, the same call goes on with the next level, as far as `rules.rounds`
        allows and until a better solution is found. Several calls, one after the other, would do the same.
        """

    @abstractmethod
    def swept(self, chunk: OpenNodes) -> OpenNodes:
        """The nodes of a chunk that the dominance keeps, in the order of their keys."""

    def whole(self, depth: int) -> bool:
        """Whether nodes at a depth are complete."""
        return depth == self.parts.branching.levels(self.problem)

    def level_of(self, found: Sequence[Expanded], rules: Rules) -> Expanded:
        """Join the parts in which a level was branched, in their order; the dominance compares all its nodes."""
        left, winners = self.joined([each.left for each in found]), [each.winner for each in found if each.winner]
        counts = sum((each.counts for each in found), Counts())
        if rules.dominance and not self.whole(left.depth):
            before, left = len(left), self.swept(left)
            counts = evolve(counts, by_dominance=before - len(left))
        return Expanded(left, counts, 1, min(winners, key=lambda winner: winner.cost, default=None))

    def upload(self, nodes: np.ndarray, lowers: np.ndarray, depth: int) -> OpenNodes:
        """Make a chunk of nodes, given as bytes in the host's memory."""
        return OpenNodes(depth, nodes, lowers)

    def download(self, chunk: OpenNodes) -> tuple[np.ndarray, np.ndarray]:
        """The nodes of a chunk as bytes, and their bounds, in the host's memory."""
        return np.ascontiguousarray(chunk.nodes), np.ascontiguousarray(chunk.lowers)

    def sorted(self, chunk: OpenNodes) -> Any:
        """The indices of the nodes, sorted by their bounds; of equal bounds the first index comes first."""
        return np.argsort(chunk.lowers, kind="stable")

    def joined(self, chunks: list[OpenNodes]) -> OpenNodes:
        """The nodes of several chunks of one depth as one chunk."""
        return joined(chunks, self.xp)

    @property
    def budget(self) -> int:
        """The bytes that open nodes may take by default: half of the free memory."""
        from metaheur.machine.memory import available

        return available() // 2

    def root(self) -> OpenNodes:
        """The root and its bound."""
        nodes = self.parts.branching.root_nodes(self.problem)
        lowers = np.asarray(self.parts.bound.lowers(self.problem, nodes, 0), np.int64)
        return self.upload(as_bytes(nodes), lowers, 0)


def as_bytes(nodes: Nodes) -> np.ndarray:
    """Nodes as rows of bytes."""
    flat: np.ndarray = np.ascontiguousarray(nodes).view(np.uint8).reshape(len(nodes), nodes.dtype.itemsize)
    return flat


def as_nodes(flat: np.ndarray, dtype: np.dtype[Any]) -> Nodes:
    """Rows of bytes as nodes."""
    nodes: Nodes = np.ascontiguousarray(flat).reshape(-1).view(dtype)
    return nodes


def require_valid(parts: TreeParts, father: Any, child: Any, depth: int, numbers: tuple[int, int, int]) -> None:
    """Refuse a wrong bound that is noticed during the search.

    `father`, `child`: the nodes. `depth`: the depth of the father. `numbers`: the father's bound, the child's bound,
    and the cost of the child's completion.
    """
    of_father, lower, upper = numbers
    name = type(parts.bound).__name__
    if lower < of_father:
        raise CheckFailed(
            f"{name}.lower falls from {of_father} to {lower} between a node at depth {depth}, {shown(father)}, and its "
            f"child {shown(child)}.",
            "return the larger of both bounds.",
        )
    if upper < lower:
        raise CheckFailed(
            f"{name}.lower of the node {shown(child)} at depth {depth + 1} is {lower}, but its solution costs {upper}.",
            "use metaheur.testing.check_bound on a small instance.",
        )


def shown(node: Any) -> str:
    """A node in words."""
    return ", ".join(f"{name}={np.asarray(node[name]).tolist()}" for name in node.dtype.names)
