"""Dynamic programming over a core by compiled code on a CPU."""

from __future__ import annotations

from functools import lru_cache
from typing import final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import Record, Types
from metaheur.device.generator.unit import TranslationUnit, unit_of
from metaheur.problems.trees.core_decider import Core, Decided, Decider
from metaheur.problems.trees.core_items import CoreItems
from metaheur.running.proof import Counts
from metaheur.source import Source, piece
from metaheur.tree.entries import Entries

__all__ = ["HostDecider"]

COUNTED = ("branched", "bounded", "kept", "by_bound", "by_dominance")

BATCH = Record(
    "Batch",
    {
        # the items, and the orders
        "weights": "const i64*",
        "profits": "const i64*",
        **dict.fromkeys(("items", "capacity", "step", "first", "break_weight", "break_profit"), "i64"),
        **dict.fromkeys(("most_steps", "most_branched", "room", "node_room"), "i64"),
        # memory: the states, room for the next ones, the nodes of their paths, and new numbers of these
        "from_weights": "i64*",
        "to_weights": "i64*",
        "from_profits": "i64*",
        "to_profits": "i64*",
        "from_nodes": "i32*",
        "to_nodes": "i32*",
        "parents": "i32*",
        "changed": "i32*",
        "numbers": "i32*",
        # the present core, and the findings
        **dict.fromkeys(("left", "right", "adds", "count", "nodes", "exchanged", "best"), "i64"),
        **dict.fromkeys(("winner", "found", "steps", *COUNTED), "i64"),
    },
)
"""The orders for a launch, and its findings: numbers and addresses of 64 bits each."""

WORK = 1 << 20
"""States after which a call returns, so that the run can look at the clock; 10 to 20 ms."""

STATE_BYTES, NODE_BYTES = 2 * 20, 12


@lru_cache(maxsize=1)
def unit() -> TranslationUnit:
    """The unit, which is the same for all knapsacks."""
    types = Types(np.dtype(np.int64), np.dtype(np.int64), np.dtype(np.uint8))
    names = {"Total": "long long", "Cost": "long long", "Number": "Cost", "Item": "unsigned char"}
    head = "#define MH_THREADS 1\n" + "\n".join(f"typedef {cpp} {name};" for name, cpp in names.items())
    return unit_of(
        [
            Source(head, "generated/types.cuh"),
            piece("device/cuh/prelude.cuh"),
            BATCH.source(),
        ],
        members={"batch": "Batch*"},
        pieces=("problems/trees/knapsack_core.cuh",),
        types=types,
        launch=Launch(),
        known={"Batch": BATCH.dtype(types, {})},
    )


@final
@define(eq=False)
class HostDecider(Decider):
    """Decides by compiled code on one core.

    `items`: all items. `device`: a host. `budget`: bytes that states and nodes may take.
    """

    items: CoreItems
    device: Device
    budget: int
    full: bool = field(default=False, init=False)
    _entries: Entries = field(init=False)
    _at: dict[str, int] = field(factory=dict, init=False)  # the numbers of the batch, as the last launch left them
    _lists: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(factory=list, init=False)
    _nodes: tuple[np.ndarray, np.ndarray, np.ndarray] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile, and pack the arguments."""
        items = self.items
        self._entries = Entries(unit(), self.device, BATCH)
        self._entries.ask(
            weights=items.weights,
            profits=items.profits,
            items=len(items.order),
            capacity=items.capacity,
            step=items.step,
            first=items.first,
            break_weight=items.break_weight,
            break_profit=items.break_profit,
        )

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def count(self) -> int:
        return self._at["count"]

    def load(self, core: Core) -> None:
        count, nodes = len(core.weights), len(core.parents)
        self._lists = [_states(max(1 << 12, 4 * count)) for _ in range(2)]
        self._nodes = _places(max(1 << 14, 4 * nodes))
        for memory, kept in zip(self._lists[0], (core.weights, core.profits, core.paths), strict=True):
            memory[:count] = kept
        for memory, kept in zip(self._nodes, (core.parents, core.changed), strict=False):
            memory[:nodes] = kept
        self._at = {"left": core.left, "right": core.right, "adds": int(core.adds), "count": count, "nodes": nodes}

    def decide(self, best: int, steps: int, branched: int) -> Decided:
        made, counts, changes = 0, Counts(), None
        while self.count and changes is None and made < steps and counts.branched < min(branched, WORK):
            if not self._make_room():
                break
            at = self._launch(
                "decide", best=best, most_steps=steps - made, most_branched=min(branched, WORK) - counts.branched
            )
            made, best = made + at["steps"], at["best"]
            counts += Counts(**{name: at[name] for name in COUNTED})
            changes = self._changes() if at["found"] else None
        return Decided(made, counts, best, changes)

    def _launch(self, entry: str, **asked: int) -> dict[str, int]:
        (weights, profits, paths), (to_weights, to_profits, to_nodes) = self._lists
        parents, changed, numbers = self._nodes
        names = list(BATCH.members)
        zero = dict.fromkeys(names[names.index("left") :], 0)
        self._entries.ask(
            **zero
            | {
                "room": len(weights),
                "node_room": len(parents),
                "from_weights": weights,
                "to_weights": to_weights,
                "from_profits": profits,
                "to_profits": to_profits,
                "from_nodes": paths,
                "to_nodes": to_nodes,
                "parents": parents,
                "changed": changed,
                "numbers": numbers,
            }
            | {name: self._at[name] for name in ("left", "right", "adds", "count", "nodes")}
            | asked
        )
        self._entries.launch(entry)
        found = names[names.index("left") :]
        self._at = dict(zip(found, self._entries.read(found[0], found[-1]), strict=True))
        if self._at["exchanged"]:
            self._lists.reverse()
        return self._at

    def _changes(self) -> list[int]:
        found, node = [], self._at["winner"]
        while node:
            found.append(int(self._nodes[1][node]))
            node = int(self._nodes[0][node])
        return found

    def _make_room(self) -> bool:
        """Memory for the next item; whether there is any."""
        count, room = self.count, len(self._lists[0][0])
        if 2 * count > room:
            if not self._fits(4 * count, len(self._nodes[0])):
                return False
            grown = [_states(4 * count) for _ in range(2)]
            for new, old in zip(grown[0], self._lists[0], strict=True):
                new[:count] = old[:count]
            self._lists = grown
        if self._at["nodes"] + count + 1 > len(self._nodes[0]):
            self._launch("compact")
            nodes, room = self._at["nodes"], len(self._nodes[0])
            if 2 * (nodes + count + 1) > room:  # else the nodes are collected again and again
                if not self._fits(len(self._lists[0][0]), 4 * (nodes + count)):
                    return False
                places = _places(4 * (nodes + count))
                for new, old in zip(places, self._nodes, strict=True):
                    new[:nodes] = old[:nodes]
                self._nodes = places
        return True

    def _fits(self, states: int, nodes: int) -> bool:
        self.full = states * STATE_BYTES + nodes * NODE_BYTES > self.budget or nodes >= 2**31
        return not self.full

    def core(self) -> Core:
        self._launch("compact")
        at, nodes = self._at, self._at["nodes"]
        weights, profits, paths = (memory[: at["count"]].copy() for memory in self._lists[0])
        parents, changed = (memory[:nodes].copy() for memory in self._nodes[:2])
        return Core(at["left"], at["right"], bool(at["adds"]), weights, profits, paths, parents, changed)


def _states(room: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Memory for the weights, profits and nodes of so many states."""
    return np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int32)


def _places(room: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Memory for so many nodes: the node before, the item, and a new number."""
    return np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
