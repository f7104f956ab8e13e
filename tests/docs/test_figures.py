"""Tables of pages are those that their records render."""

import json
import re
import runpy
from pathlib import Path

import pytest
from attrs import evolve

from metaheur.report.papers.making import MadeTable
from metaheur.report.papers.saving import SavedTable
from metaheur.report.table import Table

ROOT = Path(__file__).resolve().parents[2]
FIGURES = runpy.run_path(str(ROOT / "docs/building/figures.py"))


def test_pages_show_their_records() -> None:
    for page, text in FIGURES["rendered"]().items():
        assert page.read_text("utf-8") == text, f"{page.name} differs: maybe run make figures"


def test_readme_and_the_page_of_papers_are_rendered() -> None:
    assert {page.name for page in FIGURES["rendered"]()} >= {"README.md", "papers.md"}


def test_each_rate_names_its_section() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "tests/benchmarks/RESULTS.md").read_text("utf-8"), re.MULTILINE)
    rows = json.loads((ROOT / "docs/records/measured.json").read_text("utf-8"))["rows"]
    assert {each["section"] for each in rows} <= set(headings)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (115_734, "116 k"),
        (16_200_000, "16.2 M"),
        (3.7e9, "3.70 G"),
        (1_150_000_000, "1.15 G"),
        (7, "7.00"),
        ("9 s", "9 s"),
    ],
)
def test_a_number_has_three_digits(value: float | str, text: str) -> None:
    assert FIGURES["number"](value) == text


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
    assert "![x](pictures/luong2011-multistart_figure-2.svg)" in FIGURES["papers_page"]([saved])
    assert "iteration level" in FIGURES["draw"](saved, tmp_path).read_text("utf-8")
    without = evolve(saved, table=evolve(saved.table, name="table 2"))
    assert "pictures" not in FIGURES["papers_page"]([without])
