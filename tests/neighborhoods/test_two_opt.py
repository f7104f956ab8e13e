"""TwoOpt: every reversal that makes another solution, once, in a known order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.two_opt import TwoOpt, TwoOptMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

LARGEST = 2**31 - 1
sizes = st.integers(4, LARGEST) | st.sampled_from([4, 5, 32_769, 46_341, 100_000, 2**30, LARGEST])
cyclic_or_not = pytest.mark.parametrize("cyclic", [False, True])


def tour(x: np.ndarray) -> tuple[int, ...]:
    """The tour begun at item 0, in the direction that comes first in the alphabet."""
    items = [int(item) for item in x]
    turned = items[items.index(0) :] + items[: items.index(0)]
    return min(tuple(turned), (turned[0], *turned[:0:-1]))


@cyclic_or_not
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 9])
def test_two_opt_keeps_every_promise_of_a_neighborhood(compiling: Device, n: int, cyclic: bool) -> None:
    check_neighborhood(TwoOpt(), Permutation(n, cyclic), devices=[compiling.name])


@pytest.mark.parametrize("n", range(1, 10))
def test_every_segment_of_a_sequence_is_reversed_once(n: int) -> None:
    moves = list(TwoOpt().moves(Permutation(n)))
    assert moves == [TwoOptMove(i, j) for i in range(n) for j in range(i + 1, n)]
    assert TwoOpt().size(Permutation(n)) == n * (n - 1) // 2


@pytest.mark.parametrize("n", range(1, 10))
def test_every_other_tour_by_a_reversal_is_reached_once(n: int) -> None:
    x = np.arange(n)
    reached = [tour(move.apply(x)) for move in TwoOpt().moves(Permutation(n, cyclic=True))]
    by_any = {tour(TwoOptMove(i, j).apply(x)) for i in range(n) for j in range(i + 1, n)} - {tour(x)}
    assert len(reached) == len(set(reached)) == (n * (n - 3) // 2 if n > 3 else 0)
    assert set(reached) == by_any


def test_the_items_between_both_positions_are_reversed_and_no_others() -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    assert TwoOptMove(1, 3).apply(x).tolist() == [3, 0, 4, 1, 2]
    assert TwoOptMove(0, 3).apply(x).tolist() == [0, 4, 1, 3, 2]
    assert TwoOptMove(1, 3).apply(x).dtype == x.dtype


def test_the_item_at_position_0_of_a_tour_stays() -> None:
    assert all(move.i > 0 for move in TwoOpt().moves(Permutation(8, cyclic=True)))


@cyclic_or_not
def test_many_reversals_at_once_give_a_row_each(cyclic: bool) -> None:
    space = Permutation(7, cyclic)
    x = space.random(Random(Key(1), 0, 0))
    rows = TwoOpt().batch(space, np.arange(TwoOpt().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in TwoOpt().moves(space)]


@given(sizes, st.booleans(), st.data())
def test_the_index_of_a_move_counts_the_segments_before_it(n: int, cyclic: bool, data: st.DataObject) -> None:
    space = Permutation(n, cyclic)
    i = data.draw(st.integers(2, n - 2) | st.sampled_from([2, n - 2]))
    for j in {i + 1, n - 1, data.draw(st.integers(i + 1, n - 1))}:
        k = TwoOpt().index(space, TwoOptMove(i, j))
        before = sum_of_rows(n) - sum_of_rows(n - i) - (n if cyclic else 0)
        assert k == before + j - i - 1
        assert TwoOpt().move(space, k) == TwoOptMove(i, j)


def sum_of_rows(n: int) -> int:
    return n * (n - 1) // 2


@pytest.mark.parametrize(
    ("move", "cyclic"),
    [
        (TwoOptMove(2, 2), False),
        (TwoOptMove(3, 2), False),
        (TwoOptMove(0, 5), False),
        (TwoOptMove(0, 2), True),
        (TwoOptMove(1, 4), True),
    ],
)
def test_a_segment_that_is_no_move_has_no_index(move: TwoOptMove, cyclic: bool) -> None:
    with pytest.raises(InputError, match=r"TwoOpt\(\) on Permutation.* does not have the move"):
        TwoOpt().index(Permutation(5, cyclic), move)


def test_two_opt_acts_on_permutations_only() -> None:
    assert TwoOpt().supports(Permutation(3))
    assert not TwoOpt().supports(BitString(3))
