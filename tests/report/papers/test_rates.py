"""A page has measured rates where a record has extrapolated seconds, and quotients stay as they are."""

import pytest
from attrs import evolve

from metaheur.report.papers.making import MadeTable
from metaheur.report.papers.paper import PAPERS, PaperTable, tables_of
from metaheur.report.papers.rates import OF_SPEED_UPS, rated
from metaheur.report.table import Table

HEADER = ("instance", "core", "GPU", "GPU, texture", "speed-up", "ours, core", "ratio", "ours, GPU", "ours, speed-up")
WHOLE = (2056.0, 67, None, 40.2, "39.6 ± 8", 51.98, "1.47 ± 0.02", 26.95)
CUT = (3590.0, 105, 84, 42.3, "~62.3 ± 9", 57.58, "2,015", "~29.1")


def table_of(paper: str, name: str) -> PaperTable:
    return next(each for each in tables_of(paper) if each.name == name)


def made(*rows: tuple[object, ...]) -> MadeTable:
    names = tuple((f"{each}01x{each}17",) for each in range(6, 6 + len(rows)))
    return MadeTable("table 3", "PPP, seconds of 10,009 iterations", Table(HEADER, names, rows), (), ("A note.",), ())


def test_seconds_of_both_sides_are_divided_where_ours_are_extrapolated() -> None:
    paper = table_of("luong2009", "table 3")
    found = rated(made(WHOLE, CUT), paper)
    assert found.title == "PPP, 2-Hamming, seconds of 1,000 iterations"
    assert found.table.cells == (
        (205.4, 6.694, None, 40.2, "3.96 ± 0.8", 51.98, "0.147 ± 0.002", 26.95),
        (358.7, 10.49, 8.392, 42.3, "6.22 ± 0.9", 57.58, "201", "29.1"),
    )
    assert found.notes == (paper.rate.said if paper.rate else "", OF_SPEED_UPS, "A note.")
    for theirs, ours, ratio in ((205.4, 3.96, 51.98), (358.7, 6.22, 57.58)):
        assert theirs / ours == pytest.approx(ratio, rel=0.003)


def test_a_table_that_is_whole_or_has_no_rate_stays_as_it_is() -> None:
    paper = table_of("luong2009", "table 3")
    whole, cut = made(WHOLE), made(CUT)
    assert rated(whole, paper) is whole
    assert rated(cut, evolve(paper, rate=None)) is cut


def test_seconds_stay_where_only_speed_ups_are_of_runs_that_the_clock_ended() -> None:
    header = ("instance, walks", "a thread a walk", "ours, core, seconds", "ours, a thread", "ratio")
    table = Table(header, (("kroA100, 1",),), ((0.01, "15.6 ± 0.6", "~0.0588", 0.17),))
    first = rated(MadeTable("table 1", "speed-ups", table, (), (), ()), table_of("delevacq2012", "table 1"))
    assert (first.title, first.notes) == ("speed-ups", (OF_SPEED_UPS,))
    assert first.table.cells == ((0.01, "15.6 ± 0.6", "0.0588", 0.17),)


def test_a_core_s_seconds_of_local_optima_are_those_of_a_thousand() -> None:
    header = ("instance, walks", "speed-up", "ours, core, seconds", "ours, speed-up", "ratio")
    table = Table(header, (("rat783, 8",),), ((16.74, "~11,100 ± 1,000", "~222", 0.07555),))
    found = rated(MadeTable("table 3", "speed-ups", table, (), (), ()), table_of("delevacq2012", "table 3"))
    assert found.table.cells == ((16.74, "19.8 ± 2", "222", 0.07555),)  # 560,000 local optima


@pytest.mark.parametrize("paper", PAPERS)
def test_rates_know_every_row_and_the_columns_of_seconds_are_theirs(paper: str) -> None:
    for table in tables_of(paper):
        assert not [name for name in table.columns[: table.seconds] if "speed" in name or "members" in name]
        if table.rate is not None:
            assert all(table.rate.parts(row) > 0 for row in table.theirs)
