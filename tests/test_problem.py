"""Problems: data is converted once and refused by name, and what is optional has a default."""

from fractions import Fraction
from typing import Any, ClassVar, final

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from metaheur.errors import InputError
from metaheur.neighborhoods import SwapMove
from metaheur.problem import Kept, Problem, data
from metaheur.representation import Permutation, Solution

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
        ([[1, 2], [3]], "weights is ragged: its rows have different lengths"),
        ([[1, [2, 3]], [4, 5]], "weights is ragged"),
        ([[1, float("nan")]], "weights holds nan, which is no finite number"),
        ([[1, float("inf")]], "weights holds inf, which is no finite number"),
        ([[1, -float("inf")]], "weights holds -inf, which is no finite number"),
        ([[1, 2.5]], r"weights holds 2\.5, but its values are whole numbers \(int64\)"),
        ([[1e300, 2]], r"weights holds 1e\+300, beyond int64: -2\*\*63 \.\.\. 2\*\*63 - 1"),
        ([[2.0**63]], r"weights holds 9\.22\d*e\+18, beyond int64"),
        ([[2**63]], "weights holds 9223372036854775808, beyond int64"),
        ([[2**64]], "weights holds 18446744073709551616, beyond int64"),
        ([[LOW - 1]], "weights holds -9223372036854775809, beyond int64"),
        ([[10**400]], "weights holds 10000"),
        (np.array([[2**64 - 1]], np.uint64), "weights holds 18446744073709551615, beyond int64"),
        ([1, 2], r"weights is a matrix \(2 dimensions\), but it has the shape \(2,\)"),
        ([[[1]]], r"weights is a matrix \(2 dimensions\), but it has the shape \(1, 1, 1\)"),
        (7, r"weights is a matrix \(2 dimensions\), but it has the shape \(\)"),
        ([["1", "2"]], r"weights is made of <U1, not of numbers"),
        ([[1, "x"]], "weights is made of <U.*, not of numbers"),
        ([[1, None]], "weights holds None, which is no number"),
        (None, "weights holds None, which is no number"),
        ([[1j]], "weights is made of complex128, not of numbers"),
        (np.array([[1, 2.5]], object), r"weights holds 2\.5, but its values are whole numbers"),
        ([[Fraction(1, 2)]], r"weights holds Fraction\(1, 2\), which is no number"),
        (np.array([["2024-01-01"]], "M8[D]"), r"weights is made of datetime64\[D\], not of numbers"),
        ({"a": 1}, "weights holds {'a': 1}, which is no number"),
    ],
)
def test_what_is_no_data_is_refused_and_the_field_named(value: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        kept(value)


@pytest.mark.parametrize(
    ("dtype", "ndim", "value", "reason"),
    [
        ("int32", 1, [0, 2**31], r"weights holds 2147483648, beyond int32: -2\*\*31 \.\.\. 2\*\*31 - 1"),
        ("int32", 1, [0, -(2**31) - 1], "weights holds -2147483649, beyond int32"),
        ("int32", 1, np.array([2**32 - 1], np.uint32), "weights holds 4294967295, beyond int32"),
        ("int32", 1, [2.0**31], r"weights holds 2147483648\.0, beyond int32"),
        ("int32", 0, 2**31, "weights holds 2147483648, beyond int32"),
        ("int32", 0, [1], r"weights is a single number \(0 dimensions\), but it has the shape \(1,\)"),
        ("int32", 0, 1.5, r"weights holds 1\.5, but its values are whole numbers \(int32\)"),
        ("int64", 0, float("nan"), "weights holds nan"),
        ("float64", 0, float("inf"), "weights holds inf"),
        ("float64", 1, [[1.0]], r"weights is a vector \(1 dimensions\), but it has the shape \(1, 1\)"),
        ("float64", 1, "abc", "weights is made of <U3, not of numbers"),
    ],
)
def test_every_type_and_dimension_refuses_what_it_cannot_hold(dtype: str, ndim: int, value: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        kept(value, dtype, ndim)


def test_large_whole_numbers_are_real_numbers_too() -> None:
    assert kept([2**70, -(2**70)], "float64", 1).tolist() == [2.0**70, -(2.0**70)]


def test_a_whole_number_beyond_the_real_ones_is_refused() -> None:
    with pytest.raises(InputError, match="weights holds 10000"):
        kept([10**400], "float64", 1)


@pytest.mark.parametrize("dtype", ["int16", "float32", "uint64", "", None, int])
def test_data_has_no_other_types(dtype: Any) -> None:
    with pytest.raises(InputError, match=r"data\(\) has no type") as caught:
        data(dtype)
    assert "int32, int64, float64" in caught.value.maybe


@pytest.mark.parametrize("ndim", [-1, 3, 1.5, None])
def test_data_has_no_other_dimensions(ndim: Any) -> None:
    with pytest.raises(InputError, match=r"data\(\) makes scalars, vectors and matrices"):
        data("int32", ndim=ndim)


def test_a_fields_declaration_can_be_read() -> None:
    assert attrs.fields(holder("int32", 1)).weights.metadata["data"] == ("int32", 1)


@final
@frozen(eq=False)
class Sorting(Problem):
    """The sum of the distances of the items from their places."""

    n: int = data("int32")

    maximise: ClassVar[bool] = True

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: Solution) -> int:
        return -int(np.abs(x - np.arange(self.n)).sum())


def test_costs_are_the_cost_of_each_row_by_default() -> None:
    rows = np.array([[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    costs = Sorting(3).costs(rows)
    assert costs.tolist() == [0, -4, -4]
    assert costs.dtype == np.int64
    assert Sorting(3).costs(rows[:0]).shape == (0,)


def test_what_is_optional_is_left_out_by_default() -> None:
    problem = Sorting(3)
    assert problem.delta(np.arange(3), SwapMove(0, 1)) is NotImplemented
    assert problem.cost_type == "int64"
    assert problem.source is None
    assert not problem.state
    assert not problem.constants
    assert not problem.tables


def test_a_cost_is_shown_positive_where_the_problem_maximises() -> None:
    problem = Sorting(3)
    assert problem.shown(problem.cost(np.array([2, 1, 0]))) == 4


def test_a_problem_without_a_formula_cannot_be_made() -> None:
    class Formless(Problem):
        @property
        def representation(self) -> Permutation:
            return Permutation(2)

    problem: Any = Formless
    with pytest.raises(TypeError, match="cost"):
        problem()


@pytest.mark.parametrize("shape", [(), (1, 2, 3)])
def test_what_is_kept_is_a_vector_or_a_matrix(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="A kept array is a vector or a matrix"):
        Kept(shape)
