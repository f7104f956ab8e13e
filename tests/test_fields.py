"""Data is converted once and refused by name, and so are shapes of kept arrays."""

from fractions import Fraction
from typing import Any, final

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.fields import Array, Factor, data
from metaheur.validate import ratio

LOW, HIGH = -(2**63), 2**63 - 1


def holder(dtype: str, ndim: int) -> Any:
    """A class with one field of that type, named `weights`."""

    @final
    @frozen(eq=False)
    class Holder:
        weights: Any = data(dtype, ndim=ndim)

    return Holder


def kept(value: Any, dtype: str = "int64", ndim: int = 2) -> Any:
    return holder(dtype, ndim)(value).weights


@pytest.mark.parametrize("dtype", ["int32", "int64", "float64"])
@pytest.mark.parametrize(
    "value",
    [
        [[1, 2], [3, 4]],
        ((1, 2), (3, 4)),
        [[1.0, 2.0], [3.0, 4.0]],
        np.array([[1, 2], [3, 4]], np.uint8),
        np.array([[1, 2], [3, 4]], np.float32),
        np.array([[1, 3], [2, 4]]).T,
        np.array([[1, 2, 0], [3, 4, 0]])[:, :2],
        np.array([[1, 2], [3, 4]], object),
        np.array([[1, 2.0], [np.int8(3), np.float32(4)]], object),
    ],
)
def test_numbers_are_converted_to_the_declared_type(dtype: str, value: Any) -> None:
    array = kept(value, dtype)
    assert array.tolist() == [[1, 2], [3, 4]]
    assert array.dtype == np.dtype(dtype)
    assert array.flags.c_contiguous
    assert not array.flags.writeable


def test_data_is_a_copy() -> None:
    given_array = np.array([[1, 2]])
    array = kept(given_array)
    given_array[0, 0] = 9
    assert array[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 7


@pytest.mark.parametrize(
    ("dtype", "value", "kind"),
    [("int32", 3.0, int), ("int64", np.int8(3), int), ("float64", 3, float), ("int64", np.array(3), int)],
)
def test_a_scalar_is_a_number_of_python(dtype: str, value: Any, kind: type) -> None:
    scalar = kept(value, dtype, 0)
    assert type(scalar) is kind
    assert scalar == 3


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_the_ends_of_a_type_are_kept(dtype: str) -> None:
    ends = [np.iinfo(dtype).min, np.iinfo(dtype).max]
    assert kept(ends, dtype, 1).tolist() == ends


@given(st.lists(st.integers(LOW, HIGH), max_size=5))
def test_64_bits_are_kept_exactly(values: list[int]) -> None:
    assert kept(values, "int64", 1).tolist() == values


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=5))
def test_real_numbers_are_kept_exactly(values: list[float]) -> None:
    assert kept(values, "float64", 1).tolist() == values


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_no_numbers_at_all_are_data_too(shape: tuple[int, int]) -> None:
    assert kept(np.zeros(shape)).shape == shape


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([[1, 2], [3]], "`weights` is ragged: its rows have different lengths"),
        ([[1, [2, 3]], [4, 5]], "`weights` is ragged"),
        ([[1, float("nan")]], "`weights` must hold finite numbers, but holds nan"),
        ([[1, float("inf")]], "`weights` must hold finite numbers, but holds inf"),
        ([[1, -float("inf")]], "`weights` must hold finite numbers, but holds -inf"),
        ([[1, 2.5]], r"`weights` must hold whole numbers \(int64\), but holds 2\.5"),
        ([[1e300, 2]], r"`weights` holds 1e\+300, beyond int64: -2\*\*63 \.\.\. 2\*\*63 - 1"),
        ([[2.0**63]], r"`weights` holds 9\.22\d*e\+18, beyond int64"),
        ([[2**63]], "`weights` holds 9223372036854775808, beyond int64"),
        ([[2**64]], "`weights` holds 18446744073709551616, beyond int64"),
        ([[LOW - 1]], "`weights` holds -9223372036854775809, beyond int64"),
        ([[10**400]], "`weights` holds 10000"),
        (np.array([[2**64 - 1]], np.uint64), "`weights` holds 18446744073709551615, beyond int64"),
        ([1, 2], r"`weights` must be a matrix \(2 dimensions\), but has the shape \(2,\)"),
        ([[[1]]], r"`weights` must be a matrix \(2 dimensions\), but has the shape \(1, 1, 1\)"),
        (7, r"`weights` must be a matrix \(2 dimensions\), but has the shape \(\)"),
        ([["1", "2"]], r"`weights` must be made of numbers, but is made of <U1"),
        ([[1, "x"]], "`weights` must be made of numbers, but is made of <U.*"),
        ([[1, None]], "`weights` must be made of numbers, but holds None"),
        (None, "`weights` must be made of numbers, but holds None"),
        ([[1j]], "`weights` must be made of numbers, but is made of complex128"),
        (np.array([[1, 2.5]], object), r"`weights` must hold whole numbers \(int64\), but holds 2\.5"),
        ([[Fraction(1, 2)]], r"`weights` must be made of numbers, but holds Fraction\(1, 2\)"),
        (np.array([["2024-01-01"]], "M8[D]"), r"`weights` must be made of numbers, but is made of datetime64\[D\]"),
        ({"a": 1}, "`weights` must be made of numbers, but holds {'a': 1}"),
    ],
)
def test_what_is_no_data_is_refused_and_the_field_named(value: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        kept(value)


@pytest.mark.parametrize(
    ("dtype", "ndim", "value", "reason"),
    [
        ("int32", 1, [0, 2**31], r"`weights` holds 2147483648, beyond int32: -2\*\*31 \.\.\. 2\*\*31 - 1"),
        ("int32", 1, [0, -(2**31) - 1], "`weights` holds -2147483649, beyond int32"),
        ("int32", 1, np.array([2**32 - 1], np.uint32), "`weights` holds 4294967295, beyond int32"),
        ("int32", 1, [2.0**31], r"`weights` holds 2147483648\.0, beyond int32"),
        ("int32", 0, 2**31, "`weights` holds 2147483648, beyond int32"),
        ("int32", 0, [1], r"`weights` must be a single number \(0 dimensions\), but has the shape \(1,\)"),
        ("int32", 0, 1.5, r"`weights` must hold whole numbers \(int32\), but holds 1\.5"),
        ("int64", 0, float("nan"), "but holds nan"),
        ("float64", 0, float("inf"), "but holds inf"),
        ("float64", 1, [[1.0]], r"`weights` must be a vector \(1 dimensions\), but has the shape \(1, 1\)"),
        ("float64", 1, "abc", "`weights` must be made of numbers, but is made of <U3"),
    ],
)
def test_every_type_and_dimension_refuses_what_it_cannot_hold(dtype: str, ndim: int, value: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        kept(value, dtype, ndim)


def test_large_whole_numbers_are_real_numbers_too() -> None:
    assert kept([2**70, -(2**70)], "float64", 1).tolist() == [2.0**70, -(2.0**70)]


def test_a_whole_number_beyond_the_real_ones_is_refused() -> None:
    with pytest.raises(InputError, match="`weights` holds 10000"):
        kept([10**400], "float64", 1)


@pytest.mark.parametrize("dtype", ["int16", "float32", "uint64", "", None, int])
def test_data_has_no_other_types(dtype: Any) -> None:
    with pytest.raises(InputError, match=r"`dtype` of data\(\) must be one of int32, int64, float64, but is"):
        data(dtype)


@pytest.mark.parametrize("ndim", [-1, 3, 1.5, None])
def test_data_has_no_other_dimensions(ndim: Any) -> None:
    with pytest.raises(InputError, match=r"data\(\) makes scalars, vectors and matrices"):
        data("int32", ndim=ndim)


def test_a_field_may_have_a_default_which_is_converted_too() -> None:
    @frozen(eq=False)
    class Given:
        sizes: Any = data("int32", ndim=1, default=(1, 2))
        most: int = data("int64", default=3.0)

    assert Given().sizes.dtype == np.int32
    assert (Given().sizes.tolist(), Given().most, Given([4]).sizes.tolist()) == ([1, 2], 3, [4])
    with pytest.raises(InputError, match="`most` must hold whole numbers"):
        Given(most=0.5)  # type: ignore[arg-type]


def test_a_fields_declaration_can_be_read() -> None:
    assert attrs.fields(holder("int32", 1)).weights.metadata["data"] == ("int32", 1)


@pytest.mark.parametrize("shape", [(1,), (3, 4), (np.int64(3), np.int32(4)), ()])
@pytest.mark.parametrize("dtype", ["cost", "int64", "weights"])
def test_a_kept_array_has_a_shape_and_a_type(shape: tuple[int, ...], dtype: str) -> None:
    assert Array(shape, dtype).shape == shape
    assert Array(shape, dtype).dtype == dtype


@pytest.mark.parametrize("shape", [(1, 2, 3), (0,), (3, -1), (2.0,), (True,), ("3",), (None, 2), 12, [3], "3", None])
def test_what_is_no_shape_of_a_kept_array_is_refused(shape: Any) -> None:
    with pytest.raises(
        InputError, match="shape of a kept array must be that of a number, a vector or a matrix"
    ) as caught:
        Array(shape)
    assert f"but is {shape!r}" in caught.value.reason
    assert "Array((n,))" in caught.value.maybe


@pytest.mark.parametrize("shape", [(), (3,), (0, 3), 3])
def test_scratch_is_a_matrix(shape: Any) -> None:
    assert Array((2, 3), scratch=True).scratch
    with pytest.raises(InputError, match="shape of a kept array must be that of a matrix, a tuple of positive"):
        Array(shape, scratch=True)


def test_the_factors_of_a_number_to_tune_include_the_factor_1() -> None:
    assert Factor(0.5, 1.5).low == 0.5
    for low, high in ((1.5, 3.0), (0.5, 0.9)):
        with pytest.raises(InputError, match=f"must include 1, but go from {low} to {high}"):
            Factor(low, high)


def test_a_ratio_may_be_0_and_1000_but_not_more() -> None:
    assert (ratio(0), ratio(1000)) == (0, 1000)
    assert all(isinstance(ratio(each), Fraction) for each in (0, 1000))
    assert ratio(1001) == 1001
    assert not isinstance(ratio(1001), Fraction)
