"""Objects that a user names: MODULE:OBJECT."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

from metaheur.errors import InputError
from metaheur.problem import Problem

__all__ = ["named_object", "named_problem"]


def named_object(text: str) -> Any:
    """What MODULE:OBJECT names; the current folder counts as one of modules.

    Raises
    ------
    InputError
        If there is no such module, or no such object in it.
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
        raise InputError(f"{module} has no {name!r}.", "it is misspelled.") from None


def named_problem(text: str) -> Problem:
    """The problem, or what the function makes, that MODULE:OBJECT names.

    Raises
    ------
    InputError
        If it is something else, or there is no such object.
    """
    found = named_object(text)
    made = found() if callable(found) and not isinstance(found, Problem) else found
    if not isinstance(made, Problem):
        raise InputError(
            f"{text} must be a problem, or a function that makes a problem, but is {made!r}.",
            "name an instance of your class.",
        )
    return made
