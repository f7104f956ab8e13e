"""CandidateDescent: first improvement over candidate lists, with a queue of the items to examine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, ClassVar, cast, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import as_costs
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import Array, data
from metaheur.loops.loop import Loop
from metaheur.machine.pace import NEVER, Alarm, StepCut
from metaheur.neighborhood import Neighborhood, neighborhood_field
from metaheur.neighborhoods.by_candidates import require_candidates
from metaheur.neighborhoods.restricted import require_edges
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.tours.edges import EdgeSum, TradesEdges, trades_edges
from metaheur.tours.tour import Exchange, Tour
from metaheur.validate import true_or_false
from metaheur.walk import EvaluatedSolution

__all__ = ["CandidateDescent"]

ROWS = 1 << 16
"""The items whose candidates are compared at once, so that little memory is needed."""


@final
@frozen(eq=False)
class CandidateDescent(Loop):
    """Descend to a local optimum by exchanges of edges that join an item to one of its candidates.

    Items wait in a queue, at first all of them in the order of the tour. The first item in the queue makes its first
    improving exchange (or its best) until it has none; the ends of exchanged edges enter the queue again. A whole
    descent is one iteration, and then the search has ended. An item needs as many evaluations as it has candidates that
    may give a gain, and an exchange reverses the shorter side of the tour.

    Parameters
    ----------
    neighborhood : Neighborhood
        TwoOpt(), OrOpt(), ThreeOpt(), another one with `exchanges`, or a union of such neighborhoods, which are tried
        in turn.
    candidates : array_like, shape (n, k)
        For each item 0 ... n-1 other items, the nearest first, as `TSP.nearest` or `TSP.quadrants` returns them.
    best : bool, default False
        Whether an item makes its best exchange, the first one among equals, instead of its first improving one.

    Notes
    -----
    The cost must be the sum of the edges of a cyclic permutation: see `metaheur.tours.edges.EdgeSum`.

    J. L. Bentley, "Fast algorithms for geometric traveling salesman problems", ORSA Journal on Computing 4, 1992
    (neighbor lists, don't-look bits as a queue); S. Lin and B. W. Kernighan, "An effective heuristic algorithm for the
    traveling-salesman problem", Operations Research 21, 1973 (gain criterion).
    """

    neighborhood: Neighborhood = neighborhood_field()
    candidates: np.ndarray = data("int32", ndim=2)
    best: bool = field(default=False, kw_only=True, validator=true_or_false)

    source: ClassVar[str] = "candidate_descent.cuh"
    keeps_feasible: ClassVar[bool] = False
    descends: ClassVar[bool] = True

    @neighborhood.validator
    def _exchanges(self, _: Attribute[Any], value: Any) -> None:
        if not trades_edges(value):
            raise InputError(
                f"`neighborhood` must exchange edges of a tour, but {value!r} has no `exchanges`.",
                "use TwoOpt(), OrOpt(), ThreeOpt() or a union of them, or write `exchanges`.",
            )

    def __attrs_post_init__(self) -> None:
        """Refuse an array that is not a candidate list."""
        require_candidates(self.candidates)

    def require(self, problem: Problem) -> None:
        """Refuse a problem whose cost is not a sum of edges, and candidates that do not fit.

        Raises
        ------
        InputError
            If the problem is not an `EdgeSum`, or if the candidates have another number of items or are not the nearest
            first.
        """
        super().require(problem)
        edges = require_edges("CandidateDescent", problem, self.candidates, "use HillClimbing, or write `edge`.")
        for begin in range(0, len(self.candidates), ROWS):
            rows = self.candidates[begin : begin + ROWS]
            lengths = edges.edge(*np.broadcast_arrays(np.arange(begin, begin + len(rows))[:, None], rows))
            if (wrong := np.argwhere(np.diff(lengths, axis=1) < 0)).size:
                row, k = wrong[0].tolist()
                first, second = rows[row, k : k + 2].tolist()
                raise InputError(
                    f"The candidates of item {begin + row} must be the nearest first, but {first}, at "
                    f"{lengths[row, k]}, comes before {second}, at {lengths[row, k + 1]}.",
                    "sort them by their edges.",
                )

    def constants(self, representation: Representation) -> Mapping[str, bool]:
        """`takes_best`: `best`, as the compiler knows it."""
        return {"takes_best": self.best}

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """Positions of items, the queue, its membership; lengths of edges; and where a long descent began."""
        n = representation.length
        place = "uint16" if n <= 2**16 else "int32"
        return {
            "positions": Array((n,), place),
            "waits": Array((n,), "uint8", late=True),
            "queue": Array((n,), place, late=True),
            "ahead": Array((n,), table=True, far=True),
            "lengths": Array((n, self.candidates.shape[1]), table=True, far=True),
            "home": Array((n,), "item", far=True),
        }

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        walk = state.walk
        tour = self.tour(walk.current, evaluate)
        tour.wait(*tour.items)
        cost = self.descend(tour, walk.current.cost, evaluate.alarm, walk.current)
        return state.after(walk.go_to(evaluated(tour, walk.current, cost), tour.evaluated), finished=True)

    def ending(self, state: LoopState) -> str:
        return "local optimum"

    def tour(self, solution: EvaluatedSolution, evaluate: Evaluator) -> Tour:
        """The tour of a solution, with an empty queue."""
        edge = _edges(evaluate.problem)
        return Tour(solution.solution.tolist(), self.candidates.tolist(), edge)

    def descend(
        self, tour: Tour, cost: int | float, alarm: Alarm = NEVER, before: EvaluatedSolution | None = None
    ) -> int | float:
        """Make exchanges until the queue is empty; returns the cost then.

        Raises
        ------
        StepCut
            If the alarm rings; it holds the solution so far if `before` is given, the one where the descent began.
        """
        least = 1e-9 * max(1.0, abs(cost)) if isinstance(cost, float) else 0  # more than rounding, so that it ends
        while tour.waiting:
            if alarm.rings():
                raise StepCut(before and evaluated(tour, before, cost))
            item = tour.first_waiting()
            while exchange := self._exchange(tour, item, least):
                tour.make(exchange[1])
                cost -= exchange[0]
        return cost

    def _exchange(self, tour: Tour, item: int, least: int | float) -> Exchange | None:
        """The exchange that an item makes, or None."""
        found = None
        for exchange in cast(TradesEdges, self.neighborhood).exchanges(tour, item):
            tour.evaluated += 1
            if exchange[0] > (found[0] if found else least):
                found = exchange
                if not self.best:
                    break
        return found


@lru_cache(maxsize=4)
def _edges(problem: Problem) -> Callable[[int, int], Any]:
    """The costs of edges, each computed once; of few items, all at once."""
    assert isinstance(problem, EdgeSum)
    n = problem.representation.length
    items = np.arange(n)
    if n <= 512:
        found = np.asarray(problem.edge(*np.broadcast_arrays(items[:, None], items)))
        as_costs(problem, found[items[:, None] != items], "edge")  # an item may have any edge to itself
        table = found.tolist()
        return lambda a, b: table[a][b]
    known: dict[tuple[int, int], Any] = {}

    def edge(a: int, b: int) -> Any:
        if (a, b) not in known:
            found = np.asarray(problem.edge(items[a : a + 1], items[b : b + 1]))
            known[a, b] = as_costs(problem, found, "edge")[0].item()
        return known[a, b]

    return edge


def evaluated(tour: Tour, before: EvaluatedSolution, cost: int | float) -> EvaluatedSolution:
    """The evaluated solution of a tour."""
    return EvaluatedSolution(before.representation, np.array(tour.items, before.solution.dtype), cost)
