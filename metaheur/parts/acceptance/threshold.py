"""Thresholds: deteriorations are accepted up to an amount that falls."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
from attrs import field, frozen

from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance
from metaheur.parts.acceptance.cooling import Cooling, cooling_of
from metaheur.source import Source

__all__ = ["RecordToRecord", "Threshold"]


@final
@frozen
class Threshold(Acceptance):
    """Threshold accepting: a change of cost is accepted if it is at most a threshold.

    Parameters
    ----------
    cooling : Cooling or float
        The threshold and how it falls, such as Cooling(100.0, Linear.between(100.0, 0.0, 10**6)).

    Notes
    -----
    G. Dueck and T. Scheuer, "Threshold accepting", Journal of Computational Physics 90, 1990.
    """

    cooling: Cooling = field(converter=cooling_of)

    source: ClassVar[Source] = Source(
        "struct Threshold : ThresholdData {\n"
        "    MH_FN bool accepts(Total delta, Total, Total, u32) const { return double(delta) <= cooling.level; }\n"
        "    MH_FN void record(Team, bool accepted, Total, Total) { cooling.record(accepted); }\n"
        "    MH_FN bool ended() const { return cooling.over(); }\n"
        "};",
        "metaheur/parts/acceptance/threshold.cuh",
    )

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return np.asarray(delta, np.float64) <= kept["cooling"]["level"]

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        self.cooling.record(kept["cooling"], accepted)

    def ended(self, kept: Kept) -> bool:
        return self.cooling.over(kept["cooling"])


@final
@frozen
class RecordToRecord(Acceptance):
    """Record-to-record travel: a cost is accepted if it exceeds the best one by at most a deviation.

    Parameters
    ----------
    cooling : Cooling or float
        The deviation and how it falls; a number for one that stays, as Dueck has it.

    Notes
    -----
    G. Dueck, "New optimization heuristics: the great deluge algorithm and the record-to-record travel", Journal of
    Computational Physics 104, 1993.
    """

    cooling: Cooling = field(converter=cooling_of)

    source: ClassVar[Source] = Source(
        "struct RecordToRecord : RecordToRecordData {\n"
        "    MH_FN bool accepts(Total delta, Total current, Total best, u32) const {\n"
        "        return double(current + delta - best) <= cooling.level;\n"
        "    }\n"
        "    MH_FN void record(Team, bool accepted, Total, Total) { cooling.record(accepted); }\n"
        "    MH_FN bool ended() const { return cooling.over(); }\n"
        "};",
        "metaheur/parts/record_to_record.cuh",
    )

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        return np.asarray(current + delta - best, np.float64) <= kept["cooling"]["level"]

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        self.cooling.record(kept["cooling"], accepted)

    def ended(self, kept: Kept) -> bool:
        return self.cooling.over(kept["cooling"])
