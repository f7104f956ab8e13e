"""The tokens of an instance file, taken one after the other; every error names the file and the line.

Tokens are separated by white space of any kind. `metaheur.problems.formats.numbers` turns them into numbers.
"""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import Final, Self, final

from attrs import define, field

from metaheur.errors import InputError
from metaheur.problems.formats.files import line_of, read_text

__all__ = ["Tokens"]

_TOKEN: Final = re.compile(r"\S+")


@final
@define(eq=False)
class Tokens:
    """The tokens of an instance file, or of a part of it, and how many of them are taken; made by `read` or `within`.

    A place is the index of a token. `take` returns the next places as a range, which may be sliced: the columns of a
    table are ``places[0::3]``, ``places[1::3]`` ... An error is an `InputError` that names the file and the line.
    """

    path: str
    _text: str = field(repr=False)
    _span: tuple[int, int] = field(repr=False)
    _tokens: list[str] = field(repr=False)
    _next: int = 0

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, commas: bool = False, comments: str = "") -> Self:
        """Read a file.

        `path`: the file. `commas`: whether commas separate tokens, as white space does. `comments`: characters: a line
        whose first character other than white space is one of them is passed over. Raises InputError if `read_text`
        refuses the file, or it holds no token.
        """
        text = read_text(path)
        if commas:
            text = text.replace(",", " ")
        if comments:
            text = re.sub(rf"^[^\S\n]*[{re.escape(comments)}].*$", "", text, flags=re.MULTILINE)
        tokens = cls.within(path, text, (0, len(text)))
        if not tokens.left:
            raise InputError(f"{path} is empty, except for comments.", "it was not downloaded or written to its end.")
        return tokens

    @classmethod
    def within(cls, path: str | os.PathLike[str], text: str, span: tuple[int, int]) -> Self:
        """Return the tokens of a part of a file.

        `path`: the file, named in errors. `text`: the whole file, as `read_text` returns it: errors count lines in it.
        `span`: the position in the text where the part begins, and the one where it ends.
        """
        return cls(str(path), text, span, text[slice(*span)].split())

    @property
    def left(self) -> int:
        """Number of tokens not yet taken."""
        return len(self._tokens) - self._next

    @property
    def on_first_line(self) -> int:
        """Number of tokens on the first line that has any."""
        return len(self._text[slice(*self._span)].lstrip().partition("\n")[0].split())

    @property
    def widths(self) -> list[int]:
        """Number of tokens on each line that has any."""
        return [width for line in self._text[slice(*self._span)].split("\n") if (width := len(line.split()))]

    def take(self, count: int, what: str) -> range:
        """Return the next `count` places.

        Raises InputError if fewer tokens are left; `what` says what they are: "expected 5 capacities, found 3".
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
        """Return all places that are left; there may be none."""
        return self.take(self.left, "tokens")

    def finish(self, what: str) -> None:
        """Raise an InputError if tokens are left after `what`, which should be the last of them."""
        if self.left:
            raise self.error(
                self._next,
                f"{self.shown(self._next)} follows {what}, where the file should end ({self.left} tokens too many)",
                "a size in it is wrong, or it holds more than one instance.",
            )

    def at(self, places: range) -> list[str]:
        """Return the tokens at places."""
        return self._tokens[places.start : places.stop : places.step]

    def token(self, place: int) -> str:
        """Return the word at a place."""
        return self._tokens[place]

    def shown(self, place: int) -> str:
        """Return the token at a place as messages show it: in quotes, no more than 40 characters of it."""
        word = self._tokens[place]
        return repr(word if len(word) <= 40 else word[:40] + "...")

    def error(self, place: int, reason: str, maybe: str = "") -> InputError:
        """Return an error to be raised, which names the file, the line of the place and the reason (no full stop)."""
        return InputError(f"{self.path}, line {self._line(place)}: {reason}.", maybe)

    def keyword(self, places: range, expected: str) -> None:
        """Raise an InputError unless the token at each place is `expected`."""
        for place in places:
            if self._tokens[place] != expected:
                raise self.error(
                    place,
                    f"'{expected}' is expected, but {self.shown(place)} is found",
                    "a number before it is missing.",
                )

    def _line(self, place: int) -> int:
        match = next(islice(_TOKEN.finditer(self._text, *self._span), place, None))
        return line_of(self._text, match.start())
