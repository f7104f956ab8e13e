"""A race of searches by work: searches that lead get more work."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, cast, final

from attrs import define, evolve, field

from metaheur.door import race_plan
from metaheur.door.entrant import Entrant, improvements_of
from metaheur.door.looking import Looking, Reporter, Reporting
from metaheur.door.race_plan import RacePlan
from metaheur.door.run import Course, beginning, binding, prepared, require
from metaheur.door.states import snapshot
from metaheur.evaluators.costs import python_cost
from metaheur.machine.ahead import Ahead, first_of
from metaheur.machine.pace import TimeBudget, now
from metaheur.problem import Constructs, Problem, judges, require_representation
from metaheur.random import START, Key, Random
from metaheur.runners.meanwhile import runner_meanwhile
from metaheur.running.result import Improvement, Result
from metaheur.running.runner import ParallelModel, Runner
from metaheur.running.view import NO_LIMIT, View
from metaheur.searches.recommendation import Recommendation
from metaheur.stop import iterations
from metaheur.watch.watcher import Watcher

__all__ = ["Racing", "Sizing"]


Sizing = Callable[[int], tuple[Recommendation, ParallelModel]]
"""Makes a search, and its model, for a number of iterations on each core."""


@final
@define(eq=False)
class Racing:
    """Runs the searches in turn, epoch after epoch; each epoch has twice the budget of the epoch before.

    In the first epoch each search makes an iteration, which shows what an iteration costs. In each later epoch one part
    of the budget in `others` goes to the searches behind the best one; of this part the second gets all but one part in
    `others`, and so on. Where work is limited, the budget is work, and all of this follows from counts. Where time is
    limited, the budget is time.

    A race begins to compile all searches (`_compile_ahead`); it measures how long a search with a length can be
    (`_sized`); then all searches begin, and go on (`_run`) in turns (`_turn`).

    `problem`, `seed`, `plan`: what is solved, the seed of all walks, and when the race ends. `entrants`: the searches,
    in the order in which they begin. `watchers`, `reporter`: who looks at the race. `sizing`: makes a search for a
    number of iterations on each core, which the race measures by the search for few of them; it comes before
    `entrants`. `budget`: the clock of the race. `probes`: the searches that were run to measure. `closed`: whether an
    annealing has had its last schedule. `checked`, `check`: the seconds of all full evaluations of best solutions, and
    of the longest one.
    """

    problem: Problem
    entrants: Sequence[Entrant]
    seed: int
    plan: RacePlan
    watchers: tuple[Watcher, ...] = ()
    reporter: Reporter | None = None
    others: int = 16
    sizing: Sizing | None = None
    budget: TimeBudget = field(factory=TimeBudget)
    probes: list[Entrant] = field(factory=list)
    stopped_by: str = ""
    closed: bool = False
    checked: float = 0.0
    check: float = 0.0
    seconds: float = 0.0
    compile_seconds: float = 0.0

    def run(self) -> None:
        """Run until the plan, a proof, or Ctrl-C ends the race, or all searches have come to their ends."""
        looking = tuple(Looking(watcher) for watcher in self.watchers)
        self._compile_ahead()
        try:
            if self.sizing is not None:
                self.entrants = (*self._sized(self.sizing, looking), *self.entrants)
            if not self.stopped_by:
                self._run(looking)
            self._check(self.tried[self.winner])
        finally:
            self.seconds, self.compile_seconds = self.budget.seconds(), self.budget.compile_seconds
            for each in looking:
                each.close()

    def warm(self) -> Iterator[tuple[str, float]]:
        """Compile all searches, and yield the name of each with the seconds until it was there."""
        began = now()
        waiting = self._compile_ahead()
        while waiting:
            entrant = waiting.pop(first_of([each.coming for each in waiting if each.coming is not None]))
            self._compiled(entrant)
            yield entrant.recommendation.name, now() - began

    def show_start(self) -> None:
        """Report the cost of the first walk's start: constructed where a random solution may break constraints."""
        if self.reporter is not None:
            require_representation(self.problem)
            space, random = self.problem.representation, Random(Key(self.seed), START, 0)
            name, start = "a random solution", space.random(random)
            if judges(self.problem) and isinstance(self.problem, Constructs):
                name, start = "a constructed solution", self.problem.construct(random)
            self.reporter.begin(self.problem.displayed(python_cost(self.problem, space.validate(start))), name)

    def _known(self) -> list[Entrant]:
        """The searches, as far as they are known before anything is measured: the units do not depend on lengths."""
        return [*self.entrants, *([] if self.sizing is None else [Entrant(*self.sizing(race_plan.GUESS))])]

    def _compile_ahead(self) -> list[Entrant]:
        """Begin to compile the searches that need it, side by side, and return them."""
        begun = [entrant for entrant in self._known() if entrant.model.device != "numpy"]
        for entrant in begun:
            search, model = entrant.recommendation.search, entrant.model
            require(search, self.problem)
            entrant.coming = Ahead(partial(model.bind, search, self.problem), entrant.recommendation.name)
        return begun

    def _compiled(self, entrant: Entrant) -> Runner:
        """The runner that is coming; made anew, from the cache, where it lacks a trial that nothing may disturb."""
        assert entrant.coming is not None
        runner = entrant.coming.value()
        if entrant.coming.postponed:
            return entrant.model.bind(entrant.recommendation.search, self.problem)
        return runner

    def _runner(self, entrant: Entrant) -> Runner:
        """The runner of a search."""
        search, model = entrant.recommendation.search, entrant.model
        coming = entrant.coming
        if coming is None:
            return model.bind(search, self.problem)
        small = self.plan.work is not None and self.plan.work <= race_plan.SMALL_WORK
        if small or entrant.recommendation.first:
            found = runner_meanwhile(model, search, self.problem, coming)
        else:
            found = self._compiled(entrant)
        entrant.coming = None
        return found

    @property
    def work(self) -> int:
        """The work so far."""
        return sum(each.work for each in (*self.probes, *self.entrants))

    @property
    def evaluated(self) -> int:
        """Moves evaluated so far."""
        return sum(each.work // each.recommendation.price for each in (*self.probes, *self.entrants))

    def _sized(self, sizing: Sizing, looking: tuple[Looking, ...]) -> tuple[Entrant, ...]:
        """The search for what is left of the budget; none if the measurements took all of it.

        A short walk shows about how many iterations there will be, so that the search can be chosen. A short schedule
        of this search, with all its walks, then shows how long its own schedule can be. Where it takes long to begin a
        search, the short walk goes on to its end first.
        """
        few, began = Entrant(*sizing(race_plan.FIRST_STEPS)), self.budget.seconds()
        steps = self._measured(few, race_plan.FIRST_STEPS, looking, 1 / 100)
        if self.stopped_by:
            return ()
        before = self._left()
        if self.plan.work is None and 2 * (self.budget.seconds() - began - few.seconds) > before:
            self._turn(few, NO_LIMIT, looking)
            if self.stopped_by:
                return ()
            steps = int(steps * self._left() / before)
        chosen, model = sizing(steps)
        short = Entrant(chosen.of_length(max(1, chosen.length // race_plan.PROBE)), model)
        if chosen.parallel is None and model.walks == few.model.walks:
            short.settled = few.settled
        steps = self._measured(short, max(1, chosen.length // race_plan.PROBE), looking, 1 / 40)
        if self.stopped_by:
            return ()
        before, best = self._left(), self._compared(short, looking)
        if self.stopped_by:
            return ()
        length = int(race_plan.SCHEDULED * steps * self._left() / before) if before else 1
        return (Entrant(best.recommendation.of_length(max(1, length)), model, settled=best.settled),)

    def _compared(self, best: Entrant, looking: tuple[Looking, ...]) -> Entrant:
        """The search whose short schedule ends clearly best: this one, or one named `instead`, and so on."""
        while best.recommendation.instead is not None:
            self._to_its_end(best, looking)
            other = None if best.result is None else best.recommendation.instead(best.result.solution)
            if other is None or self.stopped_by:
                break
            trial = Entrant(other, best.model)
            self.probes.append(trial)
            self._to_its_end(trial, looking)
            if not best.standing() - trial.standing() > abs(best.standing()) / race_plan.CLEARLY:
                break
            best = trial
        return best

    def _to_its_end(self, entrant: Entrant, looking: tuple[Looking, ...]) -> None:
        """Let a search make its whole schedule, as far as the budget allows."""
        made, length = -1, entrant.recommendation.length
        while made < entrant.iterations < length and not self.stopped_by:
            made = entrant.iterations
            self._turn(entrant, length - made, looking)

    def _measured(self, probe: Entrant, length: int, looking: tuple[Looking, ...], share: float) -> int:
        """How many iterations what is left pays for.

        The search makes so many iterations, twice as many, and so on, until they take a share of what is left, so that
        the time to begin them matters little. Where time is limited, twice as many must also take about twice as long,
        unless there are more than 64 of all walks together, at most 8 of which count: else most of the time is that of
        beginning. Four such shares are enough; of few iterations, eight times as many come next.
        """
        self.probes.append(probe)
        self._turn(probe, 1, looking)
        if probe.recommendation.settles and not probe.settled and probe.course is not None and not self.stopped_by:
            walks = probe.course.view.walks
            probe.settled = [snapshot(walks.state(w)) for w in range(len(walks))]
        count, spent, enough, last, growth = probe.iterations, self._spent(probe), self._left() * share, 0.0, 2
        while not (self.stopped_by or probe.ended):
            begun, before = probe.iterations, self._spent(probe)
            self._turn(probe, length, looking)
            if probe.iterations == begun:  # the work that is left does not pay for one
                break
            count, spent = probe.iterations - begun, self._spent(probe) - before
            made = count * min(8, probe.model.walks)
            even = 0.75 <= spent / (growth * last) <= 1.75 if last else made > race_plan.FIRST_STEPS
            if spent >= enough and (even or spent >= 4 * enough or self.plan.work is not None):
                break
            last, growth = spent, 2 if spent > enough / 16 or self.plan.work is not None else 8
            length *= growth
        return max(1, int(min(race_plan.MOST_STEPS, self._left() / max(spent / max(1, count), race_plan.LEAST))))

    def _spent(self, entrant: Entrant) -> float:
        """What a search has used of the budget: work, or seconds."""
        return entrant.seconds if self.plan.work is None else float(entrant.work)

    def _left(self) -> float:
        """What is left of the budget; in seconds, without those for the last full evaluation."""
        if self.plan.work is None:
            return max(0.0, self.budget.left() - self.check)
        return float(self.plan.work - self.work)

    def _check(self, entrant: Entrant) -> None:
        """Evaluate the best solution of a search in full; it may take long in Python."""
        assert entrant.course is not None
        began = self.budget.seconds()
        entrant.course.check()
        took = self.budget.seconds() - began
        self.checked, self.check = self.checked + took, max(self.check, took)

    def _cost(self, entrant: Entrant) -> float:
        """What an iteration of all walks costs, on average so far."""
        return max(race_plan.LEAST, entrant.seconds / entrant.made) if self.plan.work is None else entrant.each

    def _run(self, looking: tuple[Looking, ...]) -> None:
        waiting = list(self.entrants)
        while not self.stopped_by and (waiting := self._that_fit(waiting)):
            entrant = self._next(waiting)
            if entrant is None:
                leader = min((each for each in self.entrants if each.result and not each.ended), key=Entrant.rank)
                self._turn(leader, max(1, int(race_plan.MEANWHILE / self._cost(leader))), looking)
                continue
            waiting.remove(entrant)
            known = any(each.result for each in self.entrants)
            self._turn(entrant, 1, looking, self._left() / (2 * race_plan.DEAR) if known else math.inf)
            if entrant.exact and entrant.recommendation.first:
                self._first(entrant, looking)
        if self.stopped_by:
            return
        self.entrants = [each for each in self.entrants if each.course is not None]
        self._level(looking)
        base = sum(self._cost(entrant) for entrant in self.entrants)
        for epoch in range(race_plan.MOST_EPOCHS):
            budget = base * 2.0**epoch
            if kept := self._reserve():
                budget = min(budget, self._left() - kept)
            if kept and budget < min(map(self._cost, self._going())):
                self._close(looking)
                budget = base * 2.0**epoch
            if self.stopped_by:
                return
            for place, (entrant, share) in enumerate(self._shares(budget)):
                count = int(share / max(self._cost(entrant), entrant.lately))
                self._turn(entrant, count if place else max(1, count), looking, share)
                if self.stopped_by:
                    return
            if not self._going():
                self.stopped_by = "the searches ended"
                self._rest(looking)
                return

    def _that_fit(self, waiting: list[Entrant]) -> list[Entrant]:
        """The searches that may begin: where work is limited, those whose first iteration is sure to fit in.

        If none fits, and there is no solution yet, the one whose first iteration takes least begins.
        """
        if self.plan.work is None or not waiting:
            return waiting
        fit = [each for each in waiting if each.most(self.problem) <= self._left()]
        if fit or any(each.result for each in self.entrants):
            return fit
        return [min(waiting, key=lambda each: each.most(self.problem))]

    def _rest(self, looking: tuple[Looking, ...]) -> None:
        """Let a search whose schedule is over use what it has left of the work, by schedules of that length."""
        while self.plan.work is not None and self.sizing is not None and not self.closed:
            old, before = self.entrants[0], self.work
            made = old.recommendation.of_length(max(1, int(self._left() / old.each)))
            again = Entrant(made, old.model, settled=old.settled)
            self.probes.append(again)
            self._turn(again, NO_LIMIT, looking)
            if self.work == before or self.stopped_by not in {"the searches ended", ""}:
                return

    def _level(self, looking: tuple[Looking, ...]) -> None:
        """Let each search use as much as the one whose first iteration cost most, but half of what is left in all.

        An iteration of one search may cost as much as thousands of another one, so that their first ones tell nothing.
        Where all first iterations are cheap, each search gets a small part of the budget: costs of random solutions
        would decide which search gets hardly any.
        """
        if len(self.entrants) == 1:
            return
        spare = max(0.0, self._left() - self._reserve())
        dearest = max(map(self._spent, self.entrants))
        enough = min(max(dearest, self._left() / race_plan.TASTE), spare / (2 * len(self.entrants)))
        for entrant in self.entrants:
            made = -1
            while not (entrant.ended or self.stopped_by) and made < entrant.iterations:
                made, share = entrant.iterations, enough - self._spent(entrant)
                self._turn(entrant, int(share / self._cost(entrant)), looking, share)

    def _next(self, waiting: Sequence[Entrant]) -> Entrant | None:
        """The search that begins next: in their order, but where time is limited, one that is compiled.

        None if none is, and another search can go on meanwhile.
        """
        if self.plan.work is not None or waiting[0].recommendation.first:
            return waiting[0]
        ready = next((each for each in waiting if each.coming is None or each.coming.ready), None)
        if ready is not None or any(each.result and not each.ended for each in self.entrants):
            return ready
        return waiting[first_of([each.coming for each in waiting if each.coming is not None])]

    def _first(self, entrant: Entrant, looking: tuple[Looking, ...]) -> None:
        """Let the exact search that comes first use its part of the budget at once."""
        enough = (self._left() if self.plan.work is None else self.plan.work) / race_plan.FIRST_SHARE
        while not (entrant.ended or self.stopped_by) and self._spent(entrant) < enough:
            made = entrant.iterations
            self._turn(entrant, max(1, int((enough - self._spent(entrant)) / self._cost(entrant))), looking)
            if entrant.iterations == made:
                return

    def _reserve(self) -> float:
        """What is kept of the budget for the last schedule of an annealing."""
        annealings = [each for each in self.entrants if each.fall]
        if not annealings or self.closed:
            return 0.0
        share = race_plan.LEADS if self._going()[0].fall else race_plan.LAST
        if len(annealings) == len(self.entrants):
            share = race_plan.ALONE
        return share * (self.budget.limit if self.plan.work is None else float(self.plan.work))

    def _close(self, looking: tuple[Looking, ...]) -> None:
        """Let the best annealing fall once more, for all that is left, from its first temperature to its last one.

        An annealing that does not know for how long it may run falls again and again, and the limit would find it hot.
        If what is left pays neither for its own shortest fall nor for a short one, there is none.
        """
        self.closed = True
        every, old = list(self.entrants), min(self._going(), key=lambda each: not each.fall)
        fall, search = old.fall, cast(Any, old.recommendation.search)
        if not fall:
            return
        self.entrants = [each for each in every if each is not old]
        few = int(self._left() / max(race_plan.LEAST, 80 * old.lately)) if self.plan.work is None else 0
        trials = int(race_plan.SCHEDULED * self._measured(old, max(race_plan.FIRST_STEPS, few), looking, 1 / 40))
        if self.stopped_by or trials < min(fall, race_plan.FALL * self.problem.representation.length):
            self.probes.remove(old)
            self.entrants = every
            return
        made = evolve(old.recommendation, search=search.within(min(trials, NO_LIMIT - 1)))
        new = Entrant(made, old.model, before=old.standing())
        self.entrants = [new if each is old else each for each in every]
        self._turn(new, NO_LIMIT, looking)

    def _going(self) -> list[Entrant]:
        """The searches that go on, the best first, and trees last."""
        going = [entrant for entrant in self.entrants if not entrant.ended]
        return sorted(going, key=lambda each: (each.exact and not each.recommendation.first, each.standing()))

    def _shares(self, budget: float) -> Iterator[tuple[Entrant, float]]:
        """The searches that go on and the share of each. One alone gets everything, but its last schedule."""
        going = self._going()
        left = math.inf if len(going) == 1 and not self._reserve() else budget
        for number, entrant in enumerate(going):
            share = left if number == len(going) - 1 else left - left / self.others
            left -= share
            yield entrant, min(share, float(NO_LIMIT))

    def _turn(self, entrant: Entrant, count: int, looking: tuple[Looking, ...], share: float = math.inf) -> None:
        """Let a search make `count` more iterations, as far as the budget allows.

        Where time is limited, it ends after twice its share of the budget, since iterations become dearer; but not
        before the time for an iteration is over.
        """
        nothing = not any(each.result for each in (*self.probes, *self.entrants))
        if entrant.course is None and (nothing or self._left() > 0):
            self._begin(entrant)
            if nothing:
                used = self.budget.seconds()
                self.budget.limit = max(self.budget.limit, used + min(used, race_plan.PREPARED))
        left = max(self._left(), race_plan.LEAST if nothing else 0.0)
        if left <= 0:
            self.stopped_by = "seconds" if self.plan.work is None else "work"
        if self.plan.work is not None and entrant.iterations > entrant.given[0]:
            others = [each.most(self.problem) for each in self._going() if each is not entrant]
            if dear := bool(others) and (most := entrant.most(self.problem)) > min(others):
                left -= most  # so that it ends within the work; the cheapest search gets what is left then
            count = min(count, max(not dear, int(left / self._cost(entrant))), race_plan.GROWTH * entrant.made)
        if left <= 0 or count < 1 or entrant.course is None:
            return
        spent, made = self._spent(entrant), entrant.iterations
        allotted = min(left, 2 * max(share, self._cost(entrant), entrant.lately))
        before = self.budget.seconds() - entrant.seconds
        entrant.course.watchers = (*looking, Reporting(self.reporter, entrant.recommendation.name, before))
        result = entrant.course.goes_on(entrant.stop(self.plan, count, left, allotted))
        self._account(entrant, result, before)
        if race_plan.CHECKED * self.checked <= self.budget.seconds():
            self._check(entrant)
        entrant.lately = (self._spent(entrant) - spent) / max(1, entrant.iterations - made)
        if self.plan.work is not None:
            entrant.dearest = max(entrant.dearest, entrant.lately)
        ends = ("interrupt", "watcher", "target") if allotted < left else ("interrupt", "watcher", "target", "seconds")
        if result.stopped_by in ends:
            self.stopped_by = result.stopped_by
        elif entrant.proven:
            self.stopped_by = "proof"

    def _begin(self, entrant: Entrant) -> None:
        """Begin a search at its start, or where another run has led its walks; the time to compile is excused."""
        search, start = entrant.recommendation.search, entrant.recommendation.start
        nothing = iterations(1)
        require(search, self.problem)
        with self._preparing(entrant):
            budget = TimeBudget()
            bind = partial(self._runner, entrant)
            here = None if entrant.settled and isinstance(start, str) else start  # an array is there already
            made = binding(entrant.model, search, self.problem, self.seed, here, bind=bind)
            runner = made[1]
            if entrant.settled:
                walks = runner.load(list(entrant.settled))
                view = View(search, self.problem, walks, device=runner.facts.device)
                entrant.course = Course(runner, beginning(view, nothing, view.cost), nothing, (), budget)
                entrant.given = view.iterations, view.evaluated
            else:
                entrant.course = Course.begin(made, nothing, (), budget)
        entrant.iterations = entrant.given[0]
        runner.count_anew()

    def _preparing(self, entrant: Entrant) -> AbstractContextManager[None]:
        """Say that a search is being compiled: by the reporter, or by each watcher."""
        if self.reporter is None:
            return prepared(self.watchers)
        return self.reporter.preparing(entrant.recommendation.name)

    def _account(self, entrant: Entrant, result: Result, before: float) -> None:
        """Count the work of a turn, and note at which time of the race its improvements were found."""
        entrant.improvements += [
            evolve(improvement, seconds=improvement.seconds + before)
            for improvement in result.improvements
            if improvement.iteration > entrant.iterations
        ]
        entrant.result = result
        assert entrant.course is not None
        entrant.iterations = int(entrant.course.view.walks.iterations.max())
        entrant.work = entrant.recommendation.price * (result.evaluated - entrant.given[1])

    @property
    def tried(self) -> list[Entrant]:
        """The searches that made a step; a probe only where it has found the best solution of all."""
        begun = [each for each in self.entrants if each.result is not None]
        probes = sorted(self.probes, key=Entrant.rank)[:1]
        better = probes and all(probes[0].rank() < each.rank() for each in begun)
        return [*begun, *probes] if better else begun

    @property
    def winner(self) -> int:
        """The number, among those tried, of the search with the best solution; one with a proof, else the first."""
        found = enumerate(self.tried)
        return min(found, key=lambda pair: (pair[1].rank(), not pair[1].proven, pair[0]))[0]

    def improvements(self) -> tuple[Improvement, ...]:
        """The new best solutions of the whole race, in the order of time."""
        return improvements_of((*self.probes, *self.entrants), self.problem)
