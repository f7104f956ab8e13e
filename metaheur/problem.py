"""What is to be minimised: data and one formula."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, final

import attrs
import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.representation import Representation, Solution

if TYPE_CHECKING:
    from metaheur.device.source import Source

__all__ = ["Kept", "Problem", "data"]

_RANGES = {"int32": "-2**31 ... 2**31 - 1", "int64": "-2**63 ... 2**63 - 1", "float64": "finite numbers"}


def data(dtype: str, *, ndim: int = 0) -> Any:
    """Declare a field of a problem, a neighborhood or a part: converted once, validated, read-only, generated in C++.

    Parameters
    ----------
    dtype : {"int32", "int64", "float64"}
        Type of the values in Python and in C++; devices may store them in fewer bits.
    ndim : int, default 0
        0 for a scalar, 1 for a vector (`Vector<T>` in C++), 2 for a matrix (`Matrix<T>`).

    Returns
    -------
    Any
        An attrs field.

    Raises
    ------
    InputError
        When an instance is made: for values that are ragged, no numbers, NaN, not whole where the type is, or too
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
        raise InputError(f"data() has no type {dtype!r}.", f"use one of {', '.join(_RANGES)}.")
    if ndim not in (0, 1, 2):
        raise InputError(f"data() makes scalars, vectors and matrices (ndim 0, 1, 2), not ndim={ndim!r}.")

    def convert(value: Any, attribute: attrs.Attribute[Any]) -> Any:
        array = _numbers(value, attribute.name, dtype, ndim)
        return array if ndim else array.item()

    return field(
        converter=attrs.Converter(convert, takes_field=True),  # type: ignore[misc, unused-ignore]
        metadata={"data": (dtype, ndim)},
    )


def _numbers(value: Any, name: str, dtype: str, ndim: int) -> np.ndarray:
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"{name} is ragged: its rows have different lengths.") from None
    if array.dtype.kind == "O":
        array = _objects(array, name, dtype)
    if array.dtype.kind not in "iufb":
        raise InputError(f"{name} is made of {array.dtype}, not of numbers.")
    if array.ndim != ndim:
        kind = ("a single number", "a vector", "a matrix")[ndim]
        raise InputError(f"{name} is {kind} ({ndim} dimensions), but it has the shape {array.shape}.")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InputError(f"{name} holds {array[~np.isfinite(array)].flat[0]}, which is no finite number.")
    if dtype.startswith("int"):
        if array.dtype.kind == "f" and (array != np.floor(array)).any():
            offence = array[array != np.floor(array)].flat[0]
            raise InputError(
                f"{name} holds {offence}, but its values are whole numbers ({dtype}).",
                "scale the data by a declared factor.",
            )
        low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
        outside = (array < low) | (array > high) | ((array >= 2.0**63) if array.dtype.kind == "f" else False)
        if outside.any():
            raise InputError(f"{name} holds {array[outside].flat[0]}, beyond {dtype}: {_RANGES[dtype]}.")
    array = np.array(array, dtype=dtype, order="C")
    array.flags.writeable = False
    return array


def _objects(array: np.ndarray, name: str, dtype: str) -> np.ndarray:
    """Python integers too large for any NumPy type arrive as objects, as do mixtures: name the offence."""
    high = 2**63 - 1 if dtype.startswith("int") else int(np.finfo(np.float64).max)
    for value in array.flat:
        if not isinstance(value, int | float | np.integer | np.floating):
            raise InputError(f"{name} holds {value!r}, which is no number.")
        if isinstance(value, int | np.integer) and not -high - 1 <= value <= high:
            raise InputError(f"{name} holds {value}, beyond {dtype}: {_RANGES[dtype]}.")
    whole = dtype.startswith("int") and all(isinstance(value, int | np.integer) for value in array.flat)
    return array.astype(np.int64 if whole else np.float64)


@final
@frozen
class Kept:
    """An array that is kept beside each walk on a device: how it is declared in Python.

    Parameters
    ----------
    shape : tuple of int
        One or two lengths; rows are padded with zeros as the device likes.
    dtype : str, default "cost"
        "int32", "int64", "float64"; "cost", the problem's cost type; or the name of a data field, whose storage it
        then shares.
    scratch : bool, default False
        Whether each evaluating team (a CPU thread, a warp of a GPU) has a copy to itself, with unspecified contents: a
        `ScratchMatrix` in C++, whose `of(team)` is the team's own. Matrices only.
    """

    shape: tuple[int, ...]
    dtype: str = "cost"
    scratch: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse shapes that have no C++ type."""
        if len(self.shape) not in ((2,) if self.scratch else (1, 2)):
            raise InputError(
                f"A kept array is a vector or a matrix, and scratch a matrix, but the shape is {self.shape}."
            )


class Problem(ABC):
    """What is to be minimised: data (fields made with `data`) and one formula (`cost`).

    Subclasses are final and frozen: ``@final @frozen(eq=False) class Mine(Problem)``.

    Attributes
    ----------
    maximise : bool
        Whether `cost` is the negative of what the user wants; results then show the positive value.
    source : str, Source or None
        The C++ half: a `.cuh` file beside the class's module, or a `Source`; None means Python only. The C++ struct
        has the class's name and derives from the generated struct `<name>Data`.
    """

    maximise: ClassVar[bool] = False
    source: ClassVar[str | Source | None] = None

    @property
    @abstractmethod
    def representation(self) -> Representation:
        """The space of solutions."""

    @abstractmethod
    def cost(self, x: Solution) -> int | float:
        """The cost of a solution, to be minimised.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            A valid solution; it must not be written.
        """

    def costs(self, xs: np.ndarray) -> Any:
        """The costs of many solutions.

        Parameters
        ----------
        xs : numpy.ndarray, shape (m, n)
            A solution a row. Written with array functions only, the method serves NumPy and CuPy arrays alike.

        Returns
        -------
        numpy.ndarray, shape (m,)
            By default `cost` of each row.
        """
        return np.array([self.cost(x) for x in xs], dtype=self.cost_type)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of cost if the move were made; optional.

        Parameters
        ----------
        x : numpy.ndarray, shape (n,)
            The solution.
        move : Move
            One move, or many: its fields are then arrays of shape (m,), and so is the answer. Formulas that index
            with the fields serve both.

        Returns
        -------
        int, float, numpy.ndarray or NotImplemented
            `NotImplemented` (the default) has the moved solutions evaluated in full.
        """
        return NotImplemented

    @property
    def cost_type(self) -> str:
        """Type of a change of cost: "int64" (the default), "float64", or "int32".

        "int32" asks for a proof: a bound that covers every partial sum of `cost`, `delta` and `update`.
        """
        return "int64"

    @property
    def state(self) -> Mapping[str, Kept]:
        """Arrays kept beside each walk, by name: the members of the C++ struct `State`; none by default."""
        return {}

    @property
    def constants(self) -> Mapping[str, int | bool]:
        """Facts of the instance that the C++ half can rely on when it is compiled; none by default."""
        return {}

    @property
    def tables(self) -> Mapping[str, np.ndarray]:
        """Arrays computed from the data for the C++ half, by name, members of the generated struct; none by default."""
        return {}

    def shown(self, cost: Any) -> Any:
        """A cost as the user reads it: its negative where the problem maximises."""
        return -cost if self.maximise else cost
