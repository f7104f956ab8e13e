"""Thresholds: a deterioration is accepted up to an amount that falls."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.part import Kept
from metaheur.parts.acceptance.cooling import CooledAcceptance, Cooling, cooling_of

__all__ = ["RecordToRecord", "Threshold"]


@final
@frozen
class Threshold(CooledAcceptance):
    """Threshold accepting: accepts a change of cost that is at most a threshold.

    Parameters
    ----------
    cooling : Cooling or float
        The threshold and how it falls, such as Cooling(100.0, Linear.between(100.0, 0.0, 10**6)).

    Notes
    -----
    G. Dueck and T. Scheuer, "Threshold accepting", Journal of Computational Physics 90, 1990.
    """

    cooling: Cooling = field(converter=cooling_of)

    source: ClassVar[str] = "threshold.cuh"

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return np.asarray(delta, np.float64) <= kept["cooling"]["level"]


@final
@frozen
class RecordToRecord(CooledAcceptance):
    """Record-to-record travel: accepts a cost that exceeds the best cost by at most a deviation.

    Parameters
    ----------
    cooling : Cooling or float
        The deviation and how it falls; a number is a fixed deviation, as in the paper.

    Notes
    -----
    G. Dueck, "New optimization heuristics: the great deluge algorithm and the record-to-record travel", Journal of
    Computational Physics 104, 1993.
    """

    cooling: Cooling = field(converter=cooling_of)

    source: ClassVar[str] = "record_to_record.cuh"

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return np.asarray(current + delta - best, np.float64) <= kept["cooling"]["level"]
