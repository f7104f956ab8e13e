"""`check_corners` finds faults that are planted where numbers leave a type, and at the ends of groups."""

from collections.abc import Callable, Iterator
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Neighborhood, Permutation, Representation
from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from metaheur.neighborhoods import Swap, SwapMove
from metaheur.testing import check_corners
from tests.faults import FaultySwap

LARGE = Permutation(10**5)
"""With 4,999,950,000 swaps: 2**32 and more."""

LARGEST = Permutation(2**31 - 1)
"""With 2,305,843,005,992,468,481 swaps: 2**53 and more."""


def message(neighborhood: Any, representation: Any = LARGE, *, devices: Any = (), **options: Any) -> str:
    """What the check says of a fault; in one line."""
    with pytest.raises(CheckFailed) as failure:
        check_corners(neighborhood, representation, devices=devices, **options)
    return str(failure.value).replace("\n", " ")


def test_a_right_neighborhood_passes_however_small(compiling: Device) -> None:
    for n in (1, 2, 10**5):
        check_corners(FaultySwap(), Permutation(n), devices=[compiling.name])


def test_it_wants_instances() -> None:
    assert message(Swap).endswith("is not a Neighborhood. Maybe pass an instance such as Swap().")
    assert message(Swap(), 5).endswith("is not a Representation. Maybe pass an instance such as Permutation(10**5).")


# ---- the Python half -------------------------------------------------------------------------------------------------


@final
@frozen
class Wrong(Neighborhood):
    """Swap with other functions."""

    move_of: Callable[[Representation, int], SwapMove] = Swap().move
    index_of: Callable[[Representation, Any], int] = Swap().index
    batch_of: Callable[[Representation, np.ndarray], Any] = Swap().batch

    def __repr__(self) -> str:
        return "Wrong()"

    def supports(self, representation: Representation) -> bool:
        return True

    def size(self, representation: Representation) -> int:
        return Swap().size(representation)

    def moves(self, representation: Representation) -> Iterator[SwapMove]:
        return Swap().moves(representation)

    def move(self, representation: Representation, k: int) -> SwapMove:
        return self.move_of(representation, k)

    def index(self, representation: Representation, move: Any) -> int:
        return self.index_of(representation, move)

    def batch(self, representation: Representation, indices: np.ndarray) -> Any:
        return self.batch_of(representation, indices)


def narrow_index(kind: Any) -> Any:
    return lambda representation, move: int(np.int64(Swap().index(representation, move)).astype(kind))


def float_batch(representation: Representation, indices: np.ndarray) -> SwapMove:
    return Swap().batch(representation, indices.astype(float).astype(np.int64))


@pytest.mark.parametrize(
    ("kind", "representation", "k"),
    [(np.int32, LARGE, 2**31), (np.uint32, LARGE, 2**32), (np.float64, LARGEST, 2**53 + 1)],
)
def test_an_index_is_exact_beyond_every_type(kind: Any, representation: Representation, k: int) -> None:
    move = Swap().move(representation, k)
    assert message(Wrong(index_of=narrow_index(kind)), representation, samples=0) == (
        f"Wrong() on {representation!r}: index({move!r}) is not {k}, although move({k}) is this move."
    )


def test_batch_makes_the_moves_that_move_makes() -> None:
    assert " in batch(), but it is SwapMove(" in message(Wrong(batch_of=float_batch), LARGEST, samples=0)


@pytest.mark.parametrize("k", [0, Swap().size(LARGE) - 1])
def test_the_first_and_the_last_move_are_checked(k: int) -> None:
    def wrong(representation: Representation, move: Any) -> int:
        index = Swap().index(representation, move)
        return index + (index == k)

    assert f"is not {k}, although move({k}) is this move" in message(Wrong(index_of=wrong), samples=0)


def test_indices_can_be_asked_for_and_are_drawn() -> None:
    def wrong(representation: Representation, move: Any) -> int:
        index = Swap().index(representation, move)
        return index + (10**6 <= index < 10**9)

    check_corners(Wrong(index_of=wrong), LARGE, samples=0)
    check_corners(Wrong(index_of=wrong), LARGE, samples=0, indices=[10**9, -1, 10**12])
    assert "is not 123456789, although move" in message(Wrong(index_of=wrong), samples=0, indices=[123456789])
    assert ": index(" in message(Wrong(index_of=wrong), samples=64)


# ---- the C++ half ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        ("size_by_one", "size() is 4999950001, but there are 4999950000 moves."),
        ("unrank_in_32_bits", "unrank makes [0, 1] of index 2147483648, but the move is [24468, 61863]."),
        ("move_of_group_1", "its group makes [1, 1] of index 99999, but the move is [1, 2]."),
        ("apply_copies", "the move with index 0 leads to another solution than SwapMove(i=0, j=1).apply."),
        ("index_in_32_bits", "index 2147483648 of 4999950000 has the rank -2147483648 and is in group 24468 of 99999"),
        (
            "first_in_32_bits",
            "its group makes [24468, -2147421787] of index 2147483646, but the move is [24468, 61861].",
        ),
        ("group_of_others", "its group makes [1, 100003] of index 200000, but the move is [2, 6]."),
        ("length_of_group_3", "is in group 3 of 99999, which holds the indices 299994 ... 399988."),
        ("length_of_the_last_group", "is in group 99998 of 99999, which holds the indices 4999949999 ... 4999950000."),
    ],
)
def test_a_fault_of_a_cpp_half_is_named(fault: str, wording: str, compiling: Device) -> None:
    found = message(FaultySwap(fault), samples=0, indices=[3 * 10**5, 2 * 10**5], devices=[compiling.name])
    assert found.startswith(f"FaultySwap(fault={fault!r}) on {LARGE!r} on {compiling.name}: ")
    assert wording in found
