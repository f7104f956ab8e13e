"""Where a search for a front stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from attrs import frozen

from metaheur.archives.front import Front
from metaheur.archives.members import Members
from metaheur.problem import Problem
from metaheur.walk import Walk

__all__ = ["FrontState", "front_of"]


@final
@frozen(eq=False)
class FrontState:
    """Where a Pareto local search stands.

    Parameters
    ----------
    walk : Walk
        The way so far. It stands on the member explored last; its best solution is that with the lowest first
        objective, of equal ones the lowest second, and so on; `improved_at` is when the archive last changed.
    members : Members
        The archive.
    round : Members
        The members that were chosen together and have not been explored since, in order.
    found : Members
        What the archives before the last restart have left, without what is dominated.
    stage : int
        Which of the explorations is in turn.
    restarts : int
        How often the search began anew.
    finished : bool
        Whether it has come to its own end.
    """

    walk: Walk
    members: Members
    round: Members
    found: Members
    stage: int = 0
    restarts: int = 0
    finished: bool = False


def front_of(problem: Problem, states: Mapping[int, FrontState]) -> Front:
    """The front of what all archives of some walks have found.

    Parameters
    ----------
    problem : Problem
        What is minimised.
    states : mapping of int to FrontState
        Of the walks, by their numbers.
    """
    return Front.of(problem, [(w, each) for w, state in states.items() for each in (state.found, state.members)])
