"""Tokens turned into numbers, exactly or with the line of the first offence, and numbers turned into tokens."""

from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import decimals, integer, integers, integral, reals, scaled
from metaheur.problems.formats.tokens import Tokens
from tests.problems.formats.helpers import a_file, tokens_of

INT64 = np.iinfo(np.int64)


@pytest.mark.parametrize(
    ("content", "low", "high", "reason"),
    [
        ("5\n-1", 0, int(INT64.max), r"line 2: a weight must be 0 or more, but is -1"),
        ("5\n0", 1, int(INT64.max), r"line 2: a weight must be 1 or more, but is 0"),
        ("5\n9", 1, 8, r"line 2: a weight must be in 1 \.\.\. 8, but is 9"),
        ("5\n0", 1, 8, r"line 2: a weight must be in 1 \.\.\. 8, but is 0"),
    ],
)
def test_numbers_out_of_bounds_are_refused(path: Path, content: str, low: int, high: int, reason: str) -> None:
    tokens = tokens_of(path, content)
    with pytest.raises(InputError, match=reason):
        integers(tokens, tokens.rest(), "a weight", low, high)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("1.5", "is not an integer"),
        ("1e3", "is not an integer"),
        ("2.0", "is not an integer"),
        ("nan", "is not a number"),
        ("٣", "is not a number"),
        ("x", "is not a number"),
        ("1_0", "is not a number"),
        ("--1", "is not a number"),
        ("+", "is not a number"),
        ("9223372036854775808", "does not fit into 64 bits"),
        ("1" + "0" * 5000, "does not fit into 64 bits"),
    ],
)
def test_words_that_are_no_integers_are_refused(path: Path, word: str, reason: str) -> None:
    tokens = tokens_of(path, f"0\n1\n{word}")
    with pytest.raises(InputError, match=f"line 3: .* {reason}"):
        integers(tokens, tokens.rest(), "a number")


@pytest.mark.parametrize(
    ("word", "value"), [("20", 20), ("2e1", 20), ("-20.0", -20), (".5E1", 5), ("9e18", 9 * 10**18)]
)
def test_integers_are_read_however_written_where_the_format_says_so(path: Path, word: str, value: int) -> None:
    tokens = tokens_of(path, f"1 {word}")
    read = integral(tokens, tokens.rest(), "a number")
    assert read.dtype == np.int64
    assert read.tolist() == [1, value]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("1.5", "is not an integer"),
        ("2e-1", "is not an integer"),
        ("x", "is not a number"),
        ("1-2", "is not a number"),
        ("1e19", "does not fit into 64 bits"),
        ("-9.3e18", "does not fit into 64 bits"),
        ("0." + "1" * 20, "has more digits"),
    ],
)
def test_what_is_no_integer_in_any_writing_is_refused(path: Path, word: str, reason: str) -> None:
    tokens = tokens_of(path, f"0\n1.0\n{word}")
    with pytest.raises(InputError, match=f"line 3: .* {reason}"):
        integral(tokens, tokens.rest(), "a number")
    tokens = tokens_of(path, "1.0\n7e0")
    with pytest.raises(InputError, match=r"line 2: a size must be in 1 \.\.\. 6, but is 7e0"):
        integral(tokens, tokens.rest(), "a size", 1, 6)


@a_file
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_reals_are_read_to_their_last_digit(path: Path, values: list[float]) -> None:
    tokens = tokens_of(path, " ".join(map(repr, values)))
    assert reals(tokens, tokens.rest()).tolist() == values


def test_no_reals_are_no_offence(path: Path) -> None:
    assert reals(tokens_of(path, "x"), range(0)).tolist() == []


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
        (".", "'.' is not a number"),
        ("1e999", "'1e999' is too large"),
        ("9" * 400, "is too large"),
    ],
)
def test_words_that_are_no_reals_are_refused(path: Path, word: str, reason: str) -> None:
    tokens = tokens_of(path, f"1 2\n3e5 {word}\n.5")
    with pytest.raises(InputError, match=f"line 2: .*{reason}|line 2: {reason}"):
        reals(tokens, tokens.rest())


@pytest.mark.parametrize("word", ["9223372036854775807", "-9223372036854775808", "+0", "0" * 5000 + "7", "-07"])
def test_every_64_bit_integer_is_read(path: Path, word: str) -> None:
    tokens = tokens_of(path, word)
    assert integer(tokens, "a number") == int(word.lstrip("0") or 0)


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
    tokens = tokens_of(path, content)
    read, by = scaled(tokens, tokens.rest(), "a number")
    assert (read.tolist(), by) == (values, factor)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("1\n.", "line 2: '.' is not a number"),
        ("1\n1.2.3", "line 2: '1.2.3' is not a number"),
        ("1\ninf", "line 2: 'inf' is not a number"),
        ("1\n1e", "line 2: '1e' is not a number"),
        ("1\n1e99", "line 2: '1e99' does not fit into 64 bits"),
        ("1\n1e19", "line 2: '1e19' does not fit into 64 bits"),
        ("1\n" + "9" * 99 + "x", r"line 2: '9{40}\.\.\.' is not a number"),
        ("1\n1e-99", "line 2: '1e-99' has more digits"),
        ("1\n1e-999999999", "line 2: '1e-999999999' has more digits"),
        ("1\n0." + "1" * 50, "has more digits"),
        ("1\n10000000000\n0.0000000001", "line 2: '10000000000' times 10000000000, .* does not fit into 64 bits"),
        ("0.5\n-1", r"line 2: a number must be 0 or more, but is -1"),
    ],
)
def test_words_that_are_no_decimals_are_refused(path: Path, content: str, reason: str) -> None:
    tokens = tokens_of(path, content)
    with pytest.raises(InputError, match=reason):
        scaled(tokens, tokens.rest(), "a number", 0)


@a_file
@given(st.lists(st.decimals(-(10**6), 10**6, allow_nan=False, places=6), min_size=1, max_size=9))
@example([Decimal("-0.5"), Decimal(7)])
def test_decimals_are_read_exactly_and_written_back(path: Path, exact: list[Decimal]) -> None:
    tokens = tokens_of(path, " ".join(map(str, exact)))
    values, factor = scaled(tokens, tokens.rest(), "a number")
    assert [Decimal(value) / factor for value in values.tolist()] == exact
    assert factor == 1 or any(value % 10 for value in values.tolist())
    assert [Decimal(text) for text in decimals(values, factor)] == exact


@a_file
@given(st.binary() | st.text("0123456789+-.eE \n#,", max_size=30).map(str.encode))
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(InputError):
        tokens = Tokens.read(path, commas=True, comments="#")
        places = tokens.rest()
        values, factor = scaled(tokens, places, "a number")
        assert [Decimal(int(value)) / factor for value in values] == [Decimal(tokens.token(k)) for k in places]
        assert (integral(tokens, places, "a number").tolist(), factor) == (values.tolist(), 1)
        assert integers(tokens, places, "a number").tolist() == [int(tokens.token(k)) for k in places]


@a_file
@given(st.text("0123456789+-.eE \n", min_size=1, max_size=30))
def test_reals_are_those_that_python_reads_or_refused(path: Path, content: str) -> None:
    path.write_text(content)
    with suppress(InputError):
        tokens = Tokens.read(path)
        assert reals(tokens, tokens.rest()).tolist() == [float(word) for word in content.split()]
