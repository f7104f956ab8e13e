"""Records that make no flow shop refused."""

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.problems.formats.flow_shop_instance import FlowShopInstance


@pytest.mark.parametrize(
    ("times", "fields", "reason"),
    [
        (np.ones((2, 2)), {}, "`times` must be a matrix of integers, but is an array of float64"),
        (np.ones(2, int), {}, r"`times` must be .* of int64 of shape \(2,\)"),
        (np.ones((0, 2), int), {}, r"shape \(0, 2\)"),
        (np.full((1, 1), 2**60), {}, r"`times` must be in 0 \.\.\. 2\*\*53, but holds 1152921504606846976"),
        (
            np.ones((2, 1), int),
            {"due_dates": np.ones(3, int)},
            "`due_dates` must hold a value for each of 2 jobs, but holds 3",
        ),
        (np.ones((2, 1), int), {"weights": np.array([1, -1])}, "`weights` must be in .*, but holds -1"),
    ],
)
def test_what_is_no_instance_is_refused(times: np.ndarray, fields: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        FlowShopInstance(times, **fields)  # type: ignore[arg-type]
