"""What lacks a C++ half, and so cannot run on a device."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from metaheur.component import Component, components_of, reads
from metaheur.problem import Problem
from metaheur.source import source_of

__all__ = ["lacking", "parts_of", "unanswered"]


def lacking(*things: Any) -> list[str]:
    """The names of the things that have no C++ half, and of those that they are made of."""
    return [type(each).__name__ for thing in things for each in parts_of(thing) if not reads(each)]


def parts_of(thing: Any) -> Iterator[Any]:
    """A thing, and all components that it is made of."""
    yield thing
    if isinstance(thing, Component):
        for _, inner in components_of(thing):
            yield from parts_of(inner)


def unanswered(loop: Any, problem: Problem) -> Iterator[str]:
    """The members that a part asks the problem for, and of which its C++ half says nothing."""
    text = "" if getattr(problem, "source", None) is None else source_of(problem).text
    for part in parts_of(loop):
        for name in getattr(part, "asks", ()):
            if not re.search(rf"\b{name}\b", text):
                yield f"{type(problem).__name__}.{name}"
