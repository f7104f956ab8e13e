"""Replacement for several objectives, whose population keeps a front."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import numpy as np
from attrs import evolve

from metaheur.archives.dominance import nondominated
from metaheur.archives.members import Members
from metaheur.part import Kept
from metaheur.parts.replacement.replacement import Replacement
from metaheur.random import Random, Stream
from metaheur.walk import EvaluatedSolution, Walk, number_of

__all__ = ["ReplacementForFronts"]

RECEIVED: Final = 1 << 16
"""The random number by which a walk chooses among solutions that other walks keep."""


class ReplacementForFronts(Replacement):
    """Decides by several objectives which members give way to children."""

    several: ClassVar[bool] = True

    def kept(self, population: Kept, walk: Walk) -> Members:
        """The members, the children that have not joined them yet, and the current solution.

        The population does not keep when its solutions were found: each counts as found in the last iteration.
        """
        filled, born, current = int(population["filled"]), int(population["born"]), walk.current
        solutions = [population["solutions"][:filled], population["children"][:born], current.solution[None]]
        costs = [population["costs"][:filled], population["child_costs"][:born], np.array([current.cost])]
        return Members.of(current.representation, np.vstack(solutions), np.vstack(costs), walk.iteration)

    def arrived(self, walk: Walk, arrivals: Sequence[Members]) -> Walk:
        """The walk after it went to a random one of the non-dominated solutions that other walks keep."""
        costs = np.concatenate([each.costs for each in arrivals])
        front = np.flatnonzero(nondominated(costs))
        taken = front[Random(walk.key, Stream.MIGRATION, walk.iteration).index(RECEIVED, len(front))]
        x = np.concatenate([each.solutions for each in arrivals])[taken]
        arrived = EvaluatedSolution(walk.current.representation, x, number_of(costs[taken]))
        better = arrived.cost < walk.best.cost
        return evolve(
            walk,
            current=arrived,
            best=arrived if better else walk.best,
            improved_at=walk.iteration if better else walk.improved_at,
            began=walk.iteration,
        )
