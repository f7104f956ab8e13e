"""Numbers of a cost that are the length of a solution, such as `12` or `len(self.w)`, as `self.n`."""

from __future__ import annotations

import ast
from typing import final

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import N, form_of, named, plus, written
from metaheur.translator.deriving.data import DataFacts

__all__ = ["with_lengths"]

_NEAR = (0, -1, -2, 1)
"""What may be added to the length."""

_SMALL = 3
"""A literal number up to this one is a number of its own."""


def with_lengths(body: list[ast.stmt], data: DataFacts) -> list[ast.stmt]:
    """Statements in which ends of ranges, lengths of lists and the like are `self.n` where they equal it."""
    return [_Lengths(data).visit(each) for each in body]


@final
class _Lengths(ast.NodeTransformer):
    """Puts the length of a solution in the place of numbers of an instance that equal it."""

    def __init__(self, data: DataFacts) -> None:
        self.data = data

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "range" and 0 < len(node.args) < 3:
            node.args[-1] = self.length(node.args[-1])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.left, ast.List) and isinstance(node.op, ast.Mult):
            node.right = self.length(node.right)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "x":
            match node.slice:
                case ast.BinOp(left=left, op=ast.Mod(), right=right):
                    node.slice = ast.BinOp(left, ast.Mod(), self.length(right))
                case ast.BinOp(left=left, op=ast.Sub(), right=right):
                    node.slice = ast.BinOp(left, ast.Sub(), self.length(right))
        return node

    def length(self, value: ast.expr) -> ast.expr:
        """An end of a range as the length, or one or two less, or one more, if it is that."""
        text = ast.unparse(value)
        if N in text or named(value) - {"self", "len"}:
            return value
        if isinstance(value, ast.Constant) and not (isinstance(value.value, int) and value.value > _SMALL):
            return value
        more = self.data.ask("beyond_length", text)
        if more not in _NEAR:
            return value
        return parsed(written(plus(form_of(parsed(N, mode="eval").body), {"": more})), mode="eval").body
