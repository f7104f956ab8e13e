"""Hamming: every choice of positions once, in a known order, exact at any size, and its moves do what they say."""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods.hamming import FlipMove, Hamming
from metaheur.random import Key, Random
from metaheur.representation import BitString, Permutation
from metaheur.testing import check_corners, check_neighborhood

LARGEST = {1: 2**31 - 1, 2: 2**31 - 1, 3: 3_810_779, 4: 121_977}
"""By radius, the longest bit strings whose moves 63 bits can number."""

radii = pytest.mark.parametrize("radius", LARGEST)


def sizes(radius: int) -> st.SearchStrategy[int]:
    ends = [radius, radius + 1, 100_000, LARGEST[radius] - 1, LARGEST[radius]]
    return st.integers(radius, LARGEST[radius]) | st.sampled_from(ends)


def before(n: int, at: tuple[int, ...]) -> int:
    """How many combinations stand before one: those that first differ from it by a smaller position."""
    count, low = 0, 0
    for c, position in enumerate(at):
        left = len(at) - c
        count += comb(n - low, left) - comb(n - position, left)
        low = position + 1
    return count


def beginnings(radius: int, n: int) -> list[int]:
    """The indices around the first combinations that begin with some positions: of groups, and of groups of groups."""
    random, chosen = np.random.default_rng(n), []
    for _ in range(100):
        drawn = sorted({int(place) for place in random.integers(0, n, radius)})
        for kept in range(len(drawn)):
            begin = tuple(drawn[:kept]) + tuple(range(drawn[kept], drawn[kept] + radius - kept))
            if begin[-1] < n:
                chosen += [before(n, begin) + step for step in (-1, 0, 1)]
    return chosen


@radii
@pytest.mark.parametrize("n", range(1, 10))
def test_every_choice_of_positions_is_a_move(radius: int, n: int) -> None:
    assert list(Hamming(radius).moves(BitString(n))) == [FlipMove(at) for at in combinations(range(n), radius)]


@radii
@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_hamming_keeps_every_promise_of_a_neighborhood(compiling: Device, radius: int, n: int) -> None:
    check_neighborhood(Hamming(radius), BitString(n), devices=[compiling.name])


@pytest.mark.parametrize(
    ("radius", "n"),
    [(radius, n) for radius, last in LARGEST.items() for n in sorted({radius, radius + 1, 33, 1517, 100_000, last})],
)
def test_it_is_numbered_exactly_however_large(compiling: Device, radius: int, n: int) -> None:
    check_corners(Hamming(radius), BitString(n), indices=beginnings(radius, n), devices=[compiling.name])


@radii
@given(data=st.data())
def test_the_index_of_a_move_counts_the_combinations_before_it(radius: int, data: st.DataObject) -> None:
    n = data.draw(sizes(radius))
    at = tuple(sorted(data.draw(st.sets(st.integers(0, n - 1), min_size=radius, max_size=radius))))
    k = Hamming(radius).index(BitString(n), FlipMove(at))
    assert k == before(n, at)
    assert Hamming(radius).move(BitString(n), k) == FlipMove(at)
    assert [position.tolist() for position in Hamming(radius).batch(BitString(n), np.array([k])).at] == [
        [p] for p in at
    ]


@pytest.mark.parametrize("radius", [3, 4])
def test_more_moves_than_63_bits_number_are_refused(radius: int) -> None:
    assert Hamming(radius).size(BitString(LARGEST[radius])) == comb(LARGEST[radius], radius)
    with pytest.raises(InputError, match=rf"Hamming\(radius={radius}\) .* beyond 64 bits"):
        Hamming(radius).size(BitString(LARGEST[radius] + 1))


@pytest.mark.parametrize("radius", [0, -1, 5, 1.0, True, "2", None])
def test_a_radius_beyond_4_is_refused(radius: Any) -> None:
    with pytest.raises(InputError, match=r"`Hamming.radius` must be a whole number in 1 \.\.\. 4, but is"):
        Hamming(radius)


@pytest.mark.parametrize("at", [(2, 2), (3, 2), (-1, 2), (0, 5), (1,), (1, 2, 3)])
def test_positions_that_are_no_move_have_no_index(at: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"Hamming\(radius=2\) on BitString.* does not have the move"):
        Hamming(2).index(BitString(5), FlipMove(at))


def test_it_acts_on_bit_strings_only() -> None:
    assert Hamming().supports(BitString(3))
    assert not Hamming().supports(Permutation(3))
    assert Hamming() == Hamming(1)


def test_a_flip_turns_its_bits() -> None:
    x = np.array([0, 1, 1, 0, 0], np.uint8)
    moved = FlipMove((1, 3)).apply(x)
    assert moved.tolist() == [0, 0, 1, 1, 0]
    assert moved.dtype == x.dtype
    assert [(position, int(value)) for position, value in FlipMove((1, 3)).placements(x)] == [(1, 0), (3, 1)]


@radii
def test_many_flips_at_once_give_a_row_each(radius: int) -> None:
    hamming, space = Hamming(radius), BitString(7)
    x = space.random(Random(Key(1), 0, 0))
    moves = hamming.batch(space, np.arange(hamming.size(space)))
    moved = moves.apply(x)
    assert all(position.dtype == np.int64 for position in moves.at)
    assert moved.tolist() == [move.apply(x).tolist() for move in hamming.moves(space)]
    assert ((moved != x).sum(axis=1) == radius).all()
    assert len(np.unique(moved, axis=0)) == hamming.size(space)
