"""A runner that steps walks in Python until their compiled runner is there."""

from __future__ import annotations

from typing import Any, final

from attrs import define, evolve, field

from metaheur.errors import InputError
from metaheur.machine.ahead import Ahead
from metaheur.machine.pace import Alarm
from metaheur.problem import Problem
from metaheur.runners.wrapper import RunnerWrapper
from metaheur.running.runner import Chunk, Facts, ParallelModel, Runner
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.walk import Walks

__all__ = ["Meanwhile", "runner_meanwhile"]

MOST_WALKS, MOST_OPERATIONS = 8, 1 << 16
"""Python steps at most so many walks, if their moves take at most so many elementary operations: moves times length."""


@final
@define(eq=False)
class Meanwhile(RunnerWrapper):
    """Steps walks in Python until their compiled runner is there; the walks do not depend on the time when it comes.

    `inner`: the runner of the Python halves; later the compiled one. `coming`: the compiled runner.
    """

    inner: Runner
    coming: Ahead[Runner]
    alarm: Alarm = field(factory=Alarm)
    _came: bool = field(init=False, default=False)

    @property
    def facts(self) -> Facts:  # type: ignore[override]
        """The facts of the runner that has the walks."""
        return self.inner.facts

    def advance(self, walks: Walks, until: Until) -> Chunk:
        improvements: tuple[tuple[int, int, Any, int], ...] = ()
        while not self._came:
            if self.coming.ready:
                self.inner, self._came = self.coming.value(), True
                self.inner.count_anew()
                walks = self.inner.replace(walks, {})
                break
            self._lend_alarm()
            before = walks.iterations[~(walks.finished | walks.stopped)].min(initial=until.iteration)
            chunk = self.inner.advance(walks, evolve(until, iteration=min(until.iteration, int(before) + 1)))
            walks, improvements = chunk.walks, improvements + chunk.improvements
            resting = walks.finished | walks.stopped | (walks.iterations >= until.iteration)
            if chunk.within or until.pauses or resting.all() or self.alarm.rings() or self.alarm.due():
                return Chunk(walks, improvements, chunk.within)
        self._lend_alarm()
        chunk = self.inner.advance(walks, until)
        return Chunk(chunk.walks, improvements + chunk.improvements, chunk.within)

    def _lend_alarm(self) -> None:
        """Give the inner runner the alarm of this runner."""
        inner, own = self.inner.alarm, self.alarm
        inner.deadline, inner.interrupted, inner.look = own.deadline, own.interrupted, own.look


def runner_meanwhile(model: ParallelModel, search: Search[Any], problem: Problem, coming: Ahead[Runner]) -> Runner:
    """A runner that steps the walks in Python until the compiled one is there; that one itself if steps are slow.

    Costs must be whole numbers: the last bits of others depend on the device.

    `model`: the model to which the runner belongs. `search`, `problem`: what it runs.
    """
    space, program = problem.representation, search.program
    alone = program is not None and program.alone
    size = max((each.size(space) for each in search.neighborhoods), default=1)
    slow = model.walks > MOST_WALKS or size * space.length > MOST_OPERATIONS
    unlike = problem.cost_type == "float64" or (alone and "numpy" not in program.alternatives().kinds)
    if slow or unlike or coming.soon():
        return coming.value()
    try:
        inner = model.on("numpy").bind(search, problem)
    except InputError:  # the search has no steps in Python, or the model names its devices
        return coming.value()
    return Meanwhile(inner, coming)
