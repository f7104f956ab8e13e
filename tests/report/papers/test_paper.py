"""The numbers of the papers are there, and each of our columns has its place beside them."""

from collections.abc import Mapping

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.report.papers import (
    boukedjar2012,
    delevacq2012,
    luong2009,
    luong2011_flowshop,
    luong2011_multistart,
)
from metaheur.report.papers.paper import PAPERS, tables_of


@pytest.mark.parametrize(
    ("theirs", "rows"),
    [
        (luong2009.SECONDS, [15, 16, 16, 12, 14]),
        (luong2011_multistart.SECONDS, [7, 7, 7]),
        (luong2011_flowshop.SECONDS, [8, 8, 8]),
        (delevacq2012.FIRST, [5] * 5),
        (delevacq2012.BEST_OF_K, [5] * 5),
    ],
)
def test_all_rows_of_the_papers_are_there(theirs: Mapping[object, Mapping[str, object]], rows: list[int]) -> None:
    assert [len(each) for each in theirs.values()] == rows


@pytest.mark.parametrize("paper", PAPERS)
def test_each_row_has_a_number_for_each_of_their_columns_and_ours_is_compared_with_one(paper: str) -> None:
    tables = tables_of(paper)
    assert len({each.name for each in tables}) == len(tables)
    for table in tables:
        assert {len(row) for row in table.theirs.values()} == {len(table.columns)}
        assert all(each.against in (None, *range(len(table.columns))) for each in table.ours.values())
        assert {plan for each in table.ours.values() for plan in each.uses} == table.plans.keys()


def test_their_speed_ups_are_the_quotients_of_their_seconds() -> None:
    for core, both, quotient in boukedjar2012.SECONDS.values():
        assert quotient == pytest.approx(core / both, rel=0.02)


@pytest.mark.parametrize(
    ("rows", "core", "fast"),
    [
        *((luong2009.SECONDS[number], 0, 2) for number in (1, 2, 3, 4)),
        (luong2009.SECONDS[5], 0, 4),
        *((rows, 0, 2) for rows in luong2011_multistart.SECONDS.values()),
        *((rows, 3, 5) for rows in luong2011_flowshop.SECONDS.values()),
    ],
)
def test_their_printed_speed_ups_are_near_the_quotients_of_their_rounded_seconds(
    rows: Mapping[str, tuple[float | None, ...]], core: int, fast: int
) -> None:
    for row in rows.values():
        before, after = row[core], row[fast]
        assert before is not None
        if after is not None:
            assert row[-1] == pytest.approx(before / after, rel=0.25)


def test_their_shares_of_the_time_add_up() -> None:
    for row in luong2011_flowshop.PROFILE.values():
        assert np.reshape(np.array(row, float), (2, 3)).sum(axis=1) == pytest.approx([100, 100], abs=0.11)


def test_their_walks_have_as_many_iterations_together_whatever_their_number() -> None:
    assert {delevacq2012.KICKS % walks for walks in delevacq2012.WALKS} == {0}


def test_another_paper_is_refused() -> None:
    with pytest.raises(InputError, match=r"`paper` must be one of boukedjar2012, .*, but is 'luong1999'"):
        tables_of("luong1999")
