"""Paths that grow together until one is left: edge by edge, in Python or by compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Protocol, final

import numpy as np

from metaheur.device.device import CompiledUnit
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.names import device_of
from metaheur.device.session import Session

__all__ = ["CompiledPaths", "Paths", "PlainPaths"]


class Paths(Protocol):
    """Paths of n cities, at first of one city each."""

    def join(self, edges: np.ndarray) -> None:
        """Take edges, shape (m, 2), one after the other: each if it joins the ends of two paths."""

    def ends(self) -> np.ndarray:
        """The cities with fewer than two neighbors, by number."""

    def roots(self, cities: np.ndarray) -> np.ndarray:
        """For each of some cities a number that stands for its path."""

    def paths(self) -> list[list[int]]:
        """All paths, each from its end with the lower number on, in the order of these ends."""

    def tour(self) -> np.ndarray:
        """The tour along the one path that is left, from the end with the lower number; int32, shape (n,)."""

    @property
    def count(self) -> int:
        """How many paths there are."""


@final
class PlainPaths:
    """In Python.

    `n`: the number of cities. `loads`, numpy.ndarray of int, shape (n,): what each city adds to the load of its path.
    `capacity`: the largest load of a path, if there are loads.
    """

    def __init__(self, n: int, loads: np.ndarray | None = None, capacity: int = 0) -> None:
        self._beside: list[list[int]] = [[] for _ in range(n)]
        self._above = list(range(n))
        self._loads, self._capacity = [0] * n if loads is None else loads.tolist(), capacity
        self.count = n

    def _root(self, city: int) -> int:
        while self._above[city] != city:
            self._above[city] = self._above[self._above[city]]
            city = self._above[city]
        return city

    def roots(self, cities: np.ndarray) -> np.ndarray:
        return np.array([self._root(city) for city in cities.tolist()])

    def ends(self) -> np.ndarray:
        return np.array([city for city, beside in enumerate(self._beside) if len(beside) < 2])

    def join(self, edges: np.ndarray) -> None:
        for a, b in edges.tolist():
            if len(self._beside[a]) == 2 or len(self._beside[b]) == 2:
                continue
            start, end = self._root(a), self._root(b)
            load = self._loads[start] + self._loads[end]
            if start != end and load <= self._capacity:
                self._beside[a].append(b)
                self._beside[b].append(a)
                self._above[start], self._loads[end] = end, load
                self.count -= 1

    def paths(self) -> list[list[int]]:
        return _followed(self._beside)

    def tour(self) -> np.ndarray:
        here = int(self.ends()[0])
        tour, before = [here], -1
        while len(tour) < len(self._beside):
            before, here = here, next(city for city in self._beside[here] if city != before)
            tour.append(here)
        return np.array(tour, np.int32)


def _followed(beside: Sequence[Sequence[int]]) -> list[list[int]]:
    """The paths in which each city has these neighbors."""
    paths, met = [], [False] * len(beside)
    for end, others in enumerate(beside):
        if met[end] or len(others) > 1:
            continue
        path, before, here = list[int](), -1, end
        while here >= 0:
            path.append(here)
            met[here] = True
            before, here = here, next((city for city in beside[here] if city != before), -1)
        paths.append(path)
    return paths


ARGUMENTS: Final = Record(
    "Arguments",
    {
        **dict.fromkeys(("edges", "beside", "above", "tour"), "i32*"),
        **dict.fromkeys(("count", "loads"), "i64*"),
        **dict.fromkeys(("n", "capacity"), "i64"),
    },
)
"""The arguments of the entries."""


@lru_cache(maxsize=1)
def _compiled() -> CompiledUnit:
    return device_of("host").compile(plain_unit("problems/tsp_paths.cuh", ARGUMENTS, "int64", Launch(threads=1)))


@final
class CompiledPaths:
    """By compiled code, in 16 bytes a city.

    `n`, `loads`, `capacity`: as for `PlainPaths`.
    """

    def __init__(self, n: int, loads: np.ndarray | None = None, capacity: int = 0) -> None:
        self._loads = None if loads is None else np.array(loads, np.int64)
        self._capacity = capacity
        self._beside = np.full((n, 2), -1, np.int32)
        self._above = np.arange(n, dtype=np.int32)
        self._count = np.full(1, n)

    @property
    def count(self) -> int:
        return int(self._count[0])

    def _launch(self, entry: str, value: int = 0, **arrays: np.ndarray) -> None:
        session = Session(_compiled(), device_of("host"))
        session.set(
            **{"edges": None, "tour": None, **arrays},
            beside=self._beside, above=self._above, count=self._count, n=len(self._above),
            loads=self._loads, capacity=self._capacity,
        )  # fmt: skip
        session.launch(entry, value)

    def roots(self, cities: np.ndarray) -> np.ndarray:
        self._launch("roots")
        found: np.ndarray = self._above[cities]
        return found

    def ends(self) -> np.ndarray:
        return np.flatnonzero(self._beside[:, 1] < 0)

    def join(self, edges: np.ndarray) -> None:
        self._launch("join", len(edges), edges=np.ascontiguousarray(edges, np.int32))

    def paths(self) -> list[list[int]]:
        return _followed([[city for city in pair if city >= 0] for pair in self._beside.tolist()])

    def tour(self) -> np.ndarray:
        tour = np.empty(len(self._above), np.int32)
        self._launch("follow", int(self.ends()[0]), tour=tour)
        return tour
