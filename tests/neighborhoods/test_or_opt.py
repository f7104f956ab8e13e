"""OrOpt: every place of every short segment, each result once."""

from typing import Any

import numpy as np
import pytest

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.or_opt import OrOpt, OrOptMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

cyclic_or_not = pytest.mark.parametrize("cyclic", [False, True])


def tour(x: Any) -> tuple[int, ...]:
    """The tour begun at item 0, in the direction that comes first in the alphabet."""
    items = [int(item) for item in x]
    turned = items[items.index(0) :] + items[: items.index(0)]
    return min(tuple(turned), (turned[0], *turned[:0:-1]))


def results_on_sequences(n: int, longest: int) -> set[tuple[int, ...]]:
    """What cutting out a segment and inserting it elsewhere, in both orientations, can make of 0, 1, ... n-1."""
    x, found = list(range(n)), set()
    for length in range(1, min(longest, n) + 1):
        for i in range(n - length + 1):
            segment, rest = x[i : i + length], x[:i] + x[i + length :]
            for to in set(range(len(rest) + 1)) - {i}:
                found |= {tuple(rest[:to] + each + rest[to:]) for each in (segment, segment[::-1])}
    return found - {tuple(x)}


def results_on_tours(n: int, longest: int) -> set[tuple[int, ...]]:
    """The same of the tour 0, 1, ... n-1."""
    found = set()
    for begin in range(n):
        x = [(begin + k) % n for k in range(n)]
        for length in range(1, longest + 1):
            segment, rest = x[:length], x[length:]
            for to in range(1, len(rest)):
                found |= {tour(rest[:to] + each + rest[to:]) for each in (segment, segment[::-1])}
    return found - {tour(range(n))}


@cyclic_or_not
@pytest.mark.parametrize("n", [1, 2, 4, 5, 7, 10])
def test_or_opt_keeps_every_promise_of_a_neighborhood(compiling: Device, n: int, cyclic: bool) -> None:
    check_neighborhood(OrOpt(), Permutation(n, cyclic), devices=[compiling.name])


@pytest.mark.parametrize("longest", [1, 2, 3, 5])
@pytest.mark.parametrize("n", range(1, 12))
def test_every_other_sequence_by_moving_a_segment_is_reached_once(n: int, longest: int) -> None:
    reached = [tuple(move.apply(np.arange(n)).tolist()) for move in OrOpt(longest).moves(Permutation(n))]
    assert len(reached) == len(set(reached))
    assert set(reached) == results_on_sequences(n, longest)


@pytest.mark.parametrize("longest", [1, 2, 3, 4])
@pytest.mark.parametrize("n", range(1, 16))
def test_every_other_tour_by_moving_a_segment_is_reached_once(n: int, longest: int) -> None:
    reached = [tour(move.apply(np.arange(n))) for move in OrOpt(longest).moves(Permutation(n, cyclic=True))]
    assert len(reached) == len(set(reached))
    assert set(reached) == results_on_tours(n, max(0, min(longest, (n - 3) // 2, (n - 1) // 3)))


def test_a_segment_moves_and_may_be_reversed() -> None:
    x = np.array([5, 3, 1, 4, 0, 2], np.int32)
    assert OrOptMove(1, 2, 2, 0).apply(x).tolist() == [5, 4, 0, 3, 1, 2]
    assert OrOptMove(1, 2, 2, 1).apply(x).tolist() == [5, 4, 0, 1, 3, 2]
    assert OrOptMove(3, 2, -3, 0).apply(x).tolist() == [4, 0, 5, 3, 1, 2]
    assert OrOptMove(5, 2, 1, 0).apply(x).tolist() == [2, 5, 1, 4, 0, 3], "the segment 2, 5 goes around the end"


@cyclic_or_not
def test_many_moves_at_once_give_a_row_each(cyclic: bool) -> None:
    space = Permutation(11, cyclic)
    x = space.random(Random(Key(1), 0, 0))
    rows = OrOpt().batch(space, np.arange(OrOpt().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in OrOpt().moves(space)]


@pytest.mark.parametrize(
    "move",
    [
        OrOptMove(0, 4, 1, 0),
        OrOptMove(0, 1, 0, 0),
        OrOptMove(0, 2, 1, 0),
        OrOptMove(8, 1, 4, 0),
        OrOptMove(1, 1, -1, 0),
    ],
)
def test_what_is_no_move_or_another_ones_result_has_no_index(move: OrOptMove) -> None:
    with pytest.raises(InputError, match=r"OrOpt\(longest=3\) on Permutation.* does not have the move"):
        OrOpt().index(Permutation(12), move)


@pytest.mark.parametrize("longest", [0, -1, 1.5, True, None])
def test_segments_without_items_are_refused(longest: Any) -> None:
    with pytest.raises(InputError, match=r"`OrOpt\.longest` must be a whole number in 1"):
        OrOpt(longest)


def test_or_opt_acts_on_permutations_only() -> None:
    assert OrOpt().supports(Permutation(3))
    assert not OrOpt().supports(BitString(3))
