"""The tokens of instance files as exact numbers, or an error with the line of the first wrong one; and the reverse.

Each function takes the tokens, the places of some of them, as `Tokens.take` returns them, and what each of these
numbers is, as messages call it: "a weight".
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError
from metaheur.problems.formats.tokens import Tokens

__all__ = ["LARGEST", "decimals", "integer", "integers", "integral", "reals", "scaled"]

LARGEST: Final = 2**31 - 1
"""The largest size that a reader accepts: sizes and indices are 32-bit integers on the devices."""

Integers = npt.NDArray[np.int64]

_LOWEST: Final = int(np.iinfo(np.int64).min)
_HIGHEST: Final = int(np.iinfo(np.int64).max)
_DIGITS: Final = len(str(_HIGHEST))
_PLAIN: Final = re.compile(r"[-+0-9 ]*")  # the characters of integers, joined by blanks
_REAL: Final = re.compile(r"[-+0-9.eE ]*")
_DECIMAL: Final = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,9}))?")
_DIVIDE: Final = "all values can be divided by one factor."


def integers(tokens: Tokens, places: range, what: str, low: int = _LOWEST, high: int = _HIGHEST) -> Integers:
    """Return the integers at places, which must be written without a point or an exponent.

    `places`: from `Tokens.take`. `what`: what each number is. `low`, `high`: bounds of the numbers, both included.
    Returns int64, shape (len(places),). Raises InputError for the first token that is not a 64-bit integer, or is out
    of bounds.
    """
    _require(_PLAIN, tokens, places)
    return integral(tokens, places, what, low, high)


def integral(tokens: Tokens, places: range, what: str, low: int = _LOWEST, high: int = _HIGHEST) -> Integers:
    """Return the integers at places, written in any way: 20, 20.0 or 2e1; otherwise like `integers`."""
    values = _plain(tokens, places)
    if values is None:
        exact = []
        for place in places:
            mantissa, exponent = _decimal(tokens, place)
            if exponent < 0:
                raise _refusal(tokens, place)
            exact.append(mantissa * 10**exponent)
        values = _fitting(tokens, places, exact)
    _check(tokens, places, values, (what, low, high))
    return values


def integer(tokens: Tokens, what: str, low: int = _LOWEST, high: int = _HIGHEST) -> int:
    """Take one token and return its integer; parameters and errors are those of `integers`."""
    return int(integers(tokens, tokens.take(1, f"number: {what}"), what, low, high)[0])


def scaled(tokens: Tokens, places: range, what: str, low: int = _LOWEST) -> tuple[Integers, int]:
    """Return the decimal numbers at places as integers, and the factor by which they were multiplied.

    `places`: from `Tokens.take`. `what`: what each number is. `low`: smallest number accepted. Returns `values`, int64,
    shape (len(places),): the numbers of the file times `factor`. `factor`: the smallest power of ten for which they are
    integers: 1 if the file's are. Raises InputError for the first token that is not a decimal number such as -1.5 or
    2e-3, is too small, or needs more than 64 bits.
    """
    values, factor = _plain(tokens, places), 1
    if values is None:
        parts = [_decimal(tokens, place) for place in places]
        digits = max(0, -min(exponent for _, exponent in parts))
        factor = 10**digits
        values = _fitting(
            tokens, places, [mantissa * 10 ** (exponent + digits) for mantissa, exponent in parts], factor
        )
    _check(tokens, places, values, (what, max(low * factor, _LOWEST), _HIGHEST))
    return values, factor


def reals(tokens: Tokens, places: range) -> npt.NDArray[np.float64]:
    """Return the numbers at places, with or without a point and an exponent, each rounded to the nearest float64.

    Raises InputError for the first token that is not a decimal number, or is too large for float64.
    """
    _require(_REAL, tokens, places)
    try:
        values = np.fromiter(map(float, tokens.at(places)), np.float64, len(places))
    except ValueError:
        wrong = next(place for place in places if not _DECIMAL.fullmatch(tokens.token(place)))
        raise _refusal(tokens, wrong) from None
    if (infinite := np.isinf(values)).any():
        place = places[int(np.argmax(infinite))]
        raise tokens.error(place, f"{tokens.shown(place)} is too large", _DIVIDE)
    return values


def decimals(values: npt.NDArray[np.integer[Any]], factor: int) -> list[str]:
    """Return values / factor written as exact decimal numbers, which `scaled` reads back; factor is a power of ten."""
    digits = len(str(factor)) - 1
    if not digits:
        return [str(value) for value in values.tolist()]
    written = []
    for value in values.tolist():
        units, rest = divmod(abs(value), factor)
        text = f"{units}.{rest:0{digits}d}".rstrip("0").rstrip(".")
        written.append("-" + text if value < 0 else text)
    return written


def _require(letters: re.Pattern[str], tokens: Tokens, places: range) -> None:
    """Refuse the first token that holds other characters."""
    if not letters.fullmatch(" ".join(tokens.at(places))):
        raise _refusal(tokens, next(place for place in places if not letters.fullmatch(tokens.token(place))))


def _plain(tokens: Tokens, places: range) -> Integers | None:
    """The integers at places if all are plain and fit into 64 bits; otherwise None, and a slower way finds out why."""
    if not _PLAIN.fullmatch(" ".join(tokens.at(places))):
        return None
    try:
        return np.fromiter(map(int, tokens.at(places)), np.int64, len(places))
    except (ValueError, OverflowError):
        return None


def _decimal(tokens: Tokens, place: int) -> tuple[int, int]:
    """The mantissa and the decimal exponent of a number with at most 19 digits before and after the point."""
    match = _DECIMAL.fullmatch(tokens.token(place))
    if not match:
        raise _refusal(tokens, place)
    sign, before, after, power = match.groups("")
    digits = (before + after).lstrip("0")
    mantissa = digits.rstrip("0")
    if not mantissa:
        return 0, 0
    exponent = int(power or 0) - len(after) + len(digits) - len(mantissa)
    if len(mantissa) + exponent > _DIGITS:
        raise tokens.error(place, f"{tokens.shown(place)} does not fit into 64 bits", _DIVIDE)
    if len(mantissa) > _DIGITS or -exponent >= _DIGITS:
        reason = f"{tokens.shown(place)} has more digits than fit into 64 bits"
        raise tokens.error(place, reason, "round the numbers.")
    return int(sign + mantissa), exponent


def _fitting(tokens: Tokens, places: range, exact: list[int], factor: int = 1) -> Integers:
    """Integers as an array; an error if one does not fit into 64 bits."""
    for place, value in zip(places, exact, strict=True):
        if not _LOWEST <= value <= _HIGHEST:
            times = f" times {factor}, which makes all of them integers," if factor > 1 else ""
            raise tokens.error(place, f"{tokens.shown(place)}{times} does not fit into 64 bits", _DIVIDE)
    return np.array(exact, np.int64)


def _check(tokens: Tokens, places: range, values: Integers, wanted: tuple[str, int, int]) -> None:
    what, low, high = wanted
    outside = (values < low) | (values > high)
    if not outside.any():
        return
    k = int(np.argmax(outside))
    bounds = f"in {low} ... {high}" if high < _HIGHEST else f"{low} or more"
    maybe = "a number before it is missing, or a size is wrong."
    raise tokens.error(places[k], f"{what} must be {bounds}, but is {tokens.token(places[k])[:40]}", maybe)


def _refusal(tokens: Tokens, place: int) -> InputError:
    if _DECIMAL.fullmatch(tokens.token(place)):
        reason, maybe = "an integer", "one factor for all values makes them integers."
    else:
        reason, maybe = "a number", "the file has another format, or comments that the format does not allow."
    return tokens.error(place, f"{tokens.shown(place)} is not {reason}", maybe)
