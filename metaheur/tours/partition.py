"""Tours cut into subtours by cells of the plane, and made of them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, final

import numpy as np
from attrs import field, frozen

from metaheur.random import Random

__all__ = ["Partition", "cells", "near", "patched", "path", "walked"]

Edge: TypeAlias = Callable[[Any, Any], Any]
"""``edge(a, b)``: the costs of edges between items, arrays of one shape."""


def cells(points: np.ndarray, size: int, random: Random) -> np.ndarray:
    """Cut the plane in two again and again, across the longer side of each part; the sides have a random direction.

    `points`, shape (n, 2): where the items lie. `size`: items of a cell, at least; fewer than twice as many are in
    each. `random`: its draws 0 and 1 are the direction. Returns shape (s, m): the items of each cell; fewer than s are
    in none.

    Notes
    -----
    R. M. Karp, "Probabilistic analysis of partitioning algorithms for the traveling-salesman problem in the plane",
    Mathematics of Operations Research 2, 1977.
    """
    count = max(1, len(points) // size)
    size = len(points) // count
    turn = np.array([random.integer(0, 0, 1000), random.integer(1, 1, 1000)])  # whole, since sines differ by machine
    sides = np.stack([points @ turn, points @ (turn[::-1] * (-1, 1))])
    found, parts = [], [(count, np.argsort(sides[0], kind="stable")[: count * size])]
    while parts:
        count, items = parts.pop()
        if count == 1:
            found.append(items)
            continue
        longer = sides[int(np.argmax(np.ptp(sides[:, items], axis=1)))]
        items, half = items[np.argsort(longer[items], kind="stable")], count // 2
        parts += [(half, items[: half * size]), (count - half, items[half * size :])]
    return np.array(found)


def near(items: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    """The candidates of each item that are in its cell, by their numbers there.

    `items`, shape (s, m): the items of each cell. `candidates`, shape (n, k): the candidates of all items, the nearest
    first. Returns shape (s, m, k): if an item has fewer candidates, the last one is repeated; if it has none, another
    item of the cell is repeated.
    """
    count, size = items.shape
    owner, number = np.full(len(candidates), -1), np.zeros(len(candidates), np.int64)
    owner[items], number[items] = np.arange(count)[:, None], np.arange(size)
    others = candidates[items]
    inside = owner[others] == np.arange(count)[:, None, None]
    another = (np.arange(size) + 1) % size
    return _filled(number[others], inside, np.broadcast_to(another, items.shape))


def _filled(candidates: np.ndarray, stay: np.ndarray, another: np.ndarray) -> np.ndarray:
    """Rows of candidates of which some stay, and the last one of these again for each that does not."""
    order = np.argsort(~stay, axis=-1, kind="stable")
    rank = np.minimum(np.arange(candidates.shape[-1]), np.maximum(stay.sum(axis=-1), 1)[..., None] - 1)
    found = np.take_along_axis(candidates, np.take_along_axis(order, rank, axis=-1), axis=-1)
    return np.where(np.expand_dims(stay.any(axis=-1), -1), found, another[..., None])


@final
@frozen(eq=False)
class Partition:
    """Tours, each cut into the subtours of the same cells.

    A subtour is made of the passes of a tour through a cell, joined by *ties*: each stands for the way outside from the
    end of a pass to the beginning of the next. Reordering one subtour, which keeps its ties, reorders the tour,
    with the same change of cost. Reordering several subtours at once may cut the tour into cycles, since each subtour
    changes the ways outside of the others; `joined` makes one tour of them.

    `items`, numpy.ndarray, shape (s, m): the items of each cell.
    """

    tours: np.ndarray
    items: np.ndarray
    places: np.ndarray = field(init=False)
    orders: np.ndarray = field(init=False)
    behind: np.ndarray = field(init=False)
    before: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        """By the numbers of the items in their cells, shape (t, s, m).

        `places`, their positions in the tour; `orders`, the numbers in the order of the tour; whom they are tied to,
        `behind` them and `before` them, m for nobody.
        """
        (count, size), (walks, n) = self.items.shape, self.tours.shape
        shape, positions = (walks, count, size), np.empty_like(self.tours)
        np.put_along_axis(positions, self.tours, np.arange(n)[None].astype(positions.dtype), axis=1)
        places = positions[:, self.items]
        orders = np.argsort(places, axis=2)
        following = np.roll(orders, -1, axis=2)
        here, there = (np.take_along_axis(places, each, axis=2) for each in (orders, following))
        tied = (here + 1) % n != there
        behind, before = np.full((2, *shape), size)
        np.put_along_axis(behind, orders, np.where(tied, following, size), axis=2)
        np.put_along_axis(before, following, np.where(tied, orders, size), axis=2)
        for name, value in (("places", places), ("orders", orders), ("behind", behind), ("before", before)):
            object.__setattr__(self, name, value)

    def untied(self, near: np.ndarray) -> np.ndarray:
        """The candidates of each subtour's items, without items tied to each other: their edges gain nothing.

        `near`, shape (s, m, k): the candidates in each cell. Returns an array of shape (t, s, m, k).
        """
        found = np.repeat(near[None], len(self.tours), axis=0)
        size = near.shape[1]
        tied = (self.behind < size) | (self.before < size)
        number = np.broadcast_to(np.arange(size), tied.shape)
        known = np.stack([each[tied] for each in (number, self.behind, self.before)], axis=1)
        another = np.argmin(
            (known[..., None] == np.arange(4)).any(axis=1), axis=1
        )  # a number of 0 ... 3 that is not among these
        candidates = found[tied]
        free = (candidates != known[:, 1:2]) & (candidates != known[:, 2:])
        found[tied] = _filled(candidates, free, another)
        return found

    def joined(self, orders: np.ndarray, candidates: np.ndarray, edge: Edge) -> tuple[np.ndarray, list[Any]]:
        """The tours of subtours in other orders, and by how much each is dearer than these say.

        `orders`, shape (t, s, m): the numbers of the items of each subtour in its new order; ties are kept.
        `candidates`, shape (n, k): of all items: where there are several cycles, an edge leads to one of them. `edge`:
        the costs of edges. Returns `tours`, shape (t, n).
        """
        walks, n = self.tours.shape
        following = np.roll(orders, -1, axis=2)
        ways = (np.take_along_axis(self.behind, orders, axis=2) == following).astype(np.int64)
        ways -= np.take_along_axis(self.before, orders, axis=2) == following
        if not ways.any():
            return self.items[0][orders[:, 0]].astype(self.tours.dtype), [0] * walks
        turned = np.argmax(ways != 0, axis=2)[..., None] + 1 + np.arange(orders.shape[2])  # a tie comes last
        turned %= orders.shape[2]
        ways = np.take_along_axis(ways, turned, axis=2)
        places = np.take_along_axis(self.places, np.take_along_axis(orders, turned, axis=2), axis=2)
        came = np.roll(ways, 1, axis=2)
        pieces = [each.reshape(walks, -1) for each in (places, ways, came)]
        if pieces[0].shape[1] < n:
            pieces = [np.hstack(both) for both in zip(pieces, self._rest(), strict=True)]
        cycles = (_cycles(self.tours[t], *(each[t] for each in pieces)) for t in range(walks))
        found = [patched(each, candidates, edge) for each in cycles]
        return np.stack([tour for tour, _ in found]), [dearer for _, dearer in found]

    def _rest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The positions of items in no cell, which stay as they are; where stretches of them end, where they begin."""
        walks, n = self.tours.shape
        used = np.zeros((walks, n), bool)
        used[np.arange(walks)[:, None], self.places.reshape(walks, -1)] = True
        last = np.argmax(used & ~np.roll(used, -1, axis=1), axis=1)  # behind it a stretch begins
        turned = (last[:, None] + 1 + np.arange(n)) % n
        places = turned[~np.take_along_axis(used, turned, axis=1)].reshape(walks, -1)
        ends = np.roll(places, -1, axis=1) != (places + 1) % n
        ends[:, -1] = True
        return places, ends.astype(np.int64), np.roll(ends, 1, axis=1).astype(np.int64)


def _cycles(tour: np.ndarray, places: np.ndarray, ways: np.ndarray, came: np.ndarray) -> list[np.ndarray]:
    """The cycles of pieces of a tour, each piece in the direction in which the one before leads to it.

    `tour`: shape (n,). `places`, shape (n,): the positions of the items there, piece after piece. `ways`, `came`, shape
    (n,): where a piece ends: whether it leads to the next position of the tour (1) or the one before (-1); and where
    one begins: whether it came from the one before (1) or the next. 0 elsewhere.
    """
    n, lasts = len(tour), np.flatnonzero(ways)
    firsts = np.append(0, lasts[:-1] + 1)
    outer = (places[lasts] + ways[lasts]) % n, (places[firsts] - came[firsts]) % n
    inner = places[lasts], places[firsts]
    ends = [list(zip(at.tolist(), to.tolist(), strict=True)) for at, to in zip(inner, outer, strict=True)]
    entrances = {end: (number, side) for side in (0, 1) for number, end in enumerate(ends[side])}
    items = tour[places]
    pieces = [items[first : last + 1] for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True)]
    joined = [0] * (2 * len(pieces))
    for side in (0, 1):
        for number, (at, to) in enumerate(ends[side]):
            other, entered = entrances[to, at]
            joined[2 * number + 1 - side] = 2 * other + 1 - entered
    return walked(pieces, joined)


def walked(pieces: list[np.ndarray], joined: list[int]) -> list[np.ndarray]:
    """The cycles that pieces of a tour form.

    `pieces`: items in the order of the tour; piece k begins at the end 2 k and stops at the end 2 k + 1. `joined`: to
    which end each end is joined.
    """
    left, cycles = dict.fromkeys(range(len(pieces))), []
    while left:
        entered, cycle = 2 * next(iter(left)), []
        while entered // 2 in left:
            piece = entered // 2
            del left[piece]
            cycle.append(pieces[piece][::-1] if entered % 2 else pieces[piece])
            entered = joined[entered ^ 1]
        cycles.append(np.concatenate(cycle))
    return cycles


def patched(cycles: list[np.ndarray], candidates: np.ndarray, edge: Edge, limit: Any = None) -> tuple[np.ndarray, Any]:
    """One cycle of several, and by how much it is dearer: the smallest joins another one again and again.

    An edge of each makes room for two between them, one to a candidate if there is any: the cheapest such exchange.
    Among equally cheap ones it is that of the smaller neighbors, then of the smaller items. `limit`: from this cost on,
    cycles are left as they are.
    """
    dearer: Any = 0
    owner, beside = np.empty(len(candidates), np.int64), np.empty((2, len(candidates)), np.int64)
    left: dict[int, np.ndarray] = {}

    def enter(number: int, cycle: np.ndarray) -> None:
        left[number], owner[cycle] = cycle, number
        beside[0, cycle[:-1]], beside[0, cycle[-1]] = cycle[1:], cycle[0]
        beside[1, cycle[1:]], beside[1, cycle[0]] = cycle[:-1], cycle[-1]

    for each in enumerate(cycles):
        enter(*each)
    while len(left) > 1 and (limit is None or dearer < limit):
        smallest = min(left, key=lambda number: len(left[number]))
        small = left.pop(smallest)
        items = np.sort(small)
        a, c = np.repeat(items, candidates.shape[1]), candidates[items].ravel()
        outside = owner[c] != smallest
        a, c = a[outside], c[outside]
        if not len(a):
            c = np.sort(np.concatenate(list(left.values())))
            a = np.full(len(c), items[0])
        b, d = np.sort(beside[:, a], axis=0), np.sort(beside[:, c], axis=0)
        ends = np.stack([a, a, c, c, a, b[0], b[0], b[1], b[1]]), np.stack([*b, *d, c, *d, *d])
        lengths = edge(*ends)
        costs = lengths[4] - lengths[:2, None] - lengths[2:4] + lengths[5:].reshape(2, 2, -1)
        p, q, k = np.unravel_index(np.argmin(costs), costs.shape)
        dearer += costs[p, q, k].item()
        number = int(owner[c[k]])
        ways = (left[number], int(c[k]), int(d[q, k])), (small, int(a[k]), int(b[p, k]))
        enter(number, np.concatenate([path(*ways[0])[::-1], path(*ways[1])]))
    return next(iter(left.values())), dearer


def path(cycle: np.ndarray, item: int, last: int | None = None) -> np.ndarray:
    """All items of a cycle from one to a neighbor of it, by default the larger one."""
    turned = np.roll(cycle, -int(np.flatnonzero(cycle == item)[0]))
    last = max(turned[1], turned[-1]) if last is None else last
    return turned if turned[-1] == last else np.roll(turned[::-1], 1)
