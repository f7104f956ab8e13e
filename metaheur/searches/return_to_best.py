"""Return to the best solution after stagnation."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import frozen

from metaheur.loops.composed import Composed
from metaheur.loops.nest import Nest, require_search
from metaheur.parts import Better, Limit, NoPerturbation
from metaheur.search import Search

__all__ = ["ReturnToBest"]


@final
@frozen
class ReturnToBest(Composed):
    """A search that goes back to the best solution found so far when it has ended or reached its limit.

    It never ends by itself. An iteration is one of the search, or one return.

    Parameters
    ----------
    search : Search
        A search that may lead away from good solutions, such as IteratedLocalSearch(..., Always()).
    limit : Limit
        When it returns, such as Limit(stagnation=10_000): after so many iterations without a better solution.

    Notes
    -----
    The restarts of H. R. Lourenço, O. C. Martin and T. Stützle, "Iterated local search", Handbook of Metaheuristics,
    2003, section 3.3; `RandomRestart` with such a limit goes on from a new solution instead.
    """

    search: Search[Any]
    limit: Limit

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        require_search(self.search, "search")
        _ = self.loop

    @cached_property
    def loop(self) -> Nest:
        """A nest that accepts what is better, and does not perturb it."""
        return Nest(self.search, NoPerturbation(), Better(), self.limit)
