"""Iterated local search."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.loops.candidate_descent import CandidateDescent
from metaheur.loops.composed import Composed
from metaheur.loops.kicks import Kicks
from metaheur.loops.nest import Nest, require_search
from metaheur.parts import Acceptance, BetterOrEqual, Limit, Perturbation, Reversals
from metaheur.search import Search

__all__ = ["IteratedLocalSearch"]


@final
@frozen
class IteratedLocalSearch(Composed):
    """A search again and again, each time from a perturbation of the best solution that it led to.

    An iteration is one of the search, or one perturbation. With a `CandidateDescent` and a perturbation made of
    reversals, and without a limit, it is a perturbation and the descent behind it: see `Kicks`.

    Parameters
    ----------
    search : Search
        Leads from a solution to a better one, such as HillClimbing(Swap()).
    perturbation : Perturbation
        Leads away from it, such as RandomMoves(Swap(), 3).
    acceptance : Acceptance, default BetterOrEqual()
        Whether the result of a phase replaces the one accepted before.
    limit : Limit, default Limit()
        How long a phase lasts at most: needed for searches that do not end by themselves, such as tabu search.
    remembers : bool, default False
        Whether what the search has learnt, such as what is tabu, outlives a phase.

    Notes
    -----
    H. R. Lourenço, O. C. Martin and T. Stützle, "Iterated local search", Handbook of Metaheuristics, 2003.
    """

    search: Search[Any]
    perturbation: Perturbation
    acceptance: Acceptance = field(factory=BetterOrEqual)
    limit: Limit = field(factory=Limit, kw_only=True)
    remembers: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        require_search(self.search, "search")
        _ = self.loop

    @cached_property
    def loop(self) -> Kicks | Nest:
        """Kicks where both keep a journal, so that a kick costs what it touches; else a nest around the search."""
        search, perturbation = self.search, self.perturbation
        if isinstance(search, CandidateDescent) and isinstance(perturbation, Reversals) and self.limit == Limit():
            return Kicks(search, perturbation, self.acceptance)
        return Nest(self.search, self.perturbation, self.acceptance, self.limit, remembers=self.remembers)
