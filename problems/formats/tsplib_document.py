"""The format of all files of TSPLIB: keywords with values, then sections of numbers.

Blanks around the colon of a keyword are optional, and so is EOF. Unknown keywords are passed over.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 1 of the documentation).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Final, Self, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.formats.files import line_of, read_text
from metaheur.problems.formats.tokens import Tokens

__all__ = ["Document"]

_KEYWORD: Final = re.compile(r"^[^\S\n]*([A-Za-z_]\w*)[^\S\n]*(:?)[^\S\n]*(.*)$", re.MULTILINE | re.ASCII)
_KEYWORDS: Final = (
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "CAPACITY",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "EDGE_DATA_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
)


@final
@frozen(eq=False)
class Document:
    """The keywords and sections of a file of TSPLIB, of any TYPE; made by `read`.

    Parameters
    ----------
    path : str
        The file, named in errors.
    header : mapping of str to str
        The value of each keyword except COMMENT, as the file spells it, by the keyword in capitals.
    sections : mapping of str to Tokens
        The tokens of each section, by its name in capitals.
    """

    path: str
    header: Mapping[str, str]
    sections: Mapping[str, Tokens]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file.

        Raises InputError if it cannot be read, or holds a keyword or section twice, or tokens outside of any section.
        """
        text = read_text(path)
        header: dict[str, str] = {}
        sections: dict[str, Tokens] = {}
        for match, stop in _entries(text):
            if match is None:
                _check_blank(Tokens.within(path, text, (0, stop)))
                continue
            key = match[1].upper()
            if key in header or key in sections:
                raise InputError(
                    f"{path}, line {line_of(text, match.start())}: {key} is listed twice.",
                    "two files were joined: keep one of them.",
                )
            if key.endswith("_SECTION"):
                sections[key] = Tokens.within(path, text, (match.start(3), stop))
                continue
            if not match[2] and key not in _KEYWORDS:
                raise InputError(
                    f"{path}, line {line_of(text, match.start())}: {match[0].strip()[:40]!r} is neither a keyword nor "
                    "a number.",
                    "the file has another format: in TSPLIB's a colon follows a keyword.",
                )
            _check_blank(Tokens.within(path, text, (match.end(), stop)))
            if key != "COMMENT":
                header[key] = match[3].strip()
        return cls(str(path), header, sections)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """Return the first word of a keyword's value, in capitals; an InputError unless it is one of the choices."""
        if not self.header.get(key):
            raise InputError(f"{self.path} does not state the {key}.", f"add a line {key} : {choices[0]}.")
        word = self.header[key].split()[0].upper()  # TYPE: TSP (M.~Hofmeister) is found in the library
        if word not in choices:
            raise InputError(
                f"{self.path}: {key} must be {' or '.join(choices)}, but is {word[:40]!r}.",
                "the file is of a problem or of a kind that is not supported.",
            )
        return word

    def dimension(self) -> int:
        """Return the number of cities; an InputError unless DIMENSION is a number in 1 ... 999999999."""
        return self.positive("DIMENSION", 9, "the number of cities", "the number of cities")

    def positive(self, key: str, digits: int, meaning: str, number: str) -> int:
        """Return a number of the header, above 0 and with so many digits at most; an InputError unless it is one.

        `key`: the key, such as "DIMENSION". `digits`: the most digits. `meaning`, `number`: for the ways out: what the
        number says, and what to write instead of another text.
        """
        value = self.header.get(key)
        if value is None:
            raise InputError(f"{self.path} does not state the {key}.", f"add a line {key} : with {meaning}.")
        if not re.fullmatch(rf"\+?[0-9]{{1,{digits}}}", value, re.ASCII) or int(value) < 1:
            raise InputError(
                f"{self.path}: {key} must be in 1 ... {'9' * digits}, but is {value[:40]!r}.", f"write {number}."
            )
        return int(value)

    def section(self, name: str) -> Tokens:
        """Return the tokens of a section; an InputError if the file does not hold it."""
        if name not in self.sections:
            raise InputError(
                f"{self.path} does not hold the section {name}.", "it was not downloaded or written to its end."
            )
        return self.sections[name]


def _entries(text: str) -> Iterator[tuple[re.Match[str] | None, int]]:
    """Each keyword with the position of the next one; first None with the position of the first keyword."""
    entry, end = None, len(text)
    for match in _KEYWORD.finditer(text):
        if match[1].upper() == "EOF":
            end = match.start()
            break
        yield entry, match.start()
        entry = match
    yield entry, end


def _check_blank(tokens: Tokens) -> None:
    if tokens.left:
        raise tokens.error(0, f"{tokens.shown(0)} is outside of any section", "the name of a section is missing.")
