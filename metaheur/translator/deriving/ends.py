"""Single terms at both ends of a cyclic sum, which are those between where a position before 0 is the last one.

A term such as d[x[i - 1], x[i]] has a case of its own where i is 0. It reads x[n - 1], which is x[i - 1] in Python:
both cases are one statement without a condition, and x[j + 1 - n] does the same at the other end.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence

from attrs import evolve

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import (
    Form,
    N,
    form_of,
    never_negative,
    plus,
    put,
    solved_for,
    substituted,
    times,
    written,
)
from metaheur.translator.deriving.differences import Piece
from metaheur.translator.deriving.ordered import Ordered

__all__ = ["around_ends", "outside_of"]


def around_ends(pieces: Sequence[Piece], facts: Sequence[Form], order: Ordered) -> list[Piece]:
    """The pieces, of which some hold at the ends, too, instead of pieces of their own."""
    left = list(pieces)
    for piece in pieces:
        if len(piece.conditions) != 1 or piece.loops or piece.sources:
            continue
        form = _at_least(piece.conditions[0])
        opposite = None if form is None else _text(plus(times(form, -1), {"": -1}))
        for other in pieces:
            if form is None or opposite not in other.conditions or len(other.conditions) != 2 or other not in left:
                continue
            (rest,) = (each for each in other.conditions if each != opposite)
            made = _joined(piece, other, form, facts, order)
            second = _at_least(rest)
            if made is None or second is None or not never_negative(plus(second, {"": 1}), facts):
                continue
            both = " and ".join(sorted(f"{_end(each)}" for each in (form, second)))
            corner = {opposite, _text(plus(times(second, -1), {"": -1}))}
            left.remove(other)
            left[left.index(piece)] = evolve(made, conditions=(f"not ({both})",))
            left = _corner(left, corner, [form, second], order)
            left = [evolve(each, conditions=(both,)) if {*each.conditions} == corner else each for each in left]
            break
    return left


def _corner(pieces: list[Piece], corner: set[str], ends: Sequence[Form], order: Ordered) -> list[Piece]:
    """The pieces, without those at both ends at once where all that is added there cancels."""
    values = {_variable(form): solved_for(form, _variable(form), {"": -1}) for form in ends}
    here = [each for each in pieces if not each.loops and not each.sources and {*each.conditions} in (set(), corner)]
    added = Counter[tuple[tuple[str, ...], str]]()
    for piece in here:
        for (sign, tests, value), count in _there(piece, values, order).items():
            added[tests, value] += sign * count
    inside = f"not ({' and '.join(sorted(map(_end, ends)))})"
    if any(added.values()) or any(each.loops or each.sources for each in pieces if not each.conditions):
        return pieces
    left = [each for each in pieces if {*each.conditions} != corner]
    return [evolve(each, conditions=(inside,)) if not each.conditions else each for each in left]


def outside_of(pieces: list[Piece]) -> tuple[str, list[Piece]]:
    """The condition under which no piece adds anything, and the pieces where it does not hold; "" if none is known."""
    found = {each.conditions for each in pieces}
    if len(found) != 1:
        return "", pieces
    (conditions,) = found
    node = _node(conditions[0]) if len(conditions) == 1 else None
    if not isinstance(node, ast.UnaryOp) or any(each.loops or each.sources for each in pieces):
        return "", pieces
    return ast.unparse(node.operand), [evolve(each, conditions=()) for each in pieces]


def _at_least(condition: str) -> Form | None:
    """The form that a condition demands to be at least 0; None for another condition."""
    match parsed(condition, mode="eval").body:
        case ast.Compare(left=left, ops=[ast.GtE()], comparators=[ast.Constant(value=0)]):
            return form_of(left)
    return None


def _text(form: Form) -> str:
    return f"{written(form)} >= 0"


def _variable(form: Form) -> str:
    """A variable of a form that is no length; "" if there is none."""
    return next((name for name, value in sorted(form.items()) if name.isidentifier() and abs(value) == 1), "")


def _end(form: Form) -> str:
    """The condition under which a form, at least -1, is -1."""
    name = _variable(form)
    return f"{name} == {written(solved_for(form, name, {'': -1}))}"


def _joined(piece: Piece, other: Piece, form: Form, facts: Sequence[Form], order: Ordered) -> Piece | None:
    """A piece whose places also are those of another one, where `form` is -1; None if they are not."""
    name = _variable(form)
    if not name or not never_negative(plus(form, {"": 1}), facts):
        return None
    values = {name: solved_for(form, name, {"": -1})}
    if _there(piece, values, order) != _there(other, values, order):
        return None
    wraps = _Places(lambda place: _wrapped(place, values, facts))
    changes = tuple((sign, tests, ast.unparse(wraps.visit(_node(value)))) for sign, tests, value in piece.changes)
    return None if wraps.unknown else evolve(piece, changes=changes)


def _there(piece: Piece, values: dict[str, Form], order: Ordered) -> Counter[tuple[int, tuple[str, ...], str]]:
    """The changes of a piece where a variable has a value; places of the solution are counted from its end."""
    known = {name: _node(written(form)) for name, form in values.items()}
    places = _Places(lambda place: {name: value for name, value in place.items() if name != N})

    def text(given: str) -> str:
        return order.text(ast.unparse(places.visit(substituted(_node(given), known))))

    return Counter((sign, tuple(map(text, tests)), text(value)) for sign, tests, value in piece.changes)


def _wrapped(place: Form, values: dict[str, Form], facts: Sequence[Form]) -> Form | None:
    """A place that Python reads from the end where it is outside; None if it may be outside of this, too."""
    there = put(place, values)
    shift: Form = {N: -1} if there == {N: 1} else {}
    room: Form = {"": 1} if there == {"": -1} else {}
    highest: Form = {N: 1} if shift else {N: 1, "": -1}
    inside = never_negative(plus(place, room), facts) and never_negative(plus(highest, place, -1), facts)
    return plus(place, shift) if inside else None


def _node(text: str) -> ast.expr:
    found: ast.expr = substituted(parsed(text, mode="eval").body, {})
    return found


class _Places(ast.NodeTransformer):
    """Replaces the places at which the solution is read; `unknown`: whether there is nothing to replace one."""

    def __init__(self, change: Callable[[Form], Form | None]) -> None:
        self.change, self.unknown = change, False

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if not (isinstance(node.value, ast.Name) and node.value.id == "x"):
            self.generic_visit(node)
            return node
        found = self.change(form_of(node.slice))
        self.unknown |= found is None
        return node if found is None else ast.Subscript(node.value, _node(written(found)), ast.Load())
