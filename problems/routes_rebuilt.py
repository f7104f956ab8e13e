"""Ruin and recreate, annealed, for problems of routes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, final, runtime_checkable

import numpy as np
from attrs import evolve, frozen

from metaheur.lists.ruin_and_recreate import RuinAndRecreate
from metaheur.lists.ruin_and_recreate_kinds import RuinAndRecreateKinds
from metaheur.lists.ruin_and_recreate_pairs import RuinAndRecreatePairs
from metaheur.lists.ruin_and_recreate_visits import RuinAndRecreateVisits
from metaheur.problems.apart import Distances, apart
from metaheur.representation import Solution
from metaheur.searches.recommendation import Recommendation

if TYPE_CHECKING:
    from metaheur.parts import Acceptance, Metropolis, Perturbation
    from metaheur.searches.iterated_local_search import IteratedLocalSearch
    from metaheur.searches.memetic_algorithm import MemeticAlgorithm

__all__ = ["FitsInRoutes", "HasRoutes", "cooled", "rebuilt"]

NEAR = 60
"""Near customers from whose routes strings are taken, and beside which a customer comes back at an end of a route."""

BESIDE = 20
"""Nearest customers beside which a customer comes back, at the ends of routes apart.

Within 3 processor seconds there are 1.5 (R203) to 2.9 times (X-n303-k21) as many removals with 10 as with all places,
and with 20 or 30 customers fewer. With the ends of all routes, not of near ones alone, there are 0.4 (R1_10_5) to 1.0
times as many. After 20 seconds, 20 customers lead to shorter routes than 10 on R1_10_5 (2.5 and 3.4 % above the best
known ones), RC2_10_5 (1.9 and 2.3 %), C204R0.25 and X139-HD, to longer ones on PR16B, and with loads alone to as long
ones, by a mean of 0.38 and 0.36 % on six instances (two seeds).
"""

FIRST, LAST = 1.0, 0.01
"""The first temperature, as a share of the mean distance to 20 near customers; the last one, as a share of the first.

After 2 to 6 processor seconds, a first share of 0.3 leads to routes that are 0.5 to 2.8 % longer on X-n101-k25,
X-n200-k36, X-n214-k11, X-n237-k14, X-n284-k15, X-n303-k21 and X-n331-k15, as long on X-n190-k8, 0.1 % shorter on
X-n162-k11 and X-n256-k16, and 0.4 % on X-n120-k6, in one pair; with windows of time (RC102, C1_2_1, R202) they are as
long. Shares of 0.02 and 0.07 are worse still.
"""

LEVELS = 458
"""Of the temperatures."""

EXCHANGED_UP_TO = 200
"""Up to so many customers, routes are exchanged.

After 50 processor seconds, routes of X-n303-k21 are 0.57 % above the best known ones with a population of 8, whose
members begin at the usual temperature; by one walk they are 0.46 and 0.58 % above (two seeds).
"""

MEMBERS, CHILD, FEWEST, MOST = 8, 300, 20, 80
"""The members of a population; the least iterations for each customer of a child; the fewest and the most children.

The members are the first children. After 10 processor seconds of a slow core, routes of X-n106-k14 are 0.00 to 0.03 %
above the best known ones with at least 500 iterations for each customer (seeds 1 to 3), where one walk leads to 0.08
to 0.54 %; those of R201 are 0.00 % above them, by one walk 0.41 % (seed 2); of X-n186-k15 0.38 and 0.02 %, by one walk
0.39 and 0.22 % (seeds 1 and 2); of X-n195-k51 0.09 %, by one walk 0.08 %. A single annealing for 16 times as long
mostly ends in the same places.
"""

WARM = 0.3
"""The first temperature of a child, as a share of the usual one."""


class HasRoutes(Protocol):
    """A problem of routes that knows which customers are near to each other, and in which orders to serve them."""

    @property
    def demands(self) -> Any:
        """What each customer demands; visits that are no customers are numbered behind them."""

    @property
    def distances(self) -> Any:
        """From each place to each other one, the depot last."""

    @property
    def orders(self) -> np.ndarray:
        """Orders in which customers come back; see `RuinAndRecreate`."""

    @property
    def kinds(self) -> np.ndarray:
        """A number for each vehicle, the same for vehicles that are alike; see `RuinAndRecreate`."""

    def nearest(self, k: int) -> np.ndarray:
        """Near customers of each one."""


@runtime_checkable
class FitsInRoutes(Protocol):
    """A problem of routes that knows how many of them the demands need at least."""

    @property
    def fewest(self) -> int:
        """The least number of routes whose capacities the demands fit in, if these could be divided."""

    def routes(self, x: Solution) -> list[list[int]]:
        """The customers of each vehicle that is used."""

    def packed(self, routes: int) -> Solution:
        """A solution with at most so many routes, whose loads may exceed the capacity."""


def cooled(distances: Distances, near: np.ndarray, length: int, scale: float = 1.0, begin: float = 1.0) -> Metropolis:
    """Metropolis' criterion, whose temperature falls within so many iterations, of which a removal takes two.

    `distances`: between the customers and the depot, the last place. `near`, int, shape (c, k): near customers.
    `scale`: what a unit of length costs. `begin`: where the temperature begins, as a share of the usual first one.
    """
    from metaheur.parts import Geometric, Metropolis
    from metaheur.parts.acceptance.cooling import Cooling

    one, other = np.arange(len(near))[:, None], near[:, :20]
    mean = scale * float(np.minimum(apart(distances, one, other), apart(distances, other, one)).mean())
    usual = max(1.0, float(f"{FIRST * mean:.2g}"))
    falls = Geometric.between(begin * usual, LAST * usual, max(LEVELS, length // 2), LEVELS)
    return Metropolis(Cooling(begin * usual, falls))


def rebuilt(problem: HasRoutes, walks: int, length: int, *, strings: int = 10, beside: int = BESIDE) -> Recommendation:
    """Ruin and recreate within so many iterations, of which a removal takes two; from the routes of `construct`.

    `strings`: how many items are taken out on average, and the most of a string. `beside`: beside how many near
    customers one comes back. The `pairs` of a problem that has some go together, to any places; see
    `RuinAndRecreatePairs`. Its `reloads` are visits; see `RuinAndRecreateVisits`.
    """
    pairs: np.ndarray | None = getattr(problem, "pairs", None)
    near = problem.nearest(NEAR)
    ruin = RuinAndRecreate(
        near,
        problem.orders,
        average=strings,
        longest=strings,
        kinds=problem.kinds,
        beside=beside if pairs is None else 0,
        tails=pairs is None,
    )
    names = {f"problem.nearest({NEAR})": near, "problem.orders": ruin.orders, "problem.kinds": ruin.kinds}
    visits: np.ndarray = getattr(problem, "reloads", np.zeros(0))
    removal: Perturbation = ruin
    if len(visits):
        removal, names["problem.reloads"] = RuinAndRecreateVisits(ruin, visits), visits
    elif pairs is not None:
        removal, names["problem.pairs"] = RuinAndRecreatePairs(ruin, pairs), pairs
    elif len(set(ruin.kinds.tolist())) > 1:
        removal = RuinAndRecreateKinds(ruin)
    return _Rebuilding(problem, walks, removal, names).within(length)


@final
@frozen(eq=False)
class _Rebuilding:
    """A removal again and again, annealed; of few customers, a population of such walks.

    `names`: expressions of Python for the arrays of the removal and of the start.
    """

    problem: HasRoutes
    walks: int
    removal: Perturbation
    names: Mapping[str, np.ndarray]
    start: Any = "construct"

    def within(self, length: int) -> Recommendation:
        """The search within so many iterations."""
        items, levels = len(self.problem.demands), getattr(self.problem, "levels", ())
        plain = isinstance(self.removal, RuinAndRecreate)
        exchanges = plain and items <= EXCHANGED_UP_TO and not levels
        pays = exchanges and length >= FEWEST * CHILD * items
        made = partial(_exchanging, pays=pays) if exchanges else _annealing
        lists, fits = getattr(self.removal, "lists", 0), plain and isinstance(self.problem, FitsInRoutes)
        return Recommendation(
            ("routes exchanged" if pays else "ruin and recreate") + (f", {lists} routes" if lists else ""),
            made(self.problem, self.removal, self.names, length),
            self.start,
            walks=self.walks,
            length=length,
            of_length=self.within,
            instead=partial(self._with_fewer, length) if fits else None,
            names=dict(self.names),
        )

    def _with_fewer(self, length: int, x: Solution) -> Recommendation | None:
        """The same with a route fewer than a solution has, if the demands may fit in.

        Where vehicles are nearly full, a removal hardly ever saves a route; where they are overloaded, removals lead to
        loads that fit.
        """
        assert isinstance(self.problem, FitsInRoutes)
        assert isinstance(self.removal, RuinAndRecreate)
        fewer = len(self.problem.routes(x)) - 1
        if fewer < self.problem.fewest:
            return None
        removal, start = evolve(self.removal, lists=fewer), self.problem.packed(fewer)
        names = {**self.names, f"problem.packed({fewer})": start}
        return _Rebuilding(self.problem, self.walks, removal, names, start).within(length)


def _exchanging(
    problem: HasRoutes, removal: Perturbation, names: Mapping[str, np.ndarray], length: int, *, pays: bool
) -> MemeticAlgorithm:
    """A population whose children are annealed, where the iterations pay for enough of them.

    Where they do not, the first member is annealed for all of them, so that the unit to compile is the same.
    """
    from metaheur.lists.route_exchange import RouteExchange
    from metaheur.parts import Breeding, Limit
    from metaheur.searches.memetic_algorithm import MemeticAlgorithm

    items = len(problem.demands)
    each, begin = (max(CHILD * items, length // MOST), WARM) if pays else (length, 1.0)
    improves = _annealing(problem, removal, names, each, begin)
    return MemeticAlgorithm(improves, Breeding(RouteExchange(items), size=MEMBERS), Limit(each))


def _annealing(
    problem: HasRoutes, removal: Perturbation, names: Mapping[str, np.ndarray], length: int, begin: float = 1.0
) -> IteratedLocalSearch:
    """The search that makes a removal again and again, and is annealed; `begin`: see `cooled`."""
    from metaheur.loops.no_search import NoSearch
    from metaheur.parts import BetterOrEqual, ByLevel
    from metaheur.searches.iterated_local_search import IteratedLocalSearch

    near, scale = names[f"problem.nearest({NEAR})"], float(getattr(problem, "scale", 1.0))
    acceptance: Acceptance = cooled(problem.distances, near[: len(problem.demands)], length, scale, begin)
    if higher := len(getattr(problem, "levels", ())[1:]):
        acceptance = ByLevel.of([BetterOrEqual()] * higher + [acceptance])  # only the last level may become worse
    return IteratedLocalSearch(NoSearch(), removal, acceptance)
