"""Dominance: which of two costs of several objectives is better, and which of many costs are non-dominated.

All comparisons are exact: a tolerance would make dominance intransitive. Smaller is better in every objective.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.archives.filter import Filter

__all__ = ["covered", "covers", "nondominated"]

PAIRS = 1 << 22
"""Pairs of costs that are compared at a time."""


def covers(a: Any, b: Any) -> Any:
    """Whether a weakly dominates b: a is not larger in any objective.

    Parameters
    ----------
    a, b : array_like, shape (..., K)
        Costs; they broadcast.

    Returns
    -------
    numpy.ndarray of bool, shape (...)
    """
    return (np.asarray(a) <= np.asarray(b)).all(axis=-1)


def covered(costs: Any, by: Any, *, device: str = "numpy") -> Any:
    """Which costs are weakly dominated by at least one other cost.

    Parameters
    ----------
    costs : numpy.ndarray, shape (m, K)
        The costs that may be dominated.
    by : numpy.ndarray, shape (N, K)
        The costs that may dominate them.
    device : str, keyword-only
        The device, "numpy" by default; as in `nondominated`.

    Returns
    -------
    numpy.ndarray of bool, shape (m,)
    """
    if device != "numpy":
        return _filter(costs, device).covered(costs, by)
    costs, by = np.asarray(costs), np.asarray(by)
    found = np.zeros(len(costs), bool)
    if not len(by):
        return found
    each = max(1, PAIRS // len(by))
    for first in range(0, len(costs), each):
        some = costs[first : first + each]
        pairs = np.ones((len(some), len(by)), bool)
        for k in range(costs.shape[1]):
            pairs &= by[None, :, k] <= some[:, None, k]
        found[first : first + each] = pairs.any(axis=1)
    return found


def nondominated(costs: Any, *, device: str = "numpy") -> Any:
    """Which costs are non-dominated; of equal costs only the first.

    For two objectives the costs are sorted; for more, they are sorted and compared with the front found so far.
    Compiled devices are for many costs; a CPU divides and conquers, in O(m log(m)^(K - 2)).

    Parameters
    ----------
    costs : numpy.ndarray, shape (m, K)
        A cost per row, of whole or finite numbers. For a GPU it may be an array of CuPy's.
    device : str, keyword-only
        "numpy" by default; "host", "cuda", "cuda:1" and so on take 2 ... 8 objectives.

    Returns
    -------
    numpy.ndarray of bool, shape (m,)
        An array of CuPy's if the costs are one.

    Raises
    ------
    InputError
        If a compiled device does not take such costs.
    DeviceError
        If the device is not available.

    Examples
    --------
    >>> nondominated(np.array([[1, 5], [2, 4], [2, 5], [1, 5]]))
    array([ True,  True, False, False])
    """
    if device != "numpy":
        return _filter(costs, device).nondominated(costs)
    costs = np.asarray(costs)
    m = len(costs)
    kept = np.zeros(m, bool)
    if not m:
        return kept
    order = np.lexsort(costs.T[::-1])  # a cost comes before all costs that it dominates; equal costs keep their order
    if costs.shape[1] == 2:
        last = costs[order, 1]
        best_before = np.minimum.accumulate(np.concatenate([last[:1], last[:-1]]))
        kept[order] = last < best_before
        kept[order[0]] = True
        return kept
    front = np.empty_like(costs)
    found, step = 0, 1024
    for first in range(0, m, step):
        block = order[first : first + step]
        left = block[~covered(costs[block], front[:found])]
        for k in left[_first_kept(costs[left])]:
            kept[k] = True
            front[found] = costs[k]
            found += 1
    return kept


def _filter(costs: Any, device: str) -> Filter:
    """The filter of a compiled device for such costs."""
    from metaheur.archives.filter import filter_on

    shape = np.shape(costs)
    if len(shape) != 2 or not 2 <= shape[1] <= 8:
        raise InputError(f"Costs of 2 ... 8 objectives have the shape (m, K), but these have {shape}.")
    return filter_on(device, shape[1])


def _first_kept(costs: np.ndarray) -> np.ndarray:
    """`nondominated` for a few costs in lexicographic order: each is compared with the costs before it."""
    pairs = covers(costs[:, None, :], costs[None, :, :])  # pairs[i, j]: i covers j
    found: np.ndarray = ~np.triu(pairs, 1).any(axis=0)
    return found
