"""Quadratic 0-1 problems: their matrices, and terms that make none."""

from itertools import combinations_with_replacement, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from metaheur.problems.formats.qubo_instance import QUBOInstance

weights = st.dictionaries(st.sampled_from([*combinations_with_replacement(range(4), 2)]), st.integers(-(2**50), 2**50))


@given(weights)
def test_the_matrix_gives_the_objective(weights: dict[tuple[int, int], int]) -> None:
    columns = np.array([(i, j, w) for (i, j), w in weights.items()], np.int64).reshape(-1, 3).T
    matrix = QUBOInstance(4, *columns, maximise=True).matrix()
    assert np.array_equal(matrix, np.triu(matrix))
    for bits in product((0, 1), repeat=4):
        x = np.array(bits)
        assert x @ matrix @ x == sum(w * bits[i] * bits[j] for (i, j), w in weights.items())
