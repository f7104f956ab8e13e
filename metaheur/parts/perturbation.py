"""Perturbation: how a solution is changed so that a search can begin anew from it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.neighborhood import Neighborhood
from metaheur.parts.part import Kept, Part
from metaheur.random import Stream
from metaheur.representation import Representation
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["Perturbation", "RandomMoves"]


class Perturbation(Part):
    """Changes a solution by moves."""

    @property
    @abstractmethod
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods that its moves belong to."""

    def require(self, representation: Representation) -> None:
        """Refuse solutions that it does not perturb; all but those of its neighborhoods are welcome by default."""

    @abstractmethod
    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        """The solution that the moves lead to, and the number of moves evaluated.

        In C++, by all threads of a team: ``template <class Make> i64 perturb(Walk&, Make make)``, which calls
        ``make(neighborhood, move, delta)`` for every move.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        walk : Walk
            Whose random numbers are drawn.
        solution : EvaluatedSolution
            What is perturbed.
        evaluate : Evaluator
            Answers what the moves change.
        """


@final
@frozen
class RandomMoves(Perturbation):
    """A number of random moves of a neighborhood, one after the other; an infeasible one is left out.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    count : int
        How many, 1 ... 2**31 - 1.
    """

    neighborhood: Neighborhood = field()
    count: int = whole_field(1, 2**31 - 1)

    source: ClassVar[str] = "random_moves.cuh"

    @neighborhood.validator
    def _is_one(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Neighborhood) or value.resamples:
            raise InputError(
                f"`neighborhood` must be a Neighborhood with the same moves in every step, but is {value!r}.",
                "pass an instance such as Swap().",
            )

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return (self.neighborhood,)

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        moves, random = evaluate.of(self.neighborhood), walk.random(Stream.PERTURBATION)
        size = moves.size
        if not size:
            return solution, 0
        for draw in range(self.count):
            k = random.index(draw, size)
            delta = moves.delta(solution, k)
            if delta is not None:
                solution = solution.moved(self.neighborhood, k, delta)
        return solution, self.count
