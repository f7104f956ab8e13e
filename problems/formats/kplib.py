"""0-1 knapsack problems of kplib and of the University of Cauca.

Source: D. Pisinger, "Where are the hard knapsack problems?", Computers & Operations Research 32, 2005, whose generators
made them.
"""

from __future__ import annotations

import os

from metaheur.errors import InputError
from metaheur.problems.formats.knapsack_instance import KnapsackInstance
from metaheur.problems.formats.numbers import LARGEST, integer, scaled
from metaheur.problems.formats.tokens import Tokens

__all__ = ["read_kp"]


def read_kp(path: str | os.PathLike[str]) -> KnapsackInstance:
    """Read an instance: ``n capacity`` and n times ``profit weight``, in free format.

    Decimal numbers become integers by a power of ten that the instance names.

    Raises InputError if the file cannot be read, is truncated or too long, or holds a token that is not a number, or a
    negative one; or if a line of several numbers ends between a profit and its weight.
    """
    tokens = Tokens.read(path)
    n = integer(tokens, "the number of items n", 1, LARGEST)
    places = tokens.take(1 + 2 * n, f"numbers: the capacity and {n} pairs of a profit and a weight")
    values, factor = scaled(tokens, places, "a capacity, profit or weight", 0)
    tokens.finish("the last weight")
    if any(width > 1 and width % 2 for width in tokens.widths):
        raise InputError(f"{path} has lines that end between a profit and its weight.", "it is of another problem.")
    return KnapsackInstance(values[1::2], values[None, 2::2], values[:1], factor=factor)
