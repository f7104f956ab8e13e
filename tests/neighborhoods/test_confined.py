"""Confined: the flips of Hamming among some positions, with the same numbers as there."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from metaheur import BitString, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Confined, FlipMove, Hamming, Union
from metaheur.problems import Knapsack
from metaheur.testing import check_neighborhood

POSITIONS = np.array([0, 2, 3, 5, 8])


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_its_moves_are_the_combinations_of_its_positions(radius: int) -> None:
    moves = Confined(Hamming(radius), POSITIONS)
    expected = [FlipMove(at) for at in combinations(POSITIONS.tolist(), radius)]
    assert [*moves.moves(BitString(10))] == expected
    check_neighborhood(moves, BitString(10))


def test_the_other_bits_stay() -> None:
    random = np.random.default_rng(1)
    problem = Knapsack(random.integers(1, 99, 10), random.integers(1, 99, (3, 10)), np.full(3, 200))
    moves = Union(Confined(Hamming(1), POSITIONS), Confined(Hamming(2), POSITIONS))
    start = np.array([0, 1, 0, 0, 0, 0, 0, 0, 0, 1], np.uint8)
    found = run(TabuSearch(moves, (0.1, 0.2)), problem, stop=stop.iterations(200), start=start)
    others = np.setdiff1d(np.arange(10), POSITIONS)
    assert found.solution[others].tolist() == start[others].tolist()
    expected = []
    for bits in np.ndindex(*[2] * len(POSITIONS)):
        x = start.copy()
        x[POSITIONS] = bits
        expected.append(problem.cost(x))
    assert found.cost == -min(expected)


@pytest.mark.parametrize("positions", [[], [2, 1], [1, 1], [-1, 2]])
def test_what_is_no_list_of_positions_is_refused(positions: Any) -> None:
    with pytest.raises(InputError, match=r"increasing[\s\S]*Maybe use numpy\.unique"):
        Confined(Hamming(1), positions)


def test_positions_behind_the_end_and_other_moves_are_refused() -> None:
    assert not Confined(Hamming(1), POSITIONS).supports(BitString(8))
    for at in ((1, 2), (2, 9), (2,)):
        with pytest.raises(InputError, match="FlipMove"):
            Confined(Hamming(2), POSITIONS).index(BitString(10), FlipMove(at))
