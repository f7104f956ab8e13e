"""Instance files as text: read whatever their compression and line ends, and written.

Files compressed with gzip are decompressed, whatever their name; line ends of any system and a byte-order mark are
accepted. A file may be as long as there is memory to read it, decompressed, and no longer.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from metaheur.errors import InputError, nearest_word
from metaheur.machine.files import open_regular
from metaheur.machine.memory import usable
from metaheur.validate import whole

__all__ = ["chosen", "file_of", "line_of", "read_bytes", "read_text", "write_lines"]

T = TypeVar("T")

_MEMORY: Final = 48  # bytes that reading takes, at most, for each byte of a file: a token is an object
_BLOCK: Final = 2**20
_MOST: Final = 10_000  # files of a folder that are looked at for a similar name


def file_of(path: str | os.PathLike[str], name: str = "path") -> Path:
    """Return a path as a Path; `name` is what the message calls it. Raises InputError if it is not a path."""
    try:
        return Path(path)
    except TypeError:
        raise InputError(f"`{name}` must be a path, but is {path!r}.", "write it in quotes.") from None


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a file, decompressed if it is compressed.

    Raises InputError if the file does not exist, cannot be read, is damaged, or is too long for the memory of this
    machine.
    """
    file, limit = file_of(path), usable() // _MEMORY
    blocks, size = [], 0
    try:
        with open_regular(file) as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            content = gzip.GzipFile(fileobj=raw) if packed else raw
            while size <= limit and (block := content.read(_BLOCK)):
                blocks.append(block)
                size += len(block)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist.", _way_to(file)) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is damaged: {error}.", "it was not downloaded to its end.") from error
    except (OSError, ValueError) as error:
        way = "name a file in it." if file.is_dir() else "you may not read it."
        raise InputError(f"{path} cannot be read: {error}.", way) from error
    if size > limit:
        raise InputError(
            f"{path} is longer than {limit:,} bytes, and there is no memory to read more.",
            "it is not an instance, or it needs a machine with more memory.",
        )
    return b"".join(blocks)


def _way_to(file: Path) -> str:
    """Where a file that does not exist may be: the file in its folder with the name most like its own."""
    try:
        near = nearest_word(file.name, (each.name for each in islice(file.parent.iterdir(), _MOST)))
    except (OSError, ValueError):
        near = ""
    return f"you mean {file.with_name(near)}." if near else "it is in another folder than the current one."


def read_text(path: str | os.PathLike[str]) -> str:
    r"""Read a text file, decompressed if it is compressed, with line ends "\n".

    Bytes that are not UTF-8 are shown as escapes: comments may hold them, numbers cannot.

    Raises InputError if `read_bytes` refuses the file, or it holds nothing but white space.
    """
    text = read_bytes(path).decode("utf-8-sig", errors="backslashreplace").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise InputError(f"{path} is empty.", "it was not downloaded or written to its end.")
    return text


def write_lines(path: str | os.PathLike[str], lines: Iterable[str]) -> None:
    r"""Write lines as UTF-8, each ended by "\n"; a file there is replaced.

    Raises InputError if the file cannot be written.
    """
    file = file_of(path)
    try:
        file.write_bytes("".join(line + "\n" for line in lines).encode())
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be written: {error}.", "its folder does not exist yet.") from error


def line_of(text: str, position: int) -> int:
    """The number of the line, from 1, on which a position of the text lies."""
    return 1 + text.count("\n", 0, position)


def chosen(path: str | os.PathLike[str], instances: Sequence[T], number: Any) -> T:
    """Return one of the instances of a file.

    `path`: the file, named in errors. `instances`: all of its instances. `number`: which of them, counted from 1.
    Raises InputError if the file does not hold so many.
    """
    count = len(instances)
    holds = "1 instance" if count == 1 else f"{count} instances"
    return instances[whole(number, "number", 1, count, maybe=f"it is of another file: {path} holds {holds}.") - 1]
