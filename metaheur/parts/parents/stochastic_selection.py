"""Selections of parents by chance: a tournament that the better rival may lose, and one spin for both parents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, final

import numpy as np
from attrs import frozen

from metaheur.fields import Range
from metaheur.parts.parents.parent_selection import DRAWS, ParentSelection
from metaheur.random import Random
from metaheur.representation import Representation
from metaheur.validate import real_field, whole

__all__ = ["StochasticTournament", "UniversalSampling", "torus"]


@final
@frozen
class StochasticTournament(ParentSelection):
    """Of two members that are drawn at random, with repetitions, the better one with a probability; else the other one.

    Parameters
    ----------
    probability : float, default 0.75
        In 0.5 ... 1; it is rounded to a multiple of 2**-32. With 1 it is ``Tournament(2)``, with 0.5 `RandomParents`.

    Notes
    -----
    The first drawn counts as the better one of equal cost. D. E. Goldberg and K. Deb, "A comparative analysis of
    selection schemes used in genetic algorithms", Foundations of Genetic Algorithms 1, 1991.
    """

    probability: float = real_field(0.5, 1, default=0.75, metadata={"python only": True, "tune": Range(0.5, 1.0)})

    source: ClassVar[str] = "stochastic_tournament.cuh"

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """`share`: for how many of 2**32 words the better one becomes a parent."""
        return {"share": round(self.probability * 2**32)}

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        first, second = (random.index(number * DRAWS + k, len(costs)) for k in range(2))
        better, worse = (second, first) if costs[second] < costs[first] else (first, second)
        return better if random.bits(number * DRAWS + 2) < round(self.probability * 2**32) else worse


@final
@frozen
class UniversalSampling(ParentSelection):
    """Stochastic universal sampling by rank: one spin of a wheel has two pointers, one for each parent of a child.

    The member of rank r among k has a share of the wheel proportional to k - r; the best member has the rank 0, and
    members of equal cost are ranked by index. The pointers are half a turn apart, so that both parents are the same
    member only where it has half of the wheel.

    Notes
    -----
    J. E. Baker, "Reducing bias and inefficiency in the selection algorithm", ICGA 1987, where the wheel has a pointer
    for each parent of a generation; here for each parent of a child.
    """

    source: ClassVar[str] = "universal_sampling.cuh"

    def parent(self, costs: np.ndarray, random: Random, number: int) -> int:
        size = len(costs)
        wheel = size * (size + 1) // 2
        left = (random.index(0, wheel) + number * (wheel // 2)) % wheel
        rank = 0
        while left >= size - rank:
            left -= size - rank
            rank += 1
        return int(np.argsort(costs, kind="stable")[rank])


def torus(rows: int, columns: int, *, corners: bool = False) -> np.ndarray:
    """The neighbors of each cell of a grid whose opposite edges touch, for ``NearParents(torus(10, 10))``.

    Parameters
    ----------
    rows, columns : int
        The size of the grid, each 3 or more; cell (i, j) is the member ``i * columns + j``.
    corners : bool, default False
        Whether the four cells at the corners are neighbors, too.

    Returns
    -------
    numpy.ndarray of int32, shape (rows * columns, 4), or (rows * columns, 8) with corners

    Notes
    -----
    The cellular genetic algorithms of E. Alba and B. Dorronsoro, Cellular Genetic Algorithms, 2008.

    Examples
    --------
    >>> from metaheur.parts import torus
    >>> torus(3, 3)[0].tolist()
    [6, 1, 3, 2]
    """
    high, wide = whole(rows, "rows", 3), whole(columns, "columns", 3)
    steps = [(-1, 0), (0, 1), (1, 0), (0, -1)] + [(-1, -1), (-1, 1), (1, 1), (1, -1)] * bool(corners)
    i, j = np.divmod(np.arange(high * wide), wide)
    found: np.ndarray = np.stack([(i + a) % high * wide + (j + b) % wide for a, b in steps], axis=1).astype(np.int32)
    return found
