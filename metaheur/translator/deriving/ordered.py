"""Expressions in a canonical order, so that equal ones have equal texts: commuting operands and facts of the data."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, final

from attrs import evolve

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import copied, named, shortened
from metaheur.translator.deriving.differences import DifferenceSetting, Piece

__all__ = ["Ordered"]

_LOOP = re.compile(r"k\d*|c\d+")
"""The variables of loops, and the columns of rows."""

_COLUMN = re.compile(r"\bc\d+\b")

_VALUE = re.compile(r"x|s|[uvghw]\d*|e_\w+|h_\w+")
"""The names that depend on the solution."""

_TESTS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


@final
class Ordered(ast.NodeTransformer):
    """Writes expressions in one order, in which the entries of a loop are at the end."""

    def __init__(self, setting: DifferenceSetting) -> None:
        self.data, self.unequal = setting.data, setting.unequal
        self.known: dict[str, str] = {}

    def text(self, text: str) -> str:
        """An expression in order."""
        if text not in self.known:
            self.known[text] = ast.unparse(self.visit(parsed(text, mode="eval").body))
        return self.known[text]

    def piece(self, piece: Piece) -> Piece:
        """A piece in order."""
        found = evolve(
            piece,
            conditions=tuple(map(self.text, piece.conditions)),
            changes=tuple((sign, self.tests(tests), self.text(value)) for sign, tests, value in piece.changes),
        )
        return _numbered(found) if found.sources else found

    def tests(self, tests: Sequence[str]) -> tuple[str, ...]:
        """Conditions in order, unless one may guard an index of another one."""
        found = [*map(self.text, tests)]
        nodes = {each: parsed(each, mode="eval").body for each in found}
        return tuple(sorted(found, key=lambda each: _place(nodes[each])) if all(map(_total, nodes.values())) else found)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        if all(map(_total, node.values)):
            node.values.sort(key=_place)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name), slice=ast.Tuple(elts=[p, q])):
                if ast.unparse(p) == ast.unparse(q) and self.data.zero_diagonal(name):
                    return ast.Constant(0)
                if _key(p) > _key(q) and self.data.symmetric(name):
                    return ast.Subscript(node.value, ast.Tuple([q, p], ast.Load()), ast.Load())
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        if len(node.ops) != 1:
            return node
        left, (test,), (right,) = node.left, node.ops, node.comparators
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return ast.Constant(_TESTS[type(test)](left.value, right.value)) if type(test) in _TESTS else node
        same = ast.unparse(left) == ast.unparse(right)
        if same and isinstance(test, ast.Eq | ast.NotEq | ast.Lt | ast.Gt):
            return ast.Constant(isinstance(test, ast.Eq))
        if {ast.unparse(left), ast.unparse(right)} in self.unequal and isinstance(test, ast.Eq | ast.NotEq):
            return ast.Constant(isinstance(test, ast.NotEq))
        if isinstance(test, ast.Eq | ast.NotEq) and _key(left) < _key(right):
            return ast.Compare(right, [test], [left])
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.Eq()], comparators=right)):
                return ast.Compare(left, [ast.NotEq()], right)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.NotEq()], comparators=right)):
                return ast.Compare(left, [ast.Eq()], right)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value == 0:
            return node.operand
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult) and _place(node.left) > _place(node.right):
            node.left, node.right = node.right, node.left
        zero = [isinstance(each, ast.Constant) and each.value == 0 for each in (node.left, node.right)]
        if isinstance(node.op, ast.Mult) and any(zero):
            return ast.Constant(0)
        if isinstance(node.op, ast.Add | ast.Sub) and zero[1]:
            return node.left
        if isinstance(node.op, ast.Add) and zero[0]:
            return node.right
        return shortened(node) or node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(left=left, op=ast.Sub(), right=right)]):
                if ast.unparse(left) == ast.unparse(right):
                    return ast.Constant(0)
                if _key(left) < _key(right):
                    found = copied(node)
                    found.args = [ast.BinOp(right, ast.Sub(), left)]
                    return found
        return node


def _numbered(piece: Piece) -> Piece:
    """The same piece with its columns numbered in the order in which they are read."""
    texts = [*piece.conditions, *(each for _, tests, value in piece.changes for each in (*tests, value))]
    texts += [name for _, lows, _ in piece.loops for form in lows for name in form]
    numbers: dict[str, int] = {}
    for text in texts:
        for name in _COLUMN.findall(text):
            numbers.setdefault(name, len(numbers))

    def renamed(text: str) -> str:
        return _COLUMN.sub(lambda found: f"c{numbers[found[0]]}", text)

    return evolve(
        piece,
        loops=tuple(
            (name, [{renamed(one): value for one, value in form.items()} for form in lows], highs)
            for name, lows, highs in piece.loops
        ),
        conditions=tuple(map(renamed, piece.conditions)),
        changes=tuple((sign, tuple(map(renamed, tests)), renamed(value)) for sign, tests, value in piece.changes),
        sources=tuple((rows, tuple(columns[int(name[1:])] for name in numbers)) for rows, columns in piece.sources),
    )


def _place(node: ast.expr) -> tuple[bool, str]:
    """Where an operand that commutes belongs; all columns are alike."""
    return _key(node)[0], _COLUMN.sub("c", ast.unparse(node))


def _total(node: ast.expr) -> bool:
    """Whether an expression has a value for each solution: no index of an array of data depends on the solution."""
    return not any(
        isinstance(each, ast.Subscript)
        and isinstance(each.value, ast.Attribute)
        and ast.unparse(each.value.value) == "self"
        and any(_VALUE.fullmatch(name) for name in named(each.slice))
        for each in ast.walk(node)
    )


def _key(node: ast.expr) -> tuple[bool, str]:
    """Whether an expression depends on a loop, and its text."""
    return any(_LOOP.fullmatch(each) for each in named(node)), ast.unparse(node)
