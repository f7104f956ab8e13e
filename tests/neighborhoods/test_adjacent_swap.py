"""AdjacentSwap: the exchanges of two neighbors."""

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap, SwapMove
from metaheur.neighborhoods.adjacent_swap import AdjacentSwap
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

LARGEST = 2**31 - 1


@pytest.mark.parametrize("n", range(1, 10))
def test_its_moves_are_the_swaps_of_neighbors(n: int) -> None:
    moves = list(AdjacentSwap().moves(Permutation(n)))
    assert moves == [move for move in Swap().moves(Permutation(n)) if move.j - move.i == 1]


@pytest.mark.parametrize("n", [1, 2, 3, 9])
def test_adjacent_swap_keeps_every_promise_of_a_neighborhood(compiling: Device, n: int) -> None:
    check_neighborhood(AdjacentSwap(), Permutation(n), devices=[compiling.name])


def test_a_batch_holds_the_moves_of_its_indices() -> None:
    batch = AdjacentSwap().batch(Permutation(LARGEST), np.array([7, 0, LARGEST - 2]))
    assert batch.i.tolist() == [7, 0, LARGEST - 2]
    assert batch.j.tolist() == [8, 1, LARGEST - 1]


@pytest.mark.parametrize("move", [SwapMove(-1, 0), SwapMove(4, 5), SwapMove(1, 3), SwapMove(2, 1)])
def test_a_swap_of_no_neighbors_is_refused(move: SwapMove) -> None:
    with pytest.raises(InputError, match=r"does not have the move .*\nMaybe use Swap"):
        AdjacentSwap().index(Permutation(5), move)


def test_it_acts_on_permutations_only() -> None:
    assert AdjacentSwap().supports(Permutation(5))
    assert not AdjacentSwap().supports(BitString(5))
