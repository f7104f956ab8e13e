"""Schedule: how a temperature falls, the same in both halves."""

from typing import Any

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parts import Geometric
from metaheur.testing import check_part

SCHEDULES = [Geometric(), Geometric(0.5, 1), Geometric(0.9, 7, 0.3), Geometric(1 - 2**-53, 3, 1e-300)]
schedules = pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)


@schedules
def test_the_temperature_is_multiplied_after_every_so_many_trials(schedule: Geometric) -> None:
    temperature = slow = 12.5
    for trials in range(1, 3000):
        temperature = schedule.next(temperature, trials)
        if trials in range(0, 3000, schedule.every):
            slow = slow * schedule.rate
        assert temperature == slow


@schedules
def test_both_halves_say_the_same(schedule: Geometric, compiling: Device) -> None:
    generator = np.random.default_rng(1)
    temperatures = np.append(generator.exponential(1, 998), [0.3, 5e-324])
    trials = np.append(generator.integers(1, 50, 996), [1000, 2000, 2**53 + 1, 2**62])
    check_part(schedule, "next", temperatures, trials, devices=[compiling.name])
    check_part(schedule, "over", temperatures, devices=[compiling.name])


def test_it_ends_below_its_last_temperature() -> None:
    assert Geometric(last=0.3).over(np.array([0.2, 0.3, 0.4])).tolist() == [True, False, False]
    assert not Geometric().over(5e-324)
    assert not Geometric().over(0.0)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        *(
            ({"rate": value}, "`Geometric.rate` must be a finite number above 0 and below 1")
            for value in (0, 1, -0.5, 1.5, "1", None, True)
        ),
        *(({"rate": value}, "`Geometric.rate` must be") for value in (float("nan"), float("inf"))),
        *(
            ({"every": value}, "`Geometric.every` must be a whole number from 1 on")
            for value in (0, -1, 1.5, "9", True)
        ),
        *(
            ({"last": value}, "`Geometric.last` must be a finite number from 0 on")
            for value in (-1, float("inf"), "1", None)
        ),
    ],
    ids=str,
)
def test_what_is_no_schedule_is_refused(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Geometric(**fields)


def test_numbers_of_numpy_are_numbers() -> None:
    assert Geometric(np.float64(0.5), np.int32(3), np.int64(2)) == Geometric(0.5, 3, 2)  # type: ignore[arg-type]
