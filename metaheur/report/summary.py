"""The results of several seeds in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from metaheur.report.fronts import CommonReference, values_of
from metaheur.report.measures import extreme, feasible_share, quantile
from metaheur.running.result import Result

__all__ = ["Summary", "summarised"]


class Summary(NamedTuple):
    """The results of a search on a problem with a parallel model; only runs that are done count. None: not known.

    Attributes
    ----------
    problem, search, model : str
        Their names.
    runs, failed, interrupted : int
        The numbers of runs that are done, that failed, and that were interrupted.
    best, lower_quartile, median, upper_quartile, worst : int, float, tuple or None
        Statistics of the costs, as the user reads them; quantiles are interpolated, but with levels they are costs of
        runs. If the problem maximises, the best cost is the highest.
    target : int, float, tuple or None
        The cost to reach.
    success_rate : float or None
        The share of the runs that reached the target.
    time_to_target : float or None
        The median time in seconds to the target, of the runs that reached it.
    evaluations_to_target : float or None
        The median number of moves evaluated before the target, of the same runs.
    seconds : float or None
        The median time of a run, in seconds.
    measure : str
        What stands for a cost: "cost", or "hypervolume" where there are several objectives; see `Experiment.table`.
    feasible : float or None
        The share of the runs whose first level is 0, where costs have levels.
    """

    problem: str
    search: str
    model: str
    runs: int
    failed: int
    interrupted: int
    best: Any = None
    lower_quartile: Any = None
    median: Any = None
    upper_quartile: Any = None
    worst: Any = None
    target: Any = None
    success_rate: float | None = None
    time_to_target: float | None = None
    evaluations_to_target: float | None = None
    seconds: float | None = None
    measure: str = "cost"
    feasible: float | None = None


def summarised(
    names: tuple[str, ...],
    statuses: Sequence[str],
    results: Sequence[Result],
    target: Any,
    common: Callable[[], CommonReference] | None = None,
) -> Summary:
    """The line of some runs.

    `names`: the names of problem, search and model. `statuses`: the status of each run. `results`: the results of the
    runs that are done. `target`: the cost to reach. `common`: what fronts of all runs of the problem are compared with;
    by default that of these runs.
    """
    values: tuple[Any, ...]
    head: tuple[Any, ...] = (*names, *map(statuses.count, ("done", "failed", "interrupted")))
    if not results:
        return Summary(*head)._replace(target=target)
    seconds = float(np.median([result.seconds for result in results]))
    if results[0].front is not None:
        shares = values_of("hypervolume", results, common() if common else CommonReference.of(results))
        worst, *quartiles, best = np.quantile(shares, (0, 0.25, 0.5, 0.75, 1)).tolist()
        values = (*head, best, *quartiles, worst)
        return Summary(*values)._replace(seconds=seconds, measure="hypervolume")
    best, worst = (extreme(results, best=each) for each in (True, False))
    quartiles = [quantile(results, share) for share in (0.25, 0.5, 0.75)]
    reached = [hit for each in results if target is not None and (hit := each.reached(target)) is not None]
    rate = None if target is None else len(reached) / len(results)
    medians = np.median(reached, axis=0).tolist() if reached else (None, None)
    values = (*head, best, *quartiles, worst, target, rate, *medians, seconds)
    return Summary(*values)._replace(feasible=feasible_share(results))
