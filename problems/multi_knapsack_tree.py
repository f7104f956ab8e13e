"""Exact search for the multidimensional 0-1 knapsack problem."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.problems.knapsack import Knapsack
from metaheur.representation import Solution
from metaheur.tree.bound import Bound
from metaheur.tree.branching import Branching
from metaheur.tree.part import Fields, Node, Nodes
from metaheur.validate import whole_field

__all__ = ["Lagrangian", "MultiKnapsackTree", "multipliers"]

SCALE = 16
"""Bits of the multipliers behind the point."""

FINE = 24
"""The same while they are looked for."""

PATIENCE = 20
"""Steps without a better bound after which they become shorter."""


@final
@frozen(eq=False)
class _Prepared:
    """A problem with its multipliers, the items by decreasing absolute reduced cost, the first index first.

    Parameters
    ----------
    u : numpy.ndarray of int64, shape (m,)
        Multipliers, times 2**SCALE.
    order : numpy.ndarray of int64, shape (n,)
        Which item is decided when.
    reduced : numpy.ndarray of int64, shape (n,)
        Reduced profits p - u a in that order, times 2**SCALE.
    weights : numpy.ndarray of int64, shape (n, m)
        In that order.
    rest : numpy.ndarray of int64, shape (n + 1, m)
        What all items weigh that are not decided yet.
    total : int
        The Lagrangian bound of the profit, times 2**SCALE.
    """

    u: np.ndarray
    order: np.ndarray
    reduced: np.ndarray
    weights: np.ndarray
    rest: np.ndarray
    total: int


def multipliers(problem: Knapsack, iterations: int = 2000) -> np.ndarray:
    """Multipliers of the constraints that nearly minimise the Lagrangian bound, by a deflected subgradient method.

    Any multipliers from 0 on give a valid bound.

    Parameters
    ----------
    problem : Knapsack
        With any number of constraints.
    iterations : int, default 2000
        Steps.

    Returns
    -------
    numpy.ndarray of int64, shape (m,)
        Times 2**16.

    Notes
    -----
    P. M. Camerini, L. Fratta and F. Maffioli, "On improving relaxation methods by modified gradient techniques",
    Mathematical Programming Study 3, 1975.
    """
    weights, capacities = problem.weights, problem.capacities
    profits = problem.profits << FINE
    u, direction, pace, since = np.zeros(len(capacities), np.int64), np.zeros(len(capacities)), 1.0, 0
    bound = best = _bound(problem, u, FINE)
    best_u, low = u, _greedy(problem) << FINE
    for _ in range(iterations):
        direction = capacities - weights @ (profits - u @ weights > 0) + 0.9 * direction
        size = float(direction @ direction)
        if not size:
            break
        u = np.maximum(0, u - np.rint(pace * float(bound - low) / size * direction).astype(np.int64))
        bound, since = _bound(problem, u, FINE), since + 1
        if bound < best:
            best, best_u, since = bound, u, 0
        if since == PATIENCE:
            since, pace = 0, 0.8 * pace
    rounded: np.ndarray = (best_u + (1 << (FINE - SCALE - 1))) >> (FINE - SCALE)
    return rounded


def _bound(problem: Knapsack, u: np.ndarray, scale: int) -> int:
    """The Lagrangian bound of the profit, times 2**scale."""
    reduced = (problem.profits << scale) - u @ problem.weights
    return int(u @ problem.capacities + np.maximum(reduced, 0).sum())


def _greedy(problem: Knapsack) -> int:
    """The profit of a greedy solution, by profit a share of the capacities."""
    load = (problem.weights / np.maximum(problem.capacities, 1)[:, None]).sum(axis=0)
    room, profit = problem.capacities.copy(), 0
    for item in np.argsort(-problem.profits / np.maximum(load, 1e-12), kind="stable").tolist():
        if (problem.weights[:, item] <= room).all():
            room, profit = room - problem.weights[:, item], profit + int(problem.profits[item])
    return profit


@lru_cache(maxsize=16)
def _prepared(problem: Knapsack, iterations: int) -> _Prepared:
    u = multipliers(problem, iterations)
    reduced = (problem.profits << SCALE) - u @ problem.weights
    order = np.argsort(-np.abs(reduced), kind="stable")
    weights = np.ascontiguousarray(problem.weights.T[order])
    rest = np.zeros((len(order) + 1, len(u)), np.int64)
    rest[:-1] = np.cumsum(weights[::-1], axis=0)[::-1]
    return _Prepared(u, order, reduced[order], weights, rest, _bound(problem, u, SCALE))


@final
@frozen
class MultiKnapsackTree(Branching[Knapsack]):
    """Decide the items by decreasing absolute reduced profit, first as the relaxation has them, then otherwise.

    The constraints are relaxed with one vector of multipliers, the same at all nodes; they are integers, so that bounds
    are exact on every device. A node is what the relaxation has left, `left`, less a `penalty` for room that cannot be
    filled any more, and the `slack` of each constraint.

    Parameters
    ----------
    iterations : int, default 2000
        Of the subgradient method that finds the multipliers.

    Notes
    -----
    S. Boussier, M. Vasquez, Y. Vimont, S. Hanafi and P. Michelon, "A multi-level search strategy for the 0-1
    multidimensional knapsack problem", Discrete Applied Mathematics 158, 2010: its lowest level enumerates so.
    """

    iterations: int = whole_field(0, default=2000)

    source: ClassVar[str] = "multi_knapsack_tree.cuh"

    @property
    def bound(self) -> Bound[Knapsack]:
        return Lagrangian()

    def reason_against(self, problem: Problem) -> str:
        if not isinstance(problem, Knapsack):
            return f"MultiKnapsackTree divides the solutions of a Knapsack, but this is a {type(problem).__name__}."
        profit, weight = int(problem.profits.sum()), int(problem.weights.sum())
        reach = max(profit, int(problem.capacities.sum()), weight)
        if reach >= 2**30:
            return (
                f"Profits, weights or capacities add up to {reach}, and the bound multiplies them by 2**{FINE} and by "
                "multipliers: int64 would overflow.\nMaybe divide them by a common factor."
            )
        return ""

    def levels(self, problem: Knapsack) -> int:
        return len(problem.profits)

    def arity(self, problem: Knapsack, depth: int) -> int:
        return 2

    def node(self, problem: Knapsack) -> Mapping[str, Array]:
        n, m = len(problem.profits), len(problem.capacities)
        return {
            "left": Array((), "int64"),
            "penalty": Array((), "int64"),
            "slack": Array((m,), "int32"),
            "taken": Array(((n + 31) // 32,), "uint32"),
        }

    def root(self, problem: Knapsack) -> Fields:
        ready = _prepared(problem, self.iterations)
        surplus = np.maximum(problem.capacities - ready.rest[0], 0)
        return {"left": ready.total, "penalty": int(ready.u @ surplus), "slack": problem.capacities}

    def child(self, problem: Knapsack, node: Node, depth: int, k: int) -> Fields | None:
        ready = _prepared(problem, self.iterations)
        reduced = int(ready.reduced[depth])
        take = (reduced > 0) == (k == 0)
        slack, taken, penalty = np.array(node["slack"], np.int64), np.array(node["taken"]), int(node["penalty"])
        if take:
            slack -= ready.weights[depth]
            taken[depth // 32] |= np.uint32(1 << depth % 32)
            if slack.min() < 0:
                return None
        else:
            penalty = int(ready.u @ np.maximum(slack - ready.rest[depth + 1], 0))
        left = int(node["left"]) - (abs(reduced) if k else 0)
        return {"left": left, "penalty": penalty, "slack": slack, "taken": taken}

    def children(self, problem: Knapsack, nodes: Nodes, depth: int, k: int) -> tuple[Fields, np.ndarray]:
        ready = _prepared(problem, self.iterations)
        reduced = int(ready.reduced[depth])
        take = (reduced > 0) == (k == 0)
        slack, taken, penalty = nodes["slack"].astype(np.int64), nodes["taken"].copy(), nodes["penalty"]
        if take:
            slack -= ready.weights[depth]
            taken[:, depth // 32] |= np.uint32(1 << depth % 32)
        else:
            penalty = np.maximum(slack - ready.rest[depth + 1], 0) @ ready.u
        left = nodes["left"] - (abs(reduced) if k else 0)
        return {"left": left, "penalty": penalty, "slack": slack, "taken": taken}, np.asarray((slack >= 0).all(axis=1))

    def solution(self, problem: Knapsack, node: Node) -> Solution:
        n = len(problem.profits)
        words = np.ascontiguousarray(node["taken"], "<u4")
        x = np.zeros(n, np.uint8)
        x[_prepared(problem, self.iterations).order] = np.unpackbits(words.view(np.uint8), bitorder="little")[:n]
        return x

    def holds(self, problem: Knapsack, x: Solution) -> bool:
        return problem.violation(x) == 0

    def tables(self, problem: Knapsack) -> Mapping[str, np.ndarray]:
        """`weights`, `rest`, `reduced` in the order of decisions; the multipliers `u`."""
        ready = _prepared(problem, self.iterations)
        return {"weights": ready.weights, "rest": ready.rest, "reduced": ready.reduced, "u": ready.u}

    def constants(self, problem: Knapsack) -> Mapping[str, int | bool]:
        """`constraints`, their number."""
        return {"constraints": len(problem.capacities)}


@final
@frozen
class Lagrangian(Bound[Knapsack]):
    """The Lagrangian bound with the multipliers of the root."""

    source: ClassVar[str] = "lagrangian.cuh"

    def lower(self, problem: Knapsack, node: Node, depth: int) -> int:
        return -((int(node["left"]) - int(node["penalty"])) >> SCALE)

    def lowers(self, problem: Knapsack, nodes: Nodes, depth: int) -> np.ndarray:
        lowers: np.ndarray = -((nodes["left"] - nodes["penalty"]) >> SCALE)
        return lowers

    def constants(self, problem: Knapsack) -> Mapping[str, int | bool]:
        return {"scale": SCALE}
