"""Travelling salesman instances of TSPLIB 95; the functions for tours and distances are re-exported.

Supported are TYPE TSP and ATSP with the edge weights EUC_2D, CEIL_2D, ATT, GEO, MAN_2D, MAX_2D, EXACT_2D (not rounded;
here to three decimals), and EXPLICIT in every EDGE_WEIGHT_FORMAT.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (sections 1 and 2 of the documentation).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import integral, reals
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.tsplib_document import Document
from metaheur.problems.formats.tsplib_instance import EXACT, KINDS, TSPInstance, distance_matrix, distances
from metaheur.problems.formats.tsplib_tours import read_tour, write_tour

__all__ = ["TSPInstance", "distance_matrix", "distances", "located", "read_tour", "read_tsp", "write_tour", "write_tsp"]

_SECTIONS: Final = ("NODE_COORD_SECTION", "EDGE_WEIGHT_SECTION", "DISPLAY_DATA_SECTION", "FIXED_EDGES_SECTION")
_TRIANGLES: Final = {  # whether the file lists the upper triangle row by row, and whether with the diagonal
    "UPPER_ROW": (True, False),
    "LOWER_ROW": (False, False),
    "UPPER_DIAG_ROW": (True, True),
    "LOWER_DIAG_ROW": (False, True),
    "UPPER_COL": (False, False),  # one triangle column by column is the other row by row
    "LOWER_COL": (True, False),
    "UPPER_DIAG_COL": (False, True),
    "LOWER_DIAG_COL": (True, True),
}


def read_tsp(path: str | os.PathLike[str]) -> TSPInstance:
    """Read an instance of TYPE TSP or ATSP.

    If the file does not state a NAME, the instance is named after the file. DISPLAY_DATA_SECTION is checked, not kept.

    Raises InputError if the file cannot be read; if a TYPE, EDGE_WEIGHT_TYPE, EDGE_WEIGHT_FORMAT or section is missing,
    listed twice or not supported; if there are more or fewer numbers than stated, or a token is not a number; if a city
    is missing or listed twice; if a distance is negative or not an integer, or those of a TSP are not symmetric.
    """
    document = Document.read(path)
    kind_of_problem = document.choice("TYPE", ("TSP", "ATSP"))
    for section in document.sections:
        if section not in _SECTIONS:
            raise InputError(
                f"{path} holds the section {section}, which a {kind_of_problem} does not have.",
                f"its name is misspelled; known are {', '.join(_SECTIONS)}.",
            )
    n = document.dimension()
    kind, fields = located(document, n)
    if "FIXED_EDGES_SECTION" in document.sections:
        fields["fixed_edges"] = _fixed_edges(document.sections["FIXED_EDGES_SECTION"], n)
    name = document.header.get("NAME") or Path(path).name.split(".")[0]
    try:
        instance = TSPInstance(name, kind, **fields)
    except InputError as error:
        raise InputError(f"{path}: {error.reason}", error.maybe) from None
    if kind_of_problem == "TSP" and not instance.symmetric:
        raise InputError(f"{path}: the matrix of a TSP must be symmetric, but is not.", "its TYPE should be ATSP.")
    return instance


def located(document: Document, n: int) -> tuple[str, dict[str, Any]]:
    """Return where n cities lie: the EDGE_WEIGHT_TYPE, and the `coordinates` or the `matrix` of a `TSPInstance`.

    DISPLAY_DATA_SECTION is checked, not kept.

    Raises InputError as `read_tsp`.
    """
    kind = document.choice("EDGE_WEIGHT_TYPE", (*KINDS, "EXACT_2D"))
    fields: dict[str, Any] = {}
    if kind == "EXPLICIT":
        form = document.choice("EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", *_TRIANGLES))
        fields["matrix"] = _matrix(document.section("EDGE_WEIGHT_SECTION"), form, n)
    else:
        fields["coordinates"] = _coordinates(document.section("NODE_COORD_SECTION"), n)
        if "EDGE_WEIGHT_SECTION" in document.sections:
            raise InputError(
                f"{document.path} holds the section EDGE_WEIGHT_SECTION, but its EDGE_WEIGHT_TYPE is {kind}.",
                "its EDGE_WEIGHT_TYPE should be EXPLICIT.",
            )
    if kind == "EXACT_2D":
        kind, fields = "EUC_2D", {"coordinates": EXACT * fields["coordinates"], "factor": EXACT}
    if "DISPLAY_DATA_SECTION" in document.sections:
        _coordinates(document.sections["DISPLAY_DATA_SECTION"], n)
    return kind, fields


def write_tsp(path: str | os.PathLike[str], instance: TSPInstance) -> None:
    """Write an instance, which `read_tsp` reads back: coordinates with all their digits, or the full matrix.

    Raises InputError if the file cannot be written.
    """
    lines = [
        f"NAME : {instance.name}",
        f"TYPE : {'TSP' if instance.symmetric else 'ATSP'}",
        f"DIMENSION : {instance.dimension}",
        f"EDGE_WEIGHT_TYPE : {instance.kind if instance.factor == 1 else 'EXACT_2D'}",
    ]
    if instance.coordinates is not None:
        lines.append("NODE_COORD_SECTION")
        places = (instance.coordinates / instance.factor).tolist()
        lines.extend(f"{i} {x!r} {y!r}" for i, (x, y) in enumerate(places, 1))
    elif instance.matrix is not None:
        lines += ["EDGE_WEIGHT_FORMAT : FULL_MATRIX", "EDGE_WEIGHT_SECTION"]
        lines.extend(" ".join(map(str, row)) for row in instance.matrix.tolist())
    if len(instance.fixed_edges):
        lines.append("FIXED_EDGES_SECTION")
        lines.extend(f"{i + 1} {j + 1}" for i, j in instance.fixed_edges.tolist())
        lines.append("-1")
    write_lines(path, [*lines, "EOF"])


def _coordinates(tokens: Tokens, n: int) -> npt.NDArray[np.float64]:
    places = tokens.take(3 * n, f"numbers: a city and two coordinates, for each of {n} cities")
    tokens.finish(f"the coordinates of {n} cities")
    coordinates = np.empty((n, 2))
    cities = permutation(tokens, places[::3], "a city", 1)
    for axis in (0, 1):
        coordinates[cities, axis] = reals(tokens, places[axis + 1 :: 3])
    return coordinates


def _matrix(tokens: Tokens, form: str, n: int) -> npt.NDArray[np.int64]:
    if form == "FULL_MATRIX":
        return _distances(tokens, n * n, form, n).reshape(n, n)
    upper, diagonal = _TRIANGLES[form]
    weights = _distances(tokens, n * (n + 1) // 2 if diagonal else n * (n - 1) // 2, form, n)
    matrix = np.zeros((n, n), np.int64)
    i, j = np.triu_indices(n, 0 if diagonal else 1) if upper else np.tril_indices(n, 0 if diagonal else -1)
    matrix[i, j] = matrix[j, i] = weights
    return matrix


def _distances(tokens: Tokens, count: int, form: str, n: int) -> npt.NDArray[np.int64]:
    places = tokens.take(count, f"distances: {form} for {n} cities")
    tokens.finish(f"the last distance of {form} for {n} cities")
    return integral(tokens, places, "a distance")


def _fixed_edges(tokens: Tokens, n: int) -> npt.NDArray[np.int64]:
    places = tokens.rest()
    if not len(places) % 2 or tokens.token(places[-1]) != "-1":
        raise InputError(
            f"{tokens.path}: FIXED_EDGES_SECTION must hold pairs and a last -1, but holds {len(places)} numbers.",
            "it was not downloaded or written to its end.",
        )
    return integral(tokens, places[:-1], "a city", 1, n).reshape(-1, 2) - 1
