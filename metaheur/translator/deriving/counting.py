"""Conditions on three bits and more, such as clauses: how many of them hold is counted, and kept."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, final

from metaheur.translator.deriving.affine import copied, named
from metaheur.translator.deriving.terms import Term

__all__ = ["by_counts"]

Reader = Any
"""What reads a cost: it makes kept arrays."""

_MANY = 3
"""So many places, and more, are counted: two give a change in as few steps, and nothing is kept."""


def by_counts(term: Term, reader: Reader) -> Term | None:
    """A term whose conditions say how many of several conditions hold; None if that is not all that it reads."""
    if not 1 <= len(term.loops) <= 2 or "x" in named(term.value):
        return None
    tests = [one for each in term.conditions for one in _apart(each)]
    alone = [each for each in tests if _one_place(each)]
    others = [each for each in tests if "x" in named(each) and each not in alone]
    if len(alone) >= _MANY and not others:
        missed = _count([ast.UnaryOp(ast.Not(), each) for each in alone], term, reader)
        rest = tuple(each for each in tests if each not in alone)
        return Term(term.sign, term.loops, (*rest, ast.Compare(missed, [ast.Eq()], [ast.Constant(0)])), term.value)
    if alone or not others or not all(_counted(each) for each in others):
        return None
    found = tuple(_Or(term, reader).visit(copied(each)) if each in others else each for each in tests)
    return Term(term.sign, term.loops, found, term.value)


def _apart(test: ast.expr) -> list[ast.expr]:
    """Conditions joined by `and`, one by one; `not (a or b)` is `not a and not b`."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            return [one for each in values for one in _apart(each)]
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=values)):
            return [one for each in values for one in _apart(ast.UnaryOp(ast.Not(), each))]
    return [test]


def _one_place(test: ast.expr) -> bool:
    """Whether a condition reads the solution at one place, which data say."""
    places = {ast.unparse(each) for each in ast.walk(test) if _reads(each)}
    looked = all(
        "self" in named(each.slice) for each in ast.walk(test) if isinstance(each, ast.Subscript) and _reads(each)
    )
    return len(places) == 1 and looked


def _reads(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "x"


def _counted(test: ast.expr) -> bool:
    """Whether a condition is one of several conditions on one place each, joined by `or`."""
    match test:
        case ast.BoolOp(op=ast.Or(), values=values):
            return len(values) >= _MANY and all(map(_one_place, values))
    return False


def _count(tests: Sequence[ast.expr], term: Term, reader: Reader) -> ast.expr:
    """The entry of a kept array that counts conditions."""
    ones = [Term(1, (), (each,), ast.Constant(1)) for each in tests]
    found: ast.expr = reader.kept(ones, term.loops, tests[0])
    return found


@final
class _Or(ast.NodeTransformer):
    """Replaces conditions joined by `or` by a test of how many hold."""

    def __init__(self, term: Term, reader: Reader) -> None:
        self.term, self.reader = term, reader

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return ast.Compare(_count(node.values, self.term, self.reader), [ast.Gt()], [ast.Constant(0)])
