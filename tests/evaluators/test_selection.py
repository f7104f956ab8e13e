"""Selection: how a change of cost becomes a score, the same in both halves."""

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.parts import Lowest
from metaheur.testing import check_part

DELTAS = np.array([-(2**62), -5, -1, 0, 1, 5, 2**62])


@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
def test_the_lowest_score_is_the_lowest_change_of_cost(dtype: str, compiling: Device) -> None:
    deltas = np.clip(DELTAS, -(2**31), 2**31 - 1).astype(dtype)
    scores = Lowest().score(deltas)
    assert scores.dtype == deltas.dtype
    assert scores.tolist() == deltas.tolist()
    check_part(Lowest(), "score", deltas, cost_type=dtype, devices=[compiling.name])
