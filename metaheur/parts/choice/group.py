"""The moves of one group: functions that several loops and perturbations use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaheur.errors import InputError
from metaheur.neighborhood import Neighborhood
from metaheur.walk import EvaluatedSolution

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["best_of_group", "deltas_of_group", "require_groups"]


def require_groups(neighborhood: Neighborhood) -> None:
    """Refuse a neighborhood whose Python half does not define the moves of a group.

    Raises
    ------
    InputError
        If it does not; names the neighborhood.
    """
    if not neighborhood.grouped or neighborhood.resamples:
        raise InputError(
            f"{neighborhood!r} does not say which moves a group has.", "use Insertion(), Substitution() or Swap()."
        )


def deltas_of_group(
    neighborhood: Neighborhood, group: int, solution: EvaluatedSolution, evaluate: Evaluator
) -> list[int | float | None]:
    """The changes of cost of the moves of a group, in order; None for infeasible moves.

    In C++: ``evaluate_group(walk, neighborhood, group, out)``.
    """
    moves = evaluate.of(neighborhood)
    return [moves.delta(solution, k) for k in neighborhood.group(solution.representation, group)]


def best_of_group(
    neighborhood: Neighborhood, group: int, solution: EvaluatedSolution, evaluate: Evaluator
) -> tuple[int, int | float]:
    """Index and change of cost of the best move of a group, the first among equals; -1 if there is none.

    In C++: ``best_of_group(walk, neighborhood, group, out)``.
    """
    deltas = deltas_of_group(neighborhood, group, solution, evaluate)
    feasible = [(delta, k) for k, delta in enumerate(deltas) if delta is not None]
    if not feasible:
        return -1, 0
    delta, k = min(feasible)
    return neighborhood.group(solution.representation, group).start + k, delta
