"""What a run is: a key made of all that decides where it goes, so that a record is taken up by no other run."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator
from typing import Any

from metaheur.component import reads
from metaheur.errors import InputError
from metaheur.running.checkpoint import digest, parts_of
from metaheur.running.result import versions
from metaheur.source import source_of

__all__ = ["identity"]


def identity(**things: Any) -> str:
    """A key: the SHA-256, in hexadecimal digits, of the contents of some things and of the code of their classes.

    It also depends on the version of metaheur. The code of classes that metaheur does not ship, and of their C++
    halves, is part of it, as far as Python can show it: not that of classes made at a prompt.

    Parameters
    ----------
    **things
        Searches, problems, criteria, numbers, arrays, by name.

    Raises
    ------
    CheckpointError
        If something's content cannot be compared.
    InputError
        If it is a function that looks like others: a lambda, or one that uses variables around it.
    """
    contents = {name: digest(thing, name) for name, thing in things.items()}
    code = {name: sorted(set(_code(thing, name))) for name, thing in things.items()}
    text = json.dumps([versions()["metaheur"], contents, code], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _code(value: Any, name: str) -> Iterator[str]:
    """What the classes of a value and of all that it is made of say, where they are not metaheur's own."""
    if inspect.isfunction(value):
        _require_telling(value, name)
        yield _source(value)
    kind = type(value)
    if kind.__module__.partition(".")[0] not in ("builtins", "metaheur", "numpy"):
        yield _source(kind)
        if reads(kind):
            yield source_of(kind).text
    for each in (parts_of(value) or {}).values():
        yield from _code(each, name)


def _require_telling(function: Any, name: str) -> None:
    """Refuse a function whose name and code do not say what it does."""
    if function.__name__ == "<lambda>" or function.__closure__:
        raise InputError(
            f"`{name}` holds the function {function.__qualname__}, which cannot be told from others: a record of its "
            "runs could be that of another one.",
            "define it with def in a module, without variables around it; or leave out `folder`.",
        )


def _source(thing: Any) -> str:
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):  # made at a prompt
        return ""
