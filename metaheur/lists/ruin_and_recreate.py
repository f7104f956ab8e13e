"""Ruin and recreate: strings of near items are taken out of lists, and come back one by one to good places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, count
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import as_costs, packed
from metaheur.fields import Array, data
from metaheur.lists.cuts import CutsMove
from metaheur.lists.places import HasLists, lists_in
from metaheur.lists.tails_move import TailsMove
from metaheur.part import Kept
from metaheur.parts.perturbation.string_removal import RemovesStrings, drawn_string, ordered, seen
from metaheur.problem import Problem, judges
from metaheur.random import Random, Stream
from metaheur.representation import Representation, Solution
from metaheur.validate import instance_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RuinAndRecreate", "complete", "costs_of", "ruin_field", "with_item"]

ALL = (-1,)
"""Kinds of lists, where all empty ones are looked at."""


def with_item(x: np.ndarray, item: int, places: np.ndarray | list[int]) -> np.ndarray:
    """The solutions with an item that is out behind each of some places, a row each."""
    rows, at = np.repeat(x[None], len(places), axis=0), np.arange(len(places))
    rows[at, item] = rows[at, places]
    rows[at, places] = item
    return rows


def costs_of(problem: Problem, xs: np.ndarray) -> np.ndarray:
    """The costs of solutions, in which items may be out; levels as one number."""
    return as_costs(problem, packed(problem, problem.costs(xs), "costs"), "costs")


def complete(problem: Problem, x: np.ndarray) -> EvaluatedSolution:
    """A solution with its cost."""
    space = problem.representation
    whole = space.view(np.ascontiguousarray(x))
    return EvaluatedSolution(space, whole, costs_of(problem, whole[None])[0].item())


@final
@frozen(eq=False)
class RuinAndRecreate(RemovesStrings):
    """Strings of items near a random item are taken out of lists; then each item goes to its best place.

    A random item and then the items near it are visited, until enough items are out: if the list of such an item has
    lost nothing yet, it loses a string of consecutive items around it. With probability 1/2 one item within it stays.
    With `tails`, two of these lists exchange what is behind their strings: the two for which this costs least, if the
    solution then costs less than before. The items come back in an order drawn at random from `orders`, each behind the
    place where the cost is least, the first among equals; each place but the head of the last list is overlooked with
    probability `blinks`.

    The cost of the problem must be defined where items are left out. Its C++ half needs ``Cost inserted(const Item* x,
    State s, int item, int place) const``, the change of cost where an item that is left out goes behind a place, and
    ``void renew(const Item* x, State s, int place) const``, which updates what is kept of the list of a place. Problems
    that join segments have both.

    Parameters
    ----------
    candidates : array_like of int, shape (items, k)
        For each item other items, the nearest first.
    orders : array_like of int, shape (r, items)
        The items come back in increasing order of the numbers in one of the rows, drawn at random, and items with equal
        numbers in random order. ``np.zeros((1, items))`` is a random order.
    average : int, default 10
        How many items are taken out on average: 1 ... 2 * `average` - 1, each number with the same probability; fewer
        if strings of the items near the first one have fewer items.
    longest : int, default 10
        The most items of a string.
    blinks : float, default 0.01
        In 0 ... 1.
    kinds : array_like of int, shape (lists,), optional
        The kind of each list. Adjacent empty lists of one kind, such as equal vehicles, are interchangeable: only the
        first of them is tried, and the last list of all. By default all empty lists are tried.
    beside : int, default 0
        An item comes back next to one of so many of its first candidates, to an end of a list where another candidate
        is, to an empty list, or to the begin of the last one; they are tried in this order. If 0, it comes back
        anywhere.
    tails : bool, default False
        Whether lists exchange what is behind their strings, as in `TwoOptStar`; the problem must evaluate `TailsMove`.
    lists : int, default 0
        At most so many lists get items: an empty list is tried only while fewer lists have some. The last list counts
        as one that has some, and is always tried. If 0, any list may get items.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    G. Schrimpf, J. Schneider, H. Stamm-Wilbrandt and G. Dueck, "Record breaking optimization results using the ruin and
    recreate principle", Journal of Computational Physics 159, 2000; J. Christiaens and G. Vanden Berghe, "Slack
    induction by string removals for vehicle routing problems", Transportation Science 54, 2020. `StringRemoval` does
    the same with permutations.
    """

    kinds: np.ndarray = data("int32", ndim=1, default=ALL)
    beside: int = whole_field(0, 2**20, default=0, kw_only=True)
    tails: bool = field(default=False, kw_only=True, metadata={"python only": True})
    lists: int = whole_field(0, 2**20, default=0, kw_only=True)

    source: ClassVar[str] = "ruin_and_recreate.cuh"
    keeps_feasible: ClassVar[bool] = True
    asks: ClassVar[tuple[str, ...]] = ("inserted", "renew")

    def require(self, problem: Problem) -> None:
        """Refuse problems with hard constraints, and solutions that are not lists of as many items as have candidates.

        Raises
        ------
        InputError
            If the problem does not fit.
        """
        if judges(problem):
            raise InputError(
                f"RuinAndRecreate puts items anywhere, but {type(problem).__name__} has hard constraints (`feasible`).",
                "use RuinAndRecreatePairs where items go together, or RandomMoves.",
            )
        self.require_lists(problem)

    def require_lists(self, problem: Problem) -> None:
        """Refuse solutions that are not lists of as many items as have candidates."""
        space = problem.representation
        if not isinstance(space, HasLists):
            raise InputError(
                f"RuinAndRecreate acts on lists, but the solutions are {space!r}.", "use StringRemoval or Reinsertion."
            )
        if len(self.kinds) > 1 and len(self.kinds) != lists_in(space).lists:
            raise InputError(f"`kinds` must have a number for each of {lists_in(space).lists} lists.", "leave it out.")
        if self.tails and TailsMove not in problem.moves:
            raise InputError(
                f"RuinAndRecreate(..., tails=True) asks for the `delta` of a TailsMove, but `moves` of "
                f"{type(problem).__name__} has none.",
                "leave `tails` out.",
            )
        if lists_in(space).items != len(self.candidates):
            raise InputError(
                f"`candidates` must have a row for each of {lists_in(space).items} items, but has "
                f"{len(self.candidates)}.",
                "use the candidates of this problem, such as problem.nearest(60).",
            )

    def constants(self, representation: Representation) -> dict[str, int]:
        """`optional`: whether items may be left out; `tails`: whether lists exchange them."""
        return {"optional": lists_in(representation).optional, "tails": self.tails}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The items that are out; whether each list has lost a string, and the places before strings.

        How many items are out, the next draw, how many empty lists are tried, how many strings there are, and how many
        lists but the last have items. With `beside`, also the place before each place, and the heads of empty lists.
        """
        space = lists_in(representation)
        return {
            "previous": Array((space.items + space.lists if self.beside else 1,), "int32"),
            "taken": Array((space.items,), "int32"),
            "touched": Array((space.lists,), "uint8"),
            "open": Array((space.lists,), "int32"),
            "counts": Array((5,), "int32"),
            "cuts": Array((space.lists,), "int32"),
        }

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        self.require(evaluate.problem)
        x, back, random, draws = self.ruined(walk, solution, evaluate.problem)
        x, evaluated = self.recreated(x, back, random, draws, evaluate)
        return complete(evaluate.problem, x), evaluated

    def ruined(
        self, walk: Walk, solution: EvaluatedSolution, problem: Problem
    ) -> tuple[np.ndarray, np.ndarray, Random, Iterator[int]]:
        """A solution without some strings, their items in the order in which they come back, and what is drawn next."""
        random, draws, start = walk.random(Stream.PERTURBATION), count(), np.asarray(solution.solution)
        x, taken = self.taken(start, lists_in(solution.representation), random, draws)
        back = ordered(np.array(taken, np.int64), self.orders, random, draws)
        return self._crossed(problem, start, x, taken) if self.tails else x, back, random, draws

    def _crossed(self, problem: Problem, start: np.ndarray, x: np.ndarray, taken: list[int]) -> np.ndarray:
        """The solution after two lists exchanged what is behind their strings, if it costs less than the start."""
        space, before, cuts = problem.representation, np.empty(len(x), np.int64), dict[int, int]()
        before[start] = np.arange(len(x))
        lists = {item: k for k, one in enumerate(lists_in(space).split(start)) for item in one}
        for item in taken:
            if item in lists:
                cuts.setdefault(lists[item], int(before[item]))  # before the first item of a string
        pairs = combinations(cuts.values(), 2)
        moves = [move for p, q in pairs if (move := CutsMove(p, q, lists_in(space)).resolve(x)) is not None]
        if not moves:
            return x
        rows = np.array([start, x, *(move.apply(x) for move in moves)])
        costs = costs_of(problem, space.view(rows))
        best = 2 + int(np.argmin(costs[2:]))
        found: np.ndarray = rows[best] if costs[best] < costs[0] else x
        return found

    def recreated(
        self, x: np.ndarray, back: np.ndarray, random: Random, draws: Iterator[int], evaluate: Evaluator
    ) -> tuple[np.ndarray, int]:
        """The solution after items came back one by one, and how many places count as evaluated."""
        problem, space, evaluated = evaluate.problem, evaluate.problem.representation, 0
        for k, item in enumerate(back):
            evaluate.alarm.check()
            open_places, looked_at = self._open_places(x, int(item), lists_in(space).optional, random.bits(next(draws)))
            rows = with_item(x, int(item), open_places)
            x = rows[int(np.argmin(costs_of(problem, space.view(rows))))]
            evaluated += looked_at or len(x) - (len(back) - k)
        return x, evaluated

    def _open_places(self, x: np.ndarray, item: int, optional: bool, bits: int) -> tuple[np.ndarray, int]:
        """The places behind which an item is tried, in order, and how many count as evaluated; 0 for all of them."""
        items, places = len(self.candidates), np.arange(len(x))
        inside = ((places >= items) | (x != places)) & ~self.repeated(x)
        if optional:
            inside[item] = True  # where it stays out
        open_places = seen(len(x), self.blinks, bits) & inside
        if not self.beside:
            return np.flatnonzero(open_places), 0
        found = np.concatenate([self.places_beside(x, item), np.array([item] * optional, int)])
        return found[open_places[found]], self.counted + optional

    def places_beside(self, x: np.ndarray, item: int) -> np.ndarray:
        """The places behind which an item is tried with `beside`, in order; some twice."""
        items, places = len(self.candidates), np.arange(len(x))
        before = np.empty(len(x), np.int64)
        before[x] = places
        near = self.candidates[item]
        both = np.stack([before[near], near], 1)
        tried = np.stack([before[near] >= items, x[near] >= items], 1)
        tried[: self.beside] = True
        tried &= (x[near] != near)[:, None]
        heads = ((x == places) & ~self.repeated(x) | (places == len(x) - 1))[items:]
        return np.concatenate([both[tried], places[items:][heads]])

    @property
    def counted(self) -> int:
        """How many places count as evaluated with `beside`."""
        most: int = self.candidates.shape[1]
        return 2 * min(self.beside, most) + 1

    def repeated(self, x: Solution) -> np.ndarray:
        """Whether each place is the head of an empty list that is not tried, but not the last; bool.

        It is behind another one of its kind, or as many lists as `lists` have items.
        """
        empty = np.asarray(x) == np.arange(len(x))
        found, first = np.zeros(len(x), bool), len(self.candidates)
        if self.lists and int((~empty[first:-1]).sum()) >= self.lists - 1:
            found[first:] = empty[first:]
        elif len(self.kinds) > 1:
            alike = self.kinds[1:] == self.kinds[:-1]
            found[first + 1 :] = empty[first + 1 :] & empty[first:-1] & alike
        found[-1] = False
        return found

    def taken(
        self, solution: Solution, space: HasLists, random: Random, draws: Iterator[int]
    ) -> tuple[np.ndarray, list[int]]:
        """The solution without some items, which follow themselves, and these items."""
        x, out, whole = np.asarray(solution).copy(), list[int](), [True] * space.lists
        first = random.integer(next(draws), 0, space.items - 1)
        more = random.integer(next(draws), 1, 2 * self.average - 1)
        for at in (first, *self.candidates[first].tolist()):
            if not more:
                break
            if x[at] == at:
                if space.optional and at not in out:
                    out.append(at)
                    more -= 1
                continue
            k, items = next((k, items) for k, items in enumerate(space.split(x)) if at in items)
            if not whole[k]:
                continue
            whole[k] = False
            places = drawn_string(random, draws, items.index(at), len(items), min(self.longest, more))
            string = [items[place] for place in places]
            ring = [space.items + k, *(item for item in items if item not in string)]
            x[ring] = np.roll(ring, -1)
            x[string] = string
            out += string
            more -= len(string)
        return x, out


def ruin_field() -> Any:
    """A field for the ruin of another part, which tries empty lists by its own rules: `lists` is refused."""

    def check(owner: Any, field: Attribute[Any], value: RuinAndRecreate) -> None:
        if value.lists:
            raise InputError(
                f"`{type(owner).__name__}.ruin` must try all empty lists, but `lists` is {value.lists}.",
                "leave `lists` out.",
            )

    made = instance_field(RuinAndRecreate)
    made.validator(check)
    return made
