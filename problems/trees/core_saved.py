"""The arrays of a core in the state of a search, and the check of a core from a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.trees.core_decider import Core
from metaheur.problems.trees.core_items import CoreItems

__all__ = ["arrays_of", "core_of", "nothing", "require_core"]

NAMES: Final = ("weights", "profits", "paths", "parents", "changed")


def nothing() -> Mapping[str, np.ndarray]:
    """The arrays of a core before it begins; `ends` has `left`, `right` and `adds`."""
    kinds = dict(zip(NAMES, (np.int64, np.int64, np.int32, np.int32, np.int32), strict=True))
    return {"ends": np.zeros(3, np.int64), **{name: np.zeros(0, kind) for name, kind in kinds.items()}}


def arrays_of(core: Core) -> Mapping[str, np.ndarray]:
    """The arrays of a core, which a state of a search keeps."""
    ends = np.array([core.left, core.right, core.adds], np.int64)
    return {"ends": ends, **{name: getattr(core, name).copy() for name in NAMES}}


def core_of(saved: Mapping[str, np.ndarray]) -> Core:
    """The core that has these arrays; copies."""
    left, right, adds = saved["ends"].tolist()
    return Core(left, right, bool(adds), **{name: saved[name].copy() for name in NAMES})


def require_core(items: CoreItems, saved: Mapping[str, np.ndarray]) -> None:
    """Refuse a core if a state differs from the sums of the changes on its path."""
    if saved["ends"].shape != (3,):
        raise InputError("the ends of its core are not three numbers.")
    core, m = core_of(saved), len(items.order)
    parents, changed, paths = core.parents, core.changed, core.paths
    ends = 0 <= core.left <= items.first <= core.right <= m
    if not ends or any(each.ndim != 1 for each in (parents, changed, paths, core.weights, core.profits)):
        raise InputError(f"its core is from {core.left} to {core.right}, with {m} items.")
    nodes = len(parents)
    if not nodes or len(changed) != nodes or not len(paths) == len(core.weights) == len(core.profits):
        raise InputError("the arrays of its core have different lengths.")
    inside = (changed[1:] >= core.left) & (changed[1:] < core.right)
    if not inside.all() or not ((parents[1:] >= 0) & (parents[1:] < np.arange(1, nodes))).all():
        raise InputError("a node of its core changes an item outside, or comes before the node of its parent.")
    if len(paths) and not (paths.min() >= 0 and paths.max() < nodes):
        raise InputError("a state of its core has no path.")
    weights, profits = _sums(items, parents.tolist(), changed.tolist())
    right = (weights[paths] == core.weights).all() and (profits[paths] == core.profits).all()
    if not right or not ((np.diff(core.weights) > 0).all() and (np.diff(core.profits) > 0).all()):
        raise InputError("a state of its core differs from the sums of the changes on its path.")


def _sums(items: CoreItems, parents: list[int], changed: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The weight and the profit at the end of each path; a path goes away from the break item on both sides."""
    weights, profits = [items.break_weight], [items.break_profit]
    lowest, highest = [items.first], [items.first - 1]
    for node in range(1, len(parents)):
        parent, j = parents[node], changed[node]
        adds = j >= items.first
        if j <= highest[parent] if adds else j >= lowest[parent]:
            raise InputError(f"the path of node {node} of its core goes back to item {j}.")
        lowest.append(lowest[parent] if adds else j)
        highest.append(j if adds else highest[parent])
        sign = 1 if adds else -1
        weights.append(weights[parent] + sign * int(items.weights[j]))
        profits.append(profits[parent] + sign * int(items.profits[j]))
    return np.array(weights), np.array(profits)
