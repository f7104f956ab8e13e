"""Every shipped neighborhood at sizes where 32 bits, and the integers that a double holds, are not enough."""

import pytest

from metaheur import BitString, DiscreteVector, Neighborhood, Permutation, Representation
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import AdjacentSwap, Hamming, Insertion, OrOpt, Substitution, Swap, ThreeOpt, TwoOpt, Union
from metaheur.testing import check_corners

LONGEST = 2**31 - 1
CASES: list[tuple[Neighborhood, Representation]] = [
    *((Hamming(radius), BitString(n)) for radius, n in ((1, LONGEST), (2, LONGEST), (3, 3_810_779), (4, 121_977))),
    *((Hamming(radius), BitString(100_000)) for radius in (1, 2, 3, 4)),
    (Hamming(3), BitString(1517)),
    (Substitution(), DiscreteVector(LONGEST, LONGEST)),
    (Substitution(), DiscreteVector(100_000, 3)),
    *((each, Permutation(LONGEST)) for each in (Swap(), AdjacentSwap(), Insertion(), TwoOpt())),
    (TwoOpt(), Permutation(LONGEST, cyclic=True)),
    (OrOpt(), Permutation(LONGEST // 4)),
    (OrOpt(), Permutation(LONGEST // 4, cyclic=True)),
    *(
        (each, Permutation(n, cyclic))
        for n in (46_342, 65_537, 100_000)
        for cyclic in (False, True)
        for each in (Swap(), Insertion(), TwoOpt(), OrOpt(), OrOpt(5), ThreeOpt())
    ),
]


@pytest.mark.parametrize(("neighborhood", "space"), CASES, ids=str)
def test_the_corners_are_numbered_exactly(compiling: Device, neighborhood: Neighborhood, space: Representation) -> None:
    check_corners(neighborhood, space, devices=[compiling.name])


@pytest.mark.parametrize(
    ("neighborhood", "space"),
    [(OrOpt(), Permutation(LONGEST)), (Hamming(4), BitString(121_978)), (Hamming(3), BitString(3_810_780))],
    ids=str,
)
def test_what_64_bits_cannot_number_is_refused(neighborhood: Neighborhood, space: Representation) -> None:
    with pytest.raises(InputError, match=r"beyond 64 bits \(2\*\*63 - 1\)"):
        neighborhood.size(space)


def test_neighborhoods_that_64_bits_cannot_number_together_are_refused() -> None:
    space = Permutation(LONGEST)
    with pytest.raises(InputError, match=r"beyond 64 bits \(2\*\*63 - 1\)"):
        Union(Insertion(), Insertion(), Swap()).size(space)
