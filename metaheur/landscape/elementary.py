"""The elementary components of a quadratic assignment problem under swaps: its autocorrelation in closed form."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.qap import QAP

__all__ = ["ElementaryComponents"]


@final
@frozen(eq=False)
class ElementaryComponents:
    """The parts of the cost of a QAP that swaps treat alike, and how much each varies over all permutations.

    In an elementary landscape the mean cost of the neighbors of x is f(x) + k/d (mean - f(x)), with d moves. The cost
    of a QAP is the sum of three such landscapes and a constant.

    Parameters
    ----------
    n : int
        Number of facilities, 4 or more.
    mean : float
        The mean cost of all permutations.
    variances : numpy.ndarray of float64, shape (3,)
        The variance of the components with k = n, 2 (n - 1) and 2 n.

    Notes
    -----
    F. Chicano, G. Luque and E. Alba, "Autocorrelation measures for the quadratic assignment problem", Applied
    Mathematics Letters 25, 2012. The variances follow from the matrices without a sum over permutations: each component
    is a scalar product of parts of both matrices that belong to one irreducible representation of the symmetric group.
    """

    n: int
    mean: float
    variances: np.ndarray

    @classmethod
    def of(cls, problem: QAP) -> ElementaryComponents:
        """The components of an instance, in O(n**2).

        Parameters
        ----------
        problem : QAP
            With n >= 4.

        Raises
        ------
        InputError
            If n is less than 4.
        """
        n = problem.representation.length
        if n < 4:
            raise InputError(f"Elementary components of a QAP need n >= 4, but n is {n}.")
        (lines, symmetric, skew, level, diagonal), (lines2, symmetric2, skew2, level2, diagonal2) = (
            _parts(np.asarray(matrix, np.float64)) for matrix in (problem.a, problem.b)
        )
        weights = np.array([2 * (n - 2), 2 * n, 1.0])
        gram = (lines @ lines.T) * (lines2 @ lines2.T) * np.outer(weights, weights)
        variances = (
            gram.sum() / (n - 1),
            symmetric * symmetric2 / (n * (n - 3) / 2),
            skew * skew2 / ((n - 1) * (n - 2) / 2),
        )
        return cls(n, n * (n - 1) * level * level2 + n * diagonal * diagonal2, np.array(variances))

    @property
    def eigenvalues(self) -> np.ndarray:
        """k of each component: n, 2 (n - 1) and 2 n."""
        return np.array([self.n, 2 * (self.n - 1), 2 * self.n], np.float64)

    @property
    def variance(self) -> float:
        """The variance of the cost over all permutations."""
        return float(self.variances.sum())

    def autocorrelation(self, lag: int) -> float:
        """The autocorrelation of a random walk of swaps; NaN if all costs are equal.

        Parameters
        ----------
        lag : int
            The number of steps, 0 or more.
        """
        moves = self.n * (self.n - 1) / 2
        return float((self.variances * (1 - self.eigenvalues / moves) ** lag).sum() / self.variance)

    @property
    def coefficient(self) -> float:
        """Angel and Zissimopoulos' autocorrelation coefficient, 1 / (1 - r(1)): larger where neighbors are alike."""
        return 1 / (1 - self.autocorrelation(1))


def _parts(matrix: np.ndarray) -> tuple[np.ndarray, float, float, float, float]:
    """The parts of a matrix: three vectors, the squares of two rests, and the means off and on the diagonal."""
    n = len(matrix)
    diagonal = np.diagonal(matrix)
    off = matrix - np.diag(diagonal)
    level = off.sum() / (n * (n - 1))
    even, odd = (off + off.T) / 2, (off - off.T) / 2
    x = (even.sum(axis=1) - level * (n - 1)) / (n - 2)
    y = odd.sum(axis=1) / n
    rest = even - level - x[:, None] - x
    np.fill_diagonal(rest, 0)
    lines = np.array([x, y, diagonal - diagonal.mean()])
    return (
        lines,
        float((rest**2).sum()),
        float(((odd - y[:, None] + y) ** 2).sum()),
        float(level),
        float(diagonal.mean()),
    )
