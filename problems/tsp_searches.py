"""Searches that suit tours: walks of iterated local search that recombine, or one walk that is annealed."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from attrs import frozen

from metaheur.machine.processors import cores

if TYPE_CHECKING:
    from metaheur.parts import Acceptance
    from metaheur.search import Search
    from metaheur.searches.recommendation import Recommendation

__all__ = ["TourSearches"]

MOST_TOGETHER: Final = 5000
"""The most cities for which walks that recombine are recommended alone: more need long for a first good tour."""

ONE_WALK_BELOW: Final = 300
"""With fewer cities, one walk that is annealed finds an optimum sooner than walks that recombine."""

KICKS: Final = 50_000
"""Kicks with their repairs that a core makes in a second, in walks that recombine, with 2-opt, or-opt and 3-opt."""


EXCHANGES: Final = 400
"""Moves that a kick and its repair evaluate, with the same exchanges and 8 candidates a city."""


@final
@frozen(eq=False)
class TourSearches:
    """The searches for tours over some candidates.

    Parameters
    ----------
    near : numpy.ndarray of int32, shape (n, k)
        The candidates of each city.
    name : str
        The Python that makes them, such as "problem.quadrants(8)".
    """

    near: np.ndarray
    name: str

    def for_races(self) -> tuple[Recommendation, ...]:
        """Walks that recombine; for many cities also the kicks of a walk alone. The data alone decide.

        Kicks are annealed over a multiple of the number of cities.
        """
        n = len(self.near)
        together = self._together(36, n + 2 * n // 5)
        return (self._alone(100 * n), together) if n > MOST_TOGETHER else (together,)

    def for_seconds(self, seconds: float) -> tuple[Recommendation, ...]:
        """One search, whose walks and kicks fit a time on the cores that this process may use."""
        return self._for_kicks(seconds * KICKS * cores(), seconds * KICKS)

    def for_work(self, work: int) -> tuple[Recommendation, ...]:
        """One search, whose walks and kicks evaluate about so many moves together; the same on every machine."""
        return self._for_kicks(work / EXCHANGES, work / EXCHANGES)

    def _for_kicks(self, kicks: float, of_one: float) -> tuple[Recommendation, ...]:
        """One search for so many kicks of all walks, and so many of one walk that runs alone.

        With fewer than 10 kicks a city, or 300 cities, this is a walk alone; else there are five walks times the square
        root of the kicks a city, 8 to 120.
        """
        n = len(self.near)
        if n < ONE_WALK_BELOW or kicks < 10 * n:
            return (self._alone(max(1, int(of_one))),)
        walks = round(min(120.0, max(8.0, 5 * sqrt(kicks / n))))
        return (self._together(walks, max(1, int(0.8 * kicks / walks))),)

    def _together(self, walks: int, kicks: int) -> Recommendation:
        """Walks of iterated local search that recombine as soon as they have cooled a little."""
        from metaheur.parallel import EdgeAssembly, Islands, Multistart, RandomTopology
        from metaheur.parts import Annealed
        from metaheur.searches.recommendation import Recommendation

        islands = Islands(
            Multistart(walks),
            max(1, kicks // 20),
            RandomTopology(),
            replaces="worse current",
            after=kicks // 10,
            recombination=EdgeAssembly(self.near),
        )
        search, names = self._search(Annealed(kicks, 0.5)), {self.name: self.near}
        return Recommendation(f"{walks} walks that recombine", search, parallel=islands, names=names)

    def _alone(self, kicks: int) -> Recommendation:
        """Annealed kicks of a walk that begins at a constructed tour."""
        from metaheur.parts import Annealed
        from metaheur.searches.recommendation import Recommendation

        search, names = self._search(Annealed(kicks)), {self.name: self.near}
        return Recommendation("annealed kicks", search, "construct", names=names)

    def _search(self, acceptance: Acceptance) -> Search[Any]:
        """An iterated local search over the candidates."""
        from metaheur.loops import CandidateDescent
        from metaheur.neighborhoods import OrOpt, ThreeOpt, TwoOpt, Union
        from metaheur.parts import DoubleBridge
        from metaheur.searches import IteratedLocalSearch

        descent = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), self.near)
        return IteratedLocalSearch(descent, DoubleBridge(50), acceptance)
