"""Exact search for the permutation flow shop problem with makespan."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.flow_shop import FlowShop
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.part import Fields, Node, Nodes

__all__ = ["FlowShopTree", "OneMachine", "Times", "TwoMachines", "reason_against", "times_of"]

MOST_JOBS = 2**15 - 1
"""The most jobs: a node keeps their numbers in 16 bits."""


@final
@frozen(eq=False)
class Times:
    """Processing times in the direction of the tree, and what follows from them.

    `times`, numpy.ndarray of int64, shape (n, m): of each job on each machine; backward the machines are in reverse
    order. `heads`, `tails`, numpy.ndarray of int64, shape (m,): the least time that a job spends before each machine,
    and behind it.
    """

    times: np.ndarray
    heads: np.ndarray
    tails: np.ndarray


@lru_cache(maxsize=32)
def times_of(problem: FlowShop, backward: bool = False) -> Times:
    """The times forward, or backward."""
    times = np.ascontiguousarray(problem.times[:, ::-1] if backward else problem.times)
    ends = np.cumsum(times, axis=1)
    return Times(times, (ends - times).min(axis=0), (ends[:, -1:] - ends).min(axis=0))


def reason_against(name: str, problem: Problem) -> str:
    """Why the tree of that name does not fit a problem, in words; "" if it does.

    Every number of a node and of a bound is a sum of different times: int32 holds it if it holds the sum of all times.
    """
    if not isinstance(problem, FlowShop):
        return f"{name} divides the solutions of a FlowShop, but this is a {type(problem).__name__}."
    if problem.due_dates is not None:
        return f"{name} bounds the makespan, but this FlowShop has due dates.\nMaybe leave them out."
    if problem.release_times is not None:
        return f"{name} bounds makespans of jobs that may begin at once, but this FlowShop has release times."
    if len(problem.times) > MOST_JOBS:
        return f"{name} takes up to {MOST_JOBS:,} jobs, but this FlowShop has {len(problem.times):,}."
    total = sum(problem.times.sum(axis=1).tolist())  # a job's times are below 2**60 together, all times may be above
    if total >= 2**31:
        return (
            f"The times add up to {total}, beyond the int32 that a node keeps.\nMaybe divide them by a common factor."
        )
    return ""


@final
@frozen
class FlowShopTree(Branching[FlowShop]):
    """Append the jobs one after the other, from the front; or, backward, from the end.

    A node has an `order` of the jobs, of which the first `depth` are decided; the time when each machine is done with
    these (`front`); and how long each machine is busy with all others (`remain`).

    Parameters
    ----------
    backward : bool, default False
        Whether the last job is decided first.

    Notes
    -----
    E. Ignall and L. Schrage, "Application of the branch and bound technique to some flow-shop scheduling problems",
    Operations Research 13, 1965.
    """

    backward: bool = False

    source: ClassVar[str] = "flow_shop_tree.cuh"

    @property
    def bound(self) -> Bound[FlowShop]:
        return OneMachine(self.backward)

    def reason_against(self, problem: Problem) -> str:
        return reason_against(type(self).__name__, problem)

    def levels(self, problem: FlowShop) -> int:
        return len(problem.times)

    def arity(self, problem: FlowShop, depth: int) -> int:
        return len(problem.times) - depth

    def node(self, problem: FlowShop) -> Mapping[str, Array]:
        n, m = problem.times.shape
        return {
            "front": Array((m,), "int32"),
            "remain": Array((m,), "int32"),
            "decided": Array(((n + 31) // 32,), "uint32"),
            "order": Array((n,), "uint8" if n <= 256 else "int16"),
        }

    def root(self, problem: FlowShop) -> Fields:
        known = times_of(problem, self.backward)
        return {"front": known.heads, "remain": known.times.sum(axis=0), "order": np.arange(len(known.times))}

    def child(self, problem: FlowShop, node: Node, depth: int, k: int) -> Fields | None:
        times = times_of(problem, self.backward).times
        order, decided = np.array(node["order"]), np.array(node["decided"])
        job = int(order[depth + k])
        order[depth + k], order[depth] = order[depth], job
        decided[job // 32] |= np.uint32(1 << job % 32)
        front = np.array(node["front"], np.int64) if depth else np.zeros(times.shape[1], np.int64)
        ready = 0
        for machine, time in enumerate(times[job].tolist()):
            ready = front[machine] = max(ready, int(front[machine])) + time
        return {"front": front, "remain": node["remain"] - times[job], "decided": decided, "order": order}

    def children(self, problem: FlowShop, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        times, rows = times_of(problem, self.backward).times, np.arange(len(nodes))
        order, decided = nodes["order"].copy(), nodes["decided"].copy()
        jobs = order[:, depth + k].astype(np.int64)
        order[:, depth + k], order[:, depth] = order[:, depth], jobs
        decided[rows, jobs // 32] |= np.uint32(1) << (jobs % 32).astype(np.uint32)
        front = nodes["front"].astype(np.int64) * bool(depth)
        ready = np.zeros(len(nodes), np.int64)
        for machine in range(times.shape[1]):
            ready = front[:, machine] = np.maximum(ready, front[:, machine]) + times[jobs, machine]
        fields = {"front": front, "remain": nodes["remain"] - times[jobs], "decided": decided, "order": order}
        return fields, np.ones(len(nodes), bool)

    def toward(self, problem: FlowShop, fathers: Nodes, nodes: Nodes, depth: int) -> np.ndarray:
        """The numbers of the children in which the nodes' next jobs follow."""
        found: np.ndarray = (fathers["order"][:, depth:] == nodes["order"][:, depth, None]).argmax(axis=1)
        return found

    def solution(self, problem: FlowShop, node: Node) -> Solution:
        order = np.array(node["order"], problem.representation.dtype)
        return order[::-1] if self.backward else order

    def tables(self, problem: FlowShop) -> Mapping[str, np.ndarray]:
        """`times` in the direction of the tree, by jobs and by machines."""
        times = times_of(problem, self.backward).times
        return {"times": times, "by_machine": np.ascontiguousarray(times.T)}

    def constants(self, problem: FlowShop) -> Mapping[str, int | bool]:
        """The number of `machines`."""
        return {"machines": problem.times.shape[1]}


@final
@frozen
class OneMachine(Bound[FlowShop]):
    """LB1: each machine is busy with all undecided jobs, and then the shortest tail follows.

    Parameters
    ----------
    backward : bool, default False
        As `backward` of the tree.

    Notes
    -----
    B. J. Lageweg, J. K. Lenstra and A. H. G. Rinnooy Kan, "A general bounding scheme for the permutation flow-shop
    problem", Operations Research 26, 1978.
    """

    backward: bool = False

    source: ClassVar[str] = "one_machine.cuh"

    def lower(self, problem: FlowShop, node: Node, depth: int) -> int:
        tails, done, lower = times_of(problem, self.backward).tails, 0, 0
        for machine, tail in enumerate(tails.tolist()):
            done = max(done, int(node["front"][machine]) + int(node["remain"][machine]))
            lower = max(lower, done + tail)
        return lower

    def lowers(self, problem: FlowShop, nodes: Nodes, depth: int) -> np.ndarray:
        ends = np.maximum.accumulate(nodes["front"].astype(np.int64) + nodes["remain"], axis=1)
        lowers: np.ndarray = (ends + times_of(problem, self.backward).tails).max(axis=1)
        return lowers

    def tables(self, problem: FlowShop) -> Mapping[str, np.ndarray]:
        """`tails`, the least time that a job spends behind each machine."""
        return {"tails": times_of(problem, self.backward).tails}


@lru_cache(maxsize=8)
def _johnson(problem: FlowShop, backward: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All pairs of machines; the order of the jobs on each pair by Johnson's rule; each job's time between the two."""
    times = times_of(problem, backward).times
    n, m = times.shape
    pairs = np.array(list(combinations(range(m), 2)), np.int64).reshape(-1, 2)
    sums = np.concatenate([np.zeros((n, 1), np.int64), np.cumsum(times, axis=1)], axis=1)
    lags = np.stack([sums[:, b] - sums[:, a + 1] for a, b in pairs.tolist()]) if m > 1 else np.zeros((0, n), np.int64)
    orders = []
    for (a, b), lag in zip(pairs.tolist(), lags, strict=True):
        first, second = times[:, a] + lag, times[:, b] + lag
        early = [job for job in range(n) if first[job] < second[job]]
        late = [job for job in range(n) if first[job] >= second[job]]
        orders.append(sorted(early, key=lambda job: first[job]) + sorted(late, key=lambda job: -second[job]))
    return pairs, np.array(orders, np.int64).reshape(len(pairs), n), lags


@final
@frozen
class TwoMachines(Bound[FlowShop]):
    """LB2: the undecided jobs in the best order on each pair of machines, and then the shortest tail.

    Parameters
    ----------
    backward : bool, default False
        As `backward` of the tree.

    Notes
    -----
    S. M. Johnson, "Optimal two- and three-stage production schedules with setup times included", Naval Research
    Logistics Quarterly 1, 1954; Lageweg, Lenstra and Rinnooy Kan 1978. With a single machine it is LB1.
    """

    backward: bool = False

    source: ClassVar[str] = "two_machines.cuh"

    def lower(self, problem: FlowShop, node: Node, depth: int) -> int:
        known = times_of(problem, self.backward)
        pairs, orders, lags = _johnson(problem, self.backward)
        left = set(np.asarray(node["order"])[depth:].tolist())
        lower = OneMachine(self.backward).lower(problem, node, depth) if not len(pairs) else 0
        for (a, b), order, lag in zip(pairs.tolist(), orders.tolist(), lags.tolist(), strict=True):
            first, second = int(node["front"][a]), int(node["front"][b])
            for job in order:
                if job in left:
                    first += int(known.times[job, a])
                    second = max(second, first + lag[job]) + int(known.times[job, b])
            lower = max(lower, first + int(known.tails[a]), second + int(known.tails[b]))
        return lower

    def lowers(self, problem: FlowShop, nodes: Nodes, depth: int) -> np.ndarray:
        known = times_of(problem, self.backward)
        pairs, orders, lags = _johnson(problem, self.backward)
        if not len(pairs):
            return OneMachine(self.backward).lowers(problem, nodes, depth)
        left = np.zeros((len(nodes), len(known.times)), bool)
        np.put_along_axis(left, nodes["order"][:, depth:].astype(np.int64), True, axis=1)
        lowers = np.zeros(len(nodes), np.int64)
        for (a, b), order, lag in zip(pairs.tolist(), orders.tolist(), lags, strict=True):
            first, second = nodes["front"][:, a].astype(np.int64), nodes["front"][:, b].astype(np.int64)
            for job in order:
                first = first + left[:, job] * known.times[job, a]
                then = np.maximum(second, first + lag[job]) + known.times[job, b]
                second = np.where(left[:, job], then, second)
            lowers = np.maximum(lowers, np.maximum(first + known.tails[a], second + known.tails[b]))
        return lowers

    def tables(self, problem: FlowShop) -> Mapping[str, np.ndarray]:
        """`tails`; the `pairs` of machines, and for each pair the `jobs` in Johnson's order and their `lags`."""
        pairs, orders, lags = _johnson(problem, self.backward)
        if not len(pairs):
            pairs, orders, lags = (np.zeros((1, 1), np.int64) for _ in range(3))
        by_ranks = np.take_along_axis(lags, orders, axis=1)
        return {"tails": times_of(problem, self.backward).tails, "pairs": pairs, "jobs": orders, "lags": by_ranks}

    def constants(self, problem: FlowShop) -> Mapping[str, int | bool]:
        """The `count` of pairs."""
        return {"count": problem.times.shape[1] * (problem.times.shape[1] - 1) // 2}
