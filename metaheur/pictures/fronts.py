"""Pictures of fronts, by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from metaheur.errors import InputError
from metaheur.pictures.axes import subplots

__all__ = ["DrawnFront", "draw", "draw_attainment"]


class DrawnFront(Protocol):
    """The members of a front that are drawn; a `metaheur.archives.Front` has them."""

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""

    @property
    def minimised(self) -> np.ndarray:
        """The costs of all members, shape (m, K), all minimised."""

    @property
    def signs(self) -> np.ndarray:
        """-1 where an objective is maximised, shape (K,)."""

    @property
    def attainment(self) -> Any:
        """A function from fronts and percentiles to the surfaces that the fronts attained."""


def draw(fronts: Sequence[DrawnFront], labels: Sequence[str] = ()) -> Any:
    """Draw fronts of the same objectives; see `Front.plot`."""
    if any(front.objectives != fronts[0].objectives for front in fronts):
        raise InputError("Fronts that are drawn together must have the same objectives.")
    if labels and len(labels) != len(fronts):
        raise InputError(f"There are {len(fronts)} fronts to draw, but {len(labels)} labels.")
    return _draw(fronts[0], [front.minimised for front in fronts], labels)


def draw_attainment(fronts: Sequence[DrawnFront], percentiles: Sequence[float]) -> Any:
    """Draw the surfaces that some runs attained; see `Front.plot_attainment`."""
    surfaces = fronts[0].attainment(fronts, percentiles)
    sets = [surfaces[surfaces[:, -1] == percentile, :-1] for percentile in percentiles]
    return _draw(fronts[0], sets, [f"{percentile:g} % of {len(fronts)} runs" for percentile in percentiles])


def _draw(front: DrawnFront, sets: Sequence[np.ndarray], labels: Sequence[str]) -> Any:
    """Draw sets of costs, all minimised, for each pair of a front's objectives."""
    pairs = list(combinations(range(len(front.objectives)), 2))
    figure, axes = subplots(1, len(pairs), figsize=(4.8 * len(pairs), 4.2))
    for ax, (i, k) in zip(axes[0], pairs, strict=True):
        for number, costs in enumerate(sets):
            _draw_pair(ax, costs, front.signs, (i, k), label=labels[number] if labels else None)
        ax.set_xlabel(front.objectives[i])
        ax.set_ylabel(front.objectives[k])
    if labels:
        axes[0, 0].legend(frameon=False)
    return figure


def _draw_pair(ax: Any, costs: np.ndarray, signs: np.ndarray, pair: tuple[int, int], *, label: str | None) -> None:
    """Draw two of the objectives: as a staircase if there are no other objectives, else as points."""
    ordered = costs[np.argsort(costs[:, pair[0]], kind="stable")] * signs
    x, y = ordered[:, pair[0]], ordered[:, pair[1]]
    if len(signs) > 2:
        ax.plot(x, y, ".", markersize=4, alpha=0.7, label=label)
    else:
        ax.step(x, y, where="post", marker=".", linewidth=1, label=label)
