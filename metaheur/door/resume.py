"""Resume a run from a checkpoint."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import Any

from metaheur.door.run import Course, beginning, model_of, prepared, require, require_stop, watchers_of
from metaheur.machine.pace import TimeBudget
from metaheur.problem import Problem
from metaheur.running.checkpoint import load
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.running.view import View
from metaheur.search import Search
from metaheur.stop import Stop
from metaheur.watch.watcher import Watcher

__all__ = ["resume"]


def resume(  # noqa: PLR0913 - run without a start
    path: str | PathLike[str],
    search: Search[Any],
    problem: Problem,
    *,
    stop: Stop,
    parallel: ParallelModel | str = "auto",
    watch: Iterable[Watcher] = (),
) -> Result:
    """Resume a run from a `Checkpoint`; the result is that of a run that was never interrupted.

    In `stop` and in the Result, iterations, seconds and improvements of both runs are counted together.

    Parameters
    ----------
    path : path-like
        The checkpoint's file.
    search, problem : Search, Problem
        Equal to search and problem of the saved run.
    stop, parallel, watch
        As for `run`; the device may be another one.

    Returns
    -------
    Result
        As from `run`.

    Raises
    ------
    CheckpointError
        If the file is broken, belongs to another run, or holds a state that no such run can reach.
    """
    require_stop(stop)
    budget = TimeBudget(stop.lasts().seconds)
    watchers = watchers_of(watch)
    search = require(search, problem)
    saved = load(path, search, problem)
    budget.before += saved.seconds
    with prepared(watchers):
        runner = model_of(parallel, walks=len(saved.states)).lasting(stop.lasts()).bind(search, problem)
    view = View(
        search,
        problem,
        runner.load(saved.states),
        saved.seconds,
        saved.improvements,
        past=saved.past,
        device=runner.facts.device,
    )
    runner.count_anew()
    past = (view.seconds, view.evaluated)
    return Course(runner, beginning(view, stop, saved.start_cost), stop, watchers, budget, past).drive()
