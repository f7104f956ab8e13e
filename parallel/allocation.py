"""Allocations: how many walks each search of a portfolio makes from now on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

import numpy as np
from attrs import frozen

from metaheur.lazy import expressible
from metaheur.validate import real_field

__all__ = ["Achieved", "Allocation", "Equal", "SuccessiveHalving", "UpperConfidence"]


@final
@frozen(eq=False)
class Achieved:
    """The results of a portfolio's searches so far, after an equal amount of work of each walk.

    Parameters
    ----------
    members : numpy.ndarray of int, shape (W,)
        The search that made each walk since the last decision.
    costs : numpy.ndarray, shape (W,)
        The best cost of each walk; lower is better.
    gains, work, turns : numpy.ndarray of float64, shape (m,)
        Of each search, over all walks: by how much it has lowered the best costs of walks, how many moves it has
        evaluated, and how often it has made a walk from one decision to the next. The allocation discounts these
        numbers.
    """

    members: np.ndarray
    costs: np.ndarray
    gains: np.ndarray
    work: np.ndarray
    turns: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """How many walks each search makes now, shape (m,)."""
        return np.bincount(self.members, minlength=len(self.gains))


@expressible
class Allocation(ABC):
    """Decides how many walks each search of a portfolio makes from now on.

    Attributes
    ----------
    discount : float
        At every decision gains, work and turns are multiplied by this number, before the gains, work and turns of the
        last period are added; 1 by default, which forgets nothing.
    """

    discount: float = 1.0

    @abstractmethod
    def counts(self, achieved: Achieved) -> np.ndarray:
        """How many walks each search makes from now on, shape (m,); the sum stays the same.

        Parameters
        ----------
        achieved : Achieved
            The results of the searches so far, which depend neither on clocks nor on devices. The answer must depend on
            them alone, so that it is the same wherever walks are made.
        """


@final
@frozen
class Equal(Allocation):
    """Each search keeps its walks."""

    def counts(self, achieved: Achieved) -> np.ndarray:
        return achieved.counts


@final
@frozen
class SuccessiveHalving(Allocation):
    """The better searches keep their walks and take over the walks of the other searches, until one search is left.

    A search is ranked by the best cost of all its walks, because a run returns its best walk. Of equal searches the
    first in the portfolio is better.

    Parameters
    ----------
    keep : float, default 0.5
        The share of the searches that are left after a decision, above 0 and below 1. At least one search is left, and
        at least one drops out.

    Notes
    -----
    Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013; K. Jamieson and
    A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016.
    """

    keep: float = real_field(0, 1, above=True, below=True, default=0.5)

    def counts(self, achieved: Achieved) -> np.ndarray:
        now = achieved.counts
        left = np.flatnonzero(now).tolist()
        best = {i: achieved.costs[achieved.members == i].min() for i in left}
        ranked = sorted(left, key=lambda i: (best[i], i))
        kept = sorted(ranked[: min(max(1, round(self.keep * len(left))), max(1, len(left) - 1))])
        after = np.zeros_like(now)
        after[kept] = now[kept]
        free = int(now.sum() - after.sum())
        for _ in range(free):
            after[min(kept, key=lambda i: (after[i], i))] += 1
        return after


LEAST = 1e-3
"""A number of turns below which a search counts as untried, because all its turns were discounted away."""


@final
@frozen
class UpperConfidence(Allocation):
    """Each walk goes to the search with the highest upper confidence bound of its improvement per work.

    The bound of search i is ``rate[i] / max(rate) + exploration * sqrt(L / turns[i])``. Here ``rate`` is gains divided
    by work, and L is the number of binary digits of the sum of all turns, log2 rounded up: a whole number is the same
    on every machine. The walks are given away one after the other, and each walk counts as a turn at once.

    Parameters
    ----------
    exploration : float, default 0.3
        The weight of the bonus for searches that had few turns, from 0 on.
    discount : float, default 0.8
        The weight of earlier periods, above 0 and up to 1: improvements become rarer in the course of a run.

    Notes
    -----
    P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning
    47, 2002; discounted: L. Kocsis and C. Szepesvári, "Discounted UCB", 2006; over operators of a search: Á. Fialho,
    L. Da Costa, M. Schoenauer and M. Sebag, "Analyzing bandit-based adaptive operator selection mechanisms", 2010.
    """

    exploration: float = real_field(0, default=0.3)
    discount: float = real_field(0, 1, above=True, default=0.8)

    def counts(self, achieved: Achieved) -> np.ndarray:
        rates = achieved.gains / np.maximum(achieved.work, 1.0)
        rates = rates / rates.max() if rates.max() > 0 else np.ones_like(rates)
        turns, after = achieved.turns.copy(), np.zeros_like(achieved.counts)
        for _ in range(len(achieved.members)):
            digits = max(1, int(turns.sum()).bit_length())
            unknown = turns < LEAST
            bounds = rates + self.exploration * np.sqrt(digits / np.maximum(turns, LEAST))
            best = int(np.argmax(unknown if unknown.any() else bounds))
            turns[best] += 1
            after[best] += 1
        return after
