"""Workers make the runs of an experiment: the calling thread, or several threads."""

from __future__ import annotations

import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, final

from attrs import frozen

from metaheur.door.run import require, run
from metaheur.machine.ahead import Ahead
from metaheur.machine.pace import interrupted_by
from metaheur.problem import Problem
from metaheur.report.experiment import ExperimentRun
from metaheur.running.result import Result
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.stop import Stop
from metaheur.validate import whole_field

__all__ = ["Batch", "Setup", "Task", "ThisThread", "Threads", "Workers"]


@final
@frozen
class Task:
    """A run to be made: the names of its search, problem and model, and its seed."""

    search: str
    problem: str
    seed: int
    model: str

    @classmethod
    def of(cls, run: ExperimentRun) -> Task:
        """The task that a run was made for."""
        return cls(run.search, run.problem, run.seed, run.model)

    def run(
        self, result: Result | None, error: str = "", traceback: str = "", *, reused: bool = False
    ) -> ExperimentRun:
        """The run that was made for the task."""
        return ExperimentRun(self.search, self.problem, self.seed, result, error, traceback, reused, self.model)


Batch = tuple[Task, ...]
"""Runs of one search on one problem with one model that are made together, as the walks of one launch."""


@final
@frozen(eq=False)
class Setup:
    """All that the runs of an experiment share; each process receives it once."""

    searches: Mapping[str, Search[Any]]
    problems: Mapping[str, Problem]
    stop: Stop
    models: Mapping[str, ParallelModel]
    start: Any

    def most(self, task: Task) -> int:
        """The most runs that one launch can make if they differ from this one only by their seeds."""
        from metaheur.door.seeds import most_walks

        search, problem, model = self._parts(task)
        return most_walks(search, problem, self.stop, model)

    def _parts(self, task: Task) -> tuple[Search[Any], Problem, ParallelModel]:
        return self.searches[task.search], self.problems[task.problem], self.models[task.model]

    def compiling(self, batches: Iterable[Batch]) -> list[Ahead[None]]:
        """Begin to compile what runs need, side by side."""
        named = dict.fromkeys((task.search, task.problem, task.model) for batch in batches for task in batch)
        if len(named) < 2:
            return []
        return [Ahead(partial(self._bind, *names), " on ".join(names[:2])) for names in named]

    def _bind(self, search: str, problem: str, model: str) -> None:
        """Compile what the runs of a search on a problem need; the runs report errors of both."""
        with suppress(Exception):
            given = self.problems[problem]
            self.models[model].bind(require(self.searches[search], given), given)

    def make(self, batch: Batch, interrupted: Callable[[], bool] = bool) -> list[ExperimentRun]:
        """Make the runs of a batch; after Ctrl-C no further run begins."""
        made: list[ExperimentRun] = []
        if len(batch) > 1 and not interrupted():
            try:
                return self._together(batch)
            except Exception:  # each run is made alone below, which shows whose error it is
                pass
        for task in batch:
            if interrupted():
                break
            made.append(self._one(task))
        return made

    def _together(self, batch: Batch) -> list[ExperimentRun]:
        """Make all runs at once; each is bit for bit what it is alone."""
        from metaheur.door.seeds import run_seeds

        search, problem, model = self._parts(batch[0])
        seeds = [task.seed for task in batch]
        found = run_seeds(search, problem, stop=self.stop, seeds=seeds, start=self.start, parallel=model)
        return [task.run(result) for task, result in zip(batch, found, strict=True)]

    def _one(self, task: Task) -> ExperimentRun:
        search, problem, model = self._parts(task)
        try:
            result = run(search, problem, stop=self.stop, seed=task.seed, start=self.start, parallel=model)
        except Exception as error:  # the other runs go on
            return task.run(None, f"{type(error).__name__}: {error}", traceback.format_exc())
        return task.run(result)


class Workers(ABC):
    """Makes the runs of an experiment; the result of a run does not depend on its workers, unless it stops by time.

    With ``workers=1`` the calling thread makes several seeds at once, as the walks of one launch on all cores or on a
    GPU, if the search is resident and all criteria of `stop` are exact, as criteria by iterations, work or target are.
    Each run is bit for bit what it is alone, and its seconds are its share of the time that all walks took.
    """

    @abstractmethod
    def made(
        self, setup: Setup, batches: Sequence[Batch], interrupted: Callable[[], bool]
    ) -> Iterator[list[ExperimentRun]]:
        """Make all runs, in any order.

        Parameters
        ----------
        setup : Setup
            All that the runs share.
        batches : sequence of Batch
            The runs.
        interrupted : callable
            Whether Ctrl-C was pressed: then runs that have begun end with the result so far, and no other run begins.

        Yields
        ------
        list of ExperimentRun
            The runs of a batch.
        """


@final
@frozen
class ThisThread(Workers):
    """The calling thread, one batch after the other: runs with several seeds may be the walks of one launch."""

    def made(
        self, setup: Setup, batches: Sequence[Batch], interrupted: Callable[[], bool]
    ) -> Iterator[list[ExperimentRun]]:
        setup.compiling(batches)
        for batch in batches:
            if interrupted():
                return
            with interrupted_by(interrupted):
                found = setup.make(batch, interrupted)
            yield found


@final
@frozen
class Threads(Workers):
    """Threads of this process: for compiled searches, which leave Python alone most of the time.

    Parameters
    ----------
    count : int
        The number of threads.
    """

    count: int = whole_field(1, 4096)

    def made(
        self, setup: Setup, batches: Sequence[Batch], interrupted: Callable[[], bool]
    ) -> Iterator[list[ExperimentRun]]:
        from concurrent.futures import ThreadPoolExecutor, as_completed

        setup.compiling(batches)
        ended = threading.Event()

        def ends() -> bool:
            return ended.is_set() or interrupted()

        def make(batch: Batch) -> list[ExperimentRun]:
            with interrupted_by(ends):
                return setup.make(batch, ends)

        with ThreadPoolExecutor(self.count) as pool:
            try:
                for future in as_completed([pool.submit(make, batch) for batch in batches]):
                    yield future.result()
            finally:  # also if the caller stops iterating, or pressed Ctrl-C twice
                ended.set()
