"""Results of runs: the best solution, times, and what is needed to repeat the run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Self, final

import numpy as np
from attrs import Factory, evolve, field, frozen

from metaheur.machine.performance import Performance
from metaheur.problem import level_names, reaches
from metaheur.search import Search, names_of
from metaheur.wings import filled

if TYPE_CHECKING:
    from metaheur.problem import Problem
    from metaheur.random import Key
    from metaheur.representation import Solution
    from metaheur.running.proof import Proof
    from metaheur.running.race import Race
    from metaheur.walk import Walks

__all__ = ["Improvement", "Result", "WalkTable", "versions"]


SHOWN: Final = 3
"""The most searches of a race that its table shows."""


@final
@frozen
class Improvement:
    """A new best solution during a run.

    Parameters
    ----------
    iteration : int
        The iteration at which it was found.
    cost : int, float or tuple
        Its cost as the user reads it: positive where the problem maximises; a tuple with levels.
    seconds : float
        Time since the call of `run`, without compiling, interpolated between the ends of the chunk that found it.
    walk : int
        The number of the walk that found it.
    evaluated : int
        Moves evaluated until then; in a run of many walks, by all walks together until the end of that chunk.
    """

    iteration: int
    cost: Any
    seconds: float
    walk: int = 0
    evaluated: int = 0


_ELSEWHERE = {
    **dict.fromkeys(("x", "X", "best", "best_x", "best_solution"), "`solution`"),
    **dict.fromkeys(("F", "f", "fun", "value", "objective", "best_cost", "fitness"), "`cost`"),
    **dict.fromkeys(("time", "runtime", "duration"), "`seconds`"),
    **dict.fromkeys(("history", "trace"), "`improvements`, or watch=[Trace()]"),
    **dict.fromkeys(("nfev", "evaluations", "n_evals"), "`evaluated`"),
    **dict.fromkeys(("status", "message", "success"), "`stopped_by`, or `proof`"),
}
"""The names of other libraries for the fields of a result."""


def versions() -> Mapping[str, str]:
    """The versions that a result depends on: of metaheur, numpy and python, and of cupy if it is loaded."""
    import platform

    import metaheur

    found = {"metaheur": metaheur.__version__, "numpy": np.__version__, "python": platform.python_version()}
    if "cupy" in sys.modules:
        found["cupy"] = str(sys.modules["cupy"].__version__)
    return found


def _read_only(solution: Any) -> Solution:
    array: Solution = np.array(solution, subok=True)  # the named parts of a solution stay
    array.flags.writeable = False
    return array


@final
@frozen(eq=False)
class WalkTable:
    """A table of all walks of a run, a row each. Costs are as the user reads them.

    Parameters
    ----------
    seeds, walks : numpy.ndarray of int64, shape (W,)
        The key of each walk.
    costs : numpy.ndarray, shape (W,), or (W, L) with L levels
        The best cost of each walk: int64, or float64.
    iterations, evaluated, improved_at : numpy.ndarray of int64, shape (W,)
        Steps made, moves evaluated, and the iteration at which the best solution was found.
    finished : numpy.ndarray of bool, shape (W,)
        Whether the search has come to its own end.
    seconds : numpy.ndarray, shape (W,)
        Time from the call of `run` until the walk found its best solution, without compiling, as precise as chunks of
        iterations are short; NaN if the walk found it before a `resume`, or if new walks follow others.
    searches : numpy.ndarray of str, shape (W,)
        The search that makes each walk: its name in a `Portfolio`, or its class.
    feasible : numpy.ndarray of bool, shape (W,)
        Whether the first level of its best cost is 0; True where costs have no levels.
    """

    seeds: np.ndarray
    walks: np.ndarray
    costs: np.ndarray
    iterations: np.ndarray
    evaluated: np.ndarray
    improved_at: np.ndarray
    finished: np.ndarray
    seconds: np.ndarray
    searches: np.ndarray = Factory(lambda self: np.full(len(self.costs), ""), takes_self=True)
    feasible: np.ndarray = Factory(lambda self: np.full(len(self.costs), True), takes_self=True)

    @classmethod
    def of(cls, walks: Walks, search: Search[Any], problem: Problem, seconds: np.ndarray) -> Self:
        """The table of the walks of a search on a problem as they are now."""
        columns = walks.columns()
        count = len(columns["costs"])
        searches = np.array(names_of(search))[columns.pop("members")]
        times = seconds.copy() if len(seconds) == count else np.full(count, np.nan)
        costs = problem.displayed(columns.pop("costs"))
        feasible = costs[:, 0] == 0 if level_names(problem) else np.full(count, True)
        return cls(**columns, costs=costs, seconds=times, searches=searches, feasible=feasible)

    def row(self, w: int) -> Self:
        """The table of walk w alone."""
        return evolve(self, **{name: getattr(self, name)[w : w + 1] for name in WalkTable.__annotations__})

    def to_dataframe(self) -> Any:
        """A row for each walk, as a `pandas.DataFrame`, a column for each field; refused if pandas is not installed."""
        from metaheur.running.frame import data_frame

        columns = {name: getattr(self, name) for name in WalkTable.__annotations__}
        if self.costs.ndim > 1:
            columns["costs"] = [tuple(each) for each in self.costs.tolist()]
        return data_frame(list(columns), zip(*columns.values(), strict=True))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        from metaheur.running.frame import arrow_stream

        return arrow_stream(self, requested_schema)

    def __len__(self) -> int:
        return len(self.costs)


@final
@frozen(eq=False, kw_only=True, repr=False)
class Result:
    """The result of a run; ``print(result)`` shows it as a table.

    Parameters
    ----------
    solution : numpy.ndarray, shape (n,)
        The best solution, read-only.
    cost : int, float or tuple
        Its cost as the user reads it: in the units of the file, positive where the problem maximises; a tuple with
        several objectives, or with levels.
    iterations : int
        Steps made, including those before a `resume`; of many walks, the steps of the longest one.
    evaluated : int
        Moves evaluated by all walks together, as the sequential definition counts them.
    seconds : float
        Time since the call of `run`, without compiling, including the time before a `resume`.
    improvements : tuple of Improvement
        Every new best solution, in order, without the start.
    start_cost : int, float or tuple
        The cost of the start, or of the best start of many walks; None where it is not known.
    maximise : bool
        Whether a higher cost is better.
    cost_factor : int
        By which number the search multiplied the costs of a file with fractions: see `Problem.cost_factor`.
    levels : tuple of str
        The names of the levels of costs; () where there are none.
    key : Key
        Seed and number of the walk with the best solution.
    device, description : str
        The device that the run used, as a name and in words.
    plan : str
        How the work was spread, and why.
    resident : bool
        Whether many iterations ran on the device between two looks of Python.
    stopped_by : str
        "interrupt" after Ctrl-C; "watcher" if a watcher failed; if the search came to its own end, the reason, such as
        "local optimum" or "schedule ended"; else the first alternative of `a | b | c` that held: "iterations",
        "seconds", "target", "no_improvement", "when", or the text of an alternative with `&` or `~`.
    problem, search : str
        The class names of problem and search.
    walks : WalkTable
        The table of all walks.
    performance : Performance
        The time in compiled code and in Python, the number of launches, and the bytes that were copied.
    failures : tuple of str
        Errors of watchers; empty if there were none.
    proof : Proof, optional
        The proof of an exact search: status, bound, gap, and counts of nodes; None for other searches.
    solutions : numpy.ndarray, shape (s, n)
        The best solutions if a search keeps several, the best first; else the best one alone. Read-only.
    front : Front, optional
        With several objectives, the solutions that no other one of the run dominates. `solution` and `cost` then belong
        to the lowest first objective.
    race : Race, optional
        The searches that `solve` tried, the winner, and how to repeat them; None for a single search.
    versions : mapping of str to str
        The versions of metaheur, numpy and python, and of cupy if it was loaded.
    """

    solution: Solution = field(converter=_read_only)
    cost: Any
    iterations: int
    evaluated: int
    seconds: float
    _improvements: tuple[Improvement, ...] | Callable[[], tuple[Improvement, ...]]
    key: Key
    device: str
    description: str
    plan: str
    resident: bool
    stopped_by: str
    problem: str
    search: str
    walks: WalkTable
    performance: Performance = Performance()
    start_cost: Any = None
    maximise: bool = False
    cost_factor: int = 1
    levels: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    proof: Proof | None = None
    solutions: np.ndarray = field(
        default=Factory(lambda self: self.solution[None, :], takes_self=True), converter=_read_only
    )
    front: Any = None
    race: Race | None = None
    versions: Mapping[str, str] = field(factory=versions)

    @property
    def improvements(self) -> tuple[Improvement, ...]:
        """Every new best solution, in order, without the start."""
        return self._improvements() if callable(self._improvements) else self._improvements

    @property
    def seed(self) -> int:
        """The run's seed."""
        return self.key.seed

    @property
    def compile_seconds(self) -> float:
        """Time to compile or load kernels; not part of `seconds`."""
        return self.performance.compile_seconds

    @property
    def costs(self) -> np.ndarray:
        """The best cost of each walk, shape (W,), or (W, L) with L levels."""
        return self.walks.costs

    @property
    def feasible(self) -> bool:
        """Whether the first level of the cost is 0; True where costs have no levels."""
        return not self.levels or self.cost[0] == 0

    @property
    def improved_at(self) -> int:
        """The iteration at which the solution was found; 0 for the start. In a race, of the search that was first."""
        found = self.improvements
        return found[-1].iteration if found else 0

    @property
    def iterations_per_second(self) -> float:
        """Iterations of all walks per second; 0 if no time passed."""
        return int(self.walks.iterations.sum()) / self.seconds if self.seconds else 0.0

    @property
    def moves_per_second(self) -> float:
        """Evaluated moves per second; 0 if no time passed."""
        return self.evaluated / self.seconds if self.seconds else 0.0

    def reached(self, target: Any) -> tuple[float, int] | None:
        """The seconds and the evaluated moves until the best cost reached a target; None if it did not.

        Parameters
        ----------
        target : float or tuple
            The cost to reach, as the user reads it, as in `metaheur.stop.target`; the start reaches it after 0 moves.
        """
        if self.start_cost is not None and reaches(self.start_cost, target, maximise=self.maximise):
            return 0.0, 0
        found = (each for each in self.improvements if reaches(each.cost, target, maximise=self.maximise))
        return next(((each.seconds, each.evaluated) for each in found), None)

    def __getattr__(self, name: str) -> Any:
        if name in _ELSEWHERE:
            raise AttributeError(f"A Result has no {name!r}. Maybe use {_ELSEWHERE[name]}.", name=name, obj=self)
        raise AttributeError(f"A Result has no {name!r}.", name=name, obj=self)

    def plot(self, x: str = "iterations", *, ax: Any = None) -> Any:
        """Draw the best cost during the run, and the bound of an exact search.

        Parameters
        ----------
        x : {"iterations", "evaluations", "seconds"}
            The horizontal axis.
        ax : matplotlib.axes.Axes, optional
            The axes to draw into; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed.
        """
        (plot_cost,) = filled("plot_cost")
        return plot_cost(self, x, ax=ax)

    def plot_solution(self, problem: Problem, *, ax: Any = None) -> Any:
        """Draw the solution: a tour, a schedule, flows over distances, or the picture of a problem of your own.

        Parameters
        ----------
        problem : Problem
            The problem that was solved; it has a method ``draw(x, ax)``.
        ax : matplotlib.axes.Axes, optional
            Where to; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If the problem does not say how, the solution is not one of it, or matplotlib is not installed.
        """
        (draw_solution,) = filled("draw_solution")
        return draw_solution(problem, self.solution, ax)

    def __repr__(self) -> str:
        return (
            f"Result(cost={self.cost}, iterations={self.iterations}, seconds={self.seconds:.3f}, "
            f"stopped_by={self.stopped_by!r})"
        )

    def _rows(self) -> dict[str, str]:
        """The rows of the printed table, by name."""
        walks, costs = len(self.walks), self.costs
        where = f"{self.device}{' (resident)' if self.resident else ''}: {self.description}"
        several, spread = self.front is not None, f"{walks:,}"
        if self.levels:
            spread += f", {int(self.walks.feasible.sum()):,} feasible"
        elif not several:
            spread += f", costs {costs.min():,} ... {costs.max():,}, mean {costs.mean():,.1f}"
        return {
            "problem": self.problem,
            "search": self.search,
            "cost": self._cost_text(),
            **({"front": repr(self.front)} if several else {}),
            "solution": np.array2string(self.solution, threshold=24, max_line_width=10**6),
            "found at": f"iteration {self.improved_at:,}",
            "iterations": f"{self.iterations:,} ({self.iterations_per_second:,.0f} /s)",
            "evaluated": f"{self.evaluated:,} moves ({self.moves_per_second:,.0f} /s)",
            "time": f"{self.seconds:.3f} s, and {self.compile_seconds:.3f} s to compile",
            **({"performance": str(self.performance)} if self.performance.launches else {}),
            "stopped by": self.stopped_by,
            **({"proof": str(self.proof)} if self.proof else {}),
            **({"failures": "; ".join(self.failures)} if self.failures else {}),
            **({"walks": spread} if walks > 1 else {}),
            "seed": f"{self.key.seed}, walk {self.key.walk}",
            "device": where,
            "plan": self.plan,
            **self._race_rows(),
            "versions": ", ".join(f"{name} {version}" for name, version in self.versions.items()),
        }

    def _cost_text(self) -> str:
        """The cost, and by which number the search multiplied a file with fractions."""
        factor, cost = self.cost_factor, self.cost if isinstance(self.cost, tuple) else (self.cost,)
        names = [f"{name} " for name in self.levels] or [""] * len(cost)
        text = ", ".join(f"{name}{number:,}" for name, number in zip(names, cost, strict=True))
        known = factor == 1 or self.front is not None
        return text + ("" if known else f" in the units of the file, which was read times {factor:,}")

    def _race_rows(self) -> dict[str, str]:
        race = self.race
        if race is None:
            return {}
        found = self.improvements[-1].seconds if self.improvements else 0.0  # of any search, so by time
        return {
            "found at": f"{found:.2f} s of the race",
            "tried": str(race),
            "again": race.shell,
            **({"by hand": race.by_hand} if race.by_hand else {}),
            "in Python": race.python,
        }

    def _short_rows(self, race: Race) -> dict[str, str]:
        """The rows for a race: what a person reads first; `explain` has the rest."""
        cost = self._rows()["cost"]
        gap = race.gap(self.cost, maximise=self.maximise)
        if self.proof and self.proof.proven:
            cost = f"{cost}, proven to be optimal"
        elif gap is not None:
            known = race.best_known is not None
            goal = f"{race.best_known if known else race.bound:,}"
            cost = f"{cost}; {'best known' if known else 'bound'} {goal}, gap {100 * gap:.2f} %"
        won, walks, compiled = race.tried[race.won], len(self.walks), race.compile_seconds
        first = sorted(range(len(race.tried)), key=lambda k: (k != race.won, k))[:SHOWN]
        tried = [f"{'*' if k == race.won else ' '} {race.tried[k]}" for k in sorted(first)]
        others = len(race.tried) - len(first)
        tried += [f"  and {others} other{'s' if others > 1 else ''}"] if others else []
        return {
            "problem": self.problem,
            "cost": cost,
            **({"front": repr(self.front)} if self.front is not None else {}),
            "time": f"{self.seconds:.2f} s, {compiled:.2f} s more to compile; stopped by {self.stopped_by}",
            "work": f"{self.evaluated:,} moves ({self.moves_per_second:,.0f} /s)",
            "tried": "\n".join(tried),
            **({"failures": "; ".join(self.failures)} if self.failures else {}),
            **({} if won.search in race.shell else {"winner": f"{won.search}, {walks} walk{'s' if walks > 1 else ''}"}),
            "again": race.shell,
        }

    def explain(self) -> str:
        """All that is known of a run, as a table; after `solve` also how to compose the winner by hand."""
        from metaheur.running.shown import text_of

        return text_of(self._table(self._rows()))

    def __rich__(self) -> Any:
        """The table, for `rich.print` and notebooks."""
        return self._table(self._rows() if self.race is None else self._short_rows(self.race))

    def _table(self, rows: Mapping[str, str]) -> Any:
        from rich.table import Table
        from rich.text import Text

        from metaheur.running.shown import box

        table = Table(box=box(), show_header=False)
        table.add_column(style="bold", no_wrap=True)
        table.add_column(overflow="fold")
        for name, text in rows.items():
            table.add_row(name, Text(text))
        return table

    def __str__(self) -> str:
        from metaheur.running.shown import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        """The table and the best cost over time, for notebooks."""
        from metaheur.running.inline import html_of, steps

        if self.front is not None:
            return html_of(self.__rich__(), self.front.picture())
        names = self.levels or ("best cost",)
        return html_of(self.__rich__(), *(steps([(name, self.curve(k))]) for k, name in enumerate(names)))

    def curve(self, level: int = 0) -> list[tuple[float, float]]:
        """The best cost over time: seconds and cost of the start, of every improvement, and of the end.

        Parameters
        ----------
        level : int, default 0
            With levels, which of them is shown.
        """
        if self.front is not None:
            return []
        begin = [] if self.start_cost is None else [(0.0, self.start_cost)]
        points = [*begin, *((each.seconds, each.cost) for each in self.improvements), (self.seconds, self.cost)]
        return [(at, float(cost[level] if self.levels else cost)) for at, cost in points]

    def to_dataframe(self) -> Any:
        """A row for each improvement, as a `pandas.DataFrame`: iteration, cost, seconds, walk and evaluated.

        Raises
        ------
        InputError
            If pandas is not installed.
        """
        from metaheur.running.frame import data_frame

        names = ("iteration", "cost", "seconds", "walk", "evaluated")
        return data_frame(names, [tuple(getattr(each, name) for name in names) for each in self.improvements])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        from metaheur.running.frame import arrow_stream

        return arrow_stream(self, requested_schema)
