"""Every shipped neighborhood where numbers end: at sizes beyond 32 bits and doubles, and out of range."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import BitString, DiscreteVector, Neighborhood, Permutation, Representation
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import (
    AdjacentSwap,
    Hamming,
    Insertion,
    OrOpt,
    Restricted,
    Substitution,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.testing import check_corners

LONGEST = 2**31 - 1
CASES: list[tuple[Neighborhood, Representation]] = [
    (Substitution(), DiscreteVector(1, LONGEST)),
    (Substitution(), DiscreteVector(LONGEST, LONGEST)),
    (Substitution(), DiscreteVector(100_000, 50_000)),
    *((each, Permutation(LONGEST)) for each in (Swap(), AdjacentSwap(), Insertion(), TwoOpt())),
    *((Swap(), Permutation(n)) for n in (1000, 32_769, 2**30 + 1)),
    (TwoOpt(), Permutation(LONGEST, cyclic=True)),
    (OrOpt(), Permutation(LONGEST // 4)),
    (OrOpt(), Permutation(LONGEST // 4, cyclic=True)),
    (ThreeOpt(), Permutation(10**6)),
    (Union(Swap(), TwoOpt(), AdjacentSwap()), Permutation(LONGEST)),
    *(
        (each, Permutation(n, cyclic))
        for n in (46_342, 65_537)
        for cyclic in (False, True)
        for each in (Swap(), Insertion(), TwoOpt(), OrOpt(5), ThreeOpt())
    ),
]
"""Hamming is in test_hamming.py."""


@pytest.mark.parametrize(("neighborhood", "space"), CASES, ids=str)
def test_the_corners_are_exact(compiling: Device, neighborhood: Neighborhood, space: Representation) -> None:
    check_corners(neighborhood, space, samples=100, devices=[compiling.name])


MOST: list[tuple[Neighborhood, int]] = [
    (Swap(), LONGEST),
    (AdjacentSwap(), LONGEST),
    (Insertion(), LONGEST),
    (TwoOpt(), LONGEST),
    (OrOpt(1), 2**29),
    (OrOpt(), 2**29),
    (OrOpt(4), 2**29),
    (ThreeOpt(), 10**6),
]
"""Neighborhoods of permutations, and how many items they can have."""


@given(st.sampled_from(MOST), st.booleans(), st.integers(0, 2**32 - 1), st.data())
def test_indices_and_batches_are_exact_at_every_size(
    most: tuple[Neighborhood, int], cyclic: bool, seed: int, data: st.DataObject
) -> None:
    n = data.draw(st.integers(1, most[1]) | st.integers(1, 9))
    check_corners(most[0], Permutation(n, cyclic), seed=seed, samples=9, devices=[])


NEAR = np.array([[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4]])
SMALL: list[tuple[Neighborhood, Representation]] = [
    (Hamming(2), BitString(5)),
    (Hamming(3), BitString(2)),
    (Substitution(), DiscreteVector(5, 4)),
    *(
        (each, Permutation(n, cyclic))
        for n in (1, 6)
        for cyclic in (False, True)
        for each in (Swap(), AdjacentSwap(), Insertion(), TwoOpt(), OrOpt(), ThreeOpt(), Union(Swap(), Insertion()))
    ),
    (Restricted(TwoOpt(), NEAR), Permutation(6)),
    *((each, Permutation(LONGEST)) for each in (Swap(), AdjacentSwap(), Insertion(), TwoOpt())),
]


@pytest.mark.parametrize(("neighborhood", "space"), SMALL, ids=str)
def test_a_number_that_is_no_index_is_refused(neighborhood: Neighborhood, space: Representation) -> None:
    size = neighborhood.size(space)
    for k in (-1, size, size + 1, 2**70):
        with pytest.raises(InputError, match=f"has {size} moves, numbered from 0, but move {k} was asked for"):
            neighborhood.move(space, k)


@pytest.mark.parametrize(
    ("neighborhood", "space"),
    [
        (OrOpt(), Permutation(LONGEST)),
        (Hamming(4), BitString(121_978)),
        (Hamming(3), BitString(3_810_780)),
        (Union(Insertion(), Insertion(), Swap()), Permutation(LONGEST)),
        (Union(Hamming(3), Hamming(3)), BitString(3_810_779)),
    ],
    ids=str,
)
def test_what_64_bits_cannot_number_is_refused(neighborhood: Neighborhood, space: Representation) -> None:
    with pytest.raises(InputError, match=r"beyond 64 bits \(2\*\*63 - 1\)"):
        neighborhood.size(space)
