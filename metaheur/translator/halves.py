"""C++ halves: translated from compiled methods, or the file or text that a class names in `source`."""

from __future__ import annotations

from metaheur.component import Component
from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.representation import Representation
from metaheur.source import Source, source_of

__all__ = ["half_of", "half_of_move", "is_compiled"]


def is_compiled(kind: type) -> bool:
    """Whether a class has compiled methods."""
    return bool(compiled_members(kind))


def half_of(component: Component, space: Representation, *, cost_type: str = "int64", checked: bool = False) -> Source:
    """The C++ half of a component: translated from its compiled methods, or named by its class in `source`.

    Parameters
    ----------
    component : Component
        A problem, a neighborhood, a part or a loop.
    space : Representation
        Describes the solutions.
    cost_type : {"int32", "int64", "float64"}
        The type of changes of cost.
    checked : bool
        Whether translated code checks overflow and indices as it runs.

    Raises
    ------
    InputError
        If the component has no C++ half.
    CompileError
        If a compiled method cannot be translated, with its file and line.
    """
    kind = type(component)
    if not is_compiled(kind):
        return source_of(component)
    from metaheur.translator.facts import facts_of
    from metaheur.translator.half import made_half

    text, _ = made_half(facts_of(component, space, cost_type=cost_type), checked=checked)
    return Source(text, f"compiled/{kind.__name__}.cuh")


def half_of_move(kind: type[Move], *, checked: bool = False) -> Source | None:
    """The C++ half of a class of moves; None for the moves that every unit defines."""
    if is_compiled(kind):
        from metaheur.translator.facts import facts_of_move
        from metaheur.translator.half import made_half

        text, _ = made_half(facts_of_move(kind), checked=checked)
        return Source(text, f"compiled/{kind.__name__}.cuh")
    return None if kind.source is None else source_of(kind)
