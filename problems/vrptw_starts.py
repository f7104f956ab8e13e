"""Starts of vehicle routes with time windows: savings, and which customers are near to each other in time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from metaheur.problems.cvrp_starts import SHAPES
from metaheur.random import Random

__all__ = ["HasTimes", "HasWindows", "joined_in_time", "near_in_time"]

NEAR = 40
"""Near customers with which a junction is considered."""


class HasTimes(Protocol):
    """Customers, their demands and windows; see `VRPTW`."""

    @property
    def demands(self) -> np.ndarray:
        """What each customer demands."""

    @property
    def windows(self) -> np.ndarray:
        """When service may begin, the depots last."""

    @property
    def service(self) -> np.ndarray:
        """How long service takes."""

    @property
    def distances(self) -> np.ndarray:
        """From each place to each other one, the depots last."""


class HasWindows(HasTimes, Protocol):
    """Customers with windows, and vehicles of one capacity; see `VRPTW`."""

    @property
    def capacity(self) -> int:
        """What a vehicle holds."""

    @property
    def vehicles(self) -> int:
        """The most routes."""

    @property
    def weight(self) -> int:
        """What a unit above the capacity, and a unit of delay, cost."""

    def nearest(self, k: int) -> np.ndarray:
        """Near customers of each one."""

    def times(self, route: Sequence[int]) -> np.ndarray:
        """When service begins along a route."""


def near_in_time(problem: HasTimes, k: int) -> np.ndarray:
    """For each customer the k others with the least distance, waiting and delay between both; see `VRPTW.nearest`."""
    c = len(problem.demands)
    opens, closes = problem.windows[:c].astype(np.int64).T
    found, rows = np.empty((c, k), np.int32), max(1, 2**21 // c)
    for begin in range(0, c if k else 0, rows):
        some = np.arange(begin, min(c, begin + rows))
        there, back = problem.distances[some, :c].astype(np.int64), problem.distances[:c, some].astype(np.int64).T
        here, others = (opens[some, None], closes[some, None]), (opens, closes)
        one = _apart(there, here, problem.service[some, None], others)
        other = _apart(back, others, problem.service, here)
        ranks = np.minimum(one, other) * c + np.arange(c)
        ranks[np.arange(len(some)), some] = np.iinfo(np.int64).max
        found[some] = np.sort(np.partition(ranks, k - 1, axis=1)[:, :k], axis=1) % c
    return found


def _apart(
    way: np.ndarray, window: tuple[np.ndarray, np.ndarray], takes: np.ndarray, other: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Five times the distance from one place to another one, and the least delay, and once the least waiting."""
    wait, late = other[0] - takes - way - window[1], window[0] + takes + way - other[1]
    found: np.ndarray = 5 * (way + np.maximum(late, 0)) + np.maximum(wait, 0)
    return found


def joined_in_time(problem: HasWindows, random: Random) -> list[list[int]]:
    """Routes of savings that are feasible where one customer alone is; at most as many as there are vehicles."""
    c, (least, most) = len(problem.demands), SHAPES
    shape = least + random.index(0, most - least + 1)
    near = problem.nearest(NEAR)
    pairs = np.stack([np.repeat(np.arange(c), near.shape[1]), near.ravel()], 1)
    pairs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    a, b = pairs.T
    ways = problem.distances.astype(np.int64)
    saved = 16 * (ways[a, c] + ways[c, b]) - shape * ways[a, b]
    order = np.argsort(-saved, kind="stable")
    return _fewer(problem, _savings(problem, pairs[order[: np.count_nonzero(saved > 0)]]))


def _savings(problem: HasWindows, pairs: np.ndarray) -> list[list[int]]:
    """Join routes, pair by pair of a last and a first customer, where load and time allow it."""
    c, ways = len(problem.demands), problem.distances
    opens, closes = problem.windows.astype(np.int64).T
    ready = np.maximum(opens[:c], opens[c] + ways[c, :c]) + problem.service  # when a route can leave its last customer
    latest = np.minimum(closes[:c], closes[c] - ways[:c, c] - problem.service)  # the last begin at its first one
    leaves, begins = ready.tolist(), latest.tolist()
    takes, loads, first = problem.service.tolist(), problem.demands.tolist(), opens.tolist()
    last_begin = latest.tolist()
    route = {k: [k] for k in range(c)}
    begin_of, end_of = dict(zip(range(c), range(c), strict=True)), dict(zip(range(c), range(c), strict=True))
    for a, b in pairs.tolist():  # end_of: the route that ends with a customer; begin_of: the one that begins with it
        one, other = end_of.get(a), begin_of.get(b)
        if one is None or other is None or one == other or loads[one] + loads[other] > problem.capacity:
            continue
        if leaves[one] + int(ways[a, b]) > begins[other]:
            continue
        now, at = leaves[one], a
        for there in route[other]:
            now, at = max(now + int(ways[at, there]), first[there]) + takes[there], there
        by, after = begins[other], b
        for there in reversed(route[one]):
            by, after = min(last_begin[there], by - int(ways[there, after]) - takes[there]), there
        route[one] += route.pop(other)
        loads[one] += loads[other]
        leaves[one], begins[one] = now, by
        del end_of[a], begin_of[b]
        end_of[route[one][-1]] = one
    return list(route.values())


def _fewer(problem: HasWindows, routes: list[list[int]]) -> list[list[int]]:
    """At most as many routes as vehicles: customers of the shortest ones go where they cost least."""
    routes = sorted(routes, key=len, reverse=True)
    kept, rest = routes[: problem.vehicles], routes[problem.vehicles :]
    costs = [_cost(problem, route) for route in kept]
    for customer in (each for route in rest for each in route):
        options = (
            (_cost(problem, [*route[:at], customer, *route[at:]]) - costs[k], k, at)
            for k, route in enumerate(kept)
            for at in range(len(route) + 1)
        )
        _, k, at = min(options)
        kept[k].insert(at, customer)
        costs[k] = _cost(problem, kept[k])
    return kept


def _cost(problem: HasWindows, route: Sequence[int]) -> int:
    """The length of a route, and `weight` for what is above the capacity, and for each unit of delay."""
    c = len(problem.demands)
    stops = [c, *route, c]
    length = int(problem.distances[stops[:-1], stops[1:]].sum(dtype=np.int64))
    late = np.maximum(0, problem.times(route) - problem.windows[stops[1:], 1]).sum()
    over = max(0, int(problem.demands[list(route)].sum()) - problem.capacity)
    return length + problem.weight * (int(late) + over)
