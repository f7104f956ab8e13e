"""Random restart."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.loops.composed import Composed
from metaheur.loops.nest import Nest, require_search
from metaheur.parts import Always, Limit, Perturbation, RandomSolution
from metaheur.search import Search

__all__ = ["RandomRestart"]


@final
@frozen
class RandomRestart(Composed):
    """A search again and again, each time from a new solution when it has ended or reached its limit.

    It never ends by itself. An iteration is one of the search, or one restart.

    Parameters
    ----------
    search : Search
        The search; it begins anew each time.
    limit : Limit, default Limit()
        How long it lasts at most: needed for searches that do not end by themselves, such as tabu search.
    start : Perturbation, default RandomSolution()
        Where the new solution comes from, such as ConstructedSolution().

    Notes
    -----
    With a limit of 1,000 iterations, the *global restarts* of T. V. Luong, N. Melab and E.-G. Talbi, "Parallel local
    search on GPU and CPU with OpenCL language", 2011.
    """

    search: Search[Any]
    limit: Limit = field(factory=Limit)
    start: Perturbation = field(factory=RandomSolution, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        require_search(self.search, "search")
        _ = self.loop

    @cached_property
    def loop(self) -> Nest:
        """A nest that accepts whatever a phase leads to, as nothing of it stays."""
        return Nest(self.search, self.start, Always(), self.limit)
