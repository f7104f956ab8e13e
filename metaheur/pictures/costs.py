"""Pictures of results, by matplotlib: costs in the course of a run, medians of many runs, time to target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Protocol

import numpy as np

from metaheur.errors import InputError
from metaheur.pictures.axes import new_axes, subplots
from metaheur.problem import reaches
from metaheur.running.shown import cost_text

__all__ = ["RunOnItsWay", "plot_cost", "plot_costs", "plot_time_to_target"]


class RunOnItsWay(Protocol):
    """The members of a run that are drawn; a `metaheur.Result` has them."""

    @property
    def iterations(self) -> int:
        """Steps made."""

    @property
    def evaluated(self) -> int:
        """Moves evaluated."""

    @property
    def seconds(self) -> float:
        """The time since the call of `run`, without compiling."""

    @property
    def improvements(self) -> Sequence[Any]:
        """Every new best solution, in order."""

    @property
    def start_cost(self) -> Any:
        """The cost of the start; None if it is not known."""

    @property
    def cost(self) -> Any:
        """The best cost."""

    @property
    def maximise(self) -> bool:
        """Whether a higher cost is better."""

    @property
    def proof(self) -> Any:
        """The proof of an exact search; None for other searches."""


LABELS = {"iterations": "iterations", "evaluations": "moves evaluated", "seconds": "seconds"}
"""The quantities of the horizontal axis, and their labels."""

POINTS = 2000
"""The most places at which the costs of several runs are compared."""


def plot_cost(result: RunOnItsWay, x: str = "iterations", *, ax: Any = None) -> Any:
    """Draw the best cost in the course of a run, as `Result.plot` does; of an exact search its bound, too.

    `result`: the run. `x`, one of "iterations", "evaluations", "seconds": the quantity of the horizontal axis. `ax`:
    the axes on which it is drawn; new ones by default.
    """
    settled = settled_levels([result])
    places, costs = steps(result, x, settled)
    ax = new_axes(ax)
    ax.step(places, costs, where="post")
    if result.proof is not None and result.proof.bound is not None:
        ax.axhline(result.proof.bound, linestyle="--", color="gray", label=f"bound: {result.proof.status}")
        ax.legend(frameon=False)
    _logarithmic(ax, places)
    return _named(ax, x, _label([result], settled))


def plot_costs(groups: Mapping[str, Sequence[RunOnItsWay]], x: str = "evaluations", *, ax: Any = None) -> Any:
    """Draw the best costs in the course of several runs: for each group the median, and the range of the quartiles.

    A run that has ended keeps its cost. A group is drawn as far as its longest run.

    `groups`: the runs of each group by its name, such as the runs of one search. `x`, one of "evaluations",
    "iterations", "seconds": the quantity of the horizontal axis. `ax`: the axes on which it is drawn; new ones by
    default.
    """
    every = [each for results in _filled(groups).values() for each in results]
    settled = settled_levels(every)
    curves = {name: quartiles(results, x, settled) for name, results in groups.items()}
    ax = new_axes(ax)
    for name, (places, (low, median, high)) in curves.items():
        (line,) = ax.step(places, median, where="post", label=name)
        ax.fill_between(places, low, high, step="post", alpha=0.25, color=line.get_color(), linewidth=0)
    _logarithmic(ax, np.concatenate([places for places, _ in curves.values()]))
    ax.legend(frameon=False)
    return _named(ax, x, f"{_label(every, settled)}, median and quartiles")


def plot_time_to_target(
    groups: Mapping[str, Sequence[RunOnItsWay]], target: Any, x: str = "seconds", *, ax: Any = None
) -> Any:
    """Draw for each group the share of its runs that had reached a target, over time: an empirical distribution.

    `groups`: the runs of each group by its name. `target`: the cost to reach, as the user reads it. `x`, one of
    "seconds", "evaluations", "iterations": the quantity of the horizontal axis. `ax`: the axes on which it is drawn;
    new ones by default.

    Notes
    -----
    R. M. Aiex, M. G. C. Resende and C. C. Ribeiro, "TTT plots: a perl program to create time-to-target plots",
    Optimization Letters 1, 2007.
    """
    curves = {name: distribution(results, target, x) for name, results in _filled(groups).items()}
    ax = new_axes(ax)
    for name, (places, shares) in curves.items():
        ax.step(places, shares, where="post", label=name)
    ax.set_ylim(0, 1.02)
    ax.legend(frameon=False)
    return _named(ax, x, f"share of runs that reached {cost_text(target)}")


def settled_levels(results: Sequence[RunOnItsWay]) -> tuple[Any, ...]:
    """The first levels of the costs on which all runs end, but for the last level, which is drawn then; () without."""
    costs = [each.cost for each in results if isinstance(each.cost, tuple)]
    if not costs:
        return ()
    alike = (column for column in zip(*(cost[:-1] for cost in costs), strict=True))
    return tuple(column[0] for column in takewhile(lambda column: len(set(column)) == 1, alike))


def _label(results: Sequence[RunOnItsWay], settled: tuple[Any, ...]) -> str:
    """What the vertical axis shows."""
    names = next((levels for each in results if (levels := getattr(each, "levels", ()))), ())
    if not names:
        return "best cost"
    where = ", ".join(f"{name} is {number:,}" for name, number in zip(names, settled, strict=False))
    return f"best {names[len(settled)]}" + (f" where {where}" if where else "")


def steps(result: RunOnItsWay, x: str, settled: tuple[Any, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """The places where the best cost of a run changed, with the start and the end of the run, and the costs there.

    `settled`: of levels, the next one is drawn; it is infinite where the levels before it are not these.

    Returns `places, costs`, float64, shape (m,): places are sorted, from 0 on; the last one is where the run ended.
    """
    places, costs = changes(result, x)
    k = len(settled)
    numbers = [(c[k] if c[:k] == settled else np.inf) if isinstance(c, tuple) else c for c in costs]
    return places, np.array(numbers, float)


def changes(result: RunOnItsWay, x: str) -> tuple[np.ndarray, list[Any]]:
    """The same with the costs as they are."""
    end = {"iterations": result.iterations, "evaluations": result.evaluated, "seconds": result.seconds}
    if x not in end:
        raise InputError(f"`x` must be one of {', '.join(end)}, but is {x!r}.")
    field = {"iterations": "iteration", "evaluations": "evaluated", "seconds": "seconds"}[x]
    places = [getattr(each, field) for each in result.improvements]
    costs = [each.cost for each in result.improvements]
    if result.start_cost is not None:
        places, costs = [0, *places], [result.start_cost, *costs]
    return np.array([*places, end[x]], float), [*costs, result.cost]


def first_place(result: RunOnItsWay, target: Any, x: str) -> float | None:
    """Where a run reached a target; None if it did not."""
    found = (
        place
        for place, cost in zip(*changes(result, x), strict=True)
        if reaches(cost, target, maximise=result.maximise)
    )
    return next(found, None)


def quartiles(results: Sequence[RunOnItsWay], x: str, settled: tuple[Any, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """The quartiles of the best costs of several runs at the places where any of them changed.

    Returns `places`, shape (m,): the places; at most 2,000, evenly chosen among all, and the last place. `costs`, shape
    (3, m): lower quartile, median and upper quartile.
    """
    curves = [steps(result, x, settled) for result in results]
    begin = max(places[0] for places, _ in curves)  # before it, not every run has a cost
    places = np.unique(np.concatenate([places for places, _ in curves]))
    places = places[places >= begin]
    if len(places) > POINTS:
        places = places[np.unique(np.linspace(0, len(places) - 1, POINTS).astype(int))]
    costs = [costs[np.searchsorted(at, places, side="right") - 1] for at, costs in curves]
    whole = any(isinstance(each.cost, tuple) for each in results)  # infinite costs have nothing between them
    return places, np.quantile(costs, (0.25, 0.5, 0.75), axis=0, method="inverted_cdf" if whole else "linear")


def distribution(results: Sequence[RunOnItsWay], target: Any, x: str) -> tuple[np.ndarray, np.ndarray]:
    """The share of the runs that had reached a target, over time.

    Returns `places`, shape (m,): 0, each time at which a run reached the target, and the time of the longest run.
    `shares`, shape (m,): the share of all runs, including runs that never reached the target.
    """
    hits = [place for each in results if (place := first_place(each, target, x)) is not None]
    end = max(changes(each, x)[0][-1] for each in results)
    found = np.sort(hits)
    shares = np.arange(len(found) + 1) / len(results)
    return np.array([0, *found, end]), np.array([*shares, shares[-1]])


def figure(pictures: int) -> tuple[Any, list[Any]]:
    """A figure with so many pictures, at most three beside each other, and their axes."""
    columns = min(3, pictures)
    rows = -(-pictures // columns)
    drawn, axes = subplots(rows, columns, figsize=(6.4 * columns, 4.8 * rows))
    for ax in axes.flat[pictures:]:
        ax.remove()
    return drawn, list(axes.flat[:pictures])


def _filled(groups: Mapping[str, Sequence[RunOnItsWay]]) -> Mapping[str, Sequence[RunOnItsWay]]:
    empty = [name for name, results in groups.items() if not results]
    if empty or not groups:
        raise InputError(f"The group {empty[0]!r} has no results." if empty else "There are no results to draw.")
    return groups


def _logarithmic(ax: Any, places: np.ndarray) -> None:
    """Make the horizontal axis logarithmic, as costs fall most at the beginning; the start stays at 0."""
    later = places[places > 0]
    if later.size:
        ax.set_xscale("symlog", linthresh=later.min(), linscale=0.5)


def _named(ax: Any, x: str, y: str) -> Any:
    ax.set_xlabel(LABELS[x])
    ax.set_ylabel(y)
    return ax
