"""Records that make no knapsack problem refused."""

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.knapsack_instance import KnapsackInstance


@pytest.mark.parametrize(
    ("profits", "weights", "capacities", "solution", "reason"),
    [
        ([1, 2], [[1, 2, 3]], [4], (), r"`weights` must have .*\(1, 2\), .*has the shape \(1, 3\)"),
        ([1, 2], [[1, 2], [3, 4]], [4], (), r"has the shape \(2, 2\)"),
        ([], np.empty((1, 0)), [4], (), r"has the shape \(1, 0\)"),
        ([1, -2], [[1, 2]], [4], (), "`profits` must hold 0 or more, but holds -2"),
        ([1, 2], [[1, -2]], [4], (), "`weights` must hold 0 or more, but holds -2"),
        ([1, 2], [[1, 2]], [-4], (), "`capacities` must hold 0 or more, but holds -4"),
        ([1, 2], [[1, 2]], [4], [1], r"`solution` must hold a value for each of 2 items, but has the shape \(1,\)"),
        ([1, 2], [[1, 2]], [4], [1, 2], "`solution` must hold 0 .* or 1"),
    ],
)
def test_what_makes_no_instance_is_refused(
    profits: np.ndarray, weights: np.ndarray, capacities: np.ndarray, solution: np.ndarray, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        KnapsackInstance(profits, weights, capacities, solution=solution)
