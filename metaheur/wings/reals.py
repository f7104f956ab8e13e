"""What real numbers add to the core: searches that suit problems of many values."""

from __future__ import annotations

from metaheur.problem import Problem
from metaheur.searches.recommendation import Recommendation

__all__ = ["suited_searches"]

MANY = 2**20
"""Values of an entry from which on it is a real number."""

AXES = 300
"""The most entries whose covariances are adapted: a generation computes the axes of all."""


def suited_searches(problem: Problem) -> tuple[Recommendation, ...]:
    """Covariance adaptation and differential evolution, where entries are real numbers that depend on no other."""
    space = problem.representation
    if problem.objectives or not space.independent or space.values <= MANY:
        return ()
    from metaheur.reals import CMAES, DifferentialEvolution

    size = min(max(20, 5 * space.length), 100)
    evolution = Recommendation("differential evolution", DifferentialEvolution(size))
    return (Recommendation("covariance adaptation", CMAES()), evolution) if space.length <= AXES else (evolution,)
