"""Travelling salesman instances of TSPLIB, and the distances between their cities.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 2 of the documentation).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problems.tsplib_distances import FORMULAS

__all__ = ["KINDS", "Instance", "distance_matrix", "distances"]

Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

KINDS: Final = (*FORMULAS, "EXPLICIT")
"""Every EDGE_WEIGHT_TYPE that an instance may have."""


def _array(dtype: str, columns: int | None) -> Callable[[Any, Attribute[Any]], Any]:
    """Convert a field to a read-only array; columns None means as many as rows."""

    def convert(value: Any, attribute: Attribute[Any]) -> Any:
        if value is None:
            return None
        try:
            array = np.asarray(value)
        except ValueError:
            raise InputError(f"{attribute.name} is ragged: its rows have different lengths.") from None
        width = array.shape[:1] if columns is None else (columns,)
        if array.dtype.kind not in ("iuf" if dtype == "float64" else "iu") or array.shape != array.shape[:1] + width:
            raise InputError(
                f"{attribute.name} is an array of {array.dtype} of shape {array.shape}, but it must be one of {dtype} "
                f"with {'as many columns as rows' if columns is None else f'{columns} columns'}."
            )
        if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
            raise InputError(f"{attribute.name} holds {array.max()}, which lies beyond 64-bit integers.")
        array = np.array(array, dtype, order="C")
        array.flags.writeable = False
        return array

    return convert


def _stripped(name: str) -> str:
    return name.strip()


def _field(dtype: str, columns: int | None, default: Any = None) -> Any:
    converter: Any = Converter(_array(dtype, columns), takes_field=True)
    return field(converter=converter, default=default, kw_only=True)


@final
@frozen(eq=False)
class Instance:
    """A travelling salesman instance: cities by their coordinates, or all distances.

    Parameters
    ----------
    name : str
        One line; blanks around it are dropped.
    kind : str
        TSPLIB's EDGE_WEIGHT_TYPE: EUC_2D, CEIL_2D, ATT, GEO, MAN_2D, MAX_2D or EXPLICIT.
    coordinates : array_like of float64, shape (n, 2), keyword-only
        Of every kind but EXPLICIT; for GEO latitude and longitude as degrees.minutes.
    matrix : array_like of int64, shape (n, n), keyword-only
        Of EXPLICIT; matrix[i, j] is the distance from i to j, 0 or more. The diagonal is kept, but no tour uses it.
    fixed_edges : array_like of int64, shape (k, 2), keyword-only
        Pairs of cities, numbered from 0, that every tour must join (as in linhp318); mostly none.

    Raises
    ------
    InputError
        If a field is not as described, or the length of a tour could overflow int64.
    """

    name: str = field(converter=_stripped)
    kind: str
    coordinates: Reals | None = _field("float64", 2)
    matrix: Integers | None = _field("int64", None)
    fixed_edges: Integers = _field("int64", 2, np.empty((0, 2), np.int64))

    def __attrs_post_init__(self) -> None:
        """Refuse what is no instance."""
        if self.kind not in KINDS:
            raise InputError(f"The kind {self.kind!r} is not known.", f"use one of {', '.join(KINDS)}.")
        if len(self.name.splitlines()) > 1:
            raise InputError(f"The name {self.name!r} has more than one line.")
        wanted, other = ("matrix", "coordinates") if self.kind == "EXPLICIT" else ("coordinates", "matrix")
        if getattr(self, wanted) is None or getattr(self, other) is not None:
            raise InputError(f"An instance of kind {self.kind} has {wanted} and no {other}.")
        if not self.dimension:
            raise InputError(f"{self.name} has no cities.")
        outside = (self.fixed_edges < 0) | (self.fixed_edges >= self.dimension)
        if outside.any():
            raise InputError(f"fixed_edges names the city {self.fixed_edges[outside][0]}, not in 0 ... n - 1.")
        bound = self.dimension * self._longest()
        if not bound < 2.0**62:
            raise InputError(
                f"The length of a tour of {self.name} could reach {bound:.3g}, which overflows int64.",
                "all distances can be divided by one factor.",
            )

    def _longest(self) -> float:
        if self.coordinates is not None:
            if not np.isfinite(self.coordinates).all():
                raise InputError("coordinates holds numbers that are not finite.")
            with np.errstate(over="ignore"):
                return 4e4 if self.kind == "GEO" else float(np.ptp(self.coordinates, axis=0).sum()) + 1.0
        assert self.matrix is not None
        negative = np.argwhere((self.matrix < 0) & ~np.eye(self.dimension, dtype=bool))
        if negative.size:
            i, j = negative[0]
            raise InputError(
                f"matrix[{i}, {j}] = {self.matrix[i, j]} is negative, but distances are not.",
                "add one number to all distances: it adds the same to every tour.",
            )
        return float(self.matrix.max())

    @property
    def dimension(self) -> int:
        """The number of cities."""
        cities = self.matrix if self.coordinates is None else self.coordinates
        return 0 if cities is None else len(cities)

    @cached_property
    def symmetric(self) -> bool:
        """Whether every distance is the same both ways."""
        return self.matrix is None or bool((self.matrix == self.matrix.T).all())


def distances(instance: Instance, i: npt.ArrayLike, j: npt.ArrayLike) -> Integers:
    """The distances from cities i to cities j, rounded as TSPLIB defines for the instance's kind.

    They are computed in float64, operation by operation as the documentation writes them. From a city to itself it is
    0, or what the diagonal of an EXPLICIT matrix holds.

    Parameters
    ----------
    instance : Instance
        With n cities.
    i, j : array_like of integers
        In 0 ... n - 1, broadcast against each other.

    Returns
    -------
    ndarray of int64
        Of the broadcast shape.

    Raises
    ------
    InputError
        If i or j is not made of integers in 0 ... n - 1, or they cannot be broadcast.

    Examples
    --------
    >>> square = Instance("square", "CEIL_2D", coordinates=[[0, 0], [0, 1], [1, 1], [1, 0]])
    >>> distances(square, 0, [1, 2, 3])
    array([1, 2, 1])
    """
    ends = [np.asarray(i), np.asarray(j)]
    for name, end in zip("ij", ends, strict=True):
        if end.dtype.kind not in "iu":
            raise InputError(f"{name} holds {end.dtype}, but cities are numbered by integers.")
        if end.size and not 0 <= end.min() <= end.max() < instance.dimension:
            raise InputError(
                f"{name} holds {end.min()} ... {end.max()}, but cities are 0 ... {instance.dimension - 1}."
            )
    try:
        first, second = np.broadcast_arrays(*ends)
    except ValueError:
        raise InputError(f"i of shape {ends[0].shape} and j of shape {ends[1].shape} cannot be broadcast.") from None
    if instance.coordinates is None:
        assert instance.matrix is not None
        return np.asarray(instance.matrix[first, second])
    rounded = FORMULAS[instance.kind](instance.coordinates[first], instance.coordinates[second])
    return np.asarray(np.where(first == second, 0.0, rounded), np.int64)


def distance_matrix(instance: Instance) -> Integers:
    """All distances, as `distances` gives them.

    Returns
    -------
    ndarray of int64, shape (n, n)
        Read-only; 8 n² bytes.
    """
    if instance.matrix is not None:
        return instance.matrix
    n = instance.dimension
    assert instance.coordinates is not None
    places = np.asfortranarray(instance.coordinates)  # each coordinate contiguous
    matrix = np.empty((n, n), np.int64)
    rows = max(1, 2**13 // n)  # a block of rows stays in the cache
    for start in range(0, n, rows):
        block = slice(start, start + rows)
        matrix[block] = FORMULAS[instance.kind](places[block, None], places)
    np.fill_diagonal(matrix, 0)
    matrix.flags.writeable = False
    return matrix
