"""Weighted pairs that make neither a quadratic 0-1 problem nor a graph refused."""

from typing import Any

import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.qubo_instance import QUBOInstance
from metaheur.problems.max_cut import WeightedGraph


@pytest.mark.parametrize(
    ("terms", "factor", "reason"),
    [
        ((0, [], [], []), 1, r"`\w+\.n` must be a whole number"),
        ((2**31, [], [], []), 1, r"`\w+\.n` must be a whole number"),
        ((2.0, [], [], []), 1, r"`\w+\.n` must be a whole number"),
        ((3, [0], [1], [1]), 0, r"`\w+\.factor` must be a whole number"),
        ((3, [0], [1], [1]), 20, "`factor` must be a power of ten, but is 20"),
        ((3, [0], [1, 2], [1, 1]), 1, "i, j and w must have the same length, but have 1, 2 and 2"),
        ((3, [0, 2], [1, 1], [1, 1]), 1, r"\(i\[1\], j\[1\]\) must have .*, but is \(2, 1\)"),
        ((3, [-1], [1], [1]), 1, r"\(i\[0\], j\[0\]\) must have .*, but is \(-1, 1\)"),
        ((3, [0], [3], [1]), 1, r"must have 0 <= i <=? j < n = 3, but is \(0, 3\)"),
        ((3, [0, 1, 0], [1, 2, 1], [1, 1, 1]), 1, r"The pair \(0, 1\) is listed twice, as numbers 0 and 2"),
        ((3, [0], [1], [2**62 + 1]), 1, r"w must be in .*, but holds 4611686018427387905"),
    ],
)
def test_pairs_that_make_no_instance_are_refused(terms: tuple[Any, Any, Any, Any], factor: int, reason: str) -> None:
    n, i, j, w = terms
    with pytest.raises(InputError, match=reason):
        QUBOInstance(n, i, j, w, maximise=True, factor=factor)
    with pytest.raises(InputError, match=reason):
        WeightedGraph(n, i, j, w, factor)
