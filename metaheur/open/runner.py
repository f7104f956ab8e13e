"""The runner of walks in this process, whose solutions are evaluated by workers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, final
from weakref import proxy

import numpy as np
from attrs import define, field

from metaheur.errors import InputError
from metaheur.evaluators.whole import WholeEvaluator
from metaheur.machine.pace import LOOK, Alarm, StepCut
from metaheur.open.answered import answered, evaluator_of
from metaheur.open.asynchronous import Asynchronous
from metaheur.open.dispatch import Dispatch
from metaheur.open.foresight import copied
from metaheur.open.known import SolutionKeys, opened
from metaheur.open.litters import Litters, foresight_of
from metaheur.open.worker_pool import WorkerPool
from metaheur.parallel.choose import require_steps
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.runners.stepped import Listed, StepLog
from metaheur.running.runner import Chunk, Facts, ParallelModel, Runner
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.walk import Walk, Walks

__all__ = ["Evaluating"]


@final
@define(eq=False)
class Evaluating(Runner):
    """Walks that Python steps in this process; workers evaluate what foresight says that they will ask for."""

    search: Search[Any]
    dispatch: Dispatch
    spread: str
    problem: Problem = field(init=False)
    alarm: Alarm = field(init=False, factory=Alarm)
    _evaluator: WholeEvaluator = field(init=False)
    _foresights: dict[Key, Any] = field(init=False, factory=dict)
    _asked: list[bytes] = field(init=False, factory=list)
    _names: SolutionKeys = field(init=False, factory=SolutionKeys)

    def __attrs_post_init__(self) -> None:
        """Make the problem whose costs workers answer."""
        itself = proxy(self)  # not a circle: the ledger is closed when the run has ended

        def answer(xs: np.ndarray) -> list[Any]:
            found: list[Any] = itself._answer(xs)
            return found

        def first_of(xs: np.ndarray) -> int:
            return int(itself._first_of(xs))

        def made_ahead(kept: Any, walk: Walk) -> Any:
            foresight = itself._foresights.get(walk.key)
            return foresight.made_ahead(kept, walk) if isinstance(foresight, Litters) else None

        known_first = first_of if self._by_arrival else None
        self.problem = answered(self.dispatch.problem, answer, known_first, self.dispatch.at_work, made_ahead)
        self._evaluator = evaluator_of(self.problem, self.search.neighborhood, self.alarm)

    @classmethod
    def of(cls, pool: WorkerPool, model: ParallelModel, search: Search[Any], problem: Problem) -> Self:
        """The runner of a model's walks."""
        require_steps(search, type(model).__name__)
        search.require(problem)
        if model.device not in ("auto", "numpy"):
            raise InputError(
                f"Workers evaluate the Python half of {type(problem).__name__}, not on {model.device}.",
                'leave `device` out, or use Distributed(Multistart(64, device="host"), executor, 16).',
            )
        known = opened(problem, pool.ledger)
        count = "One walk" if model.walks == 1 else f"{model.walks:,} walks"
        try:
            dispatch = Dispatch(pool, problem, known)
        except BaseException:
            known.close()
            raise
        return cls(search, dispatch, f"{count} in Python; {type(dispatch.executor).__name__} evaluates solutions")

    @property
    def _by_arrival(self) -> bool:
        """Whether the first solution to arrive is taken; then nothing is foreseen."""
        return bool(self.dispatch.pool.order == "arrival")

    @property
    def facts(self) -> Facts:  # type: ignore[override]
        """The facts, with the numbers of evaluations so far."""
        return Facts(
            "workers",
            "NumPy, the Python halves, on workers",
            "asked for",
            spread=self.spread,
            trial=self.dispatch.words(),
        )

    def __del__(self) -> None:
        """Close the ledger, so that other processes can use it."""
        self.dispatch.close()

    def load(self, states: Sequence[Any]) -> Walks:
        self._foresights.clear()
        return Listed.counted(self.search, states)

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """The walks at their starts, which are evaluated side by side, beside what does not depend on their costs."""
        starts = self._names.of(solutions)
        for name, x in starts:
            self.dispatch.ask(name, x)
        if not self._by_arrival:
            for key, (name, x) in zip(keys, starts, strict=True):
                self._foresights[key] = foresight = self._foresight()
                foresight.begin(name, x, key)
                self._look_ahead(foresight, None)
        self._answer(solutions)
        foresights = {**self._foresights}
        walks = Runner.begin(self, keys, solutions)
        for key, (name, _) in zip(keys, starts, strict=True):
            if key in foresights:
                self._foresights[key] = foresights[key]
                foresights[key].follow([name])
        return walks

    def advance(self, walks: Walks, until: Until) -> Chunk:
        states = [walks.state(w) for w in range(len(walks))]
        log = StepLog.after(walks)
        resting = walks.finished | walks.stopped
        going = [w for w in range(len(walks)) if not resting[w] and states[w].walk.iteration < until.iteration]
        while going and not self.alarm.rings():
            ready = [w for w in going if self._ready(states[w])]
            if not ready:
                self.dispatch.take(min(LOOK, self.alarm.left()) or LOOK)
            for w in ready:
                states[w] = self._step(w, states[w], log)
                if self.search.done(states[w]) or until.reached(states[w].walk):
                    going.remove(w)
        log.improvements.sort(key=lambda each: each[0])
        return log.chunk(Listed(self.search, states), walks)

    def _step(self, w: int, state: Any, log: StepLog) -> Any:
        """Make a step, and wait for costs that were not foreseen. A step that is broken off counts as not begun.

        No copy is needed where a step waits before it writes anything, or for nothing.
        """
        walk = state.walk
        self._asked, foresight = [], self._foresights.get(walk.key)
        made = isinstance(foresight, Litters) and foresight.has_made(walk)
        waits_first = made or isinstance(self.search, Asynchronous)
        before = state if waits_first else copied(state)
        try:
            after = self.search.step(state, self._evaluator)
        except StepCut:
            self._foresights.pop(walk.key, None)
            return before
        if not self._by_arrival:
            self._foresights[walk.key].follow(self._asked)
        if not isinstance(getattr(after, "walk", None), Walk) or after.walk.iteration != walk.iteration + 1:
            raise InputError(
                f"{type(self.search).__name__}.step must return the state one iteration later.",
                "end it with state.walk.stay(...) or make_move(...), which count the iteration.",
            )
        log.note(w, walk.current, after.walk)
        return after

    def _ready(self, state: Any) -> bool:
        """Whether all foreseen costs of the next step are known; until then, give solutions to workers."""
        if self._by_arrival:
            return True
        key, dispatch = state.walk.key, self.dispatch
        if key not in self._foresights:
            self._foresights[key] = self._foresight()
        foresight = self._foresights[key]
        self._look_ahead(foresight, state)
        return not foresight.steps or all(dispatch.known.get(name) is not None for name, _ in foresight.steps[0])

    def _foresight(self) -> Any:
        return foresight_of(self.search, self.dispatch.problem, self.dispatch.known)

    def _look_ahead(self, foresight: Any, state: Any) -> None:
        """Give to workers what a walk will ask for, as far as it can be foreseen and there are few tasks."""
        while len(self.dispatch.tasks) < self.dispatch.pool.ahead and not foresight.ends:
            for name, x in foresight.extend(state):
                self.dispatch.ask(name, x)

    def _answer(self, xs: np.ndarray) -> list[Any]:
        """The costs of solutions; waits for those that are not known."""
        known, found = self.dispatch.known, self._names.of(xs)
        for key, x in found:
            self._asked.append(key)
            self.dispatch.ask(key, x)
        for key, _ in found:
            while known.get(key) is None:
                self.dispatch.take(LOOK)
                if known.get(key) is None and self.alarm.rings():
                    raise StepCut
        return [known.get(key) for key, _ in found]

    def _first_of(self, xs: np.ndarray) -> int:
        """The row of the solution that arrives first; waits for one."""
        known, found = self.dispatch.known, self._names.of(xs)
        for key, x in found:
            self.dispatch.ask(key, x)
        while True:
            places = [known.place(key) for key, _ in found]
            there = [(place, row) for row, place in enumerate(places) if place is not None]
            if there:
                return min(there)[1]
            self.dispatch.take(LOOK)
            if self.alarm.rings() and not any(known.place(key) is not None for key, _ in found):
                raise StepCut
