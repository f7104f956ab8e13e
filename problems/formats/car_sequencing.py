"""Car sequencing of CSPLib's form.

The first line is ``cars options classes``. Two lines follow, with a number for each option: the most cars of a block
that may need it, and the length of the block. Each class has a line: its number, from 0, how many cars it has, and 1 or
0 for each option.

Source: B. Smith, "CSPLib problem 001: car sequencing", in I. P. Gent and T. Walsh, "CSPLib: a benchmark library for
constraints", CP 1999.
"""

from __future__ import annotations

import os

import numpy as np

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import integer, integers
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_cars"]

MOST = 10**6
"""The most cars, options and classes of a file."""


def read_cars(path: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Read an instance: `counts`, `needs`, `limits` and `blocks`, all int64.

    `counts`, shape (classes,): the cars of each class. `needs`, shape (classes, options): 1 where a class needs an
    option, otherwise 0. `limits`, `blocks`, shape (options,): the most cars of a block that may need each option, and
    the length of the block. Classes out of order, and other sums of cars than the first line says, are refused.
    """
    tokens = Tokens.read(path)
    cars, options, classes = (integer(tokens, f"the number of {what}", 1, MOST) for what in _SIZES)
    limits = integers(tokens, tokens.take(options, "limits"), "a limit", 0, MOST)
    blocks = integers(tokens, tokens.take(options, "lengths of blocks"), "a length of a block", 1, MOST)
    counts, needs = [], []
    for number in range(classes):
        integer(tokens, f"the number of class {number}", number, number)
        counts.append(integer(tokens, f"the number of cars of class {number}", 1, cars))
        places = tokens.take(options, f"options of class {number}")
        needs.append(integers(tokens, places, "whether a class needs an option", 0, 1))
    tokens.finish("the last class")
    if sum(counts) != cars:
        raise InputError(f"{path} has {sum(counts)} cars in its classes, but its first line says {cars}.")
    return np.array(counts), np.array(needs), limits, blocks


_SIZES = ("cars", "options", "classes")
