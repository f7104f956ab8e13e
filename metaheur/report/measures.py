"""Measures of several runs: what the cell of a table holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from math import ceil
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from metaheur.errors import InputError
from metaheur.report.fronts import OF_FRONTS, CommonReference, median_of
from metaheur.report.table import LevelledCost
from metaheur.running.result import Result

__all__ = ["MEASURES", "OF_TARGETS", "extreme", "feasible_share", "measured", "quantile", "scipy_stats"]

Results = Sequence[Result]


def scipy_stats() -> Any:
    """The module scipy.stats."""
    try:
        return import_module("scipy.stats")
    except ImportError as error:
        raise InputError(
            "Intervals and tests need scipy, which is not installed.", "pip install 'metaheur[stats]'."
        ) from error


def _costs(results: Results) -> np.ndarray:
    return np.array([each.cost for each in results])


def extreme(results: Results, *, best: bool) -> Any:
    """The best or the worst cost."""
    found = (max if results[0].maximise == best else min)(each.cost for each in results)
    return LevelledCost(found) if isinstance(found, tuple) else found


def quantile(results: Results, share: float) -> Any:
    """An interpolated quantile of the costs; if they have levels, the least cost that this share does not exceed."""
    costs = sorted(each.cost for each in results)
    if isinstance(costs[0], tuple):
        return LevelledCost(costs[max(0, ceil(share * len(costs)) - 1)])
    return float(np.quantile(costs, share))


def _of_levels(number: Any) -> Any:
    """A statistic of costs: one number, or one for each level."""
    return LevelledCost(number.tolist()) if np.ndim(number) else float(number)


def feasible_share(results: Results) -> float | None:
    """The share of the runs whose first level is 0; None without levels."""
    return sum(each.feasible for each in results) / len(results) if results[0].levels else None


def _interval(results: Results, _: Any) -> tuple[float, float] | None:
    """The 95 % bootstrap interval of the median, of 9,999 samples; None for a single run."""
    if len(results) < 2:
        return None
    if results[0].levels:
        raise InputError("`interval` is of one number, but these costs have levels.", 'use "quartiles".')
    sampled = scipy_stats().bootstrap(
        (_costs(results),), np.median, method="percentile", rng=np.random.default_rng(0), batch=1000
    )
    interval = sampled.confidence_interval
    return float(interval.low), float(interval.high)


def _reached(results: Results, target: float) -> list[tuple[float, int]]:
    return [hit for each in results if (hit := each.reached(target)) is not None]


def _success_rate(results: Results, target: float) -> float:
    return len(_reached(results, target)) / len(results)


def _expected(results: Results, target: float, place: int) -> float:
    """The sum over all runs, up to the target or the end, divided by the runs that reached it; infinite if none did."""
    took, successes = 0.0, 0
    for each in results:
        hit = each.reached(target)
        took += (each.seconds, each.evaluated)[place] if hit is None else hit[place]
        successes += hit is not None
    return took / successes if successes else float("inf")


MEASURES: Final[Mapping[str, Callable[[Results, Any], Any]]] = MappingProxyType(
    {
        "runs": lambda results, _: len(results),
        "best": lambda results, _: extreme(results, best=True),
        "worst": lambda results, _: extreme(results, best=False),
        "mean": lambda results, _: _of_levels(_costs(results).mean(axis=0)),
        "deviation": lambda results, _: _of_levels(_costs(results).std(axis=0, ddof=1)) if len(results) > 1 else None,
        "median": lambda results, _: quantile(results, 0.5),
        "quartiles": lambda results, _: tuple(
            quantile(results, share) for share in ((0.75, 0.25) if results[0].maximise else (0.25, 0.75))
        ),
        "feasible": lambda results, _: feasible_share(results),
        "interval": _interval,
        "seconds": lambda results, _: float(np.median([each.seconds for each in results])),
        "iterations": lambda results, _: float(np.median([each.iterations for each in results])),
        "evaluated": lambda results, _: float(np.median([each.evaluated for each in results])),
        "success_rate": _success_rate,
        "ert": lambda results, target: _expected(results, target, 1),
        "ert_seconds": lambda results, target: _expected(results, target, 0),
    }
)
"""Measures by name; see `Experiment.table`."""

OF_TARGETS: Final = ("success_rate", "ert", "ert_seconds")
"""Measures that need a cost to reach."""

_OF_COSTS: Final = ("best", "worst", "mean", "deviation", "median", "quartiles", "interval")


def measured(
    name: str, results: Results, target: float | None, common: Callable[[], CommonReference] | None = None
) -> Any:
    """A measure of some runs; None if there are none, or if it needs a target and there is none.

    `name`: the measure. `results`: the runs. `target`: the cost to reach. `common`: what fronts of all runs of the
    problem are compared with; by default that of these runs.
    """
    if name not in MEASURES and name not in OF_FRONTS:
        raise InputError(f"`value` must be one of {', '.join((*MEASURES, *OF_FRONTS))}, but is {name!r}.")
    if name in OF_FRONTS:
        return median_of(name, results, common() if common else CommonReference.of(results)) if results else None
    if not results or (name in OF_TARGETS and target is None):
        return None
    if name in _OF_COSTS + OF_TARGETS and isinstance(results[0].cost, tuple) and not results[0].levels:
        raise InputError(
            f"`{name}` is of one objective, but the runs have several.",
            "use hypervolume, epsilon, igd_plus or members.",
        )
    return MEASURES[name](results, target)
