"""Iterated local search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import Factory, field, frozen

from metaheur.fields import OneOf
from metaheur.loops.loop import Loop
from metaheur.loops.nest import Around, Nest
from metaheur.parts import Acceptance, Always, BetterOrEqual, Limit, Perturbation, RandomMoves
from metaheur.search import Search
from metaheur.searches.usual import first_neighborhood
from metaheur.wings import filled

__all__ = ["IteratedLocalSearch"]


@final
@frozen
class IteratedLocalSearch(Around):
    """Runs a search again and again, each time from a perturbation of the solution accepted before.

    An iteration is one of the search, or one perturbation. With a `CandidateDescent`, a perturbation made of reversals
    and no limit, an iteration is a perturbation together with the descent after it: see `Kicks`.

    Parameters
    ----------
    search : Search
        Improves a solution, such as HillClimbing(Swap()).
    perturbation : Perturbation, optional
        Changes the accepted solution; by default three random moves of the search's first neighborhood, or
        DoubleBridge(50) for a `CandidateDescent`.
    acceptance : Acceptance, default BetterOrEqual()
        Whether the result of a phase replaces the solution accepted before.
    limit : Limit, default Limit()
        The limit of a phase: needed for searches that do not end by themselves, such as tabu search.
    remembers : bool, default False
        Whether the search keeps what it has learnt, such as its tabu list, from phase to phase.

    Notes
    -----
    H. R. Lourenço, O. C. Martin and T. Stützle, "Iterated local search", Handbook of Metaheuristics, 2003.
    """

    search: Search[Any]
    perturbation: Perturbation = field(default=Factory(lambda self: _usual_kick(self.search), takes_self=True))
    acceptance: Acceptance = field(factory=BetterOrEqual, metadata={"tune": OneOf(BetterOrEqual(), Always())})
    limit: Limit = field(factory=Limit, kw_only=True)
    remembers: bool = field(default=False, kw_only=True)

    @cached_property
    def loop(self) -> Loop:
        """Kicks, if search and perturbation keep a journal, so that a kick is cheap; else a nest around the search."""
        for kicks in filled("kicks") if self.limit == Limit() else ():
            found: Loop | None = kicks(self.search, self.perturbation, self.acceptance)
            if found is not None:
                return found
        return Nest(self.search, self.perturbation, self.acceptance, self.limit, remembers=self.remembers)


def _usual_kick(search: Any) -> Perturbation:
    """The perturbation of a search of which nothing else is said."""
    for usual_kick in filled("usual_kick"):
        found: Perturbation | None = usual_kick(search)
        if found is not None:
            return found
    return RandomMoves(first_neighborhood(search, "IteratedLocalSearch(search, RandomMoves(Swap(), 3))"), 3)
