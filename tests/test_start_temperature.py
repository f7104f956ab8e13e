"""The start temperature of annealing: the share of deteriorations that it accepts."""

import numpy as np
import pytest

from metaheur import start_temperature
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.problems import QAP, OneMax
from metaheur.random import Key, Random, Stream


@pytest.mark.parametrize("acceptance", [0.001, 0.2, 0.5, 0.99])
def test_it_accepts_the_wanted_share_of_the_sampled_deteriorations(acceptance: float) -> None:
    qap, swap = QAP.random(9, 1), Swap()
    temperature = start_temperature(qap, swap, acceptance, samples=400, seed=5)
    worse = []
    for walk in range(10):
        x = qap.representation.random(Random(Key(5, walk), Stream.START, 0))
        random = Random(Key(5, walk), Stream.TRIAL, 0)
        for draw in range(40):
            y = x.copy()
            move = swap.move(qap.representation, random.index(draw, 36))
            y[[move.i, move.j]] = y[[move.j, move.i]]
            worse.append(qap.cost(y) - qap.cost(x))
    shares = np.exp(-np.array([delta for delta in worse if delta > 0]) / temperature)
    assert shares.mean() == pytest.approx(acceptance, abs=1e-6)


def test_moves_that_never_raise_the_cost_have_none() -> None:
    flat = QAP(np.zeros((4, 4), int), np.zeros((4, 4), int))
    with pytest.raises(InputError, match=r"None of 1000 random moves of Swap.* raises the cost"):
        start_temperature(flat, Swap())


@pytest.mark.parametrize("acceptance", [0, 1, -1, "half", None])
def test_a_share_is_between_0_and_1(acceptance: float) -> None:
    with pytest.raises(InputError, match="`acceptance` must be a finite number above 0 and below 1"):
        start_temperature(OneMax(9), Hamming(), acceptance)
