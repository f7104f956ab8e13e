"""Sequence: searches one after another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.loops.loop import Composed
from metaheur.loops.phases import Phases, require_ends
from metaheur.parts import InOrder, Limit
from metaheur.search import Search

__all__ = ["Sequence"]


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Iterable):
        raise InputError(f"`searches` must be a list of searches, but is {value!r}.", "put it into brackets.")
    return tuple(value)


@final
@frozen
class Sequence(Composed):
    """Searches one after another, each until its end or its limit; each continues from the solution of the one before.

    All is over after the last search, or the first one follows. An iteration is one of the search whose turn it is.

    Parameters
    ----------
    searches : iterable of Search
        One search or more; each starts afresh at its turn.
    limits : Limit or iterable of Limit, default Limit()
        The limits of the searches: one for all, or one for each. A search that never ends by itself, such as tabu
        search, needs one, unless it is the last one of all.
    cycles : bool, default False
        Whether the first search follows the last one.
    hands_over_best : bool, default False
        Whether a search continues from the best solution of the search before, instead of from its last solution.
    """

    searches: tuple[Search[Any], ...] = field(converter=_as_tuple)
    limits: Any = field(factory=Limit)
    cycles: bool = field(default=False, kw_only=True)
    hands_over_best: bool = field(default=False, kw_only=True)

    @cached_property
    def loop(self) -> Phases:
        """Phases in order."""
        each = tuple(self.limits) if isinstance(self.limits, Iterable) else (self.limits,) * len(self.searches)
        order = InOrder(self.cycles)
        require_ends(self.searches, each, order)  # Phases would name their loops
        return Phases(self.searches, each, order, hands_over_best=self.hands_over_best)
