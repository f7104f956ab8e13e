"""The C++ that compiled methods become, for reading: to learn from it, or to go on from there by hand."""

from __future__ import annotations

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.representation import Representation

__all__ = ["explain", "notes_of"]


def explain(component: Component, representation: Representation | None = None, *, cost_type: str = "int64") -> str:
    """The C++ half that is made of the compiled methods of a component.

    It is a `.cuh` file: written beside the class and named in `source`, it does the same, and can be changed.

    Parameters
    ----------
    component : Component
        A problem, a neighborhood or a part with @compiled methods.
    representation : Representation, optional
        Of the solutions; a problem has its own.
    cost_type : {"int32", "int64", "float64"}
        What changes of cost are; a problem says so itself.

    Raises
    ------
    InputError
        If it has no compiled methods, or no representation is given.
    CompileError
        If a method cannot be translated.
    """
    from metaheur.translator.facts import facts_of
    from metaheur.translator.half import made_half
    from metaheur.translator.halves import is_compiled

    name = type(component).__name__
    if not is_compiled(type(component)):
        raise InputError(f"{name} has no @compiled methods, so there is nothing to explain.")
    if isinstance(component, Problem):
        representation, cost_type = component.representation, component.cost_type
    if representation is None:
        raise InputError(
            f"The C++ of {name} depends on the representation of solutions.",
            "call explain(it, problem.representation).",
        )
    return made_half(facts_of(component, representation, cost_type=cost_type), mapped=False)[0]


def notes_of(problem: Problem) -> tuple[str, ...]:
    """What the reader of a problem's compiled methods should know: the loops that one thread makes."""
    from metaheur.translator.facts import facts_of
    from metaheur.translator.half import made_half
    from metaheur.translator.halves import is_compiled

    if not is_compiled(type(problem)):
        return ()
    return made_half(facts_of(problem, problem.representation, cost_type=problem.cost_type))[1]
