"""How data, kept arrays and ranges to tune in are declared: in problems, neighborhoods, parts and searches alike."""

from __future__ import annotations

import math
import re
from typing import Any, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.lazy import expressible

__all__ = ["COUNT", "NOT_NEGATIVE", "RESERVED", "Array", "Factor", "OneOf", "Range", "data", "is_word", "numbers_of"]

COUNT = 0, 2**62
"""The range of a number that counts steps, for `Array.within`: of iterations, moves, visits."""

NOT_NEGATIVE = 0.0, float(np.finfo(np.float64).max)
"""The range of a float that is not negative, for `Array.within`: of a temperature, for example."""

RESERVED = frozenset(
    """
    each saved components keeps State Move Inner Cost Total Item Team Walk Random Global Shared Own Vector Matrix
    i8 u8 i16 u16 i32 u32 i64 u64
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const
    const_cast constexpr continue decltype default delete do double dynamic_cast else enum explicit export extern false
    float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private
    protected public register reinterpret_cast return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
    while xor xor_eq
    NULL NAN INFINITY HUGE_VAL RAND_MAX INT_MAX INT_MIN EOF assert errno stdin stdout stderr linux unix
    """.split()  # noqa: SIM905 - a list of words
)
"""Names that a member must not have, since it would hide a generated or a predefined name of C++."""

_PREFIXES = ("py_", "mh_", "MH_", "M_")  # the translator's, ours, and the constants of math.h


def is_word(name: str) -> bool:
    """Whether a member of a C++ struct can have this name."""
    plain = re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) is not None
    return plain and name not in RESERVED and not name.startswith(_PREFIXES)


_RANGES = {"int32": "-2**31 ... 2**31 - 1", "int64": "-2**63 ... 2**63 - 1", "float64": "finite numbers"}


def data(dtype: str, *, ndim: int = 0, default: Any = attrs.NOTHING) -> Any:
    """Declare a field: converted once, validated, read-only, and a member of the generated C++ struct.

    Parameters
    ----------
    dtype : {"int32", "int64", "float64"}
        Type of the values in Python and in C++; devices may store them in fewer bits.
    ndim : int, default 0
        0 for a scalar, 1 for a vector (`Vector<T>` in C++), 2 for a matrix (`Matrix<T>`).
    default : number or array_like, optional
        The value of an instance for which none is given; converted and validated as any other value.

    Returns
    -------
    Any
        An attrs field.

    Raises
    ------
    InputError
        When an instance is made: if the values are ragged, are not numbers, are NaN, are fractions where the type is an
        integer, or are too large for the type.

    Examples
    --------
    >>> from attrs import frozen
    >>> @frozen(eq=False)
    ... class Weights:
    ...     values: np.ndarray = data("int32", ndim=2)
    >>> Weights([[1, 2], [3, 4]]).values.dtype
    dtype('int32')
    """
    if dtype not in _RANGES:
        raise InputError(f"The `dtype` of data() must be one of {', '.join(_RANGES)}, but is {dtype!r}.")
    if ndim not in (0, 1, 2):
        raise InputError(f"data() makes scalars, vectors and matrices (ndim 0, 1, 2), not ndim={ndim!r}.")

    def convert(value: Any, attribute: attrs.Attribute[Any]) -> Any:
        array = numbers_of(value, attribute.name, dtype, ndim)
        return array if ndim else array.item()

    return field(
        converter=attrs.Converter(convert, takes_field=True),  # type: ignore[misc, unused-ignore]
        metadata={"data": (dtype, ndim)},
        default=default,
    )


@final
@frozen
class Array:
    """The declaration of an array that is kept beside a solution or a walk.

    An array of a problem or a neighborhood follows the solution, and exists on devices only. An array of a part of a
    search belongs to the search's state: in Python it is a NumPy array, which checkpoints save.

    Parameters
    ----------
    shape : tuple of int
        Up to two lengths; a device may pad rows with zeros. () is a single number, for parts and loops only; every
        thread of a device holds it in a register.
    dtype : str, default "cost"
        "bool", "uint8", "uint16", "int32", "int64", "float64"; "cost", the type of changes of cost; "total", the
        type of costs, with another axis of K numbers if there are K objectives; "item", the type of a solution's
        entries; or the name of a data field, for the type in which a device stores this field.
    scratch : bool, default False
        Whether each team that evaluates moves (a CPU thread, a warp of a GPU) has a copy of its own, with unspecified
        contents: a `ScratchMatrix` in C++, whose `of(team)` is the team's copy. Matrices only.
    divided : bool, default False
        Whether the blocks of a GPU that share a walk also share one array, instead of a copy each: each block uses
        another part of it, or all blocks write the same values between two barriers.
    table : bool, default False
        Whether it is a table of all moves, which has memory only where the C++ half of the loop `tabulates`.
    far : bool, default False
        Whether it is used so seldom that it never takes room in a GPU's shared memory.
    late : bool, default False
        Whether it takes room in shared memory only after all data of the search has found room there.
    within : tuple of two numbers, optional
        The least and the greatest entry. `resume` refuses a file with an entry outside this range. Declare the range
        wherever entries are used as indices. By default 0 ... values - 1 for the type "item", -2**62 ... 2**62 for
        "cost" and "total", any finite number for "float64", and any number for other types.
    distinct : bool, default False
        Whether no two entries are equal; `resume` refuses a file where two are.
    costs : str, default ""
        For an array of one solution, or of a solution a row: the name of the kept number or vector with their costs.
        `resume` then refuses a file with a row that is not a solution, or whose cost is another one.
    rows : str, default ""
        For an array of solutions: the name of the kept number of rows in use, the first ones; by default all are.

    Raises
    ------
    InputError
        If the shape is not a tuple of positive whole numbers that C++ has a type for.
    """

    shape: tuple[int, ...]
    dtype: str = "cost"
    scratch: bool = field(default=False, kw_only=True)
    divided: bool = field(default=False, kw_only=True)
    table: bool = field(default=False, kw_only=True)
    far: bool = field(default=False, kw_only=True)
    late: bool = field(default=False, kw_only=True)
    within: tuple[float, float] | None = field(default=None, kw_only=True)
    distinct: bool = field(default=False, kw_only=True)
    costs: str = field(default="", kw_only=True)
    rows: str = field(default="", kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse shapes that have no C++ type."""
        whole = isinstance(self.shape, tuple) and all(
            isinstance(length, int | np.integer) and not isinstance(length, bool) and length > 0
            for length in self.shape
        )
        if not whole or len(self.shape) not in ((2,) if self.scratch else (0, 1, 2)):
            kinds = "a matrix" if self.scratch else "a number, a vector or a matrix"
            raise InputError(
                f"The shape of a kept array must be that of {kinds}, a tuple of positive whole numbers, "
                f"but is {self.shape!r}.",
                "write Array((n,)) or Array((n, m)).",
            )


@expressible
@final
@frozen
class Range:
    """The values of a field among which a tuner chooses: the numbers from `low` to `high`.

    A field of any attrs class declares them: ``field(default=30, metadata={"tune": Range(5, 200, log=True)})``.

    Parameters
    ----------
    low, high : int or float
        The smallest and the largest value; if both are whole numbers, so are all values.
    log : bool, default False
        Whether the tuner draws logarithms, so that 10 is as far from 1 as 100 is from 10; then `low` is above 0.

    Raises
    ------
    InputError
        If `low` is not below `high`, or not above 0 although `log`.
    """

    low: float
    high: float
    log: bool = False

    def __attrs_post_init__(self) -> None:
        """Refuse an empty range, and logarithms of numbers that have none."""
        for end in (self.low, self.high):
            if type(end) not in (int, float) or not math.isfinite(end):
                raise InputError(
                    f"A Range goes from a number to a number, but has the end {end!r}.", "write Range(1, 9)."
                )
        if not self.low < self.high:
            raise InputError(f"A Range goes from a lower to a higher number, but goes from {self.low} to {self.high}.")
        if self.log and self.low <= 0:
            raise InputError(
                f"The lower end of a logarithmic Range must be above 0, but is {self.low}.", "leave out log=True."
            )

    @property
    def whole(self) -> bool:
        """Whether all values are whole numbers."""
        return isinstance(self.low, int) and isinstance(self.high, int)


@expressible
@final
@frozen
class Factor:
    """The values of a field among which a tuner chooses: multiples of the value that the search has.

    This suits values whose size depends on the instance, such as temperatures: the tuner chooses the factor, which
    means the same for all instances. A product is rounded where the value is a whole number.

    Parameters
    ----------
    low, high : float, default 0.1 and 10.0
        The smallest and the largest factor, above 0; the tuner draws their logarithms.
    """

    low: float = 0.1
    high: float = 10.0

    def __attrs_post_init__(self) -> None:
        """Refuse factors that exclude 1, for which the value stays as it is."""
        _ = self.factors
        if not self.low <= 1 <= self.high:
            raise InputError(f"The factors of Factor must include 1, but go from {self.low} to {self.high}.")

    @property
    def factors(self) -> Range:
        """The range of the factor."""
        return Range(float(self.low), float(self.high), log=True)


@expressible
@final
@frozen(init=False)
class OneOf:
    """The values of a field among which a tuner chooses: numbers, texts, None, or parts with fields of their own.

    The fields of a part are tuned only where the part is chosen. If the value that the search has is not among the
    values, it is added as the first one.

    Parameters
    ----------
    *values
        The values, such as ``OneOf(False, True)`` or ``OneOf(Always(), Metropolis(10.0))``.
    """

    values: tuple[Any, ...]

    def __init__(self, *values: Any) -> None:
        if not values:
            raise InputError("OneOf() has no values.", "write OneOf(False, True).")
        self.__attrs_init__(values)


def numbers_of(value: Any, name: str, dtype: str, ndim: int) -> np.ndarray:
    """An array of numbers as a declared field holds it: converted, checked, read-only; see `data`."""
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"`{name}` is ragged: its rows have different lengths.") from None
    if array.dtype.kind == "O":
        array = _objects(array, name, dtype)
    if array.dtype.kind not in "iufb":
        raise InputError(f"`{name}` must be made of numbers, but is made of {array.dtype}.")
    if array.ndim != ndim:
        kind = ("a single number", "a vector", "a matrix")[ndim]
        raise InputError(f"`{name}` must be {kind} ({ndim} dimensions), but has the shape {array.shape}.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InputError(f"`{name}` must hold finite numbers, but holds {array[~np.isfinite(array)].flat[0]}.")
    if dtype.startswith("int"):
        if array.dtype.kind == "f" and (array != np.floor(array)).any():
            first = array[array != np.floor(array)].flat[0]
            raise InputError(
                f"`{name}` must hold whole numbers ({dtype}), but holds {first}.",
                "scale the data by a declared factor.",
            )
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        outside = (array < low) | (array > high) | ((array >= 2.0**63) if array.dtype.kind == "f" else False)
        if outside.any():
            raise InputError(f"`{name}` holds {array[outside].flat[0]}, beyond {dtype}: {_RANGES[dtype]}.")
    array = np.array(array, dtype=dtype, order="C")
    array.flags.writeable = False
    return array


def _objects(array: np.ndarray, name: str, dtype: str) -> np.ndarray:
    """Refuse an array of objects, which are mixed types or too large integers, and name the first wrong value."""
    high = 2**63 - 1 if dtype.startswith("int") else int(np.finfo(np.float64).max)
    for value in array.flat:
        if not isinstance(value, int | float | np.integer | np.floating):
            raise InputError(f"`{name}` must be made of numbers, but holds {value!r}.")
        if isinstance(value, int | np.integer) and not -high - 1 <= value <= high:
            raise InputError(f"`{name}` holds {value}, beyond {dtype}: {_RANGES[dtype]}.")
    whole = dtype.startswith("int") and all(isinstance(value, int | np.integer) for value in array.flat)
    return array.astype(np.int64 if whole else np.float64)
