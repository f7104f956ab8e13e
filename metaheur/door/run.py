"""The front door: run a search on a problem."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from typing import Any, final
from weakref import proxy

import numpy as np
from attrs import define, evolve, field

from metaheur.errors import CheckFailed, InputError
from metaheur.evaluators.costs import numbers
from metaheur.machine.pace import AIM, FIRST, Pace, TimeBudget, interruptible, now
from metaheur.machine.performance import Performance
from metaheur.problem import Problem, judges, level_names, require_representation
from metaheur.random import START, Key, Random
from metaheur.running.result import Improvement, Result, WalkTable
from metaheur.running.runner import Chunk, ParallelModel, Runner, short
from metaheur.running.view import View
from metaheur.search import HasMembers, Search, fitted
from metaheur.stop import Stop
from metaheur.watch.watcher import Watcher, failure_of, next_look_of

__all__ = ["run"]

Binding = tuple[Search[Any], Runner, tuple[Key, ...], np.ndarray]
"""A search, its runner, and the key and the first solution of each walk."""


def run(  # noqa: PLR0913 - the front door
    search: Search[Any],
    problem: Problem,
    *,
    stop: Stop,
    seed: int = 0,
    start: Any = None,
    parallel: ParallelModel | str = "auto",
    watch: Iterable[Watcher] = (),
) -> Result:
    """Run a search on a problem until it is done or a criterion holds.

    The same seed gives the same trajectory on every device; watchers and the clock change only its length. On the main
    thread Ctrl-C ends the run with a Result (`stopped_by` is "interrupt"); a second one raises KeyboardInterrupt.

    Parameters
    ----------
    search : Search
        The search.
    problem : Problem
        The problem to be minimised.
    stop : Stop
        When to stop, such as ``stop.iterations(10_000) | stop.seconds(30)``; at the start, if it holds there.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    start : array_like, Result, Experiment, Front or "construct", optional
        Where walks begin; at random by default. One solution for all walks, or an array or list with one for each; the
        solutions of an earlier run in turn, the best first; or constructed ones, see `metaheur.problem.Constructs`.
    parallel : ParallelModel or str, default "auto"
        How the work is spread; "auto" is short for ``Auto()``, which plans for one walk and gives its reasons in
        `Result.plan`; the name of a device is short for ``IterationLevel(name)``.
    watch : iterable of Watcher
        Observers, such as ``[Progress(), Trace(every=1000)]``. A watcher that fails on the way ends the run;
        `Result.failures` and a line on standard error report it.

    Returns
    -------
    Result
        The best solution, and how the search found it. At the end the solution is evaluated in full by `Problem.cost`.

    Raises
    ------
    InputError
        If the parts do not fit together, a watcher refuses the run, or the problem returns what cannot be a cost.
    DeviceError
        If the device is not available.
    CheckFailed
        If a solution does not cost what the search says, and changes of cost are not derived; see `Validate`.
    """
    require_stop(stop)
    budget = TimeBudget(stop.lasts().seconds or inf)  # a limit of 0 asks for the starts alone
    watchers = watchers_of(watch)
    search = require(search, problem)
    model = model_of(parallel).lasting(stop.lasts())

    def course() -> Course:
        with prepared(watchers):
            return Course.begin(binding(model, search, problem, seed, start, budget), stop, watchers, budget)

    return _driven(course)


def binding(  # noqa: PLR0913, PLR0917 - run without its watchers
    model: ParallelModel,
    search: Search[Any],
    problem: Problem,
    seed: int,
    start: Any,
    budget: TimeBudget | None = None,
    *,
    bind: Callable[[], Runner] | None = None,
) -> Binding:
    """The search, the runner of a model, and for each walk its key and its first solution, a row each.

    `bind` returns a runner of the model that was begun before.
    """
    model.require(problem)
    keys = model.keys(seed)
    require_walk_each(search, keys)
    given = (
        None if start is None else starts_of(problem, keys, start, budget=budget)
    )  # refused before anything is compiled
    runner = model.bind(search, problem) if bind is None else bind()
    itself = proxy(runner)  # not a circle, so that the memory of a run is freed together with its result
    runner.starts = lambda keys: starts_of(problem, keys, start, itself.draw)
    starts = runner.starts(keys) if given is None else given
    runner.count_anew()
    return search, runner, keys, starts


@contextmanager
def prepared(watchers: Iterable[Watcher]) -> Iterator[None]:
    """Let watchers know that a run is compiled and its walks are made."""
    with ExitStack() as preparing:
        for watcher in watchers:
            preparing.enter_context(watcher.preparing())
        yield


def beginning(view: View, stop: Stop, start_cost: Any) -> View:
    """The view at the beginning of a run; refuses a problem that does not fit the criterion."""
    for leaf in stop.leaves():
        leaf.require(view.problem)
    began = evolve(view, stop=stop, start_cost=start_cost, past=stop.past(view), asked={})
    return evolve(began, asked=stop.asked(began))


@final
@define
class Course:
    """Advances the walks chunk by chunk until the run is over, and then ends all watchers that have begun."""

    runner: Runner
    view: View
    stop: Stop
    watchers: tuple[Watcher, ...]
    budget: TimeBudget
    began: tuple[float, int] = (0.0, 0)
    pace: Pace = field(factory=Pace)
    chunks: int = 0  # so far
    found_at: np.ndarray = field(init=False)  # seconds at which each walk found its best solution
    failures: list[str] = field(factory=list)
    doubted: bool = False  # whether a watcher found a wrong cost
    checks: bool = True  # whether the best solution is evaluated in full at the end

    def __attrs_post_init__(self) -> None:
        """The time of a best solution is known if it is the start, but not if it was found before a `resume`."""
        self.found_at = np.where(self.view.walks.improved_at == 0, 0.0, np.nan)

    @classmethod
    def begin(cls, binding: Binding, stop: Stop, watchers: tuple[Watcher, ...], budget: TimeBudget) -> Course:
        """A run whose walks stand at their first solutions, as the view is at second 0, the call."""
        search, runner, keys, starts = binding
        walks = runner.begin(keys, starts)
        view = View(search, runner.problem, walks, device=runner.facts.device)
        return cls(runner, beginning(view, stop, view.cost), stop, watchers, budget)

    def goes_on(self, stop: Stop) -> Result:
        """Go on until another criterion holds; the caller says when the best solution is evaluated in full."""
        self.checks, self.stop, self.budget = False, stop, TimeBudget(before=self.view.seconds)
        self.view.walks.stopped[:] = False
        self.view = beginning(self.view, stop, self.view.start_cost)
        return self.drive()

    def drive(self) -> Result:
        begun: list[Watcher] = []
        whole_state, stopped_by = True, ""
        with interruptible() as interrupted:
            self.runner.alarm.interrupted = interrupted
            try:
                for watcher in self.watchers:
                    watcher.begin(self.view)
                    begun.append(watcher)
                first = self.view
                while self._goes_on() and not interrupted() and not self.failures:
                    whole_state = False
                    self._chunk()
                    whole_state = True
                if self.view is first:  # the run ended where it began
                    self.view = evolve(self.view, seconds=self.budget.seconds())
                stopped_by = "" if interrupted() else self._stopped_by()
            finally:
                self._end(begun, self.view if whole_state else evolve(self.view, intact=False))
                self._tell()
            return self._result("interrupt" if interrupted() else stopped_by)

    def _goes_on(self) -> bool:
        walks = self.view.walks
        walks.stopped |= self.stop.verdict(self.view)
        goes_on = walks.follows and not walks.stopped.any()
        return bool(goes_on or not (walks.finished | walks.stopped).all())

    def _chunk(self) -> None:
        """Make one chunk of iterations, and let watchers look at its end."""
        view, began = self.view, self.budget.seconds()
        left = self.stop.seconds_left(view) - (began - view.seconds)
        if not self.chunks:
            left = max(left, FIRST)
        self.chunks += 1
        next_looks = [(watcher, next_look_of(watcher, view)) for watcher in self.watchers]
        horizon = view.active_iterations() + self.pace.within(max(0.0, left))
        until = self.stop.until(view, min([horizon, *(at for _, at in next_looks if at is not None)]))
        self.runner.alarm.deadline, self.runner.alarm.look = now() + left, now() + AIM
        chunk = self.runner.advance(view.walks, until)
        ended = self.budget.seconds()
        made = int((chunk.walks.iterations - view.walks.iterations).max())
        self.pace.measure(made, self.runner.paced(ended - began), chunk.walks.evaluated_since(view.walks))
        if not (chunk.within or chunk.walks.finished.all()):
            self._require_progress(made)
        self.view = self._later(chunk, made, began, ended)
        for watcher, at in next_looks:
            if at is None or at <= self.view.iterations:
                self._attend(watcher)

    def _later(self, chunk: Chunk, made: int, began: float, ended: float) -> View:
        """The view after a chunk; the time of an improvement is interpolated."""
        view, walks = self.view, chunk.walks
        each = (ended - began) / made if made else 0.0
        behind = walks.improved_at - view.walks.iterations
        self.found_at = np.where(behind > 0, began + each * behind, self.found_at)
        found = list(chunk.improvements) if len(walks) == 1 else []
        before = view.walks.best_costs.min()
        if (
            len(walks) > 1 and walks.best_costs.ndim == 1 and walks.best_costs.min() < before
        ):  # the best cost of many walks, as seen between chunks
            w = walks.best
            number = walks.keys[w].walk
            found = [(number, int(walks.improved_at[w]), walks.best_costs[w].item(), int(walks.evaluated.sum()))]
            began, each = ended, 0.0
        start = int(view.walks.iterations[0])
        improvements = tuple(
            Improvement(iteration, view.problem.displayed(cost), began + each * (iteration - start), walk, evaluated)
            for walk, iteration, cost, evaluated in found
        )
        later = evolve(view, walks=walks, seconds=ended, improvements=view.improvements + improvements)
        return evolve(later, past=self.stop.past(later), asked=self.stop.asked(later))

    def _require_progress(self, made: int) -> None:
        if not made and not self.runner.alarm.rings():
            raise InputError(f"{type(self.view.search).__name__} made no step.", "its `step` must count the iteration.")

    def _attend(self, watcher: Watcher) -> None:
        """Let a watcher look; if it fails, the run is over, and the result names the failure."""
        try:
            watcher.look(self.view)
        except CheckFailed:
            self.doubted = True
            raise
        except Exception as error:  # the run's result is worth more than a watcher
            self.failures.append(failure_of(watcher, "look", error))

    def _end(self, begun: list[Watcher], view: View) -> None:
        """End every watcher in turn, even if one fails."""
        with ExitStack() as stack:
            for watcher in begun:
                stack.callback(self._end_one, watcher, view)

    def _end_one(self, watcher: Watcher, view: View) -> None:
        try:
            watcher.end(view)
        except CheckFailed:
            self.doubted = True
            raise
        except Exception as error:  # as above
            self.failures.append(failure_of(watcher, "end", error))

    def _tell(self) -> None:
        """Say on standard error which watchers failed: the result may never be printed."""
        for failure in self.failures:
            with suppress(OSError, ValueError):  # standard error is closed
                print(f"metaheur: a watcher failed after {self.view.iterations} iterations: {failure}", file=sys.stderr)

    def _stopped_by(self) -> str:
        """Why the run is over."""
        walks, w = self.view.walks, self.view.walks.best
        if self.failures:
            return "watcher"
        if walks.finished[w] and not walks.follows:
            proof = self.view.proof
            return "proof" if proof and proof.proven else self.view.search.ending(walks.state(w))
        return self.stop.reason(self.view, w)

    def _result(self, stopped_by: str) -> Result:
        from metaheur.representation import named

        view, facts = self.view, self.runner.facts
        if self.checks:
            self.check()
        return Result(
            solution=named(view.problem.representation, view.solution),
            cost=view.cost,
            start_cost=view.start_cost,
            iterations=view.iterations,
            evaluated=view.evaluated,
            seconds=view.seconds,
            improvements=view.improvements,
            key=view.key,
            device=facts.device,
            description=facts.description,
            plan=" ".join((facts.plan, *_on_changes(view), *self.budget.cuts)),
            resident=facts.resident,
            stopped_by=stopped_by,
            problem=f"{type(view.problem).__name__} on {view.problem.representation!r}",
            maximise=view.problem.maximise,
            cost_factor=view.problem.cost_factor,
            levels=level_names(view.problem),
            search=repr(view.search),
            walks=WalkTable.of(view.walks, view.search, view.problem, self.found_at),
            performance=self._performance(),
            failures=tuple(self.failures),
            proof=view.proof,
            solutions=named(view.problem.representation, view.walks.solutions),
            front=view.front,
        )

    def check(self) -> None:
        """Evaluate the best solution in full by the Python half, and refuse a run with another cost."""
        self.view.require_best(self.view.walks.best, self.view.start_cost)

    def _performance(self) -> Performance:
        """How this run spent its time, without the time before a `resume`."""
        spent, (seconds, evaluated) = self.runner.spent(), self.began
        return Performance(
            moves=self.view.evaluated - evaluated,
            seconds=self.view.seconds - seconds,
            compile_seconds=self.budget.compile_seconds,
            native_seconds=spent.seconds,
            launches=spent.launches,
            nbytes=spent.nbytes,
            occupancy=spent.occupancy,
            kernel_seconds=spent.kernel_seconds,
            evaluation_seconds=spent.evaluation_seconds,
            archiving_seconds=spent.archiving_seconds,
        )


def starts_of(
    problem: Problem,
    keys: Sequence[Key],
    start: Any,
    draw: Callable[[Sequence[Key]], np.ndarray] | None = None,
    budget: TimeBudget | None = None,
) -> np.ndarray:
    """The first solution of each walk, a row each; `draw`, if given, draws random solutions of several walks."""
    if start is not None:
        from metaheur.door.starts import given_starts

        return given_starts(problem, keys, start, budget)
    if judges(problem):
        from metaheur.door.hard_constraints import feasible_starts

        return feasible_starts(problem, keys)
    space = problem.representation
    if len(keys) > 1:
        return (draw or space.starts)(keys)
    return space.validate(space.random(Random(keys[0], START, 0)))[None]


def require(search: Any, problem: Any) -> Any:
    """The search as it fits the problem; arguments that are not a search and a problem, or do not fit, are refused."""
    if isinstance(search, Problem) and isinstance(problem, Search):
        raise InputError("The search comes first, then the problem.", "write run(search, problem, ...).")
    for name, value, kind, example in (
        ("search", search, Search, "TabuSearch(Swap())"),
        ("problem", problem, Problem, 'QAP.from_file("tai100a.dat")'),
    ):
        if not isinstance(value, kind):
            raise InputError(
                f"`{name}` must be a {kind.__name__}, but is {short(value)}.", f"pass an instance: {example}."
            )
    require_representation(problem)
    _require_objectives(search, problem)
    return fitted(search, problem)


def _require_objectives(search: Search[Any], problem: Problem) -> None:
    """Refuse a search for one objective if the problem has several, and the reverse."""
    name, kind = type(search).__name__, type(problem).__name__
    if problem.objectives and not search.several:
        raise InputError(
            f"{name} minimises one objective, but this {kind} has {', '.join(problem.objectives)}.",
            "make one cost of them with Scalarised, or use ParetoLocalSearch or NSGA2.",
        )
    if search.several and not problem.objectives:
        raise InputError(
            f"{name} needs several objectives, but this {kind} has one.",
            "name them, as FlowShop(..., objectives=...) does, or join problems by MultiObjective.",
        )
    numbers(problem)
    search.require(problem)
    if judges(problem):
        from metaheur.searches.judged import require_feasible_moves

        require_feasible_moves(search, problem)


def require_walk_each(search: Search[Any], keys: Sequence[Key]) -> None:
    """Refuse a portfolio with more searches than walks, where some searches would make no walk."""
    if not isinstance(search, HasMembers):
        return
    idle = set(range(len(search.names))).difference(map(search.member_of, keys))
    if idle:
        count, names = len(search.names), ", ".join(search.names[member] for member in sorted(idle))
        raise InputError(
            f"{type(search).__name__} has {count} searches, but there {'are' if len(keys) > 1 else 'is'} {len(keys)} "
            f"walk{'s' if len(keys) > 1 else ''}, and none for {names}.",
            f"use more walks, such as parallel=Auto({count}).",
        )


def require_stop(stop: Any) -> None:
    if not isinstance(stop, Stop):
        raise InputError(f"`stop` must be a criterion, but is {stop!r}.", "write stop.iterations(1000).")


def watchers_of(watch: Any) -> tuple[Watcher, ...]:
    """The watchers of a run; other things are refused."""
    if not isinstance(watch, Iterable):
        raise InputError(f"`watch` must be a list of watchers, but is {watch!r}.", "write watch=[Progress()].")
    watchers = tuple(watch)
    for watcher in watchers:
        if not isinstance(watcher, Watcher):
            raise InputError(f"`watch` must hold watchers, but holds {watcher!r}.", "write watch=[Progress()].")
    return watchers


def model_of(parallel: Any, walks: int = 1) -> ParallelModel:
    """The parallel model for an argument `parallel`, a model or a device's name; "auto" plans for `walks` walks."""
    if isinstance(parallel, ParallelModel):
        return parallel
    if isinstance(parallel, str):
        from metaheur.parallel import Auto, IterationLevel

        return Auto(walks) if parallel == "auto" else IterationLevel(parallel)
    raise InputError(
        f"`parallel` must be a parallel model or the name of a device, but is {parallel!r}.",
        'use "auto", "numpy", "host", "cuda" or an instance such as IterationLevel().',
    )


def _on_changes(view: View) -> Iterable[str]:
    """What a plan says of changes of cost; on NumPy nothing is derived."""
    if view.device == "numpy":
        return ()
    from metaheur.door.derived import on_changes

    return on_changes(view)


def _driven(course: Callable[[], Course]) -> Result:
    """The result of a run, which begins again where a watcher finds a wrong cost and changes of cost were derived."""
    first = course()
    try:
        return first.drive()
    except CheckFailed as error:
        from metaheur.door.derived import distrusted

        if not (first.doubted and distrusted(first.view, error)):
            raise
    return course().drive()
