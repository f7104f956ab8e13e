"""`check_neighborhood` finds faults that are planted into either half of a neighborhood, and names the first move."""

from collections.abc import Iterator
from typing import Any, Self, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, Move, Neighborhood, Permutation, Representation, Solution, Source
from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from metaheur.neighborhoods import Swap
from metaheur.testing import check_neighborhood
from tests.faults import FaultySwap
from tests.toys import Adjacent, AdjacentMove

SPACE = Permutation(6)


def message(neighborhood: Any, representation: Any = SPACE, *, devices: Any = ()) -> str:
    """What the check says of a fault; in one line."""
    with pytest.raises(CheckFailed) as failure:
        check_neighborhood(neighborhood, representation, devices=devices)
    return str(failure.value).replace("\n", " ")


def test_a_right_neighborhood_passes(compiling: Device) -> None:
    for n in (1, 2, 6):
        check_neighborhood(FaultySwap(), Permutation(n), devices=[compiling.name])


def test_it_wants_instances_that_fit() -> None:
    assert message(Swap).endswith("is not a Neighborhood. Maybe pass an instance such as Swap().")
    assert message(Swap(), Permutation).endswith(
        "is not a Representation. Maybe pass an instance such as Permutation(5)."
    )

    wording = "supports() is False. Maybe check it on a representation that it supports."
    assert message(Swap(), BitString(6)) == f"Swap on {BitString(6)!r}: {wording}"


# ---- the numbering in Python -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        ("python_size", "moves() yields 15 moves, but size() is 14."),
        ("python_move", "move(3) is SwapMove(i=0, j=5), but move 3 of moves() is SwapMove(i=0, j=4)."),
        ("python_index", "index(SwapMove(i=0, j=4)) is 4, but its index is 3."),
        ("python_batch", "number 1 of the move with index 2 is 4 in batch(), but it is SwapMove(i=0, j=3)."),
    ],
)
def test_a_fault_of_a_numbering_is_named(fault: str, wording: str) -> None:
    assert message(FaultySwap(fault)) == f"FaultySwap on {SPACE!r}: {wording}"


# ---- what a move promises --------------------------------------------------------------------------------------------


@frozen
class Reversal(Move):
    """Reverse the solution."""

    def apply(self, x: Solution) -> Solution:
        return x[::-1].copy()

    def inverse(self) -> Self:
        return self

    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        return tuple(enumerate(x[::-1].tolist()))


@final
@frozen
class Only(Neighborhood):
    """A single move."""

    it: Move
    count: int | None = None

    @property
    def writes(self) -> int | None:
        return self.count

    def supports(self, representation: Representation) -> bool:
        return True

    def size(self, representation: Representation) -> int:
        return 1

    def moves(self, representation: Representation) -> Iterator[Move]:
        return iter((self.it,))

    def move(self, representation: Representation, k: int) -> Move:
        return self.it

    def index(self, representation: Representation, move: Any) -> int:
        return 0


class InPlace(Reversal):
    def apply(self, x: Solution) -> Solution:
        x[:] = x[::-1].copy()
        return x


class AView(Reversal):
    def apply(self, x: Solution) -> Solution:
        return x[::-1]


class Invalid(Reversal):
    def apply(self, x: Solution) -> Solution:
        return np.zeros_like(x)


class Nothing(Reversal):
    def apply(self, x: Solution) -> Solution:
        return x.copy()


class OneWay(Reversal):
    def apply(self, x: Solution) -> Solution:
        return np.roll(x, 1)


class Infeasible(Reversal):
    def resolve(self, x: Solution) -> None:
        return None


class Misplaced(Reversal):
    def placements(self, x: Solution) -> tuple[tuple[Any, Any], ...]:
        return tuple(enumerate(np.roll(x, 1).tolist()))


@pytest.mark.parametrize(
    ("move", "wording"),
    [
        (InPlace(), "InPlace().apply writes into its argument. Maybe work on a copy."),
        (AView(), "AView().apply writes into its argument. Maybe work on a copy."),
        (Invalid(), "Invalid() leads from [2 1 0] to [0 0 0]: positions 0 and 1 both hold 0, and 1 is missing."),
        (Nothing(), "Nothing() does not change [2 1 0]."),
        (OneWay(), "OneWay() leads from [2 1 0] to [0 2 1], and its inverse to [1 0 2], not back."),
        (Infeasible(), "Infeasible() is infeasible in [2 1 0], but leads to [0 1 2]."),
        (Misplaced(), "the placements of Misplaced() lead from [2 1 0] to [0 2 1], but apply to [0 1 2]."),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Move) else "",
)
def test_a_move_that_breaks_a_promise_is_named(move: Move, wording: str) -> None:
    assert message(Only(move, 3), Permutation(3)).startswith(f"Only on {Permutation(3)!r}: {wording}")


def test_as_many_positions_are_written_as_the_neighborhood_says() -> None:
    check_neighborhood(Only(Reversal(), 3), Permutation(3))
    assert message(Only(Reversal(), 2), Permutation(3)) == (
        f"Only on {Permutation(3)!r}: Reversal() has 3 placements, but `writes` is 2."
    )


# ---- the C++ half ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "wording"),
    [
        ("size_by_one", "size() is 16, but there are 15 moves."),
        ("length_of_group_3", "first() of a group is not first() + length() of the group before it, or 0."),
        ("length_of_the_last_group", "length() of all groups adds up to 16, but there are 15 moves."),
        ("unrank_late", "unrank makes [1, 2] of index 6, but the move is [1, 3]."),
        ("index_by_one", "index() of SwapMove(i=0, j=1) is 1, but its index is 0."),
        ("apply_copies", "SwapMove(i=0, j=1) leads from [5 1 0 3 4 2] to [1 1 0 3 4 2], not to [1 5 0 3 4 2]."),
        ("move_of_group_1", "move(), from group to group, makes [1, 1] of index 5, but the move is [1, 2]."),
        ("group_of_others", "group() of SwapMove(i=2, j=3) is a group that does not hold its index 9."),
        (
            "around_twice",
            "around(SwapMove(i=0, j=1)) names SwapMove(i=0, j=1) 2 times, but it shares a position and is",
        ),
        ("prepare_adds", "SwapMove(i=0, j=1) leads from [5 1 0 3 4 2] to [5 1 0 3 4 2], not to [1 5 0 3 4 2]."),
        (
            "prepare_writes_beside",
            "`prepare` writes outside the kept array 'items' of the neighborhood, whose shape is (6,).",
        ),
    ],
)
def test_a_fault_of_a_cpp_half_is_named(fault: str, wording: str, compiling: Device) -> None:
    found = message(FaultySwap(fault), devices=[compiling.name])
    assert found.startswith(f"FaultySwap on {SPACE!r} on {compiling.name}: ")
    assert wording in found


def test_a_cpp_half_of_an_empty_neighborhood_is_empty_too(compiling: Device) -> None:
    found = message(FaultySwap("size_by_one"), Permutation(1), devices=[compiling.name])
    assert found.endswith("size() is 1, but there are 0 moves.")


HALF, MOVE = Adjacent.source.text, AdjacentMove.source.text


def adjacent(half: str = HALF, move: str = MOVE) -> Neighborhood:
    """`Adjacent` with other C++ halves."""
    kind: Any = type("AdjacentMove", (AdjacentMove,), {"source": Source(move)})
    members = {"source": Source(half), "move_types": property(lambda self: (kind,))}
    made: Any = type("Adjacent", (Adjacent,), members)
    return made()  # type: ignore[no-any-return]


def test_a_cpp_half_may_leave_around_out_though_moves_write_a_fixed_number_of_positions(compiling: Device) -> None:
    check_neighborhood(adjacent(HALF[: HALF.index("    MH_FN int touched")] + "};"), SPACE, devices=[compiling.name])


def test_a_name_that_is_nearly_a_member_is_refused() -> None:
    assert message(adjacent(HALF.replace("bool around(", "bool arround(")), devices=["host"]) == (
        "The C++ half of Adjacent has `arround`, which is not a member that metaheur looks for. Maybe around."
    )


@pytest.mark.parametrize(
    ("old", "new", "wording"),
    [
        ("i + c; }", "i + 1 - c; }", "place() and value() of AdjacentMove(i=0) say [1, 1, 0, 5], but its placements"),
        ("x[i + 1 - c]", "x[i + c]", "place() and value() of AdjacentMove(i=0) say [0, 5, 1, 1], but its placements"),
        ("placements = 2", "placements = 1", "`placements` is 1, but `writes` is 2."),
    ],
)
def test_placements_of_a_cpp_half_are_those_of_the_python_half(
    old: str, new: str, wording: str, compiling: Device
) -> None:
    assert old in MOVE
    assert wording in message(adjacent(move=MOVE.replace(old, new)), devices=[compiling.name])


@pytest.mark.parametrize(
    ("touched", "wording"),
    [
        (4, "names AdjacentMove(i=2) 1 times, but it shares no position."),
        (2, "names AdjacentMove(i=1) 0 times, but it shares a position and is named once."),
    ],
)
def test_around_names_those_moves_that_share_a_position(touched: int, wording: str, compiling: Device) -> None:
    assert message(adjacent(HALF.replace("return 3;", f"return {touched};")), devices=[compiling.name]) == (
        f"Adjacent on {SPACE!r} on {compiling.name}: around(AdjacentMove(i=0)) {wording}"
    )
