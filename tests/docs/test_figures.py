"""Tables of pages are those that their records render."""

import json
import re
import runpy
from pathlib import Path

import pytest
from attrs import evolve

from docs.building.papers import median_ratio
from metaheur.report.papers.making import MadeTable
from metaheur.report.papers.saving import SavedTable
from metaheur.report.table import Table
from tests.benchmarks.records import MEASURED, Record

ROOT = Path(__file__).resolve().parents[2]
FIGURES = runpy.run_path(str(ROOT / "docs/building/figures.py"))


def test_pages_show_their_records() -> None:
    for page, text in FIGURES["rendered"]().items():
        assert page.read_text("utf-8") == text, f"{page.name} differs: maybe run make figures"


def test_readme_results_and_the_page_of_papers_are_rendered() -> None:
    assert {page.name for page in FIGURES["rendered"]()} >= {"README.md", "papers.md", "RESULTS.md"}


def test_records_of_papers_were_made_from_a_commit() -> None:
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "docs/records/papers").glob("*.json")}
    assert len(found) == 17
    assert not [name for name, each in found.items() if each["revision"]["changed"]]


def test_no_number_of_the_pages_of_papers_is_extrapolated() -> None:
    rows = [line for saved in FIGURES["stored"]() for line in saved.markdown().split("\n") if line.startswith("|")]
    assert len(rows) > 200
    assert not [line for line in rows if "~" in line]


def test_the_overview_quotes_cells_of_records() -> None:
    record = Record.read(MEASURED / "qap_many_walks.json")
    shown = FIGURES["overview"]()
    assert f"| {record.cell('host, one core', 'n = 100')} |" in shown
    saved = SavedTable.read(ROOT / "docs/records/papers/luong2011-flowshop_table-4.json").table.table
    core, gpu = (saved.cells[-1][saved.header.index(f"ours, {name}") - 1] for name in ("core", "GPU"))
    assert f"| {core.partition(' ±')[0]} s | {gpu.partition(' ±')[0]} s |" in shown


def test_results_list_every_record() -> None:
    names = [path.stem for path in MEASURED.glob("*.json")]
    listed = re.findall(r"\w+", FIGURES["results_page"]())
    assert len(names) > 30
    assert not [name for name in names if name not in listed]


def test_a_figure_with_numbers_is_drawn_and_shown(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    header = ("searches", "ours, core, seconds", "ours, algorithmic level", "ours, iteration level")
    rows = ((0.1, 0.5, "~2.5"), (0.4, "~1,200", 2.5))
    table = Table(header, (("16",), ("64",)), rows)
    saved = SavedTable("luong2011-multistart", "2026-11-23", "", MadeTable("figure 2", "x", table, (), (), ()))
    assert FIGURES["curves"](saved) == {
        "algorithmic level": [(16.0, 0.5), (64.0, 1200.0)],
        "iteration level": [(16.0, 2.5), (64.0, 2.5)],
    }
    (page,) = FIGURES["paper_pages"]([saved]).values()
    assert "![x](../pictures/luong2011-multistart_figure-2.svg)" in page
    assert "figure 2" in FIGURES["papers_page"]([saved])
    drawn = FIGURES["draw"](saved, tmp_path).read_text("utf-8")
    assert "iteration level" in drawn
    assert {"clip-0"} == set(re.findall(r"url\(#(.*?)\)", drawn))  # not hashed from the last bits of the layout
    without = evolve(saved, table=evolve(saved.table, name="table 2"))
    (page,) = FIGURES["paper_pages"]([without]).values()
    assert "pictures" not in page


def test_the_summary_of_a_paper_is_the_median_of_the_ratios_of_its_tables() -> None:
    header = ("instance", "core", "ours, core", "ratio", "ours, GPU", "ratio")
    rows = ((1, 0.5, 2.0, None, None), (1, 0.1, "~10", 0.25, "<4"), (1, 0.2, 5.0, 1, 1.0))
    table = Table(header, (("a",), ("b",), ("c",)), rows)
    saved = SavedTable("luong2009", "2026-11-23", "", MadeTable("table 1", "x", table, (), (), ()))
    assert median_ratio([saved], ("ours, core",)) == "5.0"
    assert median_ratio([saved, saved], ("ours, GPU",)) == "2.5"
    assert median_ratio([saved], ("ours, cores",)) == "–"


def test_a_page_chooses_rows_and_columns_of_a_record() -> None:
    record = Record("rates", "x", "today", "a core", ("", "slow", "fast"), (("a", "1", "2"), ("b", "3", "4")))
    shown = record.markdown("b", "^f").splitlines()[2:]
    assert shown == ["|  | fast |", "| --- | ---: |", "| b | 4 |"]
    with pytest.raises(AssertionError, match="no column of 'rates'"):
        record.markdown("b", "none")


NUMBER = r"\d[\d,.]*( (to|and|or|\.\.\.) \d[\d,.]*)?"
SPEED = re.compile(
    rf"{NUMBER} ?[kMG]? ?(iterations|it|moves|trials|children|nodes|steps|flips|evaluations|kicks|B)/s\b"
    rf"|{NUMBER} times (as (fast|slow|long|many|much)|faster|slower)"
)


def prose(page: Path) -> str:
    """The text of a page without records, code and tables of code."""
    text = re.sub(r"<!-- record: .*?<!-- end -->|```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


@pytest.mark.parametrize("folder", [".", "docs", "docs/tutorials", "docs/how-to", "docs/decisions"])
def test_speeds_are_on_pages_only_as_records(folder: str) -> None:
    """A decision may also say when it was measured."""
    pages = [ROOT / "README.md"] if folder == "." else sorted((ROOT / folder).glob("*.md"))
    assert pages
    for page in pages:
        text = prose(page)
        found = SPEED.search(text)
        dated = folder == "docs/decisions" and re.search(r"\b20\d\d-\d\d-\d\d\b", text)
        assert found is None or dated, f"{page.name} types {found[0]!r}: maybe show a record, or link to one"
