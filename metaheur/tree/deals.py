"""Which explorers give to which others before a round: a rule that knows nothing of devices."""

from __future__ import annotations

import numpy as np

__all__ = ["GROUPS", "deals_of", "groups_of", "plan_of"]

GROUPS = 8
"""Of explorers, at most, who deal with their own group first; a device has whole groups. The more there are, the more
rounds a search takes: 48 groups took a sixth more than one, eight a 20th."""


def groups_of(count: int) -> np.ndarray:
    """The first explorer of each group, and the one behind the last; int64."""
    groups = min(GROUPS, count)
    return count * np.arange(groups + 1) // max(1, groups)


def deals_of(groups: np.ndarray) -> np.ndarray:
    """How many of each group deal: pairs within it, who gives to other groups, and who takes from them.

    All who can deal with their own group do. Of what is left, each group gives and takes in proportion to what it has.

    Parameters
    ----------
    groups : numpy.ndarray
        Of each group how many have nothing and how many can give; int64, shape (groups, 2).

    Returns
    -------
    numpy.ndarray
        int64, shape (groups, 3).
    """
    idle, rich = groups.T
    own = np.minimum(idle, rich)
    between = min((idle - own).sum(), (rich - own).sum())
    return np.stack([own, _allotted(between, rich - own), _allotted(between, idle - own)], axis=1)


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
    for first, end, (pairs, given, taken) in zip(cuts[:-1], cuts[1:], deals.tolist(), strict=True):
        mine = ranks[first:end]
        victims = first + np.sort(np.argsort(mine, kind="stable")[: pairs + given])
        thieves = first + np.flatnonzero(mine == idle)[: pairs + taken]
        for who, within, between in zip((victims, thieves), near, far, strict=True):
            within.append(who[:pairs])
            between.append(who[pairs:])
    victims, thieves = (np.concatenate([*within, *between]) for within, between in zip(near, far, strict=True))
    return victims, thieves
