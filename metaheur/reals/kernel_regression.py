"""Hyper-parameters of a small model: a kernel, features that are used, and the width of the kernel along each."""

from __future__ import annotations

from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import frozen

from metaheur.component import Representation
from metaheur.errors import InputError
from metaheur.fields import data
from metaheur.problem import Problem
from metaheur.reals.deviates import normals
from metaheur.reals.elementary import exp, sin
from metaheur.reals.real import Real
from metaheur.representation import BitString, DiscreteVector
from metaheur.representations.composite import Composite
from metaheur.translator.decorator import compiled

__all__ = ["KernelRegression"]


@final
@frozen(eq=False)
class KernelRegression(Problem):
    """Choose the hyper-parameters of a regression by kernels, so that it predicts left-out samples well.

    The prediction of a sample is the mean of the targets of all others, weighted by their nearness: a kernel of the
    squared distance, to which each feature that is used contributes (difference / width)**2. A solution has one of
    three kernels (0: Gaussian, 1: Epanechnikov's, 2: Cauchy's), a bit for each feature, and widths between 1/16 and 4.
    The cost is the mean squared error when each sample is left out in turn; where no sample is near, their plain mean
    is the prediction.

    Parameters
    ----------
    features : array_like, shape (samples, n)
        Numbers, best of deviation 1.
    targets : array_like, shape (samples,)
        What is predicted.

    Notes
    -----
    E. A. Nadaraya, "On estimating regression", Theory of Probability and its Applications 9, 1964.
    """

    features: np.ndarray = data("float64", ndim=2)
    targets: np.ndarray = data("float64", ndim=1)

    cost_type: ClassVar[str] = "float64"

    def __attrs_post_init__(self) -> None:
        """Refuse features without targets, and fewer than two samples."""
        samples = len(self.targets)
        if len(self.features) != samples or samples < 2:
            raise InputError(
                f"`features` must have a row for each target, and at least two, but has {len(self.features)} rows, and "
                f"there are {samples} targets."
            )

    @classmethod
    def random(cls, samples: int, n: int, seed: int) -> Self:
        """Draw samples of which the first two features matter: a wave and a parabola, with some noise.

        Parameters
        ----------
        samples, n : int
            Numbers of samples, and of features, 2 or more.
        seed : int
            Of the instance.
        """
        drawn = normals(seed, samples * (n + 1)).reshape(samples, n + 1)
        waves = [sin(3.0 * first) + 0.5 * second * second for first, second in drawn[:, :2].tolist()]
        return cls(drawn[:, :n], waves + 0.1 * drawn[:, n])

    @property
    def representation(self) -> Representation:
        """The kernel, a bit for each feature, and a width for each."""
        n = self.features.shape[1]
        return Composite(kernel=DiscreteVector(1, 3), used=BitString(n), width=Real(n, 0.0625, 4.0))

    @compiled
    def cost(self: Any, x: Any) -> Any:
        samples = len(self.targets)
        errors = 0.0
        for i in range(samples):
            weights = 0.0
            weighted = 0.0
            plain = 0.0
            for j in range(samples):
                if j != i:
                    square = 0.0
                    for k in range(len(x.used)):
                        if x.used[k] == 1:
                            apart = (self.features[i, k] - self.features[j, k]) / x.width.value(k)
                            square += apart * apart
                    weight = max(1.0 - square, 0.0)
                    if x.kernel[0] == 0:
                        weight = exp(-0.5 * square)
                    if x.kernel[0] == 2:
                        weight = 1.0 / (1.0 + square)
                    weights += weight
                    weighted += weight * self.targets[j]
                    plain += self.targets[j]
            guess = plain / float(samples - 1)
            if weights > 1e-9:
                guess = weighted / weights
            errors += (guess - self.targets[i]) * (guess - self.targets[i])
        return errors / float(samples)
