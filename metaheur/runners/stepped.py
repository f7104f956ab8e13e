"""The stepping runner: `Search.step` in Python decides, with any evaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.machine.pace import Alarm, StepCut
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.running.runner import Chunk, Facts, Runner, in_python
from metaheur.running.view import Until
from metaheur.search import HasMembers, Search
from metaheur.walk import EvaluatedSolution, Walk, Walks

__all__ = ["Listed", "StepLog", "Stepped", "stepped_in_python"]


@final
@define(eq=False)
class Stepped(Runner):
    """A runner of walks that Python steps.

    `evaluator`: the evaluator; its alarm is the runner's. `facts`: the device, and why it was chosen. `alarm`: tested
    between steps, and between chunks of evaluations.
    """

    search: Search[Any]
    evaluator: Evaluator
    facts: Facts
    alarm: Alarm = field(factory=Alarm)

    @property
    def problem(self) -> Problem:
        """The problem of the evaluator."""
        return self.evaluator.problem

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.evaluator.native_devices

    def load(self, states: Sequence[Any]) -> Walks:
        return Listed.counted(self.search, states)

    def advance(self, walks: Walks, until: Until) -> Chunk:
        states = [walks.state(w) for w in range(len(walks))]
        log = StepLog.after(walks)
        for w, resting in enumerate(walks.finished | walks.stopped):
            if not resting and states[w].walk.iteration < until.iteration:
                states[w] = self._advance(w, states[w], until, log)
        return log.chunk(Listed(self.search, states), walks)

    def _advance(self, w: int, state: Any, until: Until, log: StepLog) -> Any:
        """Advance one walk, step by step."""
        while not self.alarm.rings():
            before, stood = state.walk.iteration, state.walk.current
            try:
                state = self.search.step(state, self.evaluator)
            except StepCut as cut:
                state = _kept(state, cut.found)
                if state.walk.best is cut.found:
                    log.note(w, stood, state.walk)
                break
            walk = getattr(state, "walk", None)
            if walk is None or walk.iteration != before + 1:
                found = (
                    "None" if state is None else f"iteration {walk.iteration}" if walk else f"a {type(state).__name__}"
                )
                raise InputError(
                    f"{type(self.search).__name__}.step must return the state one iteration later, {before + 1}, but "
                    f"returned {found}.",
                    "end it with state.walk.stay(...) or make_move(...), which count the iteration.",
                )
            log.note(w, stood, walk)
            if self.search.done(state) or until.reached(walk):
                break
        return state


def _kept(state: Any, found: EvaluatedSolution | None) -> Any:
    """The state before a step that was broken off, with the solution that the step had reached if it is the best."""
    walk = state.walk
    if found is None or not found.cost < walk.best.cost:
        return state
    return evolve(state, walk=evolve(walk, best=found, improved_at=walk.iteration))


def stepped_in_python(search: Search[Any], problem: Problem, walks: int, reason: str) -> Stepped:
    """The runner of walks that the Python halves step, one after the other."""
    alarm, spread = Alarm(), f"{walks:,} walks in Python" if walks > 1 else "One walk in Python"
    facts = evolve(in_python(reason), spread=spread)
    return Stepped(search, NumpyEvaluator(problem, search.neighborhood, alarm), facts, alarm)


@final
@frozen(eq=False)
class StepLog:
    """The new best solutions, and for each walk the steps that made a move, and the steps that kept the cost."""

    improvements: list[tuple[int, int, int | float, int]]
    moved: np.ndarray
    neutral: np.ndarray

    @classmethod
    def after(cls, walks: Walks) -> StepLog:
        """The log of steps that follow the steps of some walks."""
        return cls([], np.maximum(walks.moved, 0), np.maximum(walks.neutral, 0))

    def note(self, w: int, before: EvaluatedSolution, walk: Walk) -> None:
        """Record a step of walk w; after a step without a move, the solution is the same object as before."""
        if walk.improved_at == walk.iteration and not isinstance(walk.best.cost, tuple):
            self.improvements.append((w, walk.iteration, walk.best.cost, walk.evaluated))
        moved = walk.current is not before
        self.moved[w] += moved
        self.neutral[w] += moved and walk.current.cost == before.cost

    def chunk(self, walks: Walks, before: Walks) -> Chunk:
        """The chunk: the walks after it, and the improvements in it."""
        walks.moved, walks.neutral, walks.stopped = self.moved, self.neutral, before.stopped
        return Chunk(walks, tuple(self.improvements))


@final
class Listed(Walks):
    """Walks whose states are Python objects; the search knows which of them are done."""

    def __init__(self, search: Search[Any], states: list[Any]) -> None:
        self.states = states
        walks = [state.walk for state in states]
        self.keys = tuple(walk.key for walk in walks)
        self.costs = np.array([walk.current.cost for walk in walks])
        self.best_costs = np.array([walk.best.cost for walk in walks])
        self.iterations = np.array([walk.iteration for walk in walks], np.int64)
        self.evaluated = np.array([walk.evaluated for walk in walks], np.int64)
        self.improved_at = np.array([walk.improved_at for walk in walks], np.int64)
        self.finished = np.array([bool(search.done(state)) for state in states])
        self.stopped = np.zeros(len(states), bool)
        self.moved, self.neutral = np.full((2, len(states)), -1)
        self._search = search

    @classmethod
    def counted(cls, search: Search[Any], states: Sequence[Any]) -> Listed:
        """Walks whose steps that move are counted from now on."""
        walks = cls(search, list(states))
        walks.moved, walks.neutral = np.zeros((2, len(walks)), np.int64)
        return walks

    @property
    def members(self) -> np.ndarray:
        """The numbers that the search gives."""
        search = self._search
        if not isinstance(search, HasMembers):
            return super().members
        return np.array([search.member(state) for state in self.states])

    def state(self, w: int) -> Any:
        return self.states[w]

    def best_solution(self, w: int) -> Solution:
        solution: Solution = self.states[w].walk.best.solution
        return solution
