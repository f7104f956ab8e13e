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

    def joined(self, orders: np.ndarray) -> np.ndarray:
        """The tours whose subtours have other orders.

        Parameters
        ----------
        orders : numpy.ndarray, shape (t, s, m)
            The numbers of the items of each subtour, in their new order; ties are kept.

        Returns
        -------
        numpy.ndarray, shape (t, n)
        """
        if not self.tied.any():
            return np.take_along_axis(self.items[:, 0], orders[:, 0], axis=1)
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
        return np.stack([_joined(self.tours[t], *(each[t] for each in flat)) for t in range(count)])

    def _rest(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The positions of each tour that no subtour has, a stretch; and that it is left on at its end, from its begin.
        """
        count, n = self.tours.shape
        used = np.zeros((count, n), bool)
        used[np.arange(count)[:, None], self.places.reshape(count, -1)] = True
        left = n - int(used[0].sum())
        last = np.argmax(used & ~np.roll(used, -1, axis=1), axis=1)
        places = (last[:, None] + 1 + np.arange(left)) % n
        ways = np.zeros((count, left), np.int64)
        came = ways.copy()
        ways[:, -1:] = came[:, :1] = 1
        return places, ways, came


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


def _joined(tour: np.ndarray, places: np.ndarray, ways: np.ndarray, came: np.ndarray) -> np.ndarray:
    """The tour made of pieces of another one, each in the direction in which the one before leads to it.

    Parameters
    ----------
    tour : numpy.ndarray, shape (n,)
        The other one.
    places : numpy.ndarray, shape (n,)
        The positions of the items there, piece after piece.
    ways, came : numpy.ndarray, shape (n,)
        Where a piece ends and where one begins, whether the next position there (1) or the one before (-1) lies
        outside; 0 elsewhere.
    """
    n = len(tour)
    lasts = np.flatnonzero(ways)
    firsts = np.append(0, lasts[:-1] + 1)
    outer = ((places[lasts] + ways[lasts]) % n).tolist(), ((places[firsts] - came[firsts]) % n).tolist()
    inner = places[lasts].tolist(), places[firsts].tolist()
    entrances = {(at, to): (k, side) for side in (0, 1) for k, (at, to) in enumerate(zip(inner[side], outer[side]))}
    firsts, ends = firsts.tolist(), (lasts + 1).tolist()
    items, out, number, side = tour[places], [], 0, 0  # the piece is left at its end (0), or at its beginning
    for _ in firsts:
        piece = items[firsts[number] : ends[number]]
        out.append(piece[::-1] if side else piece)
        number, entered = entrances[outer[side][number], inner[side][number]]
        side = 1 - entered
    return np.concatenate(out)
