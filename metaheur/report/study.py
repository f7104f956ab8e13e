"""Studies: an experiment described by a file, and read back from its folder."""

from __future__ import annotations

import gc
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, reduce
from operator import attrgetter, or_
from os import PathLike
from pathlib import Path
from typing import Any, Final

from metaheur import stop
from metaheur.door.expression import read
from metaheur.door.named import OBJECT, named_object, named_problem, require_trusted
from metaheur.errors import InputError, nearest_word, printable
from metaheur.problem import Problem
from metaheur.problems.formats.files import read_text
from metaheur.problems.reading import problem_from_file
from metaheur.report.experiment import Experiment, ExperimentRun
from metaheur.report.journal import Journal
from metaheur.report.records import kept_targets
from metaheur.report.run_many import run_many
from metaheur.stop import Stop

__all__ = ["parts_of_run", "read_experiment", "run_study"]

KEYS: Final = ("searches", "problems", "parallel", "seeds", "stop", "start", "target", "workers", "folder")
STOPS: Final[Mapping[str, Callable[[float], Stop]]] = {
    "iterations": stop.iterations,
    "evaluations": stop.evaluations,
    "seconds": stop.seconds,
    "no_improvement": stop.no_improvement,
    "target": stop.target,
}


def run_study(path: str | PathLike[str], *, progress: bool = True, trust: bool = False) -> Experiment:
    """Make the runs of a study that are not recorded yet.

    The file is TOML. The tables `searches`, `problems` and, for several models, `parallel` have names and what they
    stand for: a search or a model is the Python that makes it, or MODULE:OBJECT; a problem is a file beside the study,
    the Python that makes it, MODULE:OBJECT, or a table with `file` and the options of `problem_from_file`. `stop` is a
    table of limits, of which the first that holds ends a run. `seeds` is a number or a list. `start`, `target`,
    `workers` and `folder` are as for `run_many`; the folder is beside the file, "runs" by default.

    Parameters
    ----------
    path : path-like
        The file.
    progress : bool, default True
        As for `run_many`.
    trust : bool, default False
        Whether to trust a file that lies outside the current folder or belongs to another user. Only a trusted file may
        name MODULE:OBJECT, which runs the module, or a folder outside its own. Other files are trusted anyway.

    Raises
    ------
    InputError
        If the file cannot be read, or an entry is not as described; if the file needs `trust`.
    """
    file = Path(path)
    table = _table(file, trust)
    folder = table.get("folder", "runs")
    if not isinstance(folder, str):
        raise InputError(f"`folder` must be a text, but is {folder!r}.", 'write folder = "runs".')
    if not (file.parent / folder).resolve().is_relative_to(file.parent.resolve()):
        require_trusted(file, f"names the folder {folder}", trust)
    return run_many(
        {name: _python(text, f"searches.{name}") for name, text in _names(table, "searches").items()},
        {name: _problem(text, file.parent, name) for name, text in _names(table, "problems").items()},
        stop=_stop(table.get("stop")),
        seeds=_seeds(table.get("seeds", 30)),
        start=table.get("start"),
        parallel=_models(table.get("parallel", "auto")),
        workers=table.get("workers", 1),
        folder=file.parent / folder,
        target=table.get("target"),
        progress=progress,
    )


def parts_of_run(path: str | PathLike[str], search: str, problem: str, *, trust: bool = False) -> dict[str, Any]:
    """The search, the problem and the start of a run of a study, as arguments of `reproduce`.

    `path`: the file of the study. `search`, `problem`: their names in the study. `trust`: as for `run_study`.
    """
    file = Path(path)
    table = _table(file, trust)
    names = {"searches": search, "problems": problem}
    found = {what: _names(table, what) for what in names}
    for what, name in names.items():
        if name not in found[what]:
            known = ", ".join(found[what])
            raise InputError(f"{file} has no {name!r} in `{what}`, but {known}.", "name the study of the record.")
    return {
        "search": _python(found["searches"][search], f"searches.{search}"),
        "problem": _problem(found["problems"][problem], file.parent, problem),
        "start": table.get("start"),
    }


def _table(file: Path, trust: bool) -> dict[str, Any]:
    """The entries of a study, whose objects of Python are trusted."""
    try:
        table = tomllib.loads(read_text(file))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is not TOML: {error}.", "see `metaheur help experiments`.") from None
    unknown = next((each for each in table if each not in KEYS), None)
    if unknown is not None:
        near = nearest_word(unknown, KEYS)
        way = f"write {near}." if near else f"it is one of {', '.join(KEYS)}."
        raise InputError(f"{file}: `{unknown}` is not known.", way)
    for text in _texts([table.get(each) for each in ("searches", "problems", "parallel")]):
        if OBJECT.fullmatch(text) and not (file.parent / text).exists():
            require_trusted(file, f"names the object {text}", trust)
    return table


def _texts(value: Any) -> Iterator[str]:
    """All texts in the tables and lists of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def _names(table: Mapping[str, Any], what: str) -> Mapping[str, Any]:
    found = table.get(what)
    if not isinstance(found, dict) or not found:
        raise InputError(
            f"`{what}` must be a table of names, but is {found!r}.", f"write [{what}] and a line for each."
        )
    return found


def _seeds(given: Any) -> Any:
    """The seeds: so many from 0 on, or a list."""
    if isinstance(given, list) and given and all(type(each) is int for each in given):
        return given
    if type(given) is not int or given < 1:
        raise InputError(
            f"`seeds` must be a whole number from 1 on, or a list of them, but is {given!r}.", "write seeds = 30."
        )
    return range(given)


def _python(text: Any, name: str, example: str = "TabuSearch(Swap())") -> Any:
    """The object that an expression makes, or that MODULE:OBJECT names."""
    if not isinstance(text, str):
        raise InputError(f"`{name}` must be a text, but is {text!r}.", f'write "{example}".')
    return named_object(text) if OBJECT.fullmatch(text) else read(text, None)


def _problem(given: Any, folder: Path, name: str) -> Problem:
    if isinstance(given, dict) and isinstance(given.get("file"), str):
        options: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in given.items()
        }
        return problem_from_file(folder / str(options.pop("file")), **options)
    if not isinstance(given, str):
        raise InputError(
            f"`problems.{name}` must be a text or a table with the text `file`, but is {given!r}.",
            'write "tai20a.dat" or {file = "tai20_5.txt", number = 1}.',
        )
    if (folder / given).exists():
        return problem_from_file(folder / given)
    if OBJECT.fullmatch(given):
        return named_problem(given)
    if "(" not in given:
        near = nearest_word(given, (each.name for each in folder.iterdir()))
        way = f"write {near}." if near else "name a file beside the study."
        raise InputError(f"`problems.{name}` is {given!r}, and {folder / given} does not exist.", way)
    problem: Problem = _python(given, f"problems.{name}")
    return problem


def _models(given: Any) -> Any:
    """A model or device, or several by name."""
    if isinstance(given, dict):
        return {name: _models(each) for name, each in given.items()}
    return _python(given, "parallel", "host") if not isinstance(given, str) or "(" in given else given


def _stop(given: Any) -> Stop:
    if not isinstance(given, dict) or not given or any(each not in STOPS for each in given):
        raise InputError(
            f"`stop` must be a table of {', '.join(STOPS)}, but is {given!r}.", "write stop = {iterations = 10_000}."
        )
    return reduce(or_, (STOPS[name](value) for name, value in given.items()))


def read_experiment(folder: str | PathLike[str], *, target: Any = None) -> Experiment:
    """The experiment whose records are in a folder; nothing is run.

    Parameters
    ----------
    folder : path-like
        The folder of `run_many`.
    target : float, tuple or mapping of str to these, optional
        The cost to reach, of all problems or of each by its name; by default that of the last `run_many` with the
        problem and the folder.

    Raises
    ------
    InputError
        If there is no record, or two records have the same names and seed; if `target` names another problem.
    """
    found: dict[tuple[str, str, str, int], tuple[os.DirEntry[str], ExperimentRun]] = {}
    targets: dict[str, int | float | None] = {}
    notes, journal = [], Journal(Path(folder))
    with _uncollected():
        for path in sorted(_records(folder), key=attrgetter("name")):
            try:
                content = journal.record(path)
                run = ExperimentRun(
                    **content["run"],
                    result=content["result"],
                    error=content["error"],
                    traceback=content["traceback"],
                    reused=True,
                )
                best = content["problem"]["best_known"]
            except (ValueError, FileNotFoundError) as error:
                notes.append(printable(f"{path.name} could not be used: {error}."))
                continue
            key = (run.problem, run.search, run.model, run.seed)
            if key in found:
                raise InputError(
                    f"{found[key][0].name} and {path.name} are of {run.search} on {run.problem}, seed {run.seed}.",
                    "a part was changed; use a new folder.",
                )
            found[key] = path, run
            targets[run.problem] = best
        ordered = tuple(found[key][1] for key in sorted(found, key=lambda key: (*map(_natural, key[:3]), key[3])))
    if not found:
        raise InputError(f"{folder} has no records.", "name the folder of run_many, or run the study.")
    targets.update((name, aim) for name, aim in kept_targets(Path(folder)).items() if name in targets)
    if target is not None:
        targets.update(target if isinstance(target, Mapping) else dict.fromkeys(targets, target))
    problems = {run.problem for run in ordered}
    unknown = next((name for name in targets if name not in problems), None)
    if unknown is not None:
        raise InputError(f"`target` names {unknown!r}, but the problems are {', '.join(sorted(problems))}.")
    return Experiment(ordered, targets, len(ordered), tuple(notes))


def _records(folder: str | PathLike[str]) -> list[os.DirEntry[str]]:
    """The files of records in a folder."""
    try:
        with os.scandir(folder) as found:
            return [each for each in found if each.name.endswith(".json") and "_" in each.name]
    except OSError:
        return []


@contextmanager
def _uncollected() -> Iterator[None]:
    """Look for no garbage while many objects are made that stay: it takes a fifth of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@cache
def _natural(name: str) -> list[tuple[int, str]]:
    """A key that sorts tai20a before tai100a."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,18})", name) if part]
