"""What makes and bounds the children of many nodes: the seam where the devices plug in."""

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
    """What nodes are pruned by, and how far one call goes.

    Parameters
    ----------
    threshold : int
        Nodes whose bound is not below it are pruned.
    batch : int
        The most nodes that are branched at once: the call ends where more are left.
    rounds : int
        The most levels that the call goes down.
    collect : bool
        Whether complete nodes are returned, too, instead of the best of them.
    completes : bool
        Whether the bound is asked for solutions of nodes that are not complete.
    dominance : bool
        Whether what is left of a level is swept by the dominance.
    eager : bool
        Whether a better solution may prune the rest of the batch: where that is not faster, it need not.
    by_levels : bool
        Whether what is left waits until its level is finished, behind what was left before.
    behind : int
        How many nodes are branched next as parts of the same batch, whose children shall lie together.
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
        """The rules for a part of a level; what compares its nodes comes when all parts are there."""
        return evolve(self, rounds=1, dominance=False)


@final
@frozen(eq=False)
class Winner:
    """The solution of least cost that was found: the first of them in index order.

    Parameters
    ----------
    cost : int
        Its cost.
    node : numpy.ndarray, shape (1,)
        The node that has it.
    depth : int
        Of the node; one that is not complete is completed by the bound.
    """

    cost: int
    node: Nodes
    depth: int


@final
@frozen(eq=False)
class Expanded:
    """What one call of an expander found.

    Parameters
    ----------
    left : OpenNodes
        The children that were not pruned, in index order, or in the order of their keys where a dominance has compared
        them; those of the last level that the call came to.
    counts : Counts
        Of all levels.
    rounds : int
        Levels.
    winner : Winner, optional
        A solution better than the threshold.
    """

    left: OpenNodes
    counts: Counts
    rounds: int = 1
    winner: Winner | None = field(default=None)


class Expander(ABC):
    """Makes the children of nodes, bounds and prunes them.

    Attributes
    ----------
    parts : TreeParts
        Of what tree.
    problem : Problem
        On what.
    dtype : numpy.dtype
        Of a node.
    xp : module
        NumPy or CuPy: where chunks are.
    lost : str
        Devices that were lost on the way, in words; "" for none.
    """

    parts: TreeParts
    problem: Problem
    dtype: np.dtype[Any]
    xp: Any = np
    lost: str = ""

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code expands; none by default, as of Python."""
        return ()

    @property
    def current(self) -> AbstractContextManager[Any]:
        """Makes the expander's device the current one of a thread; a CPU always is."""
        return nullcontext()

    @abstractmethod
    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        """Branch the nodes of a chunk that are below the threshold; bound, prune and count their children.

        Where all that is left is one batch, the next level follows in the same call, as long as `rules.rounds` allows
        and nobody has found a better solution: that is what calls one after the other would do.
        """

    @abstractmethod
    def swept(self, chunk: OpenNodes) -> OpenNodes:
        """What the dominance leaves of a chunk, in the order of its keys."""

    def whole(self, depth: int) -> bool:
        """Whether nodes at a depth are complete."""
        return depth == self.parts.branching.levels(self.problem)

    def level_of(self, found: Sequence[Expanded], rules: Rules) -> Expanded:
        """A level from the parts in which it was branched, in their order; the dominance sees it as one."""
        left, winners = self.joined([each.left for each in found]), [each.winner for each in found if each.winner]
        counts = sum((each.counts for each in found), Counts())
        if rules.dominance and not self.whole(left.depth):
            before, left = len(left), self.swept(left)
            counts = evolve(counts, by_dominance=before - len(left))
        return Expanded(left, counts, 1, min(winners, key=lambda winner: winner.cost, default=None))

    def upload(self, nodes: np.ndarray, lowers: np.ndarray, depth: int) -> OpenNodes:
        """A chunk of nodes, given as bytes."""
        return OpenNodes(depth, nodes, lowers)

    def download(self, chunk: OpenNodes) -> tuple[np.ndarray, np.ndarray]:
        """The nodes of a chunk as bytes, and their bounds."""
        return np.ascontiguousarray(chunk.nodes), np.ascontiguousarray(chunk.lowers)

    def sorted(self, chunk: OpenNodes) -> Any:
        """The indices of the nodes by their bounds, the first index first among equals."""
        return np.argsort(chunk.lowers, kind="stable")

    def joined(self, chunks: list[OpenNodes]) -> OpenNodes:
        """The nodes of chunks of one depth, as one."""
        return joined(chunks, self.xp)

    @property
    def budget(self) -> int:
        """Bytes that open nodes may take where nobody says: half of what is free."""
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
    """Refuse a bound that is wrong, as found on the way.

    Parameters
    ----------
    father, child : mapping
        The nodes.
    depth : int
        Of the father.
    numbers : tuple of int
        The father's bound, the child's, and the cost of the child's completion.

    Raises
    ------
    CheckFailed
        With the node.
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
