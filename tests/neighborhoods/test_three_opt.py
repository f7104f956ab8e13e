"""ThreeOpt: all that can be made of three cut edges."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.three_opt import ThreeOpt, ThreeOptMove
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_neighborhood

cyclic_or_not = pytest.mark.parametrize("cyclic", [False, True])


def reconnections(n: int, i: int, j: int, k: int) -> set[tuple[int, ...]]:
    """Both blocks in every order and every orientation, but the way they were."""
    x, found = list(range(n)), set()
    for (first, second), turns in product(permutations([x[i:j], x[j:k]]), product([1, -1], repeat=2)):
        found.add(tuple(x[:i] + first[:: turns[0]] + second[:: turns[1]] + x[k:]))
    return found - {tuple(x)}


@cyclic_or_not
@pytest.mark.parametrize("n", [1, 2, 3, 4, 7])
def test_three_opt_keeps_every_promise_of_a_neighborhood(compiling: Device, n: int, cyclic: bool) -> None:
    check_neighborhood(ThreeOpt(), Permutation(n, cyclic), devices=[compiling.name])


@cyclic_or_not
@pytest.mark.parametrize("n", range(1, 9))
def test_every_reconnection_of_every_three_cuts_is_reached_once(n: int, cyclic: bool) -> None:
    moves = list(ThreeOpt().moves(Permutation(n, cyclic)))
    for cuts in combinations(range(int(cyclic), n + 1), 3):
        reached = [tuple(m.apply(np.arange(n)).tolist()) for m in moves if (m.i, m.j, m.k) == cuts]
        assert len(reached) == len(set(reached))
        assert set(reached) == reconnections(n, *cuts)


def test_the_kinds_are_what_the_table_says() -> None:
    x = np.arange(7)
    made = {kind: ThreeOptMove(1, 3, 6, kind).apply(x).tolist() for kind in range(1, 8)}
    assert made == {
        1: [0, 2, 1, 3, 4, 5, 6],
        2: [0, 1, 2, 5, 4, 3, 6],
        3: [0, 2, 1, 5, 4, 3, 6],
        4: [0, 3, 4, 5, 1, 2, 6],
        5: [0, 3, 4, 5, 2, 1, 6],
        6: [0, 5, 4, 3, 1, 2, 6],
        7: [0, 5, 4, 3, 2, 1, 6],
    }


@pytest.mark.parametrize("kind", range(1, 8))
def test_three_new_edges_are_what_makes_a_kind_pure(kind: int) -> None:
    x = np.arange(9)
    moved = ThreeOptMove(2, 4, 7, kind).apply(x)
    edges = [{frozenset((int(y[k - 1]), int(y[k]))) for k in range(9)} for y in (x, moved)]
    assert len(edges[1] - edges[0]) == (3 if kind in (3, 4, 5, 6) else 2)


@cyclic_or_not
def test_many_moves_at_once_give_a_row_each(cyclic: bool) -> None:
    space = Permutation(7, cyclic)
    x = space.random(Random(Key(1), 0, 0))
    rows = ThreeOpt().batch(space, np.arange(ThreeOpt().size(space))).apply(x)
    assert rows.tolist() == [move.apply(x).tolist() for move in ThreeOpt().moves(space)]


@given(st.integers(5, 10**6), st.booleans(), st.sampled_from(range(1, 8)), st.data())
def test_indices_go_on_where_a_row_ends(n: int, cyclic: bool, kind: int, data: st.DataObject) -> None:
    space = Permutation(n, cyclic)
    i = data.draw(st.integers(1, n - 4))
    j = data.draw(st.integers(i + 2, n - 2))
    k = ThreeOpt().index(space, ThreeOptMove(i, j, n, kind))
    following = ThreeOptMove(i, j + 1, j + 2 + (kind >> 1 & 1), kind)
    if following.k <= n:
        assert ThreeOpt().move(space, k + 1) == following


@pytest.mark.parametrize(
    "move",
    [
        ThreeOptMove(1, 1, 2, 4),
        ThreeOptMove(1, 2, 4, 1),
        ThreeOptMove(1, 3, 4, 2),
        ThreeOptMove(1, 3, 7, 4),
        ThreeOptMove(0, 2, 4, 4),
        ThreeOptMove(1, 2, 3, 0),
        ThreeOptMove(1, 2, 3, 8),
    ],
)
def test_cuts_that_are_no_move_have_no_index(move: ThreeOptMove) -> None:
    with pytest.raises(InputError, match=r"ThreeOpt\(\) on Permutation.* does not have the move"):
        ThreeOpt().index(Permutation(6, cyclic=True), move)


def test_three_opt_acts_on_permutations_whose_moves_64_bits_can_number() -> None:
    assert ThreeOpt().supports(Permutation(10**6))
    assert ThreeOpt().size(Permutation(10**6)) < 2**63
    assert not ThreeOpt().supports(Permutation(10**6 + 1))
    assert not ThreeOpt().supports(BitString(3))
