"""Selection: how a change of cost becomes a score, the same in both halves."""

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.parts import LeastImproving, Lowest
from metaheur.testing import check_part

DELTAS = np.array([-(2**62), -5, -1, 0, 1, 5, 2**62])


@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
def test_the_lowest_score_is_the_lowest_change_of_cost(dtype: str, compiling: Device) -> None:
    deltas = np.clip(DELTAS, -(2**31), 2**31 - 1).astype(dtype)
    scores = Lowest().score(deltas)
    assert scores.dtype == deltas.dtype
    assert scores.tolist() == deltas.tolist()
    check_part(Lowest(), "score", deltas, cost_type=dtype, devices=[compiling.name])


def test_the_least_improvement_has_the_lowest_score(compiling: Device) -> None:
    whole, fractions = np.arange(-5, 6), np.array([-3.5, -0.5, -0.25, 0.0, 0.5, 1.0, 3.0])
    assert np.argsort(LeastImproving().score(whole)).tolist() == [4, 3, 2, 1, 0, 5, 6, 7, 8, 9, 10]
    assert np.argsort(LeastImproving().score(fractions)).tolist() == [2, 1, 0, 3, 4, 5, 6]
    for deltas in (whole, fractions):
        check_part(LeastImproving(), "score", deltas, cost_type=deltas.dtype.name, devices=[compiling.name])
