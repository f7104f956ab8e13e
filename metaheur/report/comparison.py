"""Tests of whether methods differ, over all problems of an experiment; scipy has the mathematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.report.measures import scipy_stats
from metaheur.report.table import Table

__all__ = ["Comparison", "Pair", "compared", "holm", "superiority"]


class Pair(NamedTuple):
    """Two methods over all problems.

    Attributes
    ----------
    first, second : str
        Their names.
    wins, ties, losses : int
        On how many problems the median of the first one is better, equal, worse.
    p : float
        Of the two-sided signed-rank test of Wilcoxon on the medians; ranks of zeros are split.
    adjusted : float
        That p, corrected by Holm for all pairs.
    """

    first: str
    second: str
    wins: int
    ties: int
    losses: int
    p: float
    adjusted: float


@final
@frozen(eq=False)
class Comparison:
    """How methods differ over problems: a problem is a block, represented by the median over its seeds.

    Parameters
    ----------
    methods, problems : tuple of str
        Their names.
    medians : numpy.ndarray of float64, shape (problems, methods)
        The median costs; lower is better, so that they are negative where a problem maximises.
    ranks : numpy.ndarray of float64, shape (methods,)
        The mean rank of each method, 1 for the best.
    friedman : float or None
        The p of Friedman's test that all methods are equal; None for two methods.
    pairs : tuple of Pair
        Every pair of methods.
    effects : mapping of str to numpy.ndarray of float64, shape (methods, methods)
        For each problem, the probability A12 that a run of one method (row) is better than one of another (column), a
        tie counted as a half: 0.5 for equal methods.

    Notes
    -----
    J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning Research 7,
    2006. A. Benavoli, G. Corani and F. Mangili, "Should we really use post-hoc tests based on mean-ranks?", Journal of
    Machine Learning Research 17(5), 2016. A. Vargha and H. D. Delaney, "A critique and improvement of the CL common
    language effect size statistics", Journal of Educational and Behavioral Statistics 25(2), 2000.
    """

    methods: tuple[str, ...]
    problems: tuple[str, ...]
    medians: np.ndarray
    ranks: np.ndarray
    friedman: float | None
    pairs: tuple[Pair, ...]
    effects: Mapping[str, np.ndarray]

    def critical_difference(self, alpha: float = 0.05) -> float:
        """By how much mean ranks of two methods must differ, by the test of Nemenyi.

        Parameters
        ----------
        alpha : float, default 0.05
            The level of significance, 0 < alpha < 1.

        Notes
        -----
        Demšar 2006, section 3.2.2. Whether two methods differ then depends on the other methods, so `alike` uses the
        pairs.
        """
        k = len(self.methods)
        quantile = float(scipy_stats().studentized_range.ppf(1 - alpha, k, np.inf)) / np.sqrt(2)
        return float(quantile * np.sqrt(k * (k + 1) / (6 * len(self.problems))))

    def alike(self, alpha: float = 0.05) -> tuple[tuple[str, ...], ...]:
        """The largest groups of two methods or more, adjacent by mean rank, in which no pair differs.

        Parameters
        ----------
        alpha : float, default 0.05
            A pair differs if its p, corrected by Holm, is at most this.
        """
        order = [self.methods[k] for k in np.argsort(self.ranks, kind="stable")]
        differing = {frozenset((each.first, each.second)) for each in self.pairs if each.adjusted <= alpha}
        groups: list[tuple[str, ...]] = []
        for begin in range(len(order)):
            end = begin + 1
            while end < len(order) and all(frozenset((one, order[end])) not in differing for one in order[begin:end]):
                end += 1
            if end - begin > 1 and not any(set(order[begin:end]) <= set(each) for each in groups):
                groups.append(tuple(order[begin:end]))
        return tuple(groups)

    def plot(self, alpha: float = 0.05, *, ax: Any = None) -> Any:
        """Draw the mean ranks, bars over methods that are `alike`, and the critical difference.

        Parameters
        ----------
        alpha : float, default 0.05
            The level of significance.
        ax : matplotlib.axes.Axes, optional
            The axes on which it is drawn; new ones by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        InputError
            If matplotlib is not installed.
        """
        from metaheur.pictures.distributions import plot_ranks

        ranks = dict(zip(self.methods, self.ranks.tolist(), strict=True))
        return plot_ranks(ranks, self.alike(alpha), difference=self.critical_difference(alpha), ax=ax)

    def table(self) -> Table:
        """A row for each pair: wins, ties, losses, p, corrected p, and the median A12 over the problems."""
        place = {name: i for i, name in enumerate(self.methods)}
        rows = []
        for each in self.pairs:
            effects = [table[place[each.first], place[each.second]] for table in self.effects.values()]
            rows.append((*each[2:], float(np.median(effects))))
        header = ("method", "against", "better", "equal", "worse", "p", "p (Holm)", "A12")
        return Table(header, tuple((each.first, each.second) for each in self.pairs), tuple(rows))

    def _repr_html_(self) -> str:
        """The table for notebooks, and the ranks below it."""
        from metaheur.report.html import table_html

        texts = str(self).split("\n")[: 1 + (self.friedman is not None)]
        return self.table()._repr_html_() + table_html([], [], 0, *texts)

    def __str__(self) -> str:
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(self.methods, self.ranks, strict=True))
        lines = [f"Mean ranks over {len(self.problems)} problems: {ranks}."]
        if self.friedman is not None:
            lines.append(f"Friedman: p = {self.friedman:.3g}.")
        return "\n".join([*lines, str(self.table())])


def compared(costs: Mapping[str, Mapping[str, Sequence[float]]]) -> Comparison:
    """The comparison of methods.

    `costs`: for each problem, the costs of each method, lower is better; each problem has the same methods.
    """
    problems = tuple(costs)
    methods = tuple(dict.fromkeys(name for each in costs.values() for name in each))
    if len(methods) < 2:
        raise InputError("A comparison needs two methods.", "run several searches or parallel models.")
    for problem, each in costs.items():
        for name in methods:
            if not len(each.get(name, ())):
                raise InputError(f"{name} has no run on {problem} that is done.", "see `failures` of the experiment.")
    stats = scipy_stats()
    medians = np.array([[np.median(costs[problem][name]) for name in methods] for problem in problems])
    columns = list(medians.T)
    pairs = list(combinations(range(len(methods)), 2))
    found = [_wilcoxon(stats, columns[i], columns[j]) for i, j in pairs]
    adjusted = holm(found)
    friedman = (
        float(stats.friedmanchisquare(*columns).pvalue) if len(methods) > 2 and np.ptp(medians, 1).any() else None
    )
    return Comparison(
        methods,
        problems,
        medians,
        np.mean(stats.rankdata(medians, axis=1), axis=0),
        friedman,
        tuple(
            Pair(methods[i], methods[j], *_counts(columns[i], columns[j]), p, corrected)
            for (i, j), p, corrected in zip(pairs, found, adjusted, strict=True)
        ),
        {
            problem: np.array([[superiority(stats, each[a], each[b]) for b in methods] for a in methods])
            for problem, each in costs.items()
        },
    )


def _counts(first: np.ndarray, second: np.ndarray) -> tuple[int, int, int]:
    return int((first < second).sum()), int((first == second).sum()), int((first > second).sum())


def _wilcoxon(stats: Any, first: np.ndarray, second: np.ndarray) -> float:
    """The p of the signed-rank test; 1 where all medians are equal."""
    if (first == second).all():
        return 1.0
    return float(stats.wilcoxon(first, second, zero_method="zsplit").pvalue)


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction of several p, in their order.

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6(2), 1979.
    """
    order = np.argsort(p, kind="stable")
    scaled = np.minimum(1.0, np.asarray(p)[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.maximum.accumulate(scaled)
    found: list[float] = corrected.tolist()
    return found


def superiority(stats: Any, first: Sequence[float], second: Sequence[float]) -> float:
    """The probability A12 that a cost of the first is lower than one of the second, a tie counted as a half."""
    u = stats.mannwhitneyu(second, first, method="asymptotic").statistic
    return float(u) / (len(first) * len(second))
