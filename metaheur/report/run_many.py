"""Many runs: searches x problems x parallel models x seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import groupby, product
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from metaheur.door.run import model_of, require_stop
from metaheur.errors import InputError
from metaheur.machine.pace import interruptible
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.report.experiment import Experiment, ExperimentRun
from metaheur.report.processes import Processes
from metaheur.report.progress import runs_bar
from metaheur.report.records import Records, best_known
from metaheur.report.workers import Batch, Setup, Task, ThisThread, Workers
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.stop import Stop
from metaheur.stop.conditions import aim_of
from metaheur.validate import whole

__all__ = ["run_many"]


def run_many(  # noqa: PLR0913 - run, and what is crossed
    search: Search[Any] | Iterable[Search[Any]] | Mapping[str, Search[Any]],
    problem: Problem | Iterable[Problem] | Mapping[str, Problem],
    *,
    stop: Stop,
    seeds: Iterable[int] = range(30),
    start: Any = None,
    parallel: ParallelModel | str | Iterable[ParallelModel | str] | Mapping[str, ParallelModel | str] = "auto",
    workers: Workers | int = 1,
    folder: str | PathLike[str] | None = None,
    target: Any = None,
    progress: bool = True,
) -> Experiment:
    """Run every search on every problem with every parallel model and every seed.

    Each run is that of `run` with the same arguments. A run that raises is recorded with its error, and so is a run
    whose process was killed. On the main thread Ctrl-C ends all runs early; a second one raises KeyboardInterrupt.

    Parameters
    ----------
    search : Search, iterable of Search, or mapping of str to Search
        The searches; several are named by their texts, or by the keys of a mapping.
    problem : Problem, iterable of Problem, or mapping of str to Problem
        The problems, named in the same way.
    stop : Stop
        When a run stops. ``stop.evaluations`` gives all searches the same work, on every machine.
    seeds : iterable of int, default range(30)
        Different seeds in 0 ... 2**32 - 1.
    start
        As for `run`.
    parallel : ParallelModel or str, iterable or mapping of them, default "auto"
        The parallel models, each as for `run`; named in the same way as searches.
    workers : int or Workers, default 1
        Who makes the runs: this thread (1), so many processes, ``Processes(4)`` or ``Threads(4)``; see `Workers`.
    folder : path-like, optional
        Where each run is recorded, a JSON file each. A recorded run is not made again, unless it failed.
    target : float, tuple or mapping of str to these, optional
        The cost to reach, of all problems or of each by its name; by default the problem's `best_known`.
    progress : bool, default True
        Whether a terminal or a notebook shows, on standard error, how many runs have ended.

    Returns
    -------
    Experiment
        All runs, and the table of what they found.

    Raises
    ------
    InputError
        If an argument is not as described, the folder cannot be written, or processes cannot be started.
    CheckpointError
        If `folder` is given, and the content of a search, problem or other argument cannot be compared.
    """
    searches, problems = _named(search, Search, "search", _label), _named(problem, Problem, "problem", _text)
    require_stop(stop)
    models, targets = _models(parallel), _targets(target, problems)
    tasks = [Task(s, p, seed, m) for p, s, m, seed in product(problems, searches, models, _seeds(seeds))]
    setup = Setup(searches, problems, stop, models, start)
    runs, notes = _made(tasks, setup, _workers(workers), _records(folder, setup, targets), progress=progress)
    return Experiment(runs, targets, len(tasks), notes, tuple(searches), tuple(problems), tuple(models))


def _records(folder: str | PathLike[str] | None, setup: Setup, targets: Mapping[str, Any]) -> Records | None:
    """The records in a folder, with the targets beside them; None without a folder."""
    if folder is None:
        return None
    records = Records(Path(folder), setup)
    records.keep_targets(targets)
    return records


def _made(
    tasks: list[Task], setup: Setup, workers: Workers, records: Records | None, *, progress: bool
) -> tuple[tuple[ExperimentRun, ...], tuple[str, ...]]:
    """Make the runs that are not recorded, and record them.

    Returns `runs`: all runs in the order of the tasks; fewer after Ctrl-C. `notes`: remarks on records that could not
    be read or written.
    """
    found: dict[Task, ExperimentRun] = {}
    if records is not None:
        found.update((task, each) for task in tasks if (each := records.find(task)) is not None)
    alone = not isinstance(workers, ThisThread)  # other workers use all cores already
    batches = _batches([task for task in tasks if task not in found], setup, alone=alone)
    with interruptible() as interrupted, runs_bar(len(tasks), found.values(), shown=progress) as bar:
        for made in workers.made(setup, batches, interrupted):
            for each in made:
                bar.show(each)
                task = Task.of(each)
                found[task] = each
                if records is not None:
                    records.keep(task, each)
    notes = () if records is None else tuple(records.notes)
    return tuple(found[task] for task in tasks if task in found), notes


def _batches(tasks: list[Task], setup: Setup, *, alone: bool) -> list[Batch]:
    """The tasks in batches: seeds of a search on a problem that can be walks of one launch; else one task each."""
    batches: list[Batch] = []
    for _, each in groupby(tasks, key=lambda task: (task.search, task.problem, task.model)):
        group = tuple(each)
        most = 1 if alone else setup.most(group[0])
        batches += (group[i : i + most] for i in range(0, len(group), most))
    return batches


def _named(given: Any, kind: Any, what: str, name: Callable[[Any], str]) -> dict[str, Any]:
    """The searches or the problems of an experiment, by name."""
    if isinstance(given, kind):
        items: list[tuple[Any, Any]] = [(name(given), given)]
    elif isinstance(given, Mapping):
        items = list(given.items())
    elif isinstance(given, Iterable):
        items = [(name(each) if isinstance(each, kind) else "", each) for each in given]
    else:
        items = [("", given)]
    if not items:
        raise InputError(f"`{what}` must not be empty.")
    for key, each in items:
        if not isinstance(each, kind) or not isinstance(key, str):
            raise InputError(
                f"`{what}` must be a {kind.__name__}, several, or a mapping of names to them, but holds "
                f"{key!r}: {type(each).__name__}.",
                "the search comes first, then the problem." if isinstance(each, Problem | Search) else "",
            )
    names = [key for key, _ in items]
    double = next((each for each in names if names.count(each) > 1), None)
    if double is not None:
        raise InputError(f"`{what}` holds two that are called {double}.", f'name them: {what}={{"a": ..., "b": ...}}.')
    return dict(items)


def _models(given: Any) -> dict[str, ParallelModel]:
    """The parallel models of an experiment, by name."""
    if isinstance(given, str) or not isinstance(given, ParallelModel | Iterable):
        return {str(given): model_of(given)}
    if isinstance(given, Mapping):
        given = {name: model_of(each) for name, each in given.items()}
    elif not isinstance(given, ParallelModel):
        given = [model_of(each) for each in given]
    return _named(given, ParallelModel, "parallel", _label)


def _label(thing: Any) -> str:
    """A short name of a search: its text without fields that have their default values."""
    if not attrs.has(type(thing)):
        return str(thing) if isinstance(thing, Fraction) else repr(thing)
    given = []
    for each in attrs.fields(type(thing)):
        value, default = getattr(thing, each.name), each.default
        if each.init and each.repr and not _is_default(value, default):
            given.append(_label(value) if default is attrs.NOTHING else f"{each.alias}={_label(value)}")
    return f"{type(thing).__name__}({', '.join(given)})"


def _is_default(value: Any, default: Any) -> bool:
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]
        return not default.takes_self and bool(np.all(value == default.factory()))
    return default is not attrs.NOTHING and bool(np.all(value == default))


def _text(problem: Problem) -> str:
    """A short name of a problem: its text if that is short."""
    text = repr(problem)
    return (
        text
        if len(text) <= 60 and "\n" not in text
        else f"{type(problem).__name__} of length {problem.representation.length}"
    )


def _seeds(seeds: Any) -> list[int]:
    if not isinstance(seeds, Iterable):
        raise InputError(f"`seeds` must be several numbers, but is {seeds!r}.", "write seeds=range(30).")
    found = [Key(seed).seed for seed in seeds]
    if not found:
        raise InputError("`seeds` must not be empty.", "write seeds=range(30).")
    if len(set(found)) < len(found):
        double = next(each for each in found if found.count(each) > 1)
        raise InputError(f"`seeds` holds {double} twice, which would be the same run.", "write seeds=range(30).")
    return found


def _targets(target: Any, problems: Mapping[str, Problem]) -> dict[str, Any]:
    if isinstance(target, Mapping):
        unknown = [name for name in target if name not in problems]
        if unknown:
            raise InputError(f"`target` names {unknown[0]!r}, but the problems are {', '.join(problems)}.")
        return {name: aim_of(target[name], "target") if name in target else None for name in problems}
    if target is not None:
        return dict.fromkeys(problems, aim_of(target, "target"))
    return {name: best_known(problem) for name, problem in problems.items()}


def _workers(workers: Any) -> Workers:
    if isinstance(workers, Workers):
        return workers
    count = whole(workers, "workers", 1, 4096, maybe="use workers=4, Processes(4) or Threads(4).")
    return Processes(count) if count > 1 else ThisThread()
