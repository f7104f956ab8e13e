"""Portfolios of few assets: which ones, and how much of each, by risk and return."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.problem import Problem
from metaheur.reals.deviates import normals
from metaheur.reals.real import Real
from metaheur.representations.composite import Composite
from metaheur.representations.subset import Subset
from metaheur.translator.decorator import compiled
from metaheur.validate import whole_field

__all__ = ["AssetPortfolio"]

SMALLEST = 1.0 / 1024.0
"""The smallest number of which a share is made, so that some asset always has one."""


@final
@frozen(eq=False)
class AssetPortfolio(Problem):
    """Hold `count` of n assets: little risk, and a high return, are the two objectives.

    A solution has the assets that are held, and a number between 1/1024 and 1 for each asset; the share of an asset
    that is held is its number over the sum of these. Risk is the variance of the return, x C x; the second objective is
    the negative expected return.

    Parameters
    ----------
    returns : array_like, shape (n,)
        The expected return of each asset.
    covariance : array_like, shape (n, n)
        The covariances of the returns, symmetric.
    count : int
        How many assets are held, 1 ... n - 1.

    Notes
    -----
    T.-J. Chang, N. Meade, J. E. Beasley and Y. M. Sharaiha, "Heuristics for cardinality constrained portfolio
    optimisation", Computers & Operations Research 27, 2000.
    """

    returns: np.ndarray = data("float64", ndim=1)
    covariance: np.ndarray = data("float64", ndim=2)
    count: int = whole_field(1, 2**20)

    cost_type: ClassVar[str] = "float64"
    objectives: ClassVar[tuple[str, ...]] = ("risk", "negative return")

    def __attrs_post_init__(self) -> None:
        """Refuse shapes that do not fit, covariances that are not symmetric, and too many assets."""
        n = len(self.returns)
        if self.covariance.shape != (n, n) or not np.allclose(self.covariance, self.covariance.T):
            raise InputError(
                f"`covariance` must be a symmetric matrix of {n} rows, as there are {n} returns, but has the shape "
                f"{self.covariance.shape} or is not symmetric."
            )
        if self.count >= n:
            raise InputError(f"`count` must be in 1 ... {n - 1}, fewer than there are assets, but is {self.count}.")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], count: int = 10) -> Self:
        """Read a file of OR-Library: n; the mean and the standard deviation of each return; `i j correlation` lines.

        Parameters
        ----------
        path : str or os.PathLike
            The file, such as port1.txt.
        count : int, default 10
            How many assets are held; 10 in the paper.

        Raises
        ------
        InputError
            If there are not as many numbers as n asks for, or a word is no number.
        """
        try:
            words = np.array(Path(path).read_text("utf-8").split(), np.float64)
            n = int(words[0])
            means, rest = words[1 : 2 * n + 1].reshape(n, 2), words[2 * n + 1 :].reshape(-1, 3)
            places = rest[:, :2].astype(np.int64).T - 1
            correlations = np.full((n, n), np.nan)
            correlations[places[0], places[1]] = correlations[places[1], places[0]] = rest[:, 2]
        except (ValueError, IndexError) as error:
            raise InputError(f"{path} is not a portfolio of OR-Library: {error}.") from error
        if np.isnan(correlations).any():
            raise InputError(f"{path} has no correlation of some of its {n} assets.")
        return cls(means[:, 0], correlations * np.outer(means[:, 1], means[:, 1]), count)

    @classmethod
    def random(cls, n: int, count: int, seed: int) -> Self:
        """Draw assets whose returns follow a market, each in its own measure and with a deviation of its own.

        Parameters
        ----------
        n, count : int
            Numbers of assets, and of those that are held.
        seed : int
            Of the instance.
        """
        drawn = np.random.default_rng(seed)
        measure, own = drawn.uniform(0.4, 1.6, n), drawn.uniform(0.02, 0.08, n)
        returns = 0.001 + 0.004 * measure + 0.002 * normals(seed, n)
        return cls(returns, 0.03 * 0.03 * np.outer(measure, measure) + np.diag(own * own), count)

    @property
    def representation(self) -> Representation:
        """The assets that are held, and a number for each asset."""
        n = len(self.returns)
        return Composite(held=Subset(n, self.count), part=Real(n, SMALLEST, 1.0))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """How many assets are held, which the compiler knows."""
        return {"few": self.count}

    @compiled
    def cost(self: Any, x: Any) -> Any:
        whole = 0.0
        for i in range(self.few):
            whole += x.part.value(x.held[i])
        risk = 0.0
        gain = 0.0
        for i in range(self.few):
            a = x.held[i]
            share = x.part.value(a) / whole
            gain += share * self.returns[a]
            for k in range(self.few):
                b = x.held[k]
                risk += share * (x.part.value(b) / whole) * self.covariance[a, b]
        return risk, -gain

    def shares(self, x: Any) -> np.ndarray:
        """How much of the money each asset has.

        Parameters
        ----------
        x : Solution
            A solution.

        Returns
        -------
        numpy.ndarray of float64, shape (n,)
            Numbers with the sum 1, `count` of which are not 0.
        """
        solution: Any = self.representation.view(x)
        found, held = np.zeros(len(self.returns)), np.asarray(solution.held)[: self.count]
        found[held] = solution.part.reals[held]
        shares: np.ndarray = found / found.sum()
        return shares
