"""Where explorers are, and what lets them search: the seam where the devices plug in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, final

import numpy as np
from attrs import fields, frozen

from metaheur.device.device import Device
from metaheur.problem import Problem
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.unit import TreeParts

__all__ = [
    "MOST_TAKEN",
    "SAID",
    "WIDEST",
    "Said",
    "Slice",
    "Walker",
    "joined_slices",
    "open_type",
    "part_of",
    "renumbered",
]

WIDEST = 64
"""The most children of a node that count where intervals are ranked."""

MOST_TAKEN = 16
"""The most nodes of a stack that go to another one."""

IDLE = 1 << 62
"""The rank of explorers that have nothing, and of no others."""


@final
@frozen
class Said:
    """What explorers said of a round, one, some or all of them together.

    Parameters
    ----------
    branched, bounded, complete, kept, by_bound, deepest : int
        As in `Counts`.
    untried, idle, rich : int
        Children that wait; how many explorers have none, and how many have more than one.
    lowest : int
        The least bound of a node that has some.
    cost, winner, depth : int
        The best solution, which explorer has it, the first among equals, and the depth of its node.
    faulty : int
        The first explorer that found a wrong bound; `NO_COST` for none.
    """

    branched: int = 0
    bounded: int = 0
    complete: int = 0
    kept: int = 0
    by_bound: int = 0
    deepest: int = 0
    untried: int = 0
    idle: int = 0
    rich: int = 0
    lowest: int = NO_COST
    cost: int = NO_COST
    winner: int = 0
    depth: int = 0
    faulty: int = NO_COST


SAID = tuple(each.name for each in fields(Said))
COLUMN = {name: i for i, name in enumerate(SAID)}

Slice = tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, Nodes, np.ndarray]
"""Of some explorers: where they are, what they said, the share of the tree that is left to each, the nodes that they
found, and the numbers of a fault."""


Gift = tuple[np.ndarray, np.ndarray]
"""What explorers give to those of another device: the places of nodes among pairs x MOST_TAKEN, and their bytes."""


def open_type(node: np.dtype[Any]) -> np.dtype[Any]:
    """The NumPy type of a node that has children which wait, as C++ has it: whole words of 16 bytes."""
    numbers = [("lower", "i8"), ("depth", "i4"), ("cursor", "i4"), ("limit", "i4")]
    plain = np.dtype([("node", node), *numbers], align=True)
    names = plain.names or ()
    assert plain.fields is not None
    return np.dtype(
        {
            "names": names,
            "formats": [plain.fields[name][0] for name in names],
            "offsets": [plain.fields[name][1] for name in names],
            "itemsize": -(-plain.itemsize // 16) * 16,
        }
    )


def part_of(arrays: Mapping[str, np.ndarray], first: int, end: int) -> dict[str, np.ndarray]:
    """Where some of the explorers are."""
    below = np.concatenate([[0], np.cumsum(arrays["heights"])])
    mine = {name: arrays[name][below[first] : below[end]] for name in ("entries", "nodes", "lowers")}
    return {"heights": arrays["heights"][first:end], **mine}


def renumbered(rows: np.ndarray, first: int) -> np.ndarray:
    """What explorers said who are counted from another one on."""
    rows, faulty = rows.copy(), COLUMN["faulty"]
    rows[:, COLUMN["winner"]] += first
    rows[:, faulty] += np.where(rows[:, faulty] == NO_COST, 0, first)
    return rows


def joined_slices(slices: Sequence[Slice], cuts: Sequence[int]) -> Slice:
    """All explorers, from slices that begin at the cuts."""
    arrays = {name: np.concatenate([each[0][name] for each in slices]) for name in slices[0][0]}
    rows = np.concatenate([renumbered(each[1], first) for each, first in zip(slices, cuts, strict=False)])
    left, winners, faults = (np.concatenate([each[i] for each in slices]) for i in (2, 3, 4))
    return arrays, rows, left, winners, faults


class Walker(ABC):
    """Explorers, each with a stack of nodes that have children which wait, the first at the bottom.

    Attributes
    ----------
    parts : TreeParts
        What is searched.
    problem : Problem
        On what.
    count : int
        How many there are.
    """

    parts: TreeParts
    problem: Problem
    count: int

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code explores here; none by default, as of Python and of workers."""
        return ()

    @abstractmethod
    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Put the explorers where these arrays say, and let them say it.

        Parameters
        ----------
        arrays : mapping of str to numpy.ndarray
            `heights`, shape (count,): how many nodes are on each stack. Of all stacks, one after the other: `entries`,
            shape (n, 3), depth, next child and the one behind the last; `nodes`, as bytes; their bounds `lowers`.
        """

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Where the explorers are."""

    @abstractmethod
    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        """Every explorer tries so many children.

        Parameters
        ----------
        threshold : int
            What prunes at first.
        steps : int
            How many children; who is at a node then looks for what it goes down to.
        completes : bool
            Whether the bound is asked for solutions of nodes that are not complete.
        eager : bool
            Whether what one explorer finds prunes for the others in the same round.
        """

    @property
    @abstractmethod
    def rows(self) -> np.ndarray:
        """What was said of the last round, by explorers or by groups of them: int64, shape (rows, 14)."""

    @property
    @abstractmethod
    def left(self) -> np.ndarray:
        """The share of the tree that is left to each, float64 of shape (count,)."""

    @abstractmethod
    def give(self, pairs: int, rich: int) -> None:
        """So many explorers that have nothing, the first ones, take half of the longest intervals.

        `rich` is how many may give.
        """

    @abstractmethod
    def found(self, e: int) -> Nodes:
        """The node with the best solution of an explorer in the last round, and the two of a fault; shape (3,)."""

    @abstractmethod
    def fault(self, e: int) -> tuple[int, int, int, int]:
        """Of a wrong bound: the father's depth and bound, the child's bound, and the cost of its completion."""

    @abstractmethod
    def slice(self) -> Slice:
        """All of it, in the host's memory."""

    def said(self) -> Said:
        """What all said of the last round."""
        rows = self.rows
        sums, least, most = rows.sum(axis=0), rows.min(axis=0), rows.max(axis=0)
        best = rows[rows[:, COLUMN["cost"]] == least[COLUMN["cost"]]]
        best = best[np.argmin(best[:, COLUMN["winner"]])]
        said = dict(zip(SAID, sums.tolist(), strict=True))
        for name in ("lowest", "faulty"):
            said[name] = int(least[COLUMN[name]])
        for name in ("cost", "winner", "depth"):
            said[name] = int(best[COLUMN[name]])
        return Said(**{**said, "deepest": int(most[COLUMN["deepest"]])})


class OwnWalker(Walker):
    """Explorers on a device of this process, who may be some of all."""

    @property
    def xp(self) -> Any:
        """NumPy or CuPy: where `ranks` are."""
        return np

    @property
    def current(self) -> AbstractContextManager[Any]:
        """A context in which functions of `xp` may be called."""
        return nullcontext()

    @property
    @abstractmethod
    def ranks(self) -> Any:
        """Who shall give, and who has nothing: int64 of shape (count,), in the lower half the number of the explorer.

        Of those who may give, the less, the longer their intervals are: an interval is as long as its first children
        that wait are near the root, and then as they are many. 2**62 of those who have nothing, `NO_COST` of others.
        """

    @abstractmethod
    def take(self, victims: Any) -> Any:
        """Every other child that waits at each of these explorers, from the bottom of their stacks on.

        Of several at one node it is the upper half, rounded up and down in turn. Shape (victims, MOST_TAKEN), of
        `open_type`, or as bytes; behind the last node, one without children.
        """

    @abstractmethod
    def put(self, thieves: Any, taken: Any) -> None:
        """Explorers that have nothing take what others gave."""

    def give(self, pairs: int, rich: int) -> None:
        with self.current:
            who = self.xp.sort(self.ranks)
            victims, thieves = (each & 0xFFFFFFFF for each in (who[:pairs], who[rich : rich + pairs]))
            self.put(thieves, self.take(self.xp.sort(victims)))

    @abstractmethod
    def ranks_here(self) -> np.ndarray:
        """`ranks`, in the host's memory."""

    @abstractmethod
    def pass_on(self, victims: np.ndarray, thieves: np.ndarray) -> None:
        """These explorers give to those; numbers in the host's memory."""

    @abstractmethod
    def take_away(self, victims: np.ndarray) -> Gift:
        """What these explorers give to those of another device."""

    @abstractmethod
    def put_here(self, thieves: np.ndarray, gift: Gift) -> None:
        """These explorers take what those of another device gave."""

    def packed(self, taken: Any) -> tuple[Any, Any]:
        """Which rows of what was taken, given as bytes, are nodes, and these."""
        node = open_type(self.parts.branching.node_type(self.problem))
        assert node.fields is not None
        flat, limit = taken.reshape(-1, node.itemsize), node.fields["limit"][1]
        places = self.xp.flatnonzero(flat.view(np.int32)[:, limit // 4])
        return places, flat[places]
