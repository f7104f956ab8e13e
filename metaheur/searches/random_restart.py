"""Random restart."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.loops.nest import Around, Nest
from metaheur.parts import Always, Limit, Perturbation, RandomSolution
from metaheur.search import Search

__all__ = ["RandomRestart"]


@final
@frozen
class RandomRestart(Around):
    """Runs a search again and again, each time from a new solution, until it ends or reaches its limit.

    It never ends by itself. An iteration is one of the search, or one restart.

    Parameters
    ----------
    search : Search
        The search; it starts afresh each time.
    limit : Limit, default Limit()
        The limit of the search: needed for searches that do not end by themselves, such as tabu search.
    start : Perturbation, default RandomSolution()
        Makes the new solution, such as ConstructedSolution().

    Notes
    -----
    With a limit of 1,000 iterations, the *global restarts* of T. V. Luong, N. Melab and E.-G. Talbi, "Parallel local
    search on GPU and CPU with OpenCL language", 2011.
    """

    search: Search[Any]
    limit: Limit = field(factory=Limit)
    start: Perturbation = field(factory=RandomSolution, kw_only=True)

    @cached_property
    def loop(self) -> Nest:
        """A nest that accepts every result of a phase, as the next phase begins at a new solution."""
        return Nest(self.search, self.start, Always(), self.limit)
