"""What searches of real numbers ask of a problem."""

from __future__ import annotations

from metaheur.errors import InputError
from metaheur.problem import Problem

__all__ = ["require_independent"]


def require_independent(problem: Problem, search: str) -> None:
    """Refuse problems with several objectives, and solutions whose entries depend on each other."""
    space, name = problem.representation, type(problem).__name__
    if problem.objectives:
        raise InputError(f"{search} minimises one cost, but {name} has several objectives.", "use NSGA2().")
    if not space.independent:
        raise InputError(
            f"{search} adds differences of entries that do not depend on each other, but the solutions of {name} are "
            f"{space!r}.",
            "use Real, DiscreteVector, BitString, Domains, or a Composite of these.",
        )
