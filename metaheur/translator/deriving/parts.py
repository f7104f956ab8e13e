"""Costs of solutions with named parts: to a move of one part, the other parts are arrays that stay as they are."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import Form, N, form_of, named, names_of, substituted
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.terms import IndexLoop, Term

__all__ = ["OTHER", "by_items", "in_solution", "of_part"]

OTHER = "other_"
"""What the name of another part begins with."""


def of_part(body: Sequence[ast.stmt], data: DataFacts) -> list[ast.stmt]:
    """The statements of a cost in which one part is the solution `x`, and each other part is an array of its own."""
    return [_OfPart(data).visit(each) for each in body] if data.part else list(body)


class _OfPart(ast.NodeTransformer):
    """Replaces `x.order` by `x`, other parts by arrays, and their lengths by numbers."""

    def __init__(self, data: DataFacts) -> None:
        self.data = data

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if ast.unparse(node.func) == "len" and len(node.args) == 1:
            match node.args[0]:
                case ast.Name(id="x"):
                    return ast.Constant(self.data.ask("length_of", ""))
                case ast.Attribute(value=ast.Name(id="x"), attr=name):
                    return self.length(name)
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id="x"), attr=name):
                return ast.Name("x" if name == self.data.part else f"{OTHER}{name}", node.ctx)
            case ast.Attribute(value=ast.Name(id="self"), attr="n"):
                return ast.Constant(self.data.ask("length_of", ""))
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name("x_as_a_whole", node.ctx) if node.id == "x" else node

    def length(self, name: str) -> ast.expr:
        """The length of a part: that of the solution, or a number."""
        found, own = self.data.ask("length_of", name), self.data.ask("length_of", self.data.part)
        return parsed(N, mode="eval").body if found == own else ast.Constant(found)


def in_solution(line_of: ast.AST, part: str) -> ast.AST:
    """Statements of a method on one part, as statements on the whole solution."""
    return _InSolution(part).visit(line_of) if part else line_of


class _InSolution(ast.NodeTransformer):
    """The inverse of `_OfPart`."""

    def __init__(self, part: str) -> None:
        self.part = part

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if ast.unparse(node) == N:
            return parsed(f"len(x.{self.part})", mode="eval").body
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == "x":
            return ast.Attribute(node, self.part, ast.Load())
        if node.id.startswith(OTHER):
            return ast.Attribute(ast.Name("x", ast.Load()), node.id.removeprefix(OTHER), ast.Load())
        return node


def by_items(term: Term, data: DataFacts) -> Term:
    """A term that goes through the items of another part, a permutation, item by item: in any order."""
    for loop in term.loops:
        if loop.low:
            continue
        for name in sorted({each for one in (term.value, *term.conditions) for each in named(one)}):
            whole = name.startswith(OTHER) and data.ask("arranges", name.removeprefix(OTHER), _length(loop.high))
            if whole and _only(term, loop, name):
                term = _renamed(term, loop, name)
                break
    return term


def _length(form: Form) -> str:
    return ast.unparse(parsed(" + ".join(f"{value} * {name or 1}" for name, value in form.items()) or "0", mode="eval"))


def _only(term: Term, loop: IndexLoop, name: str) -> bool:
    """Whether the variable of a loop only says which entry of a part is read."""
    if any(loop.name in names_of(form) for each in term.loops for form in (each.low, each.high)):
        return False
    text = f"{name}[{loop.name}]"
    for each in (term.value, *term.conditions):
        reads = sum(isinstance(one, ast.Subscript) and ast.unparse(one) == text for one in ast.walk(each))
        if reads != sum(isinstance(one, ast.Name) and one.id == loop.name for one in ast.walk(each)):
            return False
    return True


def _renamed(term: Term, loop: IndexLoop, name: str) -> Term:
    """The term with the variable of the loop in place of the entry."""
    put = _Entry(f"{name}[{loop.name}]", loop.name)
    conditions = tuple(put.visit(substituted(each, {})) for each in term.conditions)
    return Term(term.sign, term.loops, conditions, put.visit(substituted(term.value, {})))


class _Entry(ast.NodeTransformer):
    """Replaces an entry by a variable."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.unparse(node) == self.text:
            return ast.Name(self.name, ast.Load())
        self.generic_visit(node)
        return node


def form_of_part(name: str, data: DataFacts) -> Form:
    """The length of another part."""
    found, own = (data.ask("length_of", each) for each in (name.removeprefix(OTHER), data.part))
    return {N: 1} if found == own else form_of(ast.Constant(found))
