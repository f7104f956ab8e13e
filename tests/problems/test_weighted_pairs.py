"""Quadratic 0-1 problems and weighted graphs: their matrices, and terms that make neither."""

from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.problems.weighted_pairs import Quadratic, WeightedGraph


def some_of(pairs: list[tuple[int, int]]) -> st.SearchStrategy[dict[tuple[int, int], int]]:
    return st.dictionaries(st.sampled_from(pairs), st.integers(-(2**50), 2**50))


def columns(weights: dict[tuple[int, int], int]) -> np.ndarray:
    return np.array([(i, j, w) for (i, j), w in weights.items()], np.int64).reshape(-1, 3).T


@given(some_of([*combinations_with_replacement(range(4), 2)]))
def test_the_matrix_of_a_quadratic_problem_gives_its_objective(weights: dict[tuple[int, int], int]) -> None:
    matrix = Quadratic(4, *columns(weights), maximise=True).matrix()
    assert np.array_equal(matrix, np.triu(matrix))
    for bits in product((0, 1), repeat=4):
        x = np.array(bits)
        assert x @ matrix @ x == sum(w * bits[i] * bits[j] for (i, j), w in weights.items())


@given(some_of([*combinations(range(4), 2)]))
def test_the_matrix_of_a_graph_is_symmetric(weights: dict[tuple[int, int], int]) -> None:
    matrix = WeightedGraph(4, *columns(weights)).matrix()
    for i, j in product(range(4), repeat=2):
        assert matrix[i, j] == weights.get((min(i, j), max(i, j)), 0)


def test_fields_are_64_bit_integers_that_cannot_be_written() -> None:
    graph = WeightedGraph(3, *columns({(0, 1): 7}))
    for field in (graph.i, graph.j, graph.w):
        assert field.dtype == np.int64
        assert not field.flags.writeable


@pytest.mark.parametrize(
    ("terms", "factor", "reason"),
    [
        ((0, [], [], []), 1, "n is a whole number"),
        ((2**31, [], [], []), 1, "n is a whole number"),
        ((2.0, [], [], []), 1, "n is a whole number"),
        ((3, [0], [1], [1]), 0, "factor is a whole number"),
        ((3, [0], [1], [1]), 20, "factor is a power of ten, but it is 20"),
        ((3, [0], [1, 2], [1, 1]), 1, "i, j and w have one length, but they have 1, 2 and 2"),
        ((3, [0, 2], [1, 1], [1, 1]), 1, r"Term 1 is \(i, j\) = \(2, 1\)"),
        ((3, [-1], [1], [1]), 1, r"Term 0 is \(i, j\) = \(-1, 1\)"),
        ((3, [0], [3], [1]), 1, r"Term 0 is \(i, j\) = \(0, 3\), but 0 <= i <=? j < n = 3"),
        ((3, [0, 1, 0], [1, 2, 1], [1, 1, 1]), 1, r"Terms 0 and 2 have the same \(i, j\) = \(0, 1\)"),
        ((3, [0], [1], [2**62 + 1]), 1, r"w holds 4611686018427387905, which lies beyond 2\*\*62"),
    ],
)
def test_terms_that_make_no_instance_are_refused(terms: tuple[Any, Any, Any, Any], factor: int, reason: str) -> None:
    n, i, j, w = terms
    with pytest.raises(InputError, match=reason):
        Quadratic(n, i, j, w, maximise=True, factor=factor)
    with pytest.raises(InputError, match=reason):
        WeightedGraph(n, i, j, w, factor)


def test_a_graph_has_no_loops() -> None:
    with pytest.raises(InputError, match="0 <= i < j < n"):
        WeightedGraph(3, np.array([1]), np.array([1]), np.array([1]))
