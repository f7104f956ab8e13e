"""OR-Library's p-median problems are read, and broken files refused in words."""

from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.pmed import read_pmed

FOUR = "4 5 2\n1 2 7\n2 3 5\n3 4 2\n1 4 30\n1 4 9\n"


def test_distances_are_those_of_shortest_paths_and_the_last_length_of_an_edge_counts(path: Path) -> None:
    path.write_text(FOUR)
    distances, p = read_pmed(path)
    assert p == 2
    assert distances.tolist() == [[0, 7, 11, 9], [7, 0, 5, 7], [11, 5, 0, 2], [9, 7, 2, 0]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("4 2 2\n1 2 7\n3 4 2\n", "is a graph of several parts"),
        ("2 1 3\n1 2 7\n", r"the number of places p must be in 1 ... 2, but is 3"),
        ("2 1 1\n1 3 7\n", r"line 2: a vertex must be in 1 ... 2, but is 3"),
        ("2 1 1\n1 2 -7\n", "a length must be in 0"),
        ("2 2 1\n1 2 7\n", "is truncated"),
        ("2 1 1\n1 2 7\n8\n", "follows the last edge"),
    ],
)
def test_what_is_no_instance_is_refused(path: Path, content: str, reason: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason):
        read_pmed(path)
