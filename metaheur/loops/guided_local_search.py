"""GuidedLocalSearch: leave local optima by penalties on their edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import COUNT, Array
from metaheur.loops.loop import Loop
from metaheur.loops.tour_descent import TourDescent, evaluated
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.tours.tour import Tour
from metaheur.validate import real_field
from metaheur.walk import Walk

__all__ = ["GuidedLocalSearch"]


@final
@frozen(eq=False)
class GuidedLocalSearch(Loop):
    """Descend, and penalise the edges of the local optimum that have the largest utility.

    The utility of an edge is its cost divided by one more than the number of its penalties. The first iteration is a
    descent. Each later iteration gives another penalty to the edges of the tour with the largest utility, all of them
    if several are equal, and then descends from their ends under *augmented* costs: the costs plus a weight for each
    penalty. The search never ends by itself.

    Parameters
    ----------
    descent : TourDescent
        The descent to a local optimum, also under augmented costs.
    strength : float, default 0.3
        The weight of a penalty, as a multiple of the mean cost per item of the first local optimum; for costs of type
        int64 the weight is rounded down, and is at least 1.

    Notes
    -----
    C. Voudouris and E. Tsang, "Guided local search and its application to the traveling salesman problem", European
    Journal of Operational Research 113, 1999: with 2-opt, strengths of 1/8 to 1/2. The penalties of all pairs of
    items take n**2 numbers.
    """

    descent: TourDescent = field()
    strength: float = real_field(0, above=True, default=0.3)

    source: ClassVar[str] = "guided_local_search.cuh"
    keeps_feasible: ClassVar[bool] = False
    endless: ClassVar[bool] = True
    reads_state: ClassVar[bool] = False

    @descent.validator
    def _is_descent(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, TourDescent):
            raise InputError(
                f"`descent` must be a CandidateDescent or LinKernighan, but is {value!r}.",
                "write CandidateDescent(TwoOpt(), tsp.nearest(8)).",
            )

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`penalties` of the edges, and the `weight` of a penalty; 0 before the first local optimum."""
        n = representation.length
        return {"penalties": Array((n, n), "int32", within=COUNT), "weight": Array((), "total", within=COUNT)}

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        state.kept["penalties"][:] = 0
        state.kept["weight"][()] = 0
        return LoopState(walk, {**state.kept, "descent": LoopState(walk)})

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk, kept = state.walk, state.kept
        before, penalties = walk.current, kept["penalties"]
        plain = self.descent.tour(before, evaluate)
        weight = kept["weight"][()].item()

        def edge(a: int, b: int) -> Any:
            return plain.edge(a, b) + weight * int(penalties[a, b])

        tour = Tour(plain.items, plain.candidates, edge, plain.edge)
        if weight:
            self._penalise(tour, plain, penalties)
        else:
            tour.wait(*tour.items)
        self.descent.descend(tour, before.cost)
        cost = before.cost + _dearer(before.solution.tolist(), tour.items, plain)
        if not weight:
            kept["weight"][()] = self._weight(cost, len(tour.items))
        there = walk.go_to(evaluated(tour, before, cost), tour.evaluated)
        return LoopState(there, {**kept, "descent": LoopState(there)})

    def _weight(self, cost: int | float, n: int) -> int | float:
        weight = self.strength * (abs(float(cost)) / float(n))
        return weight if isinstance(cost, float) else max(1, int(weight))

    def _penalise(self, tour: Tour, plain: Tour, penalties: np.ndarray) -> None:
        """Penalise the edges with the largest utility, and put their ends into the queue."""
        pairs = list(zip(tour.items, tour.items[1:] + tour.items[:1], strict=True))
        costs = [plain.edge(a, b) for a, b in pairs]
        shares = [1 + int(penalties[a, b]) for a, b in pairs]
        top = 0
        for p in range(1, len(pairs)):
            if costs[p] * shares[top] > costs[top] * shares[p]:
                top = p
        for p, (a, b) in enumerate(pairs):
            if costs[p] * shares[top] == costs[top] * shares[p]:
                penalties[a, b] += 1
                penalties[b, a] += 1
                tour.wait(a, b)


def _dearer(old: list[int], new: list[int], plain: Tour) -> Any:
    """The difference of the costs of two tours."""
    lengths = [sum(plain.edge(a, b) for a, b in zip(items, items[1:] + items[:1], strict=True)) for items in (old, new)]
    return lengths[1] - lengths[0]
