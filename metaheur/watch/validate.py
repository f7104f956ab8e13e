"""Recompute costs on the way, and validate solutions."""

from __future__ import annotations

import math
from typing import final

from attrs import define, field

from metaheur.errors import CheckFailed, InputError
from metaheur.evaluators.evaluator import python_cost
from metaheur.running.view import View
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution
from metaheur.watch.watcher import Watcher

__all__ = ["Validate"]


@final
@define(eq=False)
class Validate(Watcher):
    """Recomputes the current and the best cost in full, and validates both solutions.

    Parameters
    ----------
    every : int, default 1000
        Iterations between two checks; the start and the end are checked as well.

    Raises
    ------
    CheckFailed
        At the first iteration where a solution is invalid, or does not cost what the search says. Costs of type float64
        may differ by a relative 1e-9.
    """

    every: int = whole_field(default=1000)
    _checked: int = field(default=-1, init=False, repr=False)

    def begin(self, view: View) -> None:
        self.look(view)

    def next_look(self, view: View) -> int:
        return view.iterations - view.iterations % self.every + self.every

    def look(self, view: View) -> None:
        self._checked = view.iterations
        _check(view, "current", view.walk.current)
        _check(view, "best", view.walk.best)

    def end(self, view: View) -> None:
        if view.intact and view.iterations != self._checked:
            self.look(view)


def _check(view: View, name: str, evaluated: EvaluatedSolution) -> None:
    problem = view.problem
    where = f"At iteration {view.iterations} of {type(view.search).__name__} on {type(problem).__name__}"
    try:
        solution = problem.representation.validate(evaluated.solution)
    except InputError as error:
        raise CheckFailed(f"{where} the {name} solution is invalid: {error.reason}") from error
    true = python_cost(problem, solution)
    exact = problem.cost_type != "float64"
    if evaluated.cost != true if exact else not math.isclose(evaluated.cost, true, rel_tol=1e-9, abs_tol=1e-9):
        raise CheckFailed(
            f"{where} the {name} cost is reported as {problem.displayed(evaluated.cost)}, "
            f"but {type(problem).__name__}.cost gives {problem.displayed(true)}.",
            "check the problem's `delta` with metaheur.testing.check_problem.",
        )
