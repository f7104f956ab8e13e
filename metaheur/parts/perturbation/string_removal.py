"""String removal: strings of near items are taken out of a permutation, and come back one by one to good places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Array, Range, data
from metaheur.neighborhoods.by_candidates import require_candidates
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.parts.perturbation.rebuild import costs_of_places, require_insertions, rotate
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.representation import Representation, Solution
from metaheur.validate import real_field, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RemovesStrings", "StringRemoval", "drawn_string", "ordered", "seen"]


@frozen(eq=False)
class RemovesStrings(Perturbation):
    """A perturbation that takes strings of items near each other out of lists, and puts each item back alone."""

    candidates: np.ndarray = data("int32", ndim=2)
    orders: np.ndarray = data("int32", ndim=2)
    average: int = whole_field(1, 2**20, default=10, kw_only=True, metadata={"tune": Range(2, 20)})
    longest: int = whole_field(1, 2**20, default=10, kw_only=True, metadata={"tune": Range(2, 20)})
    blinks: float = real_field(0, 1, default=0.01, kw_only=True, metadata={"tune": Range(0.0, 0.1)})

    replaces: ClassVar[bool] = True

    def __attrs_post_init__(self) -> None:
        """Refuse candidates that are not other items, and orders of other items."""
        require_candidates(self.candidates)
        items = len(self.candidates)
        if not len(self.orders) or self.orders.shape[1] != items:
            raise InputError(
                f"`orders` must have a row or more, with a number for each of {items} items, but has the shape "
                f"{self.orders.shape}.",
                f"use np.zeros((1, {items})).",
            )


@final
@frozen(eq=False)
class StringRemoval(RemovesStrings):
    """Strings of items near a random item are taken out of a permutation; then each item goes to its best place.

    The items 0 ... c-1 may be taken out. The other items, c ... n-1, stay where they are and separate the permutation
    into parts: for vehicles that serve customers, the returns to the depot separate routes. A random item and then
    the items near it are visited, until enough items are out: if the part of such an item has lost nothing yet, it
    loses a string of consecutive items around it. With probability 1/2 one item within it stays. The items come back
    in an order drawn at random from `orders`, each to the cheapest place, the first among equals; each place but the
    last is overlooked with probability `blinks`. The problem must evaluate partial permutations: see
    `InsertsPartially`.

    Parameters
    ----------
    candidates : array_like of int, shape (c, k)
        For each item other items, the nearest first.
    orders : array_like of int, shape (r, c)
        The items come back in increasing order of the numbers in one of the rows, drawn at random, and items with equal
        numbers in random order. ``np.zeros((1, c))`` is a random order.
    average : int, default 10
        How many items are taken out on average: 1 ... 2 * `average` - 1, each number with the same probability; fewer
        if strings of the items near the first one have fewer items.
    longest : int, default 10
        The most items of a string.
    blinks : float, default 0.01
        In 0 ... 1.

    Raises
    ------
    InputError
        If a field is not as described.

    Notes
    -----
    J. Christiaens and G. Vanden Berghe, "Slack induction by string removals for vehicle routing problems",
    Transportation Science 54, 2020. There the number of strings is drawn; here it is the number of items. The authors
    take the orders: random (weight 4), by decreasing demand (4), farthest from the depot first (2) and nearest first
    (1); a row that is given twice has twice the weight.
    """

    source: ClassVar[str] = "string_removal.cuh"
    asks: ClassVar[tuple[str, ...]] = ("insertions",)

    def require(self, problem: Problem) -> None:
        """Refuse problems that do not evaluate partial permutations, and permutations with too few items.

        Raises
        ------
        InputError
            If the problem does not fit.
        """
        require_insertions(self, problem)
        n = problem.representation.length
        if len(self.candidates) > n:
            raise InputError(
                f"`candidates` must have one row for each of at most {n} items, but has {len(self.candidates)} rows.",
                "use the candidates of this problem, such as problem.nearest(60).",
            )

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The costs of all places of an item; where each item is; which items are out or next to a string; how many."""
        n = representation.length
        return {
            "costs": Array((n,)),
            "places": Array((n,), "int32"),
            "marks": Array((n,), "uint8"),
            "taken": Array((2,), "int32"),
        }

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        self.require(evaluate.problem)
        random, draws = walk.random(Stream.PERTURBATION), count()
        x, cost, evaluated = solution.solution, solution.cost, 0
        out = self._taken(x, random, draws)
        x = np.concatenate([x[~out], ordered(x[out], self.orders, random, draws)])
        for length in range(int((~out).sum()), len(x)):
            evaluate.alarm.check()
            costs = costs_of_places(evaluate.problem, x[:length], int(x[length]))
            places = np.flatnonzero(seen(length + 1, self.blinks, random.bits(next(draws))))
            place = int(places[np.argmin(costs[places])])
            cost, evaluated = costs[place].item(), evaluated + length + 1
            rotate(x, length, place)
        return EvaluatedSolution(solution.representation, x, cost), evaluated

    def _taken(self, x: Solution, random: Random, draws: Iterator[int]) -> np.ndarray:
        """Whether the item at each position is taken out."""
        items, out, whole = len(self.candidates), np.zeros(len(x), bool), np.ones(len(x), bool)
        first = random.integer(next(draws), 0, items - 1)
        left = min(random.integer(next(draws), 1, 2 * self.average - 1), items - 1)
        for item in (first, *self.candidates[first]):
            at = int(np.flatnonzero(x == item)[0])
            if not left:
                break
            if not whole[at]:
                continue
            others = np.flatnonzero(x >= items)
            low = int(others[others < at].max(initial=-1)) + 1
            high = int(others[others > at].min(initial=len(x)))
            string = drawn_string(random, draws, at - low, high - low, min(self.longest, left))
            whole[low:high] = False
            out[[low + place for place in string]] = True
            left -= len(string)
        return out


def drawn_string(random: Random, draws: Iterator[int], rank: int, size: int, most: int) -> list[int]:
    """The places of at most `most` items that leave a list of `size` items, around the place `rank`."""
    length = random.integer(next(draws), 1, min(most, size))
    stays = random.integer(next(draws), 0, 1) == 1 and 1 < length < size
    width = length + stays
    begin = random.integer(next(draws), max(0, rank - width + 1), min(rank, size - width))
    inner = random.integer(next(draws), 1, max(1, width - 2))
    return [begin + k for k in range(width) if not (stays and k == inner)]


def ordered(taken: np.ndarray, orders: np.ndarray, random: Random, draws: Iterator[int]) -> np.ndarray:
    """Items that were taken out, in the order in which they come back: by one of some orders."""
    taken = taken.copy()
    for last in range(len(taken) - 1, 0, -1):
        other = random.integer(next(draws), 0, last)
        taken[[last, other]] = taken[[other, last]]
    numbers = orders[random.integer(next(draws), 0, len(orders) - 1), taken]
    return taken[np.argsort(numbers, kind="stable")]


def seen(places: int, blinks: float, bits: int) -> np.ndarray:
    """Whether each of some places is not overlooked; the last one never is."""
    at = np.arange(places)
    return np.asarray(((2 * at + 1) * bits & 0xFFFFFFFF >= int(blinks * 2.0**32)) | (at == places - 1))
