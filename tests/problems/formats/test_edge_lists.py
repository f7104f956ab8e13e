from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.edge_lists import read_edges


def test_edges_are_read_with_their_smaller_vertex_first(path: Path) -> None:
    path.write_text("# a path\n4 3\n1 2\n3 2\n4 3\n")
    n, edges = read_edges(path)
    assert (n, edges.tolist()) == (4, [[0, 1], [1, 2], [2, 3]])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("3 1\n2 2\n", "line 2: an edge joins vertex 2 to itself"),
        ("3 2\n1 2\n2 1\n", "lists an edge twice"),
        ("3 2\n1 2\n2 4\n", r"line 3: a vertex must be in 1 ... 3, but is 4"),
        ("3 2\n1 2\n2\n", "is truncated"),
    ],
)
def test_what_is_no_graph_is_refused(path: Path, content: str, reason: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason):
        read_edges(path)
