"""Work stealing: explorers donate half of their intervals to idle explorers, by a rule that depends on no device."""

from __future__ import annotations

import numpy as np

__all__ = ["GROUPS", "exchanges_of", "groups_of", "plan_of"]

GROUPS = 8
"""The most groups that explorers form; they first exchange within their group. A device has whole groups."""


def groups_of(count: int, most: int = GROUPS) -> np.ndarray:
    """The first explorer of each group, and the number of all explorers; at most `most` groups; int64."""
    groups = min(most, count)
    return count * np.arange(groups + 1) // max(1, groups)


def exchanges_of(bins: np.ndarray) -> tuple[int, np.ndarray]:
    """The last rank that donates, and how many explorers of each group donate and receive.

    Explorers with the longest intervals, which have the lowest ranks, donate, whatever their group. The last of these
    ranks may have more explorers than are needed, and more explorers may be idle than can receive: then each group has
    its share. Within a group as many pairs as possible are made.

    `bins`, numpy.ndarray, shape (groups, ranks + 1): the number of explorers of each rank, for each group; the last
    column counts idle explorers. Returns the last rank that donates; and int64, shape (groups, 4): for each group
    the pairs within it, the donors to other groups, the receivers from other groups, the explorers of lower ranks.
    """
    donors, idle = bins[:, :-1].astype(np.int64), bins[:, -1].astype(np.int64)
    pairs = min(idle.sum(), donors.sum())
    rank = int(np.searchsorted(np.cumsum(donors.sum(axis=0)), pairs))
    below = donors[:, :rank].sum(axis=1)
    donated, received = below + _allotted(pairs - below.sum(), donors[:, rank]), _allotted(pairs, idle)
    own = np.minimum(donated, received)
    return rank, np.stack([own, donated - own, received - own, below], axis=1)


def _allotted(number: int, most: np.ndarray) -> np.ndarray:
    """A number divided among groups, in proportion to the most that each group can take."""
    up_to = np.cumsum(most)
    return np.diff(number * up_to // max(1, most.sum()), prepend=0)


def plan_of(ranks: np.ndarray, cuts: np.ndarray, exchanges: np.ndarray, idle: int) -> tuple[np.ndarray, np.ndarray]:
    """The donors and the receivers; the k-th donor donates to the k-th receiver.

    `ranks`, numpy.ndarray, shape (count,): the rank of each explorer. Explorers of the lowest ranks donate, idle ones
    receive, in index order. `cuts`, numpy.ndarray: the first explorer of each group, and the number of all explorers;
    at least one group. `exchanges`, numpy.ndarray: the numbers that `exchanges_of` returns for these groups. `idle`:
    the rank of idle explorers. Both lists begin with the pairs within groups, group by group; then come the pairs of
    different groups.
    """
    near, far = ([list[np.ndarray](), list[np.ndarray]()] for _ in range(2))
    for first, end, (own, donated, received, _) in zip(cuts[:-1], cuts[1:], exchanges.tolist(), strict=True):
        mine = ranks[first:end]
        donors = first + np.sort(np.argsort(mine, kind="stable")[: own + donated])
        receivers = first + np.flatnonzero(mine == idle)[: own + received]
        for explorers, within, between in zip((donors, receivers), near, far, strict=True):
            within.append(explorers[:own])
            between.append(explorers[own:])
    donors, receivers = (np.concatenate([*within, *between]) for within, between in zip(near, far, strict=True))
    return donors, receivers
