"""A part of a search: a frozen class with a few pure functions that carry the same names in Python and C++."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from metaheur.component import Component
from metaheur.machine.memory import SMALL, require

if TYPE_CHECKING:
    from metaheur.fields import Array
    from metaheur.random import Key
    from metaheur.walk import EvaluatedSolution

__all__ = ["Kept", "Part", "zeros"]

Kept = Mapping[str, Any]
"""The arrays that a part keeps beside a walk, by name; arrays of its own parts are nested, by the fields' names."""


class Part(Component):
    """A part of a search.

    If a part keeps arrays (`state`), its functions take these as their first argument, `kept`; in C++ the arrays are
    members. The functions of the Python half take arrays of arguments, those of the C++ half one value at a
    time; `check_part` compares them.
    """

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """The kept arrays at the beginning of a walk; zeros by default.

        In the C++ half, `init(Walk&)` does the same, with arrays that begin as zeros.

        Parameters
        ----------
        start : EvaluatedSolution
            Where the walk begins.
        """
        return zeros(self.state(start.representation), start)

    def begin(self, start: EvaluatedSolution, key: Key) -> Mapping[str, np.ndarray]:
        """The kept arrays at the beginning of a walk, where they depend on the walk's key, too; `init` by default.

        Parameters
        ----------
        start : EvaluatedSolution
            Where the walk begins.
        key : Key
            Key of the walk; in C++, `Walk::number`.
        """
        return self.init(start)


def zeros(declared: Mapping[str, Array], start: EvaluatedSolution) -> dict[str, np.ndarray]:
    """Arrays of zeros for the declared arrays; "cost" and "total" are like the cost of `start`: int64 or float64.

    With K objectives, an array of the type "total" has another axis, of K numbers.
    """
    several = isinstance(start.cost, tuple)
    total = np.float64 if isinstance(start.cost[0] if several else start.cost, float) else np.int64
    numbers = {"total": (len(start.cost),)} if several else {}
    shapes = {name: (*array.shape, *numbers.get(array.dtype, ())) for name, array in declared.items()}
    special = {"cost": total, "total": total, "item": start.representation.dtype}
    dtypes = {name: np.dtype(special.get(array.dtype, array.dtype)) for name, array in declared.items()}
    for name in declared:
        if (nbytes := prod(shapes[name]) * dtypes[name].itemsize) > SMALL:
            maybe = "use one that keeps less, or another representation."
            require(nbytes, f"The array `{name}` of a part, {shapes[name]},", maybe)
    return {name: np.zeros(shapes[name], dtypes[name]) for name in declared}
