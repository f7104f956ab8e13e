"""Groups of moves, one at a time, as several loops and perturbations evaluate them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import attrs

from metaheur.errors import InputError
from metaheur.neighborhood import Neighborhood, require_neighborhood, resamples
from metaheur.representation import Representation
from metaheur.walk import EvaluatedSolution

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["Groups", "best_of_group", "deltas_of_group", "grouped", "grouped_field", "longest_group"]


@runtime_checkable
class Groups(Protocol):
    """A neighborhood that says in Python which moves a group has; `GroupScan` and some perturbations need one.

    `grouped` is part of it, since in compiled Python `group` is another function: the group of a move.
    """

    @property
    def grouped(self) -> bool:
        """Whether this instance has groups."""

    def groups(self, representation: Representation) -> int:
        """Number of groups."""

    def group(self, representation: Representation, g: int) -> range:
        """The indices of the moves of group g."""


def grouped(neighborhood: Neighborhood) -> Groups:
    """The neighborhood itself, if it has groups."""
    if not isinstance(neighborhood, Groups) or not neighborhood.grouped or resamples(neighborhood):
        raise InputError(
            f"{neighborhood!r} does not say which moves a group has.",
            "use Insertion(), Substitution() or Swap(), or write `grouped`, `groups` and `group`.",
        )
    return neighborhood


def grouped_field() -> Any:
    """Declare an attrs field that holds a neighborhood with groups."""

    def check(_: Any, __: attrs.Attribute[Any], value: Any) -> None:
        require_neighborhood(value, steady=True)
        grouped(value)

    return attrs.field(validator=check)


def longest_group(neighborhood: Neighborhood, representation: Representation) -> int:
    """Number of moves of the longest group, 1 at least."""
    groups = grouped(neighborhood)
    lengths = (len(groups.group(representation, g)) for g in range(groups.groups(representation)))
    return max(lengths, default=1) or 1


def deltas_of_group(
    neighborhood: Neighborhood, group: int, solution: EvaluatedSolution, evaluate: Evaluator
) -> list[int | float | None]:
    """The changes of cost of the moves of a group, in order; None for infeasible moves.

    In C++: ``evaluate_group(walk, neighborhood, group, out)``.
    """
    moves = evaluate.of(neighborhood)
    return [moves.delta(solution, k) for k in grouped(neighborhood).group(solution.representation, group)]


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
    return grouped(neighborhood).group(solution.representation, group).start + k, delta
