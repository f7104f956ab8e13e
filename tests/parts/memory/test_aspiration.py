"""Aspiration: when a forbidden move is made all the same, the same in both halves."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Aspiration, BestSoFar, LongTerm, NewBest, NoAspiration
from metaheur.searches import TabuSearch
from metaheur.testing import check_part

ITERATION = 2**30 + 50
DELTAS = [-(2**62), -8, -7, -6, 0, 2**62]
GAPS = [-(2**62), -7, 0]
EXPIRIES = [0, *(ITERATION - age + step for age in (2**30, 100, 3, 1, 0) for step in (-1, 0, 1)), ITERATION + 9]
CASES = np.array(list(product(DELTAS, GAPS, EXPIRIES)))


def aspires(aspiration: Aspiration, delta: int, gap: int, expiry: int) -> bool:
    """By the definitions."""
    if isinstance(aspiration, NoAspiration):
        return False
    if delta < gap:  # the best cost is undercut
        return not isinstance(aspiration, NewBest) or expiry < ITERATION
    return isinstance(aspiration, LongTerm) and ITERATION - expiry > aspiration.iterations


ASPIRATIONS = [NoAspiration(), BestSoFar(), NewBest(), LongTerm(1), LongTerm(3), LongTerm(100), LongTerm(2**30)]
aspirations = pytest.mark.parametrize("aspiration", ASPIRATIONS, ids=repr)


@aspirations
def test_a_move_aspires_by_the_definition(aspiration: Aspiration) -> None:
    expected = [aspires(aspiration, *case) for case in CASES.tolist()]
    delta, gap, expiry = CASES.T
    assert aspiration.aspires(delta, gap, expiry, ITERATION).tolist() == expected
    assert [bool(aspiration.aspires(d, g, e, ITERATION)) for d, g, e in CASES.tolist()] == expected
    assert any(expected) == (aspiration != NoAspiration())


@aspirations
def test_both_halves_say_the_same(aspiration: Aspiration, compiling: Device) -> None:
    check_part(aspiration, "aspires", *CASES.T, np.int64(ITERATION), devices=[compiling.name])


def test_only_moves_that_are_long_due_or_lead_to_a_new_best_come_before_others() -> None:
    assert [aspiration.precedes for aspiration in ASPIRATIONS] == [False, False, True, True, True, True, True]


@pytest.mark.parametrize("value", [0, -1, 2**30 + 1, 1.5, "5", True])
def test_what_is_no_number_of_iterations_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"`LongTerm.iterations` must be a whole number in [01] \.\.\. 1073741824"):
        LongTerm(value)
    with pytest.raises(
        InputError, match=r"`TabuSearch.long_term` must be a whole number in 1 \.\.\. 1073741824"
    ) as caught:
        TabuSearch(Swap(), long_term=value)
    assert "None" in caught.value.maybe
