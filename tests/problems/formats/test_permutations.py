"""Permutations read from files, and the offence named where there is none."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.tokens import Tokens


def read(text: str, first: int) -> np.ndarray:
    tokens = Tokens.within(Path("it"), text, (0, len(text)))
    return permutation(tokens, tokens.rest(), "a city", first)


@given(st.integers(0, 9).flatmap(lambda n: st.permutations(range(n))), st.integers(0, 1))
def test_a_permutation_is_read_from_its_first_number_on(values: list[int], first: int) -> None:
    found = read(" ".join(str(value + first) for value in values), first)
    assert found.dtype == np.int64
    assert found.tolist() == values


@given(st.lists(st.integers(-1, 4), max_size=5), st.integers(0, 1))
def test_what_is_no_permutation_is_refused(values: list[int], first: int) -> None:
    text = "\n".join(map(str, values))
    if sorted(values) == list(range(first, first + len(values))):
        assert (read(text, first) + first).tolist() == values
    else:
        with pytest.raises(InputError, match=r"it, line [1-5]: a city (is|must)"):
            read(text, first)


@pytest.mark.parametrize(
    ("text", "first", "reason", "maybe"),
    [
        ("1\n2\n4", 1, r"line 3: a city must be in 1 \.\.\. 3, but is 4", "a size is wrong"),
        ("2\n0\n1", 1, r"line 2: a city must be in 1 \.\.\. 3, but is 0", "counts from 0"),
        ("2\n-1\n1", 0, r"line 2: a city must be in 0 \.\.\. 2, but is -1", "a size is wrong"),
        ("3\n1\n3", 1, "line 3: a city is 3, which is listed twice, and 2 is missing", "copied"),
        ("3\n1.5\n3", 1, "line 2: '1.5' is not an integer", "one factor"),
    ],
)
def test_the_offence_is_named_with_its_line(text: str, first: int, reason: str, maybe: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        read(text, first)
    assert maybe in caught.value.maybe
