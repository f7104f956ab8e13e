"""What functions return: the kind that metaheur needs, or an error that names the line."""

from __future__ import annotations

import ast

from metaheur.translator.kinds import Float, MoveKind, Nothing, Objectives, Truth
from metaheur.translator.reading import Text
from metaheur.translator.scope import Function, described
from metaheur.translator.tree import Return, nodes

__all__ = ["require_return"]


def require_return(text: Text, function: Function, returns: str, *, floating: bool, objectives: int = 0) -> None:
    """Refuse a function that returns another kind than metaheur needs; the error names the line of the return."""
    kind = function.returns
    lines = (each for each in nodes(function.body) if isinstance(each, Return) and each.value is not None)
    line = next((each.line for each in lines if type(each.value.kind) is type(kind)), text.line(text.tree))  # type: ignore[union-attr]
    at = ast.Pass(lineno=line - text.first + 1)
    if returns == "void":
        if not isinstance(kind, Nothing):
            raise text.refusal(
                at, f"{text.name} returns {described(kind)}, but it is to write what is kept.", "drop the value."
            )
        return
    if objectives and not isinstance(kind, Objectives):
        raise text.refusal(
            at,
            f"{text.name} returns {described(kind)}, but the problem names {objectives} objectives or levels.",
            "return a number for each of them: return a, b.",
        )
    if isinstance(kind, Nothing | MoveKind):
        raise text.refusal(at, f"{text.name} must return a number.", "end it with return ...")
    real = any(isinstance(each, Float) for each in (kind.numbers if isinstance(kind, Objectives) else (kind,)))
    if real and returns != "double" and not (floating and returns in ("Cost", "Total")):
        raise text.refusal(
            at,
            f"{text.name} returns a float, but must return a {'truth' if returns == 'bool' else 'whole number'}.",
            'write int(...), or cost_type = "float64" in the class.'
            if returns in ("Cost", "Total")
            else "write int(...).",
        )
    if returns == "bool" and not isinstance(kind, Truth):
        raise text.refusal(at, f"{text.name} must return a truth, but returns {described(kind)}.", "compare: ... != 0.")
