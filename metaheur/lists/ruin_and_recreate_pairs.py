"""Ruin and recreate of pairs: near items are taken out with their partners, and come back pair by pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.lists.pair_relocate import require_pairs
from metaheur.lists.places import lists_in
from metaheur.lists.ruin_and_recreate import RuinAndRecreate, complete, costs_of, ruin_field
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RuinAndRecreatePairs"]


@final
@frozen(eq=False)
class RuinAndRecreatePairs(Perturbation):
    """Strings of near items are taken out of lists with their partners; then each pair goes to its best two places.

    Items are taken out as `RuinAndRecreate` does, and the partners of all of them, such as the deliveries of pickups.
    The pairs come back in the order of their first items that are out, each to a list where the cost is least, the
    first item before the second; the first such list and places among equals. Each place is overlooked for the first
    item, and for the second one, with the probability `blinks` of `ruin`, but neither the head of the last list, nor
    the place behind the first item for the second one.

    The cost of the problem must be defined where items are left out. Its C++ half needs `best_pair` and `renew`, which
    problems that join segments have.

    Parameters
    ----------
    ruin : RuinAndRecreate
        Which items are taken out, and in which order they come back.
    pairs : array_like of int, shape (r, 2)
        The first and the second item of each pair; each item is in a pair.

    Raises
    ------
    InputError
        If an item is in no pair, or in two.

    Notes
    -----
    S. Ropke and D. Pisinger, "An adaptive large neighborhood search heuristic for the pickup and delivery problem with
    time windows", Transportation Science 40, 2006.
    """

    ruin: RuinAndRecreate = ruin_field()
    pairs: np.ndarray = data("int32", ndim=2)

    source: ClassVar[str] = "ruin_and_recreate_pairs.cuh"
    replaces: ClassVar[bool] = True
    keeps_feasible: ClassVar[bool] = True
    asks: ClassVar[tuple[str, ...]] = ("best_pair", "renew")

    def __attrs_post_init__(self) -> None:
        """Refuse pairs that do not hold each item once, and a ruin that parts them."""
        require_pairs(self.pairs)
        if self.ruin.tails:
            raise InputError("`ruin` exchanges tails of lists, which parts pairs.", "leave `tails` out.")
        if self.pairs.size != len(self.ruin.candidates) or int(self.pairs.max()) >= self.pairs.size:
            raise InputError(
                f"`pairs` must hold each of {len(self.ruin.candidates)} items once, but holds {self.pairs.size}.",
                "use the pairs of the problem.",
            )

    def require(self, problem: Problem) -> None:
        """Refuse solutions that are not lists with as many items as there are candidate lists, or with optional items.

        Raises
        ------
        InputError
            If the problem does not fit.
        """
        self.ruin.require_lists(problem)
        if lists_in(problem.representation).optional:
            raise InputError(
                f"RuinAndRecreatePairs puts every pair back, but items of {problem.representation!r} are optional.",
                "use RuinAndRecreate.",
            )

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        problem, space = evaluate.problem, solution.representation
        self.require(problem)
        x, back, random, draws = self.ruin.ruined(walk, solution, problem)
        evaluated, rows = 0, [int(np.argwhere(self.pairs == item)[0, 0]) for item in back]
        pairs = self.pairs[list(dict.fromkeys(rows))].tolist()
        for item in (each for pair in pairs for each in pair):
            x[x == item], x[item] = x[item], item
        for k, pair in enumerate(pairs):
            evaluate.alarm.check()
            options = self._options(x, lists_in(space), pair, random.bits(next(draws)))
            costs = costs_of(problem, space.view(np.array(options)))
            x = options[int(np.argmin(costs))]
            evaluated += len(x) - 2 * (len(pairs) - k)
        return complete(problem, x), evaluated

    def _options(self, x: Solution, space: object, pair: list[int], bits: int) -> list[np.ndarray]:
        """The solutions with a pair at all places that are looked at, list by list."""
        found, (first, second), overlooked = [], pair, int(self.ruin.blinks * 2**32)
        lists = lists_in(space)  # type: ignore[arg-type]
        repeated = self.ruin.repeated(x)
        for k, items in enumerate(lists.split(x)):
            if repeated[lists.items + k]:
                continue
            ring = [lists.items + k, *items]
            for p, place in enumerate(ring):
                if place != len(x) - 1 and (2 * place + 1) * bits % 2**32 < overlooked:
                    continue
                for q in range(p, len(ring)):
                    if q > p and (2 * ring[q] + 1) * bits % 2**32 < overlooked:
                        continue
                    whole = [*ring[: p + 1], first, *ring[p + 1 : q + 1], second, *ring[q + 1 :]]
                    option = np.asarray(x).copy()
                    option[whole] = np.roll(whole, -1)
                    found.append(option)
        return found
