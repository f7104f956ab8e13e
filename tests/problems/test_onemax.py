"""OneMax: the number of ones, on every device."""

from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import Hamming
from metaheur.problems.onemax import OneMax
from metaheur.representation import BitString
from metaheur.searches import HillClimbing
from metaheur.testing import check_problem


def test_the_cost_is_the_negative_of_the_number_of_ones() -> None:
    for x in range(32):
        bits = [int(bit) for bit in f"{x:05b}"]
        assert OneMax(5).cost(np.array(bits, np.uint8)) == -sum(bits)


def test_costs_are_the_cost_of_each_row() -> None:
    rows = np.random.default_rng(1).integers(0, 2, (6, 300), np.uint8)
    assert OneMax(300).costs(rows).tolist() == [OneMax(300).cost(row) for row in rows]


@pytest.mark.parametrize("radius", [1, 2, 3, 4])
def test_every_change_of_cost_is_right(radius: int, compiling: Device) -> None:
    for n in (1, 2, 4, 9):
        check_problem(OneMax(n), Hamming(radius), devices=[compiling.name])


def test_hill_climbing_ends_at_the_string_of_ones(device: str) -> None:
    result = run(HillClimbing(Hamming()), OneMax(30), stop=stop.iterations(100), seed=1, parallel=device)
    assert result.solution.tolist() == [1] * 30
    assert result.cost == 30


@pytest.mark.parametrize("n", [0, -1, 2**31, 1.5, "4", True, None])
def test_a_string_of_no_length_is_refused(n: Any) -> None:
    with pytest.raises(InputError, match=r"`OneMax\.n` must be a whole number in 1 \.\.\. 2147483647"):
        OneMax(n)


def test_instances_are_equal_by_value_and_maximise() -> None:
    assert OneMax(4) == OneMax(4)
    assert OneMax(4).representation == BitString(4)
    assert OneMax(4).displayed(-3) == 3
