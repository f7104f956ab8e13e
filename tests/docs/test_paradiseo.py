"""The list of ParadisEO's classes: each once, and ours that are named beside them exist."""

import builtins
import re
from importlib import import_module
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "paradiseo.md").read_text("utf-8")
ROWS = [line.split(" | ", 1) for line in PAGE.splitlines() if line.startswith("| `")]
ROOMS = (
    *("archives", "landscape", "lists", "loops", "neighborhoods", "open", "parallel", "parts", "problems", "reals"),
    *("report", "representations", "searches", "stop", "testing", "translator", "tree", "tuning", "watch"),
)


def names(cell: str) -> list[str]:
    return re.findall(r"(?<![\w`.])`?\b([A-Za-z]\w+)", " ".join(re.findall(r"`[^`]+`", cell)))


def test_each_class_of_paradiseo_stands_once_and_the_page_counts_them() -> None:
    theirs = [name for left, _ in ROWS for name in re.findall(r"`(\w+)`", left)]
    assert sorted({name for name in theirs if theirs.count(name) > 1}) == []
    stated = re.search(r"All (\d+) classes", PAGE)
    assert stated
    assert len(theirs) == int(stated[1])
    assert "yet" not in PAGE


def test_our_names_beside_them_exist() -> None:
    rooms = [builtins, import_module("metaheur"), *(import_module(f"metaheur.{room}") for room in ROOMS)]
    ours = {name for _, right in ROWS for name in names(right) if name[0].isupper() and not name.isupper()}
    found = {name for name in ours if any(hasattr(room, name) for room in rooms)}
    assert len(found) > 120
    assert sorted(ours - found) == []
