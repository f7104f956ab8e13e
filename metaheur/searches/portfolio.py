"""Portfolio: a search made of searches, each of which makes some of the walks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Self, cast, final

import attrs
import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.evaluator import Evaluator
from metaheur.lazy import expressible
from metaheur.neighborhood import Neighborhood
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.runners.portfolio_program import PortfolioProgram
from metaheur.runners.side_by_side import Ledger, PortfolioState
from metaheur.search import ChecksStates, Forbids, HasMembers, KeepsFront, Search
from metaheur.validate import whole
from metaheur.walk import EvaluatedSolution, Walk

__all__ = ["Portfolio"]

TURNS = 4096
"""The largest sum of weights."""


def _named(value: Any) -> tuple[tuple[str, Any], ...]:
    """Searches with names: from a mapping, or the names of their classes, numbered if several have the same class."""
    if isinstance(value, Mapping):
        return tuple(value.items())
    if not isinstance(value, Iterable):
        raise InputError(f"`Portfolio.searches` must be a list of searches, but is {value!r}.", "put it into brackets.")
    pairs = tuple(value)
    if all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs):
        return pairs
    kinds = [type(search).__name__ for search in pairs]
    names = [kind if kinds.count(kind) == 1 else f"{kind} {kinds[: i + 1].count(kind)}" for i, kind in enumerate(kinds)]
    return tuple(zip(names, pairs, strict=True))


def _whole_weights(value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    if not isinstance(value, Iterable):
        raise InputError(f"`Portfolio.weights` must be a whole number for each search, but is {value!r}.", "use None.")
    return tuple(whole(each, "Portfolio.weights", 1, TURNS, maybe="use None.") for each in value)


@final
@frozen
class Portfolio(Search[PortfolioState]):
    """Several searches, each of which makes some of the walks of a run: search w mod m makes walk w.

    Each walk is, bit for bit, the run of its search alone with the key of the walk. One launch makes the walks of equal
    searches; unlike searches run side by side. A search in Python alone may be among the searches. Walks of unlike
    searches exchange solutions in `Islands`. `Result.walks.searches` names the search of each walk. Searches for the
    front of several objectives may be a portfolio, too; `Result.front` is the front of all their archives.

    Parameters
    ----------
    searches : iterable of Search, or mapping of str to Search
        One search or more, all for one objective or all for a front. Searches in a list are named after their classes.
    weights : iterable of int, optional
        How many walks each search makes, in proportion: with (2, 1) the first search makes two of three walks. The
        number of a walk alone decides which search makes it. By default all weights are equal.

    Examples
    --------
    >>> from metaheur import HillClimbing, TabuSearch
    >>> from metaheur.neighborhoods import Swap
    >>> portfolio = Portfolio({"tabu": TabuSearch(Swap()), "descent": HillClimbing(Swap())}, weights=(2, 1))
    >>> [portfolio.names[portfolio.member_of(Key(0, walk))] for walk in range(6)]
    ['tabu', 'descent', 'tabu', 'tabu', 'descent', 'tabu']

    Notes
    -----
    B. A. Huberman, R. M. Lukose and T. Hogg, "An economics approach to hard computational problems", Science 275, 1997;
    the heterogeneous multistart of T. V. Luong, N. Melab and E.-G. Talbi, "GPU-based multi-start local search
    algorithms", 2011.
    """

    searches: tuple[tuple[str, Search[Any]], ...] = field(converter=_named)
    weights: tuple[int, ...] | None = field(default=None, converter=_whole_weights)

    @searches.validator
    def _are_searches(self, _: Attribute[Any], pairs: tuple[tuple[str, Any], ...]) -> None:
        if not pairs:
            raise InputError("`Portfolio.searches` is empty.", "give at least one search.")
        names = [name for name, _ in pairs]
        for name, search in pairs:
            if not isinstance(name, str) or names.count(name) > 1:
                raise InputError(f"The names in `Portfolio.searches` must be texts that differ, but one is {name!r}.")
            if not isinstance(search, Search):
                raise InputError(f"`Portfolio.searches` must hold searches, but {name!r} is {search!r}.")
            reason = _unsuited(search)
            if reason:
                raise InputError(
                    f"`Portfolio.searches` must make walks that are alike, but {name!r} {reason[0]}.", reason[1]
                )
            if search.several != pairs[0][1].several:
                raise InputError(
                    f"`Portfolio.searches` must all be for one objective or all for a front, but {name!r} and "
                    f"{names[0]!r} differ.",
                    "make two portfolios.",
                )

    @weights.validator
    def _one_each(self, _: Attribute[Any], weights: tuple[int, ...] | None) -> None:
        if weights is not None and (len(weights) != len(self.searches) or sum(weights) > TURNS):
            raise InputError(
                f"`Portfolio.weights` must be a whole number for each of {len(self.searches)} searches, {TURNS} "
                f"together at most, but is {weights}.",
                "use None.",
            )

    @classmethod
    @expressible
    def of(cls, search: Search[Any], **values: Iterable[Any]) -> Self:
        """A search with several values of its parameters, in all combinations.

        Parameters
        ----------
        search : Search
            The search.
        **values
            For each of some parameters its values, such as ``tenure=[(0.5, 0.8), (0.9, 1.1)]``.

        Raises
        ------
        InputError
            If the search has no such parameter, or refuses a value.

        Examples
        --------
        >>> from metaheur import TabuSearch
        >>> from metaheur.neighborhoods import Swap
        >>> Portfolio.of(TabuSearch(Swap()), long_term=[100, None]).names
        ('long_term=100', 'long_term=None')
        """
        one: Any = search
        if not isinstance(search, Search) or not attrs.has(type(one)):
            raise InputError(
                f"`search` must be a search with parameters, but is {search!r}.", "use TabuSearch(Swap())."
            )
        known = [each.name for each in attrs.fields(type(one)) if each.init]
        for name in values:
            if name not in known:
                raise InputError(f"{type(search).__name__} has no `{name}`.", f"its parameters are {', '.join(known)}.")
        sets = [dict(zip(values, each, strict=True)) for each in product(*values.values())]
        names = [", ".join(f"{name}={value!r}" for name, value in each.items()) for each in sets]
        return cls(tuple((name, attrs.evolve(one, **each)) for name, each in zip(names, sets, strict=True)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the searches."""
        return tuple(name for name, _ in self.searches)

    @property
    def members(self) -> tuple[Search[Any], ...]:
        """The searches."""
        return tuple(search for _, search in self.searches)

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """The numbers of the searches that make the walks 0, 1, ...; later walks repeat this sequence.

        Each search has its share of every stretch of walks, as nearly as possible.
        """
        weights = self.weights or (1,) * len(self.searches)
        due, turns = [0] * len(weights), []
        for _ in range(sum(weights)):
            due = [have + weight for have, weight in zip(due, weights, strict=True)]
            turns.append(due.index(max(due)))
            due[turns[-1]] -= sum(weights)
        return tuple(turns)

    @property
    def several(self) -> bool:
        """Whether the searches approximate the front of several objectives."""
        return self.members[0].several

    def member_of(self, key: Key) -> int:
        """The number of the search that makes the walk with this key."""
        return self.turns[key.walk % len(self.turns)]

    def member(self, state: PortfolioState) -> int:
        """The number of the search that makes the walk in this state."""
        return state.member

    def begin(self, member: int, start: EvaluatedSolution, key: Key) -> PortfolioState:
        """The state of a walk that this search begins."""
        ledger = Ledger.first(len(self.searches), start.cost)
        return PortfolioState(member, self.members[member].init(start, key), ledger)

    def take_over(self, state: PortfolioState, member: int) -> PortfolioState:
        """The state of a walk after another search took it over: the search begins at the best solution of the walk."""
        walk, search = state.walk, self.members[member]
        there = evolve(walk, current=walk.best, began=walk.iteration)
        inner = search.enter(search.init(walk.best, walk.key), there)
        return PortfolioState(member, inner, state.ledger)

    def init(self, start: EvaluatedSolution, key: Key) -> PortfolioState:
        return self.begin(self.member_of(key), start, key)

    def step(self, state: PortfolioState, evaluate: Evaluator) -> PortfolioState:
        search = self.members[state.member]
        return evolve(state, inner=search.step(state.inner, evaluate.on(search.neighborhood)))

    def done(self, state: PortfolioState) -> bool:
        return self.members[state.member].done(state.inner)

    def ending(self, state: PortfolioState) -> str:
        """As its search says."""
        return self.members[state.member].ending(state.inner)

    def enter(self, state: PortfolioState, walk: Walk) -> PortfolioState:
        """As its search says."""
        return evolve(state, inner=self.members[state.member].enter(state.inner, walk))

    def fronts(self, state: PortfolioState) -> Sequence[Any]:
        """What its search keeps; for searches for a front."""
        return self._for_front(state).fronts(state.inner)

    def sent(self, state: PortfolioState, to: PortfolioState | None) -> Any:
        """What its search sends; for searches for a front."""
        inner = to.inner if to is not None and to.member == state.member else None
        return self._for_front(state).sent(state.inner, inner)

    def received(self, state: PortfolioState, arrivals: Sequence[Any]) -> PortfolioState:
        """The state after its search received solutions; for searches for a front."""
        return evolve(state, inner=self._for_front(state).received(state.inner, arrivals))

    def _for_front(self, state: PortfolioState) -> KeepsFront:
        return cast(KeepsFront, self.members[state.member])

    def forbidden(self, state: PortfolioState, evaluate: Evaluator) -> np.ndarray | None:
        """The forbidden moves, as its search says; None where the search does not know."""
        search = self.members[state.member]
        return search.forbidden(state.inner, evaluate.on(search.neighborhood)) if isinstance(search, Forbids) else None

    def require_state(self, state: PortfolioState, problem: Problem) -> None:
        """Refuse a state that its search refuses."""
        search = self.members[state.member]
        if isinstance(search, ChecksStates):
            search.require_state(state.inner, problem)

    @property
    def program(self) -> PortfolioProgram:
        """The programs of the searches, side by side."""
        return PortfolioProgram(self)

    @property
    def neighborhoods(self) -> tuple[Neighborhood, ...]:
        """The neighborhoods of all searches."""
        found: list[Neighborhood] = []
        for each in (each for search in self.members for each in search.neighborhoods):
            if not any(each is other for other in found):
                found.append(each)
        return tuple(found)

    def require(self, problem: Problem) -> None:
        """Refuse a problem that one of the searches refuses."""
        for search in self.members:
            search.require(problem)


def _unsuited(search: Search[Any]) -> tuple[str, str] | None:
    """Why a search cannot be part of a portfolio, and the way out; None if it can."""
    if isinstance(search, HasMembers):
        return "is a portfolio itself", "put its searches into one list."
    if search.program is not None and search.program.alone:
        return "explores a tree", "run it alone."
    return None
