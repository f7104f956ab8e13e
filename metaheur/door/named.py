"""Objects that a user names: MODULE:OBJECT."""

from __future__ import annotations

import importlib
import os
import re
import sys
from pathlib import Path
from typing import Any, Final

from metaheur.errors import InputError, nearest_word
from metaheur.problem import Problem

__all__ = ["OBJECT", "named_object", "named_problem", "require_trusted"]

OBJECT: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
"""MODULE:OBJECT."""


def require_trusted(path: str | os.PathLike[str], does: str, trust: bool) -> None:
    """Refuse that a file runs Python of its choice, or writes where it likes, unless the user is known to trust it.

    A file is trusted if it lies in the current folder, or in one below, and belongs to the user.

    `path`: the file. `does`: what the file does, such as "names the object mymodule:problem". `trust`: whether the user
    says that the file is trusted. Raises InputError if the file is not trusted.
    """
    file = Path(path).resolve()
    way = "read it; then add `--trust`, or trust=True in Python."
    if trust:
        return
    if not file.is_relative_to(Path.cwd().resolve()):
        raise InputError(f"{path} {does}, but does not lie in the current folder.", way)
    if hasattr(os, "getuid") and file.exists() and file.stat().st_uid != os.getuid():
        raise InputError(f"{path} {does}, but belongs to another user.", way)


def named_object(text: str) -> Any:
    """What MODULE:OBJECT names; the current folder counts as one of modules.

    Raises InputError if there is no such module, or no such object in it.
    """
    module, _, name = text.partition(":")
    if not name:
        raise InputError(f"{text!r} must be MODULE:OBJECT.", "write mymodule:problem.")
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        loaded = importlib.import_module(module)
    except ImportError as error:
        raise InputError(
            f"{module} cannot be imported: {error}.", "it is in another folder than the current one."
        ) from error
    try:
        return getattr(loaded, name)
    except AttributeError:
        near = nearest_word(name, vars(loaded))
        raise InputError(f"{module} has no {name!r}.", f"write {module}:{near}." if near else "") from None


def named_problem(text: str) -> Problem:
    """The problem, or what the function makes, that MODULE:OBJECT names.

    Raises InputError if it is something else, or there is no such object.
    """
    found = named_object(text)
    made = found() if callable(found) and not isinstance(found, Problem) else found
    if not isinstance(made, Problem):
        raise InputError(
            f"{text} must be a problem, or a function that makes a problem, but is {made!r}.",
            "name an instance of your class.",
        )
    return made
