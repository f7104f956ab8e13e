"""The words of an instance file, taken one after the other, so that every offence is named with its line.

Words stand between white space of any kind. `metaheur.problems.numbers` turns them into numbers.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import Final, Self, final

from attrs import define, field

from metaheur.errors import InputError
from metaheur.problems.files import line_of, read_text

__all__ = ["Words"]

_WORD: Final = re.compile(r"\S+")


@final
@define(eq=False)
class Words:
    """The words of an instance file, or of a part of it, and the place up to which they are taken.

    A place is the index of a word. `take` hands out the next places as a range, which may be sliced: the columns of a
    table are ``places[0::3]``, ``places[1::3]`` ... What goes wrong is an `InputError` that names the file and the
    line. Made by `read` or `within`.
    """

    path: str
    _text: str = field(repr=False)
    _span: tuple[int, int] = field(repr=False)
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
            If `metaheur.problems.files.read_text` refuses the file, or it holds no word.
        """
        text = read_text(path)
        if commas:
            text = text.replace(",", " ")
        if comments:
            text = "\n".join("" if line.lstrip()[:1] in comments else line for line in text.split("\n"))
        words = cls.within(path, text, (0, len(text)))
        if not words.left:
            raise InputError(f"{path} is empty, comments apart.", "it was not downloaded or written to its end.")
        return words

    @classmethod
    def within(cls, path: str | os.PathLike[str], text: str, span: tuple[int, int]) -> Self:
        """The words of a part of a file.

        Parameters
        ----------
        path : path-like
            The file, named in errors.
        text : str
            All of the file, as `metaheur.problems.files.read_text` returns it: the lines of errors are counted in it.
        span : tuple of two int
            The position in the text where the part begins, and the one after its last.
        """
        return cls(str(path), text, span, text[slice(*span)].split())

    @property
    def left(self) -> int:
        """Number of words not yet taken."""
        return len(self._words) - self._next

    @property
    def on_first_line(self) -> int:
        """Number of words on the first line that has any."""
        return len(self._text[slice(*self._span)].lstrip().partition("\n")[0].split())

    def take(self, count: int, what: str) -> range:
        """Return the next `count` places.

        Raises
        ------
        InputError
            If fewer words are left; `what` says what they are, as in "expected 5 capacities, found 3".
        """
        if count > self.left:
            stop = self._span[1]
            if self.left:
                where = f"from line {self._line(self._next)} on"
            else:
                where = "at its end" if stop == len(self._text) else f"before line {line_of(self._text, stop)}"
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
        """Raise an InputError if words are left after `what`, the last thing that is due."""
        if self.left:
            raise self.error(
                self._next,
                f"{self.shown(self._next)} stands after {what}, where nothing else is due ({self.left} too many)",
                "a size in it is wrong, or it holds more than one instance.",
            )

    def at(self, places: range) -> list[str]:
        """Return the words at places."""
        return self._words[places.start : places.stop : places.step]

    def word(self, place: int) -> str:
        """Return the word at a place."""
        return self._words[place]

    def shown(self, place: int) -> str:
        """Return the word at a place as messages show it: in quotes, cut after 40 characters."""
        word = self._words[place]
        return repr(word if len(word) <= 40 else word[:40] + "...")

    def error(self, place: int, reason: str, maybe: str = "") -> InputError:
        """Return, to be raised, the error that names the file, the line of the place and the reason (no full stop)."""
        return InputError(f"{self.path}, line {self._line(place)}: {reason}.", maybe)

    def keyword(self, places: range, expected: str) -> None:
        """Raise an InputError unless the word `expected` stands at each place."""
        for place in places:
            if self._words[place] != expected:
                raise self.error(
                    place,
                    f"{self.shown(place)} stands where '{expected}' is expected",
                    "a number before it is missing.",
                )

    def _line(self, place: int) -> int:
        match = next(islice(_WORD.finditer(self._text, *self._span), place, None))
        return line_of(self._text, match.start())
