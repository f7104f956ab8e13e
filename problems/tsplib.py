"""TSPLIB 95's files of travelling salesman instances and tours, and its distances.

Read are TYPE TSP and ATSP with the edge weights EUC_2D, CEIL_2D, ATT, GEO, MAN_2D, MAX_2D, and EXPLICIT in every
EDGE_WEIGHT_FORMAT. Keywords stand with or without blanks around their colon; EOF may be missing; keywords that say
nothing about distances are passed over.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (sections 1 and 2 of the documentation).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problems.files import Span, integers, line_of, read_text, reals, write_text

__all__ = ["Instance", "distance_matrix", "distances", "read_tour", "read_tsp", "write_tour", "write_tsp"]

Reals = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_PI: Final = 3.141592  # TSPLIB's own: GEO's published lengths depend on it
_RADIUS: Final = 6378.388  # of the earth, in km
_KEYWORD: Final = re.compile(r"^[^\S\n]*([A-Za-z_]\w*)[^\S\n]*(:?)[^\S\n]*(.*)$", re.MULTILINE | re.ASCII)
_KEYWORDS: Final = (
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "EDGE_DATA_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
)
_SECTIONS: Final = ("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION", "FIXED_EDGES_SECTION")
_TRIANGLES: Final = {  # whether the file walks the upper triangle row by row, and whether with the diagonal
    "UPPER_ROW": (True, False),
    "LOWER_ROW": (False, False),
    "UPPER_DIAG_ROW": (True, True),
    "LOWER_DIAG_ROW": (False, True),
    "UPPER_COL": (False, False),  # a triangle column by column is the other one row by row
    "LOWER_COL": (True, False),
    "UPPER_DIAG_COL": (False, True),
    "LOWER_DIAG_COL": (True, True),
}


def _euclidean(p: Reals, q: Reals) -> Reals:
    return np.floor(_straight(p, q) + 0.5)


def _ceiling(p: Reals, q: Reals) -> Reals:
    return np.ceil(_straight(p, q))


def _pseudo_euclidean(p: Reals, q: Reals) -> Reals:
    x, y = p[..., 0] - q[..., 0], p[..., 1] - q[..., 1]
    exact: Reals = np.sqrt((x * x + y * y) / 10.0)
    rounded = np.floor(exact + 0.5)
    return np.asarray(rounded + (rounded < exact))


def _geographical(p: Reals, q: Reals) -> Reals:
    a, b = _radians(p), _radians(q)
    q1 = np.cos(a[..., 1] - b[..., 1])
    q2 = np.cos(a[..., 0] - b[..., 0])
    q3 = np.cos(a[..., 0] + b[..., 0])
    angle: Reals = np.arccos(np.clip(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3), -1.0, 1.0))
    return np.floor(_RADIUS * angle + 1.0)


def _manhattan(p: Reals, q: Reals) -> Reals:
    return np.asarray(np.floor(np.abs(p - q).sum(axis=-1) + 0.5))


def _maximum(p: Reals, q: Reals) -> Reals:
    return np.asarray(np.floor(np.abs(p - q) + 0.5).max(axis=-1))


def _straight(p: Reals, q: Reals) -> Reals:
    x, y = p[..., 0] - q[..., 0], p[..., 1] - q[..., 1]
    return np.asarray(np.sqrt(x * x + y * y))


def _radians(degrees_and_minutes: Reals) -> Reals:
    degrees = np.trunc(degrees_and_minutes)
    return np.asarray(_PI * (degrees + 5.0 * (degrees_and_minutes - degrees) / 3.0) / 180.0)


_FORMULAS: Final[Mapping[str, Callable[[Reals, Reals], Reals]]] = MappingProxyType(
    {
        "EUC_2D": _euclidean,
        "CEIL_2D": _ceiling,
        "ATT": _pseudo_euclidean,
        "GEO": _geographical,
        "MAN_2D": _manhattan,
        "MAX_2D": _maximum,
    }
)
_KINDS: Final = (*_FORMULAS, "EXPLICIT")


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
        if self.kind not in _KINDS:
            raise InputError(f"The kind {self.kind!r} is not known.", f"use one of {', '.join(_KINDS)}.")
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
    rounded = _FORMULAS[instance.kind](instance.coordinates[first], instance.coordinates[second])
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
        matrix[block] = _FORMULAS[instance.kind](places[block, None], places)
    np.fill_diagonal(matrix, 0)
    matrix.flags.writeable = False
    return matrix


def read_tsp(path: str | os.PathLike[str]) -> Instance:
    """Read an instance of TYPE TSP or ATSP.

    Where the file has no NAME, the instance is named after the file. DISPLAY_DATA_SECTION is checked and left out.

    Raises
    ------
    InputError
        If the file cannot be read; for a TYPE, EDGE_WEIGHT_TYPE, EDGE_WEIGHT_FORMAT or section that is missing, stands
        twice or is none of those above; for wrong counts, words that are no numbers, cities that are missing or stand
        twice, distances that are negative or not integers, and a TSP that is not symmetric.
    """
    text = read_text(path)
    header, sections = _scan(text, path)
    kind_of_problem = _choice(header, "TYPE", ("TSP", "ATSP"), path)
    for section in sections:
        if section not in _SECTIONS:
            raise InputError(
                f"{path} has the section {section}, which is not known for a {kind_of_problem}.",
                f"its name is misspelt: known are {', '.join(_SECTIONS)}.",
            )
    n = _dimension(header, path)
    kind = _choice(header, "EDGE_WEIGHT_TYPE", _KINDS, path)
    places = {
        section: _places(text, sections, section, n, path)
        for section in ("NODE_COORD_SECTION", "DISPLAY_DATA_SECTION")
        if section in sections
    }
    fields: dict[str, Any] = {}
    if kind == "EXPLICIT":
        form = _choice(header, "EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", *_TRIANGLES), path)
        fields["matrix"] = _weights(text, _section(sections, "EDGE_WEIGHT_SECTION", path), (form, n), path)
    else:
        _section(sections, "NODE_COORD_SECTION", path)
        if "EDGE_WEIGHT_SECTION" in sections:
            raise InputError(f"{path} has an EDGE_WEIGHT_SECTION, but its EDGE_WEIGHT_TYPE is {kind}.")
        fields["coordinates"] = places["NODE_COORD_SECTION"]
    if "FIXED_EDGES_SECTION" in sections:
        fields["fixed_edges"] = _fixed_edges(text, sections["FIXED_EDGES_SECTION"], path)
    name = header.get("NAME") or Path(path).name.split(".")[0]
    try:
        instance = Instance(name, kind, **fields)
    except InputError as error:
        raise InputError(f"{path}: {error.reason}", error.maybe) from None
    if kind_of_problem == "TSP" and not instance.symmetric:
        raise InputError(f"{path} has the TYPE TSP, but its matrix is not symmetric.", "its TYPE should be ATSP.")
    return instance


def write_tsp(path: str | os.PathLike[str], instance: Instance) -> None:
    """Write an instance, which `read_tsp` reads back: coordinates to their last digit, or the full matrix.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    lines = [
        f"NAME : {instance.name}",
        f"TYPE : {'TSP' if instance.symmetric else 'ATSP'}",
        f"DIMENSION : {instance.dimension}",
        f"EDGE_WEIGHT_TYPE : {instance.kind}",
    ]
    if instance.coordinates is not None:
        lines.append("NODE_COORD_SECTION")
        lines.extend(f"{i} {x!r} {y!r}" for i, (x, y) in enumerate(instance.coordinates.tolist(), 1))
    elif instance.matrix is not None:
        lines += ["EDGE_WEIGHT_FORMAT : FULL_MATRIX", "EDGE_WEIGHT_SECTION"]
        lines.extend(" ".join(map(str, row)) for row in instance.matrix.tolist())
    if len(instance.fixed_edges):
        lines.append("FIXED_EDGES_SECTION")
        lines.extend(f"{i + 1} {j + 1}" for i, j in instance.fixed_edges.tolist())
        lines.append("-1")
    write_text(path, "\n".join([*lines, "EOF", ""]))


def read_tour(path: str | os.PathLike[str]) -> npt.NDArray[np.int32]:
    """Read a tour.

    Returns
    -------
    ndarray of int32, shape (n,)
        The cities in the order of the tour, numbered from 0; in the file they are numbered from 1.

    Raises
    ------
    InputError
        If the file cannot be read, is no TOUR, holds more than one tour, or a tour that does not visit each of its
        DIMENSION cities once.
    """
    text = read_text(path)
    header, sections = _scan(text, path)
    if "TYPE" in header:
        _choice(header, "TYPE", ("TOUR",), path)
    numbers = integers(text, _section(sections, "TOUR_SECTION", path), path)
    ends = np.flatnonzero(numbers == -1)
    cities = numbers[: ends[0]] if ends.size else numbers
    if (numbers[len(cities) :] != -1).any():
        raise InputError(f"{path} holds more than one tour.", "write each into a file of its own.")
    if not len(cities):
        raise InputError(f"{path}: TOUR_SECTION is truncated: it holds no cities.", "it was not written to its end.")
    n = _dimension(header, path) if "DIMENSION" in header else len(cities)
    _check_count(len(cities), n, f"{path}: TOUR_SECTION")
    _check_permutation(cities, 1, str(path))
    return (cities - 1).astype(np.int32)


def write_tour(path: str | os.PathLike[str], tour: npt.NDArray[np.integer[Any]]) -> None:
    """Write a tour, which `read_tour` reads back.

    Parameters
    ----------
    path : path-like
        A file there is replaced.
    tour : ndarray of integers, shape (n,)
        A permutation of 0 ... n - 1; in the file it is numbered from 1.

    Raises
    ------
    InputError
        If tour is not as described, or the file cannot be written.
    """
    cities = np.asarray(tour)
    if cities.dtype.kind not in "iu" or cities.ndim != 1 or not cities.size:
        raise InputError(f"tour is an array of {cities.dtype} of shape {cities.shape}, not of integers of shape (n,).")
    _check_permutation(cities, 0, "tour")
    lines = ["TYPE : TOUR", f"DIMENSION : {len(cities)}", "TOUR_SECTION", *(str(city + 1) for city in cities.tolist())]
    write_text(path, "\n".join([*lines, "-1", "EOF", ""]))


def _scan(text: str, path: object) -> tuple[dict[str, str], dict[str, Span]]:
    """The keywords with their values, and the sections with the span of their numbers."""
    header: dict[str, str] = {}
    sections: dict[str, Span] = {}
    matches, end = [], len(text)
    for match in _KEYWORD.finditer(text):
        if match[1].upper() == "EOF":
            end = match.start()
            break
        matches.append(match)
    stops = [*(match.start() for match in matches[1:]), end]
    _check_blank(text, (0, matches[0].start() if matches else end), path)
    for match, stop in zip(matches, stops, strict=bool(matches)):
        key = match[1].upper()
        where = f"{path}, line {line_of(text, match.start())}"
        if key in header or key in sections:
            raise InputError(f"{where}: {key} stands there twice.")
        if key.endswith("_SECTION"):
            sections[key] = (match.start(3), stop)
            continue
        if not match[2] and key not in _KEYWORDS:
            raise InputError(
                f"{where}: {match[0].strip()[:40]!r} is neither a keyword nor a number.",
                "the file has another format: TSPLIB's keywords are followed by a colon.",
            )
        _check_blank(text, (match.end(), stop), path)
        if key != "COMMENT":
            header[key] = match[3].strip()
    return header, sections


def _check_blank(text: str, span: Span, path: object) -> None:
    between = text[slice(*span)]
    if word := between.strip():
        line = line_of(text, span[0] + between.index(word[0]))
        raise InputError(
            f"{path}, line {line}: {word.split()[0][:40]!r} stands outside any section.", "a section's name is missing."
        )


def _choice(header: Mapping[str, str], key: str, choices: tuple[str, ...], path: object) -> str:
    if not header.get(key):
        raise InputError(f"{path} has no {key}.", f"add a line {key} : {choices[0]}.")
    word = header[key].split()[0].upper()  # TYPE: TSP (M.~Hofmeister) is found in the library
    if word not in choices:
        raise InputError(f"{path} has the {key} {word[:40]!r}, which is not read.", f"use one of {', '.join(choices)}.")
    return word


def _dimension(header: Mapping[str, str], path: object) -> int:
    value = header.get("DIMENSION")
    if value is None:
        raise InputError(f"{path} has no DIMENSION.", "add a line DIMENSION : with the number of cities.")
    if not re.fullmatch(r"\+?[0-9]{1,9}", value, re.ASCII) or int(value) < 1:
        raise InputError(f"{path} has the DIMENSION {value[:40]!r}, which is not in 1 ... 999999999.")
    return int(value)


def _section(sections: Mapping[str, Span], name: str, path: object) -> Span:
    if name not in sections:
        raise InputError(f"{path} has no {name}.", "it was not downloaded or written to its end.")
    return sections[name]


def _check_count(found: int, expected: int, what: str) -> None:
    if found < expected:
        raise InputError(
            f"{what} is truncated: it holds {found} numbers, but {expected} are expected.",
            "it was not downloaded or written to its end, or DIMENSION is wrong.",
        )
    if found > expected:
        raise InputError(f"{what} holds too many numbers: {found}, but {expected} are expected.", "DIMENSION is wrong.")


def _places(text: str, sections: Mapping[str, Span], section: str, n: int, path: str | os.PathLike[str]) -> Reals:
    numbers = reals(text, sections[section], path)
    _check_count(len(numbers), 3 * n, f"{path}: {section}, a number and two coordinates for each of {n} cities,")
    rows = numbers.reshape(n, 3)
    _check_permutation(rows[:, 0], 1, f"{path}: {section}")
    places = np.empty((n, 2))
    places[rows[:, 0].astype(np.int64) - 1] = rows[:, 1:]
    return places


def _check_permutation(cities: npt.NDArray[Any], first: int, what: str) -> None:
    last = first + len(cities) - 1
    wrong = (cities < first) | (cities > last) | (cities != np.floor(cities))
    if wrong.any():
        maybe = "the file numbers from 0: TSPLIB does from 1." if first and cities[wrong][0] == 0 else ""
        raise InputError(f"{what}: {cities[wrong][0]:g} is not a city: they are {first} ... {last}.", maybe)
    counts = np.bincount(cities.astype(np.int64) - first, minlength=len(cities))
    if (counts != 1).any():
        twice, missing = np.argmax(counts > 1) + first, np.argmin(counts) + first
        raise InputError(f"{what}: the city {twice} stands there twice, and {missing} is missing.")


def _weights(text: str, span: Span, form: tuple[str, int], path: str | os.PathLike[str]) -> Integers:
    name, n = form
    weights = integers(text, span, path)
    what = f"{path}: EDGE_WEIGHT_SECTION, {name} for {n} cities,"
    if name == "FULL_MATRIX":
        _check_count(len(weights), n * n, what)
        return weights.reshape(n, n)
    upper, diagonal = _TRIANGLES[name]
    _check_count(len(weights), n * (n + 1) // 2 if diagonal else n * (n - 1) // 2, what)
    matrix = np.zeros((n, n), np.int64)
    i, j = np.triu_indices(n, 0 if diagonal else 1) if upper else np.tril_indices(n, 0 if diagonal else -1)
    matrix[i, j] = matrix[j, i] = weights
    return matrix


def _fixed_edges(text: str, span: Span, path: str | os.PathLike[str]) -> Integers:
    numbers = integers(text, span, path)
    if not numbers.size or numbers[-1] != -1 or not numbers.size % 2:
        raise InputError(f"{path}: FIXED_EDGES_SECTION holds {numbers.size} numbers, but pairs and a last -1 are due.")
    return numbers[:-1].reshape(-1, 2) - 1
