"""The crossover that is tried first on a representation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from metaheur.neighborhoods.interchange import members
from metaheur.parts import ByPart, Crossover, EachCopy, OrderCrossover, SubsetCrossover, SwapPath, Uniform
from metaheur.representation import Representation, places_of

__all__ = ["usual_crossover"]


@runtime_checkable
class SuggestsCrossover(Protocol):
    """A representation that names the crossover that is tried first on it."""

    def crossover(self) -> Crossover:
        """The crossover."""


def usual_crossover(space: Representation) -> Crossover | None:
    """The crossover that is tried first on a representation; None if none of those that its facts allow is known.

    Each part of a `Composite`, and each copy of a `Repeated` whose entries depend on each other, has its own.
    """
    if isinstance(space, SuggestsCrossover):
        return space.crossover()
    if places_of(space):
        parts: Mapping[str, Representation] = space.parts  # type: ignore[attr-defined]
        found = {name: usual_crossover(part) for name, part in parts.items()}
        given = {name: each for name, each in found.items() if each is not None}
        return ByPart(**given) if len(given) == len(found) else None
    if hasattr(space, "copies") and not space.independent:
        inner = usual_crossover(space.space)  # type: ignore[attr-defined]
        return None if inner is None else EachCopy(inner, space.copies)
    subsets = (SubsetCrossover(members(space)),) if members(space) else ()
    known: tuple[Crossover, ...] = (Uniform(), *subsets, OrderCrossover(), SwapPath())
    return next((each for each in known if each.supports(space)), None)
