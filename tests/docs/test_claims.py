"""What the pages of papers say of their tables is what the records show."""

import re
from pathlib import Path

import pytest
from attrs import evolve

from docs.building.claims import HEADINGS, REASONS, _from, column, faster_cores, losses, notes, stored
from metaheur.report.papers.making import MadeTable
from metaheur.report.papers.saving import SavedTable
from metaheur.report.table import Table
from tests.benchmarks.records import MEASURED, Record

ROOT = Path(__file__).resolve().parents[2]
HEADER = ("instance", "core", "ours, core", "ratio", "ours, GPU", "ratio", "ours, GPU, global")
ROWS = ((0.1, "0.0116 ± 0.002", 8.6, "0.044 ± 0.04", 11.4, "0.034"), (3.5, "0.0435", 80.5, "0.0405", 86.4, "0.05"))


def saved(name: str = "table 1") -> SavedTable:
    table = Table(HEADER, (("tai12a",), ("tai40a",)), ROWS)
    made = MadeTable(name, "QAP, pairwise exchange, seconds of 10,009 iterations", table, (), (), ())
    return SavedTable("luong2009", "2026-11-29", "", made)


def test_no_row_in_which_a_gpu_is_slower_than_a_core_is_without_a_reason() -> None:
    slower = {(each.paper, each.table.name): losses(each) for each in stored()}
    assert {key for key, lost in slower.items() if lost} == set(REASONS)
    for key, lost in slower.items():
        assert not [name for name in lost if not {name, "*"} & REASONS[key].keys()]


def test_slower_rows_are_counted_with_the_steps_and_the_reason() -> None:
    assert losses(saved()) == {
        "GPU": {"tai12a": pytest.approx(0.0116 / 0.044)},
        "GPU, global": {"tai12a": pytest.approx(0.0116 / 0.034), "tai40a": pytest.approx(0.87)},
    }
    told = faster_cores(saved())
    assert told.startswith(
        "**Where a core is faster.** *GPU* is 0.26 times as fast as a core in 1 of 2 rows (tai12a); "
        "*GPU, global* is 0.34 to 0.87 times in 2 of 2 rows (tai12a, tai40a). "
        "There a step takes 1.2 to 4.3 µs on a core, 3.4 to 5 µs on a GPU. A core is faster here, since it changes"
    )
    fast = evolve(saved(), table=evolve(saved().table, table=Table(HEADER[:6], (("tai40a",),), (ROWS[1][:5],))))
    assert (losses(fast), faster_cores(fast)) == ({}, "")


def test_speed_ups_below_1_are_slower_rows_too() -> None:
    (first,) = (each for each in stored() if (each.paper, each.table.name) == ("delevacq2012", "table 1"))
    lost = losses(first)
    below = [row for row, value in column(first, "ours, a thread").items() if value < 1]
    assert list(lost["a thread"]) == below
    assert not [name for name in lost if "optimal" in name or "excess" in name or "core" in name]


def test_the_row_from_which_a_gpu_is_faster_has_only_faster_ones_behind_it() -> None:
    assert _from({"a": 0.5, "b": 1.5, "c": 0.9, "d": 1.0, "e": 2.0}) == "d"
    assert _from({"a": 1.5, "b": 2.0}) == "a"
    assert _from({"a": 0.5}) == "none"


@pytest.mark.parametrize("paper", HEADINGS)
def test_notes_have_numbers_of_their_records(paper: str) -> None:
    told = notes(paper)
    assert "**Where our tables differ, and why.**" in told
    assert "nan" not in told
    assert "none" not in told.replace("compared with none", "")


def test_the_sizes_from_which_a_walk_is_faster_on_a_gpu_are_those_of_the_record() -> None:
    record = Record.read(MEASURED / "gpu_blocks.json")
    core, gpu = (record.columns.index(name) for name in ("a core", "the planner's choice"))
    rates = {row[0]: tuple(float(row[k].replace(",", "")) for k in (core, gpu)) for row in record.rows}
    slower = {name for name, (host, cuda) in rates.items() if host > cuda}
    assert slower == {
        *(f"QAP, n = {n}, Swap()" for n in (12, 20, 30, 40, 60)),
        "PPP, n = 73, Hamming(radius=1)",
        *(f"QUBO, n = {n}, Hamming(radius=1)" for n in (100, 500, 2000)),
    }
    assert max(cuda for _, cuda in rates.values()) == pytest.approx(1e6 / 1.5, rel=0.02)


def test_the_page_of_trees_counts_the_proofs_of_the_record() -> None:
    (saved,) = (each for each in stored() if each.paper == "boukedjar2012")
    proven = [int(found[1]) for note in saved.table.notes if (found := re.search(r"CPU: (\d+) of 10 optima", note))]
    assert f"{sum(proven)} of the fifty are proven within 20 M nodes" in (ROOT / "docs/exact.md").read_text("utf-8")


def test_a_warp_for_each_walk_is_the_fastest_with_many_walks() -> None:
    (first,) = (each for each in stored() if (each.paper, each.table.name) == ("delevacq2012", "table 1"))
    warp, *others = (column(first, f"ours, a {kind}") for kind in ("warp", "thread", "block, global", "block, shared"))
    for row in (each for each in warp if each.endswith((", 512", ", 2048"))):
        assert warp[row] > max(each[row] for each in others)
