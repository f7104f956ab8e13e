"""Pictures of solutions, by matplotlib: tours, schedules, assignments."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np

from metaheur.errors import InputError
from metaheur.pictures.axes import new_axes, pyplot

__all__ = ["DrawsSolutions", "draw_assignment", "draw_schedule", "draw_solution", "draw_tour"]


@runtime_checkable
class DrawsSolutions(Protocol):
    """A problem that knows how its solutions are drawn; `Result.plot_solution` asks."""

    def draw(self, x: Any, ax: Any) -> None:
        """Draw a solution. `x`, shape (n,): a valid solution. `ax`: the axes on which it is drawn."""


def draw_solution(problem: Any, x: Any, ax: Any = None) -> Any:
    """Draw a solution of a problem that knows how; see `Result.plot_solution`."""
    if not isinstance(problem, DrawsSolutions):
        raise InputError(
            f"{type(problem).__name__} does not say how a solution is drawn.", "give it a method draw(x, ax)."
        )
    axes = new_axes(ax)
    problem.draw(problem.representation.validate(x), axes)  # type: ignore[attr-defined]
    return axes


def draw_tour(places: np.ndarray, tour: np.ndarray, ax: Any) -> None:
    """Draw a closed tour through places, shape (n, 2)."""
    around = places[np.append(tour, tour[0])]
    ax.plot(around[:, 0], around[:, 1], linewidth=0.8)
    ax.plot(places[:, 0], places[:, 1], "o", markersize=2, color="black")
    ax.set_aspect("equal")


def draw_schedule(begins: np.ndarray, times: np.ndarray, sequence: np.ndarray, ax: Any) -> None:
    """Draw a Gantt chart: a row for each machine, a bar for each job of a sequence.

    `begins`, `times`, shape (n, m): when the job at each position begins on each machine, and how long that takes.
    `sequence`, shape (n,): the jobs. `ax`: the axes on which it is drawn.
    """
    colors = pyplot().get_cmap("viridis")(np.linspace(0, 1, len(sequence)))
    for machine in range(times.shape[1]):
        ax.barh(machine, times[:, machine], left=begins[:, machine], height=0.8, color=colors[sequence])
    ax.set_yticks(range(times.shape[1]))
    ax.invert_yaxis()
    ax.set_xlabel("time")
    ax.set_ylabel("machine")


def draw_assignment(flows: np.ndarray, distances: np.ndarray, ax: Any) -> None:
    """Draw the flow of each pair of facilities over its distance: in good assignments, large flows go short distances.

    `flows`, `distances`, shape (n, n): the flows between the facilities, and the distances between the locations to
    which they are assigned. `ax`: the axes on which it is drawn.
    """
    pairs = ~np.eye(len(flows), dtype=bool) & (flows != 0)
    ax.plot(distances[pairs], flows[pairs], ".", markersize=3, alpha=0.5)
    ax.set_xlabel("distance")
    ax.set_ylabel("flow")
