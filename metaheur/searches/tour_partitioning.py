"""Tour partitioning: a tour is cut into subtours, each is kicked by itself, and all that became shorter stays."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.loops.kicks import Kicks
from metaheur.loops.loop import LoopState
from metaheur.loops.subtour import Subtour
from metaheur.loops.subtour_kicks import SubtourKicks
from metaheur.neighborhood import Neighborhood
from metaheur.partition import Partition
from metaheur.problem import Problem
from metaheur.random import Key, Random, Stream
from metaheur.search import Search
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.runner import Facts, Runner

CYC=[]
__all__ = ["Round", "TourPartitioning"]


@final
@frozen
class TourPartitioning(Search[LoopState]):
    """Many kicks of one tour at once: in its subtours, side by side; the tour is cut anew in every iteration.

    An iteration is a round: the tour is cut into subtours of neighboring cities (see `metaheur.partition.Partition`),
    an iterated local search makes so many iterations in each of them, and the tour of all of them is the next one. The
    first iteration of a subtour is a descent. Acceptances are told the cost of the whole tour as a subtour knows it,
    and what they keep is that of the first subtour. For long tours, from some thousand cities on.

    Parameters
    ----------
    search : IteratedLocalSearch
        A `CandidateDescent` with kicks made of reversals.
    size : int, default 100
        Items of a subtour, 8 or more: as many, or up to twice as many where the tour is short. Fewer items than there
        are subtours rest in a round.
    kicks : int, default 1000
        Iterations in each subtour in a round: those that an `Annealed` counts.

    Notes
    -----
    Subtours with fixed edges: K. Helsgaun, "General k-opt submoves for the Lin-Kernighan TSP heuristic", Mathematical
    Programming Computation 1, 2009; D. S. Johnson and L. A. McGeoch, "Experimental analysis of heuristics for the
    STSP", 2002 (tour-based partitioning).
    """

    search: Search[Any] = field()
    size: int = whole_field(8, 2**15 - 1, default=100)
    kicks: int = whole_field(default=1000)

    @search.validator
    def _kicks_tours(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Search) or not isinstance(value.loop, Kicks):
            raise InputError(
                f"`search` must kick tours, but is {value!r}.",
                "use IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(8)), DoubleBridge(50)).",
            )

    @cached_property
    def subtour_kicks(self) -> SubtourKicks:
        """What is done in a subtour."""
        return SubtourKicks(self._kicks)

    @property
    def _kicks(self) -> Kicks:
        loop = self.search.loop
        assert isinstance(loop, Kicks)
        return loop

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        return self._kicks.neighborhoods

    def require(self, problem: Problem) -> None:
        """Refuse what the search in a subtour refuses."""
        self._kicks.require(problem)

    def subtour(self, problem: Problem) -> Subtour:
        """The problem in a subtour."""
        n = problem.representation.length
        return Subtour(problem, n // max(1, n // self.size))

    def init(self, start: EvaluatedSolution, key: Key) -> LoopState:
        return self._kicks.init(start, key)

    def step(self, state: LoopState, evaluate: Evaluator) -> LoopState:
        inside = NumpyEvaluator(self.subtour(evaluate.problem))
        loop, a_round = self.subtour_kicks, Round.of(self, evaluate.problem, [state])
        after = []
        for subtour in a_round.states:
            each = subtour
            while each.walk.iteration < a_round.end and not each.finished:
                each = loop.step(each, inside)
            after.append(each)
        orders = np.array([each.walk.current.solution for each in after])
        costs = np.array([each.walk.current.cost for each in after])
        evaluated = np.array([each.walk.evaluated for each in after])
        return a_round.ended(after[:1], orders, costs, evaluated)[0]

    def done(self, state: LoopState) -> bool:
        return state.finished

    def ending(self, state: LoopState) -> str:
        return self._kicks.ending(state)

    @property
    def device_parts(self) -> tuple[Component, ...]:
        return (self.subtour_kicks,)

    def resident(
        self, problem: Problem, device: Device, facts: Facts, walks: int = 1, threads: int | None = None
    ) -> Runner:
        """The runner that keeps the subtours of a round on a device."""
        from metaheur.parallel.rounds import Rounds

        return Rounds.on(self, problem, device, facts, walks, threads)


@final
@frozen(eq=False)
class Round:
    """A round of walks that stand at the same iteration.

    Parameters
    ----------
    before : sequence of LoopState
        The walks.
    partition : Partition
        Their tours, cut.
    states : list of LoopState
        The subtours of the first walk, of the second, ..., as the round begins.
    end : int
        The iteration at which the round ends for the subtours.
    """

    before: Sequence[LoopState]
    partition: Partition
    states: list[LoopState]
    end: int
    candidates: np.ndarray
    edge: Any

    @classmethod
    def of(cls, search: TourPartitioning, problem: Problem, before: Sequence[LoopState]) -> Round:
        """Cut the tours of walks."""
        walks = [state.walk for state in before]
        tours, randoms = np.array([walk.current.solution for walk in walks]), [walk.random(Stream.PARTITION) for walk in walks]
        import os
        if os.environ.get("KARP"):
            partition = Partition.cells(tours, search.size, problem.instance.coordinates, randoms)
        else:
            partition = Partition.cut(tours, search.size, problem.edge, randoms)
        _, count, size = partition.places.shape
        space = search.subtour(problem).representation
        place = search.subtour_kicks.state(space)["behind"].dtype
        behind, before_ = (ties.astype(place) for ties in partition.ties())
        near = partition.candidates(search._kicks.descent.candidates).astype(place)
        begun = walks[0].iteration * search.kicks
        identity, states = np.arange(size, dtype=space.dtype), []
        for w, (walk, state) in enumerate(zip(walks, before, strict=True)):
            start = EvaluatedSolution(space, identity, walk.current.cost)
            best = evolve(start, cost=walk.best.cost)
            for s in range(count):
                key = Key(walk.key.seed, (walk.key.walk * count + s) % 2**32)
                inside = Walk(key, start, best, begun, improved_at=begun, began=begun)
                kept = {**copy.deepcopy(dict(state.kept)), "rounds": np.array(0), "descent": LoopState(inside)}
                states.append(
                    LoopState(
                        inside,
                        {
                            "items": partition.items[w, s],
                            "behind": behind[w, s],
                            "before": before_[w, s],
                            "near": near[w, s],
                            "kicks": LoopState(inside, kept),
                        },
                    )
                )
        return cls(before, partition, states, begun + search.kicks, search._kicks.descent.candidates, problem.edge)

    def ended(
        self, firsts: Sequence[LoopState], orders: np.ndarray, costs: np.ndarray, evaluated: np.ndarray
    ) -> list[LoopState]:
        """The walks after the round.

        Parameters
        ----------
        firsts : sequence of LoopState
            The first subtour of each walk after it.
        orders : numpy.ndarray, shape (s, m)
            The solutions of all subtours.
        costs, evaluated : numpy.ndarray, shape (s,)
            Their costs, and the moves evaluated.
        """
        tours, dearer = self.partition.joined(
            orders.reshape(self.partition.places.shape).astype(np.int64), self.candidates, self.edge
        )
        states = []
        for w, (state, first) in enumerate(zip(self.before, firsts, strict=True)):
            walk, own = state.walk, slice(w * len(costs) // len(tours), (w + 1) * len(costs) // len(tours))
            cost = walk.current.cost + dearer[w] + sum(each - walk.current.cost for each in costs[own].tolist())
            CYC.append(dearer[w])
            after = EvaluatedSolution(walk.current.representation, tours[w], cost)
            kept = {**first.kept["kicks"].kept, "descent": state.kept["descent"]}
            states.append(LoopState(walk.go_to(after, int(evaluated[own].sum())), kept, first.finished))
        return states
