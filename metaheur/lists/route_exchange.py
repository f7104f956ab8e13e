"""Route exchange: a child takes some lists of the second parent in place of its own lists that are most like them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.fields import Array, Range
from metaheur.lists.places import HasLists, lists_in
from metaheur.parts.recombination.crossover import Crossover
from metaheur.random import Random
from metaheur.validate import whole_field

__all__ = ["RouteExchange"]


@final
@frozen
class RouteExchange(Crossover):
    """The first parent, in which some lists give way to lists of the second parent, such as routes.

    A random list of the second parent takes the place of the own list with which it has most items in common. The next
    list of the second parent is the one that has most of the items that have lost their place, and so on, for at most
    so many lists, or until no item has lost its place; the first list among equals. Items that would be in
    two lists leave the old one. Items that have lost their place go behind those that precede them in the second
    parent, or before those that follow them there; a list of which no item is left takes the place of an empty one.

    Parameters
    ----------
    items : int
        Number of items of the lists, 1 or more.
    most : int, default 8
        The number of lists is drawn from 1 ... most.

    Notes
    -----
    Y. Nagata and S. Kobayashi, "A memetic algorithm for the pickup and delivery problem with time windows using
    selective route exchange crossover", PPSN XI, 2010. There items go back to where they cost least; here no cost is
    looked at, and an improvement of the child may move them.
    """

    items: int = whole_field(1, 2**31 - 1)
    most: int = whole_field(1, 2**15, default=8, metadata={"tune": Range(1, 20)})

    source: ClassVar[str] = "route_exchange.cuh"

    def supports(self, representation: Representation) -> bool:
        """Lists of so many items."""
        return isinstance(representation, HasLists) and lists_in(representation).items == self.items

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The list of each item in both parents; whether it has lost its place; which lists are exchanged, in turn."""
        space = lists_in(representation)
        of_items = {name: Array((space.items,), "int32") for name in ("mine", "theirs", "lost")}
        return {**of_items, **{name: Array((space.lists,), "int32") for name in ("given", "gone", "common", "turns")}}

    def cross(self, x: Solution, other: Solution, random: Random) -> None:
        own, theirs = _lists_of(x, self.items), _lists_of(other, self.items)
        full = [k for k, one in enumerate(theirs) if one]
        if not full:
            return
        given, taken, lost = dict[int, int](), full[random.index(0, len(full))], set[int]()
        for _ in range(1 + random.index(1, self.most)):
            alike = [-1 if k in given.values() else len({*one} & {*theirs[taken]}) for k, one in enumerate(own)]
            given[taken] = int(np.argmax(alike))
            kept = {each for k in given for each in theirs[k]}
            lost = {each for k in given.values() for each in own[k]} - kept
            counts = [len(lost & {*one}) for one in theirs]
            if len(given) == len(own) or not any(counts):
                break
            taken = int(np.argmax(counts))
        for k, one in enumerate(own):
            own[k] = [each for each in one if each not in kept | lost]
        for k, place in given.items():
            own[place] = list(theirs[k])
        for k, one in enumerate(theirs):
            if k not in given:
                _put_back(own, one, lost)
        x[: self.items] = np.arange(self.items)
        for k, one in enumerate(own):
            ring = [self.items + k, *one]
            x[ring] = np.roll(ring, -1)


def _lists_of(x: Solution, items: int) -> list[list[int]]:
    """The items of each list."""
    found = []
    for head in range(items, len(x)):
        one, at = list[int](), int(x[head])
        while at != head:
            one.append(at)
            at = int(x[at])
        found.append(one)
    return found


def _put_back(lists: list[list[int]], one: Sequence[int], lost: set[int]) -> None:
    """Put the items of a list that have lost their place beside the others of this list, which are in some lists."""
    for rank, item in enumerate(one):
        if item not in lost:
            continue
        where = {each: one for one in lists for each in one}
        before = next((each for each in reversed(one[:rank]) if each in where), None)
        behind = next((each for each in one[rank + 1 :] if each in where), None)
        if before is not None:
            where[before].insert(where[before].index(before) + 1, item)
        elif behind is not None:
            where[behind].insert(where[behind].index(behind), item)
        else:
            next((each for each in lists if not each), lists[-1]).insert(0, item)
