"""Folders whose content is run: only this user and the administrator may be able to change it."""

from __future__ import annotations

import grp
import os
import pwd
import shlex
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from metaheur.errors import DeviceError

__all__ = ["is_private", "require_private"]


def require_private(folder: Path) -> None:
    """Refuse a cache into which somebody else can put a library: it would run with this user's rights.

    A user who can write in a folder above can put another cache in its place. So the folders above are checked, too:
    folders in the path, and folders to which symbolic links lead, up to the user's home. A user who can write above a
    home can do anything anyway.
    """
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file")
    status = folder.stat()
    if not is_private(status):
        _refuse(f"The cache {folder}", folder, status)
    for above in dict.fromkeys([*_above(folder), *_above(folder.resolve())]):
        status = above.stat()
        if not _keeps_entries(status):
            _refuse(f"The folder {above}, which is above the cache {folder},", above, status)


def is_private(status: os.stat_result) -> bool:
    """Whether only this user and the administrator can change a file or a folder."""
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _above(folder: Path) -> Iterator[Path]:
    """The folders above one, up to the user's home."""
    home: Path | None = None
    with suppress(KeyError):  # a user whom the system does not know
        home = Path(pwd.getpwuid(os.geteuid()).pw_dir)
    for above in folder.parents:
        yield above
        if above == home:
            return


def _keeps_entries(status: os.stat_result) -> bool:
    """Whether nobody else can put another folder in the place of one that is this user's.

    Others may write where only owners rename, as in /tmp; a group may that has no other member.
    """
    if status.st_uid not in (0, os.geteuid()):
        return False
    shared = not status.st_mode & stat.S_ISVTX
    others, group = status.st_mode & stat.S_IWOTH, status.st_mode & stat.S_IWGRP
    return not (shared and (others or (group and not _is_alone(status.st_gid))))


def _is_alone(group: int) -> bool:
    """Whether a group is this user's own, which many systems make for each user."""
    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return (user.pw_gid, user.pw_name) == (group, found.gr_name) and set(found.gr_mem) <= {user.pw_name}


def _refuse(what: str, folder: Path, status: os.stat_result) -> None:
    """Refuse a folder, with whom it belongs to, or who can write in it."""
    if status.st_uid not in (0, os.geteuid()):
        raise DeviceError(
            f"{what} must belong to you (user {os.geteuid()}), but belongs to user {status.st_uid}, who could let you "
            "run any code.",
            "set METAHEUR_CACHE to a folder of your own.",
        )
    raise DeviceError(
        f"{what} must be writable by you alone, but its mode is {stat.S_IMODE(status.st_mode):o}: others could let you "
        "run any code.",
        f"set METAHEUR_CACHE to a folder of your own, or run: chmod go-w {shlex.quote(str(folder))}",
    )
