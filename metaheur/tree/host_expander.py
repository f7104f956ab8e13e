"""Children of many nodes at once by compiled code on the CPU."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.device import CompiledUnit, Device
from metaheur.device.host import Host
from metaheur.device.launch import Launch
from metaheur.device.memory import allocate
from metaheur.device.record import Record
from metaheur.problem import Problem
from metaheur.tree.arena import Arena
from metaheur.tree.chunk import Chunk, Counts
from metaheur.tree.expander import Expanded, Expander, Rules, Winner, require_valid
from metaheur.tree.part import Nodes
from metaheur.tree.unit import TreeParts, compose_tree

__all__ = ["BATCH", "HostExpander", "cores"]

BATCH = Record(
    "Batch",
    {
        # what is asked for
        "nodes": "const Node*",
        "lowers": "const i64*",
        **dict.fromkeys(("count", "depth", "threshold", "most", "most_rounds", "levels"), "i64"),
        **dict.fromkeys(("collect", "completes", "dominance", "threads"), "i64"),
        "arities": "const i64*",
        # memory: two levels, and what a sweep sorts
        "first_nodes": "Node*",
        "first_lowers": "i64*",
        "second_nodes": "Node*",
        "second_lowers": "i64*",
        "keyed": "i64*",
        "winner": "Node*",
        "faulty": "Node*",
        # what was found
        **dict.fromkeys(("left", "rounds", "lowest", "cost", "winner_depth", "fault"), "i64"),
        **dict.fromkeys(("of_father", "lower", "upper"), "i64"),
        **dict.fromkeys(("branched", "bounded", "complete", "kept", "by_bound", "by_dominance", "deepest"), "i64"),
    },
)
"""What a launch is asked for and what it found: numbers and addresses, 64 bits each."""

PLACES = {name: i for i, name in enumerate(BATCH.members)}
COUNTS = slice(PLACES["branched"], PLACES["deepest"] + 1)
ASKED = PLACES["first_nodes"]


@final
@frozen
class _File:
    """A chunk in a file."""

    path: Path
    count: int


@final
@define(eq=False)
class HostExpander(Expander):
    """Expands by compiled code.

    Parameters
    ----------
    parts : TreeParts
        Of what tree, all with C++ halves.
    problem : Problem
        On what.
    threads : int
        That share a level.
    """

    parts: TreeParts
    problem: Problem
    threads: int = 1
    device: Device = field(factory=Host, init=False)
    dtype: np.dtype[Any] = field(init=False)
    _unit: CompiledUnit = field(init=False)
    _kept: list[Any] = field(init=False)
    _arguments: Any = field(init=False)
    _batch: np.ndarray = field(init=False)
    _small: Nodes = field(init=False)
    _room: int = field(default=0, init=False)
    _memory: list[tuple[np.ndarray, np.ndarray]] = field(factory=list, init=False)
    _arena: Arena = field(factory=Arena, init=False)
    _keyed: np.ndarray = field(factory=lambda: np.zeros(0, np.int64), init=False)

    def __attrs_post_init__(self) -> None:
        """Compile and pack the arguments."""
        device = self.device
        launch = Launch(openmp=self.threads > 1)
        pieces = ("tree/ahead.cuh", "tree/expand.cuh", "tree/expand_host.cuh")
        unit = compose_tree(
            self.parts,
            self.problem,
            device,
            pieces=pieces,
            records=(BATCH,),
            members={"batch": "Batch*"},
            launch=launch,
        )
        self._unit = device.compile(unit)
        self.dtype = self.parts.branching.node_type(self.problem)
        self._batch = np.zeros(len(BATCH.members), np.int64)
        buffers = allocate(unit, device)
        self._arguments = device.upload(unit.arguments(device, buffers, {"batch": self._batch.ctypes.data}))
        branching = self.parts.branching
        levels = branching.levels(self.problem)
        arities = np.array([branching.arity(self.problem, depth) for depth in range(levels)], np.int64)
        self._small = np.zeros(3, self.dtype)
        self._kept = [buffers, arities]
        self._put("levels", levels)
        self._put("threads", self.threads)
        self._put("arities", arities.ctypes.data)
        self._put("winner", self._small.ctypes.data)
        self._put("faulty", self._small[1:].ctypes.data)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def _put(self, name: str, value: int) -> None:
        self._batch[PLACES[name]] = value

    def _take(self, name: str) -> int:
        return int(self._batch[PLACES[name]])

    def expand(self, chunk: Chunk, rules: Rules) -> Expanded:
        nodes, lowers = np.ascontiguousarray(chunk.nodes), np.ascontiguousarray(chunk.lowers)
        self._make_room(max(len(chunk), rules.batch), sweeps=rules.dominance)
        batch = self._batch
        batch[:7] = (
            nodes.ctypes.data,
            lowers.ctypes.data,
            len(chunk),
            chunk.depth,
            rules.threshold,
            rules.batch,
            rules.rounds,
        )
        self._put("collect", rules.collect)
        self._put("completes", rules.completes)
        self._put("dominance", rules.dominance)
        batch[PLACES["left"] :] = 0
        self._put("cost", rules.threshold)
        self._put("fault", -1)
        self._unit.launch("expand", self._arguments)
        if self._take("fault") >= 0:
            numbers = self._take("of_father"), self._take("lower"), self._take("upper")
            depth = chunk.depth + self._take("rounds") - 1
            require_valid(self.parts, self._small[1], self._small[2], depth, numbers)
        return self._found(chunk.depth, rules)

    def _found(self, depth: int, rules: Rules) -> Expanded:
        rounds, left = self._take("rounds"), self._take("left")
        made, bounds = self._memory[(rounds - 1) % 2]
        rest = Chunk(
            depth + rounds, self._arena.copy(made[:left]), self._arena.copy(bounds[:left]), self._take("lowest")
        )
        winner, cost = None, self._take("cost")
        if cost < rules.threshold:
            winner = Winner(cost, self._small[:1].copy(), self._take("winner_depth"))
        return Expanded(rest, Counts(*self._batch[COUNTS].tolist()), rounds, winner)

    def _make_room(self, count: int, *, sweeps: bool) -> None:
        """Memory for the children of so many nodes, twice; pages that nobody writes are never taken."""
        widest = int(self._kept[1].max())
        if self._room < count:
            self._room = count
            room, size = count * widest, self.dtype.itemsize
            self._memory = [(np.empty((room, size), np.uint8), np.empty(room, np.int64)) for _ in range(2)]
            for name, (nodes, lowers) in zip(("first", "second"), self._memory, strict=True):
                self._put(f"{name}_nodes", nodes.ctypes.data)
                self._put(f"{name}_lowers", lowers.ctypes.data)
        if sweeps and self._keyed.size < 3 * self._room * widest:
            self._keyed = np.empty(3 * self._room * widest, np.int64)
            self._put("keyed", self._keyed.ctypes.data)

    def swept(self, chunk: Chunk) -> Chunk:
        if self.parts.dominance is None or len(chunk) < 2:
            return chunk
        self._make_room(-(-len(chunk) // int(self._kept[1].max())), sweeps=True)
        nodes, lowers = self._memory[0]
        nodes[: len(chunk)], lowers[: len(chunk)] = chunk.nodes, chunk.lowers
        self._put("depth", chunk.depth)
        self._unit.launch("sweep_all", self._arguments, len(chunk))
        left = self._take("left")
        return Chunk(chunk.depth, self._arena.copy(nodes[:left]), self._arena.copy(lowers[:left]), self._take("lowest"))


def cores() -> int:
    """CPU cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
