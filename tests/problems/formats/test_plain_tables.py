from pathlib import Path

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.plain_tables import read_coordinates, read_distances

MATRIX = [[0, 1, 2], [1, 0, 3], [2, 4, 0]]
ROWS = "0 1 2\n1 0 3\n2, 4 0\n"
CITIES = [[1.5, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("content", [ROWS, "3\n" + ROWS, "3 3\n" + ROWS])
def test_distances_may_follow_their_sizes(path: Path, content: str) -> None:
    path.write_text(content)
    instance = read_distances(path)
    assert instance.matrix is not None
    assert instance.matrix.tolist() == MATRIX


@pytest.mark.parametrize("content", ["1.5 2\n3 4\n", "1 1.5 2\n2 3 4\n", "2\n1.5 2\n3 4\n", "# x y\n1.5,2\n3,4\n"])
def test_coordinates_may_follow_numbers_of_cities(path: Path, content: str) -> None:
    path.write_text(content)
    instance = read_coordinates(path)
    assert instance.coordinates is not None
    assert (instance.kind, instance.coordinates.tolist()) == ("EUC_2D", CITIES)


@pytest.mark.parametrize("content", ["0 1 2\n1 0\n", "4\n" + ROWS, "0 1\n-1 0\n", "0 1.5\n1.5 0\n"])
def test_what_is_no_matrix_of_distances_is_refused(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError):
        read_distances(path)


@pytest.mark.parametrize("content", ["1 2 3 4\n", "1 2\n3\n", "3\n1 2\n3 4\n", "1 x\n2 3\n"])
def test_what_is_no_list_of_coordinates_is_refused(path: Path, content: str) -> None:
    path.write_text(content)
    with pytest.raises(InputError):
        read_coordinates(path)
