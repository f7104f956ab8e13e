"""Permutations in instance files: cities, jobs, machines and locations, each named once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from metaheur.problems.numbers import integral
from metaheur.problems.words import Words

__all__ = ["permutation"]


def permutation(words: Words, places: range, what: str, first: int) -> npt.NDArray[np.int64]:
    """The integers at places, which must be each of n successive numbers once.

    Parameters
    ----------
    words : Words
        The words.
    places : range
        From `Words.take`; n of them.
    what : str
        What each number is, as messages call it: "a city".
    first : int
        The smallest of the numbers, 0 or 1.

    Returns
    -------
    ndarray of int64, shape (n,)
        The numbers less `first`: a permutation of 0 ... n - 1.

    Raises
    ------
    InputError
        For the first word that is no integer, or not in first ... first + n - 1; or for a number that stands there
        twice, with one that is missing.
    """
    numbers = integral(words, places, what)
    last = first + len(numbers) - 1
    outside = (numbers < first) | (numbers > last)
    if outside.any():
        k = int(np.argmax(outside))
        maybe = "a number before it is missing, or a size is wrong."
        if first == 1 and numbers[k] == 0:
            maybe = "the file numbers from 0, but its format does from 1."
        raise words.error(places[k], f"{what} is {words.word(places[k])}, which is not in {first} ... {last}", maybe)
    values = numbers - first
    counts = np.bincount(values, minlength=len(values))
    if (counts > 1).any():
        k = int(np.flatnonzero(values == np.argmax(counts > 1))[1])
        missing = int(np.argmin(counts)) + first
        raise words.error(
            places[k],
            f"{what} is {numbers[k]}, which stands there twice, and {missing} is missing",
            "a line is copied, and not changed to the end.",
        )
    return values
