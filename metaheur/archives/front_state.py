"""The state of a search for a front."""

from __future__ import annotations

from typing import final

from attrs import frozen

from metaheur.archives.members import Members
from metaheur.walk import Walk

__all__ = ["FrontState"]


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
