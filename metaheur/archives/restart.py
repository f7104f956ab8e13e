"""What a search for a front does when it has visited every member of its archive."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, ClassVar, final

from attrs import Attribute, field, frozen

from metaheur.archives.members import Members
from metaheur.errors import InputError
from metaheur.part import Part
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.random import Stream
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator
    from metaheur.neighborhood import Neighborhood

__all__ = ["FromMember", "FromRandom", "NoRestart", "Restart"]


class Restart(Part):
    """Where the search goes on when no member is left to explore; the members found so far stay part of the front."""

    restarts: ClassVar[bool] = True
    """Whether the search goes on at all."""

    deactivates: ClassVar[bool] = False
    """Whether members with the costs of one that was explored before a restart count as visited."""

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods that it moves in; none by default."""
        return ()

    @abstractmethod
    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        """The first member of the next archive, and the number of moves evaluated.

        Parameters
        ----------
        walk : Walk
            Whose random numbers are drawn.
        found : Members
            What all archives so far have found, without what is dominated.
        evaluate : Evaluator
            Answers what solutions and moves cost.
        """


@final
@frozen
class NoRestart(Restart):
    """The search is over."""

    restarts: ClassVar[bool] = False

    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        raise InputError("A search with NoRestart() is over when all members have been visited.")


@final
@frozen
class FromRandom(Restart):
    """From a random solution."""

    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        space = walk.current.representation
        x = space.random(walk.random(Stream.START))
        return EvaluatedSolution(space, x, evaluate.cost(x)), 0


@final
@frozen
class FromMember(Restart):
    """From a random one of all members found so far, perturbed; what was explored before is not explored again.

    Parameters
    ----------
    perturbation : Perturbation
        How, such as ``RandomMoves(Swap(), 3)``.

    Notes
    -----
    M. M. Drugan and D. Thierens, "Stochastic Pareto local search: Pareto neighbourhood exploration and perturbation
    strategies", Journal of Heuristics 18, 2012.
    """

    perturbation: Perturbation = field()

    deactivates: ClassVar[bool] = True

    @perturbation.validator
    def _perturbs(self, _: Attribute[Perturbation], value: Perturbation) -> None:
        if not isinstance(value, Perturbation):
            raise InputError(f"`perturbation` must be a Perturbation, but is {value!r}.", "use RandomMoves(Swap(), 3).")

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self.perturbation.neighborhoods

    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        k = walk.random(Stream.START).index(0, len(found))
        chosen = EvaluatedSolution(walk.current.representation, found.solutions[k], tuple(found.costs[k].tolist()))
        return self.perturbation.perturb({}, walk, chosen, evaluate)
