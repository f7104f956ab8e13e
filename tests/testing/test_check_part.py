"""`check_part` finds functions that say one thing in Python and another in C++, and names the arguments."""

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, Representation
from metaheur.device.device import Device
from metaheur.errors import CheckFailed
from metaheur.parts import Part, Selection, Tenure
from metaheur.testing import check_part
from tests.toys import LateAcceptance, Smallest

DELTAS = np.array([0, 3, 5])


@final
@frozen
class Opposite(Selection):
    """The largest change of cost in Python, the lowest one in C++."""

    source: ClassVar[str] = """struct Opposite : OppositeData {
    MH_FN Cost score(Cost delta) const { return delta; }
};"""

    def score(self, delta: Any) -> Any:
        return -delta


@final
@frozen
class Steps(Part):
    """Whatever is asked, of two arrays and a number that are kept: those of a part in a part, too."""

    late: LateAcceptance = LateAcceptance(3)

    source: ClassVar[str] = """struct Steps : StepsData {
    MH_FN i64 turned() const { return turn; }
    MH_FN i64 at(i64 k) const { return heights(k / 2, k % 2) * 100 + late.turn; }
    MH_FN double half(i64 k) const { return double(k) / 2; }
    MH_FN bool odd(i64 k) const { return k & 1; }
};"""

    def state(self, representation: Representation) -> Mapping[str, Array]:
        return {"heights": Array((2, 2), "int64"), "turn": Array((), "int64")}

    def turned(self, kept: Any) -> Any:
        return kept["turn"]

    def at(self, kept: Any, k: Any) -> Any:
        return kept["heights"][k // 2, k % 2] * 100 + kept["late"]["turn"]

    def half(self, k: Any) -> Any:
        return k / 2

    def odd(self, k: Any) -> Any:
        return k % 2 == 1


LATE = {"costs": np.array([1, 2, 3]), "turn": np.array(7)}
KEPT = {"heights": np.array([[1, -2], [3, 2**40]]), "turn": np.array(2**33), "late": LATE}


def message(part: Any, function: str, *arguments: Any, devices: Any = (), **options: Any) -> str:
    """What the check says of a fault; in one line."""
    with pytest.raises(CheckFailed) as failure:
        check_part(part, function, *arguments, devices=devices, **options)
    return str(failure.value).replace("\n", " ")


def test_halves_that_say_the_same_pass(compiling: Device) -> None:
    """Whole numbers, floats and truths; with what is kept, and without arguments."""
    here = [compiling.name]
    check_part(Steps(), "half", np.arange(-5, 5), devices=here)
    check_part(Steps(), "odd", np.arange(5), devices=here)
    check_part(Steps(), "at", np.arange(4), kept=KEPT, devices=here)
    check_part(Steps(), "turned", kept=KEPT, result=np.int64, devices=here)


def test_the_first_arguments_for_which_the_halves_differ_are_named(compiling: Device) -> None:
    assert message(Opposite(), "score", DELTAS, devices=[compiling.name]) == (
        f"Opposite().score(3) is 3 in C++ on {compiling.name}, but -3 in Python."
    )


def test_what_is_kept_is_compared_too(compiling: Device) -> None:
    """The C++ half has it as members: a half that reads another entry is found."""
    wrong: Any = type("Steps", (Steps,), {"source": Steps.source.replace("k / 2, k % 2", "k % 2, k / 2")})
    wording = message(wrong(), "at", np.arange(4), kept=KEPT, devices=[compiling.name])
    assert wording.endswith(f".at(1) is 307 in C++ on {compiling.name}, but -193 in Python.")


def test_a_result_that_is_not_a_number_is_a_difference() -> None:
    nan: Any = type("Steps", (Steps,), {"source": Steps.source, "half": lambda self, k: k * np.nan})
    assert "but nan in Python" in message(nan(), "half", np.arange(1, 3), devices=["host"])


# ---- what it is given ------------------------------------------------------------------------------------------------


def test_it_wants_an_instance_with_a_cpp_half() -> None:
    assert message(Tenure, "draw").endswith("is not a Part. Maybe pass an instance such as Tenure().")
    assert message(Smallest(), "score", DELTAS) == (
        "Smallest() has no C++ half to compare with. Maybe name it in `source`."
    )


def test_a_function_must_be_there() -> None:
    assert message(Opposite(), "scores", DELTAS) == "Opposite.scores is not a function. Maybe its name is wrong."


def test_arguments_must_fit_the_function() -> None:
    assert message(Steps(), "at", np.arange(4)) == (
        "Steps.at(kept: Any, k: Any) -> Any does not take what check_part was given: missing a required argument: 'k'. "
        "Maybe pass kept={} where the first argument is what the part keeps."
    )
    assert message(Opposite(), "score", DELTAS.astype(complex)) == (
        "check_part was given an argument of type complex128. Maybe use int64 or float64."
    )


@pytest.mark.parametrize(
    ("kept", "wording"),
    [
        ({**KEPT, "other": np.array(1)}, "`kept` has 'other', which `state` does not declare."),
        ({**KEPT, "late": {**LATE, "other": np.array(1)}}, "`kept` has 'late.other', which `state` does not declare."),
    ],
)
def test_what_is_kept_must_be_declared(kept: Any, wording: str) -> None:
    assert message(Steps(), "at", np.arange(4), kept=kept, devices=["host"]) == wording


def test_all_that_is_declared_must_be_kept() -> None:
    kept = {name: value for name, value in KEPT.items() if name != "heights"}
    assert message(Steps(), "turned", kept=kept, devices=["host"]) == "`kept` lacks 'heights', which `state` declares."


def test_a_name_that_is_nearly_a_member_is_refused() -> None:
    source = Opposite.source.replace("};", "    MH_FN bool endd() const { return true; }\n};")
    wrong: Any = type("Opposite", (Opposite,), {"source": source})
    assert message(wrong(), "score", DELTAS, devices=["host"]) == (
        "The C++ half of Opposite has `endd`, which is not a member that metaheur looks for. Maybe ended."
    )
