"""What searches of tours add to the core: an iterated local search whose kicks change a part of a tour alone."""

from __future__ import annotations

from typing import Any

from metaheur.loops.loop import Loop
from metaheur.parts import Acceptance, Perturbation

__all__ = ["kicks", "usual_kick"]


def kicks(search: Any, perturbation: Perturbation, acceptance: Acceptance) -> Loop | None:
    """The loop of an iterated local search whose search and perturbation keep a journal; None for others."""
    from metaheur.loops.kicks import Kicks
    from metaheur.loops.tour_descent import TourDescent
    from metaheur.parts.perturbation.reversals import Reversals

    if isinstance(search, TourDescent) and isinstance(perturbation, Reversals):
        return Kicks(search, perturbation, acceptance)
    return None


def usual_kick(search: Any) -> Perturbation | None:
    """The perturbation of an iterated local search around a descent of tours; None for other searches."""
    from metaheur.loops.tour_descent import TourDescent
    from metaheur.parts.perturbation.reversals import DoubleBridge

    return DoubleBridge(50) if isinstance(search, TourDescent) else None
