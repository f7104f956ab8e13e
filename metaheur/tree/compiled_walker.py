"""Explorers by compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import final

import numpy as np
from attrs import define, field

from metaheur.device.device import Buffer, Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.problem import Problem
from metaheur.tree.deals import GROUPS, groups_of
from metaheur.tree.engine import shares
from metaheur.tree.entries import Entries
from metaheur.tree.expander import as_bytes, as_nodes
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.unit import RESIDENT, TreeParts, compose_tree
from metaheur.tree.walker import (
    FEW,
    MOST_TAKEN,
    SAID,
    SHORTER,
    Gift,
    OwnWalker,
    Part,
    RoundSeries,
    Said,
    Slice,
    idle_rank,
    open_type,
    widest,
)

__all__ = ["CompiledWalker", "compose_explorers"]

THREADS = 128

PLANNERS = 1024
"""Threads that plan who gives to whom."""

SMALL = 48
"""Bytes of a node up to which a GPU has registers for half as many explorers more at a time."""

PROGRESS = ("rounds", "steps", "ended", "pairs", "shorter", "key")
"""What is known of some rounds beside what was said."""

GROUP = ("first", "end", "own", "given", "taken", "below")
"""Of a group: its explorers, and how they deal."""

BATCH = Record(
    "Batch",
    {
        **dict.fromkeys(("count", "levels", "threshold", "completes", "steps", "plans", "first", "end"), "i64"),
        **dict.fromkeys(("groups", "given", "taken"), "i64"),
        "stack": "struct Open*",
        "height": "i32*",
        "said": "struct Said*",
        **dict.fromkeys(("faults", "shared"), "i64*"),
        **dict.fromkeys(("ranks", "bins", "victims", "thieves"), "i32*"),
        "progress": "struct Progress*",
        "winners": "Node*",
        "left": "double*",
        "arities": "const i64*",
        "shares": "const double*",
        "scratch": "struct Open*",
        "gift": "struct Open*",
        "places": "i64*",
        "packed": "i64*",
    },
)
"""The explorers, and what a round is asked for: numbers and addresses, 64 bits each."""


@final
@define(eq=False)
class CompiledWalker(OwnWalker):
    """Explorers by compiled code: a thread each on a GPU, in turn on the threads of a CPU.

    Parameters
    ----------
    parts : TreeParts
        What is searched, all with C++ halves.
    problem : Problem
        On what.
    device : Device
        Where.
    threads : int
        Of a CPU.
    """

    parts: TreeParts
    problem: Problem
    device: Device
    threads: int = 1
    count: int = field(default=0, init=False)
    _entries: Entries = field(init=False)
    _table: np.ndarray = field(init=False)  # of the groups
    _buffers: dict[str, Buffer] = field(factory=dict, init=False)
    _asked: dict[str, int] = field(factory=dict, init=False)  # numbers that a round is asked for
    _weighed: bool = field(default=False, init=False)  # whether what is left was added to what was said
    _planned: bool = field(default=False, init=False)  # whether it is known who gives to whom next

    def __attrs_post_init__(self) -> None:
        """Compile and pack the arguments."""
        unit = compose_explorers(self.parts, self.problem, self.device, openmp=self.threads > 1)
        self._entries = Entries(unit, self.device, BATCH)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def _columns(self) -> int:
        """Of the bins: a rank each; the last is of who has one child left."""
        return idle_rank(self.parts, self.problem) + 2

    @property
    def _blocks(self) -> int:
        return -(-self.count // THREADS)

    @property
    def _rows(self) -> int:
        """How many explorers, or blocks of them, say something."""
        return self._blocks if self.device.kind == "cuda" else self.count

    def load(self, arrays: Mapping[str, np.ndarray], cuts: np.ndarray | None = None) -> None:
        device, arities, heights = self.device, self.parts.arities(self.problem), arrays["heights"]
        node, opened = self._node_type, open_type(self._node_type)
        count, levels = len(heights), len(arities)
        self.count, cuts = count, groups_of(count) if cuts is None else cuts
        self._table = np.zeros((len(cuts) - 1, len(GROUP)), np.int64)
        self._table[:, :2] = np.stack([cuts[:-1], cuts[1:]], axis=1)
        self._buffers = {
            "stack": device.zeros(count * levels * opened.itemsize, np.uint8),
            "height": device.upload(heights.astype(np.int32)),
            "said": device.zeros(self._rows * len(SAID), np.int64),
            "faults": device.zeros(4 * count, np.int64),
            "ranks": device.zeros(count, np.int32),
            "bins": device.zeros(len(self._table) * self._columns, np.int32),
            "victims": device.zeros(count, np.int32),
            "thieves": device.zeros(count, np.int32),
            "progress": device.upload(np.append(np.zeros(len(SAID) + len(PROGRESS), np.int64), self._table)),
            "packed": device.zeros(1, np.int64),
            "shared": device.zeros(1, np.int64),
            "winners": device.zeros(count * 3 * node.itemsize, np.uint8),
            "left": device.zeros(count, np.float64),
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
        self._entries.ask(count=count, levels=levels, groups=len(self._table), **self._buffers)
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
    def in_turn(self) -> bool:
        return self.device.kind != "cuda"

    @property
    def heights(self) -> np.ndarray:
        return self._array("height")

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        self.explore_part((0, self.count), threshold, steps, completes=completes, eager=eager)

    def explore_part(self, part: Part, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        self._round(threshold, steps, plans=False, completes=completes, eager=eager, part=part)
        if not self.in_turn:  # who searches in turn is counted afterwards
            self.device.write(self._buffers["bins"], np.zeros(len(self._table) * self._columns, np.int32))
        self._entries.launch("explore_all", self.threads, blocks=self._blocks)

    def bounded(self, part: Part) -> int:
        said = self._buffers["said"].reshape(-1, len(SAID))
        return int(said[slice(*part), SAID.index("bounded")].sum())

    def _round(  # noqa: PLR0913 - keyword-only
        self, threshold: int, steps: int, *, plans: bool, completes: bool, eager: bool, part: Part | None = None
    ) -> None:
        """Say what the next rounds are like."""
        shared, self._weighed, self._planned = self._buffers["shared"], False, plans
        if eager:
            self.device.write(shared, np.array([threshold]))
        first, end = part or (0, self.count)
        self._ask(
            threshold=threshold,
            completes=completes,
            steps=steps,
            plans=plans,
            first=first,
            end=end,
            shared=self.device.pointer(shared) if eager else 0,
        )

    def _ask(self, **numbers: int) -> None:
        """Ask for what is not asked for yet: it takes a GPU some time to hear."""
        if not numbers.items() <= self._asked.items():
            self._asked |= numbers
            self._entries.ask(**numbers)

    def rounds(  # noqa: PLR0913 - two of them keyword-only
        self, said: Said, most: int, threshold: int, steps: int, *, completes: bool, eager: bool
    ) -> RoundSeries:
        if not self._planned:
            self._sum_up()
        self._round(threshold, steps, plans=True, completes=completes, eager=eager)
        self.device.write(self._buffers["progress"], np.zeros(3, np.int64), len(SAID))
        for _ in range(most):
            self._entries.launch("give_all", blocks=self._blocks)
            self._entries.launch("explore_all", self.threads, blocks=self._blocks)
            self._sum_up()
        numbers = len(SAID)
        found = self.device.download(self._buffers["progress"], 0, numbers + len(PROGRESS)).tolist()
        return RoundSeries(Said(*found[:numbers]), *found[numbers : numbers + 2])

    def _sum_up(self) -> None:
        """Join what was said of a round, and find out who deals before the next one."""
        self._entries.launch("sum_all", self._rows)
        self._entries.launch("plan_all", blocks=len(self._table))

    def summary(self) -> tuple[np.ndarray, np.ndarray]:
        self._entries.launch("sum_all", self._rows)
        said = np.array(self.device.download(self._buffers["progress"], 0, len(SAID)))
        return said, self._array("bins").reshape(-1, self._columns)[:, :-1]

    def plan(self, key: int, deals: np.ndarray) -> None:
        self._table[:, 2:] = deals
        numbers, at = np.append(key, self._table), len(SAID) + PROGRESS.index("key")
        self.device.write(self._buffers["progress"], numbers, at)
        self._entries.launch("plan_all", blocks=len(self._table))

    @property
    def rows(self) -> np.ndarray:
        if not self._weighed:
            self._entries.launch("weigh_all", blocks=self._blocks)
            self._weighed = True
        return self._array("said").reshape(-1, len(SAID))

    @property
    def left(self) -> np.ndarray:
        return self._array("left")

    def pass_on(self, pairs: int, given: int = 0, taken: int = 0) -> None:
        self._exchange("give_all", pairs, given=given, taken=taken)

    def take_away(self, count: int, given: int) -> Gift:
        size, device = open_type(self._node_type).itemsize, self.device
        with device.current:
            scratch, gift = (device.zeros(count * MOST_TAKEN * size, np.uint8) for _ in range(2))
            places = device.zeros(count * MOST_TAKEN, np.int64)
            device.write(self._buffers["packed"], np.zeros(1, np.int64))
            self._entries.ask(scratch=scratch, gift=gift, places=places)
            self._exchange("take_all", count, given=given)
            number = int(device.download(self._buffers["packed"])[0])
            return places[:number], gift[: number * size]

    def put_here(self, taken: int, gift: Gift) -> None:
        places, nodes = (self.device.copied(each) for each in gift)
        self._entries.ask(gift=nodes, places=places)
        self._exchange("put_all", len(places), taken=taken)

    def _exchange(self, entry: str, count: int, **asked: int) -> None:
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
        return self.arrays(), self.rows, self.left, winners, self._array("faults").reshape(self.count, 4)


def _places(heights: np.ndarray, levels: int) -> np.ndarray:
    """Where the nodes of stacks of these heights are, one stack after the other."""
    busy = np.flatnonzero(heights)
    high = heights[busy]
    within = np.arange(high.sum()) - np.repeat(np.cumsum(high) - high, high)
    places: np.ndarray = np.repeat(busy, high) * levels + within
    return places


def compose_explorers(parts: TreeParts, problem: Problem, device: Device, *, openmp: bool = False) -> TranslationUnit:
    """The unit of the explorers: a thread an explorer on a GPU. The last ones are kept."""
    try:
        hash((parts, problem))
    except TypeError:  # classes that are compared by their arrays
        return _composed.__wrapped__(parts, problem, device, openmp)
    return _composed(parts, problem, device, openmp)


@lru_cache(maxsize=8)
def _composed(parts: TreeParts, problem: Problem, device: Device, openmp: bool) -> TranslationUnit:
    staging = ("device/cuh/staging_cuda.cuh",) if device.kind == "cuda" else ()
    node = parts.branching.node_type(problem)
    return compose_tree(
        parts,
        problem,
        device,
        pieces=(*staging, "tree/ahead.cuh", "tree/expand.cuh", "tree/everywhere.cuh", "tree/explore.cuh"),
        records=(BATCH,),
        constants={
            "widest": widest(parts, problem),
            "same_arity": int(np.ptp(parts.arities(problem)) == 0),
            "few": FEW,
            "most_groups": GROUPS,
            "group_numbers": len(GROUP),
            "shorter_by": SHORTER,
            "planners": PLANNERS,
            "progress_numbers": len(SAID) + len(PROGRESS),
            "most_taken": MOST_TAKEN,
            "open_bytes": open_type(node).itemsize,
            "said_numbers": len(SAID),
        },
        members={"batch": "Batch*"},
        launch=Launch(
            threads=THREADS,
            uses_shared=("explore_all",),
            narrow=dict.fromkeys(("sum_all", "plan_all"), PLANNERS),
            openmp=openmp,
        ),
        resident=3 * RESIDENT // 2 if node.itemsize <= SMALL else RESIDENT,
    )
