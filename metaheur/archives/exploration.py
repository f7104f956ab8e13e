"""Exploration: how the neighborhood of a member is explored, and which neighbors are offered to the archive."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.archives.dominance import covers
from metaheur.errors import InputError
from metaheur.part import Part
from metaheur.random import Random
from metaheur.representation import Representation
from metaheur.validate import whole_field

__all__ = ["Exhaustive", "Exploration", "Explored", "FirstFound", "RandomNeighbors"]

RULES = ("non-dominated", "dominating", "dominating or non-dominated")


def rule_field(default: str = "non-dominated", *, optional: bool = False, rules: tuple[str, ...] = RULES) -> Any:
    """A field that holds the name of a rule."""

    def check(owner: Any, attribute: Attribute[Any], value: Any) -> None:
        if value not in rules and not (optional and value is None):
            raise InputError(
                f"`{type(owner).__name__}.{attribute.name}` must be one of {', '.join(map(repr, rules))}, but is "
                f"{value!r}."
            )

    return field(default=None if optional else default, validator=check, metadata={"python only": True})


@final
@frozen(eq=False)
class Explored:
    """The result of an exploration.

    `offered`, numpy.ndarray of int: the indices of the moves to the neighbors that are offered to the archive, in
    order. `complete`: whether the member counts as visited from now on. `evaluated`: the number of moves that the
    sequential definition evaluates.
    """

    offered: np.ndarray
    complete: bool
    evaluated: int


class Exploration(Part):
    """Explores the neighbors of a member, and offers some of them to the archive.

    A neighbor is *non-dominated* if no member of the archive, as it was before the exploration, weakly dominates it. It
    is *dominating* if it is non-dominated and dominates the explored member. The rule "dominating or non-dominated"
    offers all dominating neighbors or, if there is none, all non-dominated ones.

    In C++ these are numbers: `scan` is 0 to explore all neighbors, 1 to stop at the first that is found, 2 for `sample`
    random neighbors; `accept_rule` and `until_rule` are the places of rules in `RULES`.
    """

    @abstractmethod
    def explore(self, dominating: np.ndarray, nondominated: np.ndarray, random: Random) -> Explored:
        """Which neighbors are offered.

        Parameters
        ----------
        dominating, nondominated : numpy.ndarray of bool, shape (size,)
            Whether each neighbor is dominating, and whether it is non-dominated, by the index of its move.
        random : Random
            The random numbers of the step.
        """

    @final
    def step(self, costs: np.ndarray, current: np.ndarray, free: np.ndarray, random: Random) -> Explored:
        """Which neighbors are offered, by their costs.

        Parameters
        ----------
        costs : numpy.ndarray, shape (size, K)
            The costs of the neighbors, by the index of their moves.
        current : numpy.ndarray, shape (K,)
            The cost of the explored member.
        free : numpy.ndarray of bool, shape (size,)
            Which neighbors no member of the archive weakly dominates.
        random : Random
            The random numbers of the step.
        """
        return self.explore(free & covers(costs, current) & (costs != current).any(axis=1), free, random)


def _constants(accept: str, until: str, scan: int = 0, sample: int = 0) -> dict[str, int | bool]:
    rules = {"accept_rule": RULES.index(accept), "until_rule": RULES.index(until)}
    return {**rules, "scan": scan, "sample": sample}


def _by_rule(rule: str, dominating: np.ndarray, nondominated: np.ndarray) -> np.ndarray:
    if rule == "dominating" or (rule == "dominating or non-dominated" and dominating.any()):
        return dominating
    return nondominated


@final
@frozen
class Exhaustive(Exploration):
    """Explores the whole neighborhood; the member is visited then.

    Parameters
    ----------
    accept : {"non-dominated", "dominating", "dominating or non-dominated"}
        Which neighbors are offered.
    """

    accept: str = rule_field()

    source: ClassVar[str] = "exhaustive.cuh"

    def explore(self, dominating: np.ndarray, nondominated: np.ndarray, random: Random) -> Explored:
        offered = np.flatnonzero(_by_rule(self.accept, dominating, nondominated))
        return Explored(offered, complete=True, evaluated=len(dominating))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Which rules hold."""
        return _constants(self.accept, self.accept)


@final
@frozen
class FirstFound(Exploration):
    """Explores neighbors in the order of their moves, from a random one on, up to the first that is good enough.

    The member is visited if no neighbor is good enough.

    Parameters
    ----------
    until : {"non-dominated", "dominating"}
        Which neighbor is good enough.
    accept : {"non-dominated", "dominating"}, optional
        Which of the neighbors before that one are offered, too; by default the rule `until`, so that only the last
        neighbor is offered.
    """

    until: str = rule_field(rules=RULES[:2])
    accept: str | None = rule_field(optional=True, rules=RULES[:2])

    source: ClassVar[str] = "first_found.cuh"

    def explore(self, dominating: np.ndarray, nondominated: np.ndarray, random: Random) -> Explored:
        size = len(dominating)
        order = (np.arange(size) + (random.index(0, size) if size else 0)) % max(size, 1)
        wanted = _by_rule(self.until, dominating, nondominated)[order]
        found = bool(wanted.any())
        seen = order[: int(np.argmax(wanted)) + 1] if found else order
        accepted = _by_rule(self.accept or self.until, dominating, nondominated)[seen]
        return Explored(seen[accepted], complete=not found, evaluated=len(seen))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Which rules hold."""
        return _constants(self.accept or self.until, self.until, scan=1)


@final
@frozen
class RandomNeighbors(Exploration):
    """Explores random neighbors, maybe the same one twice; a member never counts as visited.

    Parameters
    ----------
    count : int
        The number of neighbors.
    accept : {"non-dominated", "dominating", "dominating or non-dominated"}
        Which of these neighbors are offered.
    """

    count: int = whole_field(1, 2**31 - 1)
    accept: str = rule_field()

    source: ClassVar[str] = "random_neighbors.cuh"

    def explore(self, dominating: np.ndarray, nondominated: np.ndarray, random: Random) -> Explored:
        size = len(dominating)
        drawn = np.array([random.index(draw, size) for draw in range(self.count if size else 0)], np.int64)
        offered = drawn[_by_rule(self.accept, dominating[drawn], nondominated[drawn])]
        return Explored(offered, complete=not size, evaluated=len(drawn))

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Which rules hold."""
        return _constants(self.accept, self.accept, scan=2, sample=self.count)
