"""When a race ends, and the parts of its budget."""

from __future__ import annotations

import math
from typing import Any, final

from attrs import define

__all__ = [
    "ALONE",
    "CHECKED",
    "CLEARLY",
    "DEAR",
    "FALL",
    "FIRST_SHARE",
    "FIRST_STEPS",
    "GROWTH",
    "GUESS",
    "LAST",
    "LEADS",
    "LEAST",
    "MEANWHILE",
    "MOST_EPOCHS",
    "MOST_STEPS",
    "PREPARED",
    "PROBE",
    "SCHEDULED",
    "SMALL_WORK",
    "TASTE",
    "RacePlan",
]

FIRST_SHARE = 16
"""An exact search that comes first gets one part in so many of the budget at once: a proof saves all the others."""

MEANWHILE = 0.1
"""Seconds of a turn of the best search while others are compiled."""

SMALL_WORK = 1 << 20
"""Where work is limited to so much, NumPy may be done before a compiler ends, and begins at once."""

GUESS = 1 << 16
"""Iterations for which a search with a length is compiled ahead, before it is known how many there will be."""

FIRST_STEPS = 64
"""Iterations of the walk that shows about how many there will be; it makes more if these are over at once."""

MOST_STEPS, LEAST, MOST_EPOCHS = 2**50, 1e-9, 60
"""Bounds of what is measured."""

GROWTH = 8
"""Where work is limited, a search makes at most so many times the iterations that show what an iteration costs."""

PREPARED = 0.1
"""Seconds that the first search gets at least: as many as all preparations took, but at most so many."""

PROBE = 25
"""The short schedule that is measured has one part in so many of the length that seems right."""

CLEARLY = 200
"""A search that another one names takes its place if its short schedule ends better by one part in so many of the cost.

By chance, short schedules of equally good searches for routes differ by up to 0.4 %.
"""

SCHEDULED = 0.92
"""The share of what is left for which a schedule is made, so that it ends cold where iterations take longer later."""

LAST, LEADS, ALONE = 2 / 3, 0.85, 0.9
"""The share of the budget for the last schedule of an annealing: beside others, if it leads them, and if all anneal."""

TASTE = 64
"""Each search gets one part in so many of the budget before the searches are compared."""

FALL = 100
"""Trials of a short fall, for each place of a solution."""

CHECKED = 50
"""Full evaluations by the Python half take at most one part in so many of the time, but for a first and a last one."""

DEAR = 4
"""Where a search has a solution, the first iteration of another one may take one part in so many of what is left."""


@final
@define
class RacePlan:
    """When a race ends: after so much work, so many seconds, or at a target cost, as the user reads it."""

    work: int | None = None
    seconds: float = math.inf
    target: Any = None
