"""Tables of pages are those that their records render."""

import json
import re
import runpy
from pathlib import Path

import pytest

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
