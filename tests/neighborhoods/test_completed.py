"""A C++ half of a neighborhood writes what is special about it: the rest follows, or its absence is said in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, final

import pytest
from attrs import frozen

from metaheur import Neighborhood, Permutation, Representation, Source
from metaheur.device.device import Device
from metaheur.device.generator.compose import compose
from metaheur.errors import InputError
from metaheur.evaluators.shells import moves_of
from metaheur.neighborhoods import SwapMove
from metaheur.testing import check_corners, check_neighborhood
from metaheur.testing.compiled_check import ConstantProblem

HALF = """struct {name} : {name}Data {{ // groups() and apply() follow
    typedef SwapMove Move;
    MH_FN i64 size() const {{ return n > by ? n - by : 0; }}
    MH_FN i64 index(Move m) const {{ return m.i; }}
    MH_FN Move unrank(i64 k) const {{ return {{int(k), int(k + by)}}; }}
}};"""


class Apart(Neighborhood):
    """Exchanges of two items that are so many places apart."""

    by: int

    def supports(self, representation: Representation) -> bool:
        return representation.arranges

    def size(self, representation: Representation) -> int:
        return max(0, representation.length - self.by)

    def moves(self, representation: Representation) -> Iterator[SwapMove]:
        return (SwapMove(i, i + self.by) for i in range(self.size(representation)))

    def move(self, representation: Representation, k: int) -> SwapMove:
        return SwapMove(k, k + self.by)

    def index(self, representation: Representation, move: Any) -> int:
        return int(move.i)


@final
@frozen
class Short(Apart):
    by: int

    source: ClassVar[Source] = Source(HALF.format(name="Short"))


@final
@frozen
class Named(Apart):
    by: int
    length: int = 1

    source: ClassVar[Source] = Source(HALF.format(name="Named"))


@final
@frozen
class Kept(Apart):
    by: int
    saved: int = 1

    source: ClassVar[Source] = Source(HALF.format(name="Kept"))


@pytest.mark.parametrize("n", [1, 2, 9])
def test_groups_and_apply_follow_from_the_numbering(n: int, compiling: Device) -> None:
    check_neighborhood(Short(1), Permutation(n), devices=[compiling.name])


def test_groups_are_ranges_of_indices(compiling: Device) -> None:
    check_corners(Short(2), Permutation(10**5), samples=10, devices=[compiling.name])


def test_a_field_with_the_name_of_a_function_is_refused_by_name(compiling: Device) -> None:
    shell = moves_of(Named(1))
    with pytest.raises(InputError, match=r"Named has a field.* called 'length', which is also the name of a function"):
        compose(ConstantProblem(Permutation(4)), shell, compiling)


def test_a_field_with_the_name_of_a_generated_function_is_refused_by_name(compiling: Device) -> None:
    with pytest.raises(InputError, match=r"Kept has a field.* called 'saved', a name that its C.. half cannot use"):
        compose(ConstantProblem(Permutation(4)), moves_of(Kept(1)), compiling)
