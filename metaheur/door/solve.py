"""Solve a problem by a race of searches: the user gives the problem alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from attrs import evolve

from metaheur.device.cuda.cuda import gpus
from metaheur.door.expression import imports_of, written
from metaheur.door.race import Entrant, RacePlan, Racing
from metaheur.door.reporting import Lines
from metaheur.door.run import model_of
from metaheur.errors import InputError
from metaheur.parallel import Auto, Islands, IterationLevel, Multistart
from metaheur.problem import Problem, require_representation
from metaheur.running.race import Race, Tried
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.searches.recommendation import KnowsLeast, Recommendation, Recommends
from metaheur.searches.suited import recommendations
from metaheur.validate import real, whole
from metaheur.watch import Checkpoint, Watcher
from metaheur.wings import filled

__all__ = ["solve"]

ON_GPU = 264
"""The walks of a search if a limit of time is all that is given, and there is a GPU."""

OF_CHOSEN, OF_SUITED = 16, 4
"""One part of the work in so many is for searches behind the best one: if the problem recommends them, and if not."""


def solve(  # noqa: PLR0913 - the front door
    problem: Problem | str | os.PathLike[str],
    *,
    seconds: float | None = None,
    work: float | None = None,
    seed: int = 0,
    parallel: ParallelModel | str = "auto",
    target: float | None = None,
    watch: Iterable[Watcher] = (),
    report: bool = True,
) -> Result:
    """Solve a problem by the searches that it recommends, or that suit it.

    The searches race by work. First each search makes an iteration. Then follow epochs, each with twice the work of the
    one before: the best search gets all but a sixteenth of the work, the next all but a sixteenth of the rest, and so
    on; all but a quarter if the problem recommends no searches. A tree that metaheur has for the problem takes part if
    the instance is not too large; its proof ends the race. The same seed, work and number of walks give the same result
    on every machine. With `seconds` the clock ends the race, and `work` with ``result.race.work`` repeats it.

    Parameters
    ----------
    problem : Problem or path-like
        The problem, or a file of an instance: see `metaheur.problems.problem_from_file`.
    seconds : float, optional
        The limit of time, without the time to compile; 10 by default, if there is no `work`.
    work : int, optional
        About so many moves are evaluated in all; moves of slow searches count more. 1e8 counts as a whole number.
    seed : int, default 0
        In 0 ... 2**32 - 1.
    parallel : ParallelModel or str, default "auto"
        "auto" takes the devices that help; the name of a device holds for all searches; a `Multistart` or `Auto` gives
        the number of walks.
    target : float, optional
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
        If the file cannot be read, nothing suits the problem, an argument is not as described, or both `seconds` and
        `work` are given.
    """
    given, path = (problem, "") if isinstance(problem, Problem) else (_of_file(problem), os.fspath(problem))
    least = given.displayed(given.least_cost) if isinstance(given, KnowsLeast) else None
    plan = _plan(seconds, work, least if target is None else target)
    watchers = _watchers(watch)
    walks = _walks(parallel, plan)  # refuses a wrong model before anything is compiled
    entrants = [Entrant(each, _model(each, parallel, walks)) for each in _searches(given, walks)]
    others = OF_CHOSEN if isinstance(given, Recommends) else OF_SUITED
    racing = Racing(given, entrants, seed, plan, watchers, Lines() if report else None, others)
    racing.run()
    return _result(racing, path, walks)


def _of_file(path: str | os.PathLike[str]) -> Problem:
    """The problem in a file.

    Raises
    ------
    InputError
        If no reader of files is installed, or the file cannot be read.
    """
    for problem_of_file in filled("problem_of_file"):
        found: Problem = problem_of_file(path)
        return found
    raise InputError(f"No reader of files is installed, so {path!r} cannot be solved.", "give solve a problem.")


def _searches(problem: Problem, walks: int) -> Sequence[Recommendation]:
    """The searches that take part: first those that mostly prove an optimum at once."""
    require_representation(problem)
    exact = [each for proofs in filled("proofs") for each in proofs(problem)]
    others = recommendations(problem, walks)
    if not (exact or others):
        raise InputError(
            f"No search is known that suits {type(problem).__name__} with {problem.representation!r}.",
            "give it a method `recommended`, which returns a Recommendation for each search.",
        )
    return sorted([*others, *exact], key=lambda each: not each.first)


def _plan(seconds: float | None, work: float | None, target: float | None) -> RacePlan:
    if seconds is not None and work is not None:
        raise InputError("`seconds` and `work` are two limits of one race.", "leave one of them out.")
    if work is not None:
        return RacePlan(whole(int(work) if float(work).is_integer() else work, "work"), target=target)
    limit = 10.0 if seconds is None else real(seconds, "seconds", 0, above=True)
    return RacePlan(seconds=limit, target=target)


def _watchers(watch: Iterable[Watcher]) -> tuple[Watcher, ...]:
    watchers = tuple(watch)
    for each in watchers:
        if not isinstance(each, Watcher):
            raise InputError(f"`watch` must hold watchers, but holds {each!r}.", "write watch=[Progress()].")
        if isinstance(each, Checkpoint):
            raise InputError(
                "A race of several searches has no checkpoint.", "run the winner by hand, as `Result.race` tells."
            )
    return watchers


def _walks(parallel: ParallelModel | str, plan: RacePlan) -> int:
    """The walks of each search: those that the user gives, or many for a GPU if only time is limited; 0 if neither.

    Raises
    ------
    InputError
        If `parallel` is neither a model nor the name of a device.
    """
    model_of(parallel)
    if isinstance(parallel, Auto | Multistart):
        return parallel.walks
    return ON_GPU if parallel == "auto" and plan.work is None and gpus() > 0 else 0


def _model(recommendation: Recommendation, parallel: ParallelModel | str, many: int) -> ParallelModel:
    """How the walks of a search are spread: as its recommendation says, or as the user says."""
    search, own, walks = recommendation.search, recommendation.parallel, recommendation.walks
    device = parallel if isinstance(parallel, str) else "auto"
    if search.program is not None and search.program.alone:
        return IterationLevel(device)
    if own is not None:
        if not (isinstance(own, Islands) and isinstance(own.model, Multistart)):
            return own
        given = parallel if isinstance(parallel, Multistart) and parallel.walks == own.walks else None
        return evolve(own, model=given or evolve(own.model, device=device))
    if isinstance(parallel, ParallelModel):
        return parallel
    if device == "auto":
        return Auto(many if many and walks > 1 else walks)
    return IterationLevel(device) if walks == 1 else Multistart(walks, device=device)


def _result(racing: Racing, path: str, walks: int) -> Result:
    """The winner's Result, with the numbers of all searches."""
    won = racing.winner
    entrant = racing.entrants[won]
    result = entrant.result
    assert result is not None
    race = _race(racing, won, path, walks)
    improvements = racing.improvements()
    begun = [each.result for each in racing.entrants if each.result is not None]
    starts = [each.start_cost for each in begun if each.start_cost is not None]
    several = result.front is not None
    better = max if result.maximise else min
    return evolve(
        result,
        seconds=sum(each.seconds for each in racing.entrants),
        evaluated=sum(each.evaluated for each in begun),
        improvements=result.improvements if several else improvements,
        start_cost=result.start_cost if several or not starts else better(starts),
        stopped_by=racing.stopped_by,
        race=race,
    )


def _race(racing: Racing, won: int, path: str, walks: int) -> Race:
    tried = []
    for entrant in racing.entrants:
        if entrant.result is not None:
            recommendation, result = entrant.recommendation, entrant.result
            text = written(recommendation.search, recommendation.names)
            tried.append(
                Tried(
                    recommendation.name,
                    text,
                    result.cost,
                    entrant.iterations,
                    entrant.work,
                    entrant.seconds,
                    result.device,
                )
            )
    winner = racing.entrants[won]
    number = [each for each in racing.entrants if each.result is not None].index(winner)
    chosen = any(each.model.walks == walks != each.recommendation.walks for each in racing.entrants)
    options = f" --walks {walks}" if chosen else ""
    work = max(1, racing.work)  # it is 0 if the target is reached at the start
    shell = f"metaheur solve {path or 'FILE'} --work {work} --seed {racing.seed}{options}"
    return Race(tuple(tried), number, work, _python(winner, racing.seed, path), shell, _by_hand(winner, racing, path))


def _start_text(recommendation: Recommendation) -> str:
    start = recommendation.start
    return "" if start is None else written(start, recommendation.names)


def _python(winner: Entrant, seed: int, path: str) -> str:
    """The lines of Python that find the winner's solution."""
    recommendation = winner.recommendation
    search = written(recommendation.search, recommendation.names)
    model = written(winner.model, recommendation.names)
    start = _start_text(recommendation)
    made = f"problem = problem_from_file({path!r})" if path else "problem = ...  # yours"
    return "\n".join(
        [
            *imports_of(f"run({search}, problem_from_file())" if path else f"run({search})", model, "stop()"),
            "",
            made,
            f"search = {search}",
            f"model = {model}",
            f"print(run(search, problem, stop=stop.iterations({max(1, winner.iterations)}), seed={seed}, "
            f"{f'start={start}, ' if start else ''}parallel=model))",
        ]
    )


def _by_hand(winner: Entrant, racing: Racing, path: str) -> str:
    """The line of shell that finds the winner's solution."""
    recommendation = winner.recommendation
    search = written(recommendation.search, recommendation.names)
    model = written(winner.model, recommendation.names)
    start = " --construct" if recommendation.start == "construct" else ""
    return (
        f'metaheur solve {path or "FILE"} --search "{search}" --parallel "{model}"{start} '
        f"--iterations {max(1, winner.iterations)} --seed {racing.seed}"
    )
