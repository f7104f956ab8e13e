"""Tours of TSPLIB.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 1 of the documentation).
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.permutations import permutation
from metaheur.problems.formats.tsplib_document import Document
from metaheur.representation import Permutation

__all__ = ["read_tour", "write_tour"]


def read_tour(path: str | os.PathLike[str]) -> npt.NDArray[np.int32]:
    """Read a tour.

    Returns int32, shape (n,): the cities in the order of the tour, numbered from 0; in the file they are numbered from
    1. Raises InputError if the file cannot be read, is not a TOUR, holds more than one tour, or does not list each of
    DIMENSION cities once.
    """
    document = Document.read(path)
    if "TYPE" in document.header:
        document.choice("TYPE", ("TOUR",))
    tokens = document.section("TOUR_SECTION")
    places = tokens.rest()
    ends = [place for place in places if tokens.token(place) == "-1"]
    tour = places[: ends[0]] if ends else places
    n = document.dimension() if "DIMENSION" in document.header else max(1, len(tour))
    if len(tour) < n:
        raise InputError(
            f"{path}: TOUR_SECTION is truncated: it must hold {n} cities, but holds {len(tour)}.",
            "it was not downloaded or written to its end, or DIMENSION is wrong.",
        )
    if len(tour) > n:
        raise tokens.error(tour[n], f"{tokens.shown(tour[n])} follows the last of {n} cities", "DIMENSION is wrong.")
    if len(tour) + len(ends) < len(places):
        raise InputError(f"{path} holds more than one tour.", "write each into a file of its own.")
    return permutation(tokens, tour, "a city", 1).astype(np.int32)


def write_tour(path: str | os.PathLike[str], tour: npt.NDArray[np.integer[Any]]) -> None:
    """Write a tour, which `read_tour` reads back.

    `path`: a file there is replaced. `tour`, integers, shape (n,): a permutation of 0 ... n - 1; in the file it is
    numbered from 1. Raises InputError if `tour` is not as described, or the file cannot be written.
    """
    cities = np.asarray(tour)
    if cities.dtype.kind not in "iu" or cities.ndim != 1 or not cities.size:
        raise InputError(
            f"`tour` must be an array of integers of shape (n,), but is one of {cities.dtype} of shape {cities.shape}."
        )
    cities = cities.astype(np.int64)
    if reason := Permutation(len(cities)).violation(cities):
        raise InputError(f"`tour` must be a permutation: {reason}", "count the cities from 0.")
    lines = ["TYPE : TOUR", f"DIMENSION : {len(cities)}", "TOUR_SECTION", *(str(city + 1) for city in cities.tolist())]
    write_lines(path, [*lines, "-1", "EOF"])
