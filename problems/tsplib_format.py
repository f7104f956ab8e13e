"""The common format of TSPLIB's files: keywords with values, then sections of numbers.

Keywords stand with or without blanks around their colon; EOF may be missing; keywords that say nothing about distances
are passed over.

Source: G. Reinelt, "TSPLIB 95", Universität Heidelberg, 1995 (section 1 of the documentation).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final, Self, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.problems.files import line_of, read_text
from metaheur.problems.words import Words

__all__ = ["Document"]

_KEYWORD: Final = re.compile(r"^[^\S\n]*([A-Za-z_]\w*)[^\S\n]*(:?)[^\S\n]*(.*)$", re.MULTILINE | re.ASCII)
_KEYWORDS: Final = (
    "NAME",
    "TYPE",
    "COMMENT",
    "DIMENSION",
    "EDGE_WEIGHT_TYPE",
    "EDGE_WEIGHT_FORMAT",
    "EDGE_DATA_FORMAT",
    "NODE_COORD_TYPE",
    "DISPLAY_DATA_TYPE",
)


@final
@frozen(eq=False)
class Document:
    """A file of TSPLIB, whatever its TYPE; made by `read`.

    Parameters
    ----------
    path : str
        The file, named in errors.
    header : mapping of str to str
        The value of each keyword but COMMENT, in the file's spelling; keywords are in capitals.
    sections : mapping of str to Words
        What stands in each section.
    """

    path: str
    header: Mapping[str, str]
    sections: Mapping[str, Words]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read a file.

        Raises
        ------
        InputError
            If it cannot be read, a keyword or section stands there twice, or words stand where there are none.
        """
        text = read_text(path)
        header: dict[str, str] = {}
        sections: dict[str, Words] = {}
        matches, end = [], len(text)
        for match in _KEYWORD.finditer(text):
            if match[1].upper() == "EOF":
                end = match.start()
                break
            matches.append(match)
        stops = [*(match.start() for match in matches[1:]), end]
        _check_blank(Words.within(path, text, (0, matches[0].start() if matches else end)))
        for match, stop in zip(matches, stops, strict=bool(matches)):
            key = match[1].upper()
            where = f"{path}, line {line_of(text, match.start())}"
            if key in header or key in sections:
                raise InputError(f"{where}: {key} stands there twice.", "the file was joined from two: keep one.")
            if key.endswith("_SECTION"):
                sections[key] = Words.within(path, text, (match.start(3), stop))
                continue
            if not match[2] and key not in _KEYWORDS:
                raise InputError(
                    f"{where}: {match[0].strip()[:40]!r} is neither a keyword nor a number.",
                    "the file has another format: TSPLIB's keywords are followed by a colon.",
                )
            _check_blank(Words.within(path, text, (match.end(), stop)))
            if key != "COMMENT":
                header[key] = match[3].strip()
        return cls(str(path), header, sections)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        """The first word of a keyword's value, in capitals; an InputError unless it is one of the choices."""
        if not self.header.get(key):
            raise InputError(f"{self.path} has no {key}.", f"add a line {key} : {choices[0]}.")
        word = self.header[key].split()[0].upper()  # TYPE: TSP (M.~Hofmeister) is found in the library
        if word not in choices:
            raise InputError(
                f"{self.path} has the {key} {word[:40]!r}, which is not read.", f"use one of {', '.join(choices)}."
            )
        return word

    def dimension(self) -> int:
        """The number of cities; an InputError unless DIMENSION states one in 1 ... 999999999."""
        value = self.header.get("DIMENSION")
        if value is None:
            raise InputError(f"{self.path} has no DIMENSION.", "add a line DIMENSION : with the number of cities.")
        if not re.fullmatch(r"\+?[0-9]{1,9}", value, re.ASCII) or int(value) < 1:
            raise InputError(
                f"{self.path} has the DIMENSION {value[:40]!r}, which is not in 1 ... 999999999.",
                "it is the number of cities.",
            )
        return int(value)

    def section(self, name: str) -> Words:
        """What stands in a section; an InputError if the file has none of this name."""
        if name not in self.sections:
            raise InputError(f"{self.path} has no {name}.", "it was not downloaded or written to its end.")
        return self.sections[name]


def _check_blank(words: Words) -> None:
    if words.left:
        raise words.error(0, f"{words.shown(0)} stands outside any section", "a section's name is missing.")
