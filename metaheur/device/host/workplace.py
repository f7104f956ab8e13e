"""Temporary folders for compilers: they are removed after failures, too, and those of killed processes by the next."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["sweep", "workplace"]

PREFIX = ".build-"
DAY = 86_400.0


@contextmanager
def workplace(folder: Path) -> Iterator[Path]:
    """A new folder in this one, removed at the end.

    It is locked as long as its process lives; where that is killed, the system unlocks it, and `sweep` removes it.
    """
    place, lock = _locked(folder)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
        os.close(lock)


def _locked(folder: Path) -> tuple[Path, int]:
    while True:
        place = Path(tempfile.mkdtemp(prefix=PREFIX, dir=folder))
        with suppress(FileNotFoundError):  # swept away before it was locked
            place.chmod(0o700)  # whatever the umask
            lock = os.open(place, os.O_RDONLY)
            with suppress(OSError):  # some network file systems lock no folders
                fcntl.flock(lock, fcntl.LOCK_EX)
            if place.exists():
                return place, lock
            os.close(lock)


def sweep(folder: Path) -> None:
    """Remove what killed processes left: work places that nobody locks, or a day old where folders are never locked."""
    for place in folder.glob(f"{PREFIX}*"):
        with suppress(OSError):  # another process was first
            lock = os.open(place, os.O_RDONLY)
            try:
                if _is_left(place, lock):
                    shutil.rmtree(place)
            finally:
                os.close(lock)


def _is_left(place: Path, lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return place.stat().st_mtime < time.time() - DAY
    return True
