"""Which explorers give to which others before a round: a rule that knows nothing of devices."""

from __future__ import annotations

import numpy as np

__all__ = ["GROUPS", "deals_of", "groups_of", "plan_of"]

GROUPS = 8
"""Of explorers, at most, who deal with their own group first; a device has whole groups."""


def groups_of(count: int) -> np.ndarray:
    """The first explorer of each group, and the one behind the last; int64."""
    groups = min(GROUPS, count)
    return count * np.arange(groups + 1) // max(1, groups)


def deals_of(bins: np.ndarray) -> tuple[int, np.ndarray]:
    """Which rank gives last, and how many of each group deal before a round.

    Those of the lowest ranks give, whatever their group; of those with the last of these ranks, and of who takes where
    more have nothing, each group has its share. All who can deal with their own group do.

    Parameters
    ----------
    bins : numpy.ndarray
        How many of each group have each rank, in the last column nothing; shape (groups, ranks + 1).

    Returns
    -------
    int
        The rank.
    numpy.ndarray
        Of each group the pairs within it, how many give to other groups, how many take from them, and how many have
        lower ranks; int64, shape (groups, 4).
    """
    rich, idle = bins[:, :-1].astype(np.int64), bins[:, -1].astype(np.int64)
    pairs = min(idle.sum(), rich.sum())
    key = int(np.searchsorted(np.cumsum(rich.sum(axis=0)), pairs))
    below = rich[:, :key].sum(axis=1)
    gives, takes = below + _allotted(pairs - below.sum(), rich[:, key]), _allotted(pairs, idle)
    own = np.minimum(gives, takes)
    return key, np.stack([own, gives - own, takes - own, below], axis=1)


def _allotted(number: int, most: np.ndarray) -> np.ndarray:
    """A number in parts, in proportion to what each can be at most."""
    up_to = np.cumsum(most)
    return np.diff(number * up_to // max(1, most.sum()), prepend=0)


def plan_of(ranks: np.ndarray, cuts: np.ndarray, deals: np.ndarray, idle: int) -> tuple[np.ndarray, np.ndarray]:
    """Who gives and who takes: first the pairs within groups, group by group, then those who deal with other groups.

    Parameters
    ----------
    ranks : numpy.ndarray
        Those of the lowest give, and those of rank `idle` take; the first ones, in order. Shape (count,).
    cuts : numpy.ndarray
        The first explorer of each group, one at least, and the one behind the last.
    deals : numpy.ndarray
        As of `deals_of`.
    idle : int
        The rank of who has nothing.

    Returns
    -------
    tuple of numpy.ndarray
        The explorers that give, and as many that take, in pairs where all groups are there.
    """
    near, far = ([list[np.ndarray](), list[np.ndarray]()] for _ in range(2))
    for first, end, (pairs, given, taken, _) in zip(cuts[:-1], cuts[1:], deals.tolist(), strict=True):
        mine = ranks[first:end]
        victims = first + np.sort(np.argsort(mine, kind="stable")[: pairs + given])
        thieves = first + np.flatnonzero(mine == idle)[: pairs + taken]
        for who, within, between in zip((victims, thieves), near, far, strict=True):
            within.append(who[:pairs])
            between.append(who[pairs:])
    victims, thieves = (np.concatenate([*within, *between]) for within, between in zip(near, far, strict=True))
    return victims, thieves
