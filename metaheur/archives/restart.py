"""Restarts: how a search for a front continues when it has visited every member of its archive."""

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
    """Gives the start of the next archive; the members found so far stay part of the front."""

    restarts: ClassVar[bool] = True
    """Whether the search continues at all."""

    deactivates: ClassVar[bool] = False
    """Whether a member counts as visited if a member with the same costs was explored before a restart."""

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods of its moves; none by default."""
        return ()

    @abstractmethod
    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        """The first member of the next archive, and the number of moves evaluated.

        Parameters
        ----------
        walk : Walk
            The walk, whose random numbers are drawn.
        found : Members
            The non-dominated members of all archives so far.
        evaluate : Evaluator
            Computes the costs of solutions and moves.
        """


@final
@frozen
class NoRestart(Restart):
    """No restart: the search is over."""

    restarts: ClassVar[bool] = False

    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        raise InputError("A search with NoRestart() is over when all members have been visited.")


@final
@frozen
class FromRandom(Restart):
    """Restarts from a random solution."""

    def start(self, walk: Walk, found: Members, evaluate: Evaluator) -> tuple[EvaluatedSolution, int]:
        space = walk.current.representation
        x = space.random(walk.random(Stream.START))
        return EvaluatedSolution(space, x, evaluate.cost(x)), 0


@final
@frozen
class FromMember(Restart):
    """Restarts from a perturbed random member; members that were explored before are not explored again.

    Parameters
    ----------
    perturbation : Perturbation
        Changes the member, such as ``RandomMoves(Swap(), 3)``.

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
