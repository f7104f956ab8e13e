"""Walkers, which let explorers search; each device has its own walker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol, final

import numpy as np
from attrs import frozen

from metaheur.device.device import Device
from metaheur.device.generator.record import Record
from metaheur.problem import Problem
from metaheur.tree.part import Nodes
from metaheur.tree.round_report import TYPES, RoundReport, joined_report, renumbered
from metaheur.tree.tree_parts import TreeParts

__all__ = [
    "MOST_STOLEN",
    "OPEN_NODE",
    "InTurn",
    "RoundSeries",
    "Slice",
    "Walker",
    "idle_rank",
    "joined_parts",
    "joined_slices",
    "open_type",
    "part_of",
    "widest",
]

WIDEST = 64
"""The most children of a node that count when intervals are ranked."""

MOST_STOLEN = 16
"""The most nodes of a stack that go to another stack."""

OPEN_NODE = Record("OpenNode", {"node": "Node", "lower": "i64", "depth": "i32", "cursor": "i32", "limit": "i32"}, 16)
"""A node with waiting children: its bound, its depth, the next child to try, and the number after the last child."""


@final
@frozen
class RoundSeries:
    """Some rounds, one after the other.

    `report`: the counts of all rounds; its other numbers are of the last round, and may lack the waiting children.
    `rounds`, `steps`: the number of rounds, and how many children each explorer tried in these rounds.
    """

    report: RoundReport
    rounds: int
    steps: int


class Slice(NamedTuple):
    """The stacks of some explorers, as `Walker.load` takes them, and their reports."""

    arrays: dict[str, np.ndarray]
    reports: np.ndarray
    shares_left: np.ndarray
    found: Nodes
    faults: np.ndarray


class InTurn(Protocol):
    """Explorers that search one after the other, so that a round can be made in parts."""

    @property
    def heights(self) -> np.ndarray:
        """How many nodes are on each stack; int of shape (count,)."""

    def explore_part(self, part: range, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        """Like `Walker.explore`, for some of the explorers."""

    def bounded(self, part: range) -> int:
        """How many children some of the explorers bounded when they last searched."""


class Walker(ABC):
    """Explorers, each with a stack of nodes that have waiting children, the first of them at the bottom.

    `parts`: the parts of the search. `count`: the number of explorers.
    """

    parts: TreeParts
    problem: Problem
    count: int

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code explores in this process; none by default, as for Python and workers."""
        return ()

    @property
    def in_turn(self) -> InTurn | None:
        """The explorers, if they search one after the other; None, the default, if they search at the same time."""
        return None

    @abstractmethod
    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Give the explorers these stacks, and let them report.

        `arrays`: `heights`, shape (count,): how many nodes are on each stack. For the nodes of all stacks, one after
        the other: `entries`, shape (n, 3), the depth, the next child and the number after the last child; `nodes`, as
        bytes; their bounds `lowers`.
        """

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """The stacks of all explorers."""

    @abstractmethod
    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        """Make a round: every explorer tries `steps` children.

        `threshold`: the cost that prunes at first. `steps`: how many children; an explorer that has tried so many still
        looks for the child to which it goes down. `completes`: whether the bound is asked for solutions of nodes that
        are not complete. `eager`: whether a solution of one explorer prunes for the others in the same round.
        """

    def rounds(  # noqa: PLR0913 - two of them keyword-only
        self, report: RoundReport, most: int, threshold: int, steps: int, *, completes: bool, eager: bool
    ) -> RoundSeries:
        """Make rounds, each after idle explorers have stolen work; the first that finds a better solution is the last.

        `report`: the report of the last round. `most`: the most rounds; by default one round is made. `threshold`,
        `steps`, `completes`, `eager`: as in `explore`; if hardly any explorer has something to do, rounds are shorter.
        """
        pairs, steps = report.next_round(self.count, steps)
        if pairs:
            self.steal()
        self.explore(threshold, steps, completes=completes, eager=eager)
        return RoundSeries(self.round_report(), 1, steps)

    @property
    @abstractmethod
    def reports(self) -> np.ndarray:
        """The reports of the last round, for each explorer or for blocks of explorers: an array of `REPORT`."""

    @property
    @abstractmethod
    def shares_left(self) -> np.ndarray:
        """The share of the tree that each explorer has left; float64 of shape (count,)."""

    @abstractmethod
    def steal(self) -> None:
        """Idle explorers receive half of the longest intervals, from donors of their own group first."""

    @abstractmethod
    def found(self, e: int) -> Nodes:
        """The node with an explorer's best solution in the last round, and the two nodes of a fault; shape (3,)."""

    @abstractmethod
    def fault(self, e: int) -> tuple[int, int, int, int]:
        """For a wrong bound: the father's depth and bound, the child's bound, and the cost of its completion."""

    @abstractmethod
    def slice(self) -> Slice:
        """The stacks and the reports of all explorers, in the host's memory."""

    def report(self, part: range | None = None) -> RoundReport:
        """The report of all explorers on the last round, or of some explorers that search in turn."""
        return joined_report(self.reports if part is None else self.reports[part.start : part.stop])

    def round_report(self) -> RoundReport:
        """The report of all explorers on the last round; it may lack the waiting children."""
        return self.report()


def open_type(node: np.dtype[Any]) -> np.dtype[Any]:
    """The NumPy type of `OpenNode`."""
    return OPEN_NODE.dtype(TYPES, {"Node": node})


def widest(parts: TreeParts, problem: Problem) -> int:
    """The number of ranks for each depth."""
    return min(WIDEST, int(parts.arities(problem).max()))


def idle_rank(parts: TreeParts, problem: Problem) -> int:
    """The rank of idle explorers: after the ranks of all donors."""
    return parts.branching.levels(problem) * widest(parts, problem)


def part_of(arrays: Mapping[str, np.ndarray], first: int, end: int) -> dict[str, np.ndarray]:
    """The stacks of some of the explorers."""
    below = np.concatenate([[0], np.cumsum(arrays["heights"])])
    mine = {name: arrays[name][below[first] : below[end]] for name in ("entries", "nodes", "lowers")}
    return {"heights": arrays["heights"][first:end], **mine}


def joined_parts(parts: Sequence[Mapping[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """The stacks of all explorers, from the stacks of the parts."""
    return {name: np.concatenate([each[name] for each in parts]) for name in parts[0]}


def joined_slices(slices: Sequence[Slice], cuts: Sequence[int]) -> Slice:
    """All explorers, from slices that begin at the cuts."""
    reports = [renumbered(each.reports, first) for each, first in zip(slices, cuts, strict=False)]
    return Slice(
        joined_parts([each.arrays for each in slices]),
        np.concatenate(reports),
        np.concatenate([each.shares_left for each in slices]),
        np.concatenate([each.found for each in slices]),
        np.concatenate([each.faults for each in slices]),
    )
