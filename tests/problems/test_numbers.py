"""The words of instance files taken one after the other, and the line of every offence named."""

import gzip
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.numbers import Numbers, decimals, write_text

INT64 = np.iinfo(np.int64)
a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance"


def written(path: Path, content: bytes | str, *, commas: bool = False, comments: str = "") -> Numbers:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return Numbers.read(path, commas=commas, comments=comments)


@pytest.mark.parametrize(
    "content",
    [b"1 2\n3", b"1 2\r\n3\r\n", b"1\t2\r3", b"\n\n 1 2 \n 3", b"\xef\xbb\xbf1 2 3", gzip.compress(b"1 2 3")],
)
def test_white_space_line_ends_and_gzip_make_no_difference(path: Path, content: bytes) -> None:
    numbers = written(path, content)
    assert numbers.whole(numbers.rest(), "a number").tolist() == [1, 2, 3]


def test_commas_separate_where_the_format_says_so(path: Path) -> None:
    numbers = written(path, "1,2 ,\n3", commas=True)
    assert numbers.whole(numbers.rest(), "a number").tolist() == [1, 2, 3]
    numbers = written(path, "1,2 ,\n3")
    with pytest.raises(InputError, match="line 1: '1,2' is not a number"):
        numbers.whole(numbers.rest(), "a number")


def test_comments_are_left_out_and_their_lines_still_counted(path: Path) -> None:
    numbers = written(path, "# 9\r\n1\r\n  c 8 8\r\n\r\n2 #\r\n", comments="#c")
    assert numbers.whole(numbers.take(2, "numbers"), "a number").tolist() == [1, 2]
    with pytest.raises(InputError, match="line 5: '#' is not a number"):
        numbers.integer("a number")


def test_columns_of_a_table_are_slices_of_its_places(path: Path) -> None:
    numbers = written(path, "2  e 1 0.5  e 2 7")
    places = numbers.take(3 * numbers.integer("rows"), "words")
    numbers.keyword(places[0::3], "e")
    assert numbers.whole(places[1::3], "a vertex").tolist() == [1, 2]
    values, factor = numbers.scaled(places[2::3], "a weight")
    assert (values.tolist(), factor) == ([5, 70], 10)
    numbers.finish("the table")
    assert numbers.left == 0


@pytest.mark.parametrize(("content", "count"), [("7\n8 9", 1), ("\n \n7 8\n9", 2), ("# 1\n\n7 8 9", 3), ("7", 1)])
def test_the_words_of_the_first_line_are_counted(path: Path, content: str, count: int) -> None:
    assert written(path, content, comments="#").on_first_line == count


def test_words_that_are_missing_are_counted_and_named(path: Path) -> None:
    numbers = written(path, "3\n1\n2")
    n = numbers.integer("n")
    with pytest.raises(InputError, match="truncated: from line 2 on, expected 3 capacities, found 2") as caught:
        numbers.take(n, "capacities")
    assert str(path) in caught.value.reason
    assert caught.value.maybe
    numbers.rest()
    with pytest.raises(InputError, match="at its end, expected 1 number: m, found 0"):
        numbers.integer("m")


def test_words_that_are_too_many_are_counted_and_named(path: Path) -> None:
    numbers = written(path, "3\n1\n2")
    numbers.take(1, "number")
    with pytest.raises(InputError, match=r"line 2: '1' stands after the last capacity.*\(2 too many\)"):
        numbers.finish("the last capacity")


@pytest.mark.parametrize(
    ("content", "low", "high", "reason"),
    [
        ("5\n-1", 0, int(INT64.max), "line 2: a weight is -1, which is negative"),
        ("5\n0", 1, int(INT64.max), "line 2: a weight is 0, which is not at least 1"),
        ("5\n9", 1, 8, r"line 2: a weight is 9, which is not in 1 \.\.\. 8"),
        ("5\n0", 1, 8, r"line 2: a weight is 0, which is not in 1 \.\.\. 8"),
    ],
)
def test_numbers_out_of_bounds_are_refused(path: Path, content: str, low: int, high: int, reason: str) -> None:
    numbers = written(path, content)
    with pytest.raises(InputError, match=reason):
        numbers.whole(numbers.rest(), "a weight", low, high)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("1.5", "is not an integer"),
        ("nan", "is not an integer"),
        ("x", "is not a number"),
        ("1_0", "is not a"),
        ("--1", "is not a number"),
        ("+", "is not a number"),
        ("9223372036854775808", "lies beyond 64-bit integers"),
        ("1" + "0" * 5000, "lies beyond 64-bit integers"),
    ],
)
def test_words_that_are_no_integers_are_refused(path: Path, word: str, reason: str) -> None:
    numbers = written(path, f"0\n1\n{word}")
    with pytest.raises(InputError, match=f"line 3: .* {reason}"):
        numbers.whole(numbers.rest(), "a number")


@pytest.mark.parametrize("word", ["9223372036854775807", "-9223372036854775808", "+0", "0" * 5000 + "7", "-07"])
def test_every_64_bit_integer_is_read(path: Path, word: str) -> None:
    numbers = written(path, word)
    assert numbers.integer("a number") == int(word.lstrip("0") or 0)


@pytest.mark.parametrize(
    ("content", "values", "factor"),
    [
        ("1 2 3", [1, 2, 3], 1),
        ("600.1 2 .5", [6001, 20, 5], 10),
        ("1.000 -2. 3", [1, -2, 3], 1),
        ("1e3 2.5E-3 -0.0", [10_000_000, 25, 0], 10_000),
        ("0.125126 375", [125126, 375000000], 10**6),
    ],
)
def test_decimals_become_integers_by_the_smallest_factor(
    path: Path, content: str, values: list[int], factor: int
) -> None:
    numbers = written(path, content)
    read, by = numbers.scaled(numbers.rest(), "a number")
    assert (read.tolist(), by) == (values, factor)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("1\n.", "line 2: '.' is not a number"),
        ("1\n1.2.3", "line 2: '1.2.3' is not a number"),
        ("1\ninf", "line 2: 'inf' is not a number"),
        ("1\n1e", "line 2: '1e' is not a number"),
        ("1\n1e99", "line 2: '1e99' has more digits than 64-bit integers hold"),
        ("1\n1e-99", "line 2: '1e-99' has more digits"),
        ("1\n1e-999999999", "line 2: '1e-999999999' has more digits"),
        ("1\n0." + "1" * 50, "has more digits"),
        ("1\n10000000000\n0.0000000001", "line 2: '10000000000' times 10000000000, .* lies beyond 64-bit integers"),
        ("0.5\n-1", "line 2: a number is -1, which is negative"),
    ],
)
def test_words_that_are_no_decimals_are_refused(path: Path, content: str, reason: str) -> None:
    numbers = written(path, content)
    with pytest.raises(InputError, match=reason):
        numbers.scaled(numbers.rest(), "a number", 0)


@a_file
@given(st.lists(st.decimals(-(10**6), 10**6, allow_nan=False, places=6), min_size=1, max_size=9))
@example([Decimal("-0.5"), Decimal(7)])
def test_decimals_are_read_exactly_and_written_back(path: Path, exact: list[Decimal]) -> None:
    numbers = written(path, " ".join(map(str, exact)))
    values, factor = numbers.scaled(numbers.rest(), "a number")
    assert [Decimal(value) / factor for value in values.tolist()] == exact
    assert factor == 1 or any(value % 10 for value in values.tolist())
    assert [Decimal(text) for text in decimals(values, factor)] == exact


def test_a_word_that_is_due_is_asked_for(path: Path) -> None:
    numbers = written(path, "e\ne\nf")
    with pytest.raises(InputError, match="line 3: 'f' stands where 'e' is expected"):
        numbers.keyword(numbers.rest(), "e")


def test_lines_are_written_as_they_are(path: Path) -> None:
    write_text(path, ["1 2", "", "3"])
    assert path.read_bytes() == b"1 2\n\n3\n"
    with pytest.raises(InputError, match="cannot be written"):
        write_text(path / "deeper", [])


@a_file
@given(st.binary() | st.text("0123456789+-.eE \n#,", max_size=30).map(str.encode))
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(InputError):
        numbers = Numbers.read(path, commas=True, comments="#")
        places = numbers.rest()
        values, factor = numbers.scaled(places, "a number")
        assert [Decimal(int(value)) / factor for value in values] == [Decimal(numbers.word(k)) for k in places]
        numbers.whole(places, "a number")
