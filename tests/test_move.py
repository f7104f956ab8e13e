"""Moves: what is optional has a default, and says so where there is none."""

from itertools import pairwise

import numpy as np
import pytest

from metaheur import Neighborhood, Permutation, Solution
from metaheur.errors import InputError
from metaheur.move import Edges, WholeRing
from metaheur.neighborhoods import AdjacentSwap, Insertion, InsertionMove, OrOpt, Swap, SwapMove, ThreeOpt, TwoOpt
from tests.toys import Rotation


def test_a_move_stands_for_itself_by_default() -> None:
    move = Rotation(2)
    assert move.resolve(np.arange(5)) is move
    assert move.source is None


def test_a_move_that_writes_any_number_of_positions_has_no_placements() -> None:
    with pytest.raises(InputError, match="Rotation does not write a fixed number of positions") as caught:
        Rotation(1).placements(np.zeros(3, np.int32))
    assert "memory" in caught.value.maybe


def test_a_move_of_ones_own_joins_no_edges_unless_it_says_so() -> None:
    assert not Rotation.tells("edges")
    assert not Rotation.tells("placements")
    assert SwapMove.tells("placements")
    with pytest.raises(InputError, match="Rotation does not say which neighbors it joins and parts"):
        Rotation(1).edges(WholeRing(3, cyclic=False))


MOVING = (Swap(), Insertion(), TwoOpt(), OrOpt(), ThreeOpt(), AdjacentSwap())


def neighbors_of(x: Solution, *, cyclic: bool) -> set[frozenset[int]]:
    """The pairs of neighbors; the border, where there is one, is the item n."""
    items = [*x.tolist(), *([] if cyclic else [len(x)])]
    return {frozenset(pair) for pair in pairwise([*items, items[0]])}


def pairs_of(x: Solution, edges: Edges, joined: bool) -> set[frozenset[int]]:
    """The items that the edges name, without those that remain or that are none."""
    items = np.append(x, len(x))
    one, other = (edges.joined, edges.parted) if joined else (edges.parted, edges.joined)
    named, rest = ({frozenset((int(items[p]), int(items[q]))) for p, q in each} for each in (one, other))
    return {pair for pair in named - rest if len(pair) == 2}


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("neighborhood", MOVING, ids=str)
def test_the_edges_of_a_move_are_the_neighbors_that_it_joins_and_parts(
    neighborhood: Neighborhood, cyclic: bool
) -> None:
    space = Permutation(9, cyclic=cyclic)
    x, ring = np.random.default_rng(1).permutation(9).astype(np.int32), WholeRing.of(space)
    before = neighbors_of(x, cyclic=cyclic)
    for move in neighborhood.moves(space):
        after = neighbors_of(move.apply(x), cyclic=cyclic)
        edges = move.edges(ring)
        assert pairs_of(x, edges, joined=True) == after - before, move
        assert pairs_of(x, edges, joined=False) == before - after, move


@pytest.mark.parametrize("cyclic", [False, True])
@pytest.mark.parametrize("neighborhood", MOVING, ids=str)
def test_many_moves_have_the_edges_of_each(neighborhood: Neighborhood, cyclic: bool) -> None:
    space = Permutation(8, cyclic=cyclic)
    ring, size = WholeRing.of(space), neighborhood.size(space)
    edges = neighborhood.batch(space, np.arange(size)).edges(ring)
    for k, move in enumerate(neighborhood.moves(space)):
        alone = move.edges(ring)
        for many, one in ((edges.joined, alone.joined), (edges.parted, alone.parted)):
            assert [tuple(np.broadcast_to(end, size)[k] for end in pair) for pair in many] == list(one)


def test_an_insertion_places_one_item_and_leaves_one_position() -> None:
    x = np.array([3, 1, 4, 0, 2], np.int32)
    assert InsertionMove(1, 3).placements(x) == ((3, 1),)
    assert InsertionMove(1, 3).departures(x) == ((1, 1),)
    assert SwapMove(0, 2).departures(x) == ((0, 3), (2, 4))
