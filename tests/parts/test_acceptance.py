"""Acceptance: whether the chosen move is made, the same in both languages."""

import numpy as np
import pytest

from metaheur.parts import Acceptance, Always, Improving
from metaheur.testing import check_part

DELTAS = np.array([-(2**62), -5, -1, 0, 1, 5, 2**62])


@pytest.mark.parametrize(("acceptance", "accepted"), [(Always(), [True] * 7), (Improving(), [True] * 3 + [False] * 4)])
def test_moves_are_accepted_by_their_change_of_cost(acceptance: Acceptance, accepted: list[bool]) -> None:
    assert acceptance.accepts(DELTAS).tolist() == accepted
    assert [bool(acceptance.accepts(delta)) for delta in DELTAS.tolist()] == accepted


@pytest.mark.parametrize("acceptance", [Always(), Improving()])
def test_both_halves_accept_the_same(acceptance: Acceptance) -> None:
    check_part(acceptance, "accepts", DELTAS, devices=["host"])


def test_the_smallest_real_improvement_is_one() -> None:
    assert Improving().accepts(-5e-324)
    assert not Improving().accepts(-0.0)
