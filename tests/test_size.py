"""The sizes of rooms: what counts as code, what a larger core needs, and what the map shows."""

from pathlib import Path

import pytest

from tests.test_house import size


def test_a_larger_core_must_say_why() -> None:
    assert size.too_large(100, 100) == ""
    assert "1 more than the 100" in size.too_large(101, 100)


def test_each_growth_of_the_core_has_a_reason() -> None:
    for name, (lines, why) in size.grown().items():
        assert lines > 0, name
        assert len(why.split()) > 4, name


def test_docstrings_and_comments_are_no_code(tmp_path: Path) -> None:
    python, cpp = tmp_path / "one.py", tmp_path / "one.cuh"
    python.write_text(
        '"""Says\n\nmore."""\n\n# a remark\nx = "# no remark"  # why\n\n\ndef f():\n    """Says."""\n    return 1\n'
    )
    cpp.write_text("// a remark\n\nint x;  // why\n/* more\nof it */ int y;\n")
    assert list(size.code_lines(python).values()) == ['x = "# no remark"', "def f():", "    return 1"]
    assert list(size.code_lines(cpp)) == [3, 5]


@pytest.mark.parametrize("room", [room.name for room in size.house.rooms()])
def test_the_map_shows_about_the_size_of_a_room(room: str) -> None:
    now, shown = size.sizes()[room].lines, size.on_page()[room]
    assert abs(now - shown) <= 250 + now // 5, "maybe run python .ci/size.py --write"
