"""Rates instead of extrapolated seconds: what runs measured that the clock ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import evolve

from metaheur.report.papers.columns import Seconds
from metaheur.report.papers.making import MadeTable
from metaheur.report.papers.paper import PaperTable
from metaheur.report.table import Table, number_text

__all__ = ["rated"]

OF_SPEED_UPS: Final = "A speed-up is the quotient of two measured rates where the clock ended runs."


def rated(made: MadeTable, paper: PaperTable) -> MadeTable:
    """The table without extrapolated numbers: seconds of all its columns, theirs and ours, are divided alike.

    Extrapolated seconds are seconds that were measured, divided by the share of the work that was done. So a quotient
    of them, such as a ratio or a speed-up, is one of measured rates, and stays as it is. A table without extrapolated
    numbers, and one without a rate, stays as it is.
    """
    rate, header = paper.rate, made.table.header[1:]
    found = {name for row in made.table.cells for name, cell in zip(header, row, strict=True) if _is_extrapolated(cell)}
    if rate is None or not found:
        return made
    ours = {f"ours, {name}" for name, column in paper.ours.items() if isinstance(column, Seconds)}
    divided = {*paper.columns[: paper.seconds], *ours} if found & ours else set[str]()
    cells = tuple(
        tuple(
            _divided(cell, rate.parts(row)) if name in divided else _unmarked(cell)
            for name, cell in zip(header, cells, strict=True)
        )
        for (row, *_), cells in zip(made.table.names, made.table.cells, strict=True)
    )
    notes = [rate.said] if divided else []
    if found - ours:
        notes.append(OF_SPEED_UPS)
    title = rate.title if divided else made.title
    return evolve(
        made, title=title, table=Table(made.table.header, made.table.names, cells), notes=(*notes, *made.notes)
    )


def _is_extrapolated(cell: Any) -> bool:
    return isinstance(cell, str) and cell.startswith("~")


def _unmarked(cell: Any) -> Any:
    return cell[1:] if _is_extrapolated(cell) else cell


def _divided(cell: Any, parts: float) -> Any:
    """A number, or a text of one and of its deviation, divided."""
    if not isinstance(cell, str):
        return None if cell is None else float(f"{cell / parts:.4g}")
    return " ± ".join(_quotients(cell.lstrip("~").split(" ± "), parts))


def _quotients(texts: Sequence[str], parts: float) -> list[str]:
    """A mean to three digits, and a deviation to one."""
    numbers = [float(each.replace(",", "")) / parts for each in texts]
    return [number_text(float(f"{each:.{digits}g}")) for each, digits in zip(numbers, (3, 1), strict=False)]
