"""Groups of moves, one at a time: what several loops and perturbations ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaheur.errors import InputError
from metaheur.neighborhood import Neighborhood
from metaheur.walk import EvaluatedSolution

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["best_of_group", "deltas_of_group", "require_groups"]


def require_groups(neighborhood: Neighborhood) -> None:
    """Refuse a neighborhood that does not say in Python which moves a group has.

    Raises
    ------
    InputError
        With the neighborhood.
    """
    if not neighborhood.grouped or neighborhood.resamples:
        raise InputError(
            f"{neighborhood!r} does not say which moves a group has.", "use Insertion(), Substitution() or Swap()."
        )


def deltas_of_group(
    neighborhood: Neighborhood, group: int, solution: EvaluatedSolution, evaluate: Evaluator
) -> list[int | float | None]:
    """The changes of cost of the moves of a group, in order; None for those that are infeasible.

    In C++: ``evaluate_group(walk, neighborhood, group, out)``.
    """
    moves = evaluate.of(neighborhood)
    return [moves.delta(solution, k) for k in neighborhood.group(solution.representation, group)]


def best_of_group(
    neighborhood: Neighborhood, group: int, solution: EvaluatedSolution, evaluate: Evaluator
) -> tuple[int, int | float]:
    """Index and change of cost of the best move of a group, of the first among equals; -1 where there is none.

    In C++: ``best_of_group(walk, neighborhood, group, out)``.
    """
    deltas = deltas_of_group(neighborhood, group, solution, evaluate)
    feasible = [(delta, k) for k, delta in enumerate(deltas) if delta is not None]
    if not feasible:
        return -1, 0
    delta, k = min(feasible)
    return neighborhood.group(solution.representation, group).start + k, delta
