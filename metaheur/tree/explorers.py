"""The explorers engine: each searches an interval of the tree depth first; who has nothing left takes half of one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Any, final

import numpy as np
from attrs import define, field, frozen

from metaheur.device.compose import TranslationUnit
from metaheur.device.device import Buffer, Device
from metaheur.device.launch import Launch
from metaheur.device.record import Record
from metaheur.errors import InputError
from metaheur.pace import NEVER, Alarm, StepCut
from metaheur.problem import Problem
from metaheur.tree.chunk import Counts
from metaheur.tree.engine import Engine, Made, shares
from metaheur.tree.entries import Entries
from metaheur.tree.expander import Winner, as_bytes, as_nodes, require_valid
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.order import Explorers
from metaheur.tree.part import NO_COST, Nodes, nodes_of
from metaheur.tree.unit import TreeParts, compose_tree

__all__ = ["TALLIED", "CompiledWalker", "ExplorerEngine", "PythonWalker", "Walker"]

TALLIED = (
    *("branched", "bounded", "complete", "kept", "by_bound", "deepest", "cost", "winner_depth"),
    *("untried", "top", "at_top", "end_at_top", "lowest", "fault_depth", "of_father", "lower", "upper"),
)
"""What an explorer says of a round: what it counted; its best solution (cost, depth of the node); what is left to it
(children that wait, the least depth of one, how many wait there, the number behind the last, the least bound of a node
that has one); and a fault (depth of the father, -1 for none, and three numbers). In C++ the places are `tally_...`."""

COLUMN = {name: i for i, name in enumerate(TALLIED)}

BATCH = Record(
    "Batch",
    {
        **dict.fromkeys(("count", "levels", "threshold", "completes", "steps"), "i64"),
        **dict.fromkeys(("depth", "base", "cursors", "limits"), "i32*"),
        "nodes": "Node*",
        **dict.fromkeys(("lowers", "tally"), "i64*"),
        "shared": "i64*",
        "winners": "Node*",
        "left": "double*",
        **dict.fromkeys(("arities", "pairs"), "const i64*"),
        "shares": "const double*",
    },
)
"""The explorers, and what a round is asked for: numbers and addresses, 64 bits each."""


@final
@frozen
class Totals:
    """What all explorers together said of a round.

    Attributes
    ----------
    sums : dict of str to int
        By name, what they counted and what is left to them.
    idle : int
        How many have nothing left.
    cost, winner : int
        The best solution, and which explorer has it, the first among equals.
    winner_depth, deepest, lowest : int
        The depth of its node; the greatest depth; the least bound of a node that waits.
    faulty : int
        The first explorer with a fault; -1 for none.
    """

    sums: Mapping[str, int]
    idle: int
    cost: int
    winner: int
    winner_depth: int
    deepest: int
    lowest: int
    faulty: int


class Walker(ABC):
    """Where the explorers are, and what lets them search.

    Attributes
    ----------
    tally : array of int64, shape (count, 17)
        What each said of the last round: `TALLIED`. It lies where they search: NumPy's, or CuPy's on a GPU.
    left : numpy.ndarray of float64, shape (count,)
        The share of the tree that is left to each.
    """

    tally: Any
    left: np.ndarray

    @property
    def native_devices(self) -> tuple[Device, ...]:
        """The devices whose compiled code explores here; none by default, as of Python and of workers."""
        return ()

    @property
    def current(self) -> AbstractContextManager[Any]:
        """A context in which functions of NumPy may be called on `tally`."""
        return nullcontext()

    def totals(self) -> Totals:
        """What all said of the last round."""
        with self.current:
            tally = self.tally
            idle, costs = tally[:, COLUMN["untried"]] == 0, tally[:, COLUMN["cost"]]
            faulty, winner = tally[:, COLUMN["fault_depth"]] >= 0, np.argmin(costs)
            few = np.stack([idle.sum(), winner, tally[winner, COLUMN["winner_depth"]], faulty.any(), np.argmax(faulty)])
            numbers = np.concatenate([few, tally.sum(axis=0), tally.min(axis=0), tally.max(axis=0)]).tolist()
        number, winner, winner_depth, fails, first = numbers[:5]
        sums, least, most = (
            dict(zip(TALLIED, part, strict=True)) for part in np.reshape(numbers[5:], (3, -1)).tolist()
        )
        return Totals(
            sums=sums,
            idle=number,
            cost=least["cost"],
            winner=winner,
            winner_depth=winner_depth,
            deepest=most["deepest"],
            lowest=least["lowest"],
            faulty=first if fails else -1,
        )

    def pairs(self) -> Any:
        """Who shall give what to whom: the longest intervals are halved first, the first explorers first among equals.

        An interval is as long as its first waiting children are near the root, and then as they are many.
        """
        with self.current:
            names = ("untried", "top", "at_top", "end_at_top")
            untried, top, at_top, end = (self.tally[:, COLUMN[name]] for name in names)
            thieves, victims = np.flatnonzero(untried == 0), np.flatnonzero(untried > 1)
            order = np.lexsort(np.stack([victims, -at_top[victims], top[victims]]))
            count = min(len(thieves), len(victims))
            victims, thieves = victims[order[:count]], thieves[:count]
            goes = (at_top[victims] + 1) // 2  # where it is the only one there, more waits below
            return np.stack([victims, thieves, top[victims], end[victims] - goes], axis=1)

    @abstractmethod
    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Put the explorers where these arrays say: see `ExplorerEngine.saved`."""

    @abstractmethod
    def arrays(self) -> dict[str, np.ndarray]:
        """Where the explorers are."""

    @abstractmethod
    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        """Every explorer tries so many children; `tally` and `left` say what came of it.

        Parameters
        ----------
        threshold : int
            What prunes at first.
        steps : int
            How many children.
        completes : bool
            Whether the bound is asked for solutions of nodes that are not complete.
        eager : bool
            Whether what one explorer finds prunes for the others in the same round.
        """

    @abstractmethod
    def give(self, pairs: Any) -> None:
        """Children that wait go from one explorer to another.

        Parameters
        ----------
        pairs : array of int64, shape (p, 4)
            Victim, thief, depth, and the first child that goes; where `tally` is.
        """

    @abstractmethod
    def slice(self) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, Nodes]:
        """`arrays()`, `tally`, `left`, and what `found` gives of each, all in the host's memory."""

    @abstractmethod
    def found(self, e: int) -> Nodes:
        """The node with the best solution of an explorer in the last round, and the two of a fault; shape (3,)."""


@final
@define(eq=False)
class ExplorerEngine(Engine):
    """Explorers that share a tree.

    Parameters
    ----------
    parts : TreeParts
        What is searched; there is no dominance.
    problem : Problem
        On what.
    order : Explorers
        How many, and how far they go in a round.
    walker : Walker
        What lets them search.
    """

    parts: TreeParts
    problem: Problem
    order: Explorers
    walker: Walker
    full: bool = field(default=False, init=False)
    alarm: Alarm = field(default=NEVER, init=False)
    _each: float = field(default=0.0, init=False)  # seconds by the steps of a round, as of the last round
    _totals: Totals = field(init=False)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.walker.native_devices

    @property
    def widest_round(self) -> int:
        return self.order.count * self.order.steps

    @property
    def open(self) -> int:
        return self._totals.sums["untried"]

    @property
    def lowest(self) -> int:
        return self._totals.lowest

    @property
    def share(self) -> float:
        return max(0.0, 1.0 - float(self.walker.left.sum()))

    def begin(self) -> None:
        branching, problem = self.parts.branching, self.problem
        root = branching.root_nodes(problem)
        count = self.order.count
        self._load(
            {
                "depth": np.concatenate([[0], np.full(count - 1, -1)]).astype(np.int32),
                "base": np.zeros(count, np.int32),
                "entries": np.array([[0, 0, 0, branching.arity(problem, 0)]], np.int64),
                "nodes": as_bytes(root),
                "lowers": np.asarray(self.parts.bound.lowers(problem, root, 0), np.int64),
            }
        )

    def _load(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.walker.load(arrays)
        self._totals = self.walker.totals()

    def advance(self, incumbents: Incumbents, rounds: int) -> Made:
        pairs = self.walker.pairs()
        idle = self._totals.idle - len(pairs)
        steps = self.order.steps if 4 * idle <= self.order.count else max(1, self.order.steps // 64)
        if steps * self._each > self.alarm.left():  # a round cannot be broken off, and a shorter one is another tree
            self.alarm.wait()
            raise StepCut
        self.walker.give(pairs)
        threshold, began = incumbents.threshold, perf_counter()
        self.walker.explore(threshold, steps, completes=incumbents.completes, eager=incumbents.eager)
        self._totals = totals = self.walker.totals()
        self._each = (perf_counter() - began) / steps
        if totals.faulty >= 0:
            self._refuse(totals.faulty)
        winner = None
        if totals.cost < threshold:
            winner = Winner(totals.cost, self.walker.found(totals.winner)[:1], totals.winner_depth)
        improved = incumbents.accept(winner, 0, None)
        sums = {name: totals.sums[name] for name in TALLIED[:5]}
        return Made(1, Counts(**sums, deepest=totals.deepest), improved)

    def _refuse(self, e: int) -> None:
        depth, *numbers = self.walker.tally[e, COLUMN["fault_depth"] :].tolist()
        _, father, child = self.walker.found(e)
        require_valid(self.parts, father, child, depth, (numbers[0], numbers[1], numbers[2]))

    def saved(self) -> Mapping[str, Any]:
        return self.walker.arrays()

    def restore(self, saved: Mapping[str, Any]) -> None:
        if len(saved["depth"]) != self.order.count:
            raise InputError(f"{len(saved['depth'])} explorers were saved, but here are {self.order.count}.")
        self._load(saved)


@final
@define(eq=False)
class PythonWalker(Walker):
    """The reference: explorers one after the other, child by child, by the Python halves.

    Parameters
    ----------
    parts : TreeParts
        What is searched.
    problem : Problem
        On what.
    """

    parts: TreeParts
    problem: Problem
    tally: np.ndarray = field(init=False)
    left: np.ndarray = field(init=False)
    _depth: np.ndarray = field(init=False)
    _base: np.ndarray = field(init=False)
    _cursors: np.ndarray = field(init=False)
    _limits: np.ndarray = field(init=False)
    _nodes: Nodes = field(init=False)
    _lowers: np.ndarray = field(init=False)
    _winners: Nodes = field(init=False)
    _shares: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._shares = shares(self.parts, self.problem)

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        dtype, count = self.parts.branching.node_type(self.problem), len(arrays["depth"])
        dense = _dense(arrays, self.parts.branching.levels(self.problem), dtype.itemsize)
        self._depth, self._base, self._cursors, self._limits, nodes, self._lowers = dense.values()
        self._nodes = as_nodes(nodes, dtype).reshape(count, -1)
        self._winners = np.zeros((count, 3), dtype)
        self.tally, self.left = np.zeros((count, len(TALLIED)), np.int64), np.zeros(count)
        for each in range(count):
            self._summarise(each)

    def arrays(self) -> dict[str, np.ndarray]:
        numbers = {"depth": self._depth, "base": self._base, "cursors": self._cursors, "limits": self._limits}
        at = np.arange(self._nodes.shape[1])
        return _saved({**numbers, "lowers": self._lowers, "nodes": _flat(self._nodes)}, at)

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        told = threshold
        for e in range(len(self._depth)):
            self._explore(e, told, steps, completes=completes and self.parts.bound.completes)
            self._summarise(e)
            told = min(told, int(self.tally[e, COLUMN["cost"]])) if eager else threshold

    def _explore(self, e: int, threshold: int, steps: int, *, completes: bool) -> None:
        branching, bound, problem = self.parts.branching, self.parts.bound, self.problem
        cursors, limits, nodes, lowers = (x[e] for x in (self._cursors, self._limits, self._nodes, self._lowers))
        said = dict.fromkeys(TALLIED, 0) | {"cost": threshold, "fault_depth": -1}
        depth, step = int(self._depth[e]), 0
        while depth >= 0 and step < steps:
            k = int(cursors[depth])
            if k == limits[depth]:
                depth = depth - 1 if depth > self._base[e] else -1
                continue
            if lowers[depth] >= threshold:
                said["by_bound"] += k == 0
                cursors[depth] = limits[depth]
                continue
            step += 1
            cursors[depth] = k + 1
            said["branched"] += k == 0
            fields = branching.child(problem, nodes[depth], depth, k)
            if fields is None:
                continue
            node = nodes_of(nodes.dtype, {name: np.asarray(value)[None] for name, value in fields.items()}, 1)
            lower = bound.lower(problem, node[0], depth + 1)
            whole = depth + 1 == len(lowers)
            cost = lower if whole else NO_COST
            if lower < threshold and completes and not whole:
                cost = bound.upper(problem, node[0], depth + 1)
            said["bounded"] += 1
            said["complete"] += whole
            said["deepest"] = max(said["deepest"], depth + 1)
            require_valid(self.parts, nodes[depth], node[0], depth, (int(lowers[depth]), lower, cost))
            if lower >= threshold:
                said["by_bound"] += 1
                continue
            if cost < threshold:
                threshold = said["cost"] = cost
                said["winner_depth"] = depth + 1
                self._winners[e, 0] = node[0]
            if whole:
                continue
            said["kept"] += 1
            depth += 1
            nodes[depth], lowers[depth] = node[0], lower
            cursors[depth], limits[depth] = 0, branching.arity(problem, depth)
        self._depth[e] = depth
        self.tally[e] = list(said.values())

    def _summarise(self, e: int) -> None:
        depths = np.arange(self._base[e], self._depth[e] + 1)
        waiting = self._limits[e, depths] - self._cursors[e, depths]
        depths, waiting = depths[waiting > 0], waiting[waiting > 0]
        said = {"untried": int(waiting.sum()), "top": -1, "at_top": 0, "end_at_top": 0, "lowest": NO_COST}
        if len(depths):
            top = int(depths[0])
            said |= {"top": top, "at_top": int(waiting[0]), "end_at_top": int(self._limits[e, top])}
            said["lowest"] = int(self._lowers[e, depths].min())
        for name, value in said.items():
            self.tally[e, COLUMN[name]] = value
        self.left[e] = sum(float(w) * float(self._shares[d + 1]) for d, w in zip(depths, waiting, strict=True))

    def give(self, pairs: Any) -> None:
        for victim, thief, top, first in pairs.tolist():
            for array in (self._nodes, self._lowers, self._limits):
                array[thief, top] = array[victim, top]
            self._cursors[thief, top] = self._limits[victim, top] = first
            self._base[thief] = self._depth[thief] = top
            self._summarise(victim)
            self._summarise(thief)

    def slice(self) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, Nodes]:
        return self.arrays(), self.tally, self.left, self._winners

    def found(self, e: int) -> Nodes:
        found: Nodes = self._winners[e]
        return found


@final
@define(eq=False)
class CompiledWalker(Walker):
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
    tally: Any = field(init=False)
    _entries: Entries = field(init=False)
    _buffers: dict[str, Buffer] = field(factory=dict, init=False)
    _pairs: Buffer = field(default=None, init=False)
    _count: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Compile and pack the arguments."""
        unit = compose_explorers(self.parts, self.problem, self.device, openmp=self.threads > 1)
        self._entries = Entries(unit, self.device, BATCH)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def current(self) -> AbstractContextManager[Any]:
        return self.device.current

    @property
    def left(self) -> np.ndarray:  # type: ignore[override]
        return self._array("left")

    def load(self, arrays: Mapping[str, np.ndarray]) -> None:
        device, arities, size = self.device, self.parts.arities(self.problem), self._node_type.itemsize
        count, levels = len(arrays["depth"]), len(arities)
        numbers = {"cursors": np.int32, "limits": np.int32, "lowers": np.int64}
        given = {"depth": arrays["depth"], "base": arrays["base"], "arities": arities}
        self._buffers = {
            **{name: device.zeros(count * levels, dtype) for name, dtype in numbers.items()},
            "nodes": device.zeros(count * (levels + 1) * size, np.uint8),  # C++ makes a child behind its father
            "tally": device.zeros(count * len(TALLIED), np.int64),
            "winners": device.zeros(count * 3 * size, np.uint8),
            "left": device.zeros(count, np.float64),
            "shared": device.zeros(1, np.int64),
            **{name: device.upload(array) for name, array in given.items()},
            "shares": device.upload(shares(self.parts, self.problem)),
        }
        e, d, cursors, limits = arrays["entries"].T
        with device.current:
            places = device.upload(e * levels + d)
            for name, values in zip(numbers, (cursors, limits, arrays["lowers"]), strict=True):
                self._buffers[name][places] = device.upload(values)
            self._buffers["nodes"].reshape(-1, size)[places + device.upload(e)] = device.upload(arrays["nodes"])
            self.tally = self._buffers["tally"].reshape(count, -1)
        self._count = count
        self._entries.ask(count=count, levels=levels, **self._buffers)
        self._launch("summarise_all", count, count)

    def _launch(self, entry: str, count: int, value: int) -> None:
        self._entries.launch(entry, value, blocks=max(1, -(-count // self._entries.unit.launch.threads)))

    def _array(self, name: str) -> np.ndarray:
        return np.array(self.device.download(self._buffers[name]))

    def arrays(self) -> dict[str, np.ndarray]:
        buffers, count = self._buffers, self._count
        levels = len(buffers["lowers"]) // count
        with self.device.current:
            nodes = buffers["nodes"].reshape(count, levels + 1, -1)
            saved = _saved({**buffers, "nodes": nodes}, self.device.upload(np.arange(levels)))
            return {name: np.array(self.device.download(x)).reshape(x.shape) for name, x in saved.items()}

    def explore(self, threshold: int, steps: int, *, completes: bool, eager: bool) -> None:
        shared = self._buffers["shared"]
        self.device.write(shared, np.array([threshold]))
        self._entries.ask(threshold=threshold, completes=completes, steps=steps, shared=shared if eager else 0)
        self._launch("explore_all", self._count, self.threads)

    def give(self, pairs: Any) -> None:
        if len(pairs):
            self._pairs = pairs  # it lives as long as the launch
            self._entries.ask(pairs=pairs)
            self._launch("give_all", len(pairs), len(pairs))

    def slice(self) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, Nodes]:
        winners = as_nodes(self._array("winners"), self._node_type).reshape(self._count, 3)
        return self.arrays(), self._array("tally").reshape(self._count, -1), self.left, winners

    @property
    def _node_type(self) -> np.dtype[Any]:
        return self.parts.branching.node_type(self.problem)

    def found(self, e: int) -> Nodes:
        size = 3 * self._node_type.itemsize
        return as_nodes(np.array(self.device.download(self._buffers["winners"], e * size, size)), self._node_type)


def compose_explorers(parts: TreeParts, problem: Problem, device: Device, *, openmp: bool = False) -> TranslationUnit:
    """The unit of the explorers: a thread an explorer on a GPU."""
    staging = ("device/staging_cuda.cuh",) if device.kind == "cuda" else ()
    return compose_tree(
        parts,
        problem,
        device,
        pieces=(*staging, "tree/ahead.cuh", "tree/expand.cuh", "tree/explore.cuh"),
        records=(BATCH,),
        constants={**{f"tally_{name}": i for name, i in COLUMN.items()}, "tallies": len(TALLIED)},
        members={"batch": "Batch*"},
        launch=Launch(threads=128, uses_shared=("explore_all",), openmp=openmp),
    )


def _flat(nodes: Nodes) -> np.ndarray:
    """Nodes by explorers and depths as rows of bytes."""
    return as_bytes(nodes.reshape(-1)).reshape(*nodes.shape, -1)


def _dense(arrays: Mapping[str, np.ndarray], levels: int, size: int) -> dict[str, np.ndarray]:
    """The intervals by explorers and depths."""
    shape = (len(arrays["depth"]), levels)
    cursors, limits = (np.zeros(shape, np.int32) for _ in range(2))
    nodes, lowers = np.zeros((*shape, size), np.uint8), np.zeros(shape, np.int64)
    e, d, cursor, limit = arrays["entries"].T
    cursors[e, d], limits[e, d], nodes[e, d], lowers[e, d] = cursor, limit, arrays["nodes"], arrays["lowers"]
    at = {name: arrays[name].copy() for name in ("depth", "base")}
    return {**at, "cursors": cursors, "limits": limits, "nodes": nodes, "lowers": lowers}


def _saved(where: Mapping[str, Any], at: Any) -> dict[str, Any]:
    """The intervals alone: what waits at which depth, `at` being all depths, and the nodes that it waits for."""
    cursors, limits, lowers = (where[name].reshape(-1, len(at)) for name in ("cursors", "limits", "lowers"))
    depth, base, nodes = (where[name] for name in ("depth", "base", "nodes"))
    flat = np.flatnonzero((cursors < limits) & (at >= base[:, None]) & (at <= depth[:, None]))
    e, d = flat // len(at), flat % len(at)
    return {
        "depth": depth.copy(),
        "base": base.copy(),
        "entries": np.stack([e, d, cursors.reshape(-1)[flat], limits.reshape(-1)[flat]], axis=1),
        "nodes": nodes.reshape(-1, nodes.shape[2])[e * nodes.shape[1] + d],
        "lowers": lowers.reshape(-1)[flat],
    }
