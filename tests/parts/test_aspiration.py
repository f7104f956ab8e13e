"""Aspiration: when a move is long due, the same in both languages."""

from typing import Any

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Aspiration
from metaheur.searches import TabuSearch
from metaheur.testing import check_part


def test_a_move_is_due_when_its_tabu_ended_longer_ago_than_allowed() -> None:
    aspiration = Aspiration(10)
    due = [iteration for iteration in range(1, 40) if aspiration.due(5, iteration)]
    assert due == list(range(16, 40))


def test_without_long_term_no_move_is_ever_due() -> None:
    assert not Aspiration().due(0, 10**9)
    assert Aspiration().due(np.array([0, 5]), 10**9).tolist() == [False, False]


def test_arrays_are_told_entry_by_entry() -> None:
    assert Aspiration(3).due(np.array([0, 1, 2, 9]), 5).tolist() == [True, True, False, False]


@pytest.mark.parametrize("long_term", [None, 1, 100, 2**30])
def test_both_halves_say_the_same(long_term: int | None) -> None:
    iteration = 2**30 + 50
    edges = [iteration - 2**30, iteration - 100, iteration - 1, iteration]
    expiries = np.array([0, *(edge + step for edge in edges for step in (-1, 0, 1))], np.int64)
    check_part(Aspiration(long_term), "due", expiries, np.int64(iteration), devices=["host"])


@pytest.mark.parametrize("value", [0, -1, 2**30 + 1, 1.5, "5", True])
def test_what_is_no_number_of_iterations_is_refused(value: Any) -> None:
    for make in (Aspiration, lambda long_term: TabuSearch(Swap(), long_term=long_term)):
        with pytest.raises(InputError, match=r"long_term is a number of iterations in 1 \.\.\. 2\*\*30") as caught:
            make(value)
        assert "None" in caught.value.maybe
