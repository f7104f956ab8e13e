"""The pictures of ideas are those that their script draws."""

import runpy
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
PICTURES = runpy.run_path(str(FOLDER / "concepts.py"))["PICTURES"]


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_drawn_by_its_script(name: str) -> None:
    drawn = PICTURES[name]()
    ET.fromstring(drawn)
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == drawn, "maybe run python docs/pictures/concepts.py"
