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
from metaheur.problem import Problem
from metaheur.representation import Representation, Solution
from metaheur.validate import whole

__all__ = ["Scalarised"]


def _whole_numbers(value: Any, attribute: Attribute[Any]) -> Any:
    """A tuple of whole numbers, or None."""
    if value is None:
        return None
    if not isinstance(value, Sequence | np.ndarray):
        raise InputError(f"`{attribute.name}` must hold whole numbers, but is {value!r}.")
    return tuple(whole(each, attribute.name, -(2**53), 2**53) for each in value)


def _numbers(**more: Any) -> Any:
    """A field that holds such a tuple."""
    return field(converter=Converter(_whole_numbers, takes_field=True), **more)  # type: ignore[misc, unused-ignore]


@final
@frozen(eq=False)
class Scalarised(Problem):
    """Minimise one number of several objectives: a weighted sum, or the weighted Chebyshev distance from an ideal.

    With weights w and objectives c, the cost is the sum of w c; where an ideal point z is given, the largest w (c - z),
    which reaches the parts of a front that a weighted sum leaves out. Any search for one objective then runs, on every
    device.

    Parameters
    ----------
    problem : Problem
        Of several objectives.
    weights : sequence of int
        One for each objective, 0 ... 2**53, not all 0. Objectives of unlike scale need unlike weights: see `balanced`.
    ideal : sequence of int, optional
        A point that is at least as good as any solution, all objectives minimised.

    Raises
    ------
    InputError
        If the problem has one objective, numbers are too few or too many, or weights are negative or all 0.

    Notes
    -----
    K. Miettinen, Nonlinear Multiobjective Optimization, 1999, sections 3.1 and 3.4.
    """

    problem: Problem = field()
    weights: Any = _numbers()
    ideal: Any = _numbers(default=None)

    source: ClassVar[str] = "scalarised.cuh"

    @problem.validator
    def _has_objectives(self, _: Attribute[Any], value: Any) -> None:
        if not isinstance(value, Problem) or not value.objectives:
            raise InputError(
                f"`problem` must have several objectives, but is {type(value).__name__} with one.",
                "name them, as FlowShop(..., objectives=...) does.",
            )

    def __attrs_post_init__(self) -> None:
        names = self.problem.objectives
        for name, numbers in (("weights", self.weights), ("ideal", self.ideal)):
            if numbers is not None and len(numbers) != len(names):
                raise InputError(
                    f"`{name}` must hold a number for each of the objectives {', '.join(names)}, but holds "
                    f"{len(numbers)}."
                )
        if min(self.weights) < 0 or not any(self.weights):
            raise InputError(
                f"`weights` must be 0 or more, and not all 0, but are {list(self.weights)}.", "use 1 for each."
            )

    @classmethod
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
        terms = self._weighted(np.asarray(objectives) - np.array(self._ideal))
        return terms.sum(axis=-1) if self.ideal is None else terms.max(axis=-1)

    def _weighted(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers times the weights; refused where int64 might not hold their sum."""
        weights = np.array(self.weights)
        if self.cost_type == "int64":
            most = (abs(numbers.astype(np.float64)) * weights).sum(axis=-1).max(initial=0.0)
            if most >= MOST_COST:
                raise InputError(
                    f"Weighted objectives add up to {most:.3g}, but costs must lie between -2**62 and 2**62.",
                    "divide the weights by a common factor.",
                )
        weighted: np.ndarray = numbers * weights
        return weighted

    @property
    def _ideal(self) -> tuple[int, ...]:
        return (0,) * len(self.weights) if self.ideal is None else self.ideal

    def cost(self, x: Solution) -> Any:
        return self.value(np.array(python_cost(self.problem, np.asarray(x)))).item()

    def costs(self, xs: np.ndarray) -> Any:
        return self.value(self.problem.costs(xs))

    def delta(self, x: Solution, move: Any) -> Any:
        """The weighted sum of the changes; `NotImplemented` for a Chebyshev distance, which needs the objectives."""
        deltas = NotImplemented if self.ideal is not None else self.problem.delta(x, move)
        return NotImplemented if deltas is NotImplemented else self._weighted(np.asarray(deltas)).sum(axis=-1)

    def constants(self, representation: Representation) -> Mapping[str, int | bool]:
        """How many objectives there are, and whether the cost is a Chebyshev distance."""
        return {"count": len(self.weights), "chebyshev": self.ideal is not None}

    def tables(self, representation: Representation) -> Mapping[str, np.ndarray]:
        """Weights and ideal, zeros where there is none."""
        return {"weights": np.array(self.weights, np.int64), "ideal": np.array(self._ideal, np.int64)}

    def state(self, representation: Representation) -> Mapping[str, Array]:
        """The objectives of the solution; as scratch, the changes under all insertions of one item."""
        count = len(self.weights)
        return {
            "now": Array((count,), "total"),
            "changes": Array((1, count * max(1, representation.length)), "total", scratch=True),
        }
