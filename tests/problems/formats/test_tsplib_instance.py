"""The distances of instances to the last unit, and what makes no instance refused."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.formats.tsplib import TSPInstance, distance_matrix, distances


def by_the_book(kind: str, a: list[float], b: list[float]) -> int:
    """A distance as the documentation of TSPLIB 95 computes it, in C's integers."""
    x, y = a[0] - b[0], a[1] - b[1]
    if kind == "EUC_2D":
        return int(math.sqrt(x * x + y * y) + 0.5)
    if kind == "CEIL_2D":
        return math.ceil(math.sqrt(x * x + y * y))
    if kind == "MAN_2D":
        return int(abs(x) + abs(y) + 0.5)
    if kind == "MAX_2D":
        return max(int(abs(x) + 0.5), int(abs(y) + 0.5))
    if kind == "ATT":
        exact = math.sqrt((x * x + y * y) / 10.0)
        rounded = int(exact + 0.5)
        return rounded + 1 if rounded < exact else rounded
    radians = []
    for degrees in (*a, *b):
        whole = int(degrees)
        radians.append(3.141592 * (whole + 5.0 * (degrees - whole) / 3.0) / 180.0)
    q1, q2, q3 = (
        math.cos(radians[1] - radians[3]),
        math.cos(radians[0] - radians[2]),
        math.cos(radians[0] + radians[2]),
    )
    return int(6378.388 * math.acos(min(1.0, 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3))) + 1.0)


@st.composite
def places(draw: st.DrawFn) -> tuple[str, list[list[float]]]:
    kind = draw(st.sampled_from(["EUC_2D", "CEIL_2D", "ATT", "GEO", "MAN_2D", "MAX_2D"]))
    if kind == "GEO":
        minutes = st.integers(-8959, 8959).filter(lambda d: abs(d) % 100 < 60).map(lambda d: d / 100)
        pair = st.tuples(minutes, minutes).map(list)
    else:
        number = st.integers(-1000, 1000).map(float) | st.floats(-1e6, 1e6)
        pair = st.tuples(number, number).map(list)
    return kind, draw(st.lists(pair, min_size=1, max_size=6))


@given(places())
def test_distances_are_those_of_the_documentation(drawn: tuple[str, list[list[float]]]) -> None:
    kind, coordinates = drawn
    n = len(coordinates)
    instance = TSPInstance("some", kind, coordinates=np.array(coordinates))
    book = [[0 if i == j else by_the_book(kind, coordinates[i], coordinates[j]) for j in range(n)] for i in range(n)]
    cities = np.arange(n)
    computed = distances(instance, cities[:, None], cities)
    assert computed.dtype == np.int64
    assert computed.tolist() == book
    assert distance_matrix(instance).tolist() == book


@pytest.mark.parametrize(
    ("kind", "a", "b", "distance"),
    [
        ("EUC_2D", (0, 0), (0.5, 0), 1),
        ("EUC_2D", (0, 0), (3, 4), 5),
        ("EUC_2D", (0, 0), (1, 1), 1),
        ("CEIL_2D", (0, 0), (1, 1), 2),
        ("ATT", (0, 0), (10, 0), 4),
        ("ATT", (0, 0), (0, 100), 32),
        ("MAN_2D", (0, 0), (1.2, 1.2), 2),
        ("MAX_2D", (0, 0), (1.2, -1.6), 2),
        ("GEO", (16.47, 96.10), (16.47, 94.44), 153),
        ("GEO", (10.0, 10.0), (10.0, 10.0), 1),
    ],
)
def test_distances_between_two_places(kind: str, a: tuple[float, float], b: tuple[float, float], distance: int) -> None:
    instance = TSPInstance("two", kind, coordinates=np.array([a, b]))
    assert distances(instance, 0, 1) == distances(instance, 1, 0) == distance
    assert distances(instance, 0, 0) == 0


def test_distances_broadcast_and_refuse_what_is_no_city() -> None:
    instance = TSPInstance("three", "EUC_2D", coordinates=np.array([[0, 0], [3, 0], [3, 4]], float))
    assert distances(instance, [[0], [1]], [1, 2]).tolist() == [[3, 5], [0, 4]]
    assert distances(instance, np.array([], int), 1).tolist() == []
    for i, j, reason in (
        (0, 3, r"`j` must hold cities in 0 \.\.\. 2, but holds 3"),
        (-1, 0, r"`i` must hold cities in 0 \.\.\. 2, but holds -1"),
        (0.0, 1, "`i` must hold integers, but holds float64"),
        ([0, 1], [0, 1, 2], "`i` and `j` must be broadcastable"),
    ):
        with pytest.raises(InputError, match=reason):
            distances(instance, i, j)


def test_the_matrix_of_many_cities_is_made_of_blocks_without_a_seam() -> None:
    coordinates = np.random.default_rng(1).uniform(0, 1000, (150, 2))
    instance = TSPInstance("random", "EUC_2D", coordinates=np.array(coordinates))
    cities = np.arange(150)
    assert np.array_equal(distance_matrix(instance), distances(instance, cities[:, None], cities))


def test_explicit_distances_are_those_of_the_matrix() -> None:
    matrix = np.array([[9, 1, 2], [3, 0, 4], [5, 6, 0]])
    instance = TSPInstance("three", "EXPLICIT", matrix=matrix)
    assert not instance.symmetric
    assert distance_matrix(instance).tolist() == matrix.tolist()
    assert distances(instance, [0, 1, 2, 0], [1, 2, 0, 0]).tolist() == [1, 4, 5, 9]


@pytest.mark.parametrize(
    ("kind", "fields", "reason"),
    [
        ("EUC_3D", {"coordinates": [[0, 0]]}, "`kind` must be one of .*, but is 'EUC_3D'"),
        ("EUC_2D", {}, "must have coordinates, and must not have matrix"),
        ("EUC_2D", {"coordinates": [[0, 0]], "matrix": [[0]]}, "must have coordinates, and must not have matrix"),
        ("EXPLICIT", {"coordinates": [[0, 0]]}, "must have matrix, and must not have coordinates"),
        ("EUC_2D", {"coordinates": [[0, 0, 0]]}, r"shape \(1, 3\)"),
        ("EUC_2D", {"coordinates": 1}, r"shape \(\)"),
        ("EUC_2D", {"coordinates": [["a", "b"]]}, "of float64 .*, but is one of <U1"),
        ("EUC_2D", {"coordinates": [[0, 0], [1]]}, "ragged"),
        ("EUC_2D", {"coordinates": np.empty((0, 2))}, "at least one city, but some has 0"),
        ("GEO", {"coordinates": [[0, math.nan]]}, "must be finite"),
        ("MAN_2D", {"coordinates": [[0, 0], [1e308, -1e308], [-1e308, 0]]}, "overflows int64"),
        ("EXPLICIT", {"matrix": [[0, 1]]}, r"shape \(1, 2\)"),
        ("EXPLICIT", {"matrix": [[0.5]]}, "of int64 .*, but is one of float64"),
        ("EXPLICIT", {"matrix": [[0, 2**62], [1, 0]]}, "overflows int64"),
        ("EXPLICIT", {"matrix": np.full((1, 1), 2**63, np.uint64)}, "9223372036854775808"),
    ],
)
def test_what_is_no_instance_is_refused(kind: str, fields: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        TSPInstance("some", kind, **fields)  # type: ignore[arg-type]


def test_a_name_is_one_line() -> None:
    with pytest.raises(InputError, match="`name` must be one line"):
        TSPInstance("a\nb", "EUC_2D", coordinates=np.zeros((1, 2)))
