"""What lacks a C++ half, and so cannot run on a device."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaheur.component import Component, components_of, reads

__all__ = ["lacking", "parts_of"]


def lacking(*things: Any) -> list[str]:
    """The names of the things that have no C++ half, and of those that they are made of."""
    return [type(each).__name__ for thing in things for each in parts_of(thing) if not reads(each)]


def parts_of(thing: Any) -> Iterator[Any]:
    """A thing, and all components that it is made of."""
    yield thing
    if isinstance(thing, Component):
        for _, inner in components_of(thing):
            yield from parts_of(inner)
