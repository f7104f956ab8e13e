"""Exact search for the permutation flow shop problem from both ends of the sequence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.flow_shop import FlowShop
from metaheur.problems.trees.flow_shop_tree import reason_against, times_of
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.part import NO_COST, Fields, Node, Nodes
from metaheur.validate import whole_field

__all__ = ["BothEnds", "TwoEndedFlowShopTree"]


@final
@frozen
class TwoEndedFlowShopTree(Branching[FlowShop]):
    """Decide at each node whether the next job goes behind those at the front or before those at the end.

    The bounds are those of `BothEnds`. The job goes to the side on which fewer children have a bound below
    `pruned_from`; if both sides have as many, to the side with the larger sum of these bounds; if the sums are equal,
    too, to the front. The choice depends on the node alone, so that all devices search the same tree.

    A node has an `order` of the jobs, of which the first `first` and the last `depth` - `first` are decided; the time
    when each machine is done with the former (`front`); the time from when it begins with the latter to the end
    (`back`); how long it is busy with all others (`remain`); and whether the next job goes to the end (`at_end`).

    Parameters
    ----------
    pruned_from : int, optional
        Children count as open if their bounds are below this cost, such as that of the first solution ("MinBranch" in
        the source). None counts all as open, so that the sums alone decide ("MaxSum").

    Notes
    -----
    J. Gmys, M. Mezmaz, N. Melab and D. Tuyttens, "A computationally efficient branch-and-bound algorithm for the
    permutation flow-shop scheduling problem", European Journal of Operational Research 284, 2020.
    """

    pruned_from: int | None = whole_field(0, default=None)

    source: ClassVar[str] = "two_ended_flow_shop_tree.cuh"

    @property
    def bound(self) -> Bound[FlowShop]:
        return BothEnds()

    def reason_against(self, problem: Problem) -> str:
        return reason_against(type(self).__name__, problem)

    def levels(self, problem: FlowShop) -> int:
        return len(problem.times)

    def arity(self, problem: FlowShop, depth: int) -> int:
        return len(problem.times) - depth

    def node(self, problem: FlowShop) -> Mapping[str, Array]:
        n, m = problem.times.shape
        return {
            **{name: Array((m,), "int32") for name in ("front", "back", "remain")},
            "order": Array((n,), "uint8" if n <= 256 else "int16"),
            "first": Array((), "int16"),
            "at_end": Array((), "uint8"),
        }

    def root(self, problem: FlowShop) -> Fields:
        known, n = times_of(problem), len(problem.times)
        root = {"front": known.heads, "back": known.tails, "remain": known.times.sum(axis=0), "first": 0}
        root["order"] = np.arange(n)
        rows = {name: np.asarray(value)[None] for name, value in root.items()}
        return {**root, "at_end": self._at_end(problem, rows, 0)[0]}

    def child(self, problem: FlowShop, node: Node, depth: int, k: int) -> Fields | None:
        rows = {name: np.asarray(node[name])[None] for name in self.node(problem)}
        return {name: values[0] for name, values in self._made(problem, rows, depth, k).items()}

    def children(self, problem: FlowShop, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        return self._made(problem, nodes, depth, k), np.ones(len(nodes), bool)

    def _made(self, problem: FlowShop, nodes: Any, depth: int, k: int) -> Fields:
        first, at_end = nodes["first"].astype(np.int64), nodes["at_end"].astype(bool)
        rows, order = np.arange(len(first)), nodes["order"].copy()
        place = np.where(at_end, len(problem.times) - 1 - (depth - first), first)
        jobs = order[rows, first + k].astype(np.int64)
        order[rows, first + k], order[rows, place] = order[rows, place], jobs
        times = problem.times[jobs]
        front = np.where(at_end[:, None], nodes["front"], _behind(times, nodes["front"]))
        back = np.where(at_end[:, None], _behind(times[:, ::-1], nodes["back"][:, ::-1])[:, ::-1], nodes["back"])
        made = {"front": front, "back": back, "remain": nodes["remain"] - times, "first": first + ~at_end}
        made["order"] = order
        return {**made, "at_end": self._at_end(problem, made, depth + 1)}

    def _at_end(self, problem: FlowShop, nodes: Fields, depth: int) -> np.ndarray:
        """Whether the next job of each node goes to the end; false for complete nodes."""
        free = nodes["first"][:, None] + np.arange(len(problem.times) - depth)
        times = problem.times[np.take_along_axis(nodes["order"], free, axis=1).astype(np.int64)]
        front, back, remain = (np.asarray(nodes[name], np.int64) for name in ("front", "back", "remain"))
        limit = NO_COST if self.pruned_from is None else self.pruned_from
        forward = _bounds(times, front, remain + back)
        backward = _bounds(times[..., ::-1], back[:, ::-1], (remain + front)[:, ::-1])
        fewer = (forward < limit).sum(axis=1) - (backward < limit).sum(axis=1)
        sums = [np.where(lowers < limit, lowers, 0).sum(axis=1) for lowers in (forward, backward)]
        at_end: np.ndarray = (fewer > 0) | (fewer == 0) & (sums[1] > sums[0])
        return at_end

    def toward(self, problem: FlowShop, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """The numbers of the children that take the nodes' next jobs, on the side where the fathers' next job goes."""
        n, first, rows = len(problem.times), fathers["first"].astype(np.int64), np.arange(len(nodes))
        jobs = nodes["order"][rows, np.where(fathers["at_end"], n - 1 - (depth - first), first)]
        free = np.take_along_axis(fathers["order"], first[:, None] + np.arange(n - depth), axis=1)
        found: np.ndarray = (free == jobs[:, None]).argmax(axis=1)
        return found

    def solution(self, problem: FlowShop, node: Node) -> Solution:
        return np.array(node["order"], problem.representation.dtype)

    def tables(self, problem: FlowShop) -> Mapping[str, np.ndarray]:
        """The `times`, and the same `by_machine`."""
        return {"times": problem.times, "by_machine": np.ascontiguousarray(problem.times.T)}

    def constants(self, problem: FlowShop) -> Mapping[str, int | bool]:
        """The number of `machines`."""
        return {"machines": problem.times.shape[1]}


def _behind(times: np.ndarray, busy: np.ndarray) -> np.ndarray:
    """The time when each machine, which is busy before, is done with one more job.

    `times`, `busy`, int, shape (rows, m): the times of the job, and until when the machines are busy; in the order in
    which the job passes them.
    """
    done, ready = np.empty(times.shape, np.int64), np.zeros(len(times), np.int64)
    for machine in range(times.shape[1]):
        ready = done[:, machine] = np.maximum(ready, busy[:, machine]) + times[:, machine]
    return done


def _bounds(times: np.ndarray, busy: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """The bounds of nodes after one more job is decided.

    `times`, int, shape (rows, jobs, m): the times of each job that may be the next. `busy`, `rest`, int, shape (rows,
    m): until when each machine is busy; how much time follows there, with the time of this job. Returns int64, shape
    (rows, jobs): for each job, the largest bound of a machine.
    """
    ready = lowers = np.zeros(times.shape[:2], np.int64)
    for machine in range(times.shape[2]):
        start = np.maximum(ready, busy[:, machine, None])
        lowers = np.maximum(lowers, start + rest[:, machine, None])
        ready = start + times[:, :, machine]
    return lowers


@final
@frozen
class BothEnds(Bound[FlowShop]):
    """LB1 between two ends: each machine is done with the front, then busy with all others, then follows the end.

    Notes
    -----
    Gmys, Mezmaz, Melab and Tuyttens 2020; after Lageweg, Lenstra and Rinnooy Kan 1978.
    """

    source: ClassVar[str] = "both_ends.cuh"

    def lower(self, problem: FlowShop, node: Node, depth: int) -> int:
        return int(np.sum([np.asarray(node[name], np.int64) for name in ("front", "remain", "back")], axis=0).max())

    def lowers(self, problem: FlowShop, nodes: Nodes, depth: int) -> np.ndarray:
        lowers: np.ndarray = (nodes["front"].astype(np.int64) + nodes["remain"] + nodes["back"]).max(axis=1)
        return lowers
