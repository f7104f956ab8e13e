"""What exact search adds to the core: the proofs that `solve` lets take part."""

from __future__ import annotations

from metaheur.problem import Problem
from metaheur.searches.recommendation import Recommendation

__all__ = ["proofs"]


def proofs(problem: Problem) -> tuple[Recommendation, ...]:
    """The tree of a problem, where metaheur has one and the instance is not too large."""
    from metaheur.problems.trees.suited import proofs

    return proofs(problem)
