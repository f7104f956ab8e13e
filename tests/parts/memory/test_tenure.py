"""Tenure: exact ends, uniform draws, the same in both languages."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel
from metaheur.parts import HeavyTailedMoves, QualityAndDistance, Tenure, UnivariateModel
from metaheur.problems import OneMax
from metaheur.random import Key, Random
from metaheur.searches import TabuSearch
from metaheur.testing import check_part
from tests.helpers import advanced, started

LAST_WORD = 2**32 - 1
WORDS = np.append(np.random.default_rng(1).integers(0, 2**32, 5000), [0, 1, 2**31 - 1, 2**31, LAST_WORD])
multiples = st.fractions(0, 1000, max_denominator=1000)


def ends(tenure: Tenure, n: int) -> tuple[int, int]:
    return tenure.draw(0, n), tenure.draw(LAST_WORD, n)


@pytest.mark.parametrize(
    ("low", "high", "n", "shortest", "longest"),
    [
        (0.9, 1.1, 10, 9, 11),  # 1.1 as the nearest double times 10 is more than 11
        (0.9, 1.1, 20, 18, 22),
        (0.9, 1.1, 12, 10, 14),
        (0.9, 1.1, 1, 0, 2),
        (0.1, 0.3, 10, 1, 3),
        (0.7, 0.7, 10, 7, 7),
        (0.29, 0.57, 100, 29, 57),
        (0, 0, 50, 0, 0),
        (0, 0.001, 50, 0, 1),
        (1, 2, 7, 7, 14),
        (Fraction(1, 3), Fraction(2, 3), 9, 3, 6),
        (Fraction(1, 3), Fraction(2, 3), 10, 3, 7),
        (np.float64(1.1), np.float32(1.1), 10, 11, 11),
        (np.int64(2), 1000, 3, 6, 3000),
    ],
)
def test_the_ends_are_those_of_the_decimal_digits(low: Any, high: Any, n: int, shortest: int, longest: int) -> None:
    assert ends(Tenure(low, high), n) == (shortest, longest)


def test_the_default_is_that_of_robust_tabu_search() -> None:
    assert Tenure() == Tenure(0.9, 1.1)
    assert TabuSearch(Swap()).tenure == TabuSearch(Swap(), (0.9, 1.1)).tenure == Tenure()


@given(multiples, multiples, st.integers(1, 100_000), st.integers(0, LAST_WORD))
def test_every_draw_lies_in_the_range_and_both_ends_are_hit(a: Fraction, b: Fraction, n: int, bits: int) -> None:
    low, high = sorted((a, b))
    tenure = Tenure(low, high)
    assert ends(tenure, n) == (floor(low * n), ceil(high * n))
    assert floor(low * n) <= tenure.draw(bits, n) <= ceil(high * n)


def test_every_tenure_of_the_range_is_drawn_equally_often() -> None:
    drawn = [Tenure(0.5, 1).draw(Random(Key(1), 1, i).bits(0), 8) for i in range(5000)]
    counts = np.bincount(drawn)
    assert counts[:4].sum() == 0
    assert ((counts[4:] - 1000) ** 2 / 1000).sum() < 18.47  # the 0.1 % point for 4 degrees of freedom
    assert len(counts) == 9


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.uint32])
def test_arrays_are_drawn_entry_by_entry(dtype: Any) -> None:
    tenure = Tenure(0.5, 900)
    assert tenure.draw(WORDS.astype(dtype), 100).tolist() == [tenure.draw(int(word), 100) for word in WORDS]


@pytest.mark.parametrize("tenure", [Tenure(), Tenure(0, 0), Tenure(Fraction(1, 3), 2.75), Tenure(0.123456, 40)])
def test_both_halves_draw_the_same(tenure: Tenure, compiling: Device) -> None:
    for n in (1, 7, 10, 100, 46_340):
        check_part(tenure, "draw", WORDS.astype(np.uint32), np.int64(n), devices=[compiling.name])


LONG = [(Tenure(1000, 1000), 3_000_000), (Tenure(0.9, 1000), 2**31 - 1), (Tenure(0.999999, 999.999999), 2**31 - 1)]


@pytest.mark.parametrize(("tenure", "n"), LONG, ids=repr)
def test_tenures_beyond_32_bits_are_exact_in_both_halves(tenure: Tenure, n: int, compiling: Device) -> None:
    shortest, longest = floor(tenure.low * n), ceil(tenure.high * n)
    assert longest >= 2**31
    expected = [shortest + (int(word) * (longest - shortest + 1) >> 32) for word in WORDS]
    assert tenure.draw(WORDS, n).tolist() == expected
    assert [tenure.draw(int(word), n) for word in WORDS] == expected
    check_part(tenure, "draw", WORDS.astype(np.uint32), np.int64(n), devices=[compiling.name])


@pytest.mark.thorough
def test_a_search_remembers_for_longer_than_32_bits_count(compiling: Device) -> None:
    search, problem = TabuSearch(Hamming(), (1000, 1000)), OneMax(2_200_000)
    runner = IterationLevel(compiling.name, resident=True).bind(search, problem)
    state, _ = advanced(runner, started(search, problem), 3, 3)
    expiries = state.kept["memory"]["expiries"]
    assert expiries[expiries > 0].tolist() == [iteration + 2_200_000_000 for iteration in (1, 2, 3)]


@pytest.mark.parametrize("value", [-0.1, -1, 1000.1, float("nan"), float("inf"), 10**400, Fraction(-1, 3)])
def test_multiples_out_of_range_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"`Tenure.high` must be a number in 0 \.\.\. 1000, but is") as caught:
        Tenure(0, value)
    assert "Tenure(0.9, 1.1)" in caught.value.maybe


@pytest.mark.parametrize("value", ["1", None, True, [1], 1j, np.True_])
def test_what_is_no_multiple_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"`Tenure.low` must be a number in 0 \.\.\. 1000, but is"):
        Tenure(value, 5)


@pytest.mark.parametrize("value", ["a", float("nan")])
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda value: UnivariateModel(9, 3, value), "UnivariateModel.rate"),
        (lambda value: HeavyTailedMoves(Swap(), value), "HeavyTailedMoves.exponent"),
        (QualityAndDistance, "QualityAndDistance.quality"),
    ],
)
def test_another_fraction_is_named_by_its_own_name(make: Any, name: str, value: Any) -> None:
    with pytest.raises(InputError, match=f"`{name}` must be a number in 0 ... 1000, but is"):
        make(value)


@pytest.mark.parametrize("value", [Fraction(1, 10**6 + 1), Fraction(10**18 + 1, 10**18)])
def test_a_fraction_too_fine_for_64_bits_is_refused(value: Fraction) -> None:
    with pytest.raises(InputError, match=r"denominator"):
        Tenure(0, value)


def test_exchanged_ends_are_refused() -> None:
    with pytest.raises(InputError, match=r"lower end must not exceed its upper end, but is 1\.1, above 0\.9"):
        Tenure(1.1, 0.9)


@pytest.mark.parametrize("value", [1, None, (1,), (1, 2, 3), "0.9"])
def test_a_search_asks_for_a_pair(value: Any) -> None:
    with pytest.raises(InputError, match="`tenure` must be a pair of multiples of n, but is"):
        TabuSearch(Swap(), value)
