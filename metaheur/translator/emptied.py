"""The texts of compiled methods; an `init` that only adds begins by setting the kept arrays to 0."""

from __future__ import annotations

import ast
from typing import Any

import attrs

from metaheur.machine.parsing import parsed
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.kinds import Float, Kind, Matrix, Truth, Vector
from metaheur.translator.reading import Text, read

__all__ = ["text_of"]


def text_of(function: Any, facts: ComponentFacts) -> Text:
    """The text of a compiled method; an `init` that only adds first sets the kept arrays to 0."""
    text = read(function)
    if "empties" not in vars(function):
        return text
    lines = "\n".join(_emptied(name, kind) for name, kind in facts.kept)
    emptied = parsed(lines).body
    for each in emptied:
        for node in ast.walk(each):
            if hasattr(node, "lineno"):
                node.lineno = 1
    tree = ast.FunctionDef(text.tree.name, text.tree.args, [*emptied, *text.tree.body], [], lineno=1)
    return attrs.evolve(text, tree=tree)


def _emptied(name: str, kind: Kind) -> str:
    """The statement that sets a kept array, or a kept number, to 0."""
    if isinstance(kind, Matrix):
        inner = f"for column in range(len(s.{name}[0])): s.{name}[row, column] = {_zero(kind.element)}"
        return f"for row in range(len(s.{name})):\n    {inner}"
    if isinstance(kind, Vector):
        return f"for entry in range(len(s.{name})): s.{name}[entry] = {_zero(kind.element)}"
    return f"s.{name} = {_zero(kind)}"


def _zero(kind: Kind) -> str:
    return "0.0" if isinstance(kind, Float) else "False" if isinstance(kind, Truth) else "0"
