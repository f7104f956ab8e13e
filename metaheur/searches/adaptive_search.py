"""Adaptive search: random moves of several neighborhoods, among which a rule learns to choose."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.fields import Range
from metaheur.loops.adaptive_trial import AdaptiveTrial
from metaheur.loops.loop import Composed
from metaheur.neighborhood import Neighborhood
from metaheur.parts import Acceptance, BetterOrEqual, Choice, ProbabilityMatching
from metaheur.validate import whole_field

__all__ = ["AdaptiveSearch"]


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Iterable):
        raise InputError(
            f"`neighborhoods` must be a list of neighborhoods, but is {value!r}.", "write [Swap(), Insertion()]."
        )
    return tuple(value)


@final
@frozen
class AdaptiveSearch(Composed):
    """Random moves of a neighborhood that is chosen by its rewards: adaptive operator selection.

    An iteration draws some moves of one neighborhood and makes the best of them if it is accepted. With
    ``Metropolis(...)`` as acceptance it is simulated annealing over several neighborhoods.

    Parameters
    ----------
    neighborhoods : iterable of Neighborhood
        The neighborhoods, 1 ... 64.
    choice : Choice, default ProbabilityMatching()
        How a neighborhood is chosen: `ProbabilityMatching`, `UpperConfidenceBound` or `RandomChoice`.
    acceptance : Acceptance, default BetterOrEqual()
        Whether the best drawn move is made.
    samples : int, default 1
        How many moves an iteration draws.
    """

    neighborhoods: tuple[Neighborhood, ...] = field(converter=_as_tuple)
    choice: Choice = field(factory=ProbabilityMatching)
    acceptance: Acceptance = field(factory=BetterOrEqual)
    samples: int = whole_field(1, 2**31 - 1, default=1, kw_only=True, metadata={"tune": Range(1, 100, log=True)})

    @cached_property
    def loop(self) -> AdaptiveTrial:
        """Trials of chosen neighborhoods."""
        return AdaptiveTrial(self.neighborhoods, self.choice, self.acceptance, self.samples)
