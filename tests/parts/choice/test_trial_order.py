"""Trial orders: which move comes next, the same on every device."""

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Trial
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.loops.loop import kept_of
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parts import AtRandom, InStrides, InSweeps, Metropolis, TrialOrder
from metaheur.problems import QAP, QUBO, OneMax
from metaheur.random import Random, Stream
from metaheur.testing import check_search
from metaheur.walk import Walk
from tests.helpers import KEY, evaluated


def tried(order: TrialOrder, size: int, count: int, kept: Any = None) -> list[int]:
    """The indices of so many trials in a row."""
    start = evaluated(OneMax(4), [0, 0, 0, 0])
    walk, found = Walk(KEY, start, start), []
    kept = kept_of(order, start, KEY) if kept is None else kept
    for _ in range(count):
        found.append(order.next(kept, size, walk)[0])
        walk = walk.stay(1)
    return found


def test_a_sweep_tries_every_move_by_its_index() -> None:
    assert tried(InSweeps(), 7, 21) == [*range(7)] * 3


@pytest.mark.parametrize("size", [1, 2, 3, 7, 12, 30, 97])
def test_a_strided_sweep_tries_every_move_once(size: int) -> None:
    found = tried(InStrides(), size, 5 * size)
    for begin in range(0, 5 * size, size):
        sweep = found[begin : begin + size]
        assert sorted(sweep) == [*range(size)]
        assert len({(later - earlier) % size for earlier, later in pairwise(sweep)}) <= 1


def test_strided_sweeps_differ() -> None:
    found = np.array(tried(InStrides(), 97, 970)).reshape(10, 97)
    assert len({tuple(sweep) for sweep in found.tolist()}) == 10
    assert len({int((sweep[1] - sweep[0]) % 97) for sweep in found}) > 5


def test_moves_at_random_are_drawn_equally_often() -> None:
    counts = Counter(tried(AtRandom(), 5, 2000))
    assert all(330 < counts[k] < 470 for k in range(5))


@pytest.mark.parametrize("order", [InSweeps(), InStrides()], ids=repr)
def test_kept_numbers_of_a_broken_checkpoint_lead_to_a_move(order: TrialOrder) -> None:
    names = order.state(OneMax(4).representation)
    for number in (0, 1, 6, 7, 8, 2**62):
        kept = {name: np.array(number) for name in names}
        assert set(tried(order, 7, 30, kept)) == {*range(7)}


def test_iterations_share_words_that_no_other_draw_has() -> None:
    words = [Random(Key(3, 1), Stream.SWEEP, iteration).shared_word() for iteration in range(96)]
    expected = [
        Random(Key(3, 1), Stream.SWEEP, 8 * block + k).words(0)[w]
        for block in range(3)
        for w in range(4)
        for k in range(8)
    ]
    assert words == expected
    assert len(set(words)) == 96


@pytest.mark.parametrize("order", [InSweeps(), InStrides()], ids=repr)
def test_every_device_tries_the_same_moves(order: TrialOrder, compiling: Device) -> None:
    numbers = np.random.default_rng(1).integers(-9, 10, (13, 13))
    search = Trial(Hamming(1), Metropolis(5.0), order=order)
    check_search(search, QUBO(numbers), iterations=150, devices=[compiling.name])
    check_search(
        Trial(Swap(), Metropolis(50.0), order=order), QAP.random(6, 1), iterations=70, devices=[compiling.name]
    )


def test_an_order_is_an_order() -> None:
    with pytest.raises(InputError, match=r"`Trial\.order` must be of the type TrialOrder"):
        Trial(Swap(), order=7)  # type: ignore[arg-type]
