"""The first solutions of walks on problems with hard constraints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.searches.repair import evaluator_of_violations, feasible_start, require_feasible

__all__ = ["feasible_starts", "require_feasible_starts"]


def feasible_starts(problem: Problem, keys: Sequence[Key]) -> np.ndarray:
    """A feasible first solution for each walk, a row each."""
    evaluator = evaluator_of_violations(problem)
    return np.array([feasible_start(problem, key, evaluator) for key in keys])


def require_feasible_starts(problem: Problem, starts: np.ndarray) -> None:
    """Refuse given starts that are not feasible, if the problem counts violations."""
    for number, x in enumerate(np.unique(starts, axis=0)):
        require_feasible(problem, x, f"`start`, solution {number}, is {x}")
