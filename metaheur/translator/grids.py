"""Solutions of real numbers on grids, as compiled methods read them: `x.value(k)`, `x.place.value(k)`."""

from __future__ import annotations

import ast

from metaheur.translator.arithmetic import as_float
from metaheur.translator.expressions import index, whole_number
from metaheur.translator.kinds import Float, Kind, Vector
from metaheur.translator.on_grid import FIRSTS, QUANTA
from metaheur.translator.scope import Scope
from metaheur.translator.tree import ArrayName, Binary, Expression, Item

__all__ = ["is_on_grid", "real_value"]


def _names(kind: Kind) -> tuple[str, str]:
    """The names of the tables that a solution, or a part of one, is read by."""
    part = kind.part if isinstance(kind, Vector) else ""
    return FIRSTS + part, QUANTA + part


def is_on_grid(scope: Scope, kind: Kind) -> bool:
    """Whether something is a solution of real numbers, or such a part of one."""
    return isinstance(kind, Vector) and kind.form in ("items", "part") and _names(kind)[0] in scope.facts.known


def real_value(scope: Scope, node: ast.Call, x: Expression, name: str) -> Expression:
    """The real number of an entry, `x.value(k)`; or of another entry there, `x.value(k, entry)`."""
    line = scope.line(node)
    if name != "value" or not 1 <= len(node.args) <= 2:
        owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else "x"
        way = f"write {owner}.value(k), or {owner}.value(k, entry)."
        raise scope.refusal(node, f"`{ast.unparse(node)}` is not translated.", way)
    place = (index(scope, node.args[0]),)
    entry: Expression = Item(scope.facts.items, line, x, place)
    if len(node.args) == 2:
        entry = whole_number(scope, node.args[1], "an entry")
    first, quantum = (Item(Float(), line, ArrayName(scope.facts.known[each], line), place) for each in _names(x.kind))
    return Binary(Float(), line, "*", quantum, Binary(Float(), line, "+", first, as_float(entry)))
