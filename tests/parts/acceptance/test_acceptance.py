"""Acceptance: whether a change of cost is accepted, the same in both halves."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.parts import Acceptance, Always, Better, BetterOrEqual, Improving
from metaheur.testing import check_part

DELTAS = np.array([-(2**62), -5, -1, 0, 1, 5, 2**62])
ACCEPTED: dict[Acceptance, list[bool]] = {
    Always(): [True] * 7,
    Better(): [True] * 3 + [False] * 4,
    BetterOrEqual(): [True] * 4 + [False] * 3,
    Improving(): [True] * 3 + [False] * 4,
    Improving(0.5): [True] * 3 + [False] * 4,
}
acceptances = pytest.mark.parametrize("acceptance", ACCEPTED, ids=repr)


@acceptances
def test_whole_changes_of_cost_are_accepted_by_their_sign(acceptance: Acceptance) -> None:
    assert acceptance.accepts({}, DELTAS, 10**6, 0, 0).tolist() == ACCEPTED[acceptance]
    assert [bool(acceptance.accepts({}, delta, 7, 5, 0)) for delta in DELTAS.tolist()] == ACCEPTED[acceptance]


@acceptances
def test_both_halves_accept_the_same_whole_numbers(acceptance: Acceptance, compiling: Device) -> None:
    others = np.int64(10**6), np.int64(-3), np.uint32(9)
    check_part(acceptance, "accepts", DELTAS, *others, kept={}, devices=[compiling.name])


@acceptances
def test_both_halves_accept_the_same_floats(acceptance: Acceptance, compiling: Device) -> None:
    costs = np.array([0.0, 0.5, -1.0, 1.0, 1e3, -1e12, 1e300])
    ends = -(1e-9 * np.maximum(1.0, np.abs(costs)))
    deltas = np.concatenate([np.nextafter(ends, -np.inf), ends, np.nextafter(ends, np.inf), -ends, costs, 0 * costs])
    others = np.tile(costs, 6), np.float64(0), np.uint32(0)
    check_part(acceptance, "accepts", deltas, *others, kept={}, cost_type="float64", devices=[compiling.name])


def test_a_strict_acceptance_says_that_it_improves() -> None:
    assert [acceptance.improves for acceptance in ACCEPTED] == [False, True, False, True, True]
    assert not any(acceptance.draws or acceptance.ended({}) for acceptance in ACCEPTED)


@given(st.floats(allow_nan=False, max_value=1e300, min_value=-1e300), st.floats(-1e15, 1e15), st.floats(0, 0.99))
def test_floats_must_fall_by_more_than_a_share_of_the_cost(delta: float, cost: float, tolerance: float) -> None:
    least = -Fraction(tolerance) * max(Fraction(1), abs(Fraction(cost)))
    assume(abs(Fraction(delta) - least) > abs(least) * Fraction(1, 2**50) or delta == 0)
    assert bool(Improving(tolerance).accepts({}, delta, cost, cost, 0)) == (Fraction(delta) < least)


def test_without_tolerance_the_smallest_fall_is_one() -> None:
    assert Improving(0).accepts({}, -5e-324, 1e300, 0.0, 0)
    assert not Improving(0).accepts({}, -0.0, 1.0, 0.0, 0)
    assert not Improving().accepts({}, -1e-10, 0.0, 0.0, 0)


@pytest.mark.parametrize("tolerance", [-1e-9, 1, 1.5, True, "0", None, float("nan"), float("inf")])
def test_a_tolerance_is_a_share(tolerance: Any) -> None:
    with pytest.raises(
        InputError, match=r"`Improving\.tolerance` must be a finite number from 0 on and below 1, but is"
    ):
        Improving(tolerance)
