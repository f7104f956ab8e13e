"""Records that make no generalized assignment problem refused."""

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.assignment_instance import AssignmentInstance


@pytest.mark.parametrize(
    ("costs", "resources", "capacities", "reason"),
    [
        ([[1, 2]], [[1]], [1], r"but have \(1, 2\), \(1, 1\) and \(1,\)"),
        ([[1, 2]], [[1, 2]], [1, 2], r"\(1, 2\) and \(2,\)"),
        (np.empty((0, 1)), np.empty((0, 1)), [], r"\(0, 1\) and \(0,\)"),
        ([[1]], [[-1]], [1], "`resources` must hold 0 or more, but holds -1"),
        ([[1]], [[1]], [-1], "`capacities` must hold 0 or more, but holds -1"),
    ],
)
def test_what_makes_no_instance_is_refused(
    costs: np.ndarray, resources: np.ndarray, capacities: np.ndarray, reason: str
) -> None:
    with pytest.raises(InputError, match=reason):
        AssignmentInstance(costs, resources, capacities)
