"""Acceptance where costs have levels: by the highest level that changes, or by a weighted sum of all."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, final

import numpy as np
from attrs import Attribute, evolve, field, frozen

from metaheur.errors import InputError
from metaheur.fields import COUNT, Array
from metaheur.lazy import expressible
from metaheur.part import Kept
from metaheur.parts.acceptance.acceptance import Acceptance, Always
from metaheur.representation import BitString, Representation
from metaheur.validate import ratio, require_ratio, whole, whole_field
from metaheur.walk import EvaluatedSolution

if TYPE_CHECKING:
    from metaheur.costs.levels import Levels

__all__ = ["AdaptedWeights", "ByLevel", "Weighs"]


MOST = 2**31 - 1
"""The largest weight of a level."""


def _weight(value: Any) -> int | None:
    return None if value is None else whole(value, "weight", 2, 2**61)


def _without_costs(part: Any, attribute: Attribute[Any], value: Any) -> None:
    """Refuse an acceptance that remembers costs from the start on, which it would compare with costs of one level."""
    if any(array.dtype in ("total", "cost") for array in value.state(BitString(2)).values()):
        raise InputError(
            f"`{type(part).__name__}.{attribute.name}` must not remember costs, but {type(value).__name__} does.",
            "use Metropolis, Threshold or BetterOrEqual.",
        )


class Weighs(Protocol):
    """An acceptance by whose weights a scan compares moves; its C++ half has `weighing`, which makes their scores."""

    def weighed(self, kept: Kept, delta: Any) -> Any:
        """The change by which moves are compared, for a change of cost; arrays entry by entry."""


class LevelledAcceptance(Acceptance):
    """An acceptance for costs of levels, which reads them from the one number that searches see.

    Attributes
    ----------
    weight : int or None
        How many units of all lower levels together a unit of the first level is in that number.
    """

    weight: int | None

    @abstractmethod
    def levelled(self, levels: Levels) -> Self:
        """The acceptance for the levels of a problem; `run` asks for it."""

    def first_level(self, number: Any) -> Any:
        """The first level of a cost, or of a change of it; arrays entry by entry."""
        assert self.weight is not None
        return (number + self.weight // 2) // self.weight

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        if self.weight is None:
            raise InputError(
                f"{type(self).__name__} does not know how levels are packed: `run` says it, for a problem with levels.",
                "use fitted(search, problem).",
            )
        return super().init(start)


@final
@frozen
class ByLevel(LevelledAcceptance):
    """The highest level that a change alters decides, by its change alone; so each level has a temperature of its own.

    The search ends when both acceptances say so.

    Parameters
    ----------
    first : Acceptance
        Decides about changes of the first level, in its units.
    others : Acceptance
        Decides about changes that leave the first level as it is; with three levels or four, a `ByLevel`.
    weight : int, optional
        How many units of all lower levels a unit of the first level is in the one number that searches see; `run` sets
        it where it is None.

    Examples
    --------
    >>> from metaheur.parts import Metropolis
    >>> ByLevel.of([Metropolis(2.0), Metropolis(50.0)]).others.cooling.first
    50.0
    """

    first: Acceptance = field(validator=_without_costs)
    others: Acceptance = field(validator=_without_costs)
    weight: int | None = field(default=None, converter=_weight)

    source: ClassVar[str] = "by_level.cuh"

    @classmethod
    @expressible
    def of(cls, acceptances: Sequence[Acceptance]) -> Acceptance:
        """An acceptance for each level, the first one first."""
        first, *others = acceptances
        return cls(first, cls.of(others)) if others else first

    @property
    def draws(self) -> bool:  # type: ignore[override]
        """Whether one of the acceptances draws."""
        return self.first.draws or self.others.draws

    @property
    def improves(self) -> bool:  # type: ignore[override]
        """Whether both accept only changes that lower the cost."""
        return self.first.improves and self.others.improves

    def levelled(self, levels: Levels) -> ByLevel:
        others = self.others
        if isinstance(others, ByLevel) and len(levels.names) > 2:
            others = others.levelled(levels.below())
        elif isinstance(others, ByLevel) or len(levels.names) > 2:
            raise InputError(
                f"{self!r} has another number of acceptances than the {len(levels.names)} levels "
                f"{', '.join(levels.names)}.",
                "use ByLevel.of([...]), an acceptance for each level.",
            )
        return evolve(self, others=others, weight=levels.weights[0])

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        level, now, least = (self.first_level(each) for each in (delta, current, best))
        rest = [each - high * self.weight for each, high in ((delta, level), (current, now), (best, least))]
        first, others = kept["first"], kept["others"]
        if not isinstance(delta, np.ndarray):
            if level:
                return self.first.accepts(first, level, now, least, draw)
            return self.others.accepts(others, rest[0], rest[1], rest[2], draw)
        by_first = self.first.accepts(first, level, now, least, draw)
        return np.where(level != 0, by_first, self.others.accepts(others, rest[0], rest[1], rest[2], draw))

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        levels = self.first_level(cost), self.first_level(best)
        assert self.weight is not None
        self.first.record(kept["first"], accepted, *levels)
        self.others.record(kept["others"], accepted, cost - levels[0] * self.weight, best - levels[1] * self.weight)

    def ended(self, kept: Kept) -> bool:
        return self.first.ended(kept["first"]) and self.others.ended(kept["others"])

    @property
    def endless(self) -> bool:
        return self.first.endless or self.others.endless


@final
@frozen
class AdaptedWeights(LevelledAcceptance):
    """The weighted sum of the levels decides, with a weight of the first level that adapts to what the walk sees.

    After each window of trials the weight grows if too few of the solutions in it were feasible (the first level is 0),
    and falls if too many were; so a walk crosses the border of the feasible solutions again and again. Its best
    solution is still the first by levels. The acceptance sees costs and changes as weighted sums, in units of the
    lowest level. Tabu search, which accepts every move that it chooses, chooses by the weighted sum.

    Parameters
    ----------
    acceptance : Acceptance, default Always()
        Decides about changes of the weighted sum, such as ``Metropolis(cooling)``.
    window : int, default 100
        The trials in a window.
    low, high : float or fractions.Fraction, default 2/5 and 3/5
        The share of feasible solutions that is wanted: the weight grows below `low`, and falls above `high`.
    start : int, default 1
        The first weight.
    factor : float or fractions.Fraction, default 6/5
        By what the weight grows, at least by 1; it falls by its inverse, at least by 1 and never below 1.
    weight : int, optional
        How many units of all lower levels a unit of the first level is in the one number that searches see; `run` sets
        it where it is None.
    unit : int, default 1
        What a unit of the second level is in the one number that searches see; `run` sets it.

    Notes
    -----
    F. Glover, "Heuristics for integer programming using surrogate constraints", Decision Sciences 8, 1977 (strategic
    oscillation); M. Gendreau, A. Hertz and G. Laporte, "A tabu search heuristic for the vehicle routing problem",
    Management Science 40, 1994; N. A. Wouda, L. Lan and W. Kool, "PyVRP: a high-performance VRP solver package",
    INFORMS Journal on Computing 36, 2024. Kept are `penalty`, the weight, a whole number, so that it is the same on all
    devices; `trials` and `feasible`, the counts of the window.
    """

    acceptance: Acceptance = field(factory=Always, validator=_without_costs)
    window: int = whole_field(1, MOST, default=100)
    low: Fraction = field(default=Fraction(2, 5), converter=ratio, validator=require_ratio, repr=str)
    high: Fraction = field(default=Fraction(3, 5), converter=ratio, validator=require_ratio, repr=str)
    start: int = whole_field(1, MOST, default=1, kw_only=True)
    factor: Fraction = field(default=Fraction(6, 5), converter=ratio, validator=require_ratio, repr=str, kw_only=True)
    weight: int | None = field(default=None, converter=_weight, kw_only=True)
    unit: int = whole_field(1, 2**61, default=1, kw_only=True)

    source: ClassVar[str] = "adapted_weights.cuh"

    def __attrs_post_init__(self) -> None:
        """Refuse shares and factors that never change a weight."""
        if not self.low <= self.high <= 1:
            raise InputError(
                f"`low` and `high` must be shares, low <= high <= 1, but are {self.low} and {self.high}.",
                "use 0.4 and 0.6.",
            )
        if self.factor <= 1:
            raise InputError(f"`factor` must be above 1, but is {self.factor}.", "use 1.2.")

    @property
    def draws(self) -> bool:  # type: ignore[override]
        """Whether the acceptance draws."""
        return self.acceptance.draws

    def levelled(self, levels: Levels) -> AdaptedWeights:
        return evolve(self, weight=levels.weights[0], unit=levels.weights[1])

    def constants(self, representation: Representation) -> Mapping[str, int]:
        """The largest weight."""
        return {"most_weight": MOST}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """`penalty`, `trials` and `feasible`."""
        counts = dict.fromkeys(("trials", "feasible"), Array((), "int64", within=COUNT))
        return {"penalty": Array((), "int64", within=(1, MOST)), **counts}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        return {**super().init(start), "penalty": np.array(min(self.start, self._most()))}

    def _most(self) -> int:
        """The largest weight: with it, the sum is ordered as the levels are, unless these have very wide bounds."""
        assert self.weight is not None
        return min(self.weight // self.unit, MOST)

    def _sum(self, kept: Kept, number: Any) -> Any:
        """The weighted sum of the levels of a cost, or of a change of it."""
        level = self.first_level(number)
        return number - level * self.weight + level * (kept["penalty"][()] * self.unit)

    def weighed(self, kept: Kept, delta: Any) -> Any:
        """The change of the weighted sum."""
        return self._sum(kept, delta)

    def accepts(self, kept: Kept, delta: Any, current: Any, best: Any, draw: Any) -> Any:
        change, now, least = (self._sum(kept, each) for each in (delta, current, best))
        return self.acceptance.accepts(kept["acceptance"], change, now, least, draw)

    def record(self, kept: Kept, accepted: bool, cost: int | float, best: int | float) -> None:
        self.acceptance.record(kept["acceptance"], accepted, self._sum(kept, cost), self._sum(kept, best))
        trials = kept["trials"].item() + 1
        feasible = kept["feasible"].item() + (self.first_level(cost) == 0)
        if trials == self.window:
            kept["penalty"][()] = self._next(kept["penalty"].item(), feasible)
            trials = feasible = 0
        kept["trials"][()], kept["feasible"][()] = trials, feasible

    def _next(self, weight: int, feasible: int) -> int:
        """The weight after a window with so many feasible solutions."""
        (num, den), most = self.factor.as_integer_ratio(), self._most()
        if feasible * self.low.denominator < self.low.numerator * self.window:
            return min(most, max(weight + 1, weight * num // den))
        if feasible * self.high.denominator > self.high.numerator * self.window:
            return max(1, min(weight - 1, weight * den // num))
        return weight

    def ended(self, kept: Kept) -> bool:
        return self.acceptance.ended(kept["acceptance"])

    @property
    def endless(self) -> bool:
        return self.acceptance.endless
