"""Bin packing of BPPLIB: the number of items, the capacity of a bin, and a weight on each line.

Cutting stock has a weight and a demand on each line: so many items of this weight.

Source: M. Delorme, M. Iori and S. Martello, "BPPLIB: a library for bin packing and cutting stock problems",
Optimization Letters 12, 2018.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np

from metaheur.problems.formats.files import write_lines
from metaheur.problems.formats.numbers import LARGEST, integral
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_bins", "write_bins"]


def read_bins(path: str | os.PathLike[str]) -> tuple[np.ndarray, int]:
    """Read the weights of the items, int64 of shape (n,), and the capacity of a bin.

    Raises InputError if the file cannot be read, or has more or fewer numbers than its first one says, or a token is
    not a whole number above 0.
    """
    table = Tokens.read(path)
    kinds, capacity = integral(table, table.take(2, "numbers: items, and what a bin holds"), "a number", 1, LARGEST)
    width = 2 if table.left == 2 * kinds else 1
    found = table.take(width * int(kinds), f"numbers, {width} for each of {kinds} items")
    table.finish(f"the {kinds} items")
    weights = integral(table, found[::width], "a weight", 1, LARGEST)
    if width == 2:
        weights = np.repeat(weights, integral(table, found[1::2], "a demand", 1, 10**6))
    return weights, int(capacity)


def write_bins(path: str | os.PathLike[str], weights: Sequence[int], capacity: int) -> None:
    """Write an instance, which `read_bins` reads back.

    Raises InputError if the file cannot be written.
    """
    write_lines(path, [str(len(weights)), str(capacity), *map(str, weights)])
