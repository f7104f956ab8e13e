"""Neighborhoods: what does not fit is refused, and a kernel is generated for what does."""

from collections.abc import Iterator
from typing import Any, Self, final

import numpy as np
import pytest
from attrs import frozen

from metaheur.device.host import Host
from metaheur.errors import InputError
from metaheur.neighborhood import Move, Neighborhood
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation, Solution


@final
@frozen
class Shift(Move):
    """Add one to every entry."""

    by: Any

    def apply(self, x: Solution) -> Solution:
        return np.asarray(x + self.by)

    def inverse(self) -> Self:
        return Shift(-self.by)


@final
@frozen
class Shifts(Neighborhood):
    """A neighborhood of short discrete vectors, with nothing but what must be there."""

    def supports(self, representation: Representation) -> bool:
        return isinstance(representation, DiscreteVector) and representation.length < 4

    def size(self, representation: Representation) -> int:
        return 1

    def moves(self, representation: Representation) -> Iterator[Shift]:
        return iter([Shift(1)])

    def move(self, representation: Representation, k: int) -> Shift:
        return Shift(1)

    def index(self, representation: Representation, move: Shift) -> int:
        return 0


def test_a_representation_that_fits_passes() -> None:
    Swap().require(Permutation(5), "this QAP")
    Swap().require(Permutation(5, cyclic=True), "this tour")
    Shifts().require(DiscreteVector(3, 2), "this problem")


@pytest.mark.parametrize(
    ("neighborhood", "representation", "reason"),
    [
        (Swap(), BitString(64), r"Swap does not act on BitString\(n=64\), which represents this MaxCut\."),
        (Swap(), DiscreteVector(3, 2), r"Swap does not act on DiscreteVector\(n=3, k=2\), which represents this"),
        (Shifts(), DiscreteVector(4, 2), r"Shifts does not act on DiscreteVector\(n=4, k=2\), which"),
        (Shifts(), Permutation(3), r"Shifts does not act on Permutation\(n=3, cyclic=False\), which"),
    ],
)
def test_a_representation_that_does_not_fit_is_refused_with_both_names(
    neighborhood: Neighborhood, representation: Representation, reason: str
) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        neighborhood.require(representation, "this MaxCut")
    assert caught.value.maybe


def test_what_is_optional_is_left_out_by_default() -> None:
    assert Shifts().batch(DiscreteVector(3, 2), np.arange(1)) is NotImplemented
    assert Shifts().source is None
    assert Shifts().writes is None
    assert Shifts().cpp_name == "Shifts"


def test_a_move_that_writes_any_number_of_positions_has_no_placements() -> None:
    with pytest.raises(InputError, match="Shift does not write a fixed number of positions"):
        Shift(1).placements(np.zeros(3, np.int32))


def test_a_neighborhood_generates_its_kernel_for_a_problem() -> None:
    module = Swap().kernel(QAP.random(5, 1), "evaluate", Host())
    again = Swap().kernel(QAP.random(9, 2), "evaluate", Host())
    assert type(module) is type(again)
    assert callable(module.launch)


def test_a_shell_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="'nonsense' is no shell of a neighborhood alone") as caught:
        Swap().kernel(QAP.random(5, 1), "nonsense", Host())
    assert '"evaluate"' in caught.value.maybe


def test_a_neighborhood_in_python_only_has_no_kernel() -> None:
    with pytest.raises(InputError, match=r"Shifts has no C\+\+ half"):
        Shifts().kernel(QAP.random(5, 1), "evaluate", Host())
