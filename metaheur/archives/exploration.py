"""How the neighborhood of a member is explored, and which neighbors are offered to the archive."""

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
    """What an exploration came to.

    Parameters
    ----------
    offered : numpy.ndarray of int
        The indices of the moves that lead to the neighbors offered to the archive, in order.
    complete : bool
        Whether nothing is left to be found: the member has been visited.
    evaluated : int
        Moves evaluated, as the sequential definition evaluates them.
    """

    offered: np.ndarray
    complete: bool
    evaluated: int


class Exploration(Part):
    """Goes through the neighbors of a member, and offers some of them to the archive.

    A neighbor is *non-dominated* if no member of the archive, as it was before the exploration, weakly dominates it;
    *dominating* if it is non-dominated and dominates the member that is explored. Under the rule "dominating or
    non-dominated", all dominating ones are offered; where there is none, all non-dominated ones.

    In C++ these are numbers: `scan`, what is gone through (0: all; 1: until one is found; 2: `sample` at random);
    `accept_rule` and `until_rule`, the place of a rule in `RULES`.
    """

    @abstractmethod
    def explore(self, dominating: np.ndarray, nondominated: np.ndarray, random: Random) -> Explored:
        """Which neighbors are offered.

        Parameters
        ----------
        dominating, nondominated : numpy.ndarray of bool, shape (size,)
            What each neighbor is, by the index of its move.
        random : Random
            The random numbers of the step.
        """

    @final
    def step(self, costs: np.ndarray, current: np.ndarray, free: np.ndarray, random: Random) -> Explored:
        """Which neighbors are offered, by their costs.

        Parameters
        ----------
        costs : numpy.ndarray, shape (size, K)
            Of the neighbors, by the index of their moves.
        current : numpy.ndarray, shape (K,)
            Of the member that is explored.
        free : numpy.ndarray of bool, shape (size,)
            Which of them no member of the archive weakly dominates.
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
    """The whole neighborhood; the member has then been visited.

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
    """The neighbors in the order of their moves, from a random one on, until the first that is good enough.

    The member has been visited where there is none.

    Parameters
    ----------
    until : {"non-dominated", "dominating"}
        What the last one is.
    accept : {"non-dominated", "dominating"}, optional
        Which of those on the way are offered, besides the last one; by default as `until` says, so that it is the only
        one.
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
    """Some neighbors at random, perhaps the same one twice; a member is never done with.

    Parameters
    ----------
    count : int
        How many.
    accept : {"non-dominated", "dominating", "dominating or non-dominated"}
        Which of them are offered.
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
