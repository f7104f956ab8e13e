"""What is tried first on a representation: its usual neighborhoods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.loops.nest import require_search
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.hamming import Hamming
from metaheur.neighborhoods.insertion import Insertion
from metaheur.neighborhoods.on import On
from metaheur.neighborhoods.substitution import Substitution
from metaheur.neighborhoods.swap import Swap
from metaheur.neighborhoods.two_opt import TwoOpt
from metaheur.neighborhoods.union import Union
from metaheur.representation import Representation, places_of

__all__ = ["Suggests", "first_neighborhood", "usual_neighborhoods"]


@runtime_checkable
class Suggests(Protocol):
    """A representation that names the neighborhoods that are tried first on it."""

    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods, the most promising first; `solve` builds searches of them."""


def usual_neighborhoods(space: Representation) -> tuple[Neighborhood, ...]:
    """The neighborhoods that are tried first on a representation: its own, or those that its facts allow.

    Empty for a representation that `Suggests` none, and of which too little is known.
    """
    if isinstance(space, Suggests):
        return space.neighborhoods()
    if places_of(space):
        return tuple(_of_parts(space))
    if space.arranges and not getattr(space, "members", 0):
        return (TwoOpt(), Swap()) if space.cyclic else (Swap(), Insertion())
    if hasattr(space, "copies") and not space.independent:
        from metaheur.neighborhoods.on_each import OnEach

        copy: Representation = space.space  # type: ignore[attr-defined]
        inner = (Swap(),) if copy.arranges else usual_neighborhoods(copy)
        return tuple(OnEach(each) for each in inner if OnEach(each).supports(space))
    usual: tuple[Neighborhood, ...] = (Hamming(1), Substitution())
    if not space.independent:
        from metaheur.neighborhoods.interchange import Interchange

        usual = (Interchange(),)
    return tuple(each for each in usual if each.supports(space))[:1]


def _of_parts(space: Representation) -> Iterator[Neighborhood]:
    """The first moves of all parts together, then those that some parts have besides; none if a part has none."""
    parts: Mapping[str, Representation] = space.parts  # type: ignore[attr-defined]
    usual = [[one for each in usual_neighborhoods(part) for one in _on(name, each)] for name, part in parts.items()]
    for choice in range(2 if all(usual) else 0):
        moves = [each[min(choice, len(each) - 1)] for each in usual]
        if choice == 0 or any(len(each) > 1 for each in usual):
            yield Union(*moves) if len(moves) > 1 else moves[0]


def _on(name: str, moves: Neighborhood) -> tuple[Neighborhood, ...]:
    """Moves of a part; of neighborhoods that are joined, those that keep no arrays, which `On` takes."""
    if not isinstance(moves, Union):
        return (On(name, moves),) if type(moves).state is Component.state else ()
    both = (*_on(name, moves.left), *_on(name, moves.right))
    return (Union(*both),) if len(both) > 1 else both


def first_neighborhood(search: Any, instead: str) -> Neighborhood:
    """The first neighborhood of a search, for a search around it that is given none; refused where it has none.

    `instead`: what the message proposes to write.
    """
    require_search(search, "search")
    if not search.neighborhoods:
        raise InputError(
            f"{type(search).__name__} names no neighborhood for the search around it.", f"write {instead}."
        )
    found: Neighborhood = search.neighborhoods[0]
    return found
