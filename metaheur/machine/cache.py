"""The cache folder, for files that can be made or fetched again: compiled units and published instances."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import platformdirs

from metaheur.errors import InputError

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """The folder of the cache; it need not exist yet.

    Returns $METAHEUR_CACHE if it is set, else the folder metaheur among the user's caches. The path is absolute: a
    relative $METAHEUR_CACHE is relative to the current folder of the process at the first call, and then stays the
    same.
    """
    named = os.environ.get("METAHEUR_CACHE")
    try:
        folder = _absolute(named) if named else platformdirs.user_cache_path("metaheur")
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"The folder of the cache cannot be determined: {error}.",
            "set METAHEUR_CACHE to the absolute path of a folder of your own.",
        ) from error
    if not folder.is_absolute():  # platformdirs returns such a path if it knows no home
        raise InputError(
            f"The folder of the cache must be an absolute path, but is {str(folder)!r}.",
            "HOME is not set: set METAHEUR_CACHE to a folder of your own.",
        )
    return folder


@cache
def _absolute(named: str) -> Path:
    return Path(named).absolute()
