"""`check_representation` passes what ships, and names each fault that is planted into a representation."""

from __future__ import annotations

from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, DiscreteVector, Permutation, Random, Representation, Source
from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from metaheur.testing import check_representation
from tests.representations.test_own import Compiled, InCpp, InPython


@pytest.mark.parametrize(
    "space",
    [BitString(4), DiscreteVector(3, 3), Permutation(4), Permutation(5, cyclic=True), InCpp(5, 2), Compiled(6, 2)],
)
def test_right_ones_pass(space: Representation, compiling: Device) -> None:
    check_representation(space, devices=[compiling.name])


@pytest.mark.parametrize(
    "space", [BitString(1), Permutation(1), Permutation(200), DiscreteVector(40, 9), InPython(5, 5)]
)
def test_small_and_large_ones_pass_in_python(space: Representation) -> None:
    check_representation(space, devices=[])


class Digits(Representation):
    """Three digits of 0 ... 3."""

    length: ClassVar[int] = 3
    values: ClassVar[int] = 4
    independent: ClassVar[bool] = True
    exchanges: ClassVar[bool] = True

    def random(self, random: Random) -> Any:
        return np.array([random.integer(k, 0, 3) for k in range(3)], self.dtype)

    def violation(self, x: Any) -> str:
        return "" if ((x >= 0) & (x < 4)).all() else "there is no such digit."

    def distance(self, x: Any, y: Any) -> int:
        return int((x != y).sum())


def broken(**members: Any) -> Representation:
    """Digits of which some members are other ones."""
    made: Representation = type("Broken", (Digits,), members)()
    return made


FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "another type": ("draws an array of int64", {"random": lambda s, r: np.zeros(3, np.int64)}),
    "another length": (r"of the shape \(2,\)", {"random": lambda s, r: np.zeros(2, np.int32)}),
    "no solution": ("which is no solution: there is no such digit", {"random": lambda s, r: np.full(3, 4, np.int32)}),
    "chance": ("and the next time", {"random": lambda s, r: np.random.default_rng().integers(0, 4, 3, np.int32)}),
    "one of two": ("is not fair", {"random": lambda s, r: np.full(3, r.integer(0, 0, 3), np.int32)}),
    "a domain": (r"domain\(1\) is 2", {"domain": lambda s, k: 2 if k == 1 else 4}),
    "a large domain": ("values 4", {"domain": lambda s, k: 5}),
    "other starts": ("starts draws", {"starts": lambda s, keys: np.zeros((len(keys), 3), np.int32)}),
    "no reason": ("has no reason against", {"violation": lambda s, x: "" if (x < 4).all() else "too large."}),
    "no text": ("it returns a text", {"violation": lambda s, x: None}),
    "not independent": (
        "is independent, but",
        {
            "violation": lambda s, x: Digits.violation(s, x) or ("" if (np.diff(x) >= 0).all() else "unsorted."),
            "random": lambda s, r: np.sort(Digits.random(s, r)),
        },
    ),
    "not exchanging": (
        "exchanges, but",
        {
            "independent": False,
            "violation": lambda s, x: Digits.violation(s, x) or ("" if (np.diff(x) >= 0).all() else "unsorted."),
            "random": lambda s, r: np.sort(Digits.random(s, r)),
        },
    ),
    "not all arranged": (
        "has no reason against",
        {"arranges": True, "values": 3, "random": lambda s, r: r.permutation(3)},
    ),
    "one direction": ("in the other direction", {"distance": lambda s, x, y: int((x > y).sum())}),
    "equal but apart": ("but they are equal", {"distance": lambda s, x, y: 1}),
    "a short cut": ("but over", {"distance": lambda s, x, y: int((x != y).sum()) ** 2}),
    "always near": ("is 0 between all", {"distance": lambda s, x, y: 0}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_planted_fault_is_named(fault: str) -> None:
    wording, members = FAULTS[fault]
    with pytest.raises(CheckFailed, match=wording):
        check_representation(broken(**members), devices=[])


def test_digits_without_a_fault_pass() -> None:
    check_representation(broken(), devices=[])


@final
@frozen
class Shifted(Digits):
    """Digits whose C++ half draws other ones."""

    source: ClassVar[Source] = Source("""struct Shifted : ShiftedData {
    MH_FN void draw(Team team, Item* x, Random random) const {
        team.for_each(n, [=](i64 k) { x[k] = Item(random.integer(u32(k + 1), 0, 3)); });
    }
};""")


def test_a_half_that_draws_something_else_is_found(compiling: Device) -> None:
    with pytest.raises(CheckFailed, match=r"Shifted\(\), walk \d+: draw in C\+\+ on .* draws .* but random in Python"):
        check_representation(Shifted(), devices=[compiling.name])


def test_what_is_no_representation_is_refused() -> None:
    with pytest.raises(CheckFailed, match="is not a Representation"):
        check_representation(Permutation)  # type: ignore[arg-type]
