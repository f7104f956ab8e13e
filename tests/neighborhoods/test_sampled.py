"""Sampled: random moves of a neighborhood, the same ones in both languages, others in every step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Key, Permutation, Random, TabuSearch
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.sampled import Sampled
from metaheur.neighborhoods.swap import Swap, SwapMove
from metaheur.problems.qap import QAP
from metaheur.testing import check_problem, check_search

SPACE = Permutation(12)


def test_a_move_is_the_one_that_its_draw_names() -> None:
    moment = Random(Key(7, 3), 2, 41)
    sample = Sampled(Swap(), 30).resampled(moment)
    assert list(sample.moves(SPACE)) == [Swap().move(SPACE, moment.index(k, 66)) for k in range(30)]


def test_many_moves_at_once_are_the_same_as_one_by_one() -> None:
    sample = Sampled(Swap(), 30).resampled(Random(Key(7), 2, 5))
    moves = sample.batch(SPACE, np.arange(30))
    assert [SwapMove(int(i), int(j)) for i, j in zip(moves.i, moves.j, strict=True)] == list(sample.moves(SPACE))


def test_another_step_has_other_moves() -> None:
    sample = Sampled(Swap(), 30)
    first, second = (list(sample.resampled(Random(Key(7), 2, iteration)).moves(SPACE)) for iteration in (1, 2))
    assert first != second


def test_every_move_is_drawn_about_as_often() -> None:
    sample = Sampled(Swap(), 66 * 200).resampled(Random(Key(1), 2, 1))
    counts = np.bincount([sample.drawn(SPACE, k) for k in range(66 * 200)], minlength=66)
    chi_square = ((counts - 200) ** 2 / 200).sum()
    assert chi_square < 120  # 65 degrees of freedom: exceeded once in 30,000


def test_an_empty_neighborhood_has_an_empty_sample() -> None:
    assert Sampled(Swap(), 5).size(Permutation(1)) == 0


def test_its_changes_of_cost_are_right_on_every_device(compiling: Device) -> None:
    check_problem(QAP.taillard(12), Sampled(Swap(), 100), devices=[compiling.name])


@pytest.mark.parametrize("search", [TabuSearch(Sampled(Swap(), 20)), HillClimbing(Sampled(Swap(), 40))], ids=str)
def test_searches_walk_the_same_way_on_every_device(search: Any, compiling: Device) -> None:
    check_search(search, QAP.taillard(12), iterations=40, devices=[compiling.name])


def test_a_move_of_a_sample_has_no_index() -> None:
    with pytest.raises(InputError, match=r"SwapMove\(i=0, j=1\) in a sample is not defined"):
        Sampled(Swap(), 5).index(SPACE, SwapMove(0, 1))


@pytest.mark.parametrize("count", [0, -1, 2**31, 1.5, True, None])
def test_the_count_is_a_positive_number(count: Any) -> None:
    with pytest.raises(InputError, match="count"):
        Sampled(Swap(), count)


@pytest.mark.parametrize(
    ("whole", "reason"),
    [
        (Swap, "`neighborhood` must be a Neighborhood, but is <class"),
        ("swap", "`neighborhood` must be a Neighborhood, but is 'swap'"),
        (Sampled(Swap(), 2), r"`neighborhood` must have the same moves in every step, but is Sampled\("),
    ],
)
def test_a_sample_is_drawn_from_a_neighborhood_that_stays_the_same(whole: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Sampled(whole, 5)
