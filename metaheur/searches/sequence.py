"""Sequence: searches one after another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, final

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.loops.composed import Composed
from metaheur.loops.phases import Phases
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
    """Searches one after another, each until its end or its limit, and from where the one before stands.

    It ends after the last one, or begins again with the first. An iteration is one of the search whose turn it is.

    Parameters
    ----------
    searches : iterable of Search
        One or more; each begins anew when its turn comes.
    limits : Limit or iterable of Limit, default Limit()
        How long each lasts at most: one limit for all, or one for each.
    cycles : bool, default False
        Whether the first one follows the last.
    hands_over_best : bool, default False
        Whether a search goes on from the best solution of the one before, instead of from its last one.
    """

    searches: tuple[Search[Any], ...] = field(converter=_as_tuple)
    limits: Any = field(factory=Limit)
    cycles: bool = field(default=False, kw_only=True)
    hands_over_best: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        """Refuse what the loop refuses."""
        _ = self.loop

    @cached_property
    def loop(self) -> Phases:
        """Phases in order."""
        same = isinstance(self.limits, Limit)
        limits = (self.limits,) * len(self.searches) if same else _as_tuple(self.limits)
        return Phases(self.searches, limits, InOrder(self.cycles), hands_over_best=self.hands_over_best)
