"""Graphs to be colored read and written, and broken files refused in words."""

import csv
import gzip
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.dimacs import read_col, write_col
from tests.problems.formats.helpers import a_file

COL = b"c a path\nc\np edge 4 3\nn 1 5\ne 2 1\nc between\ne 3 2\ne 3 4\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.col"


@pytest.mark.parametrize(
    "content",
    [
        COL,
        COL.replace(b"\n", b"\r\n"),
        gzip.compress(COL, mtime=0),
        COL.replace(b"p edge", b"p col"),
        COL.replace(b" ", b"\t"),
        b"c" + COL,
        b"p edge 4 3\ne 3 4\ne 1 2\ne 2 3",
    ],
)
def test_edges_are_numbered_from_zero_and_sorted(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    n, edges = read_col(path)
    assert edges.dtype == np.int32
    assert (n, edges.tolist()) == (4, [[0, 1], [1, 2], [2, 3]])


def test_an_edge_in_both_directions_is_one(path: Path) -> None:
    path.write_bytes(b"p edge 3 4\ne 1 2\ne 2 1\ne 3 2\ne 3 2\n")
    assert read_col(path)[1].tolist() == [[0, 1], [1, 2]]


def test_a_header_may_count_both_directions_of_edges_that_are_listed_once(path: Path) -> None:
    path.write_bytes(b"p col 4 6\ne 1 2\ne 3 2\ne 3 4\n")
    assert read_col(path)[1].tolist() == [[0, 1], [1, 2], [2, 3]]


def test_edges_from_a_vertex_to_itself_and_repeated_ones_are_left_out(path: Path) -> None:
    path.write_bytes(b"p edge 3 6\ne 1 1\ne 1 2\ne 2 1\ne 3 3\ne 3 3\ne 2 1\n")
    assert read_col(path)[1].tolist() == [[0, 1]]
    path.write_bytes(b"p edge 3 1\ne 2 2\n")
    assert read_col(path)[1].shape == (0, 2)


def test_a_graph_may_have_no_edges(path: Path) -> None:
    path.write_bytes(b"p edge 3 0\n")
    n, edges = read_col(path)
    assert (n, edges.shape) == (3, (0, 2))


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, np.ndarray]:
    n = draw(st.integers(1, 8))
    edges = [pair for pair in combinations(range(n), 2) if draw(st.booleans())]
    return n, np.array(edges, np.int64).reshape(-1, 2)


@a_file
@given(graphs())
def test_a_graph_is_read_as_written(path: Path, graph: tuple[int, np.ndarray]) -> None:
    n, edges = graph
    write_col(path, n, edges)
    read_n, read_edges = read_col(path)
    assert (read_n, read_edges.tolist()) == (n, edges.tolist())


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"c nothing\n", "is empty"),
        (b"e 1 2\n", "line 1: 'p' is expected, but 'e' is found"),
        (b"c\np cnf 3 2\n", "line 2: 'edge' or 'col' is expected, but 'cnf' is found"),
        (b"p edge 0 0\n", r"the number of vertices n must be .*, but is 0"),
        (b"p edge 3 -1\n", r"the number of edges m must be .*, but is -1"),
        (b"p edge 3 3\ne 1 2\n", "truncated: from line 2 on, expected 9 tokens: 3 lines 'e i j', found 3"),
        (b"p edge 3 1\ne 1 2\ne 2 3\n", "line 3: 'e' follows the last edge"),
        (b"p edge 3 2\ne 1 2\na 2 3\n", "line 3: 'e' is expected, but 'a' is found"),
        (b"p edge 3 2\ne 1\ne 2 3 1\n", "line 3: 'e' is expected, but '2' is found"),
        (b"p edge 3 1\ne 1 4\n", r"line 2: a vertex must be in 1 \.\.\. 3, but is 4"),
        (b"p edge 3 1\ne 0 1\n", r"line 2: a vertex must be in 1 \.\.\. 3, but is 0"),
        (b"p edge 3 1\nc\ne 1 x\n", "line 3: 'x' is not a number"),
        (b"p edge 3 4\ne 1 2\ne 2 1\n", "truncated: it states 4 edges and lists 2, not all of them different"),
        (b"p edge 3 4\ne 1 2\ne 3 3\n", "truncated: it states 4 edges and lists 2, not all of them different"),
        (b"p edge 4 3\ne 1 2\ne 2\n", "truncated: from line 2 on, expected 9 tokens: 3 lines 'e i j', found 5"),
    ],
)
def test_a_broken_file_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_col(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("n", "edges", "reason"),
    [
        (0, np.empty((0, 2), int), r"`n` must be a whole number in 1 \.\.\. 2147483647"),
        (2.0, np.empty((0, 2), int), r"`n` must be a whole number in 1 \.\.\. 2147483647"),
        (3, np.array([[0.0, 1.0]]), "one of float64"),
        (3, np.array([0, 1]), r"of shape \(2,\)"),
        (3, np.array([[0, 1, 2]]), r"of shape \(1, 3\)"),
        (3, np.array([[0, 1], [1, 3]]), r"two different vertices in 0 \.\.\. 2, but one joins 1 and 3"),
        (3, np.array([[-1, 1]]), "but one joins -1 and 1"),
        (3, np.array([[1, 1]]), "but one joins 1 and 1"),
    ],
)
def test_what_makes_no_graph_is_not_written(path: Path, n: int, edges: np.ndarray, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        write_col(path, n, edges)
    assert not path.exists()


def test_the_published_files_have_the_sizes_of_their_table(data_folder: Path) -> None:
    folder = data_folder / "gcp"
    if not folder.is_dir():
        pytest.skip(f"METAHEUR_DATA has no folder {folder}")
    with (folder / "bks.csv").open(newline="") as table:
        rows = {row["instance"]: row for row in csv.DictReader(table)}
    files = sorted(folder.glob("*.col"))
    assert files
    for file in files:
        n, edges = read_col(file)
        row = rows[file.stem]
        both = 2 if file.stem.startswith("queen") else 1  # directions of an edge that the file lists
        assert (n, both * len(edges)) == (int(row["vertices"]), int(row["edges_header"])), file


def test_the_graph_of_queens_joins_the_squares_that_attack_each_other(data_folder: Path) -> None:
    file = data_folder / "gcp" / "queen5_5.col"
    if not file.exists():
        pytest.skip(f"METAHEUR_DATA has no file {file}")
    squares = [(row, column) for row in range(5) for column in range(5)]
    attacks = [
        [i, j]
        for (i, (a, b)), (j, (c, d)) in combinations(enumerate(squares), 2)
        if a == c or b == d or abs(a - c) == abs(b - d)
    ]
    assert read_col(file)[1].tolist() == attacks
