"""Heavy-tailed moves: the number of moves follows the power law."""

from collections import Counter

import numpy as np
import pytest

from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Hamming
from metaheur.parts import HeavyTailedMoves
from metaheur.problems import OneMax
from metaheur.searches import OnePlusLambda
from tests.helpers import started

PROBLEM = OneMax(40)


@pytest.mark.parametrize("exponent", [1.5, 3])
def test_the_number_of_moves_follows_the_power_law(exponent: float) -> None:
    search = OnePlusLambda(HeavyTailedMoves(Hamming(), exponent))
    state, evaluate, seen = started(search, PROBLEM), NumpyEvaluator(PROBLEM, Hamming()), Counter[int]()
    for _ in range(2_000):
        before = state.walk.evaluated
        state = search.step(state, evaluate)
        seen[state.walk.evaluated - before] += 1
    weights = np.arange(1, 21) ** -float(exponent)
    expected = 2_000 * weights / weights.sum()
    found = np.array([seen[k] for k in range(1, 21)])
    assert found.sum() == 2_000
    assert (np.abs(found - expected) <= 4 * np.sqrt(expected) + 1).all()


def test_wrong_exponents_are_refused() -> None:
    with pytest.raises(InputError, match=r"exponent.*1\.0.*\nMaybe"):
        HeavyTailedMoves(Hamming(), 1)
