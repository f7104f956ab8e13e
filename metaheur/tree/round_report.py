"""The report of explorers on a round: declared once, for both languages."""

from __future__ import annotations

from typing import final

import numpy as np
from attrs import fields, frozen

from metaheur.device.generator.record import Record, Types
from metaheur.tree.part import NO_COST

__all__ = ["REPORT", "ROUND_REPORT", "TYPES", "RoundReport", "joined_report", "renumbered"]

FEW = 64
"""Idle explorers steal only if at least one in so many explorers is idle."""

SHORTER = 16
"""If too many explorers would stay idle, the steps of a round are divided by this number."""


@final
@frozen
class RoundReport:
    """The report of one explorer, of some, or of all together on a round.

    `branched`, `bounded`, `complete`, `kept`, `by_bound`, `deepest`: as in `Counts`. `waiting`: children that wait to
    be tried. `idle`, `donors`: explorers with no waiting child, and explorers with more than one. `lowest`: the least
    bound of a node with waiting children. `cost`, `winner`, `depth`: the cost of the best solution; the explorer that
    found it, the first among equals; the depth of its node. `faulty`: the first explorer that found a wrong bound;
    `NO_COST` for none.
    """

    branched: int = 0
    bounded: int = 0
    complete: int = 0
    kept: int = 0
    by_bound: int = 0
    deepest: int = 0
    waiting: int = 0
    idle: int = 0
    donors: int = 0
    lowest: int = NO_COST
    cost: int = NO_COST
    winner: int = 0
    depth: int = 0
    faulty: int = NO_COST

    def next_round(self, count: int, steps: int) -> tuple[int, int]:
        """How many explorers steal before the next round, and how many children each then tries.

        `count`: the number of explorers. `steps`: how many children each explorer tries if most explorers have
        something to do.
        """
        pairs = min(self.idle, self.donors) if FEW * self.idle >= count else 0
        return pairs, steps if 4 * (self.idle - pairs) <= count else max(1, steps // SHORTER)


TYPES = Types(np.dtype(np.int64), np.dtype(np.int64), np.dtype(np.int32))
"""The types of the records of explorers, which have no items."""

ROUND_REPORT = Record("RoundReport", {each.name: "i64" for each in fields(RoundReport)})
REPORT = ROUND_REPORT.dtype(TYPES)


def joined_report(reports: np.ndarray) -> RoundReport:
    """The common report of explorers, from an array of `REPORT`."""
    best = reports[reports["cost"] == reports["cost"].min()]
    best = best[np.argmin(best["winner"])]
    joined = {name: int(reports[name].sum()) for name in REPORT.names or ()}
    least = {name: int(reports[name].min()) for name in ("lowest", "faulty")}
    of_best = {name: int(best[name]) for name in ("cost", "winner", "depth")}
    return RoundReport(**{**joined, **least, **of_best, "deepest": int(reports["deepest"].max())})


def renumbered(reports: np.ndarray, first: int) -> np.ndarray:
    """The reports with the numbers of explorers counted from explorer `first` on."""
    reports = reports.copy()
    reports["winner"] += first
    reports["faulty"] += np.where(reports["faulty"] == NO_COST, 0, first)
    return reports
