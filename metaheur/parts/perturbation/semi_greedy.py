"""Semi-greedy construction: item by item, one of the good moves, not always the best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, final

from attrs import frozen

from metaheur.fields import Array, Range
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.choice.group import deltas_of_group, grouped, grouped_field, longest_group
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import real_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["SemiGreedy"]


@final
@frozen
class SemiGreedy(Perturbation):
    """A new solution, made from a random one: for each item, a random move of a restricted candidate list.

    The items are the groups of a neighborhood, in random order: with `Insertion` the items of a permutation, with
    `Substitution` the entries of a vector; bit strings have one group, all flips of `Hamming(1)`. There are as many
    steps as entries. If the best change of cost b in a group is below 0, the candidates are the group's moves with a
    change of at most (1 - alpha) b, and one of them is drawn, all with the same probability; otherwise the item stays.

    Parameters
    ----------
    neighborhood : Neighborhood
        Insertion(), Substitution(), Swap() or Hamming(1).
    alpha : float, default 0.3
        0 ... 1: with 0 the candidates are the best moves, with 1 all moves that do not raise the cost.

    Notes
    -----
    T. A. Feo and M. G. C. Resende, "Greedy randomized adaptive search procedures", Journal of Global Optimization 6,
    1995; J. P. Hart and A. W. Shogan, "Semi-greedy heuristics", Operations Research Letters 6, 1987. The greedy
    function is the change of cost of whole solutions, which every problem has.
    """

    neighborhood: Neighborhood = grouped_field()
    alpha: float = real_field(0, 1, default=0.3, metadata={"tune": Range(0.0, 1.0)})

    source: ClassVar[str] = "semi_greedy.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    replaces: ClassVar[bool] = True
    draws_solutions: ClassVar[bool] = True

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """The changes of cost of a group, and the order of the groups."""
        return {
            "deltas": Array((longest_group(self.neighborhood, representation),)),
            "order": Array((max(1, grouped(self.neighborhood).groups(representation)),), "int32"),
        }

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        space, random, evaluated = solution.representation, walk.random(Stream.PERTURBATION), 1
        x = space.random(walk.random(Stream.RESTART))
        built = EvaluatedSolution(space, x, evaluate.cost(x))
        groups = grouped(self.neighborhood)
        count = groups.groups(space)
        order = walk.random(Stream.ORDER).permutation(count)
        for step in range(space.length if count else 0):
            group = int(order[step % count])
            deltas = deltas_of_group(self.neighborhood, group, built, evaluate)
            evaluated += len(deltas)
            best = min((delta for delta in deltas if delta is not None), default=0)
            if best < 0:
                end = float(best) * (1.0 - self.alpha)
                candidates = [k for k, delta in enumerate(deltas) if delta is not None and float(delta) <= end]
                chosen = candidates[random.index(step, len(candidates))]
                first = groups.group(space, group).start
                delta = deltas[chosen]
                assert delta is not None
                built = built.moved(self.neighborhood, first + chosen, delta)
        return built, evaluated
