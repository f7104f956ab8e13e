"""Weights that divide the simplex ever finer, each once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import gcd
from typing import final

import numpy as np
from attrs import field, frozen

from metaheur.archives.weights import WeightStrategy, balanced, compositions
from metaheur.validate import true_or_false, whole_field

__all__ = ["RefiningWeights"]


@final
@frozen
class RefiningWeights(WeightStrategy):
    """All shares with denominator 2, then the new ones with 3, with 4, and so on; any number of objectives.

    Shares that an earlier denominator had do not come again; single objectives are left out.

    Parameters
    ----------
    finest : int
        The last denominator, 2 ... 1000.
    doubling : bool, default False
        Whether the denominators are 2, 4, 8 and so on.
    """

    finest: int = whole_field(2, 1000)
    doubling: bool = field(default=False, kw_only=True, validator=true_or_false)

    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        shares = next(islice(self._shares(len(spans)), turn, None), None)
        return None if shares is None else balanced(shares, spans)

    def _shares(self, objectives: int) -> Iterator[tuple[int, ...]]:
        """The shares in order: those whose numbers have no common divisor."""
        denominator = 2
        while denominator <= self.finest:
            for each in compositions(denominator, objectives):
                if max(each) < denominator and gcd(*each) == 1:
                    yield each
            denominator = 2 * denominator if self.doubling else denominator + 1
