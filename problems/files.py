"""Instance files as text: read whatever their compression and line ends, and written.

Files compressed with gzip are read as they are, whatever their name; line ends of any system and a byte-order mark are
accepted.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable
from pathlib import Path

from metaheur.errors import InputError

__all__ = ["line_of", "read_text", "write_lines"]


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


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    r"""Write lines as UTF-8, each ended by "\n"; a file there is replaced.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    try:
        Path(path).write_bytes("".join(line + "\n" for line in lines).encode())
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be written: {error}.", "its folder does not exist yet.") from error


def line_of(text: str, position: int) -> int:
    """The number of the line, from 1, on which a position of the text lies."""
    return 1 + text.count("\n", 0, position)
