"""Text read whatever its compression and line ends; numbers read, or the offence named with its line."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.files import integers, line_of, read_text, reals, write_text

TEXT = "a b\n1 2\n"


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        gzip.compress(TEXT.encode()),
    ],
)
def test_a_text_is_read_whatever_its_line_ends_and_compression(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "text").write_bytes(content)
    assert read_text(tmp_path / "text") == TEXT


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\ufeff")).filter(str.strip))
def test_a_text_is_read_as_written(tmp_path: Path, text: str) -> None:
    write_text(tmp_path / "text", text)
    assert read_text(str(tmp_path / "text")) == text


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "is empty"), (b" \r\n", "is empty"), (gzip.compress(b"1")[:-3], "is damaged"), (b"\x1f\x8b0", "is damaged")],
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
        write_text(tmp_path / "absent" / "text", TEXT)
    with pytest.raises(InputError, match="cannot be written"):
        write_text(tmp_path / "text", "\ud800")


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)), st.sampled_from([" ", "\n", "\t ", "\n\n"]))
def test_reals_are_read_to_their_last_digit(values: list[float], between: str) -> None:
    text = between.join(map(repr, values))
    assert reals(text, (0, len(text)), "it").tolist() == values


@given(st.lists(st.integers(-(2**53), 2**53)))
def test_integers_are_read_exactly(values: list[int]) -> None:
    text = " ".join(map(str, values))
    read = integers(text, (0, len(text)), "it")
    assert read.dtype == np.int64
    assert read.tolist() == values


def test_only_the_span_is_read() -> None:
    assert reals("x 1 2.5e1 .5 +1. y", (1, 16), "it").tolist() == [1, 25, 0.5, 1]
    assert integers("x 1 2e1 3.0 y", (1, 11), "it").tolist() == [1, 20, 3]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("x", "'x' is not a number"),
        ("1_0", "'1_0' is not a number"),
        ("1-2", "'1-2' is not a number"),
        ("0x1", "'0x1' is not a number"),
        ("nan", "'nan' is not a number"),
        ("inf", "'inf' is not a number"),
        ("٣", "'٣' is not a number"),
        ("e5", "'e5' is not a number"),
        ("1e999", "'1e999' is too large"),
        ("9" * 400, "is too large"),
        ("1\x1c2", "is not a number|white space"),
    ],
)
def test_what_is_no_number_is_named_with_its_line(word: str, reason: str) -> None:
    text = f"x\n1 2\n3 {word}\n"
    for read in (reals, integers):
        with pytest.raises(InputError, match=f"it.*({reason})") as caught:
            read(text, (1, len(text)), "it")
        assert "line 3" in caught.value.reason or "white space" in caught.value.reason


@pytest.mark.parametrize(
    ("word", "reason"), [("1.5", "is not an integer"), ("1e20", "lies beyond"), (str(-(2**54)), "lies beyond")]
)
def test_what_is_no_integer_is_named_with_its_line(word: str, reason: str) -> None:
    with pytest.raises(InputError, match=f"it, line 2: '{word}' {reason}"):
        integers(f"1\n2 {word} 3", (0, 4 + len(word)), "it")


@given(st.text("a\n"), st.integers(0, 9))
def test_lines_are_counted_from_one(text: str, position: int) -> None:
    assert line_of(text, position) == len(text[:position].split("\n"))
