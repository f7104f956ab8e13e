"""A race of searches by work: searches that lead get more work."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Protocol, final

from attrs import define, evolve, field

from metaheur.door.run import Course, bound, require, require_stop
from metaheur.machine.performance import TimeBudget
from metaheur.problem import Problem
from metaheur.running.result import Improvement, Result
from metaheur.running.runner import ParallelModel
from metaheur.running.view import View
from metaheur.searches.recommendation import Recommendation
from metaheur.stop import iterations, seconds, target
from metaheur.stop.criterion import Stop
from metaheur.watch.watcher import Watcher, next_look_of

__all__ = ["Entrant", "RacePlan", "Racing", "Reporter"]


FIRST_BATCHES = 15
"""If an exact search comes first, it branches so many batches more at once: a proof saves compiling the others."""


class Reporter(Protocol):
    """An object that is told how a race goes."""

    def preparing(self, name: str) -> AbstractContextManager[None]:
        """A search is being compiled."""

    def looks(self, name: str, view: View, before: float) -> None:
        """Report where a search stands; `before` are the seconds of the race that other searches took."""


@final
@define
class RacePlan:
    """When a race ends.

    Parameters
    ----------
    work : int, optional
        The race ends after so much work.
    seconds : float
        The race ends after so many seconds; infinite for no limit.
    target : float, optional
        The race ends as soon as this cost, as the user reads it, is reached.
    """

    work: int | None = None
    seconds: float = math.inf
    target: float | None = None


@final
@define(eq=False)
class Entrant:
    """A search in a race: its progress, and the work of one of its iterations.

    Parameters
    ----------
    recommendation : Recommendation
        The search.
    model : ParallelModel
        The model that spreads the walks of the search.
    """

    recommendation: Recommendation
    model: ParallelModel
    course: Course | None = None
    result: Result | None = None
    iterations: int = 0
    work: int = 0
    improvements: list[Improvement] = field(factory=list)

    @property
    def each(self) -> int:
        """The work of an iteration of all walks: moves evaluated, times their price, on average so far."""
        evaluated = 0 if self.result is None else self.result.evaluated
        return max(1, self.recommendation.price * evaluated // max(1, self.iterations))

    @property
    def seconds(self) -> float:
        """The time that the search has taken."""
        return 0.0 if self.course is None else self.course.view.seconds

    @property
    def exact(self) -> bool:
        """Whether the search may end with a proof."""
        program = self.recommendation.search.program
        return program is not None and bool(program.alone)

    @property
    def ended(self) -> bool:
        """Whether the search has come to its own end."""
        return self.course is not None and bool(self.course.view.walks.finished.all())

    @property
    def proven(self) -> bool:
        """Whether the search has proven that no solution is better."""
        proof = None if self.result is None else self.result.proof
        return self.ended and proof is not None and proof.proven

    def rank(self) -> Any:
        """The best cost of the search; lower is better."""
        if self.course is None or self.result is None:
            return math.inf
        costs = self.course.view.walks.best_costs
        return 0 if costs.ndim > 1 else costs.min().item()


@final
@define(eq=False)
class _Looking(Watcher):
    """Shows a race to a watcher as if it were one run, whose search is the one that has its turn."""

    watcher: Watcher
    begun: bool = False
    last: View | None = None

    def begin(self, view: View) -> None:
        if not self.begun:
            self.watcher.begin(view)
        self.begun, self.last = True, view

    def next_look(self, view: View) -> int | None:
        return next_look_of(self.watcher, view)

    def look(self, view: View) -> None:
        self.last = view
        self.watcher.look(view)

    def end(self, view: View) -> None:
        self.last = view

    def close(self) -> None:
        """The race is over."""
        if self.begun and self.last is not None:
            self.watcher.end(self.last)


@final
@define(eq=False)
class _Reporting(Watcher):
    """Tells the reporter where a search stands, and notes at which time of the race the search improved."""

    reporter: Reporter | None
    name: str = ""
    before: float = 0.0

    def look(self, view: View) -> None:
        if self.reporter is not None:
            self.reporter.looks(self.name, view, self.before)


@final
@define(eq=False)
class Racing:
    """Runs the searches in turn, epoch after epoch; each epoch has twice the work of the epoch before.

    In the first epoch each search makes an iteration, which shows how much work an iteration is. In each later epoch
    one part of the work in `others` goes to the searches behind the best one; of this part the second gets all but one
    part in `others`, and so on. All of this follows from counts, never from the clock. A limit of time only ends the
    race, and then all walks of a search make the same number of iterations.
    """

    problem: Problem
    entrants: Sequence[Entrant]
    seed: int
    plan: RacePlan
    watchers: tuple[Watcher, ...] = ()
    reporter: Reporter | None = None
    others: int = 16
    work: int = 0
    stopped_by: str = ""

    def run(self) -> None:
        """Run until the plan, a proof, or Ctrl-C ends the race, or all searches have come to their ends."""
        looking = tuple(_Looking(watcher) for watcher in self.watchers)
        try:
            self._run(looking)
        finally:
            for each in looking:
                each.close()

    def _run(self, looking: tuple[_Looking, ...]) -> None:
        for entrant in self.entrants:
            self._turn(entrant, 1, looking)
            if entrant is self.entrants[0] and entrant.exact and not entrant.ended and not self.stopped_by:
                self._turn(entrant, FIRST_BATCHES, looking)
            if self.stopped_by:
                return
        base = sum(entrant.each for entrant in self.entrants)
        for epoch in range(62):
            for entrant, share in self._shares(base << epoch):
                self._turn(entrant, max(1, share // entrant.each), looking)
                if self.stopped_by:
                    return
            if all(entrant.ended for entrant in self.entrants):
                self.stopped_by = "the searches ended"
                return

    def _shares(self, budget: int) -> Iterator[tuple[Entrant, int]]:
        """The searches that go on, the best first, and the work of each."""
        going = sorted((entrant for entrant in self.entrants if not entrant.ended), key=Entrant.rank)
        left = budget
        for number, entrant in enumerate(going):
            share = left if number == len(going) - 1 else left - left // self.others
            left -= share
            yield entrant, share

    def _turn(self, entrant: Entrant, count: int, looking: tuple[_Looking, ...]) -> None:
        """Let a search make `count` more iterations, as far as work and time allow."""
        each, left = entrant.each, self._seconds_left()
        if self.plan.work is not None and entrant.iterations:
            count = min(count, (self.plan.work - self.work) // each)
        if count < 1 or left <= 0 or (self.plan.work is not None and self.work >= self.plan.work):
            self.stopped_by = "seconds" if left <= 0 else "work"
            return
        goal, before = entrant.iterations + count, self._seconds() - entrant.seconds
        stop: Stop = iterations(goal)
        if math.isfinite(left):
            stop = stop | seconds(entrant.seconds + left)
        if self.plan.target is not None:
            stop = stop | target(self.plan.target)
        reporting = _Reporting(self.reporter, entrant.recommendation.name, before)
        result = self._driven(entrant, stop, (*looking, reporting))
        if result.stopped_by == "seconds" and not entrant.ended:
            result = self._level(entrant, result)
        self._account(entrant, result, each, before)
        if result.stopped_by in ("interrupt", "watcher", "seconds", "target"):
            self.stopped_by = result.stopped_by
        elif entrant.proven:
            self.stopped_by = "proof"

    def _driven(self, entrant: Entrant, stop: Stop, watchers: tuple[Watcher, ...]) -> Result:
        if entrant.course is None:
            search, start = entrant.recommendation.search, entrant.recommendation.start
            require_stop(stop)
            require(search, self.problem)
            with self._preparing(entrant):
                budget = TimeBudget()
                bound_to = bound(entrant.model, search, self.problem, self.seed, start)
                course = Course.begin(bound_to, stop, watchers, budget)
            entrant.course = course
            return course.drive()
        entrant.course.watchers = watchers
        return entrant.course.goes_on(stop)

    def _preparing(self, entrant: Entrant) -> AbstractContextManager[None]:
        return nullcontext() if self.reporter is None else self.reporter.preparing(entrant.recommendation.name)

    def _level(self, entrant: Entrant, result: Result) -> Result:
        """If time was over for some walks before others, let these walks catch up with the others."""
        assert entrant.course is not None
        walks = entrant.course.view.walks
        made = walks.iterations[~walks.finished]
        if made.min() == made.max():
            return result
        entrant.course.watchers = ()
        return evolve(entrant.course.goes_on(iterations(int(made.max()))), stopped_by="seconds")

    def _account(self, entrant: Entrant, result: Result, each: int, before: float) -> None:
        """Count the work of a turn, and note at which time of the race its improvements were found."""
        first, made = entrant.result is None, result.iterations - entrant.iterations
        entrant.improvements += [
            evolve(improvement, seconds=improvement.seconds + before)
            for improvement in result.improvements
            if improvement.iteration > entrant.iterations
        ]
        entrant.result, entrant.iterations = result, result.iterations
        done = made * (entrant.each if first else each)
        entrant.work += done
        self.work += done

    def _seconds(self) -> float:
        return sum(entrant.seconds for entrant in self.entrants)

    def _seconds_left(self) -> float:
        return self.plan.seconds - self._seconds()

    @property
    def winner(self) -> int:
        """The number of the search with the best solution; among several, one with a proof, else the first."""
        number, _ = min(
            ((number, each) for number, each in enumerate(self.entrants) if each.result is not None),
            key=lambda pair: (pair[1].rank(), not pair[1].proven, pair[0]),
        )
        return number

    def improvements(self) -> tuple[Improvement, ...]:
        """The new best solutions of the whole race, in the order of time."""
        found = sorted((one for each in self.entrants for one in each.improvements), key=lambda one: one.seconds)
        best, kept, sign = math.inf, [], -1 if self.problem.maximise else 1
        for one in found:
            if not isinstance(one.cost, tuple) and sign * one.cost < best:
                best = sign * one.cost
                kept.append(one)
        return tuple(kept)
