"""Descents of tours over candidate lists, with a queue of the items to examine."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar
from weakref import WeakKeyDictionary, ref

import numpy as np

from metaheur.errors import InputError
from metaheur.evaluators.costs import as_costs
from metaheur.evaluators.evaluator import Evaluator
from metaheur.fields import Array
from metaheur.loops.loop import Loop
from metaheur.machine.pace import NEVER, Alarm, StepCut
from metaheur.neighborhoods.restricted import require_edges
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.search import LoopState
from metaheur.source import Source, join, piece, source_of
from metaheur.tours.edges import EdgeSum
from metaheur.tours.tour import Exchange, Tour
from metaheur.walk import EvaluatedSolution

__all__ = ["TourDescent", "evaluated"]

ROWS = 1 << 16
"""The items whose candidates are compared at once, so that little memory is needed."""


_FITTING: WeakKeyDictionary[Any, ref[Problem]] = WeakKeyDictionary()
"""For each descent the problem that its candidates fit, since a race asks again and again."""


class TourDescent(Loop):
    """Exchanges of edges until no item has an improving one; a whole descent is one iteration.

    Subclasses have the field `candidates`, an array of shape (n, k), and enumerate the exchanges of an item; their C++
    halves derive from `TourDescent` in tour_descent.cuh.
    """

    candidates: np.ndarray
    keeps_feasible: ClassVar[bool] = False
    descends: ClassVar[bool] = True

    @property
    def takes_best(self) -> bool:
        """Whether an item makes its best exchange, the first one among equals, instead of its first improving one."""
        return False

    @abstractmethod
    def exchanges(self, tour: Tour, item: int) -> Iterator[Exchange]:
        """The exchanges of an item, as `metaheur.tours.edges.TradesEdges` lists them."""

    def source_on(self, representation: Representation) -> Source:
        """The half of the class behind what all descents have in common."""
        own = source_of(self)
        return Source(join([piece("loops/tour.cuh"), piece("loops/tour_descent.cuh"), own]), own.name)

    def require(self, problem: Problem) -> None:
        """Refuse a problem whose cost is not a sum of edges, and candidates that do not fit.

        Raises InputError if the problem is not an `EdgeSum`, or if the candidates have another number of items or are
        not the nearest first.
        """
        super().require(problem)
        if (fitting := _FITTING.get(self)) is not None and fitting() is problem:
            return
        edges = require_edges(type(self).__name__, problem, self.candidates, "use HillClimbing, or write `edge`.")
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
        _FITTING[self] = ref(problem)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """`takes_best`, as the compiler knows it."""
        return {"takes_best": self.takes_best}

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

        Raises StepCut if the alarm rings; it holds the solution so far if `before` is given, the one where the descent
        began.
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
        for exchange in self.exchanges(tour, item):
            tour.evaluated += 1
            if exchange[0] > (found[0] if found else least):
                found = exchange
                if not self.takes_best:
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
