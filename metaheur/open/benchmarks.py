"""Problems of IOHexperimenter and COCO, and our searches as algorithms for their experiments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.representation import BitString, Representation, Solution
from metaheur.representations.domains import Domains
from metaheur.search import Search
from metaheur.stop import Stop
from metaheur.validate import whole

__all__ = ["FromCOCO", "FromIOH", "as_algorithm", "from_coco", "from_ioh"]


@final
@frozen(eq=False)
class FromIOH(Problem):
    """A problem of IOHexperimenter; made by `from_ioh`.

    Parameters
    ----------
    inner : ioh.problem
        The problem, whose loggers see each evaluation.
    maximise : bool
        Whether it is maximised: then costs are the negatives of its values.
    """

    inner: Any = field()
    maximise: bool = field()  # type: ignore[misc]
    cost_type = "float64"

    @property
    def representation(self) -> Representation:
        """Bits, or whole numbers from the lower bounds on."""
        low, high = np.asarray(self.inner.bounds.lb), np.asarray(self.inner.bounds.ub)
        sizes = [int(each) for each in high - low + 1]
        return BitString(len(sizes)) if set(sizes) == {2} and not low.any() else Domains(sizes)

    def variables(self, x: Solution) -> list[int]:
        """A solution as IOHexperimenter has it."""
        found: list[int] = (np.asarray(x, np.int64) + np.asarray(self.inner.bounds.lb, np.int64)).tolist()
        return found

    def cost(self, x: Solution) -> float:
        value = float(self.inner(self.variables(x)))
        return -value if self.maximise else value


def from_ioh(problem: Any) -> FromIOH:
    """A problem of IOHexperimenter with bits or whole numbers: ``ioh.get_problem("LeadingOnes", 1, 50, PBO)``.

    Parameters
    ----------
    problem : ioh.problem
        The problem.

    Raises
    ------
    InputError
        If its variables are fractions.
    """
    if not any("Integer" in each.__name__ for each in type(problem).__mro__):
        raise InputError(
            f"`from_ioh` needs a problem with bits or whole numbers, but {type(problem).__name__} has fractions.",
            "take one of the class PBO.",
        )
    return FromIOH(problem, "MAX" in str(problem.meta_data.optimization_type).upper())


def as_algorithm(search: Search[Any], stop: Stop, *, seed: int = 0) -> Callable[[Any], None]:
    """A search as an algorithm for experiments of IOHexperimenter and COCO: a function of their problems.

    Parameters
    ----------
    search : Search
        The search.
    stop : Stop
        When a run ends.
    seed : int, default 0
        Of the first run; each later run has the next one.

    Returns
    -------
    callable
        ``ioh.Experiment(as_algorithm(...), ...)``; or ``for problem in suite: problem.observe_with(observer);
        algorithm(problem)``.
    """
    runs = iter(range(whole(seed, "seed", 0), 2**32))

    def algorithm(problem: Any) -> None:
        made = from_coco(problem) if hasattr(problem, "number_of_integer_variables") else from_ioh(problem)
        run(search, made, stop=stop, seed=next(runs), parallel="numpy")

    return algorithm


@final
@frozen(eq=False)
class FromCOCO(Problem):
    """A problem of COCO; made by `from_coco`.

    Parameters
    ----------
    inner : cocoex.Problem
        The problem, whose observers see each evaluation.
    points : int
        Points on each axis of fractions.
    """

    inner: Any = field()
    points: int = field()
    cost_type = "float64"

    @property
    def representation(self) -> Domains:
        """A whole number for each variable."""
        low, high = np.asarray(self.inner.lower_bounds), np.asarray(self.inner.upper_bounds)
        whole_ones = int(self.inner.number_of_integer_variables)
        return Domains(
            [int(b - a) + 1 if k < whole_ones else self.points for k, (a, b) in enumerate(zip(low, high, strict=True))]
        )

    @property
    def objectives(self) -> tuple[str, ...]:
        """The names of the objectives."""
        count = int(self.inner.number_of_objectives)
        return () if count == 1 else tuple(f"objective {k + 1}" for k in range(count))

    def variables(self, x: Solution) -> np.ndarray:
        """A solution as COCO has it."""
        low, high = np.asarray(self.inner.lower_bounds), np.asarray(self.inner.upper_bounds)
        sizes = np.array([self.representation.domain(k) for k in range(len(low))])
        found: np.ndarray = low + np.asarray(x) * (high - low) / (sizes - 1)
        return found

    def cost(self, x: Solution) -> Any:
        found = self.inner(self.variables(x))
        return tuple(map(float, found)) if self.objectives else float(found)


def from_coco(problem: Any, *, points: int = 1025) -> FromCOCO:
    """A problem of COCO, such as of the suite bbob-mixint; variables that are fractions lie on a grid.

    Parameters
    ----------
    problem : cocoex.Problem
        Without constraints.
    points : int, default 1025
        Points on each axis of fractions, both bounds included.

    Raises
    ------
    InputError
        If it has constraints.
    """
    if int(problem.number_of_constraints):
        raise InputError(f"{problem.name} has constraints, which `from_coco` does not read.")
    return FromCOCO(problem, whole(points, "points", 2))
