"""Ruin and recreate, annealed, for problems of routes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from metaheur.lists.ruin_and_recreate import RuinAndRecreate
from metaheur.lists.ruin_and_recreate_kinds import RuinAndRecreateKinds
from metaheur.lists.ruin_and_recreate_pairs import RuinAndRecreatePairs
from metaheur.lists.ruin_and_recreate_visits import RuinAndRecreateVisits
from metaheur.problems.apart import Distances, apart
from metaheur.searches.recommendation import Recommendation

if TYPE_CHECKING:
    from metaheur.parts import Acceptance, Metropolis, Perturbation

__all__ = ["HasRoutes", "cooled", "rebuilt"]

NEAR = 60
"""Near customers from whose routes strings are taken."""

BESIDE = 10
"""Nearest customers beside which a customer comes back, at the ends of routes apart.

Within 3 processor seconds there are 1.5 (R203) to 2.9 times (X-n303-k21) as many removals as with all places, and with
20 or 30 customers fewer.
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


def cooled(distances: Distances, near: np.ndarray, length: int, scale: float = 1.0) -> Metropolis:
    """Metropolis' criterion, whose temperature falls within so many iterations, of which a removal takes two.

    `distances`: between the customers and the depot, the last place. `near`, int, shape (c, k): near customers.
    `scale`: what a unit of length costs.
    """
    from metaheur.parts import Geometric, Metropolis
    from metaheur.parts.acceptance.cooling import Cooling

    one, other = np.arange(len(near))[:, None], near[:, :20]
    mean = scale * float(np.minimum(apart(distances, one, other), apart(distances, other, one)).mean())
    first = max(1.0, float(f"{FIRST * mean:.2g}"))
    return Metropolis(Cooling(first, Geometric.between(first, LAST * first, max(LEVELS, length // 2), LEVELS)))


def rebuilt(
    problem: HasRoutes, walks: int, length: int, *, pairs: np.ndarray | None = None, strings: int = 10
) -> Recommendation:
    """Ruin and recreate within so many iterations, of which a removal takes two; from the routes of `construct`.

    `pairs`: items that go together; see `RuinAndRecreatePairs`. `strings`: how many items are taken out on average, and
    the most of a string. The `reloads` of a problem that has some are visits; see `RuinAndRecreateVisits`.
    """
    near, beside = problem.nearest(NEAR), BESIDE if pairs is None else 0
    ruin = RuinAndRecreate(near, problem.orders, average=strings, longest=strings, kinds=problem.kinds, beside=beside)
    names = {f"problem.nearest({NEAR})": near, "problem.orders": ruin.orders, "problem.kinds": ruin.kinds}
    visits: np.ndarray = getattr(problem, "reloads", np.zeros(0))
    if len(visits):
        removal = RuinAndRecreateVisits(ruin, visits)
        return _annealed(problem, walks, removal, {**names, "problem.reloads": visits}, length)
    if pairs is None and len(set(ruin.kinds.tolist())) > 1:
        return _annealed(problem, walks, RuinAndRecreateKinds(ruin), names, length)
    if pairs is None:
        return _annealed(problem, walks, ruin, names, length)
    return _annealed(problem, walks, RuinAndRecreatePairs(ruin, pairs), {**names, "problem.pairs": pairs}, length)


def _annealed(
    problem: HasRoutes, walks: int, removal: Perturbation, names: Mapping[str, np.ndarray], length: int
) -> Recommendation:
    """A removal again and again, annealed within so many iterations."""
    from metaheur.loops.no_search import NoSearch
    from metaheur.parts import BetterOrEqual, ByLevel
    from metaheur.searches.iterated_local_search import IteratedLocalSearch

    near, scale = names[f"problem.nearest({NEAR})"], float(getattr(problem, "scale", 1.0))
    acceptance: Acceptance = cooled(problem.distances, near[: len(problem.demands)], length, scale)
    if higher := len(getattr(problem, "levels", ())[1:]):
        acceptance = ByLevel.of([BetterOrEqual()] * higher + [acceptance])  # only the last level may become worse
    return Recommendation(
        "ruin and recreate",
        IteratedLocalSearch(NoSearch(), removal, acceptance),
        "construct",
        walks=walks,
        length=length,
        of_length=partial(_annealed, problem, walks, removal, names),
        names=dict(names),
    )
