"""Explorers by compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import Buffer, Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.machine.processors import sharing
from metaheur.problem import Problem
from metaheur.tree.engine import shares
from metaheur.tree.entries import Entries
from metaheur.tree.expander import as_bytes, as_nodes
from metaheur.tree.local_walker import LocalWalker, Transfer
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.round_report import FEW, REPORT, ROUND_REPORT, SHORTER, TYPES, RoundReport
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.unit import RESIDENT, compose_tree
from metaheur.tree.walker import (
    MOST_STOLEN,
    OPEN_NODE,
    InTurn,
    RoundSeries,
    Slice,
    idle_rank,
    open_type,
    widest,
)
from metaheur.tree.work_stealing import GROUPS, groups_of
from metaheur.validate import whole_field

__all__ = ["Blocks", "CompiledWalker", "compose_explorers"]

SHARED = ("work_stealing", "explorer", "explore")
"""The C++ that is the same on every device."""

NODE = 32
"""The elementary operations that a node takes at least, from which the number of threads follows."""

SMALL = 48
"""The most bytes of a node with which a GPU has registers for 1.5 times as many explorers at a time."""

PROGRESS = Record(
    "Progress",
    {
        "report": "RoundReport",  # the counts of all rounds of a call, and the rest of the last round's report
        "rounds": "i64",  # how many rounds there were
        "steps": "i64",  # how many children each explorer tried in these rounds
        "ended": "i64",  # whether the host has to look
        "pairs": "i64",  # how many explorers donate before the next round
        "shorter": "i64",  # whether the next round is a short one
        "rank": "i64",  # the last rank that donates
    },
)
"""The result of a call's rounds, and how the next round begins; in memory, the groups follow."""

GROUP = Record(
    "Group",
    {
        "first": "i64",  # its first explorer
        "end": "i64",  # the explorer after its last
        "own": "i64",  # pairs within the group
        "donated": "i64",  # donors to other groups
        "received": "i64",  # receivers from other groups
        "below": "i64",  # explorers of lower ranks than the last rank that donates
    },
)
"""A group of explorers, which exchange among themselves first."""

GROUP_TYPE, PROGRESS_TYPE = GROUP.dtype(TYPES), PROGRESS.dtype(TYPES, {"RoundReport": REPORT})

BATCH = Record(
    "Batch",
    {
        **dict.fromkeys(("count", "levels", "threshold", "completes", "steps", "plans", "first", "end"), "i64"),
        **dict.fromkeys(("groups", "donor", "receiver"), "i64"),
        "stack": "OpenNode*",
        "height": "i32*",
        "reports": "RoundReport*",
        **dict.fromkeys(("faults", "shared"), "i64*"),
        **dict.fromkeys(("ranks", "bins", "donors", "receivers"), "i32*"),
        "progress": "Progress*",
        "winners": "Node*",
        "shares_left": "double*",
        "arities": "const i64*",
        "shares": "const double*",
        "scratch": "OpenNode*",
        "transfer": "OpenNode*",
        "places": "i64*",
        "sent": "i64*",
    },
)
"""The explorers, and the orders for a round: numbers and addresses of 64 bits each."""


@final
@frozen
class Blocks:
    """The blocks of a GPU that explorers take.

    `threads`: explorers of a block, a thread each; a multiple of 32. `planners`: threads of a block that plans the
    exchanges of a group. `groups`: how many groups the explorers form at most. The tree depends on it.
    """

    threads: int = whole_field(32, 1024, default=128)
    planners: int = whole_field(32, 1024, default=1024)
    groups: int = whole_field(1, 64, default=GROUPS)


@final
@define(eq=False)
class CompiledWalker(LocalWalker):
    """Explorers by compiled code: each is a thread of a GPU, or they search in turn on the threads of a CPU.

    `parts`: the parts of the search; all have C++ halves. `device`: the device of the explorers. `threads`: the number
    of threads of a CPU. `blocks`: the blocks of a GPU.
    """

    parts: TreeParts
    problem: Problem
    device: Device
    threads: int = 1
    blocks: Blocks = Blocks()
    count: int = field(default=0, init=False)
    _entries: Entries = field(init=False)
    _groups: np.ndarray = field(init=False)
    _buffers: dict[str, Buffer] = field(factory=dict, init=False)
    _asked: dict[str, int] = field(factory=dict, init=False)  # numbers of the orders for a round
    _weighed: bool = field(default=False, init=False)  # whether waiting children were added to the reports
    _planned: bool = field(default=False, init=False)  # whether the next exchanges are planned

    def __attrs_post_init__(self) -> None:
        """Compile, and pack the arguments."""
        unit = compose_explorers(self.parts, self.problem, self.device, self.blocks, openmp=self.threads > 1)
        self._entries = Entries(unit, self.device, BATCH)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def _columns(self) -> int:
        """The number of bins, one for each rank; the last rank is for explorers with one waiting child."""
        return idle_rank(self.parts, self.problem) + 2

    @property
    def _blocks(self) -> int:
        return -(-self.count // self.blocks.threads)

    @property
    def _rows(self) -> int:
        """How many explorers, or blocks of them, report."""
        return self._blocks if self.device.kind == "cuda" else self.count

    def load(self, arrays: Mapping[str, np.ndarray], cuts: np.ndarray | None = None) -> None:
        device, arities, heights = self.device, self.parts.arities(self.problem), arrays["heights"]
        node, opened = self._node_type, open_type(self._node_type)
        count, levels = len(heights), len(arities)
        self.count, cuts = count, groups_of(count, self.blocks.groups) if cuts is None else cuts
        self._groups = np.zeros(len(cuts) - 1, GROUP_TYPE)
        self._groups["first"], self._groups["end"] = cuts[:-1], cuts[1:]
        self._buffers = {
            "stack": device.zeros(count * levels * opened.itemsize, np.uint8),
            "height": device.upload(heights.astype(np.int32)),
            "reports": device.zeros(self._rows * _words(REPORT), np.int64),
            "faults": device.zeros(4 * count, np.int64),
            "ranks": device.zeros(count, np.int32),
            "bins": device.zeros(len(self._groups) * self._columns, np.int32),
            "donors": device.zeros(count, np.int32),
            "receivers": device.zeros(count, np.int32),
            "progress": device.upload(np.append(np.zeros(_words(PROGRESS_TYPE), np.int64), _flat(self._groups))),
            "sent": device.zeros(1, np.int64),
            "shared": device.zeros(1, np.int64),
            "winners": device.zeros(count * 3 * node.itemsize, np.uint8),
            "shares_left": device.zeros(count, np.float64),
            "arities": device.upload(arities),
            "shares": device.upload(shares(self.parts, self.problem)),
        }
        stacks = np.zeros(len(arrays["lowers"]), opened)
        stacks["node"], stacks["lower"] = as_nodes(arrays["nodes"], node), arrays["lowers"]
        for name, values in zip(("depth", "cursor", "limit"), arrays["entries"].T, strict=True):
            stacks[name] = values
        with device.current:
            places = device.upload(_places(heights, levels))
            self._buffers["stack"].reshape(-1, opened.itemsize)[places] = device.upload(as_bytes(stacks))
        self._asked.clear()
        self._entries.ask(count=count, levels=levels, groups=len(self._groups), **self._buffers)
        self.explore(NO_COST, 0, completes=False, eager=False)

    def arrays(self) -> dict[str, np.ndarray]:
        opened, levels = open_type(self._node_type), len(self.parts.arities(self.problem))
        heights = self._array("height").astype(np.int64)
        places = _places(heights, levels)
        with self.device.current:
            rows = self._buffers["stack"].reshape(-1, opened.itemsize)[self.device.upload(places)]
            stacks = as_nodes(np.array(self.device.download(rows.reshape(-1))), opened)
        return {
            "heights": heights,
            "entries": np.stack([stacks[name] for name in ("depth", "cursor", "limit")], axis=1).astype(np.int64),
            "nodes": as_bytes(stacks["node"]),
            "lowers": np.array(stacks["lower"], np.int64),
        }

    def _array(self, name: str) -> np.ndarray:
        return np.array(self.device.download(self._buffers[name]))

    @property
    def in_turn(self) -> InTurn | None:
        return None if self.device.kind == "cuda" else self

    @property
    def heights(self) -> np.ndarray:
        return self._array("height")

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        self.explore_part(range(self.count), threshold, steps, completes=completes, eager=eager)

    def explore_part(self, part: range, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        self._round(threshold, steps, plans=False, completes=completes, eager=eager, part=part)
        if self.in_turn is None:  # explorers that search in turn are counted afterwards
            self.device.write(self._buffers["bins"], np.zeros(len(self._groups) * self._columns, np.int32))
        self._explore(len(part) * steps)

    def _explore(self, nodes: int) -> None:
        """Explore at most so many nodes."""
        self._entries.launch("explore_all", sharing(self.threads, NODE * nodes), blocks=self._blocks)

    def bounded(self, part: range) -> int:
        return int(self._array("reports").view(REPORT)["bounded"][part.start : part.stop].sum())

    def _round(  # noqa: PLR0913 - keyword-only
        self, threshold: int, steps: int, *, plans: bool, completes: bool, eager: bool, part: range | None = None
    ) -> None:
        """Write the orders for the next rounds."""
        shared, self._weighed, self._planned = self._buffers["shared"], False, plans
        part = part or range(self.count)
        if eager:
            self.device.write(shared, np.array([threshold]))
        self._ask(
            threshold=threshold,
            completes=completes,
            steps=steps,
            plans=plans,
            first=part.start,
            end=part.stop,
            shared=self.device.pointer(shared) if eager else 0,
        )

    def _ask(self, **numbers: int) -> None:
        """Write the numbers that differ from the last orders: a GPU takes some time for each."""
        if not numbers.items() <= self._asked.items():
            self._asked |= numbers
            self._entries.ask(**numbers)

    def rounds(  # noqa: PLR0913 - two of them keyword-only
        self, report: RoundReport, most: int, threshold: int, steps: int, *, completes: bool, eager: bool
    ) -> RoundSeries:
        if not self._planned:
            self._sum_up()
        self._round(threshold, steps, plans=True, completes=completes, eager=eager)
        self.device.write(self._buffers["progress"], np.zeros(3, np.int64), _word(PROGRESS_TYPE, "rounds"))
        for _ in range(most):
            self._entries.launch("exchange_all", blocks=self._blocks)
            self._explore(self.count * steps)
            self._sum_up()
        progress = self._progress()
        return RoundSeries(RoundReport(*progress["report"].tolist()), int(progress["rounds"]), int(progress["steps"]))

    def _sum_up(self) -> None:
        """Join the reports of a round, and plan the exchanges before the next one."""
        self._entries.launch("report_all", self._rows)
        self._entries.launch("plan_all", blocks=len(self._groups))

    def _progress(self) -> np.void:
        """The result of a call's rounds."""
        words = np.array(self.device.download(self._buffers["progress"], 0, _words(PROGRESS_TYPE)))
        progress: np.void = words.view(PROGRESS_TYPE)[0]
        return progress

    def summary(self) -> tuple[np.ndarray, np.ndarray]:
        self._entries.launch("report_all", self._rows)
        bins = self._array("bins").reshape(-1, self._columns)[:, :-1]
        return np.array([self._progress()["report"]], REPORT), bins

    def plan(self, rank: int, exchanges: np.ndarray) -> None:
        for name, column in zip(("own", "donated", "received", "below"), exchanges.T, strict=True):
            self._groups[name] = column
        words, at = np.append(rank, _flat(self._groups)), _word(PROGRESS_TYPE, "rank")  # the groups lie behind it
        self.device.write(self._buffers["progress"], words, at)
        self._entries.launch("plan_all", blocks=len(self._groups))

    @property
    def reports(self) -> np.ndarray:
        if not self._weighed:
            self._entries.launch("weigh_all", blocks=self._blocks)
            self._weighed = True
        return self._array("reports").view(REPORT)

    @property
    def shares_left(self) -> np.ndarray:
        return self._array("shares_left")

    def exchange(self, pairs: int, donor: int = 0, receiver: int = 0) -> None:
        self._launch("exchange_all", pairs, donor=donor, receiver=receiver)

    def send(self, count: int, donor: int) -> Transfer:
        size, device = open_type(self._node_type).itemsize, self.device
        with device.current:
            scratch, transfer = (device.zeros(count * MOST_STOLEN * size, np.uint8) for _ in range(2))
            places = device.zeros(count * MOST_STOLEN, np.int64)
            device.write(self._buffers["sent"], np.zeros(1, np.int64))
            self._entries.ask(scratch=scratch, transfer=transfer, places=places)
            self._launch("send_all", count, donor=donor)
            number = int(device.download(self._buffers["sent"])[0])
            return places[:number], transfer[: number * size]

    def receive(self, receiver: int, transfer: Transfer) -> None:
        places, nodes = (self.device.copied(each) for each in transfer)
        self._entries.ask(transfer=nodes, places=places)
        self._launch("receive_all", len(places), receiver=receiver)

    def _launch(self, entry: str, count: int, **asked: int) -> None:
        """Launch an entry for so many explorers, or their nodes."""
        self._ask(plans=False, **asked)
        self._entries.launch(entry, count, blocks=self._blocks)

    def found(self, e: int) -> Nodes:
        size = 3 * self._node_type.itemsize
        return as_nodes(np.array(self.device.download(self._buffers["winners"], e * size, size)), self._node_type)

    def fault(self, e: int) -> tuple[int, int, int, int]:
        depth, of_father, lower, upper = self.device.download(self._buffers["faults"], 4 * e, 4).tolist()
        return depth, of_father, lower, upper

    def slice(self) -> Slice:
        winners = as_nodes(self._array("winners"), self._node_type).reshape(self.count, 3)
        faults = self._array("faults").reshape(self.count, 4)
        return Slice(self.arrays(), self.reports, self.shares_left, winners, faults)


def _words(dtype: np.dtype[Any]) -> int:
    """The size of a struct in int64."""
    return dtype.itemsize // 8


def _word(dtype: np.dtype[Any], member: str) -> int:
    """The offset of a member of a struct, in int64."""
    assert dtype.fields is not None
    return int(dtype.fields[member][1]) // 8


def _flat(structs: np.ndarray) -> np.ndarray:
    """Structs as int64, one after the other."""
    return structs.view(np.int64).reshape(-1)


def _places(heights: np.ndarray, levels: int) -> np.ndarray:
    """The places of the nodes of stacks with these heights, one stack after the other."""
    busy = np.flatnonzero(heights)
    high = heights[busy]
    within = np.arange(high.sum()) - np.repeat(np.cumsum(high) - high, high)
    places: np.ndarray = np.repeat(busy, high) * levels + within
    return places


def compose_explorers(
    parts: TreeParts, problem: Problem, device: Device, blocks: Blocks = Blocks(), *, openmp: bool = False
) -> TranslationUnit:
    """The unit of explorers; the units made last are kept."""
    try:
        hash((parts, problem))
    except TypeError:  # parts that hold arrays
        return _composed.__wrapped__(parts, problem, device, blocks, openmp)
    return _composed(parts, problem, device, blocks, openmp)


@lru_cache(maxsize=8)
def _composed(parts: TreeParts, problem: Problem, device: Device, blocks: Blocks, openmp: bool) -> TranslationUnit:
    staging = ("device/cuh/staging_cuda.cuh",) if device.kind == "cuda" else ()
    node = parts.branching.node_type(problem)
    names = ("ahead", "everywhere", "round_report", "position", f"explorers_{device.kind}", *SHARED)
    return compose_tree(
        parts,
        problem,
        device,
        pieces=(*staging, *(f"tree/{name}.cuh" for name in names)),
        records=(OPEN_NODE, ROUND_REPORT, PROGRESS, GROUP, BATCH),
        constants={
            "widest": widest(parts, problem),
            "same_arity": int(np.ptp(parts.arities(problem)) == 0),
            "few": FEW,
            "most_groups": blocks.groups,
            "shorter_by": SHORTER,
            "planners": blocks.planners,
            "most_stolen": MOST_STOLEN,
        },
        members={"batch": "Batch*"},
        launch=Launch(
            threads=blocks.threads,
            uses_shared=("explore_all",),
            narrow=dict.fromkeys(("report_all", "plan_all"), blocks.planners),
            openmp=openmp,
        ),
        resident=3 * RESIDENT // 2 if node.itemsize <= SMALL else RESIDENT,
    )
