"""Exact search for the quadratic assignment problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.qap import QAP
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.part import NO_COST, Fields, Node, Nodes

__all__ = ["GilmoreLawler", "QAPTree"]

LARGEST = 32
"""The largest number of facilities: each thread keeps a matrix with as many rows and columns."""


@final
@frozen
class QAPTree(Branching[QAP]):
    """Give each facility a location, one after the other; facilities with the largest flows come first.

    A node has the `places` of the facilities in their order, of which the first `depth` are decided, and the `fixed`
    cost between these.
    """

    source: ClassVar[str] = "qap_tree.cuh"

    @property
    def bound(self) -> Bound[QAP]:
        return GilmoreLawler()

    def reason_against(self, problem: Problem) -> str:
        if not isinstance(problem, QAP):
            return f"QAPTree divides the solutions of a QAP, but this is a {type(problem).__name__}."
        if len(problem.a) > LARGEST:
            return f"QAPTree takes up to {LARGEST} facilities, but this QAP has {len(problem.a)}."
        if (least := min(problem.a.min(), problem.b.min())) < 0:
            return f"QAPTree takes flows and distances from 0 on, but the least is {least}."
        return ""

    def levels(self, problem: QAP) -> int:
        return len(problem.a)

    def arity(self, problem: QAP, depth: int) -> int:
        return len(problem.a) - depth

    def node(self, problem: QAP) -> Mapping[str, Array]:
        return {"fixed": Array((), "int64"), "places": Array((len(problem.a),), "uint8")}

    def root(self, problem: QAP) -> Fields:
        return {"places": np.arange(len(problem.a))}

    def child(self, problem: QAP, node: Node, depth: int, k: int) -> Fields | None:
        a, b = _ordered(problem)
        places = np.array(node["places"])
        places[depth], places[depth + k] = places[depth + k], places[depth]
        new, before = int(places[depth]), places[:depth].astype(np.int64)
        added = int(a[depth, depth] * b[new, new])
        added += int(a[depth, :depth] @ b[new, before] + a[:depth, depth] @ b[before, new])
        return {"fixed": int(node["fixed"]) + added, "places": places}

    def children(self, problem: QAP, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        a, b = _ordered(problem)
        places = nodes["places"].astype(np.int64)
        places[:, [depth, depth + k]] = places[:, [depth + k, depth]]
        new, before = places[:, depth, None], places[:, :depth]
        added = (a[depth, :depth] * b[new, before] + a[:depth, depth] * b[before, new]).sum(axis=1)
        added += a[depth, depth] * b[new, new][:, 0]
        return {"fixed": nodes["fixed"] + added, "places": places}, np.ones(len(nodes), bool)

    def toward(self, problem: QAP, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """The numbers of the children that take the nodes' next places."""
        found: np.ndarray = (fathers["places"][:, depth:] == nodes["places"][:, depth, None]).argmax(axis=1)
        return found

    def solution(self, problem: QAP, node: Node) -> Solution:
        x = np.zeros(len(problem.a), problem.representation.dtype)
        x[_order(problem)] = node["places"]
        return x

    def tables(self, problem: QAP) -> Mapping[str, np.ndarray]:
        """The matrices `a`, in the order of decisions, and `b`."""
        a, b = _ordered(problem)
        return {"a": a, "b": b}


def _order(problem: QAP) -> np.ndarray:
    """The facilities by decreasing sum of their flows; among equals the lowest index comes first."""
    a = problem.a.astype(object)  # if all distances are 0, int64 may not hold the sums
    return np.argsort(-(a.sum(axis=0) + a.sum(axis=1)), kind="stable")


@lru_cache(maxsize=16)
def _ordered(problem: QAP) -> tuple[np.ndarray, np.ndarray]:
    order = _order(problem)
    return np.ascontiguousarray(problem.a[np.ix_(order, order)]), problem.b


@final
@frozen
class GilmoreLawler(Bound[QAP]):
    """The fixed cost, and a linear assignment of the least costs of each free facility at each free location.

    Among free facilities, the least cost is the product of a row of flows, ascending, and a row of distances,
    descending.

    Notes
    -----
    A cost is below 2**62 (`QAP`), and so is each entry of the assignment and its optimum, as flows and distances are
    from 0 on. The dual variables of the assignment are in 0 ... 2**62 for rows and in -2**62 ... 0 for columns, so that
    reduced costs fit into int64.

    P. C. Gilmore, "Optimal and suboptimal algorithms for the quadratic assignment problem", Journal of the SIAM 10,
    1962; E. L. Lawler, "The quadratic assignment problem", Management Science 9, 1963.
    """

    source: ClassVar[str] = "gilmore_lawler.cuh"

    def lower(self, problem: QAP, node: Node, depth: int) -> int:
        a, b = _ordered(problem)
        places, free = np.asarray(node["places"]).astype(np.int64), range(depth, len(a))
        before, after = places[:depth], places[depth:]
        costs = [[_least((a, b), before, after, (i, place)) for place in after.tolist()] for i in free]
        return int(node["fixed"]) + (assignment(costs) if costs else 0)

    def tables(self, problem: QAP) -> Mapping[str, np.ndarray]:
        """The indices that sort each row: `flows` ascending, `distances` descending."""
        a, b = _ordered(problem)
        return {"flows": np.argsort(a, axis=1, kind="stable"), "distances": np.argsort(-b, axis=1, kind="stable")}

    def constants(self, problem: QAP) -> Mapping[str, int | bool]:
        """The number of facilities, `size`."""
        return {"size": len(problem.a)}


def _least(
    matrices: tuple[np.ndarray, np.ndarray], before: np.ndarray, after: np.ndarray, pair: tuple[int, int]
) -> int:
    """The least cost of a free facility at a free location; locations `before` are taken, those `after` are free."""
    (a, b), depth, (i, place) = matrices, len(before), pair
    known = int(a[i, i] * b[place, place] + a[i, :depth] @ b[place, before] + a[:depth, i] @ b[before, place])
    flows = sorted(int(a[i, j]) for j in range(depth, len(a)) if j != i)
    distances = sorted((int(b[place, other]) for other in after if other != place), reverse=True)
    return known + sum(flow * distance for flow, distance in zip(flows, distances, strict=True))


def assignment(costs: list[list[int]]) -> int:
    """The least sum of entries of a square matrix, one of each row and column, by shortest augmenting paths.

    H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2, 1955; as of
    J. Edmonds and R. M. Karp, 1972, O(n^3).
    """
    n = len(costs)
    of_row, of_column, taken_by = [0] * (n + 1), [0] * (n + 1), [0] * (n + 1)
    for row in range(1, n + 1):
        taken_by[0], column = row, 0
        slack, came_from, seen = [NO_COST] * (n + 1), [0] * (n + 1), [False] * (n + 1)
        while taken_by[column]:
            seen[column] = True
            here, step, following = taken_by[column], NO_COST, 0
            for j in range(1, n + 1):
                if not seen[j]:
                    reduced = costs[here - 1][j - 1] - of_row[here] - of_column[j]
                    if reduced < slack[j]:
                        slack[j], came_from[j] = reduced, column
                    if slack[j] < step:
                        step, following = slack[j], j
            for j in range(n + 1):
                if seen[j]:
                    of_row[taken_by[j]] += step
                    of_column[j] -= step
                else:
                    slack[j] -= step
            column = following
        while column:
            taken_by[column] = taken_by[came_from[column]]
            column = came_from[column]
    return -of_column[0]
