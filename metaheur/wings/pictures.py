"""What pictures add to the core: functions that draw runs, solutions and proofs."""

from __future__ import annotations

from typing import Any

__all__ = ["draw_solution", "draw_tree", "plot_cost"]


def plot_cost(*drawn: Any, ax: Any) -> Any:
    """Draw the costs of a run."""
    from metaheur.pictures.costs import plot_cost

    return plot_cost(*drawn, ax=ax)


def draw_solution(*drawn: Any) -> Any:
    """Draw a solution of a problem."""
    from metaheur.pictures.solutions import draw_solution

    return draw_solution(*drawn)


def draw_tree(*drawn: Any) -> Any:
    """Draw what became of the nodes of a tree."""
    from metaheur.pictures.trees import draw_tree

    return draw_tree(*drawn)
