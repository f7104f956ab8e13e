"""Loops over the items of `x.list(k)`, and `x.next(i)` and `x.previous(i)`, in compiled methods."""

from __future__ import annotations

import ast

from metaheur.translator.expressions import expression, index
from metaheur.translator.kinds import Kind, Special, Vector
from metaheur.translator.linked import SHAPE
from metaheur.translator.scope import Scope
from metaheur.translator.tree import Call, Expression, Item

__all__ = ["along", "is_linked", "neighbor"]


def shape_of(kind: Kind) -> str:
    """The name of the table that tells the numbers of items and lists of a solution, or of a part of one."""
    return SHAPE + (kind.part if isinstance(kind, Vector) else "")


def is_linked(scope: Scope, kind: Kind) -> bool:
    """Whether something is a solution of lists, or such a part of one."""
    return isinstance(kind, Vector) and kind.form in ("items", "part") and shape_of(kind) in scope.facts.known


def along(scope: Scope, node: ast.For) -> list[ast.stmt]:
    """A loop over the items of a list, as a loop along what follows its head; other loops as they are."""
    match node:
        case ast.For(
            target=ast.Name(id=name),
            iter=ast.Call(
                func=ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr="list"), args=[k], keywords=[]
            ),
        ) if (kind := _kind_of(scope, owner)) is not None and is_linked(scope, kind):
            pass
        case _:
            return [node]
    inside = (each for part in node.body for each in ast.walk(part))
    if any(isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store) for each in inside):
        raise scope.refusal(
            node, f"{name} is the variable of the loop around it, and is assigned.", "use another name."
        )
    at, items = f"at_{node.lineno}_{node.col_offset}", f"{_own(scope, node)}.{shape_of(kind)}[0]"
    following = ast.unparse(owner)
    first, loop = ast.parse(
        f"{at} = {items} + ({ast.unparse(k)})\n"
        f"while {following}[{at}] < {items}:\n"
        f"    {name} = {following}[{at}]\n"
        f"    {at} = {name}"
    ).body
    for each in (*ast.walk(first), *ast.walk(loop)):
        ast.copy_location(each, node)
    assert isinstance(loop, ast.While)
    loop.body += node.body
    return [first, loop]


def _kind_of(scope: Scope, owner: ast.Name | ast.Attribute) -> Kind | None:
    """The kind of a solution or of a part of one; None for other things."""
    if isinstance(owner, ast.Name):
        known = scope.lookup(owner)
        return None if known is None else known.kind
    x = scope.lookup(owner.value) if isinstance(owner.value, ast.Name) else None
    of_parts = x is not None and isinstance(x.kind, Vector) and x.kind.form == "items"
    return expression(scope, owner).kind if of_parts else None


def _own(scope: Scope, node: ast.For) -> str:
    """The name of the problem in one of its methods."""
    for name, kind in scope.parameters.items():
        if isinstance(kind, Special) and kind.what == "self":
            return name
    raise scope.refusal(
        node,
        f"{scope.text.name} is a function, not a method, so that it does not know where a list begins.",
        "make it one.",
    )


def neighbor(scope: Scope, node: ast.Call, x: Expression, name: str) -> Expression:
    """What comes after or before a place: `x.next(i)`, `x.previous(i)`."""
    line = scope.line(node)
    if name not in ("next", "previous") or len(node.args) != 1:
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else "x"
        raise scope.refusal(
            node,
            f"`{ast.unparse(node)}` is not translated here.",
            f"write for item in {owner}.list(k): ..., or {owner}.next(i) or {owner}.previous(i).",
        )
    place = index(scope, node.args[0])
    if name == "next":
        return Item(scope.facts.items, line, x, (place,))
    return Call(scope.facts.items, line, "py_previous", (x, place))
