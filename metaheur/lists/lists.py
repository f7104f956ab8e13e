"""Lists: every item in one of some lists, in an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation, Solution
from metaheur.errors import InputError
from metaheur.lists.linked import LinkedLists
from metaheur.random import Key, Random
from metaheur.representation import Permutation, uniform_words
from metaheur.validate import true_or_false, whole_field

if TYPE_CHECKING:
    from metaheur.neighborhood import Neighborhood

__all__ = ["Lists"]


@final
@frozen
class Lists(Representation):
    """Lists of the items 0 ... items - 1: each item is in one list, in an order, such as customers in routes.

    The array holds what follows each item, then what follows the *head* of each list, `items` + k for list k. The last
    item of a list is followed by its head, and so is the head of an empty list. Items and heads together are *places*:
    a move puts items behind places. An item that is left out follows itself.

    A solution that a problem or a user gets has ``x.lists``, the items of each list; ``x.list(k)``, ``x.next(i)``,
    ``x.previous(i)`` and ``x.left_out`` besides. `split` and `join` lead from arrays to lists and back.

    Parameters
    ----------
    items : int
        Number of items, 1 or more; with the lists at most 2**31 - 1.
    lists : int
        Number of lists, 1 or more. They are told apart: the same items in another list are another solution.
    optional : bool, default False
        Whether items may be left out of all lists.

    Notes
    -----
    All arrangements are drawn with the same probability. There are ``items! (items + lists - 1 choose lists - 1)`` of
    all items; with optional items, the arrangements of each subset of items count, too. So most draws leave out few
    items: r of many items are left out with a probability near 1 / (e r!).
    """

    items: int = whole_field(1, 2**31 - 1)
    lists: int = whole_field(1, 2**31 - 1)
    optional: bool = field(default=False, validator=true_or_false)

    dtype: ClassVar[np.dtype[Any]] = np.dtype(np.int32)
    source: ClassVar[str] = "lists.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse more places than an entry can name."""
        if self.length >= 2**31:
            raise InputError(f"Lists.items and Lists.lists are {self.items} and {self.lists}, 2**31 or more together.")

    @property
    def length(self) -> int:
        """Number of entries: one for each item, and one for each list."""
        return self.items + self.lists

    @property
    def values(self) -> int:
        """Number of values of an entry: as many as there are entries."""
        return self.length

    def view(self, x: Solution) -> LinkedLists:
        """The same array, or many arrays a row each, whose lists can be read."""
        return LinkedLists.of(x, self)

    def split(self, x: Solution) -> list[list[int]]:
        """The items of each list, in order."""
        following = np.asarray(x).tolist()
        found = []
        for head in range(self.items, self.length):
            one, at = [], following[head]
            while at != head:
                one.append(at)
                at = following[at]
            found.append(one)
        return found

    def join(self, lists: Sequence[Sequence[int]]) -> LinkedLists:
        """The solution with these lists: the inverse of `split`; lists that are missing are empty.

        Raises
        ------
        InputError
            If there are too many lists, or an item is in two of them, is none, or is missing and not optional.
        """
        if len(lists) > self.lists:
            raise InputError(f"{self!r} has {self.lists} lists, but {len(lists)} are given.", "join some of them.")
        x = np.arange(self.length)
        where: dict[int, int] = {}
        for k, one in enumerate(lists):
            for item in one:
                if not 0 <= item < self.items:
                    raise InputError(f"List {k} holds {item}, but the items are 0 ... {self.items - 1}.", _FROM_0)
                if item in where:
                    raise InputError(f"Item {item} is in list {where[item]} and in list {k}.", "name each item once.")
                where[item] = k
            ring = [self.items + k, *one]
            x[ring] = np.roll(ring, -1)
        if len(where) < self.items and not self.optional:
            missing = min(set(range(self.items)) - set(where))
            raise InputError(f"Item {missing} is in no list.", "write Lists(..., optional=True) if it may be left out.")
        return self.view(self.validate(x))

    def random(self, random: Random) -> Solution:
        """Draw one of the arrangements: each item goes behind a place drawn among those before; some are taken out.

        Item i goes behind one of the i items before it, or of the heads, the draw i; with optional items, the draw
        2 `items` says how many are taken out, and the draw `items` + t whether it is the t-th, list by list.
        """
        words = [random.bits(i) for i in range(self.items)]
        found: Solution = self._drawn(np.array([words], np.uint64), [random])[0]
        return found

    def starts(self, keys: Sequence[Key]) -> np.ndarray:
        """The random starts of many walks, drawn side by side; int32 array of shape (W, n)."""
        rows, done = [], 0
        for words in uniform_words(keys, self.items):
            rows.append(self._drawn(words, [Random(key, 0, 0) for key in keys[done : done + len(words)]]))
            done += len(words)
        return np.concatenate(rows) if rows else np.zeros((0, self.length), self.dtype)

    def _drawn(self, words: np.ndarray, randoms: Sequence[Random]) -> np.ndarray:
        """A solution for each row of random words, shape (W, items); `randoms` take out optional items."""
        drawn = np.tile(np.arange(self.length, dtype=self.dtype), (len(words), 1))
        walks = np.arange(len(words))
        for i in range(self.items):
            place = (words[:, i] * np.uint64(i + self.lists) >> np.uint64(32)).astype(np.int64)
            behind = np.where(place < i, place, place - i + self.items)
            drawn[walks, i] = drawn[walks, behind]
            drawn[walks, behind] = i
        for x, random in zip(drawn, randoms if self.optional else (), strict=False):
            self._take_out(x, random)
        return drawn

    def _take_out(self, x: np.ndarray, random: Random) -> None:
        """Leave out some items, so that all arrangements have the same probability."""
        left = int(np.searchsorted(self._chances, random.bits(2 * self.items), side="right"))
        met = 0
        for head in range(self.items, self.length):
            at = head
            while x[at] != head:
                item = x[at]
                if random.integer(self.items + met, 0, self.items - met - 1) < left:
                    x[at], x[item] = x[item], item
                    left -= 1
                else:
                    at = item
                met += 1

    @cached_property
    def _chances(self) -> np.ndarray:
        """Entry r is 2**32 times the probability that r items or fewer are left out; int64, of a few entries."""
        shares = [Fraction(1)]
        while self.optional and len(shares) <= self.items and shares[-1] > Fraction(1, 2**40):
            served = self.items - len(shares) + 1  # one of which is left out next, of so many ways fewer
            shares.append(shares[-1] * served / (len(shares) * (served + self.lists - 1)))
        sums = [sum(shares[: r + 1], Fraction(0)) for r in range(len(shares) - 1)]
        return np.array([int(each * 2**32 / sum(shares)) for each in sums] + [2**32], np.int64)

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """`chances`: 2**32 times the probability that so many items or fewer are left out."""
        return {"chances": self._chances}

    def violation(self, x: Solution) -> str:
        """The first list or item that is wrong, in words, or ""."""
        following = np.asarray(x)
        if reason := Permutation(self.length).violation(following):
            return reason
        row, seen = following.tolist(), np.zeros(self.length, bool)
        for head in range(self.items, self.length):
            at = head
            while not seen[at]:
                seen[at], at = True, row[at]
                if at >= self.items and at != head:
                    return f"list {head - self.items} leads to the head of another list, {at}."
        alone = following[: self.items] == np.arange(self.items)
        circle = np.flatnonzero(~seen[: self.items] & ~alone)
        if circle.size:
            return f"item {circle[0]} is in no list, but in a circle of items."
        if alone.any() and not self.optional:
            return f"item {int(np.argmax(alone))} is in no list, and may not be left out."
        return ""

    def distance(self, x: Solution, y: Solution) -> int:
        """The number of places that are followed by another place in y than in x; 0 ... n."""
        return int(np.count_nonzero(np.asarray(x) != np.asarray(y)))

    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods that are tried first: relocations, exchanges and 2-opt* together."""
        from metaheur.lists.cross_exchange import CrossExchange
        from metaheur.lists.relocate import Relocate
        from metaheur.lists.two_opt_star import TwoOptStar
        from metaheur.neighborhoods.union import Union

        return (Union(Relocate(), CrossExchange(), TwoOptStar()), Relocate())


_FROM_0 = "it counts from 1: subtract 1."
