"""Routes of pickups and deliveries to begin with: each request in turn where it fits at the least length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, final

import numpy as np
from attrs import define, field

__all__ = ["HasRequests", "inserted"]

_FAR = 2**62


class HasRequests(Protocol):
    """A problem of requests in time; its fields are those of `PickupAndDelivery`."""

    @property
    def demands(self) -> np.ndarray:
        """What is collected at each task, or, negative, delivered."""

    @property
    def pairs(self) -> np.ndarray:
        """The pickup and the delivery of each request."""

    @property
    def windows(self) -> np.ndarray:
        """When service may begin at each task, and at the depot, the last."""

    @property
    def service(self) -> np.ndarray:
        """How long the service of each task takes."""

    @property
    def distances(self) -> np.ndarray:
        """Between the tasks and the depot."""

    @property
    def capacity(self) -> int:
        """What a vehicle holds."""

    @property
    def vehicles(self) -> int:
        """The most routes."""


def inserted(problem: HasRequests) -> list[list[int]]:
    """A route for each vehicle, some perhaps empty, from requests in the order of their pickups' windows.

    Each goes to the route, and to the places there, where it fits at the least length; the first ones among equals. A
    request that fits nowhere goes to an empty route or, without one, behind the shortest list.
    """
    routes, gaps = [list[int]() for _ in range(problem.vehicles)], _Gaps(problem)
    for k in np.argsort(problem.windows[problem.pairs[:, 0], 1], kind="stable").tolist():
        pair = problem.pairs[k].tolist()
        best: tuple[int, int, int, int] | None = None
        for least, number in gaps.bounds(*pair):
            if best is not None and (least, number) > best[:2]:
                break
            found = _cheapest(problem, routes[number], *pair)
            if found is not None and (best is None or (found[0], number) < best[:2]):
                best = found[0], number, *found[1:]
        if best is None:
            number = min(range(len(routes)), key=lambda r: len(routes[r]))
            best = 0, number, len(routes[number]), len(routes[number])
        _, number, i, j = best
        route = routes[number]
        routes[number] = [*route[:i], pair[0], *route[i:j], pair[1], *route[j:]]
        gaps.replace(number, route, routes[number])
    return routes


@final
@define(eq=False)
class _Gaps:
    """The gaps between stops of all routes, and of the first empty one.

    `ends`: of each gap both stops, its route, and when a vehicle leaves the first stop.
    """

    problem: HasRequests
    ends: np.ndarray = field(init=False)
    count: int = field(init=False, default=0)
    used: int = field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        self.ends = np.zeros((4, len(self.problem.demands) + self.problem.vehicles + 1), np.int64)
        self._open()

    def _open(self) -> None:
        depot = len(self.problem.demands)
        if self.used < self.problem.vehicles:
            self._add([(depot, depot, self.used, int(self.problem.windows[-1, 0]))])
            self.used += 1

    def _add(self, gaps: Sequence[tuple[int, int, int, int]]) -> None:
        self.ends[:, self.count : self.count + len(gaps)] = np.transpose(gaps)
        self.count += len(gaps)

    def replace(self, number: int, old: Sequence[int], new: Sequence[int]) -> None:
        """Take a route's new gaps for its old ones."""
        depot = len(self.problem.demands)
        others = self.ends[:, : self.count][:, self.ends[2, : self.count] != number]
        self.count = others.shape[1]
        self.ends[:, : self.count] = others
        now, leaves = int(self.problem.windows[-1, 0]), list[int]()
        for a, b in zip([depot, *new], [*new, depot], strict=True):
            leaves.append(now)
            now = max(now + int(self.problem.distances[a, b]), int(self.problem.windows[b, 0]))
            now += int(self.problem.service[b]) if b < depot else 0
        self._add(list(zip([depot, *new], [*new, depot], [number] * len(leaves), leaves, strict=True)))
        if not old:
            self._open()

    def bounds(self, pickup: int, delivery: int) -> list[tuple[int, int]]:
        """For each route the least length that a pair of tasks could add, the lowest first, and its number.

        Left out are gaps for which one of them comes too late, whatever else is put in, and routes without a gap.
        """
        a, b, owner, leaves = self.ends[:, : self.count]
        ways, windows = self.problem.distances, self.problem.windows
        along = np.where(a == b, 0, ways[a, b].astype(np.int64))
        to_p, to_q, between = ways[a, pickup].astype(np.int64), ways[a, delivery], int(ways[pickup, delivery])
        one, other = to_p + ways[pickup, b] - along, to_q.astype(np.int64) + ways[delivery, b] - along
        both = to_p + between + ways[delivery, b] - along
        (open_p, close_p), (open_q, close_q) = windows[[pickup, delivery]].tolist()
        begins, closes = np.maximum(leaves + to_p, open_p), windows[b, 1]
        late = (begins > close_p) | (begins + self.problem.service[pickup] > closes)
        one[late] = both[late] = _FAR
        other[(windows[a, 0] * (a < len(self.problem.demands)) > close_q) | (open_q > closes)] = _FAR
        least = np.full((3, self.used), _FAR)
        for row, lengths in zip(least, (one, other, both), strict=True):
            np.minimum.at(row, owner, lengths)
        found = np.minimum(np.minimum(least[0], _FAR // 2) + np.minimum(least[1], _FAR // 2), least[2])
        order = np.argsort(found, kind="stable")
        order = order[found[order] < _FAR // 4]
        return list(zip(found[order].tolist(), order.tolist(), strict=True))


def _cheapest(problem: HasRequests, route: Sequence[int], p: int, q: int) -> tuple[int, int, int] | None:
    """The least length that a pair adds to a route that stays feasible, and before which stops; None if none is.

    Of equal lengths the first places. The times of a route are known from its begin to each stop, and from each stop
    to its end, so that two insertions take as long as there are stops between them.
    """
    depot, ways = len(problem.demands), problem.distances
    stops = [depot, *route, depot]
    opens, closes = problem.windows[stops].T.tolist()
    along = ways[stops[:-1], stops[1:]].tolist() if route else [0]
    takes = [0, *problem.service[list(route)].tolist(), 0]
    ready, load = [opens[0]], np.cumsum([0, *problem.demands[list(route)].tolist()]).tolist()
    for k in range(1, len(stops)):
        begin = max(ready[-1] + along[k - 1], opens[k])
        if begin > closes[k]:
            return None
        ready.append(begin + takes[k])
    if max(load) > problem.capacity:
        return None
    latest = [0] * len(route) + [0, closes[-1]]
    for k in range(len(route), 0, -1):
        latest[k] = min(closes[k], latest[k + 1] - along[k] - takes[k])
    to_p, from_p = ways[stops, p].tolist(), ways[p, stops].tolist()
    to_q, from_q = ways[stops, q].tolist(), ways[q, stops].tolist()
    (open_p, close_p), (open_q, close_q) = problem.windows[[p, q]].tolist()
    service_p, service_q, room = int(problem.service[p]), int(problem.service[q]), problem.capacity - problem.demands[p]
    best, between = (_FAR, 0, 0), int(ways[p, q])
    for i in range(len(stops) - 1):
        now = max(ready[i] + to_p[i], open_p)
        if now > close_p or load[i] > room:
            continue
        now, to, added = now + service_p, between, to_p[i] + between - along[i]
        for j in range(i, len(stops) - 1):
            begin = max(now + to, open_q)
            longer = added + from_q[j + 1]
            if longer < best[0] and begin <= close_q and begin + service_q + from_q[j + 1] <= latest[j + 1]:
                best = longer, i, j
            if j + 1 > len(route):
                break
            now = max(now + (from_p[i + 1] if j == i else along[j]), opens[j + 1])
            if now > closes[j + 1] or load[j + 1] > room:
                break
            now, to = now + takes[j + 1], to_q[j + 1]
            added = to_p[i] + from_p[i + 1] - along[i] + to - along[j + 1]
    return best if best[0] < _FAR else None
