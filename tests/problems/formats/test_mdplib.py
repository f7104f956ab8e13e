"""MDPLIB's maximum diversity problems are read, and broken files refused in words."""

from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.mdplib import read_mdp

THREE = "3 2\n0 1 1.5\n0 2 2\n1 2 0.25\n"


def test_distances_are_symmetric_and_multiplied_until_they_are_whole(path: Path) -> None:
    path.write_text(THREE)
    distances, p, factor = read_mdp(path)
    assert (distances.tolist(), p, factor) == ([[0, 150, 200], [150, 0, 25], [200, 25, 0]], 2, 100)
    path.write_text("1 1\n")
    assert read_mdp(path)[0].tolist() == [[0]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("3 2\n0 1 1\n0 1 2\n1 2 3\n", "does not hold each pair of items once"),
        ("3 2\n0 1 1\n1 1 2\n1 2 3\n", "does not hold each pair of items once"),
        ("3 4\n0 1 1\n0 2 2\n1 2 3\n", r"the number of chosen items p must be in 1 ... 3, but is 4"),
        ("3 2\n1 2 1\n1 3 2\n2 3 3\n", r"line 3: an item must be in 0 ... 2, but is 3"),
        ("3 2\n0 1 1\n0 2 2\n", "is truncated"),
    ],
)
def test_what_is_no_instance_is_refused(path: Path, content: str, reason: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=reason):
        read_mdp(path)
