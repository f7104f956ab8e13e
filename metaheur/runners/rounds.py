"""The resident runner of tour partitioning: the subtours of all walks are advanced side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.device.halves import lacking
from metaheur.machine.pace import Alarm, Pace, now
from metaheur.machine.performance import Spent
from metaheur.machine.processors import cores
from metaheur.problem import Problem
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.runners.stepped import Listed, StepLog
from metaheur.runners.teams import warps_of_block
from metaheur.running.program import Program, Wishes
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.view import Until
from metaheur.search import LoopState
from metaheur.walk import Walks

__all__ = ["Rounds", "RoundsProgram"]


@final
@define(eq=False)
class Rounds(Runner):
    """A runner of walks whose rounds Python begins and ends; `inner` advances their subtours."""

    search: Any
    problem: Problem
    inner: Runner
    facts: Facts
    alarm: Alarm = field(factory=Alarm)
    pace: Pace = field(factory=Pace)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.inner.native_devices

    def count_anew(self) -> None:
        self.inner.count_anew()

    def spent(self) -> Spent:
        """The launches, seconds and bytes of the subtours' runner."""
        return self.inner.spent()

    def load(self, states: Sequence[Any]) -> Walks:
        return Listed.counted(self.search, states)

    def advance(self, walks: Walks, until: Until) -> Chunk:
        states = [walks.state(w) for w in range(len(walks))]
        log = StepLog.after(walks)
        resting = walks.finished | walks.stopped
        going = [w for w in np.flatnonzero(~resting).tolist() if states[w].walk.iteration < until.iteration]
        while going:
            first = min(states[w].walk.iteration for w in going)
            together = [w for w in going if states[w].walk.iteration == first]
            after = self._round([states[w] for w in together])
            if after is None:
                break
            for w, state in zip(together, after, strict=True):
                log.note(w, states[w].walk.current, state.walk)
                states[w] = state
                if state.finished or until.reached(state.walk):
                    going.remove(w)
        return log.chunk(Listed(self.search, states), walks)

    def _round(self, states: list[LoopState]) -> list[LoopState] | None:
        """The states after a round; None if it was broken off."""
        a_round = self.search.round(self.problem, states)
        self.inner.alarm.deadline, self.inner.alarm.interrupted = self.alarm.deadline, self.alarm.interrupted
        subtours = self.inner.load(a_round.states)
        while not self.alarm.rings():
            begun, before = now(), subtours
            least = int(before.iterations.min())
            subtours = self.inner.advance(before, Until(min(a_round.end, least + self.pace.within(inf)))).walks
            made = int(subtours.iterations.min()) - least
            self.pace.measure(made, now() - begun, subtours.evaluated_since(before))
            if ((subtours.iterations == a_round.end) | subtours.finished).all():
                firsts = [subtours.state(w) for w in range(0, len(subtours), len(subtours) // len(states))]
                return list(a_round.ended(firsts, subtours.solutions_now(), subtours.costs, subtours.evaluated))
        return None


@final
@frozen
class RoundsProgram(Program):
    """Advances the subtours of all walks on a device; a warp of a GPU, or a thread of a CPU, has a subtour."""

    search: Any

    def lacking(self, problem: Problem) -> list[str]:
        return lacking(problem, self.search.neighborhoods[0], self.search.subtour_kicks)

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        assert device is not None
        inside, cuda = self.search.subtour(problem), device.kind == "cuda"
        n = inside.items
        count = problem.representation.length // n
        team = Team("warp", 32 * warps_of_block(n, wishes.walks * count)) if cuda else Team()
        facts = evolve(facts, spread=f"{facts.spread}; {count:,} subtours of {n} items each side by side")
        threads = 1 if cuda else min(wishes.walks * count, wishes.threads or cores())
        inner = Driver(CompiledLoop(inside, self.search.subtour_kicks, device, team, threads=threads), facts, threads)
        return Rounds(self.search, problem, inner, facts)
