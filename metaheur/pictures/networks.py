"""Pictures of networks: local optima in two and three dimensions, and trajectories of searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from metaheur.errors import InputError
from metaheur.pictures.axes import STYLE, new_axes, pyplot

__all__ = ["draw_network", "draw_trajectories", "spring_layout"]

ROUNDS = 100
"""Rounds of the layout."""

AREA = 300.0
"""The largest area of a node, in square points."""

LEAST_AREA = 8.0
"""The smallest one."""


def spring_layout(count: int, sources: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Places of nodes in the plane such that edges are short and nodes keep apart; float64, shape (count, 2).

    T. M. J. Fruchterman and E. M. Reingold, "Graph drawing by force-directed placement", Software: Practice and
    Experience 21, 1991; begun on a spiral, so that a graph is always drawn the same.
    """
    angle = 2.399963 * np.arange(count)
    at = np.sqrt(np.arange(count) / max(1, count))[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    pull = np.zeros((count, count))
    share = weights / weights.max() if len(weights) else weights
    np.add.at(pull, (sources, targets), share)
    pull = np.minimum(pull + pull.T, 1)
    length = 1 / np.sqrt(max(1, count))
    for turn in range(ROUNDS):
        apart = at[:, None] - at[None]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-9)
        force = (apart * (length**2 / distance**2 - pull * distance / length)[..., None]).sum(axis=1)
        size = np.maximum(np.sqrt((force**2).sum(axis=1)), 1e-9)
        at += force / size[:, None] * np.minimum(size, 0.1 * (1 - turn / ROUNDS))[:, None]
    found: np.ndarray = at
    return found


def draw_network(network: Any, dimensions: int, most: int, ax: Any) -> Any:
    """Draw the best nodes of a local optima network; the third dimension is the cost."""
    if dimensions not in (2, 3):
        raise InputError(f"`dimensions` must be 2 or 3, but is {dimensions!r}.")
    kept = np.argsort(network.optima.heights, kind="stable")[:most]
    place = np.full(len(network), -1)
    place[kept] = np.arange(len(kept))
    sources, targets = place[network.sources], place[network.targets]
    inside = (sources >= 0) & (targets >= 0) & (sources != targets)
    sources, targets, weights = sources[inside], targets[inside], network.probabilities[inside]
    at = spring_layout(len(kept), sources, targets, weights)
    costs = network.optima.costs[kept]
    if ax is None:
        plt = pyplot()
        with plt.style.context(STYLE):
            ax = plt.figure(layout="constrained").add_subplot(projection="3d" if dimensions == 3 else None)
    strongest = np.argsort(-weights, kind="stable")[: 4 * most]
    points = at if dimensions == 2 else np.column_stack([at, costs])
    for source, target in zip(sources[strongest].tolist(), targets[strongest].tolist(), strict=True):
        ax.plot(*points[[source, target]].T, color="grey", linewidth=0.4, alpha=0.5, zorder=1)
    sizes = network.sizes[kept] / network.sizes[kept].max()
    funnel = network.funnels().deepest[kept]
    best = np.isin(kept, network.optima.best)
    colors = ["#D55E00" if top else f"C{int(f) % 10}" for f, top in zip(funnel, best, strict=True)]
    ax.scatter(*points.T, s=np.maximum(LEAST_AREA, AREA * sizes), c=colors, zorder=2)
    ax.set(xticks=[], yticks=[])
    if dimensions == 3:
        ax.set_zlabel("cost")
    else:
        ax.set_title(f"{len(kept)} of {len(network)} local optima")
    return ax


def draw_trajectories(network: Any, ax: Any) -> Any:
    """Draw a search trajectory network: a color for each search, grey where several meet."""
    ax = new_axes(ax)
    at = spring_layout(len(network.costs), network.sources, network.targets, network.weights)
    for source, target in zip(network.sources.tolist(), network.targets.tolist(), strict=True):
        ax.annotate("", at[target], at[source], arrowprops={"arrowstyle": "->", "color": "grey", "linewidth": 0.5})
    owner, best = network.visits.argmax(axis=1), network.costs == network.costs.min()
    colors = np.array(["grey" if shared else f"C{s}" for s, shared in zip(owner, network.shared, strict=True)])
    kinds = (("s", network.starts & ~best), ("^", network.ends & ~best), ("*", best))
    rest = ~(network.starts | network.ends | best)
    for marker, which in (("o", rest), *kinds):
        ax.scatter(*at[which].T, c=colors[which], marker=marker, s=120 if marker == "*" else 30, zorder=2)
    for s, name in enumerate(network.searches):
        ax.scatter([], [], c=f"C{s}", label=name)
    ax.legend(frameon=False)
    ax.set(xticks=[], yticks=[])
    return ax
