"""The front door: run a search on a problem, step through it, or take it up where a checkpoint left it."""

from __future__ import annotations

import copy
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from time import perf_counter
from types import FrameType
from typing import Any, TypeVar, final

import numpy as np
from attrs import define, evolve

from metaheur.checkpoint import load
from metaheur.errors import InputError
from metaheur.parallel.model import Bound, ParallelModel
from metaheur.problem import Problem
from metaheur.random import START, Key, Random
from metaheur.representation import Solution
from metaheur.result import Improvement, Result
from metaheur.search import Incumbent, Search, State, Until
from metaheur.stop import Stop, View
from metaheur.watch import Watcher

__all__ = ["iterate", "resume", "run", "snapshot"]

S = TypeVar("S", bound=State)


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

    The same seed gives the same trajectory on every device; watchers and the clock change only where it ends. On the
    main thread Ctrl-C ends the run with a Result (`stopped_by` is "interrupt"), and a second one raises
    KeyboardInterrupt.

    Parameters
    ----------
    search : Search
        What decides.
    problem : Problem
        What is minimised.
    stop : Stop
        When to stop, such as ``stop.iterations(10_000) | stop.seconds(30)``. Where it holds at the start, no
        iteration is made.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    start : array_like, shape (n,), optional
        The first solution; a random one by default.
    parallel : ParallelModel or str, default "auto"
        How the work is spread; the name of a device is short for ``IterationLevel(name)``.
    watch : iterable of Watcher
        What looks at the run, such as ``[Progress(), Trace(every=1000)]``.

    Returns
    -------
    Result
        The best solution and how it came about.

    Raises
    ------
    InputError
        If the parts do not fit together.
    DeviceError
        If the device is not there.
    """
    watchers = _watchers(watch)
    _require_stop(stop)
    key, x, bound = _prepare(search, problem, seed, start, parallel)
    clock = _Clock(0.0)
    state = _initial(search, problem, bound, key, x)
    return _drive(bound, View(search, problem, state, clock.seconds()), stop, watchers, clock)


def resume(  # noqa: PLR0913 - run without a start
    path: str | PathLike[str],
    search: Search[Any],
    problem: Problem,
    *,
    stop: Stop,
    parallel: ParallelModel | str = "auto",
    watch: Iterable[Watcher] = (),
) -> Result:
    """Take up a run where a `Checkpoint` left it; the result is that of a run that was never interrupted.

    Iterations, seconds and improvements go on counting, in `stop` as in the Result.

    Parameters
    ----------
    path : path-like
        The checkpoint's file.
    search, problem : Search, Problem
        Equal to those of the run that was saved.
    stop, parallel, watch
        As for `run`; the device may be another one.

    Raises
    ------
    CheckpointError
        If the file is broken or belongs to another run.
    """
    watchers = _watchers(watch)
    _require_stop(stop)
    _require(search, problem)
    view = load(path, search, problem)
    bound = _model(parallel).bind(search, problem)
    return _drive(bound, view, stop, watchers, _Clock(view.seconds))


def iterate(  # noqa: PLR0913 - run as a generator
    search: Search[S],
    problem: Problem,
    *,
    seed: int = 0,
    start: Any = None,
    parallel: ParallelModel | str = "auto",
    every: int = 1,
) -> Iterator[S]:
    """The states of a search: the first one, then one after every so many iterations, until the search is done.

    Parameters
    ----------
    search, problem, seed, start, parallel
        As for `run`.
    every : int, default 1
        Iterations from one state to the next; the last state comes when the search is done.

    Returns
    -------
    iterator of State
        Each is valid until the next one is asked for: who keeps a state takes a `snapshot`.
    """
    if isinstance(every, bool) or not isinstance(every, int | np.integer) or every < 1:
        raise InputError(f"every is a number of iterations, a whole number from 1 on, but it is {every!r}.")
    key, x, bound = _prepare(search, problem, seed, start, parallel)
    return _states(search, bound, _initial(search, problem, bound, key, x), int(every))


def _states(search: Search[S], bound: Bound, state: S, every: int) -> Iterator[S]:
    yield state
    while not search.done(state):
        state, _ = bound.advance(state, Until(state.walk.iteration + every))
        yield state


def snapshot(state: S) -> S:
    """A copy of a state that shares no array with it, so that no later step can change it."""
    return copy.deepcopy(state)


def _drive(bound: Bound, view: View, stop: Stop, watchers: tuple[Watcher, ...], clock: _Clock) -> Result:
    """Launch after launch until the run is over; whatever happens, the watchers that began are ended."""
    pace = _Pace()
    begun: list[Watcher] = []
    whole = True
    with _interruptible() as interrupted:
        try:
            for watcher in watchers:
                watcher.begin(view)
                begun.append(watcher)
            while not (stopped_by := _stopped_by(view, stop)) and not interrupted():
                looks = [(watcher, _next_look(watcher, view)) for watcher in watchers]
                horizon = view.iterations + pace.within(stop.seconds_left(view))
                until = stop.until(view, min([horizon, *(at for _, at in looks if at is not None)]))
                began, whole = clock.seconds(), False
                state, found = bound.advance(view.state, until)
                ended = clock.seconds()
                pace.measure(state.walk.iteration - view.iterations, ended - began)
                view, whole = _later(view, state, found, began, ended), True
                for watcher, at in looks:
                    if at is None or at <= view.iterations:
                        watcher.look(view)
        finally:
            _end(begun, view if whole else evolve(view, intact=False))
    return _result(bound, view, "interrupt" if interrupted() else stopped_by)


def _stopped_by(view: View, stop: Stop) -> str:
    """Why the run is over, or "" while it is not."""
    if view.search.done(view.state):
        return "local optimum"
    return stop.reason(view) if stop.holds(view) else ""


def _later(view: View, state: Any, found: list[tuple[int, int | float]], began: float, ended: float) -> View:
    """The view after a launch; the time of an improvement is interpolated."""
    each = (ended - began) / (state.walk.iteration - view.iterations)
    improvements = tuple(
        Improvement(iteration, view.problem.shown(cost), began + each * (iteration - view.iterations))
        for iteration, cost in found
    )
    return evolve(view, state=state, seconds=ended, improvements=view.improvements + improvements)


def _next_look(watcher: Watcher, view: View) -> int | None:
    at = watcher.next_look(view)
    if at is not None and at <= view.iterations:
        raise InputError(
            f"{type(watcher).__name__}.next_look returned {at}, but the run is at iteration {view.iterations} already.",
            "return a later iteration, or None.",
        )
    return at


def _end(begun: list[Watcher], view: View) -> None:
    """End every watcher in turn, even where one raises."""
    with ExitStack() as stack:
        for watcher in reversed(begun):
            stack.callback(watcher.end, view)


def _result(bound: Bound, view: View, stopped_by: str) -> Result:
    return Result(
        solution=view.solution,
        cost=view.cost,
        iterations=view.iterations,
        evaluated=view.evaluated,
        seconds=view.seconds,
        compile_seconds=bound.compile_seconds,
        improvements=view.improvements,
        key=view.key,
        device=bound.device,
        description=bound.description,
        reason=bound.reason,
        resident=bound.resident,
        stopped_by=stopped_by,
        problem=f"{type(view.problem).__name__} on {view.problem.representation!r}",
        search=repr(view.search),
    )


@final
class _Clock:
    """Seconds since now, after those of the runs before."""

    def __init__(self, before: float) -> None:
        self._zero = perf_counter() - before

    def seconds(self) -> float:
        return perf_counter() - self._zero


@final
@define
class _Pace:
    """How many iterations to launch at once: 1 at first, then up to 4 times as many, so that a launch takes 50 ms.

    A launch takes 200 ms only if its iterations are 4 times as slow as those before.
    """

    length: int = 1
    each: float = 0.0

    def within(self, seconds: float) -> int:
        """Iterations of the next launch, fewer where so little time is left."""
        if self.length * self.each <= seconds:
            return self.length
        return max(1, int(seconds / self.each))

    def measure(self, made: int, seconds: float) -> None:
        """Learn from a launch; one that ended early says nothing of longer ones."""
        self.each = seconds / made
        room = 4 * self.length if made >= self.length else self.length
        self.length = max(1, min(room, int(0.05 / self.each))) if self.each else room


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """On the main thread, note the first Ctrl-C instead of raising; yields whether there was one."""
    noted: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(number)

    previous = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or previous in (None, signal.SIG_IGN):  # a handler that is not Python's; a job in the background
        yield lambda: False
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(noted)
    finally:
        signal.signal(signal.SIGINT, previous)


def _prepare(
    search: Search[Any], problem: Problem, seed: int, start: Any, parallel: ParallelModel | str
) -> tuple[Key, Solution, Bound]:
    """Refuse what does not fit, then compile."""
    _require(search, problem)
    key = Key(seed)
    representation = problem.representation
    x = representation.validate(representation.random(Random(key, START, 0)) if start is None else start)
    return key, x, _model(parallel).bind(search, problem)


def _initial(search: Search[S], problem: Problem, bound: Bound, key: Key, x: Solution) -> S:
    """The state before the first step; its evaluation is the run's first."""
    return search.init(Incumbent(problem.representation, x, bound.cost(x)), key)


def _require(search: Any, problem: Any) -> None:
    for name, value, kind, example in (
        ("search", search, Search, "TabuSearch(Swap())"),
        ("problem", problem, Problem, 'QAP.from_file("tai100a.dat")'),
    ):
        if not isinstance(value, kind):
            raise InputError(f"{name} is {value!r}, which is no {kind.__name__}.", f"pass an instance: {example}.")


def _require_stop(stop: Any) -> None:
    if not isinstance(stop, Stop):
        raise InputError(f"stop is {stop!r}, which is no criterion.", "write stop.iterations(1000).")


def _watchers(watch: Any) -> tuple[Watcher, ...]:
    if not isinstance(watch, Iterable):
        raise InputError(f"watch is {watch!r}, which is no list of watchers.", "write watch=[Progress()].")
    watchers = tuple(watch)
    for watcher in watchers:
        if not isinstance(watcher, Watcher):
            raise InputError(f"watch holds {watcher!r}, which is no Watcher.", "write watch=[Progress()].")
    return watchers


def _model(parallel: Any) -> ParallelModel:
    if isinstance(parallel, ParallelModel):
        return parallel
    if isinstance(parallel, str):
        from metaheur.parallel import IterationLevel

        return IterationLevel(parallel)
    raise InputError(
        f"parallel is {parallel!r}, which is neither a parallel model nor the name of a device.",
        'use "auto", "numpy", "host", "cuda" or an instance such as IterationLevel().',
    )
