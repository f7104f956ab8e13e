"""The moves of some neighborhoods place every value at every position, as their C++ halves say."""

from pathlib import Path

import pytest

import metaheur.neighborhoods
from metaheur import Neighborhood
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, Substitution, Swap
from metaheur.random import START, Key, Random
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation

FOLDER = Path(metaheur.neighborhoods.__file__).parent


@pytest.mark.parametrize(
    ("neighborhood", "representation"),
    [
        (Swap(), Permutation(6)),
        (Hamming(1), BitString(5)),
        (Hamming(2), BitString(5)),
        (Hamming(3), BitString(5)),
        (Substitution(), DiscreteVector(4, 3)),
        (AdjacentSwap(), Permutation(6)),
        (Insertion(), Permutation(6)),
    ],
    ids=repr,
)
def test_a_neighborhood_that_places_all_has_a_move_for_each_placement(
    neighborhood: Neighborhood, representation: Representation
) -> None:
    x = representation.random(Random(Key(1), START, 0))
    moves = list(neighborhood.moves(representation))
    placed = {(int(p), int(v)) for move in moves for p, v in move.placements(x)}
    left = [{(int(p), int(v)) for p, v in move.departures(x)} for move in moves]
    others = {(p, v) for p in range(representation.length) for v in range(representation.values) if x[p] != v}
    gone = [
        {(int(p), int(x[p])) for p in range(representation.length) if moved[p] != x[p]}
        for moved in (move.apply(x) for move in moves)
    ]
    text = FOLDER.joinpath(str(type(neighborhood).source)).read_text(encoding="utf-8")
    assert ("places_all = true" in text) == (placed == others and left == gone)
