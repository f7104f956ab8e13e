"""Cities as plain tables, without words: a matrix of distances, or a list of coordinates.

Such files do not say of which problem they are: `problem_from_file` asks for their `layout`.
"""

from __future__ import annotations

import os
from math import isqrt

from metaheur.errors import InputError
from metaheur.problems.formats.files import file_of
from metaheur.problems.formats.numbers import integral, reals
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.tsplib_instance import TSPInstance

__all__ = ["read_coordinates", "read_distances"]


def read_distances(path: str | os.PathLike[str]) -> TSPInstance:
    """Read n² whole numbers, the distances between n cities row by row, perhaps after n; commas separate them, too.

    Raises InputError if the file cannot be read, there are not so many numbers, or one is negative or not whole.
    """
    tokens = Tokens.read(path, commas=True, comments="#")
    count = tokens.left
    n = isqrt(count)
    if n * n != count:  # n comes first, or n and n
        sizes = tokens.take(min(count, 1 + (tokens.on_first_line == 2)), "numbers: the cities")
        n = int(integral(tokens, sizes, "the number of cities", 1, 100_000)[0])
        if count - len(sizes) != n * n:
            n = isqrt(count)
            raise InputError(
                f"{path} holds {count} numbers, which is not the square of a number of cities.",
                f"it is truncated, or a triangle alone: {n} cities have {n * n} distances.",
            )
    matrix = integral(tokens, tokens.take(n * n, "distances"), "a distance").reshape(n, n)
    return TSPInstance(file_of(path).name.split(".")[0], "EXPLICIT", matrix=matrix)


def read_coordinates(path: str | os.PathLike[str], kind: str = "EUC_2D") -> TSPInstance:
    """Read the two coordinates of each city, perhaps after its number, a city a line; perhaps after n.

    `path`: the file; commas separate numbers, too. `kind`: TSPLIB's formula of the distances. Raises InputError if the
    file cannot be read, lines are not equally long, or a token is not a number.
    """
    tokens = Tokens.read(path, commas=True, comments="#")
    first = int(tokens.on_first_line == 1)
    places, widths = tokens.rest()[first:], set(tokens.widths[first:])
    if widths not in ({2}, {3}):
        raise InputError(
            f"{path} must have two coordinates a line, perhaps after a number, but has lines of "
            f"{' and '.join(map(str, sorted(widths)))} numbers.",
            "a line is broken in two, or the file has another format.",
        )
    table = reals(tokens, places).reshape(-1, *widths)
    if first and len(table) != (stated := reals(tokens, range(1))[0]):
        raise InputError(f"{path} states {stated:g} cities, but holds {len(table)}.", "it is truncated.")
    return TSPInstance(file_of(path).name.split(".")[0], kind, coordinates=table[:, -2:])
