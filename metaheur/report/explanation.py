"""Why a solution costs what it costs: the named terms of the cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeVar, final, overload, runtime_checkable

from attrs import field, frozen

from metaheur.errors import InputError
from metaheur.evaluators.costs import asked, python_cost
from metaheur.problem import Problem
from metaheur.validate import whole

__all__ = ["CostTerms", "NamesTerms", "explain_cost", "term"]

F = TypeVar("F")

WEIGHT = "__term_weight__"
"""The attribute of a marked method."""


@runtime_checkable
class NamesTerms(Protocol):
    """A problem that tells the terms of its cost; `explain_cost` asks."""

    def terms(self, x: Any) -> Mapping[str, Any]:
        """The terms of the cost of a solution, by name; weights are part of them, and the cost is their sum."""


@overload
def term(method: F) -> F: ...
@overload
def term(*, weight: int) -> Callable[[F], F]: ...
def term(method: Any = None, *, weight: int = 1) -> Any:
    """Mark a method of a problem as a named term of its cost, which `explain_cost` lists.

    The mark changes nothing else: `cost` still says how the terms are added, ``self.late(x) + 10 * self.doubled(x)``.

    Parameters
    ----------
    method : function
        A method of a solution, `@compiled` or not: ``@term`` stands above ``@compiled``.
    weight : int, default 1
        What the cost multiplies the method by.

    Examples
    --------
    >>> from metaheur import term
    >>> class Roster:
    ...     @term(weight=10)
    ...     def doubled(self, x):
    ...         return len(x) - len(set(x))
    """
    if method is None:
        return lambda marked: _marked(marked, weight)
    return _marked(method, weight)


def _marked(method: F, weight: Any) -> F:
    if not callable(method):
        raise InputError(f"@term marks methods, but was given {method!r}.", "write @term, or @term(weight=10).")
    setattr(method, WEIGHT, whole(weight, "weight", -(2**62), 2**62))
    return method


@final
@frozen
class CostTerms(Mapping[str, Any]):
    """The terms of the cost of one solution, by name; printed as a table, the largest first. Their sum is the cost."""

    values_: Mapping[str, Any] = field(alias="values")
    cost: Any

    def __getitem__(self, name: str) -> Any:
        """The term of a name."""
        return self.values_[name]

    def __iter__(self) -> Iterator[str]:
        """The names, in the order of the problem."""
        return iter(self.values_)

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.values_)

    def __str__(self) -> str:
        """A line for each term."""
        rows = [*sorted(self.values_.items(), key=lambda item: -abs(item[1])), ("cost", self.cost)]
        texts = [(name, f"{value:,}") for name, value in rows]
        name_width, width = (max(len(row[k]) for row in texts) for k in (0, 1))
        return "\n".join(f"{name:<{name_width}}  {value:>{width}}" for name, value in texts)


def explain_cost(problem: Problem, x: Any) -> CostTerms:
    """The named terms of the cost of a solution: of the methods that `term` marks, or of the problem's `terms`.

    Parameters
    ----------
    problem : Problem
        The problem, with one objective.
    x : array_like, shape (n,)
        A solution, such as ``result.solution``.

    Returns
    -------
    CostTerms
        A mapping whose values add up to the cost.

    Raises
    ------
    InputError
        If the problem names no terms, or if they do not add up to the cost.
    """
    kind = type(problem).__name__
    x = problem.representation.validate(x)
    marked = {
        name: getattr(value, WEIGHT)
        for owner in reversed(type(problem).__mro__)
        for name, value in vars(owner).items()
        if hasattr(value, WEIGHT)
    }
    if isinstance(problem, NamesTerms):
        found = dict(asked(problem, "terms", x))
    elif marked and not problem.objectives:
        found = {name: weight * asked(problem, name, x) for name, weight in marked.items()}
    else:
        raise InputError(
            f"{kind} does not name the terms of its cost.", "write @term above their methods, or a method terms(x)."
        )
    cost, total = python_cost(problem, x), sum(found.values())
    if total != cost and abs(total - cost) > 1e-9 * max(1, abs(cost)) * (problem.cost_type == "float64"):
        raise InputError(
            f"The terms of {kind} add up to {total:,}, but the cost is {cost:,}.",
            "mark all terms, and give @term(weight=...) what the cost multiplies them by.",
        )
    return CostTerms(found, cost)
