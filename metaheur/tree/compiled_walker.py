"""Explorers by compiled code."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.compose import TranslationUnit
from metaheur.device.cuda import cupy
from metaheur.device.device import Buffer, Device
from metaheur.device.launch import Launch
from metaheur.device.record import Record
from metaheur.problem import Problem
from metaheur.tree.engine import shares
from metaheur.tree.entries import Entries
from metaheur.tree.expander import as_bytes, as_nodes
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.unit import TreeParts, compose_tree
from metaheur.tree.walker import MOST_TAKEN, SAID, WIDEST, Gift, OwnWalker, Slice, open_type

__all__ = ["CompiledWalker", "compose_explorers"]

THREADS = 128

BATCH = Record(
    "Batch",
    {
        **dict.fromkeys(("count", "levels", "threshold", "completes", "steps"), "i64"),
        "stack": "struct Open*",
        "height": "i32*",
        "said": "struct Said*",
        **dict.fromkeys(("faults", "ranks", "shared"), "i64*"),
        "winners": "Node*",
        "left": "double*",
        "arities": "const i64*",
        "shares": "const double*",
        "who": "const i64*",
        "taken": "struct Open*",
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
    _buffers: dict[str, Buffer] = field(factory=dict, init=False)
    _asked: tuple[Any, ...] = field(default=(), init=False)  # they live as long as the launch

    def __attrs_post_init__(self) -> None:
        """Compile and pack the arguments."""
        unit = compose_explorers(self.parts, self.problem, self.device, openmp=self.threads > 1)
        self._entries = Entries(unit, self.device, BATCH)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def xp(self) -> Any:
        return cupy() if self.device.kind == "cuda" else np

    @property
    def current(self) -> AbstractContextManager[Any]:
        return self.device.current

    @property
    def _node_type(self) -> np.dtype[Any]:
        return self.parts.branching.node_type(self.problem)

    @property
    def _blocks(self) -> int:
        return -(-self.count // THREADS)

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        device, arities, heights = self.device, self.parts.arities(self.problem), arrays["heights"]
        node, opened = self._node_type, open_type(self._node_type)
        count, levels = len(heights), len(arities)
        self.count = count
        rows = self._blocks if device.kind == "cuda" else count
        self._buffers = {
            "stack": device.zeros(count * levels * opened.itemsize, np.uint8),
            "height": device.upload(heights.astype(np.int32)),
            "said": device.zeros(rows * len(SAID), np.int64),
            "faults": device.zeros(4 * count, np.int64),
            "ranks": device.zeros(count, np.int64),
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
        within = np.arange(len(stacks)) - np.repeat(np.cumsum(heights) - heights, heights)
        with device.current:
            places = device.upload(np.repeat(np.arange(count), heights) * levels + within)
            self._buffers["stack"].reshape(-1, opened.itemsize)[places] = device.upload(as_bytes(stacks))
        self._entries.ask(count=count, levels=levels, **self._buffers)
        self.explore(NO_COST, 0, completes=False, eager=False)

    def arrays(self) -> dict[str, np.ndarray]:
        opened, levels = open_type(self._node_type), len(self.parts.arities(self.problem))
        heights = self._array("height").astype(np.int64)
        within = np.arange(heights.sum()) - np.repeat(np.cumsum(heights) - heights, heights)
        places = np.repeat(np.arange(self.count), heights) * levels + within
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

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        shared = self._buffers["shared"]
        if eager:
            self.device.write(shared, np.array([threshold]))
        self._entries.ask(threshold=threshold, completes=completes, steps=steps, shared=shared if eager else 0)
        self._entries.launch("explore_all", self.threads, blocks=self._blocks)

    @property
    def rows(self) -> np.ndarray:
        return self._array("said").reshape(-1, len(SAID))

    @property
    def left(self) -> np.ndarray:
        return self._array("left")

    @property
    def ranks(self) -> Any:
        return self._buffers["ranks"]

    def take(self, victims: Any) -> Any:
        size = MOST_TAKEN * open_type(self._node_type).itemsize
        taken = self.device.zeros(len(victims) * size, np.uint8)
        self._exchange("take_all", victims, taken)
        return taken

    def put(self, thieves: Any, taken: Any) -> None:
        self._exchange("put_all", thieves, taken)

    def ranks_here(self) -> np.ndarray:
        return self._array("ranks")

    def pass_on(self, victims: np.ndarray, thieves: np.ndarray) -> None:
        with self.current:
            self.put(self.device.upload(thieves), self.take(self.device.upload(victims)))

    def take_away(self, victims: np.ndarray) -> Gift:
        with self.current:
            places, nodes = self.packed(self.take(self.device.upload(victims)))
            return np.array(self.device.download(places)), np.array(self.device.download(nodes.reshape(-1)))

    def put_here(self, thieves: np.ndarray, gift: Gift) -> None:
        size = open_type(self._node_type).itemsize
        with self.current:
            taken = self.device.zeros(len(thieves) * MOST_TAKEN * size, np.uint8).reshape(-1, size)
            taken[self.device.upload(gift[0])] = self.device.upload(gift[1]).reshape(-1, size)
            self.put(self.device.upload(thieves), taken.reshape(-1))

    def _exchange(self, entry: str, who: Any, taken: Any) -> None:
        self._asked = (*self._asked[-2:], who, taken)
        self._entries.ask(who=who, taken=taken)
        self._entries.launch(entry, len(who), blocks=-(-len(who) // THREADS))

    def found(self, e: int) -> Nodes:
        size = 3 * self._node_type.itemsize
        return as_nodes(np.array(self.device.download(self._buffers["winners"], e * size, size)), self._node_type)

    def fault(self, e: int) -> tuple[int, int, int, int]:
        depth, of_father, lower, upper = self.device.download(self._buffers["faults"], 4 * e, 4).tolist()
        return depth, of_father, lower, upper

    def slice(self) -> Slice:
        winners = as_nodes(self._array("winners"), self._node_type).reshape(self.count, 3)
        return self.arrays(), self.rows, self.left, winners, self._array("faults").reshape(self.count, 4)


def compose_explorers(parts: TreeParts, problem: Problem, device: Device, *, openmp: bool = False) -> TranslationUnit:
    """The unit of the explorers: a thread an explorer on a GPU."""
    staging = ("device/staging_cuda.cuh",) if device.kind == "cuda" else ()
    node = parts.branching.node_type(problem)
    return compose_tree(
        parts,
        problem,
        device,
        pieces=(*staging, "tree/ahead.cuh", "tree/expand.cuh", "tree/everywhere.cuh", "tree/explore.cuh"),
        records=(BATCH,),
        constants={
            "widest": WIDEST,
            "most_taken": MOST_TAKEN,
            "open_bytes": open_type(node).itemsize,
            "said_numbers": len(SAID),
        },
        members={"batch": "Batch*"},
        launch=Launch(threads=THREADS, uses_shared=("explore_all",), openmp=openmp),
    )
