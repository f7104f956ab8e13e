"""What formats add to the core: `solve` takes a file instead of a problem."""

from __future__ import annotations

import os

from metaheur.problem import Problem

__all__ = ["problem_of_file"]


def problem_of_file(path: str | os.PathLike[str]) -> Problem:
    """The problem in a file of any format that metaheur knows."""
    from metaheur.problems.reading import problem_from_file

    return problem_from_file(path)
