"""Return to the best solution after stagnation."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import frozen

from metaheur.loops.nest import Around, Nest
from metaheur.parts import Better, Limit, NoPerturbation
from metaheur.search import Search

__all__ = ["ReturnToBest"]


@final
@frozen
class ReturnToBest(Around):
    """Runs a search, and returns to the best solution found so far whenever it ends or reaches its limit.

    It never ends by itself. An iteration is one of the search, or one return.

    Parameters
    ----------
    search : Search
        A search that may lead away from good solutions, such as IteratedLocalSearch(..., Always()).
    limit : Limit
        When the search returns, such as Limit(stagnation=10_000): after 10,000 iterations without a better solution.

    Notes
    -----
    The restarts of H. R. Lourenço, O. C. Martin and T. Stützle, "Iterated local search", Handbook of Metaheuristics,
    2003, section 3.3; `RandomRestart` with such a limit continues from a new solution instead.
    """

    search: Search[Any]
    limit: Limit

    @cached_property
    def loop(self) -> Nest:
        """A nest that accepts better solutions only, and does not perturb them."""
        return Nest(self.search, NoPerturbation(), Better(), self.limit)
