"""Where explorers are, and what lets them search: the seam where the devices plug in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from attrs import fields, frozen

from metaheur.device.device import Buffer, Device
from metaheur.problem import Problem
from metaheur.tree.deals import deals_of
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.unit import TreeParts

__all__ = [
    "FEW",
    "MOST_TAKEN",
    "SAID",
    "SHORTER",
    "RoundSeries",
    "Said",
    "Slice",
    "Walker",
    "idle_rank",
    "joined_parts",
    "joined_slices",
    "open_type",
    "part_of",
    "renumbered",
    "said_of",
    "widest",
]

WIDEST = 64
"""The most children of a node that count where intervals are ranked."""

MOST_TAKEN = 16
"""The most nodes of a stack that go to another one."""

FEW = 64
"""As long as less than this part of the explorers have nothing left, nothing is exchanged."""

SHORTER = 16
"""Where too many would have nothing, a round is as many times shorter."""


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

    def dealt(self, count: int, steps: int) -> tuple[int, int]:
        """How many of so many explorers take from others before the next round, and how far all go in it.

        Parameters
        ----------
        count : int
            Of the explorers.
        steps : int
            How far they go where most have something.
        """
        pairs = min(self.idle, self.rich) if FEW * self.idle >= count else 0
        return pairs, steps if 4 * (self.idle - pairs) <= count else max(1, steps // SHORTER)


SAID = tuple(each.name for each in fields(Said))
COLUMN = {name: i for i, name in enumerate(SAID)}


@final
@frozen
class RoundSeries:
    """Some rounds, one after the other.

    Parameters
    ----------
    said : Said
        The counts of all of them, and the rest of what was said of the last one; what is left need not be in it.
    made, steps : int
        How many rounds, and how far an explorer went in them.
    """

    said: Said
    made: int
    steps: int


Slice = tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, Nodes, np.ndarray]
"""Of some explorers: where they are, what they said, the share of the tree that is left to each, the nodes that they
found, and the numbers of a fault."""


Part = tuple[int, int]
"""The first of some explorers, and the one behind the last."""

Gift = tuple[Buffer, Buffer]
"""What explorers give to those of another device, in the memory of their own: the places of nodes among pairs x
`MOST_TAKEN`, and their bytes, one after the other."""


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


def widest(parts: TreeParts, problem: Problem) -> int:
    """How many ranks there are for each depth."""
    return min(WIDEST, int(parts.arities(problem).max()))


def idle_rank(parts: TreeParts, problem: Problem) -> int:
    """The rank of explorers that have nothing: behind all others that count."""
    return parts.branching.levels(problem) * widest(parts, problem)


def said_of(rows: np.ndarray) -> Said:
    """What some say together; rows of int64, shape (rows, 14)."""
    sums, least, most = rows.sum(axis=0), rows.min(axis=0), rows.max(axis=0)
    best = rows[rows[:, COLUMN["cost"]] == least[COLUMN["cost"]]]
    best = best[np.argmin(best[:, COLUMN["winner"]])]
    said = dict(zip(SAID, sums.tolist(), strict=True))
    for name in ("lowest", "faulty"):
        said[name] = int(least[COLUMN[name]])
    for name in ("cost", "winner", "depth"):
        said[name] = int(best[COLUMN[name]])
    return Said(**{**said, "deepest": int(most[COLUMN["deepest"]])})


def part_of(arrays: Mapping[str, np.ndarray], first: int, end: int) -> dict[str, np.ndarray]:
    """Where some of the explorers are."""
    below = np.concatenate([[0], np.cumsum(arrays["heights"])])
    mine = {name: arrays[name][below[first] : below[end]] for name in ("entries", "nodes", "lowers")}
    return {"heights": arrays["heights"][first:end], **mine}


def joined_parts(parts: Sequence[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Where all explorers are, from where each part of them is."""
    return {name: np.concatenate([each[name] for each in parts]) for name in parts[0]}


def renumbered(rows: np.ndarray, first: int) -> np.ndarray:
    """What explorers said who are counted from another one on."""
    rows, faulty = rows.copy(), COLUMN["faulty"]
    rows[:, COLUMN["winner"]] += first
    rows[:, faulty] += np.where(rows[:, faulty] == NO_COST, 0, first)
    return rows


def joined_slices(slices: Sequence[Slice], cuts: Sequence[int]) -> Slice:
    """All explorers, from slices that begin at the cuts."""
    arrays = joined_parts([each[0] for each in slices])
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
    def in_turn(self) -> bool:
        """Whether explorers search one after the other, so that a round can be made in parts; not by default."""
        return False

    @property
    def heights(self) -> np.ndarray:
        """How many nodes are on each stack, int of shape (count,); where explorers search in turn."""
        raise NotImplementedError(f"The explorers of {type(self).__name__} search together.")

    def explore_part(self, part: Part, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        """As `explore`, but some of the explorers alone; where they search in turn."""
        raise NotImplementedError(f"The explorers of {type(self).__name__} search together.")

    def bounded(self, part: Part) -> int:
        """Children that some explorers bounded when they searched last; where they search in turn."""
        raise NotImplementedError(f"The explorers of {type(self).__name__} search together.")

    def rounds(  # noqa: PLR0913 - two of them keyword-only
        self, said: Said, most: int, threshold: int, steps: int, *, completes: bool, eager: bool
    ) -> RoundSeries:
        """Deal and explore, at most so many times; the last is the first round in which a better solution is found.

        Parameters
        ----------
        said : Said
            Of the last round.
        most : int
            How many rounds at most.
        threshold, steps, completes, eager
            As in `explore`; where hardly anybody has anything, rounds are shorter.
        """
        pairs, steps = said.dealt(self.count, steps)
        if pairs:
            self.give()
        self.explore(threshold, steps, completes=completes, eager=eager)
        return RoundSeries(self.heard(), 1, steps)

    @property
    @abstractmethod
    def rows(self) -> np.ndarray:
        """What was said of the last round, by explorers or by groups of them: int64, shape (rows, 14)."""

    @property
    @abstractmethod
    def left(self) -> np.ndarray:
        """The share of the tree that is left to each, float64 of shape (count,)."""

    @abstractmethod
    def give(self) -> None:
        """Explorers that have nothing take half of the longest intervals, of their own group first."""

    @abstractmethod
    def found(self, e: int) -> Nodes:
        """The node with the best solution of an explorer in the last round, and the two of a fault; shape (3,)."""

    @abstractmethod
    def fault(self, e: int) -> tuple[int, int, int, int]:
        """Of a wrong bound: the father's depth and bound, the child's bound, and the cost of its completion."""

    @abstractmethod
    def slice(self) -> Slice:
        """All of it, in the host's memory."""

    def said(self, part: Part | None = None) -> Said:
        """What all said of the last round, or some of those who search in turn."""
        return said_of(self.rows[slice(*part) if part else slice(None)])

    def heard(self) -> Said:
        """What all said of the last round; what is left need not be in it."""
        return self.said()


class OwnWalker(Walker):
    """Explorers on a device of this process, who may be some of all."""

    @property
    def _node_type(self) -> np.dtype[Any]:
        return self.parts.branching.node_type(self.problem)

    @abstractmethod
    def load(self, arrays: Mapping[str, np.ndarray], cuts: np.ndarray | None = None) -> None:
        """As `Walker.load`; `cuts` are the groups of explorers who are some of all, else those of `groups_of`."""

    @abstractmethod
    def summary(self) -> tuple[np.ndarray, np.ndarray]:
        """What all said of the last round but for what is left, and how many of each group have each rank.

        Of those who can give the ranks are the lower, the longer their intervals are: an interval is as long as its
        first children that wait are near the root, and then as they are many. Behind them is the rank of who has
        nothing, `idle_rank`.

        Returns
        -------
        tuple of numpy.ndarray
            Integers of the shapes (14,) and (groups, ranks + 1), in the host's memory.
        """

    @abstractmethod
    def plan(self, key: int, deals: np.ndarray) -> None:
        """Find out who deals, as `plan_of` does; rank and numbers are those of `deals_of`."""

    def give(self) -> None:
        key, deals = deals_of(self.summary()[1])
        self.plan(key, deals)
        self.pass_on(int(deals[:, :2].sum()))

    @abstractmethod
    def pass_on(self, pairs: int, given: int = 0, taken: int = 0) -> None:
        """So many pairs of the plan give and take, from these places of those who give and who take on.

        What they give is every other child that waits, from the bottom of their stacks on, of `MOST_TAKEN` nodes at
        most. Of several at one node it is the upper half, rounded up and down in turn.
        """

    @abstractmethod
    def take_away(self, count: int, given: int) -> Gift:
        """What so many of the plan give to those of another device."""

    @abstractmethod
    def put_here(self, taken: int, gift: Gift) -> None:
        """Some of the plan take what those of another device gave."""
