"""The state of a search for a front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, final

import numpy as np
from attrs import evolve, frozen

from metaheur.archives.front import Front
from metaheur.archives.members import Members
from metaheur.problem import Problem
from metaheur.walk import Walk

__all__ = ["FrontState", "HasArchives", "front_of"]


@final
@frozen(eq=False)
class FrontState:
    """The state of a Pareto local search.

    Parameters
    ----------
    walk : Walk
        The walk. Its current solution is the member explored last; its best solution is the first in lexicographic
        order of the objectives; `improved_at` is the iteration in which the archive last changed.
    members : Members
        The archive.
    round : Members
        The members of the current round that have not been explored yet, in order.
    found : Members
        The non-dominated members of all archives before the last restart.
    stage : int
        The number of the current exploration.
    restarts : int
        The number of restarts.
    finished : bool
        Whether the search has ended by itself.
    """

    walk: Walk
    members: Members
    round: Members
    found: Members
    stage: int = 0
    restarts: int = 0
    finished: bool = False

    @property
    def archives(self) -> tuple[Members, ...]:
        """All archives of the walk, which its front is made of."""
        return (self.found, self.members)

    def unexplored(self) -> FrontState:
        """The state as a search with other moves sees it: no member of its archive was visited."""
        return evolve(self, members=evolve(self.members, visited=np.zeros(len(self.members), bool)))


class HasArchives(Protocol):
    """The state of a walk that approximates a front."""

    @property
    def archives(self) -> tuple[Members, ...]: ...


def front_of(problem: Problem, states: Mapping[int, HasArchives]) -> Front:
    """The front of all archives of some walks.

    Parameters
    ----------
    problem : Problem
        The problem of the walks.
    states : mapping of int to HasArchives
        The states of the walks, by their numbers.
    """
    return Front.of(problem, [(w, each) for w, state in states.items() for each in state.archives])
