"""Orienteering and team orienteering: files of Chao, Golden and Wasil, and of Tsiligirides.

Chao's begin with lines ``n 32``, ``m 2`` and ``tmax 7.5``: the points, the paths, and the length of a path; then each
point has a line with its coordinates and its prize, the start first and the end last. Those of Tsiligirides begin with
``tmax paths``; the start is their first point, and the end their second one.

Source: I.-M. Chao, B. L. Golden and E. A. Wasil, "The team orienteering problem", European Journal of Operational
Research 88, 1996; T. Tsiligirides, "Heuristic methods applied to orienteering", Journal of the Operational Research
Society 35, 1984.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final, final

import numpy as np
from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import read_text
from metaheur.problems.formats.numbers import LARGEST, integral, reals
from metaheur.problems.formats.tokens import Tokens
from metaheur.problems.formats.tsplib_instance import TSPInstance

__all__ = ["OrienteeringInstance", "read_chao", "read_tsiligirides"]

_HEAD: Final = re.compile(r"\s*n\s+(\S+)\s+m\s+(\S+)\s+tmax\s+(\S+)[^\S\n]*\n", re.IGNORECASE)


@final
@frozen(eq=False)
class OrienteeringInstance:
    """Points with prizes, and how long paths may be that lead from a start to an end.

    Parameters
    ----------
    places : TSPInstance
        The points with prizes, in the order of the file; then the start, and the end.
    prizes : numpy.ndarray of int64, shape (c,)
        Of each point but the start and the end.
    paths : int
        How many there are, 1 or more.
    longest : float
        The greatest length of a path.
    first : int
        The number of the first point with a prize in the file, counted from 0.
    """

    places: TSPInstance
    prizes: np.ndarray
    paths: int
    longest: float
    first: int


def read_chao(path: str | os.PathLike[str]) -> OrienteeringInstance:
    """Read a file of Chao's form.

    Raises InputError if the file cannot be read, or has more or fewer points than it says; if a token is not a number,
    a prize is not a whole one, or there is no point beside the start and the end.
    """
    text = read_text(path)
    head = _HEAD.match(text)
    if head is None:
        raise InputError(f"{path} must begin with lines such as n 32, m 2 and tmax 7.5.", "the file has another form.")
    found = [Tokens.within(path, text, head.span(k)) for k in (1, 2, 3)]
    n, paths = (int(integral(each, each.rest(), "a number", 1, LARGEST)[0]) for each in found[:2])
    table = Tokens.within(path, text, (head.end(), len(text)))
    points = table.take(3 * n, f"numbers: the coordinates and the prize of each of {n} points")
    table.finish(f"the {n} points")
    order = np.append(np.arange(1, n - 1), [0, n - 1])
    return _instance(path, table, points, order, (paths, float(reals(found[2], found[2].rest())[0])))


def read_tsiligirides(path: str | os.PathLike[str]) -> OrienteeringInstance:
    """Read a file of Tsiligirides' form; errors as of `read_chao`."""
    table = Tokens.read(path)
    longest = float(reals(table, table.take(1, "the greatest length of a path"))[0])
    paths = int(integral(table, table.take(1, "the number of paths"), "a number", 1, LARGEST)[0])
    n = -(-table.left // 3)
    points = table.take(3 * n, f"numbers: the coordinates and the prize of each of {n} points")
    return _instance(path, table, points, np.append(np.arange(2, n), [0, 1]), (paths, longest))


def _instance(
    path: str | os.PathLike[str], table: Tokens, points: range, order: np.ndarray, limits: tuple[int, float]
) -> OrienteeringInstance:
    """The instance of some points, put in order, with so many paths of this length."""
    paths, longest = limits
    n = len(points) // 3
    if n < 3 or longest < 0:
        raise InputError(f"{path} has {n} points and paths of length {longest:g}; there must be a point with a prize.")
    at = np.stack([reals(table, points[::3]), reals(table, points[1::3])], 1)
    prizes = integral(table, points[2::3], "a prize", 0, LARGEST)
    places = TSPInstance(Path(path).name.split(".")[0], "EUC_2D", coordinates=at[order])
    return OrienteeringInstance(places, prizes[order[:-2]], paths, longest, int(order[0]))
