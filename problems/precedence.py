"""Orders in which some items come before others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.neighborhoods.insertion import InsertionMove
from metaheur.neighborhoods.or_opt import OrOptMove
from metaheur.source import Source, join, piece

__all__ = ["Precedence", "with_precedence"]


def with_precedence(half: str) -> Source:
    """The C++ half of a problem in a file of this folder, behind the members that `precedence.cuh` shares."""
    pieces = [piece("problems/precedence.cuh"), piece(f"problems/{half}")]
    return Source(join(pieces), f"metaheur/problems/{half}")


@final
@frozen(eq=False)
class Precedence:
    """Which of n items come before which others in an order of all of them.

    Parameters
    ----------
    ahead, behind : tuple of tuples of int
        For each item, those that come before it and those that come behind it, without those that follow from others.
    """

    ahead: tuple[tuple[int, ...], ...]
    behind: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, pairs: np.ndarray, n: int) -> Self:
        """The precedence that is listed: a row (a, b) for each item a that comes before an item b.

        Raises InputError if the shape is not (any number, 2), an item is not in 0 ... n - 1, or items follow each other
        in a circle.
        """
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InputError(f"`precedences` must be pairs of items, shape (any, 2), but has the shape {pairs.shape}.")
        wrong = np.flatnonzero(((pairs < 0) | (pairs >= n)).any(axis=1))
        if len(wrong):
            raise InputError(f"`precedences` must hold items 0 ... {n - 1}, but row {wrong[0]} is {pairs[wrong[0]]}.")
        given = _behind(pairs, n)
        place = {item: k for k, item in enumerate(_in_order(given))}
        if len(place) < n:
            item = min(set(range(n)) - set(place))
            raise InputError(f"`precedences` lead in a circle, to which item {item} belongs or which comes before it.")
        ahead, behind = [list[int]() for _ in range(n)], [list[int]() for _ in range(n)]
        reached = [0] * n  # by bits: the items that come behind each item
        for a in sorted(range(n), key=place.__getitem__, reverse=True):
            for b in sorted(given[a], key=place.__getitem__):
                if not reached[a] >> b & 1:
                    reached[a] |= 1 << b | reached[b]
                    behind[a].append(b)
                    ahead[b].append(a)
        return cls(tuple(map(tuple, ahead)), tuple(map(tuple, behind)))

    def order(self, choose: Callable[[list[int]], int]) -> np.ndarray:
        """An order of all items, int32; `choose` is given the items that may come next, and returns a place in them."""
        return np.array([*_in_order(self.behind, choose)], np.int32)

    def violations(self, x: np.ndarray) -> int:
        """How many pairs are in the wrong order."""
        place = np.argsort(x)
        return sum(int(place[a] > place[b]) for b, each in enumerate(self.ahead) for a in each)

    def allows(self, x: np.ndarray, move: Any) -> bool:
        """Whether a move keeps the order of all pairs, if x has it.

        Raises InputError for moves other than those of `Insertion` and `OrOpt`.
        """
        if isinstance(move, InsertionMove):
            move = OrOptMove(move.i, 1, move.j - move.i, 0)
        if not isinstance(move, OrOptMove):
            raise InputError(f"It is not known whether {move!r} keeps an order.", "use Insertion() or OrOpt().")
        first, end, shift = int(move.i), int(move.i + move.length), int(move.shift)
        moved = x[first:end].tolist()
        passed = set(x[first + shift : first].tolist() if shift < 0 else x[end : end + shift].tolist())
        nearer = self.ahead if shift < 0 else self.behind
        inside = {*moved} if move.reverse else set[int]()
        return not any(passed & {*nearer[item]} or inside & {*self.ahead[item]} for item in moved)

    def tables(self) -> Mapping[str, np.ndarray]:
        """`ahead`, `behind`: all lists, one after the other; `ahead_from`, `behind_from`: where each begins."""
        found = {}
        for name, lists in (("ahead", self.ahead), ("behind", self.behind)):
            found[f"{name}_from"] = np.cumsum([0, *map(len, lists)]).astype(np.int32)
            found[name] = np.array([item for each in lists for item in each] or [0], np.int32)
        return found

    def state(self) -> Mapping[str, Array]:
        """`place` of each item; `low`, `high`: the places between which the item at a place may be moved."""
        return {name: Array((len(self.ahead),), "int32") for name in ("place", "low", "high")}


def _behind(pairs: np.ndarray, n: int) -> list[list[int]]:
    """For each item the items that come behind it, once each."""
    found = [dict[int, None]() for _ in range(n)]
    for a, b in pairs.tolist():
        found[a][b] = None
    return [[*each] for each in found]


def _in_order(behind: Sequence[Sequence[int]], choose: Callable[[list[int]], int] = lambda _: 0) -> Iterator[int]:
    """The items, each behind those that come before it; those of a circle, and behind one, are left out."""
    waits = np.bincount([b for each in behind for b in each], minlength=len(behind)).tolist()
    ready = [item for item, count in enumerate(waits) if not count]
    while ready:
        item = ready.pop(choose(ready))
        yield item
        for each in behind[item]:
            waits[each] -= 1
            if not waits[each]:
                ready.append(each)
