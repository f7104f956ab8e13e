"""Perturbation: changes a solution so that a search can start again from it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, final

from attrs import Attribute, frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.neighborhood import Neighborhood, neighborhood_field, neighborhoods_in
from metaheur.part import Kept, Part
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["Perturbation", "RandomMoves", "random_moves"]


class Perturbation(Part):
    """Changes a solution by moves, or replaces it.

    Attributes
    ----------
    replaces : bool
        Whether its C++ half writes a new solution and its cost into the walk, instead of making moves one by one;
        False by default.
    blind : bool
        Whether the moves depend on neither costs nor the problem; False by default. A child of a crossover is then
        evaluated once, after all moves.
    draws_solutions : bool
        Whether its C++ half draws random solutions, ``walk.space.draw(team, x, random)``; False by default. If the
        representation has no C++ half, walks are then not resident.
    keeps_feasible : bool
        Whether it makes feasible moves only, or constructs feasible solutions; False by default, and then a problem
        with hard constraints is refused.
    asks : tuple of str
        Members that the problem must have, such as "insertions"; none by default. If the problem's C++ half lacks one,
        walks are not resident.
    """

    facts: ClassVar[tuple[str, ...]] = ("replaces", "blind")
    replaces: ClassVar[bool] = False
    blind: ClassVar[bool] = False
    draws_solutions: ClassVar[bool] = False
    keeps_feasible: ClassVar[bool] = False
    asks: ClassVar[tuple[str, ...]] = ()

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods that its moves belong to: by default those of its fields, in order."""
        return neighborhoods_in(self)

    def require(self, problem: Problem) -> None:
        """Refuse problems whose solutions it cannot perturb; by default problems that do not fit its neighborhoods."""

    @abstractmethod
    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        """The solution after the moves, and the number of moves evaluated.

        In C++, by all threads of a team: ``template <class Make> i64 perturb(Walk&, Make make)``, which calls
        ``make(neighborhood, move, delta)`` for every move; if it `replaces`, it writes ``walk.x`` and ``walk.cost``. If
        it is `blind`, it calls ``try_move(walk, neighborhood, move, make)`` instead, which leaves out infeasible moves.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        walk : Walk
            The walk, whose random numbers are drawn.
        solution : EvaluatedSolution
            The solution to be perturbed.
        evaluate : Evaluator
            Computes the changes of cost of the moves. For a perturbation that is `blind`, costs may be 0, and
            `evaluate.problem` another problem with the same representation.
        """

    def record(self, kept: Kept, delta: int | float, accepted: bool, returned: bool) -> None:
        """Take note of how a phase ended, before the next perturbation; writes the kept arrays. Empty by default.

        In C++, called by all threads of a team: ``void record(Team, Total delta, bool accepted, bool returned)``.

        Parameters
        ----------
        kept : mapping
            What the part keeps.
        delta : int or float
            The cost of the phase's best solution minus the cost of the solution that was accepted before.
        accepted : bool
            Whether the phase's best solution was accepted.
        returned : bool
            Whether the phase's best solution equals the solution that was accepted before.
        """


@final
@frozen
class RandomMoves(Perturbation):
    """A number of random moves of a neighborhood, one after the other; infeasible moves are left out.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    count : int
        How many, 1 ... 2**31 - 1.
    tries : int, default 1
        The most draws for a move, on average, 1 ... 2**31 - 1 with `count` times `tries` below 2**32: infeasible moves
        are drawn again until `count` moves are made. With 1, each draw counts. In critical blocks, one move in a
        hundred or fewer is feasible.
    """

    neighborhood: Neighborhood = neighborhood_field(steady=True)
    count: int = whole_field(1, 2**31 - 1, metadata={"tune": Range(1, 100, log=True)})
    tries: int = whole_field(1, 2**31 - 1, default=1)

    source: ClassVar[str] = "random_moves.cuh"
    keeps_feasible: ClassVar[bool] = True
    blind: ClassVar[bool] = True

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        random = walk.random(Stream.PERTURBATION)
        return random_moves(self.neighborhood, self.count, random, solution, evaluate, tries=self.tries)

    @tries.validator
    def _counted(self, _: Attribute[Any], tries: int) -> None:
        if self.count * tries >= 2**32:
            raise InputError(
                f"`RandomMoves.tries` must be below 2**32 / count = {2**32 // self.count:,}, but is {tries:,}.",
                "draw fewer times.",
            )


def random_moves(  # noqa: PLR0913 - what its C++ half gets
    neighborhood: Neighborhood,
    count: int,
    random: Random,
    solution: EvaluatedSolution,
    evaluate: Evaluator,
    *,
    tries: int = 1,
) -> tuple[EvaluatedSolution, int]:
    """Make random moves one after the other, by at most `tries` draws each; return how many were evaluated.

    In C++: ``random_moves(walk, neighborhood, count, random, make, tries)``.
    """
    moves = evaluate.of(neighborhood)
    size = moves.size
    if not size:
        return solution, 0
    made = draws = 0
    while draws < count * tries and made < count:
        k = random.index(draws, size)
        delta = moves.delta(solution, k)
        if delta is not None:
            solution = solution.moved(neighborhood, k, delta)
            made += 1
        draws += 1
    return solution, draws
