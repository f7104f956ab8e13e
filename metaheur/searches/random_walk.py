"""Random walk."""

from __future__ import annotations

from functools import cached_property
from typing import final

from attrs import field, frozen

from metaheur.loops.loop import Composed
from metaheur.loops.trial import Trial
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Always, Neutral

__all__ = ["RandomWalk"]


@final
@frozen
class RandomWalk(Composed):
    """Makes a random move in every iteration, even if it raises the cost; or only moves that leave the cost as it is.

    It never ends by itself, unless there are no moves.

    Parameters
    ----------
    neighborhood : Neighborhood
        The moves.
    neutral : bool, default False
        Whether a move is made only if it does not change the cost: a *neutral* walk, which stays on a plateau.

    Notes
    -----
    Random and neutral walks measure how rugged and how flat a landscape is: S. Verel, P. Collard and M. Clergue, "Where
    are bottlenecks in NK fitness landscapes?", CEC 2003.
    """

    neighborhood: Neighborhood
    neutral: bool = field(default=False, kw_only=True)

    @cached_property
    def loop(self) -> Trial:
        """Trials that are always accepted, or only if they are neutral."""
        return Trial(self.neighborhood, Neutral() if self.neutral else Always())
