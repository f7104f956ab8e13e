"""Travelling salesman instances of TSPLIB, and the distances between their cities.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 2 of the documentation).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.machine.memory import square
from metaheur.problems.formats.tsplib_distances import FORMULAS
from metaheur.validate import whole_field

__all__ = ["EXACT", "KINDS", "TSPInstance", "distance_matrix", "distances", "warn_of_rounding"]

Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

KINDS: Final = (*FORMULAS, "EXPLICIT")
"""Every EDGE_WEIGHT_TYPE that an instance may have."""


EXACT: Final = 1000
"""How many units a unit of EXACT_2D has."""


def _array(dtype: str, columns: int | None) -> Callable[[Any, Attribute[Any]], Any]:
    """Convert a field to a read-only array; columns None means as many as rows."""

    def convert(value: Any, attribute: Attribute[Any]) -> Any:
        if value is None:
            return None
        try:
            array = np.asarray(value)
        except ValueError:
            raise InputError(f"`{attribute.name}` is ragged: its rows have different lengths.") from None
        width = array.shape[:1] if columns is None else (columns,)
        if array.dtype.kind not in ("iuf" if dtype == "float64" else "iu") or array.shape != array.shape[:1] + width:
            raise InputError(
                f"`{attribute.name}` must be an array of {dtype} of shape "
                f"{'(n, n)' if columns is None else f'(n, {columns})'}, but is one of {array.dtype} of shape "
                f"{array.shape}."
            )
        if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
            raise InputError(f"`{attribute.name}` holds {array.max()}, which does not fit into 64 bits.")
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
class TSPInstance:
    """A travelling salesman problem: the coordinates of the cities, or all distances.

    Parameters
    ----------
    name : str
        One line; blanks around it are removed.
    kind : str
        TSPLIB's EDGE_WEIGHT_TYPE: EUC_2D, CEIL_2D, ATT, GEO, MAN_2D, MAX_2D or EXPLICIT.
    coordinates : array_like of float64, shape (n, 2), keyword-only
        For every kind except EXPLICIT; for GEO latitude and longitude as degrees.minutes.
    matrix : array_like of int64, shape (n, n), keyword-only
        For EXPLICIT; matrix[i, j] is the distance from i to j, 0 or more. The diagonal is kept, but no tour uses it.
    fixed_edges : array_like of int64, shape (k, 2), keyword-only
        Pairs of cities, numbered from 0, that every tour must join, as in linhp318; empty in most instances.
    factor : {1, 1000}, keyword-only, default 1
        By which number the coordinates of the file were multiplied: 1000 for its kind EXACT_2D, whose distances are not
        rounded, so that those of EUC_2D are right to three decimals.

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
    factor: int = whole_field(1, EXACT, default=1, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"`kind` must be one of {', '.join(KINDS)}, but is {self.kind!r}.")
        if len(self.name.splitlines()) > 1:
            raise InputError(f"`name` must be one line, but is {self.name!r}.")
        wanted, other = ("matrix", "coordinates") if self.kind == "EXPLICIT" else ("coordinates", "matrix")
        if getattr(self, wanted) is None or getattr(self, other) is not None:
            raise InputError(f"An instance of kind {self.kind} must have {wanted}, and must not have {other}.")
        if not self.dimension:
            raise InputError(f"An instance must have at least one city, but {self.name} has 0.")
        outside = (self.fixed_edges < 0) | (self.fixed_edges >= self.dimension)
        if outside.any():
            raise InputError(
                f"The cities of `fixed_edges` must be in 0 ... {self.dimension - 1}, but one is "
                f"{self.fixed_edges[outside][0]}."
            )
        bound = self.dimension * self._longest()
        if not bound < 2.0**62:
            raise InputError(
                f"The length of a tour of {self.name} could reach {bound:.3g}, which overflows int64.",
                "divide all distances by one factor.",
            )

    def _longest(self) -> float:
        if self.coordinates is not None:
            if not np.isfinite(self.coordinates).all():
                raise InputError("`coordinates` must be finite, but holds nan or inf.")
            with np.errstate(over="ignore"):
                return 4e4 if self.kind == "GEO" else float(np.ptp(self.coordinates, axis=0).sum()) + 1.0
        assert self.matrix is not None
        negative = np.argwhere((self.matrix < 0) & ~np.eye(self.dimension, dtype=bool))
        if negative.size:
            i, j = negative[0]
            raise InputError(
                f"Distances must be 0 or more, but matrix[{i}, {j}] is {self.matrix[i, j]}.",
                "add the same number to all distances: every tour becomes longer by the same length.",
            )
        return float(self.matrix.max())

    @property
    def dimension(self) -> int:
        """The number of cities."""
        cities = self.matrix if self.coordinates is None else self.coordinates
        return 0 if cities is None else len(cities)

    @cached_property
    def symmetric(self) -> bool:
        """Whether the distance from i to j is that from j to i, for all cities."""
        return self.matrix is None or bool((self.matrix == self.matrix.T).all())


def warn_of_rounding(instance: TSPInstance, at: str, *, grids: bool = False) -> None:
    """Warn of coordinates so near to each other that whole distances below 10 say little of them.

    `instance`: the cities. `at`: what the warning calls them: a file, or a parameter. `grids`: whether to warn of whole
    coordinates, too, whose distances are not whole.
    """
    places = instance.coordinates
    if places is None or instance.kind == "GEO" or np.ptp(places, axis=0).sum() >= 20:
        return
    if not (places % 1).any() and (not grids or instance.kind in ("MAN_2D", "MAX_2D")):
        return
    ends = places[np.unique([*places.argmin(axis=0), *places.argmax(axis=0)])]
    longest = FORMULAS[instance.kind](ends[:, None], ends).max()
    if longest < 10:
        warnings.warn(
            f"Distances are rounded to whole numbers, and the longest one of {at} is {longest:g}.\n"
            "Maybe multiply the coordinates, by 10000 if they are in the unit square.",
            stacklevel=4,
        )


def distances(instance: TSPInstance, i: npt.ArrayLike, j: npt.ArrayLike) -> Integers:
    """Return the distances from cities i to cities j, rounded as TSPLIB defines for the kind of the instance.

    They are computed in float64, operation by operation as in TSPLIB's documentation. The distance from a city to
    itself is 0, or what is on the diagonal of an EXPLICIT matrix.

    `instance`: with n cities. `i`, `j`, array of integers: in 0 ... n - 1, broadcast against each other. Returns array
    of int64: of the broadcast shape. Raises InputError if i or j holds anything but integers in 0 ... n - 1, or they
    cannot be broadcast.

    Examples
    --------
    >>> square = TSPInstance("square", "CEIL_2D", coordinates=[[0, 0], [0, 1], [1, 1], [1, 0]])
    >>> distances(square, 0, [1, 2, 3])
    array([1, 2, 1])
    """
    ends = [np.asarray(i), np.asarray(j)]
    for name, end in zip("ij", ends, strict=True):
        if end.dtype.kind not in "iu":
            raise InputError(f"`{name}` must hold integers, but holds {end.dtype}.")
        if end.size and not 0 <= end.min() <= end.max() < instance.dimension:
            raise InputError(
                f"`{name}` must hold cities in 0 ... {instance.dimension - 1}, but holds {end.min()} ... {end.max()}."
            )
    first, second = ends
    try:
        same = first == second
    except ValueError:
        raise InputError(
            f"`i` and `j` must be broadcastable, but have the shapes {first.shape} and {second.shape}."
        ) from None
    if instance.coordinates is None:
        assert instance.matrix is not None
        return np.asarray(instance.matrix[first, second])
    ends = [instance.coordinates.take(end, axis=0) for end in (first, second)]  # six times faster than [end]
    rounded = FORMULAS[instance.kind](*ends)
    return np.asarray(np.where(same, 0.0, rounded), np.int64)


def distance_matrix(instance: TSPInstance) -> Integers:
    """Return all distances, as `distances` computes them.

    Returns int64, shape (n, n): read-only; 8 n² bytes. Raises InputError if there is no memory for it.
    """
    if instance.matrix is not None:
        return instance.matrix
    n = instance.dimension
    assert instance.coordinates is not None
    places = np.asfortranarray(instance.coordinates)  # each coordinate contiguous
    matrix = square(n, f"the distances of {instance.name}")
    rows = max(1, 2**13 // n)  # a block of rows stays in the cache
    for start in range(0, n, rows):
        block = slice(start, start + rows)
        matrix[block] = FORMULAS[instance.kind](places[block, None], places)
    np.fill_diagonal(matrix, 0)
    matrix.flags.writeable = False
    return matrix
