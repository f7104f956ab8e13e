"""Exact search for the multidimensional 0-1 knapsack problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, ClassVar, final

import numpy as np
from attrs import evolve, frozen

from metaheur.fields import Array
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.knapsack_multipliers import SCALE, lagrangian_bound, multipliers, proven, too_large
from metaheur.problems.trees.item_tree import ItemTree
from metaheur.tree.bound import Bound
from metaheur.tree.part import Fields, Node, Nodes
from metaheur.validate import whole_field

__all__ = ["Lagrangian", "MultiKnapsackTree"]

LANES = 8
"""How many numbers a vector of C++ has."""

FINENESS = 4
"""Bits of a slack that select, in a table, which sets of the last items fit."""

CELLS = 12
"""Bits of a profit that select, in a table, the first set with less profit."""

SPREAD = 30
"""Further vectors of multipliers are the best ones for capacities that differ by up to so many thousandths."""


@final
@frozen(eq=False)
class _Prepared:
    """A problem with its multipliers and its items by decreasing absolute reduced profit; ties keep their order.

    Constraints without weights are added until their number is a multiple of `LANES`, so that C++ has whole vectors.

    `u`, numpy.ndarray of int64, shape (lanes,): multipliers, times 2**SCALE. `order`, numpy.ndarray of int64, shape
    (n,): the items in the order in which they are decided. `reduced`, numpy.ndarray of int64, shape (n,): reduced
    profits p - u a, in that order, times 2**SCALE. `weights`, numpy.ndarray of int64, shape (n, lanes): in that order.
    `behind`, numpy.ndarray of int64, shape (n + 1, lanes): the negative weight of all undecided items; at least the
    negative capacity, since no slack is larger. `capacities`, numpy.ndarray of int64, shape (lanes,): what the taken
    items may weigh. `total`: the Lagrangian bound of the profit, times 2**SCALE.
    """

    u: np.ndarray
    order: np.ndarray
    reduced: np.ndarray
    weights: np.ndarray
    behind: np.ndarray
    capacities: np.ndarray
    total: int


@lru_cache(maxsize=16)
def _prepared(problem: Knapsack, iterations: int) -> _Prepared:
    u = multipliers(problem, iterations)
    reduced = (problem.profits << SCALE) - u @ problem.weights
    order = np.argsort(-np.abs(reduced), kind="stable")
    weights, capacities, padded = (
        np.pad(each, [(0, 0)] * (each.ndim - 1) + [(0, -len(u) % LANES)])
        for each in (problem.weights.T[order], problem.capacities, u)
    )
    sums = np.concatenate([np.cumsum(weights[::-1], axis=0)[::-1], np.zeros_like(weights[:1])])
    behind, total = -np.minimum(sums, capacities), lagrangian_bound(problem, u)
    return _Prepared(padded, order, reduced[order], weights, behind, capacities, total)


@final
@frozen(eq=False)
class _FurtherMultipliers:
    """Further vectors of multipliers, times 2**SCALE.

    `u`, numpy.ndarray of int64, shape (vectors, lanes): the multipliers. `reduced`, numpy.ndarray of int64, shape
    (vectors, n): reduced profits, in the order of the first vector. `totals`, numpy.ndarray of int64, shape (vectors,):
    their Lagrangian bounds of the profit.
    """

    u: np.ndarray
    reduced: np.ndarray
    totals: np.ndarray


@lru_cache(maxsize=16)
def _more(problem: Knapsack, iterations: int, vectors: int) -> _FurtherMultipliers:
    """The best multipliers for capacities that differ a little, by another share in each constraint."""
    found = []
    for v in range(1, vectors + 1):
        shift = 37 * v * np.arange(1, len(problem.capacities) + 1) % (2 * SPREAD + 1) - SPREAD
        other = evolve(problem, capacities=problem.capacities * (1000 + shift) // 1000)
        found.append(proven(problem, multipliers(other, iterations)))
    u = np.stack(found)
    reduced = (problem.profits << SCALE) - u @ problem.weights
    totals = np.array([lagrangian_bound(problem, each) for each in u], np.int64)
    padded = np.pad(u, [(0, 0), (0, -u.shape[1] % LANES)])
    return _FurtherMultipliers(padded, reduced[:, _prepared(problem, iterations).order], totals)


@final
@frozen(eq=False)
class _Sets:
    """All sets of the last items, by decreasing profit.

    `depth`: the depth at which only these items are undecided. `tail`: the sum of their positive reduced profits, times
    2**SCALE. `profits`, numpy.ndarray of int32, shape (sets,): the profit of each set. `weights`, numpy.ndarray of
    int32, shape (m, sets): the weights of each set. `coarse`: how many bits of a profit a cell leaves out. `first`,
    numpy.ndarray of int64, shape (cells + 1,): for each cell, the first set with less profit. `shifts`, numpy.ndarray
    of int64, shape (m,): how many bits of a slack its level leaves out. `fitting`, numpy.ndarray of int64, shape (m *
    2**FINENESS, words): for each constraint and each level of its slack, 64 sets in a word: whether they fit the
    largest such slack.
    """

    depth: int
    tail: int
    profits: np.ndarray
    weights: np.ndarray
    coarse: int
    first: np.ndarray
    shifts: np.ndarray
    fitting: np.ndarray


@lru_cache(maxsize=16)
def _sets(problem: Knapsack, iterations: int, last: int) -> _Sets:
    ready = _prepared(problem, iterations)
    depth = len(ready.order) - min(last, len(ready.order) // 2)
    numbers = np.zeros((1 + len(problem.capacities), 1), np.int32)
    for item in ready.order[depth:].tolist():
        own = np.append(problem.profits[item], problem.weights[:, item]).astype(np.int32)
        numbers = np.concatenate([numbers, numbers + own[:, None]], axis=1)
    numbers = np.take(numbers, np.argsort(-numbers[0], kind="stable"), axis=1)
    profits, weights = numbers[0], numbers[1:]
    coarse = max(0, int(profits[0]).bit_length() - CELLS)
    cells = np.arange((int(profits[0]) >> coarse) + 2) << coarse
    shifts = np.array([max(0, int(most).bit_length() - FINENESS) for most in weights.max(axis=1)], np.int64)
    levels, each = (weights >> shifts[:, None]).astype(np.uint8), np.arange(1 << FINENESS, dtype=np.uint8)[:, None]
    fits = np.concatenate([np.packbits(level <= each, axis=1, bitorder="little") for level in levels])
    words = np.pad(fits, [(0, 0), (0, -fits.shape[1] % 32)]).view("<i8")
    first, tail = np.searchsorted(-profits, -cells, side="right"), int(np.maximum(ready.reduced[depth:], 0).sum())
    return _Sets(depth, tail, profits, weights, coarse, first, shifts, words)


@final
@frozen
class MultiKnapsackTree(ItemTree):
    """Decide the items by decreasing absolute reduced profit; the first child agrees with the relaxation.

    The constraints are relaxed with one vector of multipliers, the same at all nodes; they are integers, so that bounds
    are exact on every device. The fields of a node are the bound that the relaxation has `left`; the `slack` of each
    constraint; the part of it that is `idle`, times the multipliers, since all undecided items together cannot fill it;
    and the `most` profit that it can lead to. That is `left` less `idle`; if few items are undecided, it is the profit
    of the best solution: all sets of them are listed by decreasing profit, and the first one that fits is best.

    Parameters
    ----------
    iterations : int, default 2000
        Steps of the subgradient method that finds the multipliers.
    vectors : int, default 1
        Vectors of multipliers. Each gives a bound, and the least bound counts. They cost time at every node, and pay if
        there are many constraints.
    last : int, default 14
        How many items the table of their sets decides at once, at most half of all. The table has 2**last entries: each
        further item makes it twice as large, and the tree of a hard problem about two thirds as large.

    Notes
    -----
    S. Boussier, M. Vasquez, Y. Vimont, S. Hanafi and P. Michelon, "A multi-level search strategy for the 0-1
    multidimensional knapsack problem", Discrete Applied Mathematics 158, 2010: the lowest level of their search
    enumerates, too.
    """

    iterations: int = whole_field(0, default=2000)
    vectors: int = whole_field(1, 64, default=1)
    last: int = whole_field(0, 20, default=14)

    source: ClassVar[str] = "multi_knapsack_tree.cuh"

    @property
    def bound(self) -> Bound[Knapsack]:
        return Lagrangian()

    def _sets(self, problem: Knapsack) -> _Sets:
        return _sets(problem, self.iterations, self.last)

    def order(self, problem: Knapsack) -> np.ndarray:
        return _prepared(problem, self.iterations).order

    def reason_against_items(self, problem: Knapsack) -> str:
        return too_large(problem)

    def node(self, problem: Knapsack) -> Mapping[str, Array]:
        ready = _prepared(problem, self.iterations)
        room = int(ready.u @ ready.capacities)
        lost = int(np.abs(ready.reduced).sum()) + room
        largest = max(int(ready.capacities.max()), int(ready.weights.max()))
        return {
            "left": Array((), "int32" if max(ready.total, lost - ready.total) < 2**31 else "int64"),
            "idle": Array((), "int32" if room < 2**31 else "int64"),
            "most": Array((), "int32"),
            "slack": Array((len(ready.u),), "int16" if largest < 2**15 else "int32"),
            "taken": self.taken(problem),
            **({"more": Array((self.vectors - 1,), "int64")} if self.vectors > 1 else {}),
        }

    def root(self, problem: Knapsack) -> Fields:
        ready = _prepared(problem, self.iterations)
        root = {"left": np.array([ready.total]), "slack": ready.capacities[None]}
        if self.vectors > 1:
            root["more"] = _more(problem, self.iterations, self.vectors - 1).totals[None]
        root |= self._bounded(problem, root, 0, np.array([2**31 - 1]))
        return {name: values[0] for name, values in root.items()}

    def child(self, problem: Knapsack, node: Node, depth: int, k: int) -> Fields | None:
        fields, there = self._made(problem, {name: np.array(node[name])[None] for name in self.node(problem)}, depth, k)
        return {name: values[0] for name, values in fields.items()} if there[0] else None

    def children(self, problem: Knapsack, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        return self._made(problem, nodes, depth, k)

    def toward(self, problem: Knapsack, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """Child 0 takes or leaves the item as the relaxation does."""
        wanted = bool(_prepared(problem, self.iterations).reduced[depth] > 0)
        found: np.ndarray = (self.takes(nodes, depth) != wanted).astype(np.int64)
        return found

    def _made(self, problem: Knapsack, nodes: Any, depth: int, k: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
        ready = _prepared(problem, self.iterations)
        reduced = int(ready.reduced[depth])
        take = (reduced > 0) == (k == 0)
        left, slack = (nodes[name].astype(np.int64) for name in ("left", "slack"))
        left -= abs(reduced) if k else 0
        taken = nodes["taken"].copy()
        if take:
            slack -= ready.weights[depth]
            taken[:, depth // 32] |= np.uint32(1 << depth % 32)
        there = (slack >= 0).all(axis=1)
        made = {"left": left, "slack": slack, "taken": taken}
        if self.vectors > 1:
            gain = _more(problem, self.iterations, self.vectors - 1).reduced[:, depth]
            made["more"] = nodes["more"] - np.maximum(-gain if take else gain, 0)
        return made | self._bounded(problem, made, depth + 1, nodes["most"].astype(np.int64)), there

    def _bounded(self, problem: Knapsack, nodes: Fields, depth: int, most: np.ndarray) -> dict[str, np.ndarray]:
        """The `idle` and the `most` of nodes at a depth; a node's `most` is not above that of its father."""
        ready = _prepared(problem, self.iterations)
        left, over = nodes["left"], np.maximum(nodes["slack"] + ready.behind[depth], 0)
        idle = over @ ready.u
        most = np.minimum(most, (left - idle) >> SCALE)
        if self.vectors > 1:
            u = _more(problem, self.iterations, self.vectors - 1).u
            most = np.minimum(most, ((nodes["more"] - over @ u.T) >> SCALE).min(axis=1))
        if depth == self._sets(problem).depth:
            most = self._completed(problem, nodes, most)
        return {"idle": idle, "most": most}

    def _completed(self, problem: Knapsack, nodes: Fields, most: np.ndarray) -> np.ndarray:
        """The best profits that nodes reach with a set of the last items."""
        ready, sets = _prepared(problem, self.iterations), self._sets(problem)
        slack = nodes["slack"][:, : len(sets.weights)]
        there = np.flatnonzero((slack >= 0).all(axis=1))
        decided = (nodes["left"] - nodes["slack"] @ ready.u - sets.tail) >> SCALE
        cells = np.minimum(((most - decided) >> sets.coarse) + 1, len(sets.first) - 1)
        best = most.copy()
        for i in there.tolist():
            begin, count = sets.first[cells[i]], 256
            while not (fits := (sets.weights[:, begin : begin + count] <= slack[i, :, None]).all(axis=0)).any():
                begin, count = begin + count, 2 * count
            best[i] = decided[i] + sets.profits[begin + fits.argmax()]
        return best

    def tables(self, problem: Knapsack) -> Mapping[str, np.ndarray]:
        """For each item, in the order of decisions, `sides`: its weights, and then `behind` of what was prepared.

        `reduced` and the multipliers `u`, as prepared. Of the sets of the last items `tail`, `profits`, `weights`,
        `first`, `shifts` and `fitting`. Of further vectors the multipliers, `more`, and the reduced profits,
        `more_reduced`.
        """
        ready, sets = _prepared(problem, self.iterations), self._sets(problem)
        tables = {
            "sides": np.concatenate([ready.weights, ready.behind[1:]], axis=1),
            "reduced": ready.reduced,
            "u": ready.u,
            "tail": np.array([sets.tail]),
            "profits": sets.profits,
            "weights": sets.weights.T,
            "first": sets.first,
            "shifts": sets.shifts,
            "fitting": sets.fitting,
        }
        if self.vectors == 1:
            return tables
        more = _more(problem, self.iterations, self.vectors - 1)
        return {**tables, "more": more.u, "more_reduced": more.reduced}

    def constants(self, problem: Knapsack) -> Mapping[str, int | bool]:
        """The `scale` of multipliers; the numbers of `constraints`, of `lanes` and of `others`, the further vectors.

        The depth `completing`, at which only the last items are undecided; `coarse`, how many bits of a profit `first`
        leaves out; and the greatest level of a slack, `loose`.
        """
        ready, sets = _prepared(problem, self.iterations), self._sets(problem)
        return {
            "scale": SCALE,
            "constraints": len(problem.capacities),
            "lanes": len(ready.u),
            "others": self.vectors - 1,
            "completing": sets.depth,
            "coarse": sets.coarse,
            "loose": (1 << FINENESS) - 1,
        }


@final
@frozen
class Lagrangian(Bound[Knapsack]):
    """The bound that `MultiKnapsackTree` keeps in its nodes: Lagrangian; the best profit if few items are undecided.

    Notes
    -----
    B. Gavish and H. Pirkul, "Efficient algorithms for solving multiconstraint zero-one knapsack problems to
    optimality", Mathematical Programming 31, 1985.
    """

    source: ClassVar[str] = "lagrangian.cuh"

    def lower(self, problem: Knapsack, node: Node, depth: int) -> int:
        return -int(node["most"])

    def lowers(self, problem: Knapsack, nodes: Nodes, depth: int) -> np.ndarray:
        lowers: np.ndarray = -nodes["most"].astype(np.int64)
        return lowers
