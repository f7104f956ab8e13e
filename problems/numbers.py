"""The words of instance files as numbers, exactly or with the line of the first offence, and numbers as words.

A function here is given the words, the places of some of them, as `Words.take` returns them, and what each of these
numbers is, as messages call it: "a weight".
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.words import Words

__all__ = ["LARGEST", "decimals", "integer", "integral", "reals", "scaled", "whole"]

LARGEST: Final = 2**31 - 1
"""The largest size that a reader accepts: sizes and indices are 32-bit integers on the devices."""

Integers = npt.NDArray[np.int64]

_LOWEST: Final = int(np.iinfo(np.int64).min)
_HIGHEST: Final = int(np.iinfo(np.int64).max)
_DIGITS: Final = len(str(_HIGHEST))
_PLAIN: Final = re.compile(r"[-+0-9 ]*")  # what integers are made of, when their words are joined by blanks
_REAL: Final = re.compile(r"[-+0-9.eE ]*")
_DECIMAL: Final = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?")
_DIVIDE: Final = "all values can be divided by one factor."


def whole(words: Words, places: range, what: str, low: int = _LOWEST, high: int = _HIGHEST) -> Integers:
    """The integers at places, written as digits alone: 2.0 is refused.

    Parameters
    ----------
    words : Words
        The words.
    places : range
        From `Words.take`.
    what : str
        What each number is.
    low, high : int, default the range of int64
        Bounds of the numbers, both included.

    Returns
    -------
    ndarray of int64, shape (len(places),)

    Raises
    ------
    InputError
        For the first word that is no 64-bit integer, or lies outside the bounds.
    """
    _require(_PLAIN, words, places)
    return integral(words, places, what, low, high)


def integral(words: Words, places: range, what: str, low: int = _LOWEST, high: int = _HIGHEST) -> Integers:
    """The integers at places, written in any way: 20, 20.0 or 2e1; the rest is as for `whole`."""
    values = _plain(words, places)
    if values is None:
        exact = []
        for place in places:
            mantissa, exponent = _decimal(words, place)
            if exponent < 0:
                raise _refusal(words, place)
            exact.append(mantissa * 10**exponent)
        values = _fitting(words, places, exact)
    _check(words, places, values, (what, low, high))
    return values


def integer(words: Words, what: str, low: int = _LOWEST, high: int = _HIGHEST) -> int:
    """Take one word and return its integer; parameters and errors as for `whole`."""
    return int(whole(words, words.take(1, f"number: {what}"), what, low, high)[0])


def scaled(words: Words, places: range, what: str, low: int = _LOWEST) -> tuple[Integers, int]:
    """The decimal numbers at places, exactly, as integers and the factor that made them integers.

    Parameters
    ----------
    words : Words
        The words.
    places : range
        From `Words.take`.
    what : str
        What each number is.
    low : int, default the smallest of int64
        Smallest number accepted.

    Returns
    -------
    values : ndarray of int64, shape (len(places),)
        The numbers of the file times `factor`.
    factor : int
        The smallest power of ten for which they are integers: 1 if the file's are.

    Raises
    ------
    InputError
        For the first word that is no decimal number such as -1.5 or 2e-3, is too small, or needs more than 64 bits.
    """
    values, factor = _plain(words, places), 1
    if values is None:
        parts = [_decimal(words, place) for place in places]
        digits = max(0, -min(exponent for _, exponent in parts))
        factor = 10**digits
        values = _fitting(words, places, [mantissa * 10 ** (exponent + digits) for mantissa, exponent in parts], factor)
    _check(words, places, values, (what, max(low * factor, _LOWEST), _HIGHEST))
    return values, factor


def reals(words: Words, places: range) -> npt.NDArray[np.float64]:
    """The numbers at places, with or without a point and an exponent, each rounded to the nearest float64.

    Raises
    ------
    InputError
        For the first word that is no decimal number, or lies beyond float64.
    """
    _require(_REAL, words, places)
    try:
        values = np.fromiter(map(float, words.at(places)), np.float64, len(places))
    except ValueError:
        wrong = next(place for place in places if not _DECIMAL.fullmatch(words.word(place)))
        raise _refusal(words, wrong) from None
    if (infinite := np.isinf(values)).any():
        place = places[int(np.argmax(infinite))]
        raise words.error(place, f"{words.shown(place)} is too large", _DIVIDE)
    return values


def decimals(values: npt.NDArray[np.integer[Any]], factor: int) -> list[str]:
    """The words of values / factor as exact decimal numbers, which `scaled` reads back; factor is a power of ten."""
    digits = len(str(factor)) - 1
    if not digits:
        return [str(value) for value in values.tolist()]
    written = []
    for value in values.tolist():
        units, rest = divmod(abs(value), factor)
        text = f"{units}.{rest:0{digits}d}".rstrip("0").rstrip(".")
        written.append("-" + text if value < 0 else text)
    return written


def _require(letters: re.Pattern[str], words: Words, places: range) -> None:
    """Refuse the first word that holds other characters."""
    if not letters.fullmatch(" ".join(words.at(places))):
        raise _refusal(words, next(place for place in places if not letters.fullmatch(words.word(place))))


def _plain(words: Words, places: range) -> Integers | None:
    """The integers at places if all are written plainly and fit, found fast; None sends to the slow way."""
    if not _PLAIN.fullmatch(" ".join(words.at(places))):
        return None
    try:
        return np.array(list(map(int, words.at(places))), np.int64)
    except (ValueError, OverflowError):
        return None


def _decimal(words: Words, place: int) -> tuple[int, int]:
    """The mantissa and the decimal exponent of a number of at most 19 digits before or after the point."""
    match = _DECIMAL.fullmatch(words.word(place))
    if not match:
        raise _refusal(words, place)
    sign, before, after, power = match.groups("")
    digits = (before + after).lstrip("0")
    mantissa = digits.rstrip("0")
    if not mantissa:
        return 0, 0
    exponent = int(power or 0) - len(after) + len(digits) - len(mantissa)
    if len(mantissa) + exponent > _DIGITS:
        raise words.error(place, f"{words.shown(place)} lies beyond 64-bit integers", _DIVIDE)
    if len(mantissa) > _DIGITS or -exponent >= _DIGITS:
        reason = f"{words.shown(place)} has more digits than 64-bit integers hold"
        raise words.error(place, reason, "round the numbers.")
    return int(sign + mantissa), exponent


def _fitting(words: Words, places: range, exact: list[int], factor: int = 1) -> Integers:
    """Integers as an array, unless one does not fit."""
    for place, value in zip(places, exact, strict=True):
        if not _LOWEST <= value <= _HIGHEST:
            times = f" times {factor}, which makes all of them integers," if factor > 1 else ""
            raise words.error(place, f"{words.shown(place)}{times} lies beyond 64-bit integers", _DIVIDE)
    return np.array(exact, np.int64)


def _check(words: Words, places: range, values: Integers, wanted: tuple[str, int, int]) -> None:
    what, low, high = wanted
    outside = (values < low) | (values > high)
    if not outside.any():
        return
    place = places[int(np.argmax(outside))]
    bounds = "negative" if low == 0 else f"not at least {low}"
    if high < _HIGHEST:
        bounds = f"not in {low} ... {high}"
    maybe = "a number before it is missing, or a size is wrong."
    raise words.error(place, f"{what} is {words.word(place)}, which is {bounds}", maybe)


def _refusal(words: Words, place: int) -> InputError:
    if _DECIMAL.fullmatch(words.word(place)):
        reason, maybe = "an integer", "one factor for all values makes them integers."
    else:
        reason, maybe = "a number", "the file has another format, or comments where none may be."
    return words.error(place, f"{words.shown(place)} is not {reason}", maybe)
