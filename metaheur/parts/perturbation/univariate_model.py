"""Univariate model: new solutions come from a distribution that the best ones shape, position by position."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, final

import numpy as np
from attrs import Attribute, field, frozen

from metaheur.errors import InputError
from metaheur.fields import Array, Range
from metaheur.part import Kept, zeros
from metaheur.parts.perturbation.perturbation import Perturbation
from metaheur.problem import Problem
from metaheur.random import Random, Stream
from metaheur.representation import Representation, Solution, is_uniform
from metaheur.validate import ratio, require_ratio, whole_field
from metaheur.walk import EvaluatedSolution, Walk

if TYPE_CHECKING:
    from metaheur.evaluators import Evaluator

__all__ = ["UnivariateModel"]

ONE: Final = 1 << 30
"""The weight of a value that is certain."""


@final
@frozen
class UnivariateModel(Perturbation):
    """Draws a new solution by weights of the values at each position, which the best of each generation change.

    All weights of a position begin equal. The solutions that the part is given form generations. After each, the weight
    w of a value becomes (1 - rate) w + rate f, where f is the share of the selected solutions that have it, within 1 /
    (n (values - 1)) ... 1 - 1 / n. A position gets a value with a probability proportional to its weight. In a
    permutation the positions are filled in random order, each with one of the items that are left.

    Parameters
    ----------
    size : int, default 100
        The number of solutions of a generation, 1 ... 2**20.
    selected : int, default 50
        How many of the best solutions change the weights, 1 ... size. The first solutions of a generation are selected;
        each later one that costs less than the worst selected one replaces it, the first among equals.
    rate : float or fractions.Fraction, default 1
        The learning rate, above 0 and up to 1.

    Notes
    -----
    H. Mühlenbein and G. Paaß, "From recombination of genes to the estimation of distributions I. Binary parameters",
    PPSN IV, 1996 (UMDA, with the rate 1); S. Baluja, "Population-based incremental learning", CMU-CS-94-163, 1994
    (PBIL). For permutations the weights are a node histogram: S. Tsutsui, "Node histogram vs. edge histogram: a
    comparison of probabilistic model-building genetic algorithms in permutation domains", CEC 2006. The bounds of the
    weights: F. Ben Jedidia, B. Doerr and M. S. Krejca, "Estimation-of-distribution algorithms for multi-valued decision
    variables", GECCO 2023. Weights are whole numbers, parts of 2**30, so that all devices have the same.
    """

    size: int = whole_field(1, 2**20, default=100, metadata={"tune": Range(10, 1000, log=True)})
    selected: int = whole_field(1, 2**20, default=50)
    rate: Fraction = field(
        default=Fraction(1),
        converter=ratio,
        validator=require_ratio,
        repr=str,
        metadata={"tune": Range(0.01, 1.0, log=True)},
    )

    source: ClassVar[str] = "univariate_model.cuh"
    asks: ClassVar[tuple[str, ...]] = ("cost",)
    replaces: ClassVar[bool] = True

    @rate.validator
    def _learns(self, _: Attribute[Any], value: Fraction) -> None:
        if not 0 < value <= 1:
            raise InputError(
                f"`UnivariateModel.rate` must be above 0 and up to 1, but is {float(value)}.", "use 0.1, or 1 for UMDA."
            )

    def __attrs_post_init__(self) -> None:
        """Refuse to select more solutions than a generation has."""
        if self.selected > self.size:
            raise InputError(
                f"A generation of {self.size} solutions cannot have {self.selected} selected ones.",
                f"use selected={max(1, self.size // 2)}.",
            )

    def require(self, problem: Problem) -> None:
        """Refuse solutions that are neither permutations nor entries with the same values that go with any others.

        Raises
        ------
        InputError
            If the solutions do not fit.
        """
        space = problem.representation
        if not (space.arranges or is_uniform(space)):
            raise InputError(
                f"{type(self).__name__} draws permutations, or entries that do not depend on each other and have the "
                f"same values, but the solutions are {space!r}.",
                "use Breeding, with a crossover for these solutions.",
            )

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """Whether solutions are permutations, the values of an entry, and the bounds of the weights."""
        least, most = _bounds(representation)
        return {
            "permutes": representation.arranges,
            "values": representation.values,
            "least": least,
            "most": most,
        }

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The weights, and the best solutions of the generation so far with their costs."""
        n = representation.length
        return {
            "weights": Array((n, representation.values), "int32", within=(1, ONE)),
            "chosen": Array((self.selected, n), "item", costs="costs", rows="filled"),
            "costs": Array((self.selected,), "total"),
            "filled": Array((), "int64", within=(0, self.selected)),
            "drawn": Array((), "int64", within=(0, self.size - 1)),
        }

    def cache(self, representation: Representation) -> Mapping[str, Array]:
        """For permutations the order of positions, and which items are used."""
        n = representation.length if representation.arranges else 1
        return {"order": Array((n,), "item"), "used": Array((n,), "int32")}

    def init(self, start: EvaluatedSolution) -> Mapping[str, np.ndarray]:
        """All weights of a position are equal."""
        space = start.representation
        kept = zeros(self.state(space), start)
        kept["weights"][:] = max(1, ONE // space.values)
        return kept

    def perturb(
        self, kept: Kept, walk: Walk, solution: EvaluatedSolution, evaluate: Evaluator
    ) -> tuple[EvaluatedSolution, int]:
        self._offer(kept, solution)
        space, random = solution.representation, walk.random(Stream.RESTART)
        draw = _permutation if space.arranges else _values
        x = draw(kept["weights"].astype(np.int64), random).astype(space.dtype)
        return EvaluatedSolution(space, x, evaluate.cost(x)), 1

    def _offer(self, kept: Kept, solution: EvaluatedSolution) -> None:
        """Keep the solution if it is one of the best of the generation; after a generation, change the weights."""
        costs, joins = kept["costs"], kept["filled"] < self.selected
        place = int(kept["filled"]) if joins else int(np.argmax(costs))
        if joins or solution.cost < costs[place]:
            kept["chosen"][place], costs[place] = solution.solution, solution.cost
        kept["filled"][()] += joins
        kept["drawn"][()] += 1
        if kept["drawn"] == self.size:
            self._learn(kept, solution.representation)
            kept["drawn"][()] = kept["filled"][()] = 0

    def _learn(self, kept: Kept, space: Representation) -> None:
        """Change the weights by the selected solutions."""
        counts = np.zeros((space.length, space.values), np.int64)
        for row in kept["chosen"]:
            counts[np.arange(space.length), row] += 1
        part, whole = self.rate.numerator, self.rate.denominator
        shares = counts * ONE // self.selected
        weights = (kept["weights"].astype(np.int64) * (whole - part) + shares * part) // whole
        kept["weights"][:] = np.clip(weights, *_bounds(space))


def _bounds(space: Representation) -> tuple[int, int]:
    """The least and the greatest weight."""
    least = max(1, ONE // (space.length * max(1, space.values - 1)))
    return least, max(least, ONE - ONE // space.length)


def _values(weights: np.ndarray, random: Random) -> Solution:
    """A value for each position, by the word k % 4 of the draw k / 4 for the position k."""
    n = len(weights)
    words = np.array([random.words(draw) for draw in range(-(-n // 4))], np.uint64).ravel()[:n]
    ends = np.cumsum(weights, axis=1)
    at = (words * ends[:, -1].astype(np.uint64) >> np.uint64(32)).astype(np.int64)
    found: Solution = (ends <= at[:, None]).sum(axis=1)
    return found


def _permutation(weights: np.ndarray, random: Random) -> Solution:
    """An item for each position: the positions in the order of the draws below n, their items by the draws above."""
    n = len(weights)
    found, left = np.empty(n, np.int64), np.ones(n, np.int64)
    for k, position in enumerate(random.permutation(n)):
        ends = np.cumsum(weights[position] * left)
        found[position] = item = np.searchsorted(ends, random.index(n + k, int(ends[-1])), side="right")
        left[item] = 0
    return found
