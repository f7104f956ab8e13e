"""A mixture of perturbations, whose shares follow from what comes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array
from metaheur.neighborhood import Neighborhood
from metaheur.part import Kept
from metaheur.parts.choice.choice import Choice, MoveResult, ProbabilityMatching
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.parts.recombination.mixed_crossover import (
    CHOOSING,
    mixture_of,
    require_mixture,
    require_one_objective,
)
from metaheur.problem import Problem
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["MixedPerturbation"]


@final
@frozen
class MixedPerturbation(Perturbation):
    """Several perturbations, one of which is chosen each time; a choice learns which ones succeed.

    As the mutation of a population, its results are those of `MixedCrossover`. In an iterated local search, a phase
    that ends at a lower cost than the one before is better, another one that is accepted and leads elsewhere is
    accepted.

    Parameters
    ----------
    perturbations : iterable of Perturbation
        1 ... 64 of them, which make moves.
    choice : Choice, default ProbabilityMatching()
        Chooses the perturbation.
    """

    perturbations: tuple[Perturbation, ...] = field(converter=mixture_of)
    choice: Choice = instance_field(Choice, "use ProbabilityMatching().", factory=ProbabilityMatching)

    source: ClassVar[str] = "mixed_perturbation.cuh"

    @perturbations.validator
    def _make_moves(self, attribute: Attribute[Any], value: Any) -> None:
        require_mixture(self, attribute, value, Perturbation)
        for each in value:
            if each.replaces:
                raise InputError(
                    f"MixedPerturbation mixes perturbations that make moves, but {each!r} replaces the solution.",
                    "use RandomMoves(Swap(), 3).",
                )

    @property
    def blind(self) -> bool:  # type: ignore[override]
        """Whether all are blind."""
        return all(each.blind for each in self.perturbations)

    @property
    def keeps_feasible(self) -> bool:  # type: ignore[override]
        """Whether all make feasible moves only."""
        return all(each.keeps_feasible for each in self.perturbations)

    @property
    def asks(self) -> tuple[str, ...]:  # type: ignore[override]
        """What any of them asks."""
        return tuple(dict.fromkeys(name for each in self.perturbations for name in each.asks))

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return tuple(moves for each in self.perturbations for moves in each.neighborhoods)

    def require(self, problem: Problem) -> None:
        """Refuse what any of them refuses, and several objectives."""
        require_one_objective(self, problem)
        for each in self.perturbations:
            each.require(problem)

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`chosen`: the last perturbation."""
        return {"chosen": Array((), "int64", within=(0, len(self.perturbations) - 1))}

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        words = walk.random(Stream.PERTURBATION).words(CHOOSING)
        chosen = self.choice.choose(kept["choice"], len(self.perturbations), words)
        kept["chosen"][()] = chosen
        return self.perturbations[chosen].perturb(kept[f"perturbations_{chosen}"], walk, solution, evaluate)

    def record(self, kept: Kept, delta: int | float, accepted: bool, returned: bool) -> None:
        better = MoveResult.BETTER if delta < 0 else MoveResult.REFUSED
        self.learn(kept, MoveResult.ACCEPTED if accepted and not returned and delta >= 0 else better)
        chosen = int(kept["chosen"])
        self.perturbations[chosen].record(kept[f"perturbations_{chosen}"], delta, accepted, returned)

    def learn(self, kept: Kept, result: int) -> None:
        """Take note of the result of the last perturbation. `result`: a `MoveResult`."""
        self.choice.record(kept["choice"], int(kept["chosen"]), len(self.perturbations), result)
