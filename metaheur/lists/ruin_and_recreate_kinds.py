"""Ruin and recreate where lists are of unlike kinds: a list changes places with one of another kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.lists.places import HasLists, lists_in
from metaheur.lists.ruin_and_recreate import RuinAndRecreate, complete, costs_of, ruin_field
from metaheur.part import Kept
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random
from metaheur.representation import Representation
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["RuinAndRecreateKinds"]


@final
@frozen(eq=False)
class RuinAndRecreateKinds(Perturbation):
    """Ruin and recreate for lists of unlike kinds, such as routes of vehicles that differ in capacity and costs.

    Items are taken out, and come back, as `RuinAndRecreate` does. An item alone seldom justifies a larger vehicle, so
    lists also change places as a whole. With probability `changes`, when the strings are out, one of the lists that
    lost a string exchanges all that it holds with any list, if both are of different kinds. When the items are back,
    each list in turn that lost a string, was exchanged or got an item back exchanges what it holds with the list of
    another kind with which that saves most, the first among equals, if it saves anything.

    The cost of the problem must be defined where items are left out. Its C++ half needs ``Cost exchanged(const Item* x,
    State s, int one, int other) const``, the change of cost where two lists exchange all that they hold, beside what
    `RuinAndRecreate` asks for. Problems that join segments have all of these.

    Parameters
    ----------
    ruin : RuinAndRecreate
        Which items are taken out, and how they come back; with `kinds`.
    changes : float, default 0.3
        In 0 ... 1.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    ruin: RuinAndRecreate = ruin_field()
    changes: float = real_field(0, 1, default=0.3, metadata={"tune": Range(0.0, 1.0)})

    source: ClassVar[str] = "ruin_and_recreate_kinds.cuh"
    replaces: ClassVar[bool] = True
    keeps_feasible: ClassVar[bool] = True
    asks: ClassVar[tuple[str, ...]] = ("inserted", "renew", "exchanged")

    def __attrs_post_init__(self) -> None:
        """Refuse a ruin that does not tell kinds."""
        if len(self.ruin.kinds) < 2:
            raise InputError(
                "`ruin` must tell the kind of each list, but has no `kinds`.",
                "use RuinAndRecreate(..., kinds=...), or RuinAndRecreate alone where lists are alike.",
            )

    def require(self, problem: Problem) -> None:
        """Refuse what `RuinAndRecreate` refuses.

        Raises
        ------
        InputError
            If the problem does not fit.
        """
        self.ruin.require(problem)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        problem, space = evaluate.problem, solution.representation
        self.require(problem)
        x, back, random, draws = self.ruin.ruined(walk, solution, problem)
        lists, taken = lists_in(space), set(back.tolist())
        before, after = lists.split(solution.solution), lists.split(x)
        changed = {k for k in range(lists.lists) if before[k] != after[k]}
        x = self._drawn(x, lists, changed, random, draws)
        x, evaluated = self.ruin.recreated(x, back, random, draws, evaluate)
        routes = lists.split(x)
        changed |= {k for k, items in enumerate(routes) if taken.intersection(items)}
        for k in sorted(changed):
            if x[lists.items + k] != lists.items + k:
                x = self._settled(x, k, lists, problem, space)
                evaluated += lists.lists
        return complete(problem, x), evaluated

    def _drawn(
        self, x: np.ndarray, lists: HasLists, changed: set[int], random: Random, draws: Iterator[int]
    ) -> np.ndarray:
        """The solution after one of the lists that changed has changed places with any list, or not."""
        if not changed or random.bits(next(draws)) >= int(self.changes * 2**32):
            return x
        one = sorted(changed)[random.integer(next(draws), 0, len(changed) - 1)]
        other = random.integer(next(draws), 0, lists.lists - 1)
        if self.ruin.kinds[one] == self.ruin.kinds[other]:
            return x
        changed.add(other)
        return exchanged(x, one, other, lists)

    def _settled(self, x: np.ndarray, one: int, lists: HasLists, problem: Problem, space: Representation) -> np.ndarray:
        """The solution after a list has changed places with the best one of another kind, if that costs less."""
        repeated, kinds = self.ruin.repeated(x)[lists.items :], self.ruin.kinds
        others = [k for k in range(lists.lists) if kinds[k] != kinds[one] and not repeated[k]]
        if not others:
            return x
        options = [exchanged(x, one, other, lists) for other in others]
        costs = costs_of(problem, space.view(np.array([x, *options])))
        best = int(np.argmin(costs[1:]))
        return options[best] if costs[1 + best] < costs[0] else x


def exchanged(x: np.ndarray, one: int, other: int, lists: HasLists) -> np.ndarray:
    """A solution in which two lists have exchanged all that they hold."""
    found, held = np.array(x), lists.split(x)
    for k, items in ((one, held[other]), (other, held[one])):
        ring = [lists.items + k, *items]
        found[ring] = np.roll(ring, -1)
    return found
