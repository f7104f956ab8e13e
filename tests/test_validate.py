from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur.errors import InputError
from metaheur.validate import real, real_field, whole, whole_field


@pytest.mark.parametrize("value", [1, 7, np.int64(7), np.uint8(200), 2**63 - 1])
def test_a_whole_number_becomes_a_python_int(value: int) -> None:
    found = whole(value, "walks")
    assert type(found) is int
    assert found == value


@pytest.mark.parametrize("value", [0, -3, True, np.True_, 2.0, "3", None, 2**63, float("nan")])
def test_anything_else_is_refused_by_name_and_value(value: object) -> None:
    with pytest.raises(InputError, match=r"`walks` must be a whole number from 1 on, but is"):
        whole(value, "walks")


def test_a_range_and_a_way_out_are_named() -> None:
    with pytest.raises(InputError, match=r"in 1 \.\.\. 9, but is 10\.\nMaybe use fewer\."):
        whole(10, "count", 1, 9, maybe="use fewer.")


@pytest.mark.parametrize("value", [3, 2**60 + 1, -0.5, np.float32(0.5), np.int8(-3)])
def test_a_finite_number_stays_what_it_is(value: float) -> None:
    found = real(value, "cost")
    assert type(found) in (int, float)
    assert found == value


@pytest.mark.parametrize("value", [float("nan"), float("inf"), True, np.True_, None, "5", [1], 1j, 10**400])
def test_what_is_not_a_finite_number_is_refused(value: object) -> None:
    with pytest.raises(InputError, match=r"`cost` must be a finite number, but is"):
        real(value, "cost")


@pytest.mark.parametrize(
    ("value", "rules", "words"),
    [
        (-0.1, {"low": 0}, "number from 0 on, but"),
        (0, {"low": 0, "above": True}, "number above 0, but"),
        (1, {"high": 1, "below": True}, "number below 1, but"),
        (2, {"low": 0, "high": 1}, "number from 0 on and up to 1, but"),
    ],
)
def test_an_open_or_closed_range_is_named(value: float, rules: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        real(value, "rate", **rules)


@frozen
class Sample:
    count: int = whole_field(1, 9)
    limit: int | None = whole_field(default=None, kw_only=True)
    rate: float = real_field(0, 1, above=True, maybe="use 0.5.", default=0.5)


def test_a_field_is_converted_and_none_is_allowed_where_it_is_the_default() -> None:
    sample = Sample(np.int32(4))  # type: ignore[arg-type]
    assert type(sample.count) is int
    assert sample.limit is None
    assert Sample(4, limit=8).limit == 8


def test_a_field_names_itself() -> None:
    with pytest.raises(InputError, match=r"`Sample\.count` must be"):
        Sample(10)
    with pytest.raises(InputError, match=r"`Sample\.count` must be"):
        Sample(None)  # type: ignore[arg-type]
    with pytest.raises(
        InputError, match=r"`Sample\.rate` must be a finite number above 0 and up to 1.*\nMaybe use 0\.5"
    ):
        Sample(4, rate=0)


def test_a_real_field_is_a_float() -> None:
    assert type(Sample(4, rate=1).rate) is float
