"""Reinsertion: some items move to other places, each to the best one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

from attrs import frozen

from metaheur.fields import Array, Range
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.choice.group import best_of_group, grouped, grouped_field, longest_group
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["Reinsertion"]


@final
@frozen
class Reinsertion(Perturbation):
    """The best move of each of some random groups, even if it raises the cost: items move to other places.

    With `Insertion` a group is an item of a permutation, with `Substitution` an entry of a vector. No move leaves an
    item or a value where it was, so that every move changes the solution.

    Parameters
    ----------
    neighborhood : Neighborhood
        A neighborhood with groups: Insertion(), Substitution() or Swap().
    count : int
        The number of groups, one after the other, 1 ... 2**31 - 1; a group may be drawn twice.

    Notes
    -----
    The *ruin and recreate* of G. Schrimpf, J. Schneider, H. Stamm-Wilbrandt and G. Dueck, "Record breaking optimization
    results using the ruin and recreate principle", Journal of Computational Physics 159, 2000, with changes of cost of
    whole solutions, which every problem has; `Rebuild` evaluates partial solutions.
    """

    neighborhood: Neighborhood = grouped_field()
    count: int = whole_field(1, 2**31 - 1, metadata={"tune": Range(1, 10)})

    source: ClassVar[str] = "reinsertion.cuh"

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The changes of cost of a group."""
        return {"deltas": Array((longest_group(self.neighborhood, representation),))}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random, space, evaluated = walk.random(Stream.PERTURBATION), solution.representation, 0
        groups = grouped(self.neighborhood)
        count = groups.groups(space)
        for draw in range(self.count if count else 0):
            group = random.index(draw, count)
            k, delta = best_of_group(self.neighborhood, group, solution, evaluate)
            evaluated += len(groups.group(space, group))
            if k >= 0:
                solution = solution.moved(self.neighborhood, k, delta)
        return solution, evaluated
