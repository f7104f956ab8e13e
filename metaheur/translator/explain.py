"""The C++ that compiled methods become, as text: to learn from, or to be changed by hand."""

from __future__ import annotations

from collections.abc import Sequence

from metaheur.component import Component
from metaheur.errors import InputError
from metaheur.marker import is_compiled
from metaheur.move import Move
from metaheur.problem import Problem
from metaheur.representation import Representation

__all__ = ["explain", "notes_of"]


def explain(
    component: Component,
    representation: Representation | None = None,
    *,
    cost_type: str = "int64",
    moves: Sequence[type[Move]] = (),
) -> str:
    """The C++ half that the translator makes of a component's compiled methods.

    Save it as a `.cuh` file beside the class and name the file in `source`: it does the same, and can be changed. For a
    problem without `delta`, comments at the end show in Python what is derived for which moves, what is kept for it, or
    say why nothing is. Where `delta` sums up what could be kept (counts, loads, partial sums), comments say how.

    Parameters
    ----------
    component : Component
        A problem, a neighborhood or a part with @compiled methods.
    representation : Representation, optional
        Describes the solutions; only needed where the component is not a problem.
    cost_type : {"int32", "int64", "float64"}
        The type of changes of cost; a problem has its own.
    moves : sequence of type
        The classes of moves for which changes of cost may be derived; by default the usual ones of the representation.

    Returns
    -------
    str
        The text of the half.

    Raises
    ------
    InputError
        If the component has no compiled methods, or needs a representation and has none.
    CompileError
        If a method cannot be translated.
    """
    from metaheur.translator.advice import advice_on
    from metaheur.translator.deriving.folding import fold_of
    from metaheur.translator.deriving.notes import notes_on, usual_moves
    from metaheur.translator.facts import facts_of
    from metaheur.translator.half import made_half

    name, half = type(component).__name__, component
    if not is_compiled(type(component)):
        raise InputError(f"{name} has no @compiled methods, so there is nothing to explain.")
    if isinstance(component, Problem):
        representation, cost_type = component.representation, component.cost_type
    if representation is None:
        raise InputError(
            f"The C++ of {name} depends on the representation of solutions.",
            "call explain(it, problem.representation).",
        )
    if isinstance(component, Problem):
        moves = tuple(moves) or usual_moves(representation)
        half = fold_of(component, moves) or component
    facts = facts_of(half, representation, cost_type=cost_type, moves=moves)
    text = made_half(facts, mapped=False)[0]
    advice = (*notes_on(component, moves), *advice_on(type(component))) if isinstance(component, Problem) else ()
    return text + "".join(f"// {line}\n" for line in advice)


def notes_of(problem: Problem) -> tuple[str, ...]:
    """Notes on a problem's compiled methods: the loops that one thread executes alone."""
    from metaheur.translator.facts import facts_of
    from metaheur.translator.half import made_half

    if not is_compiled(type(problem)):
        return ()
    return made_half(facts_of(problem, problem.representation, cost_type=problem.cost_type))[1]
