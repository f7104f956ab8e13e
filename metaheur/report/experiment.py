"""The runs of an experiment, and their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from itertools import product
from os import PathLike
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.report.comparison import Comparison, compared
from metaheur.report.fronts import MORE_IS_BETTER, OF_FRONTS, CommonReference, values_of
from metaheur.report.summary import Summary, summarised
from metaheur.report.table import Table, number_text
from metaheur.report.tabulate import tabulated
from metaheur.running.frame import Framed, data_frame
from metaheur.running.result import Result
from metaheur.running.shown import lines, text_of

__all__ = ["Experiment", "ExperimentRun"]


@final
@frozen(eq=False)
class ExperimentRun:
    """One run of an experiment.

    Parameters
    ----------
    search, problem : str
        Their names in the experiment.
    seed : int
        The run's seed.
    result : Result, optional
        Its result; None if the run failed.
    error : str
        The error of a run that failed; "" otherwise.
    traceback : str
        The traceback of the error.
    reused : bool
        Whether the run was made earlier and read from the experiment's folder.
    model : str
        The name of the parallel model in the experiment.
    """

    search: str
    problem: str
    seed: int
    result: Result | None = None
    error: str = ""
    traceback: str = field(default="", repr=False)
    reused: bool = False
    model: str = "auto"

    @property
    def status(self) -> str:
        """The status of the run: "done", "interrupted" (by Ctrl-C; it has a result) or "failed"."""
        if self.result is None:
            return "failed"
        return "interrupted" if self.result.stopped_by == "interrupt" else "done"


COLUMNS = (
    "problem",
    "search",
    "model",
    "seed",
    "status",
    "cost",
    "start_cost",
    "iterations",
    "evaluated",
    "improved_at",
    "seconds",
    "compile_seconds",
    "seconds_to_target",
    "evaluations_to_target",
    "stopped_by",
    "device",
    "error",
    "feasible",
)
"""The columns of the data frame."""


@final
@frozen(eq=False)
class Experiment(Framed):
    """The runs that `run_many` made; ``print(experiment)`` shows a table.

    Parameters
    ----------
    runs : tuple of ExperimentRun
        The runs in the order of problems, searches, models and seeds, whatever the order in which they were made.
    targets : mapping of str to int, float, tuple or None
        The cost to reach for each problem, by its name, as the user reads it.
    planned : int
        The number of runs that were asked for; after Ctrl-C there may be fewer runs.
    notes : tuple of str
        Further remarks, such as on a file that could not be read, so that its run was made again.
    searches, problems, models : tuple of str
        The names of all searches, problems and parallel models, in order; by default the names in the runs.

    Examples
    --------
    >>> from metaheur import HillClimbing, run_many, stop
    >>> from metaheur.neighborhoods import Hamming
    >>> from metaheur.problems import OneMax
    >>> runs = run_many(HillClimbing(Hamming(1)), OneMax(20), seeds=range(5), stop=stop.iterations(100))
    >>> runs.summary()[0].success_rate
    1.0
    """

    runs: tuple[ExperimentRun, ...]
    targets: Mapping[str, Any] = field(factory=dict)
    planned: int = 0
    notes: tuple[str, ...] = ()
    searches: tuple[str, ...] = field()
    problems: tuple[str, ...] = field()
    models: tuple[str, ...] = field()

    @searches.default
    def _searches(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.search for each in self.runs))

    @problems.default
    def _problems(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.problem for each in self.runs))

    @models.default
    def _models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.model for each in self.runs))

    @property
    def failures(self) -> tuple[ExperimentRun, ...]:
        """The runs that failed."""
        return tuple(each for each in self.runs if each.status == "failed")

    def results(self, problem: str | None = None, search: str | None = None, model: str | None = None) -> list[Result]:
        """The results of the runs that are done, in the order of `runs`.

        Parameters
        ----------
        problem, search, model : str, optional
            The name of one problem, search or parallel model; None for all of its kind.
        """
        wanted = {"problem": problem, "search": search, "model": model}
        given = [(kind, name) for kind, name in wanted.items() if name is not None]
        found = (each for each in self.runs if all(getattr(each, kind) == name for kind, name in given))
        return [each.result for each in found if each.status == "done" and each.result is not None]

    def methods(self) -> dict[str, tuple[str, str]]:
        """What makes the runs of a problem: search and parallel model, by a name that leaves out a sole model."""
        pairs = product(self.searches, self.models)
        return {search if len(self.models) == 1 else f"{search}, {model}": (search, model) for search, model in pairs}

    @property
    def solutions(self) -> np.ndarray:
        """The best solution of each run that is done, a row each, the best run first: where other walks can begin.

        Raises
        ------
        InputError
            If the experiment has several problems, or no run is done.
        """
        if len(self.problems) != 1:
            raise InputError(
                f"The solutions of an experiment are those of one problem, but here are {', '.join(self.problems)}.",
                "use experiment.results(problem), the results of one of them.",
            )
        results = self.results()
        if not results:
            raise InputError("No run of the experiment is done, so that there are no solutions.", "see its `failures`.")
        sign = -1 if results[0].maximise else 1
        ranked = sorted(results, key=lambda each: np.multiply(each.cost, sign).tolist())
        return np.array([each.solution for each in ranked])

    def costs(self, problem: str, search: str, model: str | None = None) -> np.ndarray:
        """The costs of the runs that are done, as the user reads them, in the order of `runs`.

        Parameters
        ----------
        problem, search : str
            Their names in the experiment.
        model : str, optional
            The name of a parallel model; None for all models.

        Returns
        -------
        numpy.ndarray, shape (runs,), or (runs, levels) if costs have levels
        """
        return np.array([result.cost for result in self.results(problem, search, model)])

    def summary(self) -> tuple[Summary, ...]:
        """A line for each search on each problem with each model."""
        common = cache(lambda problem: CommonReference.of(self.results(problem)))
        cells = product(self.problems, self.searches, self.models)
        return tuple(self._summary(names, partial(common, names[0])) for names in cells)

    def _summary(self, names: tuple[str, str, str], common: Callable[[], CommonReference]) -> Summary:
        statuses = [each.status for each in self.runs if (each.problem, each.search, each.model) == names]
        return summarised(names, statuses, self.results(*names), self.targets.get(names[0]), common)

    def table(
        self,
        *,
        rows: str | Sequence[str] = "problem",
        columns: str | Sequence[str] | None = None,
        value: str | Sequence[str] = "median",
    ) -> Table:
        """A table of measures; only runs that are done count.

        Parameters
        ----------
        rows, columns : str or sequence of str
            Names among "problem", "search" and "model": a row, or a column, for each combination. By default a column
            for each combination of the names that are not in `rows` and have several values.
        value : str or sequence of str, default "median"
            Of costs: "best", "worst", "mean", "deviation", "median", "quartiles", "interval" (95 %, of the median, by
            bootstrap); with levels, "feasible", the share of the runs whose first level is 0. Of targets:
            "success_rate", and "ert" and "ert_seconds", the expected running time, in moves evaluated or seconds: that
            of all runs for each success. Medians: "seconds", "iterations", "evaluated". And "runs". Of fronts, where
            there are several objectives, the medians of "members", "hypervolume", as a share of that of all runs of the
            problem together, "epsilon" and "igd_plus"; all runs have one reference.

        Returns
        -------
        Table
            ``print(table)``, `Table.markdown`, `Table.latex`, `Table.csv`.

        Raises
        ------
        InputError
            If a name is not known; if a cell would mix several searches, problems or models; for "interval", if scipy
            is not installed.
        """
        return tabulated(self, rows, columns, value)

    def compare(self, value: str = "cost") -> Comparison:
        """Test whether searches and models differ: Friedman, Wilcoxon with Holm's correction, Vargha and Delaney's A12.

        Parameters
        ----------
        value : {"cost", "hypervolume", "epsilon", "igd_plus", "members"}
            What is compared; of fronts, where there are several objectives, one of the others, as in `table`. More is
            better for "hypervolume" and "members".

        Raises
        ------
        InputError
            If there are fewer than two methods, one has no run on a problem, or scipy is not installed; if the value is
            of one objective and runs have several, or the other way round.
        """
        return compared({problem: self._compared(value, problem) for problem in self.problems})

    def _compared(self, value: str, problem: str) -> dict[str, list[float]]:
        """What is compared of the runs of each method on a problem; lower is better."""
        common = CommonReference.of(self.results(problem)) if value in OF_FRONTS else None
        groups = {name: self.results(problem, *pair) for name, pair in self.methods().items()}
        every = [each for results in groups.values() for each in results]
        if common is None and every and every[0].levels:  # tests are of ranks, which levels have as well
            ordered = sorted({each.cost for each in every}, reverse=every[0].maximise)
            return {name: [float(ordered.index(each.cost)) for each in results] for name, results in groups.items()}
        return {name: self._lower_is_better(value, problem, results, common) for name, results in groups.items()}

    @staticmethod
    def _lower_is_better(
        value: str, problem: str, results: Sequence[Result], common: CommonReference | None
    ) -> list[float]:
        if common is not None:
            found = values_of(value, results, common)
            return [-each for each in found] if value in MORE_IS_BETTER else found
        if value != "cost":
            raise InputError(f"`value` must be one of cost, {', '.join(OF_FRONTS)}, but is {value!r}.")
        if any(each.front is not None for each in results):
            raise InputError(f"Runs of {problem} have several objectives, not a cost.", 'use value="hypervolume".')
        return [-each.cost if each.maximise else each.cost for each in results]

    def to_dataframe(self) -> Any:
        """A row for each run, as a `pandas.DataFrame`; unknown values are None.

        The columns are problem, search, model, seed, status, cost, start_cost, iterations, evaluated, improved_at,
        seconds, compile_seconds, seconds_to_target, evaluations_to_target, stopped_by, device, error and
        feasible, which is None where costs have no levels.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        return data_frame(COLUMNS, map(self._row, self.runs))

    def _row(self, each: ExperimentRun) -> tuple[Any, ...]:
        head, result, target = (
            (each.problem, each.search, each.model, each.seed, each.status),
            each.result,
            self.targets.get(each.problem),
        )
        if result is None:
            return (*head, *[None] * (len(COLUMNS) - len(head) - 2), each.error, None)
        reached = None if target is None else result.reached(target)
        counts = (result.iterations, result.evaluated, result.improved_at, result.seconds, result.compile_seconds)
        costs = (result.cost, result.start_cost)
        feasible = result.feasible if result.levels else None
        return (*head, *costs, *counts, *(reached or (None, None)), result.stopped_by, result.device, "", feasible)

    def plot(self, x: str = "evaluations") -> Any:
        """Draw the best cost over time, a picture for each problem: the median and quartiles of each search and model.

        Parameters
        ----------
        x : {"evaluations", "iterations", "seconds"}
            The horizontal axis.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            If matplotlib is not installed, no run is done, or runs have several objectives.
        """
        from metaheur.report.drawing import costs_over_time

        return costs_over_time(self, x)

    def plot_time_to_target(self, target: float | None = None, x: str = "seconds") -> Any:
        """Draw the share of the runs that have reached the target over time, a picture for each problem.

        Parameters
        ----------
        target : float, optional
            The cost to reach; by default each problem's own target. The picture of a problem without one says so.
        x : {"seconds", "evaluations", "iterations"}
            The horizontal axis.

        Returns
        -------
        matplotlib.figure.Figure

        Raises
        ------
        InputError
            If matplotlib is not installed, no run is done, no problem has a target, or runs have several objectives.
        """
        from metaheur.report.drawing import times_to_targets

        return times_to_targets(self, target, x)

    def plot_targets(self, gaps: Sequence[float] = (0.1, 0.03, 0.01, 0.003, 0.001, 0), x: str = "evaluations") -> Any:
        """Draw the share of targets that were reached over time, for each search and model, over all problems.

        Problems without a target are left out, and named in the title.

        Parameters
        ----------
        gaps : sequence of float
            The targets of a problem: the cost to reach, and costs that are worse by these shares of it.
        x : {"evaluations", "iterations", "seconds"}
            The horizontal axis.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed, no run is done, no problem has a target, or runs have several objectives.
        """
        from metaheur.report.drawing import targets_reached

        return targets_reached(self, gaps, x)

    def plot_profiles(self, value: str = "ert") -> Any:
        """Draw performance profiles: the share of problems on which a method takes at most x times the least value.

        Problems without a target are left out of "ert" and "ert_seconds", and named in the title.

        Parameters
        ----------
        value : {"ert", "ert_seconds", "seconds", "evaluated"}
            What is compared; see `table`.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed, a method has no run on a problem that is done, no problem has a target, or
            runs have several objectives.
        """
        from metaheur.report.drawing import performance_profiles

        return performance_profiles(self, value)

    def to_ioh(self, folder: str | PathLike[str]) -> None:
        """Write all runs that are done in IOHprofiler's format; see `metaheur.report.ioh.write_ioh`."""
        from metaheur.report.ioh import write_ioh

        write_ioh(folder, self)

    def __repr__(self) -> str:
        models = f"{len(self.models)} models, " if len(self.models) > 1 else ""
        return (
            f"Experiment({len(self.searches)} searches, {len(self.problems)} problems, {models}{len(self.runs)} runs)"
        )

    def __rich__(self) -> Any:
        """The table and the remarks below it, for `rich.print` and notebooks."""
        from rich.console import Group
        from rich.text import Text

        return Group(self._table(), *map(Text, self._lines()))

    def _repr_html_(self) -> str:
        """The table and, problem by problem, the best cost over time of a median run of each search, for notebooks."""
        from metaheur.report.html import table_html
        from metaheur.running.inline import steps

        pictures = []
        for problem in self._problems():
            middle: dict[str, Result] = {}
            for search in self._searches():
                runs = sorted(self.results(problem, search), key=lambda result: result.cost)
                middle |= {search: runs[len(runs) // 2]} if runs else {}
            levels = next((each.levels for each in middle.values()), ()) or ("",)
            for k, name in enumerate(levels):
                curves = [(f"{search}, {name}" if name else search, each.curve(k)) for search, each in middle.items()]
                pictures.append(steps(curves))
        shown = self._table().columns
        rows = list(zip(*([str(cell) for cell in column.cells] for column in shown), strict=True))
        leading = sum(column.justify != "right" for column in shown)
        return table_html([str(column.header) for column in shown], rows, leading, *self._lines()) + "".join(pictures)

    def _table(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        table = Table(box=lines())
        several = len(self.models) > 1
        for name in ("problem", "search", *(["model"] if several else [])):
            table.add_column(name, overflow="fold", min_width=12)
        summary = self.summary()
        levels = any(line.feasible is not None for line in summary)
        names = ("runs", "best", "25 %", "median", "75 %", "worst", *(["feasible"] if levels else []))
        for name in (*names, "reached", "after"):
            table.add_column(name, justify="right", no_wrap=True)
        for line in summary:
            quartiles = line.lower_quartile, line.upper_quartile
            better, worse = reversed(quartiles) if _falls(line) else quartiles
            costs = (line.best, better, line.median, worse, line.worst)
            shares = (*([line.feasible] if levels else []), line.success_rate)
            rates = ("-" if share is None else f"{100 * share:.0f} %" for share in shares)
            cells = [str(line.runs), *map(number_text, costs), *rates, _seconds(line.time_to_target)]
            heads = (line.problem, line.search, *([line.model] if several else []))
            table.add_row(*map(Text, heads), *cells)
        return table

    def _lines(self) -> list[str]:
        """The remarks below the table."""
        aims = [f"{name} {number_text(aim)}" for name, aim in self.targets.items() if aim is not None]
        reached = [f"Reached: the target ({', '.join(aims)}), after so many seconds in the median."] if aims else []
        if any(each.front is not None for each in self.results()):
            reached.append(
                "Several objectives: best ... worst are hypervolumes, as shares of that of all runs of the problem."
            )
        made = sum(each.status != "interrupted" for each in self.runs)
        cut = [] if made >= self.planned else [f"Interrupted: {made} of {self.planned} runs were made."]
        cut += [
            f"Interrupted: {self._name(each)}: {number_text(each.result.cost)} after {_seconds(each.result.seconds)}"
            for each in self.runs
            if each.result is not None and each.status == "interrupted"
        ]
        names = (f"{self._name(each)}: {each.error}" for each in self.failures)
        return [*reached, *cut, *(f"Failed: {name}" for name in names), *self.notes]

    def _name(self, run: ExperimentRun) -> str:
        """Which run it is, in words; a sole model is left out."""
        model = f" with {run.model}" if len(self.models) > 1 else ""
        return f"{run.search} on {run.problem}{model}, seed {run.seed}"

    def __str__(self) -> str:
        return "\n".join([text_of(self._table()), *self._lines()])


def _falls(line: Summary) -> bool:
    """Whether larger numbers are better, as for a problem that maximises, and for hypervolumes."""
    return line.best is not None and line.worst is not None and line.best > line.worst


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g} s"
