"""Where the local variables of a function are declared in C++."""

from __future__ import annotations

from metaheur.translator.kinds import Matrix, MatrixRow, Vector
from metaheur.translator.scope import Function
from metaheur.translator.team import assigned, outside
from metaheur.translator.tree import For, Let, Name, Statement, nodes

__all__ = ["declared_in_place", "own_to", "own_to_loops", "plain_variables"]


def plain_variables(function: Function, body: tuple[Statement, ...]) -> list[str]:
    """The local variables that statements assign, without rows of matrices."""
    return [
        name
        for name in function.variables
        if name in assigned(body) and not isinstance(function.variables[name], MatrixRow | Vector | Matrix)
    ]


def own_to(function: Function, loop: For) -> set[str]:
    """The variables that a loop assigns and that nothing outside of the loop uses."""
    return (assigned(loop.body) - {loop.over.name}) - outside(function, loop)


def own_to_loops(body: tuple[Statement, ...]) -> set[str]:
    """The variables that one loop of a body assigns and no other statement uses; they are declared in the loop."""
    counts: dict[str, int] = {}
    for each in body:
        for name in _used(each):
            counts[name] = counts.get(name, 0) + 1
    loops = [each for each in body if isinstance(each, For)]
    return {name for each in loops for name in assigned(each.body) if counts.get(name) == 1}


def _used(each: Statement) -> set[str]:
    return assigned(each) | {inner.name for inner in nodes(each) if isinstance(inner, Name)}


def declared_in_place(body: tuple[Statement, ...], function: Function) -> set[str]:
    """The variables that a statement of the body assigns before any other statement mentions them."""
    found: set[str] = set()
    seen: set[str] = set()
    for each in body:
        if isinstance(each, Let):
            read = {inner.name for value in each.values for inner in nodes(value) if isinstance(inner, Name)}
            found |= {name for name in each.names if name not in seen | read and name in function.variables}
        seen |= _used(each)
    return found
