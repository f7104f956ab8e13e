"""Tenure: exact ends, uniform draws, the same in both languages."""

from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.host import Host
from metaheur.device.layout import struct_of
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Tenure
from metaheur.random import Key, Random
from metaheur.representation import Permutation
from metaheur.searches import TabuSearch
from metaheur.testing import check_part

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


@pytest.mark.parametrize("n", [1, 7, 10, 100, 46_340])
@pytest.mark.parametrize("tenure", [Tenure(), Tenure(0, 0), Tenure(Fraction(1, 3), 2.75), Tenure(0.123456, 40)])
def test_both_halves_draw_the_same(tenure: Tenure, n: int) -> None:
    check_part(tenure, "draw", WORDS.astype(np.uint32), np.int32(n), result=np.int32, devices=["host"])


def test_the_finest_tenure_of_the_longest_solution_fits_into_64_bits() -> None:
    packed = struct_of(Tenure(0.999999, 999.999999), Permutation(2**31 - 1), Host()).pack(Host(), {})
    assert int(packed["high"]["numerator"]) * (2**31 - 1) + int(packed["high"]["denominator"]) < 2**63
    assert int(packed["high"]["denominator"]) == 10**6


@pytest.mark.parametrize("value", [-0.1, -1, 1000.1, float("nan"), float("inf"), 10**400, Fraction(-1, 3)])
def test_multiples_out_of_range_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"A tenure is a multiple of n in 0 \.\.\. 1000, but it is") as caught:
        Tenure(0, value)
    assert "tenure=(0.9, 1.1)" in caught.value.maybe


@pytest.mark.parametrize("value", ["1", None, True, [1], 1j, np.True_])
def test_what_is_no_multiple_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"A tenure is a multiple of n, a number such as 0\.9, not"):
        Tenure(value, 5)


@pytest.mark.parametrize("value", [Fraction(1, 10**6 + 1), Fraction(10**18 + 1, 10**18)])
def test_a_fraction_too_fine_for_64_bits_is_refused(value: Fraction) -> None:
    with pytest.raises(InputError, match=r"denominator"):
        Tenure(0, value)


def test_exchanged_ends_are_refused() -> None:
    with pytest.raises(InputError, match=r"The tenure's lower end is 1\.1 and its upper end 0\.9"):
        Tenure(1.1, 0.9)


@pytest.mark.parametrize("value", [1, None, (1,), (1, 2, 3), "0.9"])
def test_a_search_asks_for_a_pair(value: Any) -> None:
    with pytest.raises(InputError, match="tenure is a pair of multiples of n, but it is"):
        TabuSearch(Swap(), value)
