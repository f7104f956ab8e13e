"""Multipliers of the constraints of knapsacks, and the Lagrangian bounds that they give."""

from __future__ import annotations

from typing import Protocol

import numpy as np

__all__ = ["PROFITS", "SCALE", "lagrangian_bound", "multipliers", "proven", "too_large"]

SCALE = 16
"""Fractional bits of the multipliers."""

FINE = 24
"""Fractional bits of the multipliers while they are searched."""

STEPS_WITHOUT_GAIN = 20
"""After so many steps without a better bound the steps become shorter."""

PROFITS = 2**31
"""A limit of weights and capacities, multiplied and summed up as a profit: nodes keep such sums as int32."""

ROOM = PROFITS - 2**28
"""The same while multipliers are looked for: less by more than rounding them adds."""

FARTHEST = 2.0**60
"""The longest step of a multiplier, so that int64 holds it."""

FLAT = 2.0**-64
"""A square of a direction below which there is nowhere to go."""


class Items(Protocol):
    """What a knapsack and its parts have: profits, weights of shape (m, n), and m capacities."""

    @property
    def profits(self) -> np.ndarray:
        """Of each item."""

    @property
    def weights(self) -> np.ndarray:
        """In a row for each constraint."""

    @property
    def capacities(self) -> np.ndarray:
        """Of each constraint."""


def multipliers(problem: Items, iterations: int = 2000, count: int | None = None) -> np.ndarray:
    """Multipliers of the constraints that nearly minimise the Lagrangian bound, by a deflected subgradient method.

    All multipliers that are not negative give a valid bound.

    `problem`: with any number of constraints. `iterations`: steps of the method. `count`: how many items the solutions
    take, if that is given. Returns int64, shape (m,): times 2**16.

    Notes
    -----
    P. M. Camerini, L. Fratta and F. Maffioli, "On improving relaxation methods by modified gradient techniques",
    Mathematical Programming Study 3, 1975.

    All numbers fit int64: profits, weights and capacities add up to less than 2**30 each (`too_large`), and the
    multipliers are cut so that the larger of a constraint's weights and its capacity, times its multiplier, add up to
    less than `PROFITS`. So reduced profits, and what any of them add up to, are above -2**31 profits, and a Lagrangian
    bound is below 2**31 + 2**30 profits; a profit is 2**24 here, and 2**16 in a tree.
    """
    weights, capacities, reach = problem.weights, problem.capacities, _reach(problem)
    profits = problem.profits << FINE
    u, direction, pace, since = np.zeros(len(capacities), np.int64), np.zeros(len(capacities)), 1.0, 0
    bound = best = lagrangian_bound(problem, u, FINE, count)
    best_u, low = u, _greedy(problem) << FINE
    for _ in range(iterations):
        direction = capacities - weights @ _relaxed(profits - u @ weights, count) + 0.9 * direction
        size = float(direction @ direction)
        if size < FLAT:
            break
        step = np.clip(pace * float(bound - low) / size * direction, -FARTHEST, FARTHEST)
        u = _cut(np.maximum(0, u - np.rint(step).astype(np.int64)), reach)
        bound, since = lagrangian_bound(problem, u, FINE, count), since + 1
        if bound < best:
            best, best_u, since = bound, u, 0
        if since == STEPS_WITHOUT_GAIN:
            since, pace = 0, 0.8 * pace
    return proven(problem, (best_u + (1 << (FINE - SCALE - 1))) >> (FINE - SCALE), count)


def _reach(problem: Items) -> np.ndarray:
    """The larger of what all items weigh and of the capacity, of each constraint; 1 at least."""
    reach: np.ndarray = np.maximum(np.maximum(problem.weights.sum(axis=1), problem.capacities), 1)
    return reach


def _cut(u: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """The multipliers, times 2**FINE, all of them smaller where they are too large to be exact."""
    load = float(u.astype(np.float64) @ reach)
    most = float(ROOM << FINE)
    return u if load <= most else (u * (most / load)).astype(np.int64)


def proven(problem: Items, u: np.ndarray, count: int | None = None) -> np.ndarray:
    """The multipliers, times 2**SCALE, if all numbers provably fit and the bound is no worse than without; else zeros.

    Computed with Python's integers, which have any size.
    """
    none = np.zeros_like(u)
    load = sum(each * most for each, most in zip(u.tolist(), _reach(problem).tolist(), strict=True))
    if load >= PROFITS << SCALE:
        return none
    worse = lagrangian_bound(problem, u, count=count) > lagrangian_bound(problem, none, count=count)
    return none if worse else u


def too_large(problem: Items) -> str:
    """Why numbers are too large for multipliers, in words; "" if they are not."""
    profit, weight = int(problem.profits.sum()), int(problem.weights.sum())
    reach = max(profit, int(problem.capacities.sum()), weight)
    if reach >= 2**30:
        return (
            f"Profits, weights or capacities add up to {reach}, and the bound multiplies them by 2**{FINE} and by "
            "multipliers: int64 would overflow.\nMaybe divide them by a common factor."
        )
    return ""


def _relaxed(reduced: np.ndarray, count: int | None) -> np.ndarray:
    """The items that the relaxation takes: all with a positive reduced profit, or so many of the largest."""
    if count is None:
        return reduced > 0
    takes = np.zeros(len(reduced), bool)
    takes[np.argsort(-reduced, kind="stable")[:count]] = True
    return takes


def lagrangian_bound(problem: Items, u: np.ndarray, scale: int = SCALE, count: int | None = None) -> int:
    """The Lagrangian bound of the profit, times 2**scale: of all solutions, or of solutions with a number of items."""
    reduced = (problem.profits << scale) - u @ problem.weights
    return int(u @ problem.capacities + reduced[_relaxed(reduced, count)].sum())


def _greedy(problem: Items) -> int:
    """The profit of a greedy solution: items come by their profit divided by their share of the capacities."""
    load = (problem.weights / np.maximum(problem.capacities, 1)[:, None]).sum(axis=0)
    order = np.argsort(-problem.profits / np.maximum(load, 1e-12), kind="stable")
    return int(problem.profits[fitting(problem, order)].sum())


def fitting(problem: Items, order: np.ndarray) -> np.ndarray:
    """The items that are taken if each is that still fits, in an order."""
    weights, left, taken = problem.weights, problem.capacities, [order[:0]]
    while len(order):  # all that fit together; then without those that fit no more
        loads = np.cumsum(weights[:, order], axis=1)
        fits = (loads <= left[:, None]).all(axis=0)
        count = len(order) if fits.all() else int(np.argmin(fits))
        taken.append(order[:count])
        left = left - loads[:, count - 1] if count else left
        order = order[count:]
        order = order[(weights[:, order] <= left[:, None]).all(axis=0)]
    return np.concatenate(taken)
