"""TSPLIB's instances read and written, published tours of the stated lengths, and broken files refused in words."""

import csv
import gzip
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.tsplib import TSPInstance, distance_matrix, distances, read_tour, read_tsp, write_tsp
from tests.problems.formats.helpers import a_file

TSP = """NAME : three
COMMENT : a triangle
COMMENT : NODE_COORD_SECTION: not yet
TYPE : TSP
DIMENSION : 3
EDGE_WEIGHT_TYPE : EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 0
3 3 4.5
EOF
"""
MATRIX = """NAME: three
TYPE: ATSP
DIMENSION: 3
EDGE_WEIGHT_TYPE: EXPLICIT
EDGE_WEIGHT_FORMAT: FULL_MATRIX
EDGE_WEIGHT_SECTION
9999 1 2
3 9999 4
5 6 9999
EOF
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance.tsp"


@pytest.fixture(scope="module")
def tsplib(data_folder: Path) -> Path:
    folder = data_folder / "tsplib"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    return folder


def length(instance: TSPInstance, tour: np.ndarray) -> int:
    return int(distances(instance, tour, np.roll(tour, -1)).sum())


@pytest.mark.parametrize("content", [TSP, TSP.replace(" : ", ":"), TSP.replace(" : ", ": "), TSP.replace("EOF\n", "")])
@pytest.mark.parametrize(
    "dress", [str.encode, lambda s: s.replace("\n", "\r\n").encode(), lambda s: gzip.compress(s.encode(), mtime=0)]
)
def test_coordinates_are_read_in_every_dress(path: Path, content: str, dress: object) -> None:
    assert callable(dress)
    path.write_bytes(dress(content))
    instance = read_tsp(str(path))
    assert (instance.name, instance.dimension, instance.kind, instance.symmetric) == ("three", 3, "EUC_2D", True)
    assert instance.matrix is None
    assert instance.coordinates is not None
    assert instance.coordinates.tolist() == [[0, 0], [3, 0], [3, 4.5]]
    assert not instance.coordinates.flags.writeable
    assert not len(instance.fixed_edges)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1 0 0\n2 3 0", "2 3 0\n1 0 0"),
        ("3 3 4.5", "   3\t3.0e+00 0.45E1  "),
        ("1 0 0\n", "\n1 0 0\n\n"),
        ("EOF\n", "EOF\nwhatever follows"),
        ("TYPE : TSP", "type: tsp (M.~Hofmeister)"),
        ("TYPE : TSP", "TYPE TSP"),
        ("TYPE : TSP", "TYPE : TSP\nSOMETHING : else"),
        ("COMMENT : a triangle", "COMMENT : Städte: 1 2 3"),
        ("NODE_COORD_SECTION\n1", "NODE_COORD_SECTION :\n1"),
        ("EOF", "DISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n3 2 2\nEOF"),
    ],
)
def test_what_makes_no_difference_is_accepted(path: Path, old: str, new: str) -> None:
    assert old in TSP
    path.write_text(TSP.replace(old, new), encoding="latin-1")
    assert distance_matrix(read_tsp(path)).tolist() == [[0, 3, 5], [3, 0, 5], [5, 5, 0]]


def test_an_instance_without_a_name_is_named_after_its_file(path: Path) -> None:
    path.write_text(TSP.replace("NAME : three\n", ""))
    assert read_tsp(path).name == "instance"


def test_an_asymmetric_matrix_is_read(path: Path) -> None:
    path.write_text(MATRIX)
    instance = read_tsp(path)
    assert not instance.symmetric
    assert instance.coordinates is None
    assert distance_matrix(instance).tolist() == [[9999, 1, 2], [3, 9999, 4], [5, 6, 9999]]
    assert distances(instance, [0, 1, 2], [1, 2, 0]).tolist() == [1, 4, 5]


def walk(form: str, n: int) -> list[tuple[int, int]]:
    """The entries that a format lists, in its order, found by trying all."""
    cells = [(i, j) for i in range(n) for j in range(n)]
    if form.endswith("_COL"):
        cells = [(i, j) for j in range(n) for i in range(n)]
    if form.startswith("UPPER"):
        return [(i, j) for i, j in cells if i < j or (i == j and "DIAG" in form)]
    if form.startswith("LOWER"):
        return [(i, j) for i, j in cells if i > j or (i == j and "DIAG" in form)]
    return cells


FORMATS = [
    f"{side}{diagonal}{way}" for side in ("UPPER", "LOWER") for diagonal in ("", "_DIAG") for way in ("_ROW", "_COL")
]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("form", ["FULL_MATRIX", *FORMATS])
def test_every_format_of_a_matrix_is_read(path: Path, form: str, n: int) -> None:
    half = np.random.default_rng(n).integers(1, 100, (n, n))
    matrix = half + half.T
    if "DIAG" not in form:
        np.fill_diagonal(matrix, 0)
    numbers = " ".join(str(matrix[i, j]) for i, j in walk(form, n))
    head = f"TYPE:TSP\nDIMENSION:{n}\nEDGE_WEIGHT_TYPE:EXPLICIT\nEDGE_WEIGHT_FORMAT:{form}\nEDGE_WEIGHT_SECTION\n"
    path.write_text(head + numbers + "\nEOF\n")
    assert distance_matrix(read_tsp(path)).tolist() == matrix.tolist()


kinds = st.sampled_from(["EUC_2D", "CEIL_2D", "ATT", "GEO", "MAN_2D", "MAX_2D"])
numbers = st.integers(-1000, 1000).map(float) | st.floats(-1e6, 1e6)


@a_file
@given(kinds, st.lists(st.lists(numbers, min_size=2, max_size=2), min_size=1, max_size=6))
def test_coordinates_are_read_as_written(path: Path, kind: str, coordinates: list[list[float]]) -> None:
    write_tsp(path, TSPInstance("  a name ", kind, coordinates=np.array(coordinates)))
    instance = read_tsp(path)
    assert (instance.name, instance.kind) == ("a name", kind)
    assert instance.coordinates is not None
    assert instance.coordinates.tolist() == coordinates


@a_file
@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.integers(0, 2**57), min_size=n * n, max_size=n * n)))
def test_a_matrix_is_read_as_written(path: Path, entries: list[int]) -> None:
    n = math.isqrt(len(entries))
    matrix = np.array(entries).reshape(n, n)
    written = TSPInstance("some", "EXPLICIT", matrix=matrix, fixed_edges=np.array([[0, n - 1]]))
    write_tsp(path, written)
    instance = read_tsp(path)
    assert np.array_equal(distance_matrix(instance), matrix)
    assert instance.fixed_edges.tolist() == [[0, n - 1]]
    assert instance.symmetric == (matrix == matrix.T).all()


SECTION = "NODE_COORD_SECTION"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "3 3 4.5\nEOF\n",
            "",
            "truncated: from line 8 on, expected 9 numbers: a city and two coordinates, for each of 3 cities, found 6",
        ),
        ("3 3 4.5\nEOF\n", "3 3", "truncated: from line 8 on, expected 9 .*, found 8"),
        ("3 3 4.5", "3 3 4.5\n4 5 6", "line 11: '4' follows the coordinates of 3 cities"),
        ("2 3 0", "3 3 0", "line 10: a city is 3, which is listed twice, and 2 is missing"),
        ("2 3 0", "4 3 0", r"line 9: a city must be in 1 \.\.\. 3, but is 4"),
        ("2 3 0", "0 3 0", r"line 9: a city must be in 1 .*, but is 0"),
        ("2 3 0", "1.5 3 0", r"line 9: '1\.5' is not an integer"),
        ("2 3 0", "2 x 0", "line 9: 'x' is not a number"),
        ("2 3 0", "2 3 nan", "line 9: 'nan' is not a number"),
        ("2 3 0", "2 3 1e400", "line 9: '1e400' is too large"),
        ("2 3 0", "2 3 1e300", "overflows int64"),
        ("2 3 0", "two 3 0", "line 9: 'two 3 0' is neither a keyword nor a number"),
        (SECTION + "\n1", "FOO_SECTION\n1", "holds the section FOO_SECTION, which a TSP does not have"),
        (SECTION + "\n1 0 0\n2 3 0\n3 3 4.5\n", "", "does not hold the section NODE_COORD_SECTION"),
        (
            SECTION + "\n1",
            "EDGE_WEIGHT_SECTION\n1\nNODE_COORD_SECTION\n1",
            "holds the section EDGE_WEIGHT_SECTION, but",
        ),
        (SECTION + "\n1", "1", "line 7: '1' is outside of any section"),
        ("NAME", "17\nNAME", "line 1: '17' is outside of any section"),
        ("TYPE : TSP", "TYPE : CVRP", "TYPE must be TSP or ATSP, but is 'CVRP'"),
        ("TYPE : TSP\n", "", "does not state the TYPE"),
        ("TYPE : TSP", "TYPE :", "does not state the TYPE"),
        ("EUC_2D", "XRAY1", "EDGE_WEIGHT_TYPE must be EUC_2D or .*, but is 'XRAY1'"),
        ("EDGE_WEIGHT_TYPE : EUC_2D\n", "", "does not state the EDGE_WEIGHT_TYPE"),
        ("EUC_2D", "EXPLICIT", "does not state the EDGE_WEIGHT_FORMAT"),
        ("EUC_2D", "EXPLICIT\nEDGE_WEIGHT_FORMAT : UPPER_ROW", "does not hold the section EDGE_WEIGHT_SECTION"),
        ("DIMENSION : 3\n", "", "does not state the DIMENSION"),
        ("DIMENSION : 3", "DIMENSION : 0", "DIMENSION must be in .*, but is '0'"),
        ("DIMENSION : 3", "DIMENSION : three", "DIMENSION must be in .*, but is 'three'"),
        ("DIMENSION : 3", "DIMENSION : -3", "DIMENSION must be in .*, but is '-3'"),
        ("DIMENSION : 3", "DIMENSION : 999999999", "is truncated"),
        ("DIMENSION : 3", "DIMENSION : 3\nDIMENSION : 3", "line 6: DIMENSION is listed twice"),
        (
            "EOF",
            "DISPLAY_DATA_SECTION\n1 0 0\n2 1 1\nEOF",
            "truncated: from line 12 on, expected 9 numbers: .*, found 6",
        ),
        (
            "EOF",
            "FIXED_EDGES_SECTION\n1 2\nEOF",
            "FIXED_EDGES_SECTION must hold pairs and a last -1, but holds 2 numbers",
        ),
        ("EOF", "FIXED_EDGES_SECTION\n1 4\n-1\nEOF", r"line 12: a city must be in 1 \.\.\. 3, but is 4"),
    ],
)
def test_broken_coordinates_are_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in TSP.replace("COMMENT : NODE_COORD_SECTION: not yet\n", "COMMENT :\n")
    path.write_text(TSP.replace("NODE_COORD_SECTION: not yet", "").replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_tsp(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "5 6 9999\nEOF\n",
            "5 6",
            "truncated: from line 7 on, expected 9 distances: FULL_MATRIX for 3 cities, found 8",
        ),
        ("5 6 9999", "5 6 9999 7", "line 9: '7' follows the last distance of FULL_MATRIX for 3 cities"),
        ("5 6 9999", "5 -6 9999", r"Distances must be 0 or more, but matrix\[2, 1\] is -6"),
        ("5 6 9999", "5 6.5 9999", "line 9: '6.5' is not an integer"),
        ("5 6 9999", "5 6 1e19", "line 9: '1e19' does not fit"),
        ("5 6 9999", "5 .x. 9999", "line 9: '.x.' is not a number"),
        ("FULL_MATRIX", "FULL_MATRICES", "EDGE_WEIGHT_FORMAT must be FULL_MATRIX or .*, but is 'FULL_MATRICES'"),
        ("FULL_MATRIX", "UPPER_ROW", "line 8: '3' follows the last distance of UPPER_ROW for 3 cities"),
        ("FULL_MATRIX", "LOWER_DIAG_COL", "line 9: '5' follows the last distance of LOWER_DIAG_COL"),
        ("ATSP", "TSP", "the matrix of a TSP must be symmetric, but is not"),
    ],
)
def test_a_broken_matrix_is_refused_in_words(path: Path, old: str, new: str, reason: str) -> None:
    assert old in MATRIX
    path.write_text(MATRIX.replace(old, new))
    with pytest.raises(InputError, match=reason) as caught:
        read_tsp(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def best_known(folder: Path) -> dict[str, tuple[int, int]]:
    with (folder / "bks.csv").open(newline="") as table:
        return {row["instance"]: (int(row["n"]), int(row["best_known"])) for row in csv.DictReader(table)}


def test_every_published_instance_is_read(tsplib: Path) -> None:
    best = best_known(tsplib)
    files = sorted(tsplib.glob("*sp"))
    assert files
    for file in files:
        instance = read_tsp(file)
        assert instance.dimension == best[file.stem][0], file
        assert instance.symmetric or file.suffix == ".atsp"


def test_published_optimal_tours_have_the_optimal_lengths(tsplib: Path) -> None:
    best = best_known(tsplib)
    tours = sorted(tsplib.glob("*.opt.tour"))
    assert tours
    for file in tours:
        name = file.name.removesuffix(".opt.tour")
        assert length(read_tsp(tsplib / f"{name}.tsp"), read_tour(file)) == best[name][1], name


@pytest.mark.parametrize(("name", "verified"), [("pcb442", 221440), ("gr666", 423710), ("att532", 309636)])
def test_canonical_tours_have_the_lengths_that_tsplib_states(tsplib: Path, name: str, verified: int) -> None:
    file = tsplib / f"{name}.tsp"
    if not file.exists():
        pytest.skip(f"{file} is not there")
    instance = read_tsp(file)
    assert length(instance, np.arange(instance.dimension)) == verified
