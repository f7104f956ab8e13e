"""What open loops add to the core: workers that evaluate solutions, for `SolutionLevel`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from metaheur.problem import Problem
from metaheur.running.runner import Runner
from metaheur.search import Search

if TYPE_CHECKING:
    from metaheur.parallel import SolutionLevel

__all__ = ["by_workers"]


def by_workers(model: SolutionLevel, search: Search[Any], problem: Problem) -> Runner:
    """The runner of a model's walks, whose solutions the workers of its executor evaluate."""
    from metaheur.open.runner import Evaluating
    from metaheur.open.worker_pool import WorkerPool

    pool = model.executor if isinstance(model.executor, WorkerPool) else WorkerPool(model.executor)
    return Evaluating.of(pool, model, search, problem)
