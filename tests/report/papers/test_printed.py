"""The tables as printed agree with the numbers that ours are compared with."""

import pytest

from metaheur.report.papers import luong2009, luong2011_flowshop, luong2011_multistart
from metaheur.report.papers.printed import PRINTED, printed

KINDS = luong2011_multistart.SECONDS


def seconds(cell: str) -> float | None:
    return None if cell == "-" else float(cell.partition("×")[0])


def compared(paper: str, table: str) -> dict[str, tuple[float | None, ...]]:
    """The seconds that our columns are compared with, by row."""
    number = int(table.split()[1])
    if paper == "luong2011-multistart":
        return {row: sum((KINDS[kind][row][:3] for kind in KINDS), ()) for row in KINDS["annealing"]}
    found = luong2009.SECONDS[number] if paper == "luong2009" else luong2011_flowshop.SECONDS[number]
    return {row: cells[:6] if len(cells) > 4 else cells[:3] for row, cells in found.items()}


@pytest.mark.parametrize(("paper", "table"), PRINTED)
def test_printed_seconds_are_those_of_the_comparison(paper: str, table: str) -> None:
    heads, _ = PRINTED[paper, table]
    theirs = compared(paper, table)
    rows = printed(paper, table)
    assert rows.keys() == theirs.keys()
    for row, cells in rows.items():
        assert len(cells) == len(heads)
        last = tuple(map(seconds, cells[-len(theirs[row]) :]))
        assert last == theirs[row] or (paper, table, row) == ("luong2011-flowshop", "table 2", "20-20")  # a misprint


@pytest.mark.parametrize(("paper", "table"), PRINTED)
def test_printed_speed_ups_are_near_the_quotients_of_printed_seconds(paper: str, table: str) -> None:
    for row, cells in printed(paper, table).items():
        core = 0.0
        for cell in cells:
            if "×" not in cell:
                core = seconds(cell) or core
            elif (paper, table, row, cell) not in MISPRINTS:
                assert float(cell.partition("×")[2]) == pytest.approx(core / (seconds(cell) or 1), rel=0.25, abs=0.11)


MISPRINTS = {("luong2011-flowshop", "table 2", "20-20", "6×0.7")}
