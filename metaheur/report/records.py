"""The records of an experiment in a folder: which runs are there, and where new ones go."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, Protocol

from metaheur.errors import InputError
from metaheur.machine.files import alone_in, from_json, read_regular, replace_file
from metaheur.problem import Problem
from metaheur.report.experiment import ExperimentRun
from metaheur.report.identity import ContentAndCode, content_and_code, identity, identity_of
from metaheur.report.journal import Journal
from metaheur.report.provenance import command, machine, revision
from metaheur.report.record import DATA, DIGITS, load_run, names_of_files, record_path, save_run
from metaheur.report.validation import is_cost
from metaheur.report.values import Arrays, content_hash, encoded
from metaheur.report.workers import Setup, Task

__all__ = ["KnowsBest", "Records", "best_known", "kept_targets", "require_folder"]

MOST: Final = 400
"""The most characters of an object's text in a record; its values are stored completely."""

TARGETS: Final = "targets.json"
"""The file of costs to reach, in the folder of arrays."""


class Records:
    """The records in a folder, and remarks on them.

    `folder`: the folder, which is made if necessary. `setup`: what the runs are made of.
    """

    def __init__(self, folder: Path, setup: Setup) -> None:
        self.folder, self.setup, self.notes = folder, setup, list[str]()
        require_folder(folder)
        self.journal = Journal(folder)
        self.there = {path.stem.rpartition("_")[2]: path for path in folder.glob("*_*.json")}
        self.several, self.arrays, self.machine = len(setup.models) > 1, Arrays(folder / DATA), machine()
        self.began = datetime.now(UTC).isoformat(timespec="seconds")
        self.known: dict[int, dict[str, Any]] = {}
        self.kept: dict[str, dict[str, ContentAndCode]] = {
            "search": _hashed(setup.searches, "search"),
            "problem": _hashed(setup.problems, "problem"),
            "parallel": _hashed(setup.models, "parallel"),
        }
        self.plain = {what: names_of_files(things) for what, things in self.kept.items()}
        self.shared = content_and_code(identity(stop=setup.stop, start=setup.start), "shared")

    def key(self, task: Task) -> str:
        """The key of a run: an identity of identities, which are hashed once."""
        names = {"search": task.search, "problem": task.problem, "parallel": task.model}
        parts = {what: self.kept[what][name] for what, name in names.items()}
        return identity_of({**parts, "shared": self.shared, "seed": content_and_code(task.seed, "seed")})

    def _path(self, task: Task, key: str) -> Path:
        kinds = ("search", "problem", *(["parallel"] if self.several else []))
        names = {"search": task.search, "problem": task.problem, "parallel": task.model}
        plain = tuple(self.plain[kind][names[kind]] for kind in kinds)
        return self.there.get(key[:DIGITS]) or record_path(self.folder, plain, task.seed, key)

    def find(self, task: Task) -> ExperimentRun | None:
        """The recorded run of a task; None if there is none, if it failed, or if its record cannot be used."""
        key = self.key(task)
        path = self._path(task, key)
        try:
            run = load_run(self.journal.record(path), task, key)
        except FileNotFoundError:
            return None
        except ValueError as error:
            self.notes.append(f"{path.name} could not be used, and its run was made again: {error}.")
            return None
        return None if run.result is None else run

    def keep_targets(self, targets: Mapping[str, Any]) -> None:
        """Write the costs to reach beside the records, by problem; records already have the best known costs."""
        problems, path = self.setup.problems, self.folder / DATA / TARGETS
        try:
            with alone_in(self.folder):  # another study may add its targets
                before = kept_targets(self.folder)
                after = {
                    name: aim
                    for name, aim in {**before, **targets}.items()
                    if name not in problems or aim != best_known(problems[name])
                }
                if after != before:
                    path.parent.mkdir(exist_ok=True)
                    replace_file(path, json.dumps(after, indent=1).encode())
        except (InputError, OSError) as error:
            reason = error.reason if isinstance(error, InputError) else f"{path} cannot be written: {error.strerror}."
            self.notes.append(f"The targets are not recorded. {reason}")

    def _made_of(self, task: Task) -> dict[str, Any]:
        """The parts of a run, and the machine that made it, for its record."""
        setup = self.setup
        problem, limits = setup.problems[task.problem], setup.stop.leaves()
        facts = {"size": problem.representation.length, "best_known": best_known(problem)}
        return {
            "search": self._described(setup.searches[task.search], "search"),
            "problem": {**self._described(problem, "problem"), **facts},
            "stop": {**self._described(setup.stop, "stop"), "exact": all(each.exact for each in limits)},
            "start": self._described(setup.start, "start"),
            "parallel": self._described(setup.models[task.model], "parallel"),
            "began": self.began,
            "command": command(),
            "machine": self.machine,
            "revision": revision(),
        }

    def _described(self, thing: Any, name: str) -> dict[str, Any]:
        """A thing as text, as the hash of its content, and as values that make it again; known from the second time."""
        found = self.known.get(id(thing))
        if found is None:
            text = repr(thing)
            found = {
                "text": text if len(text) <= MOST else f"{text[:MOST]}...",
                "sha256": content_hash(thing, name),
                "made": encoded(thing, self.arrays),
            }
            self.known[id(thing)] = found
        return found

    def keep(self, task: Task, run: ExperimentRun) -> None:
        """Record a run, unless it was interrupted."""
        if run.status == "interrupted":
            return
        key = self.key(task)
        path = self._path(task, key)
        try:
            self.journal.keep(path, save_run(path, run, key, self._made_of(task)))
        except OSError as error:  # the other runs are worth more than a file
            self.notes.append(f"{path.name} could not be written: {error.strerror or error}.")


def _hashed(things: Mapping[str, Any], what: str) -> dict[str, ContentAndCode]:
    """The identities of searches, problems or models, by name."""
    return {name: content_and_code(identity(**{what: each}), what) for name, each in things.items()}


def kept_targets(folder: Path) -> dict[str, Any]:
    """The costs to reach, by problem, that `Records.keep_targets` wrote into a folder of records."""
    path = folder / DATA / TARGETS
    try:
        found = from_json(read_regular(path, 48))
        if not isinstance(found, dict):
            raise ValueError("it is not an object of numbers")
        found = {name: tuple(each) if isinstance(each, list) else each for name, each in found.items()}
        if not all(is_cost(number) for each in found.values() for number in (each if type(each) is tuple else [each])):
            raise ValueError("it is not an object of numbers")
    except FileNotFoundError:
        return {}
    except (OSError, RecursionError, ValueError) as error:
        raise InputError(f"{path} is broken: {error}.", "delete it, and pass target=.") from error
    return found


def require_folder(folder: Path, name: str = "folder") -> None:
    """Make the folder, and refuse one that cannot be written; errors have the name of the argument."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):  # one of our own: other programs may record in the same folder
            pass
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"`{name}` {folder} cannot be written: {reason}.", "choose another folder.") from error


class KnowsBest(Protocol):
    """A problem that knows the best cost of its instance: the target of `run_many`, unless another one is given."""

    @property
    def best_known(self) -> int | float | None:
        """The cost as the user reads it; None if it is not known."""


def best_known(problem: Problem) -> int | float | None:
    """The best known cost of a problem; None if the problem does not have one, as `KnowsBest` describes."""
    best: int | float | None = getattr(problem, "best_known", None)
    return best
