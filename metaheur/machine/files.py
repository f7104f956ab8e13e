"""Files of unknown origin: read only if they are regular and fit into memory, replaced at once or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import get_native_id
from typing import Any, BinaryIO, Final

from metaheur.machine.memory import usable

__all__ = ["alone_in", "from_json", "open_regular", "read_regular", "replace_file", "try_to_write"]

_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file to read its bytes; the path may be a symbolic link to it.

    Other kinds are refused: a pipe may block, and a device may never end.
    """
    _require_regular(Path(path).stat())
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # the path may lead to a pipe by now
    try:
        _require_regular(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def read_regular(path: str | os.PathLike[str], each: int) -> bytes:
    """Read a regular file, if there is memory for the objects made from it.

    `each`: the most bytes of memory that a byte of the file needs.
    """
    limit = usable() // each
    with open_regular(path) as file:
        length = os.fstat(file.fileno()).st_size
        content = file.read(length + 1) if length <= limit else b""  # to read more would reserve memory for it
        if len(content) > length:  # it grew meanwhile, or has no length, as in /proc
            content += file.read(limit + 1 - len(content))
    if max(length, len(content)) > limit:
        raise OSError(f"it is longer than {limit:,} bytes, and there is no memory to read more")
    return content


def from_json(text: str | bytes) -> Any:
    """What a text of JSON holds."""
    import json

    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def replace_file(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it; symbolic links to the file stay."""
    target = Path(os.path.realpath(path))
    with suppress(FileNotFoundError):
        _require_regular(target.stat())
    temporary = target.with_name(f".{target.name}.{get_native_id()}.tmp")
    try:
        temporary.unlink(missing_ok=True)  # a killed thread with the same number may have left it
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder: other threads and processes that want to hold it wait.

    Where the operating system or the file system cannot lock folders, nobody waits.
    """
    with ExitStack() as held:
        with suppress(ImportError, OSError):
            from fcntl import LOCK_EX, flock  # not on Windows

            descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            held.callback(os.close, descriptor)
            flock(descriptor, LOCK_EX)
        yield


def try_to_write(path: Path) -> None:
    """Find out whether a file can be written, and leave everything as it is."""
    target = Path(os.path.realpath(path))
    try:
        _require_regular(target.stat())
    except FileNotFoundError:
        with target.open("xb"):
            pass
        target.unlink()
    else:
        os.close(os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC))


def _require_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"it is {_KINDS.get(stat.S_IFMT(status.st_mode), 'something else')}, not a regular file")
