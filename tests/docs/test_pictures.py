"""The pictures of ideas and of programs are those that their scripts draw; outputs are those of the programs."""

import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from docs.building.outputs import held, mark

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
PICTURES = {
    f"{place}{name}": draw
    for place, script in (("", "concepts"), ("programs/", "program_cards"))
    for name, draw in runpy.run_path(str(FOLDER / f"{script}.py"))["PICTURES"].items()
}


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_by_its_script(name: str) -> None:
    drawn = PICTURES[name]()
    ET.fromstring(drawn)
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == drawn, "maybe run make figures"


def test_each_program_has_a_picture_and_the_output_of_its_last_change() -> None:
    programs = sorted((ROOT / "examples").glob("*.py"))
    assert [f"programs/{each.stem}" for each in programs] == [name for name in PICTURES if "/" in name]
    printed = held()
    assert {name: kept["mark"] for name, kept in printed.items()} == {each.stem: mark(each) for each in programs}, (
        "maybe run python -m docs.building.outputs"
    )
    assert all(kept["output"] for kept in printed.values())
