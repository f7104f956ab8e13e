"""Instance files made of words between white space, mostly numbers: read with the line of every offence, and written.

Any white space and line ends of any system are accepted, as is a byte-order mark; files compressed with gzip are read
as they are, whatever their name.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, Self, final

import numpy as np
import numpy.typing as npt
from attrs import define, field

from metaheur.errors import InputError

__all__ = ["LARGEST", "Numbers", "decimals", "write_text"]

LARGEST: Final = 2**31 - 1
"""The largest size that a reader accepts: sizes and indices are 32-bit integers on the devices."""

_INT64: Final = np.iinfo(np.int64)
_WORD: Final = re.compile(r"\S+")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_PLAIN: Final = re.compile(r"[-+0-9 ]*")
_INTEGER: Final = re.compile(r"([+-]?)0*([0-9]+)")
_DECIMAL: Final = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]{1,9}))?")
_DIGITS: Final = len(str(_INT64.max))
_ROUND: Final = "round the numbers, or divide them all by one factor."


@final
@define(eq=False)
class Numbers:
    """The words of an instance file and the place up to which they are read.

    A place is the index of a word. `take` hands out the next places as a range, which may be sliced (the columns of a
    table are ``places[0::3]``, ``places[1::3]`` ...); `whole` and `scaled` turn places into numbers. What goes wrong is
    an `InputError` that names the file and the line.
    """

    path: str
    _text: str = field(repr=False)
    _words: list[str] = field(repr=False)
    _next: int = 0

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, commas: bool = False, comments: str = "") -> Self:
        """Read a file.

        Parameters
        ----------
        path : path-like
            The file.
        commas : bool, default False
            Whether commas separate words as white space does.
        comments : str, default ""
            Characters: a line whose first character other than white space is one of these is left out.

        Raises
        ------
        InputError
            If the file does not exist, cannot be read or decompressed, or holds no word.
        """
        text = _read_text(path)
        if commas:
            text = text.replace(",", " ")
        if comments:
            lines = _LINE_END.split(text)
            text = "\n".join("" if line.lstrip()[:1] in comments else line for line in lines)
        words = text.split()
        if not words:
            raise InputError(f"{path} is empty.", "it was not downloaded or written to its end.")
        return cls(str(path), text, words)

    @property
    def left(self) -> int:
        """Number of words not yet taken."""
        return len(self._words) - self._next

    @property
    def on_first_line(self) -> int:
        """Number of words on the first line that has any."""
        return len(_LINE_END.split(self._text.lstrip(), maxsplit=1)[0].split())

    def take(self, count: int, what: str) -> range:
        """Return the next `count` places.

        Raises
        ------
        InputError
            If fewer words are left; `what` says what they are, as in "expected 5 capacities, found 3".
        """
        if count > self.left:
            where = f"from line {self._line(self._next)} on" if self.left else "at its end"
            raise InputError(
                f"{self.path} is truncated: {where}, expected {count} {what}, found {self.left}.",
                "a size in it is wrong, or it was not downloaded or written to its end.",
            )
        self._next += count
        return range(self._next - count, self._next)

    def rest(self) -> range:
        """Return all places that are left, perhaps none."""
        return self.take(self.left, "words")

    def finish(self, what: str) -> None:
        """Raise an InputError if words are left after `what`, the last thing in the file."""
        if self.left:
            raise self.error(
                self._next,
                f"{self.shown(self._next)} stands after {what}, where the file should end ({self.left} too many)",
                "a size in it is wrong, or it holds more than one instance.",
            )

    def word(self, place: int) -> str:
        """Return the word at a place."""
        return self._words[place]

    def shown(self, place: int) -> str:
        """Return the word at a place as a message shows it: in quotes, cut after 40 characters."""
        word = self._words[place]
        return repr(word if len(word) <= 40 else word[:40] + "...")

    def error(self, place: int, reason: str, maybe: str = "") -> InputError:
        """Return, to be raised, the error that names the file, the line of the place and the reason (no full stop)."""
        return InputError(f"{self.path}, line {self._line(place)}: {reason}.", maybe)

    def keyword(self, places: range, expected: str) -> None:
        """Raise an InputError unless the word `expected` stands at each place."""
        words = self._words[places.start : places.stop : places.step]
        if words.count(expected) != len(places):
            place = next(place for place, word in zip(places, words, strict=True) if word != expected)
            raise self.error(
                place, f"{self.shown(place)} stands where '{expected}' is expected", "a number before it is missing."
            )

    def whole(self, places: range, what: str, low: int = _INT64.min, high: int = _INT64.max) -> npt.NDArray[np.int64]:
        """Return the integers at places.

        Parameters
        ----------
        places : range
            From `take`.
        what : str
            What each number is, as messages call it: "a weight".
        low, high : int, default the range of int64
            Bounds of the numbers, both included.

        Raises
        ------
        InputError
            For the first word that is no 64-bit integer, or lies outside the bounds.
        """
        values = self._plain(places)
        if values is None:
            values = np.array([self._integer(place) for place in places], np.int64)
        self._check(values, places, what, low, high)
        return values

    def integer(self, what: str, low: int = _INT64.min, high: int = _INT64.max) -> int:
        """Take one word and return its integer; parameters and errors as for `whole`."""
        return int(self.whole(self.take(1, f"number: {what}"), what, low, high)[0])

    def scaled(self, places: range, what: str, low: int = _INT64.min) -> tuple[npt.NDArray[np.int64], int]:
        """Return the decimal numbers at places, exactly, as integers and the factor that made them integers.

        Parameters
        ----------
        places : range
            From `take`.
        what : str
            What each number is, as messages call it: "a weight".
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
        values = self._plain(places)
        factor = 1
        if values is None:
            parts = [self._decimal(place) for place in places]
            digits = max(0, -min(exponent for _, exponent in parts))
            factor = 10**digits
            exact = [mantissa * 10 ** (exponent + digits) for mantissa, exponent in parts]
            for place, value in zip(places, exact, strict=True):
                if not _INT64.min <= value <= _INT64.max:
                    times = f" times {factor}, which makes all of them integers," if digits else ""
                    raise self.error(place, f"{self.shown(place)}{times} lies beyond 64-bit integers", _ROUND)
            values = np.array(exact, np.int64)
        self._check(values, places, what, max(low * factor, int(_INT64.min)), _INT64.max)
        return values, factor

    def _line(self, place: int) -> int:
        match = next(islice(_WORD.finditer(self._text), place, None))
        return 1 + len(_LINE_END.findall(self._text, 0, match.start()))

    def _plain(self, places: range) -> npt.NDArray[np.int64] | None:
        """The integers at places if all are written plainly and fit, found fast; None sends to the slow way."""
        words = self._words[places.start : places.stop : places.step]
        if _PLAIN.fullmatch(" ".join(words)):
            try:
                return np.array([int(word) for word in words], np.int64)
            except (ValueError, OverflowError):
                return None
        return None

    def _integer(self, place: int) -> int:
        word = self._words[place]
        if match := _INTEGER.fullmatch(word):
            sign, digits = match.groups()
            if len(digits) <= 19 and _INT64.min <= (number := int(sign + digits)) <= _INT64.max:
                return number
            raise self.error(
                place, f"{self.shown(place)} lies beyond 64-bit integers", "all values can be divided by one factor."
            )
        if _is_real(word):
            raise self.error(
                place, f"{self.shown(place)} is not an integer", "one factor for all values makes them integers."
            )
        raise self._no_number(place)

    def _decimal(self, place: int) -> tuple[int, int]:
        """The mantissa and the decimal exponent of the number at a place."""
        match = _DECIMAL.fullmatch(self._words[place])
        if not match:
            raise self._no_number(place)
        sign, before, after, power = match.groups()
        digits = (before + after).lstrip("0")
        mantissa = digits.rstrip("0")
        if not mantissa:
            return 0, 0
        exponent = int(power or 0) - len(after) + len(digits) - len(mantissa)
        if len(mantissa) > _DIGITS or abs(exponent) >= _DIGITS:
            raise self.error(place, f"{self.shown(place)} has more digits than 64-bit integers hold", _ROUND)
        return int(sign + mantissa), exponent

    def _no_number(self, place: int) -> InputError:
        return self.error(
            place, f"{self.shown(place)} is not a number", "the file has another format, or comments where none may be."
        )

    def _check(self, values: npt.NDArray[np.int64], places: range, what: str, low: int, high: int) -> None:
        outside = (values < low) | (values > high)
        if outside.any():
            place = places[int(np.argmax(outside))]
            bounds = f"{low} ... {high}" if high < _INT64.max else f"at least {low}"
            if high == _INT64.max and low == 0:
                reason = f"{what} is {self.word(place)}, which is negative"
            else:
                reason = f"{what} is {self.word(place)}, which is not {'in ' if high < _INT64.max else ''}{bounds}"
            raise self.error(place, reason, "a number before it is missing, or a size is wrong.")


def decimals(values: npt.NDArray[np.integer[Any]], factor: int) -> list[str]:
    """Return values / factor as exact decimal numbers, which `Numbers.scaled` reads back; factor is a power of ten."""
    digits = len(str(factor)) - 1
    if not digits:
        return [str(value) for value in values.tolist()]
    written = []
    for value in values.tolist():
        whole, rest = divmod(abs(value), factor)
        text = f"{whole}.{rest:0{digits}d}".rstrip("0").rstrip(".")
        written.append("-" + text if value < 0 else text)
    return written


def write_text(path: str | os.PathLike[str], lines: Sequence[str]) -> None:
    """Write lines of ASCII text, each ended by a newline; a file there is replaced.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        Path(path).write_text("".join(line + "\n" for line in lines), encoding="ascii", newline="\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be written: {error}.", "its folder does not exist yet.") from error


def _read_text(path: str | os.PathLike[str]) -> str:
    try:
        content = Path(path).read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist.", f"it is in another folder than {Path.cwd()}.") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is damaged: {error}.", "it was not downloaded to its end.") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}.", "it is a folder, or closed to you.") from error
    return content.decode("utf-8-sig", errors="backslashreplace")


def _is_real(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
