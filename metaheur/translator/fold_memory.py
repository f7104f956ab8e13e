"""The memory of costs that are folds: the table of the numbers at the start, and the arrays kept beside a walk."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from metaheur.fields import Array
from metaheur.problem import Problem
from metaheur.translator.facts import facts_of
from metaheur.translator.folds import numbers, start_of
from metaheur.translator.joins import joins

__all__ = ["fold_arrays", "fold_start"]

PADDING = 8
"""As many numbers as lanes."""


def fold_start(problem: Problem) -> Mapping[str, np.ndarray]:
    """The table of the numbers at the start of a fold."""
    floating = problem.cost_type == "float64"
    return {"fold_start": np.array(numbers(start_of(problem)), np.float64 if floating else np.int64)}


def fold_arrays(problem: Problem) -> Mapping[str, Array]:
    """The arrays that a fold keeps beside a walk.

    They are the state before each item and at the end, two numbers, scratch memory for a solution without an item, and,
    if the fold `joins`, what the items behind each position add. Vectors of the last positions are read beyond the end.
    """
    count, n = len(numbers(start_of(problem))), problem.representation.length
    states, tails = (n + 1) * count, 0
    if joins(facts_of(problem, problem.representation, cost_type=problem.cost_type)):
        states, tails = states + PADDING, (n + 1) * (count + 1) + PADDING
    arrays = {
        "fold_states": Array((states,), "cost"),
        "fold_facts": Array((2,), "cost"),
        "fold_others": Array((1, states + tails + n), "cost", scratch=True),
    }
    return {**arrays, "fold_tails": Array((tails,), "cost")} if tails else arrays
