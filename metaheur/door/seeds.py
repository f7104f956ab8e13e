"""Runs that differ only in their seeds, as the walks of one launch; each run is bit for bit the same as alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.cuda.cuda import gpus
from metaheur.device.names import device_for
from metaheur.door.derived import on_changes
from metaheur.door.run import beginning, model_of, require, starts_of
from metaheur.machine.pace import Pace, TimeBudget, interruptible
from metaheur.machine.performance import Performance
from metaheur.machine.processors import cores
from metaheur.parallel.auto import Auto
from metaheur.parallel.iteration_level import IterationLevel
from metaheur.parallel.multistart import Multistart
from metaheur.problem import Problem, level_names
from metaheur.random import Key
from metaheur.runners.loop_program import LoopProgram
from metaheur.runners.resident import Driver
from metaheur.running.program import Wishes, lacking_of
from metaheur.running.result import Improvement, Result, WalkTable
from metaheur.running.runner import Chunk, ParallelModel
from metaheur.running.thresholds import Thresholds
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.stop import Stop
from metaheur.walk import number_of

__all__ = ["most_walks", "run_seeds"]

EACH_CORE = 4
"""The walks of a launch for each CPU core: cores stay busy when some walks end early."""

ON_GPU = 128
"""The walks of a launch on a GPU."""


def most_walks(search: Search[Any], problem: Problem, stop: Stop, parallel: ParallelModel | str) -> int:
    """How many runs with different seeds can be the walks of one launch; 1 if each run must be made alone.

    `search`, `problem`, `stop`, `parallel`: as for `run`.
    """
    exact = all(leaf.exact for leaf in stop.leaves())
    if not exact or _device(search, problem, parallel) is None:
        return 1
    return max(EACH_CORE * cores(), ON_GPU if gpus() else 1)


def _device(search: Search[Any], problem: Problem, parallel: ParallelModel | str) -> tuple[str, str] | None:
    """The device on which a single walk would be resident, and why; None if the walk would not be resident."""
    model = model_of(parallel)
    if isinstance(model, Auto):
        model = IterationLevel(thresholds=model.thresholds) if model.walks == 1 else model
    if (
        not isinstance(model, IterationLevel)
        or evolve(model, device="auto", resident=None, thresholds=Thresholds()) != IterationLevel()
    ):
        return None
    if not isinstance(search.program, LoopProgram) or lacking_of(search, problem) or model.resident is False:
        return None
    space, limits = problem.representation, model.thresholds
    if max((each.size(space) for each in search.neighborhoods), default=1) >= limits.stream_from:
        return None
    gpu, why = search.program.suits_gpu(problem, Wishes(shares=True, thresholds=limits), 1)
    name, reason = device_for(model.device, (), gpu=gpu, why=why)
    return None if name == "numpy" else (name, reason)


def run_seeds(  # noqa: PLR0913 - run, with several seeds
    search: Search[Any],
    problem: Problem,
    *,
    stop: Stop,
    seeds: Sequence[int],
    start: Any = None,
    parallel: ParallelModel | str = "auto",
) -> list[Result]:
    """The results of runs with these seeds, made together; `most_walks` says whether this is possible.

    `search`, `problem`, `stop`, `start`, `parallel`: as for `run`. `seeds`: the seed of each run.
    """
    budget = TimeBudget()
    search = require(search, problem)
    alone = _device(search, problem, parallel)
    assert alone is not None
    planned = model_of(parallel) in (Auto(), IterationLevel()) and problem.cost_type != "float64"
    model = Multistart(len(seeds), device="auto" if planned else alone[0])
    keys = [Key(seed) for seed in seeds]
    runner = model.bind(search, problem)
    assert isinstance(runner, Driver)
    starts = starts_of(problem, keys, start, runner.draw)
    if not planned:
        runner.facts = evolve(runner.facts, reason=alone[1])
    runner.count_anew()
    runner.records = True
    walks = runner.begin(keys, starts)
    view = View(search, problem, walks, device=runner.facts.device, apart=True)
    at_once = runner.abreast(len(keys))
    each = budget.seconds() * at_once / len(keys)
    return _RunsTogether(runner, beginning(view, stop, view.cost), stop, at_once, each, budget).drive()


@final
@define(eq=False)
class _RunsTogether:
    """Advances walks, each of which is a run of its own, chunk by chunk until the last one is over."""

    runner: Driver
    view: View
    stop: Stop
    at_once: int
    each: float  # the seconds that each run took so far
    budget: TimeBudget
    pace: Pace = field(factory=Pace)
    seconds: np.ndarray = field(init=False)
    starts: np.ndarray = field(init=False)
    improvements: list[list[Improvement]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Prepare the times, improvements and reasons of each run."""
        walks = self.view.walks
        self.seconds, self.starts = np.full(len(walks), self.each), walks.best_costs.copy()
        self.improvements = [[] for _ in range(len(walks))]

    def drive(self) -> list[Result]:
        with interruptible() as interrupted:
            self.runner.alarm.interrupted = interrupted
            while self._goes_on() and not interrupted():
                self._chunk()
        return [self._result(w) for w in range(len(self.view.walks))]

    def _goes_on(self) -> bool:
        walks = self.view.walks
        walks.stopped |= self.stop.verdict(self.view)
        return not bool((walks.finished | walks.stopped).all())

    def _chunk(self) -> None:
        """Make one chunk of iterations; each walk's share of the time is its share of the iterations."""
        view, began = self.view, self.budget.seconds()
        before = view.walks.iterations
        chunk = self.runner.advance(view.walks, self.stop.until(view, view.active_iterations() + self.pace.length))
        took = self.budget.seconds() - began
        made = chunk.walks.iterations - before
        self.pace.measure(int(made.max()), took, chunk.walks.evaluated_since(view.walks))
        at_once = min(self.at_once, int(np.count_nonzero(made)))
        each = took * at_once / max(1, int(made.sum()))
        self._note(chunk, before, each)
        self.seconds += each * made
        later = evolve(view, walks=chunk.walks, seconds=view.seconds + took)
        self.view = evolve(later, past=self.stop.past(later))

    def _note(self, chunk: Chunk, before: np.ndarray, each: float) -> None:
        """Note the improvements of a chunk; their times follow from the time per iteration of their walk."""
        for w, iteration, cost, evaluated in chunk.improvements:
            at = float(self.seconds[w] + each * (iteration - before[w]))
            self.improvements[w].append(
                Improvement(iteration, self.view.problem.displayed(cost), at, evaluated=evaluated)
            )

    def _found_at(self) -> np.ndarray:
        """Seconds at which each run found its best solution."""
        return np.array([each[-1].seconds if each else 0.0 for each in self.improvements])

    def _stopped_by(self, w: int) -> str:
        walks = self.view.walks
        if walks.finished[w]:
            return self.view.search.ending(walks.state(w))
        return self.stop.reason(self.view, w) if walks.stopped[w] else "interrupt"

    def _result(self, w: int) -> Result:
        from metaheur.representation import named

        view, facts, shown = self.view, self.runner.facts, self.view.problem.displayed
        walks, seconds = view.walks, float(self.seconds[w])
        view.require_best(w, number_of(self.starts[w]))
        spent = self.runner.spent()
        busy, kernels = (
            min(1.0, each / view.seconds) if view.seconds else 0.0 for each in (spent.seconds, spent.kernel_seconds)
        )
        return Result(
            solution=named(view.problem.representation, walks.best_solution(w)),
            cost=shown(number_of(walks.best_costs[w])),
            start_cost=shown(number_of(self.starts[w])),
            iterations=int(walks.iterations[w]),
            evaluated=int(walks.evaluated[w]),
            seconds=seconds,
            improvements=tuple(self.improvements[w]),
            key=walks.keys[w],
            device=facts.device,
            description=facts.description,
            plan=" ".join((facts.plan, *on_changes(view))),
            resident=True,
            stopped_by=self._stopped_by(w),
            problem=f"{type(view.problem).__name__} on {view.problem.representation!r}",
            maximise=view.problem.maximise,
            cost_factor=view.problem.cost_factor,
            levels=level_names(view.problem),
            search=repr(view.search),
            walks=WalkTable.of(walks, view.search, view.problem, self._found_at()).row(w),
            performance=Performance(
                int(walks.evaluated[w]),
                seconds,
                self.budget.compile_seconds,
                busy * seconds,
                spent.launches,
                spent.nbytes // len(walks),
                spent.occupancy,
                kernels * seconds,
            ),
        )
