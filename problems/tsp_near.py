"""The nearest cities of every city in the plane, by compiled code and a grid: in time proportional to their number."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, Self

import numpy as np

from metaheur.device.device import CompiledUnit
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.names import device_of
from metaheur.device.session import Session
from metaheur.machine.memory import require

__all__ = ["METRICS", "CellGrid", "near_cities"]

METRICS: Final = ("EUC_2D", "CEIL_2D", "MAN_2D", "MAX_2D", "ATT")
"""Kinds of distances in the plane; C++ knows them by their numbers."""

CITY: Final = np.dtype([("x", "f8"), ("y", "f8"), ("number", "i4"), ("group", "i4")])
"""`City` in C++."""

ARGUMENTS: Final = Record(
    "Arguments",
    {
        "cities": "City*",
        "starts": "i64*",
        **dict.fromkeys(("low", "apart"), "double*"),
        **dict.fromkeys(("numbers", "found"), "i32*"),
        **dict.fromkeys(("n", "k", "quarter", "columns", "rows"), "i64"),
        "side": "double",
    },
)
"""The arguments of the entry."""


class CellGrid(NamedTuple):
    """Places in square cells, two in each on average: the cell in column i and row j has the number j * columns + i.

    `low`, numpy.ndarray of float64, shape (2,): the lower left corner. `side`: of a cell. `columns`, `rows`: of cells.
    `order`, numpy.ndarray of int64, shape (n,): the places, cell by cell. `starts`, numpy.ndarray of int64, shape
    (columns * rows + 1,): where each cell begins in this order. `cells`, numpy.ndarray of int64, shape (n,): the cell
    of each place.
    """

    low: np.ndarray
    side: float
    columns: int
    rows: int
    order: np.ndarray
    starts: np.ndarray
    cells: np.ndarray

    @classmethod
    def of(cls, places: np.ndarray) -> Self:
        """The grid of places, shape (n, 2)."""
        n, low, spans = len(places), places.min(axis=0), np.ptp(places, axis=0)
        side = max(float(np.sqrt(spans[0] * spans[1] * 2 / n)), float(spans.max()) / n, 1e-300)
        found = ((places - low) / side).astype(np.int64)
        columns, rows = (int(end) + 1 for end in found.max(axis=0))
        cells = found[:, 1] * columns + found[:, 0]
        starts = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=columns * rows))])
        return cls(low, side, columns, rows, np.argsort(cells, kind="stable"), starts, cells)


@lru_cache(maxsize=len(METRICS))
def _compiled(metric: int) -> CompiledUnit:
    constants = f"struct City;\nconstexpr int METRIC = {metric};"
    return device_of("host").compile(
        plain_unit("problems/tsp_metric.cuh problems/tsp_near.cuh", ARGUMENTS, "float64", Launch(threads=1), constants)
    )


def near_cities(
    places: np.ndarray, kind: str, k: int, *, quarter: int = 0, groups: np.ndarray | None = None
) -> np.ndarray:
    """The k cities nearest to each city, among equals those of the lowest numbers.

    `places`, float64, shape (n, 2): coordinates. `kind`: the kind of distances, one of `METRICS`. `k`: how many, 1 or
    more. `quarter`: so many nearest cities of each quadrant come first, if there are, and the nearest of the others
    fill up the row. `groups`, int, shape (n,): no city is a neighbor of another one of its group; by default each city
    is a group. Returns int32, shape (n, k): the nearest first; -1 where there are no more.
    """
    n = len(places)
    require(4 * n * k, f"A list of {k} candidates for each of {n} cities", "ask for fewer.")
    grid = CellGrid.of(places)
    order, cities = grid.order, np.empty(n, CITY)
    cities["x"], cities["y"], cities["number"] = places[order, 0], places[order, 1], order
    cities["group"] = order if groups is None else groups[order]
    found = np.empty((n, k), np.int32)
    session = Session(_compiled(METRICS.index(kind)), device_of("host"))
    apart, numbers = np.empty(k + 4 * quarter), np.empty(k + 4 * quarter, np.int32)
    session.set(
        cities=cities, starts=grid.starts, low=grid.low, apart=apart, numbers=numbers, found=found, n=n, k=k,
        quarter=quarter, columns=grid.columns, rows=grid.rows, side=grid.side,
    )  # fmt: skip
    session.launch("near_cities")
    return found
