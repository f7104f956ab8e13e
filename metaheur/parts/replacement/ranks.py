"""Ranks and distances of costs with several objectives, and copies among solutions."""

from __future__ import annotations

import numpy as np

__all__ = [
    "crowding_distances",
    "dominance",
    "ranks_of",
    "ranks_without",
    "repeated",
    "scaled",
    "squares_between",
    "truncated",
]


def dominance(costs: np.ndarray) -> np.ndarray:
    """Which costs dominate which: no objective is higher, and one is lower; bool, shape (N, N), true if i dominates j.

    `costs`: shape (N, K).
    """
    a, b = costs[:, None], costs[None]
    found: np.ndarray = np.all(a <= b, axis=2) & np.any(a < b, axis=2)
    return found


def ranks_of(costs: np.ndarray) -> np.ndarray:
    """The rank of each cost: 0 for the front, 1 for the front of the others, and so on; int64, shape (N,).

    `costs`: shape (N, K).

    Examples
    --------
    >>> ranks_of(np.array([[1, 3], [2, 2], [2, 4], [3, 3], [2, 2]])).tolist()
    [0, 0, 1, 1, 0]
    """
    ranks, dominates = np.full(len(costs), -1, np.int64), dominance(costs)
    above, rank = dominates.sum(axis=0), 0
    while (ranks < 0).any():
        front = (ranks < 0) & (above == 0)
        ranks[front] = rank
        above -= dominates[front].sum(axis=0)
        rank += 1
    return ranks


def ranks_without(copies: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """The ranks of costs, computed without the copies, whose rank is N; int64, shape (N,).

    `copies`: bool, shape (N,). `costs`: shape (N, K).
    """
    ranks = np.full(len(costs), len(costs))
    ranks[~copies] = ranks_of(costs[~copies])
    return ranks


def scaled(costs: np.ndarray) -> np.ndarray:
    """Costs, each objective scaled to 0 ... 1 by its range; 0 where all are equal; float64, shape (N, K).

    `costs`: shape (N, K).
    """
    values = costs.astype(np.float64)
    low, spread = values.min(axis=0), np.ptp(values, axis=0)
    found: np.ndarray = (values - low) / np.where(spread > 0, spread, 1.0)
    return found


def repeated(solutions: np.ndarray) -> np.ndarray:
    """Which solutions are equal to an earlier one; bool, shape (N,). `solutions`, shape (N, n): a solution a row."""
    _, first = np.unique(solutions, axis=0, return_index=True)
    found = np.ones(len(solutions), bool)
    found[first] = False
    return found


def crowding_distances(costs: np.ndarray) -> np.ndarray:
    """The crowding distance of each cost: the distance between its two neighbors, summed over the objectives.

    In each objective the costs are sorted by its values, and by index if these are equal. The first and the last cost
    have an infinite distance; to the distance of any other cost is added the difference between the next and the
    previous value, divided by the range of the objective.

    Parameters
    ----------
    costs : numpy.ndarray, shape (N, K)

    Returns
    -------
    numpy.ndarray of float64, shape (N,)
    """
    distances = np.zeros(len(costs))
    for k in range(costs.shape[1] if len(costs) else 0):
        order = np.argsort(costs[:, k], kind="stable")
        values = costs[order, k].astype(np.float64)
        spread = values[-1] - values[0]
        if len(costs) > 2 and spread > 0:
            distances[order[1:-1]] += (values[2:] - values[:-2]) / spread
        distances[order[[0, -1]]] = np.inf
    return distances


def squares_between(costs: np.ndarray) -> np.ndarray:
    """The squared distance of each pair of costs, objectives scaled to 0 ... 1; shape (N, N).

    `costs`: numpy.ndarray, shape (N, K).
    """
    values = scaled(costs)
    found = np.zeros((len(costs), len(costs)))
    for column in values.T:  # one after the other, as a sum of floats depends on its order
        found += (column[:, None] - column[None]) ** 2
    return found


def truncated(squares: np.ndarray, front: np.ndarray, size: int) -> list[int]:
    """The solutions of a front that leave, in this order, until so many are left.

    `squares`, numpy.ndarray, shape (N, N): squared distances, infinite from a solution to itself. `front`,
    numpy.ndarray, shape (m,): the solutions of the front, ascending. `size`: how many stay.
    """
    leaving: list[int] = []
    while len(front) > size:
        among = squares[np.ix_(front, front)]
        nearest = among.min(axis=1)
        rivals = np.flatnonzero(nearest == nearest.min()).tolist()
        worst = min(rivals, key=lambda place: (np.sort(among[place]).tolist(), -place))
        leaving.append(int(front[worst]))
        front = np.delete(front, worst)
    return leaving
