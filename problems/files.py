"""Instance files as text, and the numbers in them: what all readers share.

Files compressed with gzip are read as they are, whatever their name; line ends of any system and a byte order mark are
accepted. A number that cannot be used is named with the line on which it stands.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from metaheur.errors import InputError

__all__ = ["integers", "line_of", "read_text", "reals", "write_text"]

LARGEST: Final = 2**53
_PLAIN: Final = re.compile(r"[0-9eE+\-.\s]*", re.ASCII)
_REAL: Final = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
_WORD: Final = re.compile(r"\S+")

Span = tuple[int, int]


def read_text(path: str | os.PathLike[str]) -> str:
    r"""Read a text file, decompressed where it is compressed, with line ends "\n".

    Bytes that are no UTF-8 are shown as escapes: comments may hold them, numbers cannot.

    Raises
    ------
    InputError
        If the file does not exist, cannot be read, is damaged, or holds nothing but white space.
    """
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
    text = content.decode("utf-8-sig", errors="backslashreplace").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError(f"{path} is empty.", "it was not downloaded or written to its end.")
    return text


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file as UTF-8; a file there is replaced.

    Raises
    ------
    InputError
        If it cannot be written.
    """
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be written: {error}.", "its folder does not exist yet.") from error


def line_of(text: str, position: int) -> int:
    """The number of the line, from 1, on which a position of the text lies."""
    return 1 + text.count("\n", 0, position)


def reals(text: str, span: Span, path: str | os.PathLike[str]) -> npt.NDArray[np.float64]:
    """The numbers between two positions of a text, separated by white space.

    Parameters
    ----------
    text : str
        The text of a file, as `read_text` returns it.
    span : tuple of two int
        The first position, and the one after the last.
    path : path-like
        Named in errors.

    Raises
    ------
    InputError
        If a word is not a finite decimal number, with or without an exponent.
    """
    words = text[slice(*span)].split()
    if _PLAIN.fullmatch(text, *span):
        try:
            values = np.fromiter(map(float, words), np.float64, len(words))
        except ValueError:
            pass
        else:
            if np.isfinite(values).all():
                return values
    for match in _WORD.finditer(text, *span):
        word = match.group()
        if not _REAL.fullmatch(word):
            raise _refusal(text, match, path, "is not a number", "the file has another format, or is damaged.")
        if not np.isfinite(float(word)):
            raise _refusal(text, match, path, "is too large", "all values can be divided by one factor.")
    raise InputError(f"{path} holds white space that is none of ASCII.", "write blanks, tabulators and line ends.")


def integers(text: str, span: Span, path: str | os.PathLike[str]) -> npt.NDArray[np.int64]:
    """The whole numbers between two positions of a text; parameters as those of `reals`.

    Raises
    ------
    InputError
        If a word is not a number, not whole, or beyond -2**53 ... 2**53.
    """
    values = reals(text, span, path)
    wrong = np.flatnonzero((values != np.floor(values)) | (np.abs(values) > LARGEST))
    if not wrong.size:
        return values.astype(np.int64)
    match = list(_WORD.finditer(text, *span))[wrong[0]]
    if abs(values[wrong[0]]) > LARGEST:
        raise _refusal(text, match, path, "lies beyond ±2**53", "all values can be divided by one factor.")
    raise _refusal(text, match, path, "is not an integer", "one factor for all values makes them integers.")


def _refusal(text: str, match: re.Match[str], path: object, reason: str, maybe: str) -> InputError:
    word = match.group()
    shown = word if len(word) <= 40 else word[:40] + "..."
    return InputError(f"{path}, line {line_of(text, match.start())}: {shown!r} {reason}.", maybe)
