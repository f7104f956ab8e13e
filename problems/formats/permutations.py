"""Permutations in instance files: cities, jobs, machines or locations, each listed once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.tokens import Tokens

__all__ = ["permutation"]


def permutation(tokens: Tokens, places: range, what: str, first: int) -> npt.NDArray[np.int64]:
    """Return the integers at places, which must be n successive numbers in any order.

    `places`: of n tokens, from `Tokens.take`. `what`: what each number is, as messages call it: "a city". `first`: the
    smallest of the numbers, 0 or 1. Returns int64, shape (n,): the numbers less `first`: a permutation of 0 ... n - 1.
    Raises InputError for the first token that is not an integer in first ... first + n - 1; or for a number that is
    listed twice, with one that is missing.
    """
    numbers = integral(tokens, places, what)
    last = first + len(numbers) - 1
    outside = (numbers < first) | (numbers > last)
    if outside.any():
        k = int(np.argmax(outside))
        maybe = "a number before it is missing, or a size is wrong."
        if first == 1 and numbers[k] == 0:
            maybe = "the file counts from 0, but the format from 1."
        raise tokens.error(places[k], f"{what} must be in {first} ... {last}, but is {numbers[k]}", maybe)
    values = numbers - first
    counts = np.bincount(values, minlength=len(values))
    if (counts > 1).any():
        k = int(np.flatnonzero(values == np.argmax(counts > 1))[1])
        missing = int(np.argmin(counts)) + first
        raise tokens.error(
            places[k],
            f"{what} is {numbers[k]}, which is listed twice, and {missing} is missing",
            "a line was copied and not changed.",
        )
    return values
