"""Expressions: from Python's syntax tree to the typed one."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import attrs

from metaheur.errors import CompileError
from metaheur.marker import Compiled
from metaheur.translator import arithmetic
from metaheur.translator.kinds import (
    HIGHEST,
    LOWEST,
    NARROW,
    Float,
    Kind,
    Matrix,
    MatrixRow,
    MoveKind,
    Special,
    Truth,
    Vector,
    Whole,
    as_whole,
)
from metaheur.translator.names import own
from metaheur.translator.reading import maybe_one_of
from metaheur.translator.scope import Scope, constant_kind, described
from metaheur.translator.segments import OWN
from metaheur.translator.tree import (
    ArrayName,
    Call,
    Compare,
    Constant,
    Expression,
    Field,
    Item,
    Logic,
    Name,
    RowOf,
    Scalar,
    Size,
    Unary,
)
from metaheur.translator.ways import described_node, way_of_attribute

__all__ = ["expression", "index", "length", "number", "sliced", "test", "truth", "whole_number"]


def expression(scope: Scope, node: ast.expr) -> Expression:  # noqa: PLR0911, PLR0912 - a case for each kind of node
    """The typed expression of a node."""
    line = scope.line(node)
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            if isinstance(value, int) and abs(value) >= 2**63:
                raise scope.refusal(node, f"{value} has more than 64 bits.")
            return Constant(constant_kind(value), line, value)
        case ast.Name():
            return _name(scope, node)
        case ast.Attribute():
            return _attribute(scope, node)
        case ast.Subscript():
            return _subscript(scope, node)
        case ast.BinOp(left=left, op=operation, right=right):
            return arithmetic.binary(scope, node, operation, number(scope, left), number(scope, right))
        case ast.UnaryOp(op=ast.USub(), operand=value):
            return arithmetic.negated(scope, node, number(scope, value))
        case ast.UnaryOp(op=ast.UAdd(), operand=value):
            return number(scope, value)
        case ast.UnaryOp(op=ast.Invert(), operand=value):
            return arithmetic.opposite(scope, node, number(scope, value))
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return Unary(Truth(), line, "!", test(scope, value))
        case ast.BoolOp(op=operation, values=values):
            truths = tuple(truth(scope, each, "`and` and `or` of numbers give a number") for each in values)
            return Logic(Truth(), line, "&&" if isinstance(operation, ast.And) else "||", truths)
        case ast.Compare(left=left, ops=operations, comparators=rest):
            signs = [arithmetic.comparison(scope, node, each) for each in operations]
            return arithmetic.compare(scope, node, signs, [number(scope, each) for each in (left, *rest)])
        case ast.IfExp(test=condition, body=yes, orelse=no):
            return arithmetic.choice(scope, node, test(scope, condition), number(scope, yes), number(scope, no))
        case ast.Call():
            return scope.unit.called(scope, node)
    name, way = described_node(node)
    raise scope.refusal(node, f"{name} is not translated: `{ast.unparse(node)}`.", way)


def number(scope: Scope, node: ast.expr) -> Expression:
    """An expression that must be a number or a truth."""
    found = expression(scope, node)
    if not isinstance(found.kind, Whole | Float | Truth):
        hint = "index it." if isinstance(found.kind, Vector | Matrix | MatrixRow) else ""
        if isinstance(found.kind, MoveKind):
            hint = f"name a field of it, such as {ast.unparse(node)}.{next(iter(found.kind.of.__annotations__), 'i')}."
        raise scope.refusal(node, f"`{ast.unparse(node)}` must be a number here, but is {described(found.kind)}.", hint)
    return found


def whole_number(scope: Scope, node: ast.expr, what: str) -> Expression:
    """An expression that must be a whole number."""
    found = number(scope, node)
    if isinstance(found.kind, Float):
        raise scope.refusal(
            node, f"{what} must be a whole number, but `{ast.unparse(node)}` is a float.", "write int(...)."
        )
    return found


def test(scope: Scope, node: ast.expr) -> Expression:
    """An expression that is used as a condition: a number is true unless it is 0."""
    match node:
        case ast.BoolOp(op=operation, values=values):
            sign = "&&" if isinstance(operation, ast.And) else "||"
            return Logic(Truth(), scope.line(node), sign, tuple(test(scope, each) for each in values))
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return Unary(Truth(), scope.line(node), "!", test(scope, value))
    found = number(scope, node)
    if isinstance(found.kind, Truth):
        return found
    return Compare(Truth(), found.line, "!=", found, Constant(Whole(0, 0), found.line, 0))


def truth(scope: Scope, node: ast.expr, why: str) -> Expression:
    """An expression that must be a truth."""
    found = expression(scope, node)
    if not isinstance(found.kind, Truth):
        raise scope.refusal(
            node,
            f"{why}, but `{ast.unparse(node)}` is {described(found.kind)}.",
            "compare it: `... != 0`; or write a if c else b.",
        )
    return found


def index(scope: Scope, node: ast.expr) -> Expression:
    """An expression that is an index."""
    if isinstance(node, ast.Slice):
        raise scope.refusal(
            node, f"a slice is translated in a loop only: `{ast.unparse(node)}`.", "write ... for b in x[i:j]."
        )
    return whole_number(scope, node, "an index")


def sliced(scope: Scope, node: ast.expr) -> tuple[Expression, ast.Slice]:
    """The array that a loop goes over, and the slice of it: `x`, `x[i:j]`, `self.w[k, i:j]`."""
    match node:
        case ast.Subscript(value=value, slice=ast.Slice() as part):
            array = expression(scope, value)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[row, ast.Slice() as part])):
            array = expression(scope, ast.copy_location(ast.Subscript(value, row, ast.Load()), node))
        case _:
            return expression(scope, node), ast.Slice()
    if part.step is not None and not (isinstance(part.step, ast.Constant) and part.step.value == 1):
        raise scope.refusal(node, f"`{ast.unparse(node)}` has a step.", "write for k in range(first, end, step).")
    if isinstance(array.kind, Vector) and array.kind.form == "items" and array.kind.written:
        raise scope.refusal(
            node, f"`{ast.unparse(node)}` copies entries that are written here.", "write for k in range(first, end)."
        )
    return array, part


def length(scope: Scope, array: Expression) -> Expression:
    """The length of an array: n for a solution and for rows that are as long as a solution."""
    kind = array.kind
    if isinstance(kind, Vector) and kind.form == "items":
        if scope.facts.family == "move":
            raise CompileError(f"{scope.text.path}:{array.line}: a move does not know how long solutions are.")
        return Scalar(scope.facts.length, array.line, "n")
    if isinstance(kind, Vector) and kind.form == "part":
        return Scalar(scope.facts.length, array.line, kind.extent)
    if isinstance(kind, MatrixRow):
        return Size(kind.matrix.columns, array.line, array)
    assert isinstance(kind, Vector | Matrix)
    size = kind.size if isinstance(kind, Vector) else kind.rows
    return Size(size, array.line, array)


def _name(scope: Scope, node: ast.Name) -> Expression:
    found = scope.lookup(node)
    if found is not None:
        return found
    known, value = scope.text.resolve(node.id)
    if isinstance(value, bool | int | float):
        if isinstance(value, int) and abs(value) >= 2**63:
            raise scope.refusal(node, f"{node.id} is {value}, which has more than 64 bits.")
        return Constant(constant_kind(value), scope.line(node), value)
    if not known:
        raise scope.refusal(
            node,
            f"{node.id} is not known here.",
            maybe_one_of(node.id, [*scope.parameters, *scope.variables]) or f"self.{node.id}.",
        )
    raise scope.refusal(
        node,
        f"{node.id} is a {type(value).__name__} from outside of the method, and only numbers are translated.",
        "make it a field with data(), or a table.",
    )


def _attribute(scope: Scope, node: ast.Attribute) -> Expression:  # noqa: PLR0911 - a case for each owner
    line, name = scope.line(node), node.attr
    value = _owner(scope, node.value)
    kind = value.kind
    if isinstance(kind, MoveKind):
        return _field(scope, node, value)
    if not isinstance(kind, Special):
        if scope.facts.parts and isinstance(kind, Vector) and kind.origin == "x":
            return _part(scope, node)
        way = way_of_attribute(node) or "use numbers, and entries of arrays."
        raise scope.refusal(node, f"`{ast.unparse(node)}` is not translated.", way)
    match kind.what:
        case "self":
            return member(scope, node, name)
        case "state":
            return _kept(scope, node, name)
        case "segment" if name in (*scope.facts.segment, *OWN):
            whole = scope.facts.items if name in OWN else Whole(LOWEST, HIGHEST, cost=True)
            return Field(Float() if scope.facts.floating and name not in OWN else whole, line, value, name)
        case "representation" if name == "length":
            return Scalar(scope.facts.length, line, "n")
        case "random" if name == "iteration":
            return Field(Whole(0, 2**63 - 1), line, value, name)
        case "start" if name in ("cost", "solution"):
            return _start(scope, line, name)
    hints = {"representation": "representation.length.", "random": "random.bits(draw) or random.iteration."}
    way = hints.get(kind.what, "") or way_of_attribute(node)
    raise scope.refusal(node, f"`{ast.unparse(node)}` is not translated.", way)


def _part(scope: Scope, node: ast.Attribute) -> Expression:
    """A named part of the solution: `x.order`."""
    parts = dict(scope.facts.parts)
    if node.attr not in parts:
        hint = maybe_one_of(node.attr, parts, f"{ast.unparse(node.value)}.")
        raise scope.refusal(node, f"solutions have no part called {node.attr}.", hint)
    return ArrayName(parts[node.attr], scope.line(node))


def _owner(scope: Scope, node: ast.expr) -> Expression:
    if isinstance(node, ast.Name):
        known = scope.lookup(node)
        if known is not None:
            return known
        _, value = scope.text.resolve(node.id)
        if inspect.ismodule(value) or isinstance(value, type):
            return Name(Special("module", value), scope.line(node), node.id)
    return expression(scope, node)


def _start(scope: Scope, line: int, name: str) -> Expression:
    if name == "solution":
        return ArrayName(Vector("start_x", scope.facts.items, form="items"), line)
    return Scalar(Float() if scope.facts.floating else Whole(-(2**63), 2**63 - 1), line, "start_cost")


def member(scope: Scope, node: ast.AST, name: str) -> Expression:
    """`self.name`."""
    line, facts = scope.line(node), scope.facts
    kind = facts.known.get(name)
    if isinstance(kind, Vector | Matrix):
        return ArrayName(kind, line)
    if isinstance(kind, Whole | Float | Truth):
        return Scalar(kind, line, own(name))
    if isinstance(kind, Special) and kind.what == "component":
        return Scalar(kind, line, own(name))
    value = inspect.getattr_static(facts.owner, name, None)
    if isinstance(value, bool | int | float):
        return Constant(constant_kind(value), line, value)
    if isinstance(kind, Special):
        raise scope.refusal(
            node, f"self.{name} is {kind.of}, which has no meaning in C++.", "use numbers, truths and data()."
        )
    raise _unknown_member(scope, node, name, value)


def _unknown_member(scope: Scope, node: ast.AST, name: str, value: Any) -> CompileError:
    facts = scope.facts
    if isinstance(value, Compiled):
        return scope.refusal(node, f"self.{name} is a method.", f"call it: self.{name}(...).")
    if value is not None:
        return scope.refusal(
            node,
            f"self.{name} is known to Python only.",
            "declare it in `tables` or `constants`, or compute it in a @compiled method.",
        )
    made = "a field made with data()" if facts.family in ("problem", "move") else "a field"
    return scope.refusal(node, f"self.{name} is not {made}.", maybe_one_of(name, facts.known, "self."))


def _kept(scope: Scope, node: ast.AST, name: str) -> Expression:
    line, kept = scope.line(node), dict(scope.facts.kept)
    kind = kept.get(name)
    if isinstance(kind, Vector | Matrix):
        scope.reads.add(kind.origin)
        return ArrayName(kind, line)
    if kind is None and scope.facts.folds:
        raise scope.refusal(node, f"start makes no {name!r}.", maybe_one_of(name, kept, "s."))
    if kind is None:
        raise scope.refusal(node, f"{name} is not kept.", maybe_one_of(name, kept) or "declare it in `state`.")
    if scope.facts.folds:
        return Scalar(kind, line, f"s.word[at_{name}]", written=True)
    return Scalar(kind, line, own(name), written=True)


def _field(scope: Scope, node: ast.Attribute, value: Expression) -> Expression:
    assert isinstance(value.kind, MoveKind)
    of: Any = value.kind.of
    names = [each.name for each in attrs.fields(of) if each.init]
    if node.attr not in names:
        hint = maybe_one_of(node.attr, names, f"{ast.unparse(node.value)}.")
        raise scope.refusal(node, f"a {of.__name__} has no {node.attr}.", hint)
    low = 0 if node.attr in of.unsigned else -NARROW
    line = scope.line(node)
    if of.__name__ == "FlipMove":
        origin = f"{_printed(value)}.at"
        return ArrayName(Vector(origin, Whole(0, NARROW - 2), Whole(1, 4), form="positions"), line)
    high = NARROW - 1 - (low == 0)
    if of.__name__ == "SubstitutionMove" and node.attr != "at":  # a shift, and the number of values
        high = min(high, scope.facts.items.high + (node.attr == "values"))
    return Field(Whole(low, high), line, value, node.attr)


def _printed(value: Expression) -> str:
    return value.name if isinstance(value, Name) else "m"


def _subscript(scope: Scope, node: ast.Subscript) -> Expression:
    array, line = expression(scope, node.value), scope.line(node)
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    kind = array.kind
    wanted = 2 if isinstance(kind, Matrix) else 1
    if not isinstance(kind, Vector | Matrix | MatrixRow):
        raise scope.refusal(node, f"`{ast.unparse(node.value)}` is {described(kind)}, which cannot be indexed.")
    if len(places) > wanted:
        raise scope.refusal(
            node, f"`{ast.unparse(node.value)}` is {described(kind)}, and has {wanted} index, not {len(places)}."
        )
    indices = tuple(index(scope, each) for each in places)
    _require_known_end(scope, node, kind, indices)
    if isinstance(kind, Matrix) and len(indices) == 1:
        return RowOf(MatrixRow(kind), line, array, indices[0])
    element: Kind = kind.matrix.element if isinstance(kind, MatrixRow) else kind.element
    return Item(element, line, array, indices)


def _require_known_end(scope: Scope, node: ast.AST, kind: Kind, indices: tuple[Expression, ...]) -> None:
    """Refuse a negative index in a move, which does not know how long solutions are."""
    negative = any(isinstance(each.kind, Whole) and each.kind.low < 0 for each in indices)
    if scope.facts.family == "move" and isinstance(kind, Vector) and kind.form == "items" and negative:
        names = ", ".join(f'"{name}"' for name in scope.facts.known)
        raise scope.refusal(
            node,
            "this index may be negative, and a move does not know where a solution ends.",
            f"name the fields that are never negative: unsigned = ({names},).",
        )


def converted(scope: Scope, node: ast.AST, name: str, value: Expression) -> Expression:
    """int(value), float(value) and bool(value)."""
    if name == "float":
        return arithmetic.as_float(value)
    if name == "bool":
        zero = Constant(Whole(0, 0), value.line, 0)
        return value if isinstance(value.kind, Truth) else Compare(Truth(), value.line, "!=", value, zero)
    if isinstance(value.kind, Float):
        return truncated(scope, node, "i64", value)
    return value if isinstance(value.kind, Whole) else Call(as_whole(value.kind), value.line, "int", (value,))


def truncated(scope: Scope, node: ast.AST, function: str, value: Expression) -> Expression:
    """The whole part of a float: int(value), math.floor(value), math.ceil(value)."""
    root = arithmetic.rounded_root(value)
    if root is not None and function != "py_ceil":
        bounds = Whole(0, 3_037_000_500, cost=as_whole(root.kind).cost)
        return Call(bounds, scope.line(node), "py_rounded_root", (root,))
    return Call(Whole(-(2**63), 2**63 - 1), scope.line(node), function, (value,))
