"""Pictures of fronts, by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.archives.front import Front

__all__ = ["draw"]


def draw(fronts: Sequence[Front], labels: Sequence[str] = ()) -> Any:
    """Draw fronts of the same objectives; see `Front.plot`."""
    names = fronts[0].objectives
    if any(front.objectives != names for front in fronts):
        raise InputError("Fronts that are drawn together must have the same objectives.")
    if labels and len(labels) != len(fronts):
        raise InputError(f"There are {len(fronts)} fronts to draw, but {len(labels)} labels.")
    pairs = list(combinations(range(len(names)), 2))
    figure, axes = _pyplot().subplots(
        1, len(pairs), squeeze=False, layout="constrained", figsize=(4.8 * len(pairs), 4.2)
    )
    for ax, (i, k) in zip(axes[0], pairs, strict=True):
        for f, front in enumerate(fronts):
            _draw(ax, front, i, k, label=labels[f] if labels else None)
        ax.set_xlabel(names[i])
        ax.set_ylabel(names[k])
    if labels:
        axes[0, 0].legend()
    return figure


def _draw(ax: Any, front: Front, i: int, k: int, *, label: str | None) -> None:
    """Two of the objectives: a staircase where there are no others, points where there are."""
    if len(front.objectives) > 2:
        ax.plot(front.costs[:, i], front.costs[:, k], ".", markersize=4, alpha=0.7, label=label)
        return
    order = np.argsort(front.minimised[:, i], kind="stable")
    x, y = front.costs[order, i], front.costs[order, k]
    ax.step(x, y, where="post", marker=".", linewidth=1, label=label)


def _pyplot() -> Any:
    """The drawing interface of matplotlib, which is optional."""
    try:
        return import_module("matplotlib.pyplot")
    except ImportError as error:
        raise InputError(
            "A picture needs matplotlib, which is not installed.", "pip install 'metaheur[plot]'."
        ) from error
