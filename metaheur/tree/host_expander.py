"""Compiled code on a CPU makes and bounds the children of many nodes at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, field, fields

from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record
from metaheur.device.host.host import Host
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.arena import Arena, Strip
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.entries import Entries
from metaheur.tree.expander import Expanded, Expander, Rules, Winner, require_valid
from metaheur.tree.part import Nodes
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.unit import compose_tree

__all__ = ["BATCH", "HostExpander"]

COUNTED = tuple(each.name for each in fields(Counts))
FOUND = ("left", "lowest", "rounds", "second", "cost", "winner_depth", "fault", "of_father", "lower", "upper", *COUNTED)

BATCH = Record(
    "Batch",
    {
        # the orders
        "nodes": "const Node*",
        "lowers": "const i64*",
        **dict.fromkeys(("count", "depth", "threshold", "most", "most_rounds", "levels"), "i64"),
        **dict.fromkeys(("collect", "completes", "dominance", "eager", "threads"), "i64"),
        "arities": "const i64*",
        # memory: two levels, and the keys that a sweep sorts
        "first_nodes": "Node*",
        "first_lowers": "i64*",
        "second_nodes": "Node*",
        "second_lowers": "i64*",
        "keyed": "i64*",
        "winner": "Node*",
        "faulty": "Node*",
        # the findings
        **dict.fromkeys(FOUND, "i64"),
    },
)
"""The orders for a launch, and its findings: numbers and addresses of 64 bits each."""


@final
@define(eq=False)
class HostExpander(Expander):
    """Expands by compiled code.

    `parts`: the parts of the search; all have C++ halves. `threads`: how many threads share a level.
    """

    parts: TreeParts
    problem: Problem
    threads: int = 1
    device: Device = field(factory=Host, init=False)
    dtype: np.dtype[Any] = field(init=False)
    _entries: Entries = field(init=False)
    _arities: np.ndarray = field(init=False)
    _widest: int = field(init=False)  # the most children of a node
    _small: Nodes = field(init=False)  # the best solution's node; father and child of a fault
    _room: int = field(default=0, init=False)
    _memory: list[tuple[np.ndarray, np.ndarray]] = field(factory=list, init=False)
    _arena: Arena = field(factory=Arena, init=False)
    _strips: tuple[Strip, Strip] = field(init=False)  # levels that wait: their nodes and their bounds
    _sizes: tuple[int, int] = field(init=False)  # bytes of a node and of its bound
    _keyed: np.ndarray = field(factory=lambda: np.zeros(0, np.int64), init=False)

    def __attrs_post_init__(self) -> None:
        """Compile, and pack the arguments."""
        unit = compose_tree(
            self.parts,
            self.problem,
            self.device,
            pieces=("tree/ahead.cuh", "tree/expand.cuh", "tree/expand_host.cuh"),
            records=(BATCH,),
            members={"batch": "Batch*"},
            launch=Launch(openmp=self.threads > 1),
        )
        self._entries = Entries(unit, self.device, BATCH)
        self.dtype = self.parts.branching.node_type(self.problem)
        self._small, self._arities = np.zeros(3, self.dtype), self.parts.arities(self.problem)
        self._widest = int(self._arities.max())
        self._strips = Strip(self._arena), Strip(self._arena)
        self._sizes = self.dtype.itemsize, np.dtype(np.int64).itemsize
        self._entries.ask(
            levels=len(self._arities),
            threads=self.threads,
            arities=self._arities,
            winner=self._small,
            faulty=self._small[1:],
        )

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        nodes, lowers = np.ascontiguousarray(chunk.nodes), np.ascontiguousarray(chunk.lowers)
        first_nodes, first_lowers = self._room_for(len(chunk), rules)
        self._entries.ask(
            first_nodes=first_nodes,
            first_lowers=first_lowers,
            nodes=nodes,
            lowers=lowers,
            count=len(chunk),
            depth=chunk.depth,
            threshold=rules.threshold,
            most=rules.batch,
            most_rounds=rules.rounds,
            collect=rules.collect,
            completes=rules.completes,
            dominance=rules.dominance,
            eager=rules.eager,
            **(dict.fromkeys(FOUND, 0) | {"cost": rules.threshold, "fault": -1}),
        )
        self._entries.launch("expand")
        return self._found(chunk.depth, rules)

    def _found(self, depth: int, rules: Rules) -> Expanded:
        found = dict(zip(FOUND, self._entries.read(FOUND[0], FOUND[-1]), strict=True))
        rounds, left = found["rounds"], found["left"]
        if found["fault"] >= 0:
            numbers = found["of_father"], found["lower"], found["upper"]
            require_valid(self.parts, self._small[1], self._small[2], depth + rounds - 1, numbers)
        if rules.by_levels and not found["second"]:
            nodes, lowers = (strip.keep(left * size) for strip, size in zip(self._strips, self._sizes, strict=True))
            rest = OpenNodes(
                depth + rounds, nodes.reshape(left, self._sizes[0]), lowers.view(np.int64), found["lowest"]
            )
        else:
            rest = self._first(self._memory[found["second"]], left, depth + rounds, found["lowest"])
        winner = None
        if found["cost"] < rules.threshold:
            winner = Winner(found["cost"], self._small[:1].copy(), found["winner_depth"])
        return Expanded(rest, Counts(**{name: found[name] for name in COUNTED}), rounds, winner)

    def _first(self, memory: tuple[np.ndarray, np.ndarray], count: int, depth: int, lowest: int) -> OpenNodes:
        """A copy of the first nodes in memory that is used again."""
        nodes, lowers = (self._arena.copy(array[:count]) for array in memory)
        return OpenNodes(depth, nodes, lowers, lowest)

    def _room_for(self, count: int, rules: Rules) -> Sequence[np.ndarray]:
        """The memory for the first level of a call on so many nodes: after the waiting nodes, if the level waits."""
        if rules.rounds > 1:
            count = max(count, rules.batch)
        self._make_room(count, sweeps=rules.dominance)
        if not rules.by_levels:
            return self._memory[0]
        most = (count + rules.behind) * self._widest
        return [strip.room(most * size) for strip, size in zip(self._strips, self._sizes, strict=True)]

    def _make_room(self, count: int, *, sweeps: bool) -> None:
        """Memory for the children of so many nodes, twice; the system provides a page when it is first written."""
        if self._room < count:
            self._room = 1 << (count - 1).bit_length()  # so that memory that grows little by little is seldom replaced
            room, size = self._room * self._widest, self.dtype.itemsize
            self._memory = [(np.empty((room, size), np.uint8), np.empty(room, np.int64)) for _ in range(2)]
            nodes, lowers = self._memory[1]
            self._entries.ask(second_nodes=nodes, second_lowers=lowers)
        needed = 2 * 3 * self._room * self._widest  # keys of all nodes, and as much memory to sort them
        if sweeps and self._keyed.size < needed:
            self._keyed = np.empty(needed, np.int64)
            self._entries.ask(keyed=self._keyed)

    def swept(self, chunk: OpenNodes) -> OpenNodes:
        if self.parts.dominance is None or len(chunk) < 2:
            return chunk
        nodes, lowers = np.ascontiguousarray(chunk.nodes), np.ascontiguousarray(chunk.lowers)
        self._make_room(-(-len(chunk) // self._widest), sweeps=True)
        to_nodes, to_lowers = self._memory[0]
        self._entries.ask(nodes=nodes, lowers=lowers, depth=chunk.depth, first_nodes=to_nodes, first_lowers=to_lowers)
        self._entries.launch("sweep_all", len(chunk))
        left, lowest = self._entries.read("left", "lowest")
        return self._first(self._memory[0], left, chunk.depth, lowest)
