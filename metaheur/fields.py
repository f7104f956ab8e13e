"""How data and kept arrays are declared: in problems, neighborhoods, parts of searches and loops alike."""

from __future__ import annotations

import re
from typing import Any, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError

__all__ = ["COUNT", "NOT_NEGATIVE", "RESERVED", "Array", "data", "is_word"]

COUNT = 0, 2**62
"""What a count may be that grows from step to step: `Array.within` of iterations, moves, visits."""

NOT_NEGATIVE = 0.0, float(np.finfo(np.float64).max)
"""The same of a temperature, and of other numbers that are not negative."""

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
"""What a member must not be called: it would hide what is generated or predefined in C++."""

_PREFIXES = ("py_", "mh_", "MH_", "M_")  # the translator's, ours, and the constants of math.h


def is_word(name: str) -> bool:
    """Whether C++ can call a member of a struct so."""
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
        The value of instances that are made without one; converted and validated as any other.

    Returns
    -------
    Any
        An attrs field.

    Raises
    ------
    InputError
        When an instance is made: for values that are ragged, not numbers, NaN, not whole where the type is, or too
        large for it.

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
        array = _numbers(value, attribute.name, dtype, ndim)
        return array if ndim else array.item()

    return field(
        converter=attrs.Converter(convert, takes_field=True),  # type: ignore[misc, unused-ignore]
        metadata={"data": (dtype, ndim)},
        default=default,
    )


@final
@frozen
class Array:
    """An array that is kept beside a solution or a walk: how it is declared in Python.

    What a problem or a neighborhood keeps follows the solution, and exists on devices only. What a part of a search
    keeps is part of the search's state: a NumPy array in Python, saved and resumed.

    Parameters
    ----------
    shape : tuple of int
        Up to two lengths; rows are padded with zeros as the device likes. () is a single number, for parts and loops
        only; every thread of a device holds it in a register.
    dtype : str, default "cost"
        "bool", "uint8", "uint16", "int32", "int64", "float64"; "cost", the type of changes of cost; "total", that of
        costs; "item", that of a solution's entries; or the name of a data field, whose storage it then shares.
    scratch : bool, default False
        Whether each evaluating team (a CPU thread, a warp of a GPU) has a copy to itself, with unspecified contents: a
        `ScratchMatrix` in C++, whose `of(team)` is the team's own. Matrices only.
    divided : bool, default False
        Whether blocks of a GPU that share a walk each use a share of the array, or all write the same into it between
        two meetings, so that they need no copies of it.
    table : bool, default False
        Whether it is a table of all moves, for which there is memory only where the C++ half of the loop `tabulates`.
    far : bool, default False
        Whether it is used so seldom that it never takes room in a GPU's shared memory.
    late : bool, default False
        Whether it takes room there only where all data of the search has found some.
    within : tuple of two numbers, optional
        The least and the greatest entry. `resume` refuses a file with any other, so that an entry of a file can be
        used as an index: say it wherever an entry is one. By default 0 ... values - 1 for the type "item", costs of up
        to 2**62 in size for "cost" and "total", any finite number for "float64", and any number at all for others.
    distinct : bool, default False
        Whether no two entries are equal; `resume` refuses a file where two are.
    costs : str, default ""
        For solutions, one or a row each: the name of the kept number or vector that has their costs. `resume` then
        refuses a file with a row that is not a solution, or costs something else.
    rows : str, default ""
        For solutions: the name of the kept number that says how many rows, from the first one on, hold a solution; by
        default all.

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


def _numbers(value: Any, name: str, dtype: str, ndim: int) -> np.ndarray:
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
    """Python integers too large for any NumPy type arrive as objects, as do mixtures: name the first that is wrong."""
    high = 2**63 - 1 if dtype.startswith("int") else int(np.finfo(np.float64).max)
    for value in array.flat:
        if not isinstance(value, int | float | np.integer | np.floating):
            raise InputError(f"`{name}` must be made of numbers, but holds {value!r}.")
        if isinstance(value, int | np.integer) and not -high - 1 <= value <= high:
            raise InputError(f"`{name}` holds {value}, beyond {dtype}: {_RANGES[dtype]}.")
    whole = dtype.startswith("int") and all(isinstance(value, int | np.integer) for value in array.flat)
    return array.astype(np.int64 if whole else np.float64)
