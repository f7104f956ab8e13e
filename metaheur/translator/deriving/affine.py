"""Affine forms of loop variables and lengths, and proofs that one is not negative."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from metaheur.machine.parsing import parsed

T = TypeVar("T", bound=ast.AST)

Form = dict[str, int]
"""The coefficient of each name, as it is written in Python; "" is the constant."""

N = "self.n"
"""The length of a solution."""

_DEPTH = 5
"""How many facts a proof adds up at most."""

__all__ = [
    "Form",
    "N",
    "copied",
    "form_of",
    "known_sign",
    "named",
    "names_of",
    "never_negative",
    "plus",
    "put",
    "shortened",
    "solved_for",
    "substituted",
    "times",
    "written",
]


def form_of(node: ast.expr) -> Form:
    """The affine form of an expression; each part that is not affine becomes a name."""
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return times({"": value}, 1)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return times(form_of(operand), -1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right):
            return plus(form_of(left), form_of(right), 1 if isinstance(operation, ast.Add) else -1)
        case (
            ast.BinOp(left=ast.Constant(value=int() as factor), op=ast.Mult(), right=other)
            | ast.BinOp(left=other, op=ast.Mult(), right=ast.Constant(value=int() as factor))
        ):
            return times(form_of(other), factor)
    text = ast.unparse(node)
    return {N if text == "len(x)" else text: 1}


def times(form: Form, factor: int) -> Form:
    """A form times a whole number."""
    return {name: factor * value for name, value in form.items() if factor * value}


def plus(one: Form, other: Form, factor: int = 1) -> Form:
    """One form and `factor` times the other."""
    found = {name: one.get(name, 0) + factor * other.get(name, 0) for name in {**one, **other}}
    return {name: value for name, value in found.items() if value}


def put(form: Form, values: Mapping[str, Form]) -> Form:
    """A form whose names are replaced by other forms, also inside indices."""
    found: Form = {}
    for name, value in form.items():
        found = plus(found, values[name] if name in values else _put_inside(name, values), value)
    return found


def _put_inside(name: str, values: Mapping[str, Form]) -> Form:
    """A name of a form, such as `self.begin[k + 1]`, with the names inside it replaced by other forms."""
    if not values or name.isidentifier() or name in ("", N):
        return {name: 1}
    tree = parsed(name, mode="eval").body
    if not any(isinstance(each, ast.Name) and each.id in values for each in ast.walk(tree)):
        return {name: 1}
    return form_of(substituted(tree, {each: parsed(written(form), mode="eval").body for each, form in values.items()}))


def copied(node: T) -> T:
    """A tree of the same text."""
    return substituted(node, {})


def substituted(node: T, values: Mapping[str, ast.expr]) -> T:
    """A copy of a tree whose names are replaced by expressions."""
    if isinstance(node, ast.Name) and node.id in values:
        return substituted(values[node.id], {})  # type: ignore[return-value]
    if not node._fields:
        return node
    found = node.__class__.__new__(node.__class__)
    for name, value in node.__dict__.items():
        found.__dict__[name] = _substituted_in(value, values)
    return found


def _substituted_in(value: object, values: Mapping[str, ast.expr]) -> object:
    """The value of a field of a node, with names replaced by expressions."""
    if isinstance(value, ast.AST):
        return substituted(value, values)
    return [_substituted_in(each, values) for each in value] if isinstance(value, list) else value


def named(node: ast.AST) -> set[str]:
    """The names in a tree."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def names_of(form: Form) -> set[str]:
    """The names in a form, also inside indices."""
    return {one for each in form if each for one in named(parsed(each, mode="eval"))}


def shortened(node: ast.expr) -> ast.expr | None:
    """A sum or a difference in which equal parts of opposite sign are left out; None if there are none."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)):
        return None
    form, parts = form_of(node), [*_parts(node)]
    if len(form) >= len(parts) or not all(_is_simple(name) for name in form):
        return None
    return parsed(written(form), mode="eval").body


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """What a sum of sums and differences adds up."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            yield from _parts(left)
            yield from _parts(right)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield from _parts(operand)
        case _:
            yield node


def _is_simple(name: str) -> bool:
    """Whether a name of a form stays what it is as a part of a product or a sum."""
    return not name or isinstance(parsed(name, mode="eval").body, ast.Name | ast.Subscript | ast.Attribute | ast.Call)


def solved_for(form: Form, name: str, equal_to: Form) -> Form:
    """The value of a name, whose coefficient is 1 or -1, for which the form equals another one."""
    rest = {each: value for each, value in form.items() if each != name}
    return times(plus(equal_to, rest, -1), form[name])


def written(form: Form) -> str:
    """A form in Python: what is added comes first, so that compilers see j + 1 < n in j + 1 - n < 0."""
    names = sorted(name for name in form if name)
    constant = form.get("", 0)
    added = [name if form[name] == 1 else f"{form[name]} * {name}" for name in names if form[name] > 0]
    taken = [name if form[name] == -1 else f"{-form[name]} * {name}" for name in names if form[name] < 0]
    if constant > 0 and (added or not taken):
        added.append(str(constant))
    found = " + ".join(added) + "".join(f" - {each}" for each in taken)
    found = found if added else f"-{found[3:]}" if taken else ""
    if not found:
        return str(constant)
    left = constant if not added or constant < 0 else 0
    return f"{found} {'-' if left < 0 else '+'} {abs(left)}" if left else found


def never_negative(form: Form, facts: Sequence[Form], depth: int = _DEPTH) -> bool:
    """Whether a form is at least 0, given facts: forms that are at least 0."""
    if form.keys() <= {""}:
        return form.get("", 0) >= 0
    if not depth:
        return False
    useful = (fact for fact in facts if any(name and form.get(name, 0) * value > 0 for name, value in fact.items()))
    return any(never_negative(plus(form, fact, -1), facts, depth - 1) for fact in useful)


def known_sign(form: Form, facts: Sequence[Form]) -> int | None:
    """1 for a form that is always positive, -1 for always negative, 0 for always 0, otherwise None."""
    if not form:
        return 0
    if never_negative(plus(form, {"": -1}), facts):
        return 1
    return -1 if never_negative(plus(times(form, -1), {"": -1}), facts) else None
