"""Solve a problem by a race of searches: the user gives the problem alone."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import Any, Self, final

from attrs import evolve, frozen

from metaheur.device.cuda.cuda import gpus
from metaheur.door.entrant import Entrant
from metaheur.door.expression import imports_of, written
from metaheur.door.race import Racing, Sizing
from metaheur.door.race_plan import FIRST_STEPS, RacePlan
from metaheur.door.reporting import Lines
from metaheur.door.run import model_of, watchers_of
from metaheur.errors import InputError
from metaheur.machine.pace import TimeBudget, running
from metaheur.machine.processors import cores
from metaheur.parallel import Auto, IterationLevel, Multistart
from metaheur.parallel.wrapper import ModelWrapper
from metaheur.problem import Problem, require_representation
from metaheur.representation import Solution
from metaheur.running.race import Race, Tried
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.running.view import RunLength
from metaheur.search import fitted
from metaheur.searches.recommendation import (
    KnowsLeast,
    Recommendation,
    Recommends,
    RecommendsTogether,
    RecommendsWithin,
)
from metaheur.searches.suited import recommendations
from metaheur.validate import real, whole
from metaheur.watch import Checkpoint, Watcher
from metaheur.wings import filled

__all__ = ["solve", "warm"]

ON_GPU = 264
"""The walks of a search if a limit of time is all that is given, and there is a GPU."""

COMPARED = 4
"""So many searches may each compare a GPU with the cores as in a run of its own."""

OF_CHOSEN, OF_SUITED = 16, 4
"""One part of the work in so many is for searches behind the best one: if the problem recommends them, and if not."""


def solve(  # noqa: PLR0913 - the front door
    problem: Problem | str | os.PathLike[str],
    *,
    seconds: float | None = None,
    work: float | None = None,
    seed: int = 0,
    parallel: ParallelModel | str = "auto",
    target: Any = None,
    watch: Iterable[Watcher] = (),
    report: bool = True,
) -> Result:
    """Solve a problem by the searches that it recommends, or that suit it.

    Where a search has a length, part of the budget shows how many iterations the rest pays for. Several searches race:
    the best of each epoch gets all but a sixteenth, the next all but a sixteenth of the rest, and so on; all but a
    quarter if the problem recommends none. An annealing gets a last fall; a tree's proof ends the race.

    With `work`, all of this follows from counts: the same seed, work and number of walks give the same result on every
    machine. With `seconds`, it follows from the clock, and ``result.race`` has the lines that find the same solution.

    Parameters
    ----------
    problem : Problem or path-like
        The problem, or a file of an instance: see `metaheur.problems.problem_from_file`.
    seconds : float, optional
        The limit of time, from the call on, without waiting for compilers; 10 by default, if there is no `work`.
    work : int, optional
        Moves to be evaluated in all; those of slow searches count more. 1e8 counts as a whole number.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    parallel : ParallelModel or str, default "auto"
        "auto" takes the devices that help; a device's name holds for all; a `Multistart` or `Auto` gives the walks.
    target : float or tuple, optional
        Stop when this cost is reached; by default a lower bound of the cost, if the problem knows one.
    watch : iterable of Watcher
        Observers of the race; `View.search` is the search that has its turn. A `Checkpoint` is refused.
    report : bool, default True
        Whether lines on standard error report the progress.

    Returns
    -------
    Result
        The result of the winner, with time, moves and improvements of all searches; `Result.race` has each search.

    Raises
    ------
    InputError
        If the file cannot be read, nothing suits the problem, an argument is wrong, or `seconds` and `work` are given.
    """
    plan = _plan(seconds, work, target)
    budget = TimeBudget(plan.seconds)
    given, path = (problem, "") if isinstance(problem, Problem) else (_of_file(problem), os.fspath(problem))
    model_of(parallel)
    lines = Lines(limit=plan.seconds) if report else None
    racing = Racing(given, (), seed, plan, _watchers(watch), lines, budget=budget)
    racing.show_start()  # before a GPU is looked for, which takes a second where there is one
    with running(budget):
        group = _participants(given, parallel, plan).enter(racing)
        _drive(racing, lines)
    return _result(racing, path, group)


def warm(problem: Problem, parallel: ParallelModel | str = "auto") -> Iterator[tuple[str, float]]:
    """Compile all that `solve` needs for a problem, or find it in the cache.

    Yields the name of a search that is ready, and the seconds since the call.
    """
    plan = RacePlan()
    racing = Racing(problem, (), 0, plan)
    _participants(problem, parallel, plan).enter(racing)
    yield from racing.warm()


def _drive(racing: Racing, lines: Lines | None) -> None:
    with nullcontext() if lines is None else lines:
        racing.run()


def _of_file(path: str | os.PathLike[str]) -> Problem:
    """The problem in a file; refused if no reader of files is installed, or the file cannot be read."""
    for problem_of_file in filled("problem_of_file"):
        found: Problem = problem_of_file(path)
        return found
    raise InputError(f"No reader of files is installed, so {path!r} cannot be solved.", "give solve a problem.")


def _plan(seconds: float | None, work: float | None, target: Any) -> RacePlan:
    if seconds is not None and work is not None:
        raise InputError("`seconds` and `work` are two limits of one race.", "leave one of them out.")
    if work is not None:
        exact = int(work) if isinstance(work, float) and work.is_integer() else work
        return RacePlan(whole(exact, "work"), target=target)
    return RacePlan(seconds=10.0 if seconds is None else real(seconds, "seconds", 0, above=True), target=target)


def _watchers(watch: Iterable[Watcher]) -> tuple[Watcher, ...]:
    watchers = watchers_of(watch)
    if any(isinstance(each, Checkpoint) for each in watchers):
        raise InputError(
            "A race of several searches has no checkpoint.", "run the winner by hand, as `Result.race` tells."
        )
    return watchers


@final
@frozen
class _Participants:
    """Who makes the walks of a race.

    `parallel`: what the user gave. `cores`: cores that each search uses; 1 where the answer must not depend on the
    machine. `together`: the walks of each search: those that the user gave, or many on a GPU for searches whose walks
    cooperate; else 0. `length`: how long a search may run on a GPU that a trial compares with the cores; None without a
    GPU.
    """

    parallel: ParallelModel | str
    cores: int
    together: int
    length: RunLength | None = None

    def enter(self, racing: Racing) -> Self:
        """Let the searches for the problem take part in a race: first those that mostly prove an optimum at once.

        Raises InputError if nothing suits the problem.
        """
        problem = racing.problem
        require_representation(problem)
        exact = [each for proofs in filled("proofs") for each in proofs(problem)]
        racing.sizing = self.sizing(problem)
        others = () if racing.sizing else recommendations(problem, self.together)
        if not (exact or others or racing.sizing):
            raise InputError(
                f"No search is known that suits {type(problem).__name__} with {problem.representation!r}.",
                "give it a method `recommended`, which returns a Recommendation for each search.",
            )
        if racing.plan.target is None and isinstance(problem, KnowsLeast):
            racing.plan.target = problem.displayed(problem.least_cost)
        every = sorted([*others, *exact], key=lambda each: not each.first)
        racing.entrants = [self.entrant(_fitting(each, problem)) for each in every]
        racing.others = OF_CHOSEN if isinstance(problem, Recommends) else OF_SUITED
        return self

    def sizing(self, problem: Problem) -> Sizing | None:
        """How the search of a problem is made for a number of iterations on each core, if it has a length."""
        if not isinstance(problem, RecommendsWithin) or problem.recommended_within(FIRST_STEPS, 1) is None:
            return None
        walks = max(self.cores, self.together)

        def sized(steps: int) -> tuple[Recommendation, ParallelModel]:
            found = problem.recommended_within(max(1, steps * self.cores // walks), walks)
            assert found is not None
            return _fitting(found, problem), self.model(found, found.walks)

        return sized

    def entrant(self, recommendation: Recommendation) -> Entrant:
        """A search without a length in the race."""
        return Entrant(recommendation, self.model(recommendation, recommendation.walks * self.cores))

    def model(self, recommendation: Recommendation, walks: int) -> ParallelModel:
        """How the walks of a search are spread: as it says, or as the user says."""
        search, own = recommendation.search, recommendation.parallel
        device = self.parallel if isinstance(self.parallel, str) else "auto"
        if search.program is not None and search.program.alone:
            return IterationLevel(device)
        if own is not None:
            return self._inside(own, device)
        if isinstance(self.parallel, ParallelModel):
            return self.parallel
        if device == "auto":
            return self._planned(self.together or walks)
        return IterationLevel(device) if walks == 1 else Multistart(walks, device=device)

    def _inside(self, own: ParallelModel, device: str) -> ParallelModel:
        """The model of a search, on the device that the user names, or with the walks that the user spreads."""
        if not (isinstance(own, ModelWrapper) and isinstance(own.model, Multistart)):
            return own
        if isinstance(self.parallel, Multistart) and self.parallel.walks == own.walks:
            return own.around(self.parallel)
        if device == "auto" and self.length is not None:
            return own.around(self._planned(own.walks))
        return own.on(device)

    def _planned(self, walks: int) -> Auto:
        """The planner for so many walks, which takes a GPU only where a trial shows that it is faster."""
        return Auto(walks, length=self.length, cores_first=self.length is not None)


def _fitting(found: Recommendation, problem: Problem) -> Recommendation:
    """A recommendation, and those that it makes, with what searches leave to the problem, such as levels of costs."""
    made = evolve(found, search=fitted(found.search, problem))
    if not found.length:
        return made

    def of_length(length: int) -> Recommendation:
        return _fitting(found.of_length(length), problem)

    def instead(x: Solution) -> Recommendation | None:
        other = None if found.instead is None else found.instead(x)
        return None if other is None else _fitting(other, problem)

    return evolve(made, of_length=of_length, instead=found.instead and instead)


def _participants(problem: Problem, parallel: ParallelModel | str, plan: RacePlan) -> _Participants:
    """Who makes the walks: all cores where only time is limited, and a GPU where many walks cooperate."""
    here = cores() if plan.work is None and parallel in ("auto", "host") else 1
    if isinstance(parallel, Auto | Multistart):
        return _Participants(parallel, min(parallel.walks, cores()) if plan.work is None else 1, parallel.walks)
    if parallel != "auto" or not gpus():
        return _Participants(parallel, here, 0)
    if plan.work is None and isinstance(problem, RecommendsTogether) and problem.recommended_together(ON_GPU):
        return _Participants(parallel, here, ON_GPU)
    whole = RunLength(seconds=plan.seconds, evaluated=math.inf if plan.work is None else plan.work)
    return _Participants(parallel, here, 0, whole.part(1 / COMPARED))


def _result(racing: Racing, path: str, group: _Participants) -> Result:
    """The winner's Result, with the numbers of all searches."""
    entrant = racing.tried[racing.winner]
    result = entrant.result
    assert result is not None
    race = _race(racing, path, group)
    improvements = racing.improvements()
    begun = [each.result for each in (*racing.probes, *racing.entrants) if each.result is not None]
    starts = [each.start_cost for each in begun if each.start_cost is not None]
    several = result.front is not None
    better = max if result.maximise else min
    return evolve(
        result,
        seconds=racing.seconds,
        evaluated=racing.evaluated,
        improvements=result.improvements if several else improvements,
        start_cost=result.start_cost if several or not starts else better(starts),
        stopped_by=racing.stopped_by,
        plan=" ".join((result.plan, *racing.budget.cuts)),
        race=race,
    )


def _race(racing: Racing, path: str, group: _Participants) -> Race:
    tried = []
    for entrant in racing.tried:
        recommendation, result = entrant.recommendation, entrant.result
        assert result is not None
        tried.append(
            Tried(
                recommendation.name,
                written(recommendation.search, recommendation.names),
                result.cost,
                entrant.iterations,
                entrant.work,
                entrant.seconds,
                result.device,
            )
        )
    winner = racing.tried[racing.winner]
    work, options = max(1, racing.work), _options(winner, racing)  # no work if the target is reached at the start
    by_hand = f"metaheur solve {path} {options}" if path and options else ""
    return Race(
        tuple(tried),
        racing.winner,
        work,
        _python(winner, racing.seed, path),
        _again(winner, racing, path, group) or by_hand,
        by_hand,
        options=options,
        best_known=getattr(racing.problem, "best_known", None),
        bound=_bound(racing),
        compile_seconds=racing.compile_seconds,
    )


def _bound(racing: Racing) -> int | float | None:
    """The best bound of the exact searches; None without one."""
    proofs = [each.result.proof for each in racing.tried if each.result is not None]
    bounds = [each.bound for each in proofs if each is not None and each.bound is not None]
    return (min if racing.problem.maximise else max)(bounds, default=None)


def _start_text(recommendation: Recommendation) -> str:
    start = recommendation.start
    return "" if start is None else f"start={written(start, recommendation.names)}, "


def _python(winner: Entrant, seed: int, path: str) -> str:
    """The lines of Python that find the winner's solution."""
    recommendation = winner.recommendation
    search = written(recommendation.search, recommendation.names)
    model = written(winner.model, recommendation.names)
    made = f"problem = problem_from_file({path!r})" if path else "problem = ...  # yours"
    return "\n".join(
        [
            *imports_of(f"run({search}, problem_from_file())" if path else f"run({search})", model, "stop()"),
            "",
            made,
            f"search = {search}",
            f"model = {model}",
            f"print(run(search, problem, stop=stop.iterations({winner.until}), seed={seed}, "
            f"{_start_text(recommendation)}parallel=model))",
        ]
    )


def _options(winner: Entrant, racing: Racing) -> str:
    """The options of shell that find the winner's solution; "" if it begins at solutions that no expression makes."""
    found, names = winner.recommendation, winner.recommendation.names
    search, model, start = (written(each, names) for each in (found.search, winner.model, found.start))
    if start not in ("None", "'construct'", *names):
        return ""
    begin = {"None": "", "'construct'": " --construct"}.get(start, f' --start "{start}"')
    return f'--search "{search}" --parallel "{model}"{begin} --iterations {winner.until} --seed {racing.seed}'


def _again(winner: Entrant, racing: Racing, path: str, group: _Participants) -> str:
    """The line that repeats a race, or of Python the winner of a race that the clock ended; "" for a line by hand."""
    work, seed = racing.plan.work, racing.seed
    if path:
        options = f" --walks {group.together}" if group.together else ""
        return "" if work is None else f"metaheur solve {path} --work {work} --seed {seed}{options}"
    if work is not None:
        given = repr(group.parallel) if isinstance(group.parallel, str) else written(group.parallel, {})
        model = "" if group.parallel == "auto" else f", parallel={given}"
        return f"solve(problem, work={work}, seed={seed}{model})"
    names = winner.recommendation.names
    return (
        f"run({written(winner.recommendation.search, names)}, problem, stop=stop.iterations({winner.until}), "
        f"seed={seed}, {_start_text(winner.recommendation)}parallel={written(winner.model, names)})"
    )
