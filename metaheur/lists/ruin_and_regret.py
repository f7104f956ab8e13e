"""Ruin and regret insertion: of the items that are out, the one comes back first that would lose most by waiting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation, Solution
from metaheur.fields import Array
from metaheur.lists.places import lists_in
from metaheur.lists.ruin_and_recreate import RuinAndRecreate, complete, costs_of, ruin_field, with_item
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.parts.perturbation.string_removal import seen
from metaheur.problem import Problem
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RuinAndRegret"]


@final
@frozen(eq=False)
class RuinAndRegret(Perturbation):
    """Strings of near items are taken out of lists; then the item comes back first that has the largest regret.

    Items are taken out as `RuinAndRecreate` does. The regret of an item is how much more it costs at its best place in
    the second best list than at its best place of all; it is the largest of all where there is no second list. The item
    with the largest regret goes to its best place, and the regrets of the others are computed again; the first item
    among equals, in an order drawn from `orders` of `ruin`, goes to the first place among equals, list by list. Each
    place but the head of the last list is overlooked with probability `blinks` of `ruin`, the same ones until all items
    are back. An optional item may stay out, as in one more list.

    Parameters
    ----------
    ruin : RuinAndRecreate
        Which items are taken out, in which order equals come back, and which places are overlooked. Its `beside` does
        not matter: all places are looked at.

    Notes
    -----
    J.-Y. Potvin and J.-M. Rousseau, "A parallel route building algorithm for the vehicle routing and scheduling problem
    with time windows", European Journal of Operational Research 66, 1993; S. Ropke and D. Pisinger, "An adaptive large
    neighborhood search heuristic for the pickup and delivery problem with time windows", Transportation Science 40,
    2006. It foresees more than `RuinAndRecreate`, and needs several times as many evaluations.
    """

    ruin: RuinAndRecreate = ruin_field()

    source: ClassVar[str] = "ruin_and_regret.cuh"
    replaces: ClassVar[bool] = True
    keeps_feasible: ClassVar[bool] = True
    asks: ClassVar[tuple[str, ...]] = ("inserted", "renew")

    def require(self, problem: Problem) -> None:
        """Refuse what `RuinAndRecreate` refuses."""
        self.ruin.require(problem)

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """Of each item that is out and each list, the cost of the best place, and this place; -1 for none."""
        space = lists_in(representation)
        most = min(space.items, 2 * self.ruin.average - 1) * (space.lists + 1)
        return {"costs": Array((most,)), "best": Array((most,), "int32")}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        problem = evaluate.problem
        self.require(problem)
        x, back, random, draws = self.ruin.ruined(walk, solution, problem)
        left, evaluated = back.tolist(), 0
        looked_at = seen(len(x), self.ruin.blinks, random.bits(next(draws)))
        while left:
            evaluate.alarm.check()
            evaluated += len(left) * (len(x) - len(left))
            options = [self._options(x, item, problem, looked_at) for item in left]
            regrets = [one[1][0] - one[0][0] if len(one) > 1 else np.inf for one in map(sorted, options)]
            first = int(np.argmax(regrets))
            _, _, place = min(options[first])
            item = left.pop(first)
            if place != item:
                x[item], x[place] = x[place], item
        return complete(problem, x), evaluated

    def _options(self, x: Solution, item: int, problem: Problem, looked_at: np.ndarray) -> list[tuple[float, int, int]]:
        """For each list with an open place, the cost with an item at its best place, the list, and the place."""
        space, found = lists_in(problem.representation), []
        repeated = self.ruin.repeated(x)
        rings = [[space.items + k, *items] for k, items in enumerate(space.split(x))]
        for k, ring in enumerate([*rings, [item]] if space.optional else rings):
            places = [place for place in ring if looked_at[place] and not repeated[place]]
            if not places:
                continue
            costs = costs_of(problem, problem.representation.view(with_item(x, item, places)))
            best = int(np.argmin(costs))
            found.append((costs[best].item(), k, places[best]))
        return found
