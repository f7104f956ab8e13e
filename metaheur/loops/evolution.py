"""Evolution: each iteration makes a child of a population."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, final

import numpy as np
from attrs import evolve, frozen

from metaheur.archives.dominance import nondominated
from metaheur.archives.members import Members
from metaheur.evaluators.evaluator import Evaluator
from metaheur.loops.loop import Loop
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Breeding
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.search import LoopState
from metaheur.validate import instance_field
from metaheur.walk import EvaluatedSolution, number_of

__all__ = ["Evolution"]

RECEIVED: Final = 1 << 16
"""The random number by which a walk chooses among solutions that other walks keep."""


@final
@frozen
class Evolution(Loop):
    """An iteration makes one child, which joins the population in the next iteration; it never ends by itself.

    The walk goes from child to child; its best solution is the best of all. A solution that arrives from another walk
    joins the population like a child. A `Nest` with the same breeding improves each child before it joins. With several
    objectives, the front is that of the population, and `Walk.best` the first in lexicographic order of the objectives.

    Parameters
    ----------
    breeding : Breeding
        The population, and how children are made.

    Notes
    -----
    J. H. Holland, Adaptation in Natural and Artificial Systems, 1975; D. E. Goldberg, Genetic Algorithms in Search,
    Optimization, and Machine Learning, 1989; child by child, D. Whitley, "The GENITOR algorithm and selection
    pressure", ICGA 1989.
    """

    breeding: Breeding = instance_field(Breeding, "use Breeding(Uniform(), RandomMoves(Hamming(1), 1)).")

    source: ClassVar[str] = "evolution.cuh"

    @property
    def endless(self) -> bool:
        return True

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self.breeding.neighborhoods

    def require(self, problem: Problem) -> None:
        """Refuse a problem that the breeding refuses."""
        super().require(problem)
        self.breeding.require(problem)

    @property
    def several(self) -> bool:
        """Whether members are replaced by several objectives."""
        return self.breeding.replacement.several

    def fronts(self, state: LoopState) -> tuple[Members, ...]:
        """The members, the children that have not joined them yet, and the current solution.

        The population does not keep when its solutions were found: each counts as found in the last iteration.
        """
        kept, current = state.kept["breeding"], state.walk.current
        filled, born, space = int(kept["filled"]), int(kept["born"]), current.representation
        solutions = [kept["solutions"][:filled], kept["children"][:born], current.solution[None]]
        costs = [kept["costs"][:filled], kept["child_costs"][:born], np.array([current.cost])]
        return (Members.of(space, np.vstack(solutions), np.vstack(costs), state.walk.iteration),)

    def sent(self, state: LoopState, to: LoopState | None) -> Members:
        """All solutions of `fronts`."""
        return self.fronts(state)[0]

    def received(self, state: LoopState, arrivals: Sequence[Members]) -> LoopState:
        """The state after the walk went to a random one of the non-dominated solutions that other walks keep."""
        walk = state.walk
        costs = np.concatenate([each.costs for each in arrivals])
        front = np.flatnonzero(nondominated(costs))
        taken = front[Random(walk.key, Stream.MIGRATION, walk.iteration).index(RECEIVED, len(front))]
        x = np.concatenate([each.solutions for each in arrivals])[taken]
        arrived = EvaluatedSolution(walk.current.representation, x, number_of(costs[taken]))
        better = arrived.cost < walk.best.cost
        walk = evolve(
            walk,
            current=arrived,
            best=arrived if better else walk.best,
            improved_at=walk.iteration if better else walk.improved_at,
            began=walk.iteration,
        )
        return self.enter(state, walk)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk = state.walk
        child, evaluated = self.breeding.perturb(state.kept["breeding"], walk, walk.current, evaluate)
        return state.after(walk.go_to(child, evaluated))
