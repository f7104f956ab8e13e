"""Problems of several objectives, made of problems of one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import MOST_OBJECTIVES, wide_type
from metaheur.problem import Problem, judges, level_names
from metaheur.representation import Representation, Solution

if TYPE_CHECKING:
    from metaheur.searches.recommendation import Recommendation


__all__ = ["MultiObjective"]


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@final
@frozen(eq=False)
class MultiObjective(Problem):
    """Minimise several problems of the same solutions at once: the cost of each is one objective.

    `MultiObjective` of two QAP, TSP or Knapsack is the bi-objective problem: two assignments with the same distances
    and different flows, two distances between the same cities, two profits of the same items.

    Parameters
    ----------
    problems : sequence of Problem
        2 ... 8 problems of one objective each, with one representation; either all costs are whole numbers, or none.
    objectives : sequence of str, optional
        What they are called; by default the class and a number, such as "QAP 1".

    Raises
    ------
    InputError
        If the problems are too few or too many, differ in their representation or in the type of their costs, have
        several objectives, or are called alike.

    Examples
    --------
    >>> from metaheur.problems import OneMax
    >>> both = MultiObjective([OneMax(3), OneMax(3)], ["ones", "the same"])
    >>> both.cost(np.array([1, 0, 1], np.uint8)), both.displayed((-2, -2))
    ((-2, -2), (2, 2))
    """

    problems: tuple[Problem, ...] = field(converter=_as_tuple)
    objectives: tuple[str, ...] = field(default=(), converter=_as_tuple)

    source: ClassVar[str] = "multi_objective.cuh"

    @problems.validator
    def _fit(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, tuple) or not all(isinstance(each, Problem) for each in value):
            raise InputError(f"`problems` must be problems, but is {value!r}.", "pass [QAP(...), QAP(...)].")
        if not 2 <= len(value) <= MOST_OBJECTIVES:
            raise InputError(f"`problems` must be 2 ... {MOST_OBJECTIVES}, but there are {len(value)}.")
        first = value[0]
        for each in value:
            name = type(each).__name__
            if judges(each):
                raise InputError(
                    f"{name} has hard constraints (`feasible`), which MultiObjective does not ask.",
                    "name the `objectives` in one problem.",
                )
            if level_names(each):
                raise InputError(
                    f"{name} has a cost of levels, {', '.join(level_names(each))}, which cannot be one objective.",
                    "return one number: the levels, each times a weight.",
                )
            if each.objectives:
                raise InputError(f"`problems` must have one objective each, but {name} has {len(each.objectives)}.")
            if each.representation != first.representation:
                raise InputError(
                    f"`problems` must have one representation, but these are {first.representation!r} and "
                    f"{each.representation!r}."
                )
            if each.cost_factor != first.cost_factor:
                raise InputError(
                    f"`problems` must have costs in one unit, but {name} was read times {each.cost_factor:,} and "
                    f"{type(first).__name__} times {first.cost_factor:,}.",
                    "write the numbers of both files with as many digits behind the point.",
                )
            if wide_type(each) != wide_type(first):
                raise InputError(
                    f"`problems` must have costs of one type, but {name}.cost_type is {each.cost_type!r} and "
                    f"{type(first).__name__}.cost_type is {first.cost_type!r}.",
                    "scale the data to whole numbers.",
                )

    def __attrs_post_init__(self) -> None:
        if not self.objectives:
            names = tuple(f"{type(each).__name__} {k}" for k, each in enumerate(self.problems, 1))
            object.__setattr__(self, "objectives", names)
        names = self.objectives
        if len(names) != len(self.problems) or not all(isinstance(name, str) for name in names):
            raise InputError(f"`objectives` must name {len(self.problems)} problems, but is {names!r}.")
        if len(set(names)) < len(names):
            raise InputError(f"`objectives` must be different names, but is {names!r}.")

    @property
    def parts(self) -> tuple[Problem, ...]:
        return self.problems

    @cached_property
    def representation(self) -> Representation:
        """The representation of each problem."""
        return self.problems[0].representation

    def recommended(self) -> tuple[Recommendation, ...]:
        """Pareto local search over the neighborhood of the first search that the first problem recommends."""
        from metaheur.searches.front_search import front_search
        from metaheur.searches.suited import recommendations

        first = recommendations(self.problems[0])
        return (front_search(first[0].search.neighborhoods[0]),) if first else ()

    @property
    def cost_type(self) -> str:
        """float64 if the problems say so, otherwise int64."""
        return str(wide_type(self.problems[0]))

    @property
    def cost_factor(self) -> int:
        return self.problems[0].cost_factor

    def cost(self, x: Solution) -> Any:
        return tuple(each.cost(x) for each in self.problems)

    def costs(self, xs: np.ndarray) -> Any:
        return np.stack([each.costs(xs) for each in self.problems], axis=-1)

    def delta(self, x: Solution, move: Any) -> Any:
        """The change of each cost, where each problem has a formula."""
        deltas = [each.delta(x, move) for each in self.problems]
        return NotImplemented if any(each is NotImplemented for each in deltas) else np.stack(deltas, axis=-1)

    def displayed(self, cost: Any) -> Any:
        """Costs as the user reads them: in the units of the files, positive where a problem maximises."""
        if isinstance(cost, tuple):
            return tuple(each.displayed(number) for each, number in zip(self.problems, cost, strict=True))
        return np.stack([each.displayed(cost[..., k]) for k, each in enumerate(self.problems)], axis=-1)
