"""Tours read and written, and broken files refused in words."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.tsplib import read_tour, write_tour
from tests.problems.formats.helpers import a_file

TOUR = "NAME : three.opt.tour\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n2\n3\n1\n-1\nEOF\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance.tour"


@a_file
@given(st.integers(1, 9).flatmap(lambda n: st.permutations(range(n))))
def test_a_tour_is_read_as_written(path: Path, cities: list[int]) -> None:
    write_tour(path, np.array(cities))
    tour = read_tour(path)
    assert tour.dtype == np.int32
    assert tour.tolist() == cities


@pytest.mark.parametrize(
    "content",
    [
        TOUR,
        TOUR.replace("-1\nEOF\n", ""),
        TOUR.replace("-1\n", "-1\n-1\n"),
        TOUR.replace("TYPE : TOUR\nDIMENSION : 3\n", ""),
        TOUR.replace("2\n3\n1\n", " 2 3\t1 "),
        TOUR.replace("\n", "\r\n"),
    ],
)
def test_a_tour_is_read_from_one(path: Path, content: str) -> None:
    path.write_bytes(content.encode())
    assert read_tour(path).tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("1\n-1\nEOF\n", "", "TOUR_SECTION is truncated: it must hold 3 cities, but holds 2"),
        ("1\n-1", "1\n4\n-1", "line 8: '4' follows the last of 3 cities"),
        ("1\n-1", "2\n-1", "line 7: a city is 2, which is listed twice, and 1 is missing"),
        ("1\n-1", "0\n-1", r"line 7: a city must be in 1 \.\.\. 3, but is 0"),
        ("1\n-1", "-7\n-1", r"line 7: a city must be in 1 \.\.\. 3, but is -7"),
        ("1\n-1", "x\n-1", "line 7: 'x' is neither a keyword nor a number"),
        ("1\n-1", "1x\n-1", "line 7: '1x' is not a number"),
        ("1\n-1", "1\n-1\n3 2 1 -1", "holds more than one tour"),
        ("1\n-1", "1.5\n-1", r"line 7: '1\.5' is not an integer"),
        ("TOUR_SECTION\n2\n3\n1\n-1\n", "", "does not hold the section TOUR_SECTION"),
        ("TYPE : TOUR", "TYPE : TSP", "TYPE must be TOUR, but is 'TSP'"),
        (
            "DIMENSION : 3\nTOUR_SECTION\n2\n3\n1",
            "TOUR_SECTION\n",
            "TOUR_SECTION is truncated: it must hold 1 cities, but holds 0",
        ),
    ],
)
def test_a_broken_tour_is_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in TOUR
    path.write_text(TOUR.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_tour(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("tour", "reason"),
    [
        (np.array([0.0, 1.0]), "`tour` must be an array of integers .*, but is one of float64"),
        (np.array([[0, 1]]), r"shape \(1, 2\)"),
        (np.array([], int), r"shape \(0,\)"),
        (np.array([1, 2]), r"`tour` must be a permutation: position 1 holds 2, but the items are 0 \.\.\. 1"),
        (np.array([1, 1]), "`tour` must be a permutation: positions 0 and 1 both hold 1, and 0 is missing"),
    ],
)
def test_what_makes_no_tour_is_not_written(path: Path, tour: np.ndarray, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        write_tour(path, tour)
    assert not path.exists()
