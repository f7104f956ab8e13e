"""A GPU makes and bounds the children of many nodes at once."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, final

import numpy as np
from attrs import define, field

from metaheur.device.cuda.cuda import Cuda, cupy
from metaheur.device.device import Buffer, Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.errors import CheckFailed
from metaheur.problem import Problem
from metaheur.running.proof import Counts
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.entries import Entries
from metaheur.tree.expander import Expanded, Expander, Rules, Winner, as_nodes, require_valid, shown
from metaheur.tree.numpy_expander import children_of
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.round_report import TYPES
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.unit import compose_tree

__all__ = ["CudaExpander", "compose_expander"]

THREADS = 128
"""The threads of a block."""

FOUND = Record(
    "Found",
    {
        **dict.fromkeys(("branched", "bounded", "by_bound", "lowest"), "i64"),
        "cost": "i64",  # the cost of the best solution
        "slot": "i64",  # the number of its node among all children
        "fault": "i64",  # the number of the first child whose bound is wrong
    },
)
"""The findings of a thread, and then of its block."""

FOUND_TYPE = FOUND.dtype(TYPES)

BATCH = Record(
    "Batch",
    {
        "nodes": "const Node*",
        "lowers": "const i64*",
        **dict.fromkeys(("count", "depth", "threshold", "levels", "collect", "completes", "arity"), "i64"),
        "kept_nodes": "Node*",
        "kept_lowers": "i64*",
        "left": "i64*",
        "tickets": "u64*",
        "status": "u64*",
        "found": "Found*",
        "keys": "i64*",
        "ranks": "const i64*",
        "stays": "bool*",
    },
)
"""The orders for a launch, and where it writes: numbers and addresses of 64 bits each."""


def compose_expander(parts: TreeParts, problem: Problem, device: Device, threads: int = THREADS) -> TranslationUnit:
    """The unit that expands a level on a GPU, by blocks of `threads` threads."""
    return compose_tree(
        parts,
        problem,
        device,
        pieces=("tree/ahead.cuh", "tree/expand.cuh", "tree/expand_cuda.cuh"),
        records=(FOUND, BATCH),
        members={"batch": "Batch*"},
        launch=Launch(threads=threads),
    )


@final
@define(eq=False)
class CudaExpander(Expander):
    """Expands on a GPU, a level in one launch.

    `parts`: the parts of the search; all have C++ halves. `device`: the GPU. `threads`: the threads of a block; a
    multiple of 32.
    """

    parts: TreeParts
    problem: Problem
    device: Cuda
    threads: int = THREADS
    dtype: np.dtype[Any] = field(init=False)
    xp: Any = field(init=False)
    _entries: Entries = field(init=False)
    _blocks: int = field(init=False)
    _found: Buffer = field(init=False)
    _control: Buffer = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile, and pack the arguments."""
        self.xp = cupy()
        self.dtype = self.parts.branching.node_type(self.problem)
        unit = compose_expander(self.parts, self.problem, self.device, self.threads)
        self._entries = Entries(unit, self.device, BATCH)
        self._entries.ask(levels=self.parts.branching.levels(self.problem))
        self._blocks = 8 * self.device.processors
        self._found = self.device.zeros(self._blocks * FOUND_TYPE.itemsize // 8, np.int64)
        self._control = self.device.zeros(2, np.int64)  # tickets taken, and nodes left

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def current(self) -> AbstractContextManager[Any]:
        current: AbstractContextManager[Any] = self.device.current
        return current

    @property
    def budget(self) -> int:
        return self.device.free_memory // 2

    def expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        with self.device.current:
            return self._expand(chunk, rules)

    def _expand(self, chunk: OpenNodes, rules: Rules) -> Expanded:
        depth, whole = chunk.depth, self.whole(chunk.depth + 1)
        arity = int(self.parts.branching.arity(self.problem, depth))
        nodes, lowers = self.xp.ascontiguousarray(chunk.nodes), self.xp.ascontiguousarray(chunk.lowers)
        slots = len(chunk) * arity
        tiles = -(-slots // self.threads)
        room = 0 if whole and not rules.collect else slots
        kept_nodes = self.xp.empty((room, self.dtype.itemsize), np.uint8)
        kept_lowers = self.xp.empty(room, np.int64)
        status = self.xp.zeros(tiles, np.uint64)
        self._control.fill(0)
        self._entries.ask(
            nodes=nodes,
            lowers=lowers,
            count=len(chunk),
            depth=depth,
            threshold=rules.threshold,
            collect=rules.collect,
            completes=rules.completes,
            arity=arity,
            kept_nodes=kept_nodes,
            kept_lowers=kept_lowers,
            left=self._control[1:],
            tickets=self._control,
            status=status,
            found=self._found,
        )
        blocks = min(tiles, self._blocks)
        self._entries.launch("expand", blocks=blocks)
        words = self.device.download(self._found, 0, blocks * FOUND_TYPE.itemsize // 8)
        found = np.array(words).view(FOUND_TYPE)
        if found["fault"].min() < NO_COST:
            self._refuse(chunk, int(found["fault"].min()), arity)
        left = int(self.device.download(self._control, 1, 1)[0])
        lowest = int(found["lowest"].min())
        rest = OpenNodes(depth + 1, _first(kept_nodes, left), _first(kept_lowers, left), lowest)
        sums = {name: int(found[name].sum()) for name in ("branched", "bounded", "by_bound")}
        bounded = sums["bounded"]
        more = {
            "complete": bounded if whole else 0,
            "kept": 0 if whole else left,
            "deepest": depth + 1 if bounded else 0,
        }
        winner = self._winner(chunk, found, arity) if found["cost"].min() < rules.threshold else None
        return self.level_of([Expanded(rest, Counts(**sums, **more), 1, winner)], rules)

    def _winner(self, chunk: OpenNodes, found: np.ndarray, arity: int) -> Winner:
        cost = int(found["cost"].min())
        slot = int(found["slot"][found["cost"] == cost].min())
        return Winner(cost, self._child(chunk, slot, arity)[1], chunk.depth + 1)

    def _child(self, chunk: OpenNodes, slot: int, arity: int) -> tuple[Nodes, Nodes]:
        """A father and one of its children, as the Python half makes it."""
        father = as_nodes(self.xp.asnumpy(chunk.nodes[slot // arity]), self.dtype)
        children, _ = children_of(self.parts, self.problem, father, chunk.depth)
        fields, exist = self.parts.branching.children(self.problem, father, chunk.depth, slot % arity)
        child = np.zeros(1, self.dtype)
        for name, value in fields.items():
            child[name] = value
        if not exist[0]:
            raise CheckFailed(
                f"Child {slot % arity} of the node {shown(father[0])} at depth {chunk.depth} exists in C++ on "
                f"{self.device.name}, but not in Python, where the node has {len(children)} children.",
                "use metaheur.testing.check_branching.",
            )
        return father, child

    def _refuse(self, chunk: OpenNodes, slot: int, arity: int) -> None:
        father, child = self._child(chunk, slot, arity)
        bound, depth = self.parts.bound, chunk.depth
        lowers = [bound.lower(self.problem, node[0], depth + i) for i, node in enumerate((father, child))]
        upper = NO_COST if self.whole(depth + 1) else bound.upper(self.problem, child[0], depth + 1)
        require_valid(self.parts, father[0], child[0], depth, (lowers[0], lowers[1], upper))
        raise CheckFailed(
            f"The bound of the node {shown(child[0])} at depth {depth + 1} is right in Python, but wrong in C++ on "
            f"{self.device.name}.",
            "use metaheur.testing.check_bound.",
        )

    def swept(self, chunk: OpenNodes) -> OpenNodes:
        count = len(chunk)
        if self.parts.dominance is None or count < 2:
            return chunk
        with self.device.current:
            return self._swept(chunk, count)

    def _swept(self, chunk: OpenNodes, count: int) -> OpenNodes:
        nodes = self.xp.ascontiguousarray(chunk.nodes)
        keys, stays = self.xp.empty((2, count), np.int64), self.xp.empty(count, bool)
        self._entries.ask(nodes=nodes, depth=chunk.depth, keys=keys)
        self._entries.launch("keys", count, blocks=-(-count // self.threads))
        ranks = self.xp.lexsort(self.xp.stack([self.xp.arange(count), keys[1], keys[0]]))
        self._entries.ask(ranks=ranks, stays=stays)
        self._entries.launch("sweep", count)
        return chunk.picked(ranks[stays])

    def upload(self, nodes: np.ndarray, lowers: np.ndarray, depth: int) -> OpenNodes:
        with self.device.current:
            return OpenNodes(depth, self.xp.asarray(nodes), self.xp.asarray(lowers))

    def download(self, chunk: OpenNodes) -> tuple[np.ndarray, np.ndarray]:
        with self.device.current:
            return self.xp.asnumpy(chunk.nodes), self.xp.asnumpy(chunk.lowers)

    def sorted(self, chunk: OpenNodes) -> Any:
        with self.device.current:
            return self.xp.lexsort(self.xp.stack([self.xp.arange(len(chunk)), chunk.lowers]))


def _first(array: Any, count: int) -> Any:
    """The first rows; a copy if the other rows take much memory, which the copy lets go."""
    return array[:count] if 4 * count >= 3 * len(array) else array[:count].copy()
