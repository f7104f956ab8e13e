"""Relocate pairs: a pickup and its delivery go to places of one list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.fields import Array, data
from metaheur.lists.pairs_move import PairsMove
from metaheur.lists.places import HasLists, lists_in
from metaheur.move import DependentMove, Move
from metaheur.neighborhood import Neighborhood, foreign, numbered
from metaheur.representation import Solution
from metaheur.validate import whole_field

__all__ = ["PairAt", "PairRelocate", "require_pairs"]


def require_pairs(pairs: np.ndarray) -> None:
    """Refuse pairs of items in which an item is twice."""
    if pairs.shape[1:] != (2,) or not len(pairs):
        raise InputError(f"`pairs` must have the shape (r, 2), but has the shape {pairs.shape}.")
    numbers, counts = np.unique(pairs, return_counts=True)
    if counts.max() > 1 or numbers[0] < 0:
        raise InputError("`pairs` must name items, each once.", "number the items from 0.")


@final
@frozen
class PairAt(DependentMove):
    """A pair goes to a list: its first item behind a place, its second one so many places behind that.

    Parameters
    ----------
    first, second : int
        The items.
    place : int
        The place behind which the first item goes.
    steps : int
        How many items are between both, 0 or more.
    space : Lists
        The representation.
    """

    first: int
    second: int
    place: int
    steps: int
    space: HasLists = field(repr=False, metadata={"python only": True})

    def resolve(self, x: Solution) -> PairsMove | None:
        """The move; None where the list ends before, or nothing would change."""
        pair, at = (self.first, self.second), self.place
        if self.place in pair:
            return None
        for _ in range(self.steps):
            at = next(each for each in _behind(x, at) if each not in pair)
            if at >= self.space.items:
                return None
        first_at, second_at = (int(np.flatnonzero(np.asarray(x) == item)[0]) for item in pair)
        move = PairsMove(first_at, second_at, self.place, at if self.steps else self.first)
        return None if move == move.inverse() else move


def _behind(x: Solution, place: int) -> Iterator[int]:
    """What follows a place, one after the other."""
    while True:
        place = int(x[place])
        yield place


@final
@frozen(eq=False)
class PairRelocate(Neighborhood):
    """A pair of items, such as a pickup and its delivery, goes to places of one list, the first item before the second.

    Parameters
    ----------
    pairs : array_like of int, shape (r, 2)
        The first and the second item of each pair, such as a problem's `pairs`.
    between : int, default 10
        The most items that come between both.

    Notes
    -----
    Of n places, index (pair n + place) (`between` + 1) + steps puts the first item behind a place, and the second one
    so many items later. A move is infeasible where the list ends before, or nothing would change.

    H. Li and A. Lim, "A metaheuristic for the pickup and delivery problem with time windows", International Journal on
    Artificial Intelligence Tools 12, 2003: the PD-shift operator.
    """

    pairs: np.ndarray = data("int32", ndim=2)
    between: int = whole_field(0, 2**15, default=10)

    source: ClassVar[str] = "pair_relocate.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse pairs that share an item."""
        require_pairs(self.pairs)

    @property
    def move_types(self) -> tuple[type[Move], ...]:
        """`PairsMove`."""
        return (PairsMove,)

    @property
    def partial(self) -> bool:
        """True: a list may be too short."""
        return True

    def supports(self, representation: Representation) -> bool:
        """Lists of all items, among them those of the pairs."""
        fits = isinstance(representation, HasLists) and not representation.optional
        return fits and int(self.pairs.max()) < lists_in(representation).items

    def constants(self, representation: Representation) -> dict[str, int]:
        """`items`, and how many moves a pair has: `share`."""
        return {"items": lists_in(representation).items, "share": representation.length * (self.between + 1)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The place before, and the place after, each place."""
        return {name: Array((representation.length,), "int32") for name in ("previous", "following")}

    def size(self, representation: Representation) -> int:
        """Pairs times places times (`between` + 1)."""
        return len(self.pairs) * representation.length * (self.between + 1)

    def groups(self, representation: Representation) -> int:
        """One for each pair."""
        return len(self.pairs)

    def group(self, representation: Representation, g: int) -> range:
        """All moves of a pair."""
        each = representation.length * (self.between + 1)
        return range(g * each, (g + 1) * each)

    def moves(self, representation: Representation) -> Iterator[PairAt]:
        """Pair by pair, place by place, from both items side by side to the most items between them."""
        return (self.move(representation, k) for k in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> PairAt:
        """Quotients and remainders."""
        rest, steps = divmod(numbered(self, representation, k), self.between + 1)
        pair, place = divmod(rest, representation.length)
        first, second = self.pairs[pair].tolist()
        return PairAt(first, second, place, steps, lists_in(representation))

    def index(self, representation: Representation, move: Any) -> int:
        """(pair n + place) (`between` + 1) + steps."""
        found = np.flatnonzero(self.pairs[:, 0] == move.first)
        n = representation.length
        if not len(found) or not (0 <= move.place < n and 0 <= move.steps <= self.between):
            raise foreign(self, representation, move, f"a pair, 0 <= place < {n}, and 0 ... {self.between} steps")
        return (int(found[0]) * n + int(move.place)) * (self.between + 1) + int(move.steps)
