"""Recompute costs and validate solutions during a run."""

from __future__ import annotations

from typing import final

from attrs import define, field

from metaheur.evaluators.costs import require_cost
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
        may differ by 1e-9 of the cost, or of the start's cost. Where changes of cost are derived from the cost, and
        `derives` does not demand it, `run` begins again instead, and evaluates moves in full, as a line on standard
        error and `Result.plan` say; watchers begin twice.
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
    where = f"At iteration {view.iterations} of {type(view.search).__name__} on {type(view.problem).__name__}"
    require_cost(view.problem, evaluated, f"{where} the {name}", view.start_cost)
