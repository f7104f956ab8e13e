"""Searches that suit tours: walks of iterated local search that recombine, or one walk that is annealed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from attrs import field, frozen

from metaheur.machine.pace import now, running_budget

if TYPE_CHECKING:
    from metaheur.loops import LinKernighan
    from metaheur.parts import Acceptance
    from metaheur.search import Search
    from metaheur.searches.recommendation import Recommendation

__all__ = ["TourCandidates", "TourSearches"]

ONE_WALK_BELOW: Final = 12
"""With fewer cities, nothing recombines."""

PAYS: Final = 10
"""Walks recombine from so many kicks a city on: with fewer, none of them is good before the end."""

GREEDY_FROM: Final = 100_000
"""From so many cities on, walks begin at the greedy tour: a descent from there reverses short paths alone."""

ASCENDED: Final = 10**6
"""Cities times steps of the ascent to prices: half a second; there are 10 ... 50 steps."""

QUADRANTS_FROM: Final = 200_000
"""From so many cities on, candidates are the nearest in each quadrant: few steps of an ascent lead to worse tours."""

QUADRANTS: Final = "problem.quadrants(6)"
"""The Python that makes candidates in quadrants."""

AT_ONCE_FROM: Final = 20_000
"""From so many cities on, candidates come from quadrants, too, where those by alpha-nearness do not fit their share."""

OF_ALPHA: Final = 1.2
"""The share of candidates by alpha-nearness is one part of the time left in so many, times the root of the thousands of
cities: the more cities, the shorter is the ascent, and the less is won by it."""

ONE_WALK_UP_TO: Final = 1
"""With so many kicks a city or fewer, walks from the greedy tour end at nearly equal tours, so that one is enough."""

MEETINGS, MOST_MEETINGS = 20, 80
"""How often walks exchange their tours up to a thousand cities, and the most; in between it grows with the root of the
cities: the longer a tour is, the more of its parts have to find their way to the others."""

EXCHANGES: Final = 1300
"""Moves that a kick and its repair evaluate, with exchanges of up to four edges and 5 candidates a city."""


@final
@frozen(eq=False)
class TourCandidates:
    """The searches for a symmetric `TSP`, over candidates whose share of the time left pays for them.

    `quadrants_from`, `at_once_from`: candidates come from quadrants from so many cities on, always, or where others do
    not fit their share. `made`: the searches over candidates by alpha-nearness, once they are made.
    """

    tsp: Any
    quadrants_from: int = QUADRANTS_FROM
    at_once_from: int = AT_ONCE_FROM
    made: list[TourSearches] = field(init=False, factory=list)

    def searches(self) -> TourSearches:
        """The searches over the candidates that fit; the running budget takes a note of those that do not."""
        n = self.tsp.instance.dimension
        if not self.made and (not self._at_once or (n < self.quadrants_from and self._fits())):
            k, ascents = min(5, n - 1), self._ascents
            self.made.append(self._over(self.tsp.alpha_nearest(k, ascents), f"problem.alpha_nearest({k}, {ascents})"))
        return self.made[0] if self.made else self._by_quadrants[0]

    @property
    def _at_once(self) -> bool:
        """Whether there may be candidates in quadrants; they need coordinates."""
        return self.tsp.points is not None and self.tsp.instance.dimension >= self.at_once_from

    def _over(self, near: np.ndarray, name: str) -> TourSearches:
        """The searches over some candidates, from the greedy tour that all of them share."""
        those = QUADRANTS if self._at_once else ""
        return TourSearches(near, name, lambda: self._greedy, f"problem.greedy_edge({those})")

    @property
    def _ascents(self) -> int:
        n: int = self.tsp.instance.dimension
        return max(10, min(50, ASCENDED // n))

    @cached_property
    def _by_quadrants(self) -> tuple[TourSearches, float]:
        """The searches over candidates in quadrants, and the seconds that these took."""
        began = now()
        near = self.tsp.quadrants(6)
        return self._over(near, QUADRANTS), now() - began

    def _fits(self) -> bool:
        """Whether candidates by alpha-nearness fit their share: they take some times as long as those in quadrants."""
        budget, parts = running_budget(), max(1.0, OF_ALPHA * sqrt(self.tsp.instance.dimension / 1000))
        if parts * self._by_quadrants[1] * (5 + self._ascents / 5) <= budget.left():
            return True
        note = f"Candidates are near cities in quadrants: alpha-nearness takes more than 1/{parts:.0f} of the time."
        if note not in budget.cuts:
            budget.cuts.append(note)
        return False

    @cached_property
    def _greedy(self) -> np.ndarray:
        found: np.ndarray = self.tsp.greedy_edge(self._by_quadrants[0].near if self._at_once else None)
        return found


@final
@frozen(eq=False)
class TourSearches:
    """The searches for tours over some candidates.

    `near`, numpy.ndarray of int32, shape (n, k): the candidates of each city. `name`: the Python that makes them, such
    as "problem.alpha_nearest(5, 50)". `greedy`, `greedy_name`: how the greedy tour is made, from which `greedy_from`
    cities and more begin.
    """

    near: np.ndarray
    name: str
    greedy: Callable[[], np.ndarray]
    greedy_name: str = "problem.greedy_edge()"
    greedy_from: int = GREEDY_FROM

    def within(self, kicks: int, cores: int = 1) -> Recommendation:
        """One search for so many kicks on each core: a walk on each, or walks that recombine if the kicks pay for them.

        Of walks that recombine there are 8 at least, and three times the square root of the kicks a city, at most 120.
        """
        n = len(self.near)
        each = kicks * cores / n
        if n < ONE_WALK_BELOW or each < PAYS:
            one = n >= self.greedy_from and kicks <= ONE_WALK_UP_TO * n
            return self._alone(1 if one else cores, max(1, kicks))
        walks = round(min(120.0, max(8.0, 3 * sqrt(each))))
        return self._together(walks, max(1, kicks * cores // walks))

    def for_work(self, work: int) -> Recommendation:
        """One search, whose walks and kicks evaluate about so many moves together."""
        return self.within(max(1, work // EXCHANGES))

    def _together(self, walks: int, kicks: int) -> Recommendation:
        """Walks of iterated local search that recombine as soon as they have cooled a little."""
        from metaheur.parallel import EdgeAssembly, Islands, Multistart, RandomTopology
        from metaheur.parts import Annealed
        from metaheur.searches.recommendation import Recommendation

        meetings = max(MEETINGS, min(MOST_MEETINGS, round(MEETINGS * sqrt(len(self.near) / 1000))))
        islands = Islands(
            Multistart(walks),
            max(1, kicks // meetings),
            RandomTopology(),
            replaces="worse current",
            after=kicks // 10,
            recombination=EdgeAssembly(self.near),
        )
        search, names = self._search(Annealed(kicks, 0.5)), {self.name: self.near}
        return Recommendation(
            f"{walks} walks that recombine",
            search,
            "construct",
            parallel=islands,
            names=names,
            length=kicks,
            of_length=partial(self._together, walks),
            settles=True,
        )

    def _alone(self, walks: int, kicks: int) -> Recommendation:
        """Annealed kicks of walks that begin at constructed tours."""
        from metaheur.parts import Annealed
        from metaheur.searches.recommendation import Recommendation

        search, names = self._search(Annealed(kicks)), {self.name: self.near}
        start: Any = "construct"
        if len(self.near) >= self.greedy_from:
            start = names[self.greedy_name] = self._first
        return Recommendation(
            "annealed kicks",
            search,
            start,
            walks=walks,
            names=names,
            length=kicks,
            of_length=partial(self._alone, walks),
            settles=True,
        )

    @cached_property
    def _first(self) -> np.ndarray:
        return self.greedy()

    def _search(self, acceptance: Acceptance) -> Search[Any]:
        """An iterated local search over the candidates."""
        from metaheur.parts import DoubleBridge
        from metaheur.searches import IteratedLocalSearch

        return IteratedLocalSearch(self._descent, DoubleBridge(50), acceptance)

    @cached_property
    def _descent(self) -> LinKernighan:
        """One for all searches, so that its candidates are compared once."""
        from metaheur.loops import LinKernighan

        return LinKernighan(self.near)
