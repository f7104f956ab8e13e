"""The identity of a run: a key made of all that determines its result, so that no other run uses its record."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping
from typing import Any

from metaheur.errors import InputError
from metaheur.machine.parsing import source_text
from metaheur.marker import Compiled, compiled_members
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.running.checkpoint import digest, parts_of
from metaheur.running.result import versions
from metaheur.source import source_of
from metaheur.translator.reading import names_outside

__all__ = ["ContentAndCode", "content_and_code", "identity", "identity_of"]


def identity(**things: Any) -> str:
    """A key: the SHA-256, in hexadecimal digits, of the contents of some things and of the code of their classes.

    The key also depends on the version of metaheur. It includes the code of classes that metaheur does not ship, and of
    their C++ halves, if Python can read it, which it cannot for classes defined at a prompt.

    `**things`: searches, problems, criteria, numbers, arrays, by name.
    """
    return identity_of({name: content_and_code(thing, name) for name, thing in things.items()})


ContentAndCode = tuple[Any, list[str]]
"""The digest of a thing, and the code of the classes in it."""


def content_and_code(thing: Any, name: str) -> ContentAndCode:
    """The content and the code of one object, from which `identity` makes its key; errors are those of `identity`."""
    return digest(thing, name), sorted(set(_code(thing, name)))


def identity_of(things: Mapping[str, ContentAndCode]) -> str:
    """The key of things that `content_and_code` has looked at."""
    contents, code = ({name: each[place] for name, each in things.items()} for place in (0, 1))
    text = json.dumps([versions()["metaheur"], contents, code], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _code(value: Any, name: str) -> Iterator[str]:
    """The code of the classes of a value and of all that it contains, unless metaheur ships them."""
    if inspect.isfunction(value):
        _require_identifiable(value, name)
        yield _source(value)
    yield from _of_class(type(value), value)
    if isinstance(value, Problem | Neighborhood):
        for move in value.moves if isinstance(value, Problem) else value.move_types:
            yield from _of_class(move, move)
    for each in (parts_of(value) or {}).values():
        yield from _code(each, name)


def _of_class(kind: type, half: Any) -> Iterator[str]:
    """The code of a class that metaheur does not ship, and of its C++ half, or of the half of an instance."""
    if kind.__module__.partition(".")[0] in ("builtins", "metaheur", "numpy"):
        return
    yield _source(kind)
    if getattr(kind, "source", None) is not None:
        yield source_of(half).text
    for member in compiled_members(kind).values():
        yield from _compiled_code(member, set())


def _compiled_code(member: Compiled, seen: set[Compiled]) -> Iterator[str]:
    """The code of a compiled method and of the functions that it calls, and the module's numbers that it uses."""
    seen.add(member)
    for function in member.overloads:
        yield _source(function)
        for name, value in names_outside(function):
            if isinstance(value, Compiled) and value not in seen:
                yield from _compiled_code(value, seen)
            elif isinstance(value, bool | int | float):
                yield f"{name} = {value!r}"


def _require_identifiable(function: Any, name: str) -> None:
    """Refuse a function that its name and code do not identify."""
    if function.__name__ == "<lambda>" or function.__closure__:
        raise InputError(
            f"`{name}` holds the function {function.__qualname__}, which cannot be told from others: a record of its "
            "runs could be that of another one.",
            "define it with def in a module, without variables around it; or leave out `folder`.",
        )


def _source(thing: Any) -> str:
    try:
        return source_text(thing)
    except (OSError, TypeError):  # made at a prompt
        return ""
