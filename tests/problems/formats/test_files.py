"""Text read whatever its compression and line ends, and written as lines."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems import QUBO, TSP, Knapsack
from metaheur.problems.formats.files import line_of, read_text, write_lines

TEXT = "a b\n1 2\n"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        gzip.compress(TEXT.encode(), mtime=0),
    ],
)
def test_a_text_is_read_whatever_its_line_ends_and_compression(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "text").write_bytes(content)
    assert read_text(tmp_path / "text") == TEXT


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\ufeff"))).filter(
        lambda x: "".join(x).strip()
    )
)
def test_lines_are_read_as_written(tmp_path: Path, lines: list[str]) -> None:
    write_lines(tmp_path / "text", lines)
    assert read_text(str(tmp_path / "text")).split("\n") == [*lines, ""]


def test_each_line_is_ended_whatever_the_system(tmp_path: Path) -> None:
    write_lines(tmp_path / "text", ["1 2", "", "ü"])
    assert (tmp_path / "text").read_bytes() == b"1 2\n\n\xc3\xbc\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b" \r\n", "is empty"),
        (gzip.compress(b"1", mtime=0)[:-3], "is damaged"),
        (b"\x1f\x8b0", "is damaged"),
    ],
)
def test_an_empty_or_damaged_file_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "text").write_bytes(content)
    with pytest.raises(InputError, match=reason):
        read_text(tmp_path / "text")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        read_text(tmp_path / "absent")
    with pytest.raises(InputError, match="cannot be read"):
        read_text(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_text("a\0b")
    with pytest.raises(InputError, match="cannot be written"):
        write_lines(tmp_path / "absent" / "text", [TEXT])


def test_what_is_no_text_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_lines(tmp_path / "text", ["\ud800"])
    assert not (tmp_path / "text").exists()


@given(st.text("a\n"), st.integers(0, 9))
def test_lines_are_counted_from_one(text: str, position: int) -> None:
    assert line_of(text, position) == len(text[:position].split("\n"))


@pytest.mark.parametrize("path", [5, None, b"x", ["x"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    for call in (read_text, lambda it: write_lines(it, [TEXT]), QUBO.from_file, Knapsack.from_file, TSP.from_file):
        with pytest.raises(InputError, match="`path` must be a path, but is"):
            call(path)
