"""Weights in equal steps from one objective to the other one, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

import numpy as np
from attrs import field, frozen

from metaheur.archives.weights import WeightStrategy, balanced, require_two
from metaheur.validate import true_or_false, whole_field

__all__ = ["SweepingWeights"]


@final
@frozen
class SweepingWeights(WeightStrategy):
    """Shares in equal steps from the second objective to the first, several times; two objectives.

    Each search begins at the solution of the search before, so that a sweep walks along the front.

    Parameters
    ----------
    divisions : int
        The number of steps of a sweep, 2 ... 1000: it has one weight fewer, since the ends are the single objectives.
    sweeps : int, default 2
        The number of sweeps.
    back : bool, default True
        Whether every second sweep goes back; otherwise each begins anew.

    Notes
    -----
    L. Paquete and T. Stützle, "A two-phase local search for the biobjective traveling salesman problem", EMO 2003: one
    sweep is their two-phase local search, two with a way back the double one.
    """

    divisions: int = whole_field(2, 1000)
    sweeps: int = whole_field(1, 2**20, default=2)
    back: bool = field(default=True, kw_only=True, validator=true_or_false)

    def require(self, objectives: int) -> None:
        require_two(self, objectives)

    def weights(self, turn: int, costs: np.ndarray, spans: Sequence[int]) -> tuple[int, ...] | None:
        sweep, step = divmod(turn, self.divisions - 1)
        if sweep >= self.sweeps:
            return None
        share = self.divisions - 1 - step if self.back and sweep % 2 else 1 + step
        return balanced([share, self.divisions - share], spans)
