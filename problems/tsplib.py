"""TSPLIB 95's files of travelling salesman instances; with those of tours and with the distances, all there is of it.

Read are TYPE TSP and ATSP with the edge weights EUC_2D, CEIL_2D, ATT, GEO, MAN_2D, MAX_2D, and EXPLICIT in every
EDGE_WEIGHT_FORMAT.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (sections 1 and 2 of the documentation).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.files import write_lines
from metaheur.problems.numbers import integral, reals
from metaheur.problems.permutations import permutation
from metaheur.problems.tsplib_format import Document
from metaheur.problems.tsplib_instance import KINDS, Instance, distance_matrix, distances
from metaheur.problems.tsplib_tours import read_tour, write_tour
from metaheur.problems.words import Words

__all__ = ["Instance", "distance_matrix", "distances", "read_tour", "read_tsp", "write_tour", "write_tsp"]

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
    document = Document.read(path)
    kind_of_problem = document.choice("TYPE", ("TSP", "ATSP"))
    for section in document.sections:
        if section not in _SECTIONS:
            raise InputError(
                f"{path} has the section {section}, which is not known for a {kind_of_problem}.",
                f"its name is misspelt: known are {', '.join(_SECTIONS)}.",
            )
    n = document.dimension()
    kind = document.choice("EDGE_WEIGHT_TYPE", KINDS)
    fields: dict[str, Any] = {}
    if kind == "EXPLICIT":
        form = document.choice("EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", *_TRIANGLES))
        fields["matrix"] = _matrix(document.section("EDGE_WEIGHT_SECTION"), form, n)
    else:
        fields["coordinates"] = _coordinates(document.section("NODE_COORD_SECTION"), n)
        if "EDGE_WEIGHT_SECTION" in document.sections:
            raise InputError(
                f"{path} has an EDGE_WEIGHT_SECTION, but its EDGE_WEIGHT_TYPE is {kind}.",
                "its EDGE_WEIGHT_TYPE should be EXPLICIT.",
            )
    if "DISPLAY_DATA_SECTION" in document.sections:
        _coordinates(document.sections["DISPLAY_DATA_SECTION"], n)
    if "FIXED_EDGES_SECTION" in document.sections:
        fields["fixed_edges"] = _fixed_edges(document.sections["FIXED_EDGES_SECTION"], n)
    name = document.header.get("NAME") or Path(path).name.split(".")[0]
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
    write_lines(path, [*lines, "EOF"])


def _coordinates(words: Words, n: int) -> npt.NDArray[np.float64]:
    places = words.take(3 * n, f"numbers: a city and two coordinates, for each of {n} cities")
    words.finish(f"the coordinates of {n} cities")
    coordinates = np.empty((n, 2))
    cities = permutation(words, places[::3], "a city", 1)
    for axis in (0, 1):
        coordinates[cities, axis] = reals(words, places[axis + 1 :: 3])
    return coordinates


def _matrix(words: Words, form: str, n: int) -> npt.NDArray[np.int64]:
    if form == "FULL_MATRIX":
        return _distances(words, n * n, form, n).reshape(n, n)
    upper, diagonal = _TRIANGLES[form]
    weights = _distances(words, n * (n + 1) // 2 if diagonal else n * (n - 1) // 2, form, n)
    matrix = np.zeros((n, n), np.int64)
    i, j = np.triu_indices(n, 0 if diagonal else 1) if upper else np.tril_indices(n, 0 if diagonal else -1)
    matrix[i, j] = matrix[j, i] = weights
    return matrix


def _distances(words: Words, count: int, form: str, n: int) -> npt.NDArray[np.int64]:
    places = words.take(count, f"distances: {form} for {n} cities")
    words.finish(f"the last distance of {form} for {n} cities")
    return integral(words, places, "a distance")


def _fixed_edges(words: Words, n: int) -> npt.NDArray[np.int64]:
    places = words.rest()
    if not len(places) % 2 or words.word(places[-1]) != "-1":
        raise InputError(
            f"{words.path}: FIXED_EDGES_SECTION holds {len(places)} numbers, but pairs and a last -1 are due.",
            "it was not downloaded or written to its end.",
        )
    return integral(words, places[:-1], "a city", 1, n).reshape(-1, 2) - 1
