"""The tokens of instance files taken one after the other, and the line of every offence named."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.tokens import Tokens
from tests.problems.formats.helpers import a_file, tokens_of


@pytest.mark.parametrize(
    "content",
    [b"1 2\n3", b"1 2\r\n3\r\n", b"1\t2\r3", b"\n\n 1 2 \n 3", b"\xef\xbb\xbf1 2 3", gzip.compress(b"1 2 3", mtime=0)],
)
def test_white_space_line_ends_and_gzip_make_no_difference(path: Path, content: bytes) -> None:
    tokens = tokens_of(path, content)
    assert tokens.at(tokens.rest()) == ["1", "2", "3"]


def test_commas_separate_where_the_format_says_so(path: Path) -> None:
    tokens = tokens_of(path, "1,2 ,\n3", commas=True)
    assert tokens.at(tokens.rest()) == ["1", "2", "3"]
    tokens = tokens_of(path, "1,2 ,\n3")
    assert tokens.at(tokens.rest()) == ["1,2", ",", "3"]


def test_comments_are_left_out_and_their_lines_still_counted(path: Path) -> None:
    tokens = tokens_of(path, "# 9\r\n1\r\n  c 8 8\r\n\r\n2 #\r\n", comments="#c")
    places = tokens.rest()
    assert tokens.at(places) == ["1", "2", "#"]
    assert tokens.error(places[2], "it is wrong", "mend it.").reason == f"{path}, line 5: it is wrong."


@pytest.mark.parametrize(("content", "comments"), [("", ""), (" \n", ""), ("c a\n # b\n", "c#")])
def test_a_file_without_words_is_refused(path: Path, content: str, comments: str) -> None:
    with pytest.raises(InputError, match="is empty"):
        tokens_of(path, content, comments=comments)


def test_columns_of_a_table_are_slices_of_its_places(path: Path) -> None:
    tokens = tokens_of(path, "2  e 1 0.5  e 2 7")
    tokens.take(1, "size")
    places = tokens.take(6, "tokens")
    tokens.keyword(places[0::3], "e")
    assert tokens.at(places[1::3]) == ["1", "2"]
    assert tokens.at(places[2::3]) == ["0.5", "7"]
    tokens.finish("the table")
    assert tokens.left == 0


@pytest.mark.parametrize(("content", "count"), [("7\n8 9", 1), ("\n \n7 8\n9", 2), ("# 1\n\n7 8 9", 3), ("7", 1)])
def test_the_tokens_of_the_first_line_are_counted(path: Path, content: str, count: int) -> None:
    assert tokens_of(path, content, comments="#").on_first_line == count


def test_words_that_are_missing_are_counted_and_named(path: Path) -> None:
    tokens = tokens_of(path, "3\n1\n2")
    tokens.take(1, "size")
    with pytest.raises(InputError, match="truncated: from line 2 on, expected 3 capacities, found 2") as caught:
        tokens.take(3, "capacities")
    assert str(path) in caught.value.reason
    assert caught.value.maybe
    tokens.rest()
    with pytest.raises(InputError, match="at its end, expected 1 size, found 0"):
        tokens.take(1, "size")


def test_words_that_are_too_many_are_counted_and_named(path: Path) -> None:
    tokens = tokens_of(path, "3\n1\n2")
    tokens.take(1, "number")
    with pytest.raises(InputError, match=r"line 2: '1' follows the last capacity.*\(2 tokens too many\)"):
        tokens.finish("the last capacity")


def test_a_word_that_is_due_is_asked_for(path: Path) -> None:
    tokens = tokens_of(path, "e\ne\nf")
    with pytest.raises(InputError, match="line 3: 'e' is expected, but 'f' is found"):
        tokens.keyword(tokens.rest(), "e")


def test_a_part_of_a_file_has_the_lines_of_the_whole() -> None:
    text = "a\n1 2\n3\nb\n"
    tokens = Tokens.within("it", text, (text.index("1"), text.index("b")))
    assert tokens.on_first_line == 2
    assert tokens.at(tokens.take(2, "numbers")) == ["1", "2"]
    with pytest.raises(InputError, match="it, line 3: '3' follows the table"):
        tokens.finish("the table")
    with pytest.raises(InputError, match="from line 3 on, expected 2 numbers, found 1"):
        tokens.take(2, "numbers")
    tokens.rest()
    with pytest.raises(InputError, match="before line 4, expected 1 number, found 0"):
        tokens.take(1, "number")
    assert not tokens.rest()


def test_long_words_are_shown_cut(path: Path) -> None:
    tokens = tokens_of(path, "x" * 41 + " " + "y" * 40)
    assert tokens.shown(0) == repr("x" * 40 + "...")
    assert tokens.shown(1) == repr("y" * 40)
    assert tokens.token(0) == "x" * 41


@a_file
@given(st.text("a \n\t\x1c\x85\u2003", min_size=1), st.data())
def test_every_word_is_found_on_its_line(path: Path, text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    tokens = Tokens.within(path, text, (start, stop))
    lines = [
        number for number, line in enumerate((" " * start + text[start:stop]).split("\n"), 1) for _ in line.split()
    ]
    before = text[:start].count("\n")
    found = [int(tokens.error(place, "").reason.rpartition("line ")[2].rstrip(": .")) for place in tokens.rest()]
    assert found == [before + line for line in lines]
