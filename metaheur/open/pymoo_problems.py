"""Problems of pymoo, and problems for it."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.open.graphs import package
from metaheur.problem import Problem, level_names
from metaheur.representation import BitString, Representation, Solution
from metaheur.representations.domains import Domains
from metaheur.validate import real_field

__all__ = ["FromPymoo", "as_pymoo", "from_pymoo"]


def as_pymoo(problem: Problem) -> Any:
    """A problem for pymoo's algorithms: whole variables, of type bool for bits, and objectives that are minimised.

    All levels of a cost but the last are constraints, which are met at 0. Solutions must be valid: take samplings,
    crossovers and mutations for permutations where they are permutations.

    Parameters
    ----------
    problem : Problem
        Any problem.

    Returns
    -------
    pymoo.core.problem.Problem

    Raises
    ------
    InputError
        If pymoo is not installed; during its run, if its operators make an invalid solution.
    """
    parent: Any = package("pymoo.core.problem").Problem
    space, levels = problem.representation, level_names(problem)
    upper = np.array([space.domain(k) - 1 for k in range(space.length)])
    constraints = max(0, len(levels) - 1)

    class AsPymoo(parent):  # type: ignore[misc]
        def __init__(self) -> None:
            kind = bool if space.values == 2 else int
            count = len(problem.objectives) or 1
            super().__init__(space.length, count, constraints, xl=0, xu=upper, vtype=kind)

        def _evaluate(self, xs: Any, out: dict[str, Any], *_: Any, **__: Any) -> None:
            rows = [space.validate(np.rint(np.asarray(x, float)).astype(space.dtype)) for x in xs]
            costs = np.array([problem.cost(x) for x in rows], np.float64).reshape(len(rows), -1)
            out["F"] = costs[:, constraints:]
            if constraints:
                out["G"] = costs[:, :constraints]

    AsPymoo.__name__ = type(problem).__name__
    return AsPymoo()


@final
@frozen(eq=False)
class FromPymoo(Problem):
    """A problem of pymoo; made by `from_pymoo`.

    Parameters
    ----------
    inner : pymoo.core.problem.Problem
        The problem, without variables that are fractions.
    penalty : float, default 0
        What a unit of violated constraints adds to each objective.
    """

    inner: Any = field()
    penalty: float = real_field(0, default=0.0)
    representation: Representation = field(init=False)
    objectives: tuple[str, ...] = field(init=False)
    cost_type = "float64"

    @representation.default
    def _space(self) -> Representation:
        low, sizes = self._low, [int(each) for each in self._high - self._low + 1]
        return BitString(len(sizes)) if set(sizes) == {2} and not low.any() else Domains(sizes)

    @objectives.default
    def _names(self) -> tuple[str, ...]:
        count = int(self.inner.n_obj)
        return () if count == 1 else tuple(f"objective {k + 1}" for k in range(count))

    @property
    def _low(self) -> np.ndarray:
        return np.zeros(self.inner.n_var, np.int64) if self._bits else np.asarray(self.inner.xl, np.int64)

    @property
    def _high(self) -> np.ndarray:
        return np.ones(self.inner.n_var, np.int64) if self._bits else np.asarray(self.inner.xu, np.int64)

    @property
    def _bits(self) -> bool:
        return self.inner.vtype is bool

    def variables(self, x: Solution) -> np.ndarray:
        """A solution as pymoo has it. `x`: the solution, shape (n,), or (m, n)."""
        found = np.asarray(x, np.int64) + self._low
        variables: np.ndarray = found.astype(bool) if self._bits else found
        return variables

    def costs(self, xs: np.ndarray) -> np.ndarray:
        found = self.inner.evaluate(self.variables(xs), return_as_dictionary=True)
        costs: Any = np.asarray(found["F"], np.float64)
        for name, broken in (("G", np.maximum), ("H", lambda _, values: np.abs(values))):
            values = np.asarray(found.get(name, np.zeros((len(xs), 0))), np.float64)
            costs = costs + self.penalty * broken(0, values).sum(axis=1, keepdims=True)
        of_rows: np.ndarray = costs if self.objectives else costs[:, 0]
        return of_rows

    def cost(self, x: Solution) -> Any:
        found = self.costs(np.asarray(x)[None])[0]
        return tuple(found.tolist()) if self.objectives else float(found)


def from_pymoo(problem: Any, *, penalty: float | None = None) -> FromPymoo:
    """A problem of pymoo, with whole or binary variables, for our searches.

    Parameters
    ----------
    problem : pymoo.core.problem.Problem
        With ``vtype=bool``, or ``vtype=int`` and bounds.
    penalty : float, optional
        What a unit of violated constraints adds to each objective; needed if the problem has constraints.

    Raises
    ------
    InputError
        If pymoo is not installed, a variable is a fraction or has no bounds, or a penalty is missing.
    """
    kind = package("pymoo.core.problem").Problem
    if not isinstance(problem, kind):
        raise InputError(f"`from_pymoo` needs a problem of pymoo, but got {type(problem).__name__}.")
    name = type(problem).__name__
    if problem.vtype not in (bool, int):
        raise InputError(
            f"The variables of {name} are not declared as whole numbers: vtype is {problem.vtype}.",
            "say vtype=int or vtype=bool where it is made.",
        )
    if problem.vtype is int and (problem.xl is None or problem.xu is None):
        raise InputError(f"The variables of {name} have no bounds.", "say xl= and xu= where it is made.")
    if problem.has_constraints() and penalty is None:
        raise InputError(f"{name} has constraints.", "say from_pymoo(problem, penalty=1000).")
    return FromPymoo(problem, penalty or 0.0)
