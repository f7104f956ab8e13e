"""Quadratic 0-1 problems as their files state them."""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from metaheur.fields import data
from metaheur.machine.memory import square
from metaheur.problems.formats.numbers import LARGEST
from metaheur.problems.formats.weighted_pairs import check_pairs
from metaheur.validate import whole_field

__all__ = ["QUBOInstance"]


@final
@frozen(eq=False)
class QUBOInstance:
    """A quadratic 0-1 problem: the objective of x is the sum over k of w[k] x[i[k]] x[j[k]], divided by `factor`.

    Parameters
    ----------
    n : int
        Number of variables, 1 ... 2**31 - 1.
    i, j, w : array_like, shape (m,)
        The terms, linear where i = j: whole numbers with 0 <= i <= j < n, no pair twice, and w in -2**62 ... 2**62.
    maximise : bool, keyword-only
        Whether the objective is maximised; if not, it is minimised.
    factor : int, default 1
        A power of ten: w is the weights of the file times `factor`.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    n: int = whole_field(1, LARGEST)
    i: np.ndarray = data("int64", ndim=1)
    j: np.ndarray = data("int64", ndim=1)
    w: np.ndarray = data("int64", ndim=1)
    maximise: bool = field(kw_only=True)
    factor: int = whole_field(1, 10**18, default=1)

    def __attrs_post_init__(self) -> None:
        check_pairs(self, equal=True)

    def matrix(self) -> npt.NDArray[np.int64]:
        """Return the upper triangular matrix U, shape (n, n), with x @ U @ x = objective times `factor`.

        Raises InputError if there is no memory for it.
        """
        dense = square(self.n, "a quadratic 0-1 problem")
        dense[self.i, self.j] = self.w
        return dense
