"""One number of several objectives, so that any search can minimise it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self, final

import numpy as np
from attrs import Attribute, Converter, field, frozen

from metaheur.archives.weights import balanced
from metaheur.errors import InputError
from metaheur.evaluators.costs import MOST_COST, python_cost, wide_type
from metaheur.fields import Array
from metaheur.lazy import expressible
from metaheur.problem import Problem, judges
from metaheur.representation import Representation, Solution
from metaheur.validate import whole, whole_field

__all__ = ["Scalarised"]


def _whole_numbers(value: Any, attribute: Attribute[Any]) -> Any:
    """A tuple of whole numbers, or None."""
    if value is None:
        return None
    if not isinstance(value, Sequence | np.ndarray):
        raise InputError(f"`{attribute.name}` must hold whole numbers, but is {value!r}.")
    return tuple(whole(each, attribute.name, -(2**53), 2**53) for each in value)


def _limits(value: Any) -> Any:
    """A tuple of whole numbers and None, or None."""
    if value is None:
        return None
    if not isinstance(value, Sequence):
        raise InputError(f"`limits` must hold whole numbers or None, but is {value!r}.", "use [None, 500].")
    return tuple(None if each is None else whole(each, "limits", -(2**53), 2**53) for each in value)


def _numbers(**more: Any) -> Any:
    """A field that holds such a tuple."""
    return field(converter=Converter(_whole_numbers, takes_field=True), **more)  # type: ignore[misc, unused-ignore]


@final
@frozen(eq=False)
class Scalarised(Problem):
    """Minimise one number of several objectives: a weighted sum, a weighted Chebyshev distance, or one with limits.

    With weights w and objectives c, the cost is the sum of the terms w c; where an ideal point z is given, the largest
    term w (c - z), which reaches the parts of a front that a weighted sum leaves out. An objective with a limit e
    counts only where it exceeds the limit, by the term w max(0, c - e). Any search for one objective then runs, on
    every device.

    Parameters
    ----------
    problem : Problem
        Of several objectives.
    weights : sequence of int
        One for each objective, 0 ... 2**53, not all 0. Objectives of unlike scale need unlike weights: see `balanced`.
    ideal : sequence of int, optional
        A point that is at least as good as any solution, all objectives minimised. With any other point, such as goals,
        the cost is the achievement function of this reference point.
    augmented : int, default 0
        With an ideal, how often the largest term counts where the sum of all terms is added to it, so that minima are
        not dominated where all weights are above 0; 0 for the largest term alone.
    limits : sequence of int or None, optional
        One for each objective, None for one without a limit. With a large weight for each objective that has a limit,
        this is the epsilon-constraint method; with a limit for each objective, goal programming.

    Raises
    ------
    InputError
        If the problem has one objective, numbers are too few or too many, or weights are negative or all 0.

    Notes
    -----
    K. Miettinen, Nonlinear Multiobjective Optimization, 1999: weights and limits, sections 3.1 and 3.2; (augmented)
    Chebyshev distances, section 3.4; goals, section 4.3. A. P. Wierzbicki, "The use of reference objectives in
    multiobjective optimization", Multiple Criteria Decision Making Theory and Application, 1980.
    """

    problem: Problem = field()
    weights: Any = _numbers()
    ideal: Any = _numbers(default=None)
    augmented: int = whole_field(0, 2**20, default=0, kw_only=True)
    limits: Any = field(converter=_limits, default=None, kw_only=True)

    source: ClassVar[str] = "scalarised.cuh"

    @problem.validator
    def _has_objectives(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Problem) or not value.objectives:
            raise InputError(
                f"`problem` must have several objectives, but is {type(value).__name__} with one.",
                "name them, as FlowShop(..., objectives=...) does.",
            )
        if judges(value):
            raise InputError(
                f"{type(value).__name__} has hard constraints (`feasible`), which Scalarised does not ask.",
                "write a weight on each violation into an objective.",
            )

    def __attrs_post_init__(self) -> None:
        names = self.problem.objectives
        for name, numbers in (("weights", self.weights), ("ideal", self.ideal), ("limits", self.limits)):
            if numbers is not None and len(numbers) != len(names):
                raise InputError(
                    f"`{name}` must hold a number for each of the objectives {', '.join(names)}, but holds "
                    f"{len(numbers)}."
                )
        if min(self.weights) < 0 or not any(self.weights):
            raise InputError(
                f"`weights` must be 0 or more, and not all 0, but are {list(self.weights)}.", "use 1 for each."
            )
        if self.augmented and self.ideal is None:
            raise InputError(
                f"`augmented` is {self.augmented}, but there is no largest term without an ideal.", "give an `ideal`."
            )

    @classmethod
    @expressible
    def balanced(cls, problem: Problem, spans: Sequence[int], shares: Sequence[int] = (), ideal: Any = None) -> Self:
        """Weigh objectives of unlike scale.

        Parameters
        ----------
        problem : Problem
            Of several objectives.
        spans : sequence of int
            How far each objective reaches, 1 or more, such as the ranges of a front. The weight of an objective is the
            largest span divided by its own, rounded to a whole number, times its share; `weights` holds the result.
        shares : sequence of int, optional
            How much each objective counts; by default 1 each.
        ideal : sequence of int, optional
            As in the class.
        """
        reach = [whole(span, "spans", 1, 2**53) for span in spans]
        counts = [whole(share, "shares", 0, 2**20) for share in shares] or [1] * len(reach)
        if not reach or len(counts) != len(reach):
            raise InputError(f"`shares` must hold {len(reach)} numbers, one for each span, but holds {len(counts)}.")
        return cls(problem, balanced(counts, reach), ideal)

    @property
    def parts(self) -> tuple[Problem, ...]:
        return (self.problem,)

    @property
    def representation(self) -> Representation:
        """The representation of the problem."""
        return self.problem.representation

    @property
    def cost_factor(self) -> int:
        return self.problem.cost_factor

    @property
    def cost_type(self) -> str:
        """float64 if the problem says so, otherwise int64."""
        return str(wide_type(self.problem))

    def value(self, objectives: Any) -> Any:
        """The cost of a solution with some objectives.

        Parameters
        ----------
        objectives : array_like, shape (..., K)
            All minimised.

        Returns
        -------
        numpy.ndarray, shape (...)
        """
        terms = self._weighted(np.asarray(objectives) - np.array(self._zeros))
        terms = np.where(self._limited, np.maximum(terms, 0), terms)
        if self.ideal is None:
            return terms.sum(axis=-1)
        return self.augmented * terms.max(axis=-1) + terms.sum(axis=-1) if self.augmented else terms.max(axis=-1)

    def _weighted(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers times the weights; refused where int64 might not hold their sum."""
        weights = np.array(self.weights)
        if self.cost_type == "int64":
            most = (abs(numbers.astype(np.float64)) * weights).sum(axis=-1).max(initial=0.0)
            most *= self.augmented + 1
            if most >= MOST_COST:
                raise InputError(
                    f"Weighted objectives add up to {most:.3g}, but costs must lie between -2**62 and 2**62.",
                    "divide the weights by a common factor.",
                )
        weighted: np.ndarray = numbers * weights
        return weighted

    @property
    def _zeros(self) -> tuple[int, ...]:
        """The value of each objective at which its term is 0."""
        ideal, limits = self.ideal or (0,) * len(self.weights), self.limits or (None,) * len(self.weights)
        numbers = (z if limit is None else limit for z, limit in zip(ideal, limits, strict=True))
        return tuple(number * self.cost_factor for number in numbers)

    @property
    def _limited(self) -> np.ndarray:
        """Which objectives have a limit."""
        return np.array([limit is not None for limit in self.limits or (None,) * len(self.weights)])

    @property
    def _linear(self) -> bool:
        """Whether the cost is a weighted sum."""
        return self.ideal is None and self.limits is None

    def cost(self, x: Solution) -> Any:
        return self.value(np.array(python_cost(self.problem, np.asarray(x)))).item()

    def costs(self, xs: np.ndarray) -> Any:
        return self.value(self.problem.costs(xs))

    def delta(self, x: Solution, move: Any) -> Any:
        """The weighted sum of the changes; `NotImplemented` with an ideal or limits, which need the objectives."""
        deltas = self.problem.delta(x, move) if self._linear else NotImplemented
        return NotImplemented if deltas is NotImplemented else self._weighted(np.asarray(deltas)).sum(axis=-1)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """How many objectives there are, how often the largest term counts, and what the cost is."""
        return {
            "count": len(self.weights),
            "augmented": self.augmented,
            "chebyshev": self.ideal is not None,
            "linear": self._linear,
        }

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """Weights, the values at which terms are 0, and which objectives have a limit."""
        return {
            "weights": np.array(self.weights, np.int64),
            "zeros": np.array(self._zeros, np.int64),
            "limited": self._limited.astype(np.int64),
        }

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The objectives of the solution; as scratch, the changes under all insertions of one item."""
        count = len(self.weights)
        return {
            "now": Array((count,), "total"),
            "changes": Array((1, count * max(1, representation.length)), "total", scratch=True),
        }
