"""Schedules and cooling: how temperatures fall and rise, the same in both halves."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parts import Cooling, DynamicSpan, Fixed, Geometric, Linear, LundyMees, Schedule
from metaheur.testing import check_part

SCHEDULES = [
    Fixed(),
    Geometric(0.9, 7, 0.3),
    Geometric(1 - 2**-53, 3, 1e-300),
    Linear(0.25, 3, 0.3),
    LundyMees(0.125, 0.3),
    DynamicSpan(0.5, 40, 12, 3),
]
schedules = pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)


def levels(cooling: Cooling, answers: list[bool]) -> tuple[list[float], list[bool]]:
    """The temperature after each answer, and whether the schedule is over."""
    kept = {name: np.array(value) for name, value in cooling.init(None).items()}  # type: ignore[arg-type]
    found, ends = [], []
    for answer in answers:
        cooling.record(kept, answer)
        found.append(float(kept["level"]))
        ends.append(cooling.over(kept))
    return found, ends


@schedules
def test_both_halves_say_the_same(schedule: Schedule, compiling: Device) -> None:
    generator = np.random.default_rng(1)
    temperatures = np.append(generator.exponential(1, 998), [0.3, 5e-324])
    sampled = np.append(generator.integers(1, 50, 996), [1000, 2000, 2**53 + 1, 2**62])
    accepted, idle = generator.integers(0, 20, 1000), generator.integers(0, 6, 1000)
    check_part(schedule, "next", temperatures, sampled, accepted, devices=[compiling.name])
    check_part(schedule, "over", temperatures, idle, result=np.bool_, devices=[compiling.name])


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (Fixed(), [8, 8, 8, 8, 8, 8]),
        (Geometric(0.5, 2), [8, 4, 4, 2, 2, 1]),
        (Linear(3, 2), [8, 5, 5, 2, 2, 0]),
        (LundyMees(0.125), [4, 8 / 3, 2, 8 / 5, 8 / 6, 8 / 7]),
        (DynamicSpan(0.5, 3, 2), [8, 4, 4, 2, 2, 2]),
    ],
    ids=repr,
)
def test_a_temperature_falls_as_its_schedule_says(schedule: Schedule, expected: list[float]) -> None:
    assert levels(Cooling(8, schedule), [True, True, True, True, False, False])[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("made", "first", "last"),
    [
        (Geometric.between, 100.0, 0.5),
        (lambda a, b, trials: Geometric.between(a, b, trials, steps=trials), 100.0, 0.5),
        (LundyMees.between, 100.0, 0.5),
        (Linear.between, 100.0, 0.0),
    ],
    ids=["geometric", "geometric, every trial", "Lundy and Mees", "linear"],
)
def test_a_schedule_between_two_temperatures_ends_after_its_trials(
    made: Callable[[float, float, int], Schedule], first: float, last: float
) -> None:
    schedule = made(first, last, 5000)
    found, ends = levels(Cooling(first, schedule), [True] * 5001)
    assert ends.index(True) + 1 == 5000
    assert found[4999] == pytest.approx(last, abs=1e-6)


def test_trials_that_temperatures_do_not_divide_are_used_up() -> None:
    schedule = Geometric.between(100.0, 0.5, 2_900)  # two or three trials at each of a thousand temperatures
    found, ends = levels(Cooling(100.0, schedule), [True] * 2_901)
    assert 2_890 <= ends.index(True) + 1 <= 2_900
    assert len(set(found)) <= 1_001


def test_it_ends_where_nothing_is_accepted_at_so_many_temperatures() -> None:
    cooling = Cooling(8, DynamicSpan(0.5, 2, 2, spans=2))
    assert levels(cooling, [False, False, True, False, False, False, False, False])[1] == [False] * 7 + [True]


def test_a_temperature_rises_again_to_a_share() -> None:
    cooling = Cooling(8, Geometric(0.5, 1, last=2), reheats=2, share=0.5)
    found, ends = levels(cooling, [True] * 8)
    assert found == [4, 2, 4, 2, 2, 1, 0.5, 0.25]
    assert ends == [False] * 5 + [True] * 3


def test_each_rise_may_stretch_the_schedule() -> None:
    cooling = Cooling(8, Geometric(0.5, 1, last=4), reheats=2, stretch=2)
    found, ends = levels(cooling, [True] * 14)
    assert found == [4, 8, 8, 4, 4, 8, 8, 8, 8, 4, 4, 4, 4, 2]
    assert ends == [False] * 13 + [True]


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        *(
            (lambda value=value: Geometric(value), "`Geometric.rate` must be a finite number above 0 and below 1")
            for value in (0, 1, -0.5, "1", None, True)
        ),
        (lambda: Geometric(every=0), "`Geometric.every` must be a whole number from 1 on"),
        (lambda: Geometric(last=-1), "`Geometric.last` must be a finite number from 0 on"),
        (lambda: Linear(0), "`Linear.step` must be a finite number above 0"),
        (lambda: LundyMees(float("nan")), "`LundyMees.beta` must be a finite number above 0"),
        (lambda: DynamicSpan(spans=0), "`DynamicSpan.spans` must be a whole number from 1 on"),
        (lambda: Geometric.between(1, 2, 10), "must fall, but `first` is 1.0 and `last` 2.0"),
        (lambda: Linear.between(1, 0, 0), "`trials` must be"),
        (lambda: Cooling(0), "`Cooling.first` must be a finite number above 0"),
        (lambda: Cooling(1, 0.95), "`Cooling.schedule` must be of the type Schedule"),  # type: ignore[arg-type]
        (lambda: Cooling(1, reheats=-1), "`Cooling.reheats` must be a whole number from 0 on"),
    ],
)
def test_what_cannot_fall_is_refused(made: Callable[[], Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_numbers_of_numpy_are_numbers() -> None:
    assert Geometric(np.float64(0.5), np.int32(3), np.int64(2)) == Geometric(0.5, 3, 2)  # type: ignore[arg-type]
