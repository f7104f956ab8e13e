"""Allotment: searches of a portfolio that achieve more are given more walks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.machine.pace import Alarm
from metaheur.parallel.allocation import Achieved, Allocation, SuccessiveHalving
from metaheur.parallel.several import nests
from metaheur.parallel.wrapper import ModelWrapper
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.runners.side_by_side import Ledger, PortfolioState
from metaheur.runners.wrapper import RunnerWrapper
from metaheur.running.runner import Chunk, Facts, ParallelModel, Runner
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.searches.portfolio import Portfolio
from metaheur.validate import instance_field, whole_field
from metaheur.walk import Walks

__all__ = ["Allotment"]


@final
@frozen
class Allotment(ModelWrapper):
    """The walks of a portfolio; searches that have achieved more are given more walks.

    Each walk makes the same amount of work, in moves evaluated. When all walks have done so, the allocation says how
    many walks each search makes from now on. A walk that changes hands goes on from its best solution. Walks that have
    come to their own end change hands first, then the worst walks. The decision depends on the solutions that the walks
    have found by then, never on the clock: the result is the same on every device and any number of workers.

    Parameters
    ----------
    model : ParallelModel
        The model of the walks.
    work : int
        Moves that each walk evaluates from one decision to the next; a step that has begun is ended.
    allocation : Allocation, default SuccessiveHalving()
        Decides how many walks each search makes.
    """

    model: ParallelModel = field(validator=nests)
    work: int = whole_field(1, 2**50)
    allocation: Allocation = instance_field(Allocation, "use SuccessiveHalving().", factory=SuccessiveHalving)

    meets: ClassVar[str] = "after equal work"

    def __attrs_post_init__(self) -> None:
        """Refuse walks that meet already."""
        if self.model.meets:
            raise InputError(
                f"The walks of {type(self.model).__name__} meet {self.model.meets}, and the walks of an Allotment "
                f"{self.meets}.",
                "leave one of the two out.",
            )

    def outside(self, placing: Any) -> ParallelModel:
        return self.around(placing.around(self.model))

    def bind(self, search: Search[Any], problem: Problem) -> Runner:
        """Bind the model."""
        if not isinstance(search, Portfolio):
            raise InputError(
                f"Allotment chooses among the searches of a Portfolio, but {type(search).__name__} is one search.",
                "put several searches into a Portfolio.",
            )
        if search.several:
            raise InputError(
                "Allotment compares the costs of walks, but the searches of this portfolio are for several objectives.",
                "leave Allotment out.",
            )
        runner = self.model.bind(search, problem)
        return _Allotted(self, search, runner, self.facts(runner), runner.alarm)

    def facts(self, runner: Runner) -> Facts:
        """The facts of the model, and when its walks change hands."""
        words = f"allotted anew after every {self.work:,} moves of a walk by {self.allocation!r}"
        return evolve(runner.facts, spread=f"{runner.facts.spread}, {words}")


@final
@define(eq=False)
class _Allotted(RunnerWrapper):
    """A runner whose walks change hands."""

    model: Allotment
    portfolio: Portfolio
    inner: Runner
    facts: Facts
    alarm: Alarm
    _decisions: int = field(init=False, default=0)
    _waiting: np.ndarray = field(init=False, factory=lambda: np.zeros(0, bool))

    @property
    def search(self) -> Search[Any]:
        """The portfolio."""
        return self.portfolio

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The walks as the model begins them, without any decision so far."""
        return self._afresh(self.inner.begin(keys, solutions), 0)

    def load(self, states: Sequence[PortfolioState]) -> Walks:
        return self._afresh(self.inner.load(states), max(state.ledger.decisions for state in states))

    def _afresh(self, walks: Walks, decisions: int) -> Walks:
        """Walks that are run from here on."""
        self._decisions = decisions
        return self._resting(walks, np.zeros(len(walks), bool))

    def _resting(self, walks: Walks, resting: np.ndarray) -> Walks:
        """The walks; each walk that has done its work is marked as stopped, until all walks have done their work."""
        going = ~(walks.finished | resting)
        if going.any():  # a step may be longer than a period
            self._decisions = max(self._decisions, int(walks.evaluated[going].min()) // self.model.work)
        self._waiting = going & (walks.evaluated >= self._end)
        walks.stopped = resting | self._waiting
        return walks

    @property
    def _end(self) -> int:
        """The moves that each walk has evaluated by the next decision."""
        return (self._decisions + 1) * self.model.work

    def advance(self, walks: Walks, until: Until) -> Chunk:
        resting = walks.stopped & ~self._waiting
        least = self._end if until.evaluated is None else min(self._end, until.evaluated)
        chunk = self.inner.advance(walks, evolve(until, evaluated=least))
        walks = chunk.walks
        arrived = walks.finished | resting | (walks.evaluated >= self._end)
        if arrived.all():
            self._decisions += 1
            walks = self._decided(walks, resting)
            walks = self._resting(walks, resting)
        else:
            self._waiting = arrived & ~walks.finished & ~resting
            walks.stopped = resting | self._waiting
        self.facts = self.model.facts(self.inner)
        return evolve(chunk, walks=walks)

    def _decided(self, walks: Walks, resting: np.ndarray) -> Walks:
        """The walks after the allocation has decided which searches make them."""
        free = np.flatnonzero(~resting)
        if not free.size:
            return walks
        states: dict[int, PortfolioState] = {w: walks.state(w) for w in free.tolist()}
        ledgers = {w: self._booked(state) for w, state in states.items()}
        members = walks.members[free]
        gains, work, turns = (
            np.sum([getattr(each, name) for each in ledgers.values()], axis=0) for name in ("gains", "work", "turns")
        )
        achieved = Achieved(members, walks.best_costs[free], gains, work, turns)
        counts = np.asarray(self.model.allocation.counts(achieved))
        self._require(counts, achieved)
        after = _hands(members, counts, walks.finished[free], achieved.costs)
        states = {w: evolve(state, ledger=ledgers[w]) for w, state in states.items()}
        for w, member in zip(states, after.tolist(), strict=True):
            if member != states[w].member:
                states[w] = self.portfolio.take_over(states[w], member)
        return self.inner.replace(walks, states)

    def _booked(self, state: PortfolioState) -> Ledger:
        """The ledger of a walk at a decision."""
        ledger, walk, keep = state.ledger, state.walk, self.model.allocation.discount
        gains, work, turns = (keep * each for each in (ledger.gains, ledger.work, ledger.turns))
        gains[state.member] += ledger.cost - walk.best.cost
        work[state.member] += walk.evaluated - ledger.evaluated
        turns[state.member] += 1
        return Ledger(gains, work, turns, walk.best.cost, walk.evaluated, self._decisions)

    def _require(self, counts: np.ndarray, achieved: Achieved) -> None:
        """Refuse counts whose sum is not the number of walks."""
        count, walks = len(achieved.gains), len(achieved.members)
        right = counts.shape == (count,) and counts.dtype.kind in "iu" and (counts >= 0).all() and counts.sum() == walks
        if not right:
            raise InputError(
                f"{type(self.model.allocation).__name__}.counts must return {count} whole numbers, {walks} together, "
                f"but returned {counts.tolist()}.",
                "return achieved.counts to change nothing.",
            )


def _hands(members: np.ndarray, counts: np.ndarray, finished: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """The search that makes each walk, if each search makes `counts` walks: as few walks as possible change hands.

    Walks that have ended change hands first, then the worst walks, the last among equals; they are dealt out in order
    to the searches that lack walks.
    """
    after = members.copy()
    surplus = np.bincount(members, minlength=len(counts)) - counts
    order = np.lexsort((-np.arange(len(members)), -costs, ~finished)).tolist()
    released = []
    for w in order:
        if surplus[members[w]] > 0:
            surplus[members[w]] -= 1
            released.append(w)
    takers = np.repeat(np.arange(len(counts)), np.maximum(-surplus, 0))
    after[sorted(released)] = takers
    return after
