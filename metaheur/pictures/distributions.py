"""Pictures of several problems at once: shares of reached targets, performance profiles, mean ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.pictures.axes import new_axes
from metaheur.pictures.costs import LABELS, RunOnItsWay, changes, first_place

__all__ = ["Aims", "performance_profiles", "plot_profiles", "plot_ranks", "plot_targets", "share_of_targets"]

Aims = Sequence[tuple[RunOnItsWay, Sequence[Any]]]
"""Runs, each with the costs that it should reach."""


def share_of_targets(aims: Aims, x: str = "evaluations") -> tuple[np.ndarray, np.ndarray]:
    """The share of all targets of all runs that had been reached, over time: an empirical distribution.

    `aims`: the runs, and the costs that each should reach, as the user reads them. `x`, one of "evaluations",
    "iterations", "seconds": the quantity of the horizontal axis. Returns `places`, float64, shape (m,): 0, each time at
    which a target was reached, and the end of the longest run. `shares`, float64, shape (m,): the share of the targets
    that had been reached then.

    Notes
    -----
    N. Hansen, A. Auger, D. Brockhoff and T. Tušar, "Anytime performance assessment in blackbox optimization
    benchmarking", IEEE Transactions on Evolutionary Computation 26(6), 2022.
    """
    hits, count, end = [], 0, 0.0
    for result, targets in aims:
        count, end = count + len(targets), max(end, changes(result, x)[0][-1])
        hits += [place for target in targets if (place := first_place(result, target, x)) is not None]
    if not count:
        raise InputError("There is no run with a target.", "pass runs, and at least one target for each.")
    shares = np.arange(len(hits) + 1) / count
    return np.array([0, *np.sort(hits), end]), np.array([*shares, shares[-1]])


def plot_targets(groups: Mapping[str, Aims], x: str = "evaluations", *, ax: Any = None) -> Any:
    """Draw for each group the share of targets that its runs had reached, over time; see `share_of_targets`."""
    curves = {name: share_of_targets(aims, x) for name, aims in groups.items()}
    later = np.concatenate([places[places > 0] for places, _ in curves.values()])
    ax = _steps(curves, ax)
    if later.size:
        ax.set_xscale("symlog", linthresh=later.min(), linscale=0.5)
    ax.set(ylim=(0, 1.02), xlabel=LABELS[x], ylabel="share of targets that were reached")
    return ax


def performance_profiles(
    times: Mapping[str, Mapping[str, float]],
) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
    """How often each method is at most so many times as slow as the fastest one.

    `times`: for each problem, what each method takes, more than 0; infinite where it fails. A problem at which all
    methods fail counts as one that none solves. Returns for each method the ratios, from 1 on, at which its share of
    the problems grows, and these shares.

    Notes
    -----
    E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical Programming
    91, 2002, section 2.
    """
    methods = tuple(dict.fromkeys(name for each in times.values() for name in each))
    if not methods:
        raise InputError("A performance profile needs times of methods on problems, but there are none.")
    ratios: dict[str, list[float]] = {name: [] for name in methods}
    for problem, each in times.items():
        for name in methods:
            if not each.get(name, 0) > 0:
                raise InputError(f"The time of {name} on {problem} must be more than 0, but is {each.get(name)}.")
        fastest = min(each.values())
        for name in methods:
            ratios[name].append(each[name] / fastest if np.isfinite(each[name]) else np.inf)
    found = {}
    for name, values in ratios.items():
        places = np.unique([1.0, *(each for each in values if np.isfinite(each))])
        found[name] = places, np.array([sum(each <= place for each in values) for place in places]) / len(times)
    return found


def plot_profiles(times: Mapping[str, Mapping[str, float]], *, ax: Any = None) -> Any:
    """Draw performance profiles; see `performance_profiles`."""
    profiles = performance_profiles(times)
    end = 1.1 * max(places[-1] for places, _ in profiles.values())
    curves = {
        name: (np.append(places, end), np.append(shares, shares[-1])) for name, (places, shares) in profiles.items()
    }
    ax = _steps(curves, ax)
    ax.set(
        xscale="log", xlim=(1, end), ylim=(0, 1.02), xlabel="times as long as the fastest", ylabel="share of problems"
    )
    return ax


def plot_ranks(
    ranks: Mapping[str, float], groups: Sequence[Sequence[str]], *, difference: float | None = None, ax: Any = None
) -> Any:
    """Draw mean ranks on a line, the best one on the left, and a bar over each group of methods that do not differ.

    `ranks`: the mean rank of each method. `groups`: methods that no test tells apart. `difference`: a critical
    difference, drawn as a length. `ax`: the axes on which it is drawn; new ones by default.

    Notes
    -----
    J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning Research 7,
    2006, figure 1.
    """
    ax = new_axes(ax)
    ordered = sorted(ranks, key=lambda name: ranks[name])
    half = -(-len(ordered) // 2)
    for place, name in enumerate(ordered):
        left = place < half
        height = -1 - (place if left else len(ordered) - 1 - place) - len(groups) * 0.4
        edge = 0.6 if left else len(ordered) + 0.4
        ax.plot([ranks[name], ranks[name], edge], [0, height, height], color="black", linewidth=1)
        ax.text(edge, height, f" {name} ", ha="right" if left else "left", va="center")
    for place, group in enumerate(groups):
        inside = [ranks[name] for name in group]
        height = -0.4 * (place + 1)
        ax.plot([min(inside) - 0.03, max(inside) + 0.03], [height, height], color="black", linewidth=4)
    if difference is not None:
        ax.plot([1, 1 + difference], [0.9, 0.9], color="black", linewidth=2)
        ax.text(1 + difference / 2, 1.0, f"critical difference {difference:.3g}", ha="center", va="bottom")
    ax.plot([1, len(ordered)], [0, 0], color="black", linewidth=1)
    for rank in range(1, len(ordered) + 1):
        ax.plot([rank, rank], [0, 0.2], color="black", linewidth=1)
        ax.text(rank, 0.3, str(rank), ha="center", va="bottom")
    ax.set(xlim=(-0.5, len(ordered) + 1.5), ylim=(-half - 1.5 - len(groups) * 0.4, 2))
    ax.set_axis_off()
    return ax


def _steps(curves: Mapping[str, tuple[np.ndarray, np.ndarray]], ax: Any) -> Any:
    """Draw each curve as steps, with its name."""
    ax = new_axes(ax)
    for name, (places, shares) in curves.items():
        ax.step(places, shares, where="post", label=name)
    ax.legend(frameon=False)
    return ax
