"""Metropolis' criterion: exponential random numbers in whole numbers, and how often a deterioration is accepted."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parts import Cooling, Geometric, Metropolis
from metaheur.parts.acceptance.metropolis import exponential, logarithms
from metaheur.testing import check_part

LAST_WORD = 2**32 - 1
ENDS = [0, 1, 2, LAST_WORD - 1, LAST_WORD, *(2**k + step for k in range(2, 32) for step in (-2, -1, 0))]
DRAWN = np.random.default_rng(1).integers(0, 2**32, 100_000)
WORDS = np.append(DRAWN, ENDS)


def kept(temperature: float) -> dict[str, dict[str, np.ndarray]]:
    """What a cooling keeps that has this temperature."""
    counts = {name: np.array(0) for name in ("sampled", "accepted", "idle", "rises", "waited")}
    levels = {"level": np.array(temperature), "top": np.array(temperature)}
    return {"cooling": {**levels, **counts, "pace": np.array(1)}}


# ---- exponential numbers ---------------------------------------------------------------------------------------------


@given(st.integers(0, LAST_WORD) | st.sampled_from(ENDS))
def test_a_number_is_a_logarithm_within_2e_6_and_a_whole_number_of_units(bits: int) -> None:
    number = exponential(bits)
    assert abs(number + math.log((bits + 1) / 2**32)) < 2e-6
    assert 0 <= number <= 32 * math.log(2) + 1e-8
    assert float(number * 2**32).is_integer()


def test_many_numbers_are_those_of_each() -> None:
    assert exponential(WORDS[-200:]).tolist() == [float(exponential(int(word))) for word in WORDS[-200:]]
    assert exponential(WORDS[-200:].astype(np.uint32)).tolist() == exponential(WORDS[-200:]).tolist()


def test_the_larger_the_bits_the_smaller_the_number() -> None:
    numbers = exponential(np.sort(WORDS))
    assert (np.diff(numbers) <= 0).all()
    assert exponential(LAST_WORD) == 0


def test_the_logarithms_are_exact_to_the_last_unit_but_one() -> None:
    expected = [math.log(1 + i / 256) * 2**32 for i in range(257)]
    assert np.abs(logarithms() - expected).max() < 1
    assert not logarithms().flags.writeable


def test_the_numbers_have_mean_and_variance_1() -> None:
    numbers = exponential(DRAWN)
    assert abs(numbers.mean() - 1) < 5 / math.sqrt(numbers.size)
    assert abs(numbers.var() - 1) < 5 * math.sqrt(8 / numbers.size)  # the fourth central moment is 9


# ---- acceptance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("temperature", [0.5, 3.0, 1e6])
@pytest.mark.parametrize("times", [0.01, 0.5, 1.0, 3.0])
def test_a_deterioration_is_accepted_with_boltzmanns_probability(temperature: float, times: float) -> None:
    accepted = Metropolis(temperature).accepts(kept(temperature), temperature * times, 0, 0, DRAWN)
    expected, count = math.exp(-times), DRAWN.size
    assert abs(accepted.mean() - expected) < 5 * math.sqrt(expected * (1 - expected) / count)


def test_what_does_not_cost_more_is_always_accepted() -> None:
    for level in (1e-300, 1.0, 1e300):
        assert Metropolis(1.0).accepts(kept(level), np.array([0, -1, -(2**62)]), 5, 5, LAST_WORD).all()


def test_at_the_end_of_the_random_bits_nothing_that_costs_more_is() -> None:
    assert not Metropolis(1.0).accepts(kept(1e9), 1e-300, 5, 5, LAST_WORD)
    assert Metropolis(1.0).accepts(kept(1.0), 22.18, 5, 5, 0)
    assert not Metropolis(1.0).accepts(kept(1.0), 22.19, 5, 5, 0)


@pytest.mark.parametrize("level", [1.0, 0.3, 1e-3, 12345.678])
def test_both_halves_accept_up_to_the_same_float(level: float, compiling: Device) -> None:
    largest = level * exponential(WORDS)
    deltas = np.concatenate([largest, np.nextafter(largest, np.inf)])
    accepted = Metropolis(1.0).accepts(kept(level), deltas, 0.0, 0.0, np.tile(WORDS, 2))
    assert accepted.tolist() == [True] * WORDS.size + (deltas[WORDS.size :] <= 0).tolist()
    arguments = deltas, np.float64(7), np.float64(5), np.tile(WORDS, 2).astype(np.uint32)
    half = {"kept": kept(level), "cost_type": "float64", "devices": [compiling.name]}
    check_part(Metropolis(1.0), "accepts", *arguments, **half)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [1.0, 700.5, 2.0**40, 1e-9])
def test_both_halves_accept_the_same_whole_numbers(level: float, compiling: Device) -> None:
    deltas = np.append(
        np.floor(level * exponential(WORDS[:-9])).astype(np.int64), [-1, 0, 1, 2, -(2**62), *[2**62] * 4]
    )
    for shift in (0, 1):
        arguments = deltas + shift, np.int64(10**6), np.int64(5), WORDS.astype(np.uint32)
        check_part(Metropolis(1.0), "accepts", *arguments, kept=kept(level), devices=[compiling.name])


# ---- the temperature -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [0.2, 0.3, 0.4])
def test_both_halves_end_at_the_same_temperature(level: float, compiling: Device) -> None:
    metropolis = Metropolis(Cooling(1.0, Geometric(last=0.3)))
    check_part(metropolis, "ended", kept=kept(level), devices=[compiling.name])


@pytest.mark.parametrize("temperature", [0, -1.0, float("nan"), float("inf"), "hot", True])
def test_a_temperature_is_a_positive_number(temperature: Any) -> None:
    with pytest.raises(InputError, match=r"`Cooling.first` must be a finite number above 0"):
        Metropolis(temperature)
