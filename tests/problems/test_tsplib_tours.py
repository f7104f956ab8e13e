"""Tours read and written, and broken files refused in words."""

import gzip
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.tsplib import read_tour, write_tour

TOUR = "NAME : three.opt.tour\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n2\n3\n1\n-1\nEOF\n"

a_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


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
        ("1\n-1\nEOF\n", "", "TOUR_SECTION is truncated: it holds 2 cities, but 3 are expected"),
        ("1\n-1", "1\n4\n-1", "line 8: '4' stands after 3 cities"),
        ("1\n-1", "2\n-1", "line 7: a city is 2, which stands there twice, and 1 is missing"),
        ("1\n-1", "0\n-1", r"line 7: a city is 0, which is not in 1 \.\.\. 3"),
        ("1\n-1", "-7\n-1", r"line 7: a city is -7, which is not in 1 \.\.\. 3"),
        ("1\n-1", "x\n-1", "line 7: 'x' is neither a keyword nor a number"),
        ("1\n-1", "1x\n-1", "line 7: '1x' is not a number"),
        ("1\n-1", "1\n-1\n3 2 1 -1", "holds more than one tour"),
        ("1\n-1", "1.5\n-1", r"line 7: '1\.5' is not an integer"),
        ("TOUR_SECTION\n2\n3\n1\n-1\n", "", "has no TOUR_SECTION"),
        ("TYPE : TOUR", "TYPE : TSP", "has the TYPE 'TSP', which is not read"),
        ("DIMENSION : 3\nTOUR_SECTION\n2\n3\n1", "TOUR_SECTION\n", "TOUR_SECTION is truncated: it holds 0 cities"),
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
        (np.array([0.0, 1.0]), "array of float64"),
        (np.array([[0, 1]]), r"shape \(1, 2\)"),
        (np.array([], int), r"shape \(0,\)"),
        (np.array([1, 2]), r"tour is no permutation: position 1 holds 2, but the items are 0 \.\.\. 1"),
        (np.array([1, 1]), "tour is no permutation: positions 0 and 1 both hold 1, and 0 is missing"),
    ],
)
def test_what_makes_no_tour_is_not_written(path: Path, tour: np.ndarray, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        write_tour(path, tour)
    assert not path.exists()


words = st.sampled_from([*TOUR.split(), "0", "1.5", "DIMENSION", "EOF", "1e999", "ÿ", "\0"])
texts = st.lists(st.tuples(words, st.sampled_from([" ", "\n", " : "])).map("".join), max_size=20).map("".join)
edits = st.tuples(st.integers(0, 80), st.integers(0, 9), words).map(
    lambda edit: TOUR[: edit[0]] + edit[2] + TOUR[edit[0] + edit[1] :]
)


@a_file
@given((texts | edits).map(str.encode) | st.binary() | (texts | edits).map(str.encode).map(gzip.compress))
def test_whatever_a_file_holds_only_input_errors_come_out(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with suppress(InputError):
        read_tour(path)
