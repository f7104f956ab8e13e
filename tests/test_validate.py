import numpy as np
import pytest
from attrs import frozen

from metaheur.errors import InputError
from metaheur.validate import whole, whole_field


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


@frozen
class Sample:
    count: int = whole_field(1, 9)
    limit: int | None = whole_field(default=None, kw_only=True)


def test_a_field_is_converted_and_none_is_allowed_where_it_is_the_default() -> None:
    sample = Sample(np.int32(4))  # type: ignore[arg-type]
    assert type(sample.count) is int
    assert sample.limit is None
    assert Sample(4, limit=8).limit == 8


def test_a_field_names_itself() -> None:
    with pytest.raises(InputError, match="`count` must be"):
        Sample(10)
    with pytest.raises(InputError, match="`count` must be"):
        Sample(None)  # type: ignore[arg-type]
