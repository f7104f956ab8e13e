"""Tour partitioning: a tour is cut into subtours, and an iterated local search improves each by itself."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.fields import Factor
from metaheur.loops.kicks import Kicks
from metaheur.loops.loop import unwrapped
from metaheur.loops.subtour import Subtour
from metaheur.loops.subtour_kicks import SubtourKicks
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key, Random, Stream
from metaheur.search import LoopState, Search
from metaheur.tours.edges import EdgeSum
from metaheur.tours.partition import Partition, cells, near
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    pass

__all__ = ["Round", "TourPartitioning"]


@final
@frozen
class TourPartitioning(Search[LoopState]):
    """Kicks many subtours of a tour side by side; the tour is cut anew in every iteration.

    An iteration is a round: the tour is cut into subtours of neighboring cities (see
    `metaheur.tours.partition.Partition`), an iterated local search makes `kicks` iterations in each subtour, and the
    improved subtours form the next tour. The first iteration in a subtour is a descent. An acceptance is given the cost
    of the whole tour with the changes of its own subtour; its kept arrays are those of the first subtour. The search is
    for tours of some thousand cities or more that are local optima already: a wrong edge between distant cities lies in
    no subtour.

    Parameters
    ----------
    search : IteratedLocalSearch
        A `CandidateDescent` with a perturbation made of reversals.
    size : int, default 250
        The number of items of a subtour, 8 or more; up to twice as many if the tour is short. In each round some items
        are in no subtour, fewer than there are subtours.
    kicks : int, default 500
        Iterations in each subtour of a round; an `Annealed` acceptance counts these.

    Notes
    -----
    Subtours with fixed edges: K. Helsgaun, "General k-opt submoves for the Lin-Kernighan TSP heuristic", Mathematical
    Programming Computation 1, 2009; D. S. Johnson and L. A. McGeoch, "Experimental analysis of heuristics for the
    STSP", 2002 (tour-based partitioning).
    """

    search: Search[Any] = field()
    size: int = whole_field(8, 2**15 - 1, default=250, metadata={"tune": Factor()})
    kicks: int = whole_field(default=500, metadata={"tune": Factor()})

    @search.validator
    def _kicks_tours(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(unwrapped(value), Kicks):
            raise InputError(
                f"`search` must kick tours, but is {value!r}.",
                "use IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(8)), DoubleBridge(50)).",
            )

    @cached_property
    def subtour_kicks(self) -> SubtourKicks:
        """The loop that runs in a subtour."""
        return SubtourKicks(self._kicks)

    @property
    def _kicks(self) -> Kicks:
        loop = unwrapped(self.search)
        assert isinstance(loop, Kicks)
        return loop

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self._kicks.neighborhoods

    def require(self, problem: Problem) -> None:
        """Refuse problems that the search refuses, items without coordinates, and edges that are too long."""
        self._kicks.require(problem)
        points_of(problem)
        _ = self.subtour(problem).stay

    def subtour(self, problem: Problem) -> Subtour:
        """The problem in a subtour."""
        n = problem.representation.length
        return Subtour(problem, n // max(1, n // self.size))

    def round(self, problem: Problem, states: Sequence[LoopState]) -> Round:
        """The next round of walks that have made the same number of iterations."""
        return Round.of(self, problem, states)

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        return self._kicks.init(start, key)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        inside = NumpyEvaluator(self.subtour(evaluate.problem))
        loop, a_round = self.subtour_kicks, self.round(evaluate.problem, [state])
        after = []
        for begun in a_round.states:
            each = copy.deepcopy(begun)  # they share arrays
            while each.walk.iteration < a_round.end and not each.finished:
                each = loop.step(each, inside)
            after.append(each)
        orders = np.array([each.walk.current.solution for each in after])
        costs = np.array([each.walk.current.cost for each in after])
        evaluated = np.array([each.walk.evaluated for each in after])
        return a_round.ended(after[:1], orders, costs, evaluated)[0]

    def require_state(self, state: LoopState, problem: Problem) -> None:
        """Refuse a state that the kicks refuse: the state is theirs."""
        self._kicks.require_state(state, problem)

    def done(self, state: LoopState) -> bool:
        return state.finished

    def ending(self, state: LoopState) -> str:
        return self._kicks.ending(state)

    def enter(self, state: LoopState, walk: Walk) -> LoopState:
        return self._kicks.enter(state, walk)

    @property
    def program(self) -> Any:
        """The program that advances the subtours of a round on a device."""
        from metaheur.runners.rounds import RoundsProgram

        return RoundsProgram(self)


@final
@frozen(eq=False)
class Round:
    """A round of walks that have made the same number of iterations.

    `search`, `problem`: the search, and the problem of the whole tours. `before`: the states of the walks before the
    round. `partition`: the partition of their tours. `states`: the states of the subtours at the begin of the round,
    walk by walk; they share arrays. `end`: the iteration of the subtours at which the round ends.
    """

    search: TourPartitioning
    problem: Problem
    before: Sequence[LoopState]
    partition: Partition
    states: list[LoopState]
    end: int

    @classmethod
    def of(cls, search: TourPartitioning, problem: Problem, before: Sequence[LoopState]) -> Round:
        """Cut the tours of walks."""
        loop, first = search.subtour_kicks, before[0].walk
        random = Random(Key(first.key.seed), Stream.PARTITION, first.iteration + 1)
        items = cells(points_of(problem), search.size, random)
        partition = Partition(np.array([state.walk.current.solution for state in before]), items)
        space = search.subtour(problem).representation
        shapes = loop.state(space)
        own = {
            "behind": partition.behind,
            "before": partition.before,
            "near": partition.untied(near(items, loop.kicks.descent.candidates)),
        }
        own = {name: each.astype(shapes[name].dtype) for name, each in own.items()}
        numbers = items.astype(shapes["items"].dtype)
        begun, turn = first.iteration * search.kicks, random.index(2, space.length)
        orders = np.roll(partition.orders, turn, axis=2).astype(space.dtype)  # kicks are rare at both ends
        states = []
        for w, state in enumerate(before):
            walk, acceptance = state.walk, {**state.kept, "rounds": np.array(0)}
            for s in range(len(items)):
                start = EvaluatedSolution(space, orders[w, s], walk.current.cost)
                key = Key(walk.key.seed, (walk.key.walk * len(items) + s) % 2**32)
                inside = Walk(key, start, evolve(start, cost=walk.best.cost), begun, 0, begun, begun)
                kept = {"items": numbers[s], **{name: each[w, s] for name, each in own.items()}}
                states.append(LoopState(inside, {**kept, "kicks": LoopState(inside, acceptance)}))
        return cls(search, problem, before, partition, states, begun + search.kicks)

    def ended(
        self, firsts: Sequence[LoopState], orders: np.ndarray, costs: np.ndarray, evaluated: np.ndarray
    ) -> list[LoopState]:
        """The states of the walks after the round.

        `firsts`: the state of each walk's first subtour after the round. `orders`, shape (s, m): the solutions of all
        subtours. `costs`, `evaluated`, shape (s,): their costs, and the moves evaluated.
        """
        shape, candidates = self.partition.places.shape, self.search.subtour_kicks.kicks.descent.candidates
        assert isinstance(self.problem, EdgeSum)
        tours, dearer = self.partition.joined(orders.reshape(shape), candidates, self.problem.edge)
        costs, evaluated = costs.reshape(shape[:2]), evaluated.reshape(shape[:2])
        states = []
        for w, (state, first) in enumerate(zip(self.before, firsts, strict=True)):
            walk = state.walk
            cost = walk.current.cost + dearer[w] + (costs[w] - walk.current.cost).sum().item()
            after = EvaluatedSolution(walk.current.representation, tours[w], cost)
            kept = {**first.kept["kicks"].kept, "descent": state.kept["descent"]}
            states.append(LoopState(walk.go_to(after, int(evaluated[w].sum())), kept, first.finished))
        return states


def points_of(problem: Problem) -> np.ndarray:
    """The coordinates of a problem's items."""
    points: np.ndarray | None = getattr(problem, "points", None)
    if points is None:
        raise InputError(
            f"TourPartitioning needs items in the plane, but this {type(problem).__name__} does not say where.",
            "use its search by itself, or write `points`, see `metaheur.tours.edges.InThePlane`.",
        )
    return points
