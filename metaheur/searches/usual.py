"""The neighborhoods that are tried first on a representation."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.hamming import Hamming
from metaheur.neighborhoods.insertion import Insertion
from metaheur.neighborhoods.substitution import Substitution
from metaheur.neighborhoods.swap import Swap
from metaheur.neighborhoods.two_opt import TwoOpt
from metaheur.representation import Representation

__all__ = ["Suggests", "usual_neighborhoods"]


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
