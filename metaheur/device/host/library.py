"""Compiled units in the cache: built once, and verified whenever they are loaded.

A unit and its checksum are one file, so that one rename makes both appear at once. The checksum is the file's last
bytes, where a loader does not look; it covers the unit's key as well, so that no unit can stand for another.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock, Semaphore

from metaheur.device.host.compiler import Compiler, find_compiler
from metaheur.device.host.private import is_private, require_private
from metaheur.device.host.workplace import sweep, workplace
from metaheur.errors import CompileError, DeviceError
from metaheur.machine.ahead import compiler_begins
from metaheur.machine.cache import cache_folder
from metaheur.machine.processors import cores

__all__ = ["build", "kept", "load", "make_private"]

CHECKSUM_BYTES = 32

LARGEST = 1 << 28
"""Bytes of a unit, at most; none comes near."""

_BUILDING: dict[Path, Lock] = {}
"""The units of this process, each with a lock, so that one thread builds it and others wait."""

_COMPILERS: dict[int, Semaphore] = {}
"""For each number of cores, the queue that lets as many compilers run at a time, in the order of their arrival."""


def _forget() -> None:
    """After a fork: a thread that holds a lock is not there any more."""
    _BUILDING.clear()
    _COMPILERS.clear()


os.register_at_fork(after_in_child=_forget)


def load(text: str, extra: tuple[str, ...] = ()) -> ctypes.CDLL:
    """Load a compiled unit; build it first where the cache does not hold it in one piece.

    `text`: the whole translation unit. `extra`: flags beside those of every unit, such as "-fopenmp".
    """
    library = build(text, extra)
    try:
        return ctypes.CDLL(str(library))
    except OSError as error:
        raise DeviceError(
            f"The compiled unit {library} cannot be loaded: {error}.",
            "its file system allows no programs (noexec): set METAHEUR_CACHE to a folder on another one.",
        ) from error


def build(text: str, extra: tuple[str, ...] = ()) -> Path:
    """The library of a unit in the cache, verified; built where it is missing or damaged.

    Takes and raises what `load` does.
    """
    compiler = find_compiler()
    made_by = repr((compiler.flags, extra, compiler.identity))
    key = hashlib.sha256((made_by + text).encode()).hexdigest()[:32]
    return kept(f"{key}.so", partial(_compile, compiler, text, extra))


def kept(name: str, build: Callable[[Path], Path]) -> Path:
    """The file of this name in the cache, verified; built where it is missing or damaged.

    `name`: a digest of everything that the file depends on, and a suffix. `build`: makes the file in an empty folder,
    and returns its path. Of threads that want the same file at once, one builds it. Processes do not meet: each renames
    a whole file. Raises DeviceError if the cache cannot hold it.
    """
    file = cache_folder() / name
    try:
        lock = _BUILDING.setdefault(file, Lock())
        if lock.locked():
            compiler_begins()  # another thread's
        with lock:
            _require_built_again(file, build)
    except OSError as error:
        raise DeviceError(
            f"The compiled unit {file} cannot be kept in the cache: {error}.",
            "make room there, or set METAHEUR_CACHE to a folder of your own that can be written.",
        ) from error
    return file


def _require_built_again(file: Path, build: Callable[[Path], Path]) -> None:
    """Build a file where the cache does not hold it in one piece; once more if the cache is deleted meanwhile."""
    try:
        _require_built(file, build)
    except (CompileError, OSError):
        if file.parent.exists():
            raise
        _require_built(file, build)


def _require_built(file: Path, build: Callable[[Path], Path]) -> None:
    """Build a file where the cache does not hold it in one piece."""
    make_private(file.parent)
    require_private(file.parent)
    if not _is_sound(file):
        sweep(file.parent)
        with workplace(file.parent) as folder:
            _seal(build(folder), file)


def make_private(folder: Path) -> None:
    """Create a folder, and those above it, for this user alone, whatever the umask; one that exists stays as it is."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        with suppress(FileExistsError):  # another process was first
            path.mkdir(mode=0o700)
            path.chmod(0o700)


def _is_sound(file: Path) -> bool:
    """Whether this user, or the administrator, built the file for its key, and every byte is as it was then."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)  # a pipe may lie there: never wait for it
        with os.fdopen(descriptor, "rb") as opened:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST or not is_private(status):
                return False
            content = memoryview(opened.read())
    except OSError:
        return False
    return content[-CHECKSUM_BYTES:] == _checksum(file, content[:-CHECKSUM_BYTES])


def _checksum(file: Path, content: bytes | memoryview) -> bytes:
    return hashlib.blake2b(content, digest_size=CHECKSUM_BYTES, key=file.stem.encode()).digest()


def _seal(built: Path, file: Path) -> None:
    """Append the checksum, and let the file appear under its name."""
    with built.open("r+b") as opened:
        opened.write(_checksum(file, opened.read()))
        opened.flush()
        os.fchmod(opened.fileno(), 0o600)
        os.fsync(opened.fileno())
    built.replace(file)


def _compile(compiler: Compiler, text: str, extra: tuple[str, ...], folder: Path) -> Path:
    """The library of a unit, in a folder."""
    compiler_begins()
    count = cores()
    source, built = folder / "unit.cpp", folder / "unit.so"
    with _COMPILERS.setdefault(count, Semaphore(count)):
        source.write_text(text, encoding="utf-8")
        source.chmod(0o600)  # whatever the umask
        compiler.build(source, built, extra)
    return built
