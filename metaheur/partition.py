"""Tours cut into subtours that do not cross, so that each can be made shorter without regard to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, final

import numpy as np
from attrs import field, frozen

from metaheur.random import Random

__all__ = ["Partition"]

_CUTS: Final = 256
"""Places where a cut may begin that are looked at, at most."""


@final
@frozen(eq=False)
class Partition:
    """Tours, each cut into as many subtours of one size.

    A subtour is made of some passes of the tour, joined by *ties*: each stands for the way outside from the end of a
    pass to the beginning of the next one. The subtours of a tour do not cross: all passes of one lie between two
    passes of another. So the way outside joins the same items whatever becomes of the other subtours, and a subtour
    that is reordered but keeps its ties is the tour reordered, by the same change of cost.

    Parameters
    ----------
    tours : numpy.ndarray, shape (t, n)
        The tours.
    places : numpy.ndarray, shape (t, s, m)
        The positions of the items of each subtour, in the order of the tour.
    """

    tours: np.ndarray
    places: np.ndarray
    items: np.ndarray = field(init=False)
    tied: np.ndarray = field(init=False)

    def __attrs_post_init__(self) -> None:
        """`items` of the subtours, and whether each is `tied` to the next one; both of the shape of `places`."""
        walks = np.arange(len(self.tours))[:, None, None]
        object.__setattr__(self, "items", self.tours[walks, self.places])
        following = np.roll(self.places, -1, axis=2)
        object.__setattr__(self, "tied", following != (self.places + 1) % self.tours.shape[1])

    @classmethod
    def cut(
        cls, tours: np.ndarray, size: int, edge: Callable[[Any, Any], Any], randoms: Sequence[Random]
    ) -> Partition:
        """Cut tours in two again and again, each time where both cuts are short.

        Parameters
        ----------
        tours : numpy.ndarray, shape (t, n)
            The tours.
        size : int
            Items of a subtour, at least; each has up to twice as many, and fewer than there are subtours have none.
        edge : callable
            ``edge(a, b)``, the costs of edges between items, arrays of one shape.
        randoms : sequence of Random, length t
            The random numbers of each tour.

        Notes
        -----
        The two halves of a cut are the passes between two positions and all others, so that halves of halves do not
        cross, either. Of all cuts with so many items those are taken whose ends are close to each other: the halves
        are then regions of the plane, on one side of the tour or the other.
        """
        n = tours.shape[1]
        count = max(1, n // size)
        size = n // count
        begin = np.array([random.index(0, n) for random in randoms])
        whole = (begin[:, None] + np.arange(count * size)) % n
        parts = [(count, np.arange(len(tours)), whole)]  # subtours to be, of which tours, their positions
        done: list[tuple[np.ndarray, np.ndarray]] = []
        for draw in range(1, 2 * count):
            if not parts:
                break
            parts.sort(key=lambda part: part[0])
            count, owners, places = parts.pop()
            while parts and parts[-1][0] == count:
                _, more, others = parts.pop()
                owners, places = np.concatenate([owners, more]), np.concatenate([places, others])
            if count == 1:
                done.append((owners, places))
                continue
            offsets = np.array([random.index(draw, places.shape[1]) for random in randoms])[owners]
            first, rest = _halves(tours[owners[:, None], places], places, count // 2 * size, edge, offsets)
            parts += [(count // 2, owners, first), (count - count // 2, owners, rest)]
        owners = np.concatenate([each for each, _ in done])
        places = np.concatenate([each for _, each in done])[np.argsort(owners, kind="stable")]
        return cls(tours, places.reshape(len(tours), -1, size))

    @classmethod
    def cells(cls, tours: np.ndarray, size: int, points: np.ndarray, randoms: Sequence[Random]) -> Partition:
        """Cut the plane in two again and again, across its longer side: the subtours cross.

        Parameters
        ----------
        tours : numpy.ndarray, shape (t, n)
            The tours.
        size : int
            As for `cut`.
        points : numpy.ndarray, shape (n, 2)
            Where the items lie.
        randoms : sequence of Random, length t
            The random numbers of each tour: the sides of its cells point in a random direction.

        Notes
        -----
        R. M. Karp, "Probabilistic analysis of partitioning algorithms for the traveling-salesman problem in the plane",
        Mathematics of Operations Research 2, 1977.
        """
        count, n = len(tours), tours.shape[1]
        cells = max(1, n // size)
        size = n // cells
        turns = np.array([(random.integer(0, 1, 1000), random.integer(1, 1, 1000)) for random in randoms])
        along = (turns[:, None] * points).sum(axis=2)
        across = (turns[:, None, ::-1] * points * (-1, 1)).sum(axis=2)
        owners = np.full((count, n), cells)
        rows = np.arange(count)[:, None]
        parts = [(0, cells, np.argsort(along, axis=1, kind="stable")[:, : cells * size])]
        while parts:
            first, number, items = parts.pop()
            if number == 1:
                owners[rows, items] = first
                continue
            u, v = along[rows, items], across[rows, items]
            order = np.argsort(np.where((np.ptp(u, axis=1) >= np.ptp(v, axis=1))[:, None], u, v), axis=1, kind="stable")
            items, half = np.take_along_axis(items, order, axis=1), number // 2
            parts += [
                (first, half, items[:, : half * size]),
                (first + half, number - half, items[:, half * size :]),
            ]
        order = np.argsort(np.take_along_axis(owners, tours, axis=1), axis=1, kind="stable")
        return cls(tours, order[:, : cells * size].reshape(count, cells, size))

    def ties(self) -> tuple[np.ndarray, np.ndarray]:
        """Who each item is tied to, behind it and before it, by its number in the subtour; m where it is not."""
        size = self.places.shape[2]
        number = np.arange(size)
        before = np.roll(self.tied, 1, axis=2)
        return np.where(self.tied, (number + 1) % size, size), np.where(before, (number - 1) % size, size)

    def candidates(self, candidates: np.ndarray) -> np.ndarray:
        """The candidates of each item that are in its subtour, but those that it is tied to, by their numbers there.

        Parameters
        ----------
        candidates : numpy.ndarray, shape (n, k)
            Of all items.

        Returns
        -------
        numpy.ndarray, shape (t, s, m, k)
            The last one again where there are fewer; and the next item where there are none.
        """
        (walks, count, size), n = self.places.shape, self.tours.shape[1]
        owner, number = np.full((walks, n), -1), np.zeros((walks, n), np.int64)
        walk = np.arange(walks)[:, None, None]
        owner[walk, self.items] = np.arange(count)[:, None]
        number[walk, self.items] = np.arange(size)
        near = candidates[self.items]
        numbers = number[walk[..., None], near]
        behind, before = self.ties()
        inside = owner[walk[..., None], near] == np.arange(count)[:, None, None]
        inside &= (numbers != behind[..., None]) & (numbers != before[..., None])
        order = np.argsort(~inside, axis=3, kind="stable")
        fewer = np.minimum(np.arange(near.shape[3]), np.maximum(inside.sum(axis=3), 1)[..., None] - 1)
        found = np.take_along_axis(numbers, np.take_along_axis(order, fewer, axis=3), axis=3)
        beside = np.where(self.tied, np.arange(size) - 1, np.arange(size) + 1) % size
        return np.where(inside.any(axis=3)[..., None], found, beside[..., None])

    def joined(
        self, orders: np.ndarray, candidates: np.ndarray, edge: Callable[[Any, Any], Any]
    ) -> tuple[np.ndarray, list[Any]]:
        """The tours whose subtours have other orders, and by how much each is dearer than the subtours say.

        Subtours that cross may become several cycles, of which one tour is made at some cost.

        Parameters
        ----------
        orders : numpy.ndarray, shape (t, s, m)
            The numbers of the items of each subtour, in their new order; ties are kept.
        candidates : numpy.ndarray, shape (n, k)
            Of all items.
        edge : callable
            As for `cut`.

        Returns
        -------
        tours : numpy.ndarray, shape (t, n)
        dearer : list, length t
        """
        if not self.tied.any():
            return np.take_along_axis(self.items[:, 0], orders[:, 0], axis=1), [0] * len(orders)
        (count, _, size), n = self.places.shape, self.tours.shape[1]
        behind, before = (np.take_along_axis(each, orders, axis=2) for each in self.ties())
        following = np.roll(orders, -1, axis=2)
        ways = (behind == following) * 1 - (before == following)  # where a tie is, whether it leads on or back
        turn = (np.argmax(ways != 0, axis=2)[..., None] + 1 + np.arange(size)) % size  # each row ends with a tie
        orders, ways = np.take_along_axis(orders, turn, axis=2), np.take_along_axis(ways, turn, axis=2)
        places = np.take_along_axis(self.places, orders, axis=2)
        came = np.roll(ways, 1, axis=2)
        rest = self._rest()
        flat = [np.hstack([each.reshape(count, -1), own]) for each, own in zip((places, ways, came), rest, strict=True)]
        cycles = (_cycles(self.tours[t], *(each[t] for each in flat)) for t in range(count))
        found = [_patched(each, candidates, edge) for each in cycles]
        return np.stack([tour for tour, _ in found]), [dearer for _, dearer in found]

    def _rest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The positions of each tour that no subtour has; where stretches of them end, and where they begin."""
        count, n = self.tours.shape
        used = np.zeros((count, n), bool)
        used[np.arange(count)[:, None], self.places.reshape(count, -1)] = True
        left = n - int(used[0].sum())
        if not left:
            none = np.zeros((count, 0), np.int64)
            return none, none, none
        last = np.argmax(used & ~np.roll(used, -1, axis=1), axis=1)
        turned = (last[:, None] + 1 + np.arange(n)) % n
        rest = ~np.take_along_axis(used, turned, axis=1)
        places = turned[rest].reshape(count, left)
        ways = np.roll(places, -1, axis=1) != (places + 1) % n
        return places, ways.astype(np.int64), np.roll(ways, 1, axis=1).astype(np.int64)


def _halves(
    items: np.ndarray, places: np.ndarray, length: int, edge: Callable[[Any, Any], Any], offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """So many positions of each row in a stretch, and the others: where the ends of both are closest."""
    whole = places.shape[1]
    rows, looks = np.arange(len(places))[:, None], min(whole, _CUTS)
    starts = (offsets[:, None] + np.arange(looks) * whole // looks) % whole
    ends = (starts + length - 1) % whole
    apart = edge(items[rows, starts], items[rows, ends])
    apart = apart + edge(items[rows, starts - 1], items[rows, (ends + 1) % whole])
    start = np.take_along_axis(starts, np.argmin(apart, axis=1)[:, None], axis=1)
    turned = (start + np.arange(whole)) % whole
    return places[rows, turned[:, :length]], places[rows, turned[:, length:]]


def _cycles(tour: np.ndarray, places: np.ndarray, ways: np.ndarray, came: np.ndarray) -> list[np.ndarray]:
    """The cycles made of pieces of a tour, each piece in the direction in which the one before leads to it.

    Parameters
    ----------
    tour : numpy.ndarray, shape (n,)
        The tour.
    places : numpy.ndarray, shape (n,)
        The positions of the items there, piece after piece.
    ways, came : numpy.ndarray, shape (n,)
        Where a piece ends and where one begins, whether it leads on to the next position of the tour (1) or to the one
        before (-1); 0 elsewhere.
    """
    n = len(tour)
    lasts = np.flatnonzero(ways)
    firsts = np.append(0, lasts[:-1] + 1)
    outer = ((places[lasts] + ways[lasts]) % n).tolist(), ((places[firsts] - came[firsts]) % n).tolist()
    inner = places[lasts].tolist(), places[firsts].tolist()
    ends = [list(zip(at, to, strict=True)) for at, to in zip(inner, outer, strict=True)]
    entrances = {end: (number, side) for side in (0, 1) for number, end in enumerate(ends[side])}
    begins, items = firsts.tolist(), tour[places]
    left, cycles = set(range(len(begins))), []
    while left:
        number, side, pieces = min(left), 0, []  # a piece is left at its end (0), or at its beginning
        while number in left:
            left.remove(number)
            piece = items[begins[number] : lasts[number] + 1]
            pieces.append(piece[::-1] if side else piece)
            number, entered = entrances[ends[side][number][::-1]]
            side = 1 - entered
        cycles.append(np.concatenate(pieces))
    return cycles


def _patched(
    cycles: list[np.ndarray], candidates: np.ndarray, edge: Callable[[Any, Any], Any]
) -> tuple[np.ndarray, Any]:
    """One cycle of several, and by how much it is dearer: the smallest joins another, again and again.

    An edge of each makes room for two between them, one of which leads to a candidate: the cheapest exchange.
    """
    dearer: Any = 0
    n = len(candidates)
    while len(cycles) > 1:
        cycles.sort(key=len)
        small = cycles.pop(0)
        owner, place = np.full(n, -1), np.zeros(n, np.int64)
        for number, cycle in enumerate(cycles):
            owner[cycle], place[cycle] = number, np.arange(len(cycle))
        near = candidates[small]
        if not (owner[near] >= 0).any():
            others = np.flatnonzero(owner >= 0)
            near = np.broadcast_to(others, (len(small), len(others)))
        best: tuple[Any, ...] | None = None
        for side in (1, -1):
            beside = np.roll(small, -side)[:, None]
            for way in (1, -1):
                at = owner[near]
                after = np.empty_like(near)
                for number, cycle in enumerate(cycles):
                    inside = at == number
                    after[inside] = cycle[(place[near[inside]] + way) % len(cycle)]
                after[at < 0] = near[at < 0]
                a, b = np.broadcast_arrays(small[:, None], beside, near)[:2]
                change = edge(a, near) + edge(b, after) - edge(a, b) - edge(near, after)
                costs = np.where(at >= 0, change, np.inf)
                k = int(np.argmin(costs))
                if best is None or costs.flat[k] < best[0]:
                    best = (costs.flat[k], side, way, *np.unravel_index(k, costs.shape), change.flat[k].item())
        assert best is not None
        _, side, way, row, column, change = best
        dearer += change
        path = np.roll(small, -row) if side == -1 else np.roll(small, -row - 1)[::-1]  # from `a` to what is beside it
        other, number = int(near[row, column]), int(owner[near[row, column]])
        cycle = cycles[number]
        # ... other, a ... beside, after ...
        turned = np.roll(cycle, -int(place[other]) - 1) if way == 1 else np.roll(cycle, -int(place[other]))[::-1]
        cycles[number] = np.concatenate([turned, path])
    return cycles[0], dearer
