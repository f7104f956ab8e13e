"""What a configuration costs: the best cost of runs with an exact budget of work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from metaheur import stop
from metaheur.door.run import run
from metaheur.door.seeds import most_walks, run_seeds
from metaheur.errors import InputError
from metaheur.problem import Problem, minimised
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.searches.recommendation import Recommendation

__all__ = ["Measured", "measured", "require_one_objective"]


class Measured(NamedTuple):
    """A run of a configuration.

    `cost`: the best cost; lower is better, so that it is negative where a problem maximises. `work`: the moves that
    were evaluated, times the price of the search.
    """

    cost: float
    work: int


def measured(
    search: Search[Any] | Recommendation,
    problem: Problem,
    *,
    seeds: Sequence[int],
    each: int,
    parallel: ParallelModel | str,
) -> list[Measured]:
    """A run for each seed, each the same as ``run(search, problem, stop=stop.evaluations(each), seed=seed)``.

    Runs are the walks of one launch where possible. A Recommendation brings its start, and its price divides the moves.
    """
    found, start, price = (
        (search.search, search.start, search.price) if isinstance(search, Recommendation) else (search, None, 1)
    )
    limit = stop.evaluations(max(1, each // price))
    most = most_walks(found, problem, limit, parallel) if len(seeds) > 1 else 1
    results = []
    for begin in range(0, len(seeds), most):
        some = seeds[begin : begin + most]
        if len(some) > 1:
            results += run_seeds(found, problem, stop=limit, seeds=some, start=start, parallel=parallel)
        else:
            results.append(run(found, problem, stop=limit, seed=some[0], start=start, parallel=parallel))
        if results[-1].stopped_by == "interrupt":
            raise KeyboardInterrupt
    sign = -1 if problem.maximise else 1
    return [
        Measured(float(minimised(problem, each.cost) if each.levels else sign * each.cost), price * each.evaluated)
        for each in results
    ]


def require_one_objective(problem: Problem) -> None:
    """Refuse a problem with several objectives."""
    if problem.objectives:
        raise InputError(
            f"Tuning compares single costs, but this {type(problem).__name__} has {', '.join(problem.objectives)}.",
            "make one cost of them with Scalarised.",
        )
