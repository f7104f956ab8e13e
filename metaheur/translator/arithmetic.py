"""Operators on numbers: the kind of the result, and the bounds of its values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from attrs import evolve

from metaheur.translator.kinds import (
    HIGHEST,
    LOWEST,
    Float,
    Kind,
    Truth,
    Whole,
    as_whole,
    join,
    possible,
    together,
    whole,
)
from metaheur.translator.scope import Scope
from metaheur.translator.tree import Binary, Call, Compare, Conditional, Constant, Expression, Logic, Name, Unary, nodes

__all__ = ["binary", "choice", "compare", "comparison", "negated", "opposite", "rounded_root", "smaller"]

SIGNS: dict[type, str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Div: "/",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
OF_CONSTANTS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
"""The operators that are computed during translation if both numbers are known."""

COMPARISONS: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


def binary(scope: Scope, node: ast.AST, operation: ast.operator, left: Expression, right: Expression) -> Expression:
    """An operator between two expressions."""
    sign = SIGNS.get(type(operation))
    if sign is None:
        raise scope.refusal(node, "`@` is not translated.", "write sum(a[k] * b[k] for k in range(len(a))).")
    if isinstance(left.kind, Float) or isinstance(right.kind, Float):
        return _of_floats(scope, node, sign, left, right)
    if sign == "/":
        return _quotient(scope, node, left, right)
    if sign == "**":
        return _power(scope, node, left, right)
    return _of_whole_numbers(scope.line(node), sign, left, right)


def _of_whole_numbers(line: int, sign: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant) and isinstance(right, Constant):
        value = _known(sign, int(left.value), int(right.value))
        if value is not None:
            return Constant(whole(value, value), line, value)
    a, b = as_whole(left.kind), as_whole(right.kind)
    if sign in "&|^" and isinstance(left.kind, Truth) and isinstance(right.kind, Truth):
        return Binary(Truth(), line, sign, left, right)
    if sign in ("//", "%") and b.low == 0 < b.high:
        b = evolve(b, low=1)  # Python does not divide by 0
    low, high = _bounds(sign, a, b)
    kind = whole(low, high, cost=together(a, b))
    if sign in ("//", "%", "<<", ">>") and not _plain(sign, a, b):
        name = {"//": "py_div", "%": "py_mod", "<<": "py_left", ">>": "py_right"}[sign]
        if sign == "%" and b.low > 0 and not isinstance(right, Constant):
            name = "py_around"
        return Call(kind, line, name, (left, right))
    return Binary(kind, line, {"//": "/"}.get(sign, sign), left, right)


def _known(sign: str, a: int, b: int) -> int | None:
    """The result for two numbers that are known; None where C++ computes it, or reports that it is too large."""
    if sign not in OF_CONSTANTS or (sign in ("<<", ">>") and not 0 <= b < 64):
        return None
    value = OF_CONSTANTS[sign](a, b)
    return value if LOWEST <= value <= HIGHEST else None


def _plain(sign: str, a: Whole, b: Whole) -> bool:
    """Whether C++ divides or shifts numbers within these bounds as Python does."""
    if sign in ("//", "%"):
        return a.low >= 0 and b.low > 0
    return sign == ">>" and b.low >= 0 and b.high < 32


def _bounds(sign: str, a: Whole, b: Whole) -> tuple[int, int]:  # noqa: PLR0911 - a case for each operator
    match sign:
        case "+":
            return a.low + b.low, a.high + b.high
        case "-":
            return a.low - b.high, a.high - b.low
        case "*":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return min(ends), max(ends)
        case "%":
            return min(0, b.low + 1), max(0, b.high - 1) if a.low < 0 or b.low <= 0 else min(a.high, b.high - 1)
        case "//" if b.low > 0:
            return a.low // (b.low if a.low < 0 else b.high), a.high // (b.low if a.high > 0 else b.high)
        case "//":
            reach = max(-a.low, a.high)
            return -reach, reach
        case "&" if a.low >= 0 or b.low >= 0:
            return 0, min(each.high for each in (a, b) if each.low >= 0)
        case "<<" if a.low >= 0:
            return 0, a.high << b.high if 0 <= b.high < 64 else HIGHEST
        case ">>" if b.low >= 0:
            return min(a.low, 0), max(a.high, 0)
        case "|" | "^" if a.low >= 0 and b.low >= 0:
            return 0, (1 << max(a.high.bit_length(), b.high.bit_length())) - 1
        case "&" | "|" | "^" if a.narrow and b.narrow:
            return -(2**31), 2**31 - 1
    return LOWEST, HIGHEST


def _of_floats(scope: Scope, node: ast.AST, sign: str, left: Expression, right: Expression) -> Expression:
    line = scope.line(node)
    if sign in "+-*/":
        return Binary(_of_either(scope, node, sign, left, right), line, sign, left, right)
    if sign in ("//", "%"):
        kind, name = _of_either(scope, node, sign, left, right), "py_div" if sign == "//" else "py_mod"
        return Call(kind, line, name, (as_float(left), as_float(right)))
    raise scope.refusal(
        node, f"`{sign}` of floats is not translated.", "write x * x; powers round differently on devices."
    )


def _of_either(scope: Scope, node: ast.AST, sign: str, left: Expression, right: Expression) -> Float:
    """The kind of an operator's result if one of the numbers is, or may be, a float.

    Where both may be whole numbers, Python goes on with one: C++ must find the same in a float.
    """
    a, b = possible(left.kind), possible(right.kind)
    if a is None or b is None:
        return Float()
    found = whole(*_bounds(sign, a, b)) if sign != "/" else Whole(min(a.low, b.low), max(a.high, b.high))
    _require_exact(scope, node, Float(found), left, right)
    return Float(found) if sign != "/" else Float()


def _require_exact(scope: Scope, node: ast.AST, kind: Kind, *values: Expression) -> None:
    """Refuse the result of some numbers if it may be a float, or an integer that floats round."""
    found = [each for each in nodes(values) if isinstance(each, Name)]
    scope.require_exact(node, kind, *(each.name for each in found if isinstance(each.kind, Float) and each.kind.whole))


def as_float(value: Expression) -> Expression:
    """Convert a number to a float."""
    return value if value.kind == Float() else Call(Float(), value.line, "double", (value,))


def _quotient(scope: Scope, node: ast.AST, left: Expression, right: Expression) -> Expression:
    if not as_whole(left.kind).exact or not as_whole(right.kind).exact:
        raise scope.refusal(
            node, "`/` of whole numbers makes a float, which may be inexact.", "write //, or float(a) / float(b)."
        )
    return Binary(Float(), scope.line(node), "/", as_float(left), as_float(right))


def _power(scope: Scope, node: ast.AST, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant) and isinstance(right, Constant) and 0 <= right.value <= 62:
        value = int(left.value) ** int(right.value)
        if LOWEST <= value <= HIGHEST:
            return Constant(whole(value, value), scope.line(node), value)
    if not isinstance(right, Constant) or right.value not in (2, 3):
        raise scope.refusal(node, "`**` is translated with the exponents 2 and 3 only.", "multiply in a loop.")
    square = binary(scope, node, ast.Mult(), left, left)
    if isinstance(square.kind, Whole):  # a square is not negative
        square = Binary(
            whole(max(0, square.kind.low), square.kind.high, cost=square.kind.cost), square.line, "*", left, left
        )
    return square if right.value == 2 else binary(scope, node, ast.Mult(), square, left)


def rounded_root(value: Expression) -> Expression | None:
    """The whole number a, if the value is `math.sqrt(a) + 0.5`, whose whole part needs no double; otherwise None."""
    match value:
        case Binary(
            operation="+", left=Call(function="sqrt", values=(Call(function="double", values=(a,)),)), right=half
        ):
            if isinstance(half, Constant) and half.value == 0.5 and isinstance(a.kind, Whole):
                return a
    return None


def negated(scope: Scope, node: ast.AST, value: Expression) -> Expression:
    """-value."""
    if isinstance(value, Constant) and not isinstance(value.value, bool):
        kind = Float() if isinstance(value.kind, Float) else whole(-int(value.value), -int(value.value))
        return Constant(kind, value.line, -value.value)
    if isinstance(value.kind, Float):
        either = value.kind.whole
        return Unary(Float(whole(-either.high, -either.low) if either else None), scope.line(node), "-", value)
    a = as_whole(value.kind)
    return Unary(whole(-a.high, -a.low, cost=a.cost), scope.line(node), "-", value)


def opposite(scope: Scope, node: ast.AST, value: Expression) -> Expression:
    """~value."""
    if not isinstance(value.kind, Whole):
        raise scope.refusal(node, "`~` is for whole numbers.", "write not.")
    return Unary(whole(~value.kind.high, ~value.kind.low, cost=value.kind.cost), scope.line(node), "~", value)


_COMPARED = {
    "in": "write any(each == value for each in x).",
    "not in": "write all(each != value for each in x).",
    "is": "compare numbers with ==; for None, use a number that stands for nothing, such as -1.",
    "is not": "compare numbers with !=; for None, use a number that stands for nothing, such as -1.",
}


def comparison(scope: Scope, node: ast.AST, operation: ast.cmpop) -> str:
    """The sign of a comparison of numbers."""
    sign = COMPARISONS.get(type(operation))
    if sign is None:
        words = {"NotIn": "not in", "IsNot": "is not"}
        name = words.get(type(operation).__name__, type(operation).__name__.lower())
        raise scope.refusal(node, f"`{name}` is not translated.", _COMPARED[name])
    return sign


def compare(scope: Scope, node: ast.AST, signs: list[str], values: list[Expression]) -> Expression:
    """A comparison such as a < b < c."""
    line = scope.line(node)
    parts = [_one(line, sign, values[k], values[k + 1]) for k, sign in enumerate(signs)]
    return parts[0] if len(parts) == 1 else Logic(Truth(), scope.line(node), "&&", tuple(parts))


def _one(line: int, sign: str, left: Expression, right: Expression) -> Expression:
    """Compare two values; a float and a whole number are compared exactly, as in Python, without rounding."""
    kinds = left.kind, right.kind
    if any(isinstance(kind, Float) for kind in kinds):
        for value, other, turned in ((left, right, False), (right, left, True)):
            if isinstance(value.kind, Whole) and not value.kind.exact:
                call = Call(Whole(-2, 2), line, "py_compare", (value, other))
                zero = Constant(Whole(0, 0), line, 0)
                if sign == "!=":
                    return Compare(Truth(), line, sign, call, zero)
                return _ordered(line, _turned(sign) if turned else sign, call)
    return Compare(Truth(), line, sign, left, right)


def _turned(sign: str) -> str:
    return {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)


def _ordered(line: int, sign: str, call: Expression) -> Expression:
    """Compare the result of a call with 0: the call gives -1, 0 or 1, and 2 if one operand is not a number."""
    ends = {"<": (-1, -1), "<=": (-1, 0), ">": (1, 1), ">=": (0, 1), "==": (0, 0)}[sign]
    values = tuple(Constant(Whole(end, end), line, end) for end in ends)
    return Call(Truth(), line, "py_within", (call, *values))


def choice(scope: Scope, node: ast.AST, test: Expression, yes: Expression, no: Expression) -> Expression:
    """`yes if test else no`."""
    return Conditional(_common(scope, node, [yes, no]), scope.line(node), test, yes, no)


def smaller(scope: Scope, node: ast.AST, name: str, values: list[Expression]) -> Expression:
    """min(a, b, ...) and max(a, b, ...)."""
    kind, found = _common(scope, node, values), values[0]
    pick = min if name == "min" else max
    for value in values[1:]:
        if isinstance(kind, Whole):
            a, b = as_whole(found.kind), as_whole(value.kind)
            bounds = whole(pick(a.low, b.low), pick(a.high, b.high), cost=together(a, b))
            found = Call(bounds, scope.line(node), f"py_{name}", (found, value))
        else:
            found = Call(kind, scope.line(node), f"py_{name}", (found, value))
    return found


def _common(scope: Scope, node: ast.AST, values: list[Expression]) -> Kind:
    """The kind that all of these numbers fit; whole numbers beside floats must be exact as floats."""
    kind: Any = values[0].kind
    for value in values[1:]:
        kind = join(kind, value.kind)
    _require_exact(scope, node, kind, *values)
    return kind  # type: ignore[no-any-return]
