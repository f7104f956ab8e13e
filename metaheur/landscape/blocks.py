"""All permutations under swaps by compiled code: heights, steepest descents, basins and transitions."""

from __future__ import annotations

from itertools import permutations
from math import factorial
from typing import final

import numpy as np
from attrs import define, field

from metaheur.device.capabilities import stateless_moves
from metaheur.device.device import Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.device.host.openmp import has_openmp
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.evaluators.costs import python_cost
from metaheur.machine.memory import usable
from metaheur.machine.processors import cores
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.problem import Problem
from metaheur.representation import is_cyclic

__all__ = ["SwapBlocks", "spans"]

SIZES = range(4, 13)
"""Numbers of items: the numbers of permutations of more do not fit into 31 bits."""

TAIL = 6
"""Positions of a block; its tables then fit into the fast memory of a core."""

MOST_LABELS = 1 << 16
"""The most local optima whose labels have 16 bits."""

ROOM = 1 << 14
"""Labels that a thread of a CPU lists beside a label before it counts them."""

MEMBERS = {
    **dict.fromkeys(("maps", "maps_by_place", "visited", "labels", "renamed", "lists"), "u16*"),
    **dict.fromkeys(("late", "tails", "pairs", "swapped", "even"), "u8*"),
    "heights": "i32*",
    **dict.fromkeys(("next", "optima", "edges", "listed"), "u32*"),
    **dict.fromkeys(("found", "sizes"), "u64*"),
    "ends": "i64*",
    **dict.fromkeys(("ground", "capacity", "count", "teams"), "i64"),
}
"""The arguments of the entries."""


def spans(problem: Problem, neighborhood: Neighborhood) -> bool:
    """Whether compiled code enumerates the landscape: permutations of 4 ... 12 items under swaps, with whole costs."""
    space = problem.representation
    return (
        isinstance(neighborhood, Swap)
        and space.arranges
        and not is_cyclic(space)
        and space.length in SIZES
        and problem.cost_type != "float64"
    )


@final
@define(eq=False)
class SwapBlocks:
    """The steepest descents of all permutations.

    `problem`: with a C++ half. `device`: where they are computed. `optima`: the numbers of the local optima, in
    lexicographic order, int64. `heights`: their minimised costs. `sizes`: of their basins.
    """

    problem: Problem
    device: Device
    optima: np.ndarray = field(init=False)
    sizes: np.ndarray = field(init=False)
    _session: Session = field(init=False)
    _teams: int = field(init=False)
    _blocks: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Compile, and descend from everywhere."""
        n = self.problem.representation.length
        tail = min(TAIL, n - 1)
        count = factorial(n)
        if 10 * count > usable():
            raise InputError(f"The basins of {n} items take {10 * count:,} bytes of memory, but there are too few.")
        self._blocks = min(1 << 13, count // factorial(tail))
        self._teams = cores() if has_openmp() and self.device.kind == "host" else 1
        unit = compiled_kernels(self.problem, shell_of(self.problem, n, tail), self.device)
        self._session = session = Session(unit, self.device)
        session.keep()
        for name, table in _tables(n, tail).items():
            session.own(name, table.size)
            session.write(name, table.ravel())
        session.set(
            ground=int(python_cost(self.problem, np.arange(n, dtype=self.problem.representation.dtype))),
            teams=self._teams,
            capacity=0,
            count=0,
        )
        for name in ("labels", "renamed", "lists", "listed", "edges", "sizes", "optima"):
            session.set(**{name: None})
        session.own("heights", count), session.own("next", count), session.own("found"), session.own("ends", 2)
        self._descend(count)

    def _launch(self, entry: str, value: int = 0) -> None:
        self._session.launch(entry, value, blocks=self._blocks)
        self.device.wait()

    def _descend(self, count: int) -> None:
        session = self._session
        session.write("ends", [2**62, -(2**62)])
        self._launch("heights")
        low, high = (int(each) for each in session.read("ends"))
        if not -(2**31) <= low <= high < 2**31:
            raise InputError(f"The costs of this {type(self.problem).__name__} differ by more than 32 bits.")
        capacity = 1 << 16
        moves = len(self._pairs)
        entry = "steepest" if high - low < 2**25 and moves <= 2**7 else "steepest_wide"
        while True:
            session.own("optima", capacity)
            session.set(capacity=capacity)
            session.write("found", [0])
            self._launch(entry)
            found = int(session.read("found")[0])
            if found <= capacity:
                break
            capacity = found
        self.optima = np.sort(session.read("optima", 0, found)).astype(np.int64)
        session.write("optima", self.optima)
        self._launch("mark", found)
        self._launch("resolve")
        session.own("sizes", self._teams * found)
        session.write("sizes", np.zeros(self._teams * found, np.uint64))
        session.set(count=found)
        self._launch("sizes")
        self.sizes = session.read("sizes", 0, self._teams * found).reshape(-1, found).sum(axis=0).astype(np.int64)

    @property
    def _pairs(self) -> np.ndarray:
        n = self.problem.representation.length
        return np.array([(i, j) for i in range(n) for j in range(i + 1, n)], np.uint8)

    def transitions(self) -> np.ndarray:
        """How many ordered pairs of neighbors lead from basin to basin, int64, shape (m, m).

        While pairs are counted, labels are in the order of basin sizes, so that counters of large basins are adjacent.
        """
        session, found = self._session, len(self.optima)
        moves, cells = len(self._pairs), found * found * self._teams
        listed = found * self._teams if self.device.kind == "host" else 0
        needed = 16 * cells + 2 * ROOM * listed
        if found >= MOST_LABELS or needed > usable():
            raise InputError(
                f"The transitions between {found:,} basins take {needed:,} bytes of memory, but there are too few.",
                'use edges="escape".',
            )
        if int(self.sizes.max()) * moves >= 2**32:
            raise InputError(
                f"A basin of {int(self.sizes.max()):,} solutions has more transitions than 32 bits count.",
                'use edges="escape".',
            )
        order = np.argsort(-self.sizes, kind="stable")
        renamed = np.empty(found, np.uint16)
        renamed[order] = np.arange(found)
        session.own("renamed", found)
        session.write("renamed", renamed)
        if listed:
            session.own("lists", ROOM * listed), session.own("listed", listed)
        session.own("labels", factorial(self.problem.representation.length))
        session.own("edges", cells)
        session.write("edges", np.zeros(cells, np.uint32))
        self._launch("relabel")
        self._launch("transitions")
        counted = session.read("edges", 0, cells).reshape(self._teams, found, found).sum(axis=0, dtype=np.int64)
        both: np.ndarray = (counted + counted.T)[np.ix_(renamed, renamed)]
        return both


def shell_of(problem: Problem, n: int, tail: int) -> Shell:
    """The entries for n items; `tail`: the number of items at the end that form a block."""
    numbers = {
        "SIZE": n,
        "PRE": n - tail,
        "TAIL": tail,
        "TAILS": factorial(tail),
        "TABLES": n * (n - 1) // 2,
        "ROOM": ROOM,
        "BLOCKS": f"{factorial(n) // factorial(tail)}LL",
        "BY_DELTA": int(SwapMove in stateless_moves(problem)),
    }
    return Shell(
        pieces=("landscape/blocks.cuh",),
        components={"neighborhood": Swap()},
        members=MEMBERS,
        defines=numbers,
        launch=Launch(threads=256, openmp=True),
        stateless=True,
    )


def _tables(n: int, tail: int) -> dict[str, np.ndarray]:
    """The tables of the C++ half: orders of the last items, and where they lead."""
    orders = np.array(list(permutations(range(tail))), np.int64)
    number = {order: k for k, order in enumerate(map(tuple, orders.tolist()))}

    def numbers(changed: np.ndarray) -> list[int]:
        return [number[order] for order in map(tuple, changed.tolist())]

    maps = [list(range(len(orders)))]
    for b in range(tail):  # the item of rank b leaves, and one comes that has rank a among those of the new block
        for a in range(tail):
            rest = orders - (orders > b)
            maps.append(numbers(np.where(orders == b, a, rest + (rest >= a))))
    for i in range(tail):
        for j in range(i + 1, tail):
            changed = orders.copy()
            changed[:, [i, j]] = orders[:, [j, i]]
            maps.append(numbers(changed))
    orders_by_swaps, swapped = _by_neighbors(tail)
    visited, even = np.array(numbers(orders_by_swaps), np.uint16), np.zeros(len(orders), np.uint8)
    even[visited[::2]] = 1
    return {
        "maps": np.array(maps, np.uint16),
        "maps_by_place": np.ascontiguousarray(np.array(maps, np.uint16).T),
        "late": np.array([np.zeros(len(orders)), *np.argsort(orders, axis=1).T], np.uint8),
        "tails": orders.astype(np.uint8),
        "pairs": np.array([(i, j) for i in range(n) for j in range(i + 1, n)], np.uint8),
        "visited": visited,
        "swapped": swapped,
        "even": even,
    }


def _by_neighbors(n: int) -> tuple[np.ndarray, np.ndarray]:
    """All orders of n items, each by a swap of neighbors from the one before, and the first place of each swap."""
    order, ways = list(range(n)), [-1] * n
    orders, places = [list(order)], [0]
    while True:
        can = [
            item for place, item in enumerate(order) if 0 <= place + ways[item] < n and order[place + ways[item]] < item
        ]
        if not can:
            return np.array(orders), np.array(places, np.uint8)
        item = max(can)
        place = order.index(item)
        first = min(place, place + ways[item])
        order[first], order[first + 1] = order[first + 1], order[first]
        ways = [-way if other > item else way for other, way in enumerate(ways)]
        orders.append(list(order))
        places.append(first)
