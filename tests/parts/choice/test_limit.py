"""Limit: how long a phase lasts, the same in both halves."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parts import Limit
from metaheur.testing import check_part

CASES = np.array([(age, since) for age, since in product([0, 1, 4, 5, 6, 2**40], repeat=2) if since <= age])


@pytest.mark.parametrize("iterations", [None, 1, 5, 2**40])
@pytest.mark.parametrize("stagnation", [None, 1, 5, 2**40])
def test_a_phase_ends_by_its_age_or_by_its_stagnation(
    iterations: int | None, stagnation: int | None, compiling: Device
) -> None:
    limit = Limit(iterations, stagnation)
    expected = [
        (iterations is not None and age >= iterations) or (stagnation is not None and since >= stagnation)
        for age, since in CASES.tolist()
    ]
    assert limit.reached(*CASES.T).tolist() == expected
    assert [bool(limit.reached(*case)) for case in CASES.tolist()] == expected
    check_part(limit, "reached", *CASES.T, devices=[compiling.name])


@pytest.mark.parametrize("name", ["iterations", "stagnation"])
@pytest.mark.parametrize("value", [0, -1, 1.5, "5", True, 2**63])
def test_what_is_no_number_of_iterations_is_refused(name: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"`Limit.{name}` must be a whole number"):
        Limit(**{name: value})
