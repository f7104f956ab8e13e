from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.matrix_market import read_matrix_market

HEAD = "%%MatrixMarket matrix coordinate {}\n% comment\n"


@pytest.mark.parametrize(
    ("words", "entries", "expected"),
    [
        ("pattern symmetric", "3 3 3\n1 1\n3 1\n3 2\n", ([0, 1], [2, 2], [1, 1], 1)),
        ("real symmetric", "3 3 2\n2 1 -1.5\n3 2 2\n", ([0, 1], [1, 2], [-15, 20], 10)),
        ("integer general", "3 3 5\n2 1 7\n1 2 7\n2 3 0\n3 1 4\n2 2 9\n", ([0, 0], [1, 2], [7, 4], 1)),
    ],
)
def test_an_edge_is_an_entry_off_the_diagonal(path: Path, words: str, entries: str, expected: object) -> None:
    path.write_text(HEAD.format(words) + entries)
    n, i, j, w, factor = read_matrix_market(path)
    assert (n, (i.tolist(), j.tolist(), w.tolist(), factor)) == (3, expected)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("3 3 0\n", "must begin with %%MatrixMarket"),
        (HEAD.format("complex symmetric") + "1 1 0\n", "matrix of complex numbers, which is not a graph"),
        (HEAD.format("real skew-symmetric") + "1 1 0\n", "is a skew-symmetric matrix"),
        (HEAD.format("real general") + "3 2 0\n", "3 rows and 2 columns"),
        (HEAD.format("real general") + "2 2 2\n1 2 3\n2 1 4\n", "is not symmetric"),
        (HEAD.format("real general") + "2 2 1\n1 3 3\n", r"line 4: an index must be in 1 ... 2, but is 3"),
        (HEAD.format("real general") + "2 2 2\n1 2 3\n", "is truncated"),
    ],
)
def test_what_is_no_graph_is_refused(path: Path, content: str, reason: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason):
        read_matrix_market(path)
