"""The spaces whose solutions compiled methods read in a way of their own, by the names of parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaheur.representation import Representation, places_of

__all__ = ["spaces_of"]


def spaces_of(space: Representation) -> Iterator[tuple[str, Any]]:
    """The space itself, without a name, or those of its parts by their names; of a single part without one, too."""
    places = places_of(space)
    if not places:
        yield "", space
    for name in places:
        yield name if len(places) > 1 else "", space.parts[name]  # type: ignore[attr-defined]
