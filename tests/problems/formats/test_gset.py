"""Weighted graphs read and written, and broken files refused in words."""

import gzip
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.gset import read_gset, write_gset
from metaheur.problems.max_cut import WeightedGraph
from tests.problems.formats.helpers import a_file, table

GSET = b"3 3\n1 2 1\n3 1 -1\n2 3 2\n"


def edges(graph: WeightedGraph) -> dict[tuple[int, int], float]:
    """The weights by edge, times 1000: what must survive, whatever the factor."""
    columns = (graph.i.tolist(), graph.j.tolist(), graph.w.tolist())
    return {(i, j): w * 1000 // graph.factor for i, j, w in zip(*columns, strict=True)}


@pytest.mark.parametrize(
    "content",
    [GSET, GSET.replace(b"\n", b"\r\n"), b"# of rudy\n" + GSET, gzip.compress(GSET, mtime=0), b" ".join(GSET.split())],
)
def test_a_graph_is_read_with_its_ends_in_order(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    graph = WeightedGraph(*read_gset(path))
    assert (graph.n, graph.factor) == (3, 1)
    assert graph.matrix().tolist() == [[0, 1, -1], [1, 0, 2], [-1, 2, 0]]


def test_decimal_weights_become_integers(path: Path) -> None:
    path.write_bytes(b"3 2\n1 2 0.5\n1 3 -2\n")
    graph = WeightedGraph(*read_gset(path))
    assert (graph.w.tolist(), graph.factor) == ([5, -20], 10)


@a_file
@given(
    st.dictionaries(st.sampled_from([*combinations(range(6), 2)]), st.integers(-(2**61), 2**61).filter(bool)),
    st.sampled_from([1, 10, 1000]),
)
def test_a_graph_is_read_as_written(path: Path, weights: dict[tuple[int, int], int], factor: int) -> None:
    i, j, w = np.array([(i, j, w) for (i, j), w in weights.items()], np.int64).reshape(-1, 3).T
    graph = WeightedGraph(6, i, j, w, factor)
    write_gset(path, graph)
    back = WeightedGraph(*read_gset(path))
    assert back.n == 6
    assert edges(back) == edges(graph)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"3 1\n2 2 1\n", "line 2: an edge joins vertex 2 to itself"),
        (b"3 1\n2 4 1\n", r"must be in 1 \.\.\. 3, but is 4"),
        (b"3 2\n1 2 1\n2 1 1\n", r"line 3: the edge \(2, 1\) is listed twice"),
        (b"3 2\n1 2\n2 3\n", "expected 6 numbers in 2 lines 'i j q', found 4"),
        (b"3 1\n1 2 1\n1", "follows the last edge"),
    ],
)
def test_a_broken_graph_is_refused_in_words(path: Path, content: bytes, reason: str) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_gset(path)
    assert str(path) in caught.value.reason
    assert caught.value.maybe


def test_the_published_graphs_have_the_sizes_of_their_table(qubo: Path) -> None:
    rows = {row["file"]: row for row in table(qubo / "bks.csv")}
    files = sorted(qubo.glob("gset/*.txt"))
    assert files
    for file in files:
        row, graph = rows[f"gset/{file.name}"], WeightedGraph(*read_gset(file))
        assert (graph.n, len(graph.w), graph.factor) == (int(row["n"]), int(row["m"]), 1), file
