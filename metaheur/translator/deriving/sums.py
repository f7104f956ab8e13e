"""A cost as a sum of terms: signed nested sums, each over loops and under conditions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from typing import final

from attrs import define, field, frozen

from metaheur.errors import CompileError
from metaheur.translator.deriving.affine import Form, N, form_of, plus
from metaheur.translator.reading import Text

__all__ = ["IndexLoop", "Term", "named", "substituted", "terms_of"]


@final
@frozen
class IndexLoop:
    """A loop over the whole numbers from `low` to before `high`."""

    name: str
    low: Form
    high: Form

    @property
    def facts(self) -> tuple[Form, Form]:
        """What is known of its variable."""
        return plus({self.name: 1}, self.low, -1), plus(plus(self.high, {self.name: 1}, -1), {"": -1})


@final
@frozen(eq=False)
class Term:
    """A value that is added (`sign` 1) or subtracted (-1) for all values of loops for which conditions hold."""

    sign: int
    loops: tuple[IndexLoop, ...]
    conditions: tuple[ast.expr, ...]
    value: ast.expr


class _Put(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.values.get(node.id, node))


def substituted(node: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """An expression with others in the place of names; the expression itself stays as it is."""
    found: ast.expr = _Put(values).visit(copy.deepcopy(node))
    return found


def named(node: ast.AST) -> set[str]:
    """The names in an expression."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def terms_of(text: Text) -> list[Term]:
    """The terms of a cost.

    Raises
    ------
    CompileError
        If the cost is not a sum of terms, with the line and the construct that is not one.
    """
    return _Reader(text).terms()


_FOLDS = ("sum", "min", "max", "any", "all")


@final
@define(eq=False)
class _Reader:
    """Reads the statements of a cost; `x` and `self` are the names of its parameters."""

    text: Text
    collected: dict[str, list[Term]] = field(factory=dict)
    loops_made: int = 0

    def terms(self) -> list[Term]:
        own, x = self.text.parameters
        body = [
            _Put({x: ast.Name("x", ast.Load()), own: ast.Name("self", ast.Load())}).visit(copy.deepcopy(each))
            for each in self.text.tree.body
        ]
        assigned = [name for each in body for name in _assigned(each)]
        added = {
            each.target.id
            for one in body
            for each in ast.walk(one)
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name)
        }
        assigned += {
            name.id
            for one in body
            for each in ast.walk(one)
            if isinstance(each, ast.For)
            for name in ast.walk(each.target)
            if isinstance(name, ast.Name) and name.id in {*assigned, *added}
        }
        for name in {*assigned}:
            if assigned.count(name) > 1:
                raise self.refusal(self.text.tree, f"{name} is assigned several times")
        for each in (one for node in body for one in ast.walk(node)):
            real = isinstance(each, ast.Div) or (isinstance(each, ast.Constant) and isinstance(each.value, float))
            if real or (isinstance(each, ast.Attribute) and ast.unparse(each.value) == "math"):
                raise self.refusal(self.text.tree, "the cost computes with floats")
        self.collected = {name: [] for name in added}
        *before, last = body
        if not isinstance(last, ast.Return) or last.value is None:
            raise self.refusal(last, "the cost does not end with the only return")
        values = self.block(before, (), (), {})
        return list(self.sum(substituted(last.value, values), 1, (), ()))

    def refusal(self, node: ast.AST, why: str) -> CompileError:
        """The error that says why no change of cost is derived."""
        return self.text.refusal(node, f"{why}, so that no change of cost is derived.", "write delta by hand.")

    def block(
        self,
        body: list[ast.stmt],
        loops: tuple[IndexLoop, ...],
        conditions: tuple[ast.expr, ...],
        values: Mapping[str, ast.expr],
    ) -> dict[str, ast.expr]:
        """Collect the terms of statements; returns what the names stand for behind them."""
        known = dict(values)
        for each in body:
            read = [each.test] if isinstance(each, ast.If) else [each.iter] if isinstance(each, ast.For) else []
            read += [each.value] if isinstance(each, ast.Assign) else []
            if any(named(one) & self.collected.keys() for one in read):
                raise self.refusal(each, "a sum is read before it is complete")
            match each:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case ast.Assign(targets=[target], value=value):
                    given = {name: substituted(one, known) for name, one in self.pairs(each, target, value)}
                    for name in given.keys() & self.collected.keys():
                        if loops or conditions or ast.unparse(given.pop(name)) != "0":
                            raise self.refusal(each, f"{name} does not begin with 0 before all loops")
                    known |= given
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() as operation, value=value):
                    sign = 1 if isinstance(operation, ast.Add) else -1
                    given_value = substituted(value, known)
                    if named(given_value) & self.collected.keys():
                        raise self.refusal(each, f"{name} grows by a sum that is not complete")
                    self.collected[name] += self.sum(given_value, sign, loops, conditions)
                case ast.For(target=target, iter=goes, body=inner, orelse=[]):
                    loop, names = self.loop(target, substituted(goes, known))
                    self.block(inner, (*loops, loop), conditions, {**known, **names})
                case ast.If(test=test, body=yes, orelse=no):
                    condition = substituted(test, known)
                    self.block(yes, loops, (*conditions, condition), known)
                    self.block(no, loops, (*conditions, ast.UnaryOp(ast.Not(), condition)), known)
                case _:
                    raise self.refusal(each, f"`{ast.unparse(each).splitlines()[0]}` is no term of a sum")
        return known

    def pairs(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
        """The names that an assignment gives values, each with its value."""
        targets, values = [target], [value]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            targets, values = target.elts, value.elts
        if len(targets) != len(values) or not all(isinstance(each, ast.Name) for each in targets):
            raise self.refusal(node, f"`{ast.unparse(node)}` is no term of a sum")
        yield from ((ast.unparse(each), one) for each, one in zip(targets, values, strict=True))

    def loop(self, target: ast.expr, goes: ast.expr) -> tuple[IndexLoop, dict[str, ast.expr]]:
        """A loop with a variable of its own, and what the names of the loop stand for."""
        name = f"k{self.loops_made}"
        self.loops_made += 1
        here = ast.Name(name, ast.Load())
        match target, goes:
            case ast.Name(id=own), ast.Call(func=ast.Name(id="range"), args=[high], keywords=[]):
                return IndexLoop(name, {}, form_of(high)), {own: here}
            case ast.Name(id=own), ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]):
                return IndexLoop(name, form_of(low), form_of(high)), {own: here}
            case ast.Name(id=own), ast.Name(id="x"):
                return IndexLoop(name, {}, {N: 1}), {own: ast.Subscript(goes, here, ast.Load())}
            case ast.Name(id=own), ast.Subscript(
                value=ast.Name(id="x") as array, slice=ast.Slice(lower=ast.expr() as first, upper=None, step=None)
            ):
                return IndexLoop(name, form_of(first), {N: 1}), {own: ast.Subscript(array, here, ast.Load())}
            case ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=own)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[ast.Name(id="x") as array], keywords=[]
            ):
                return IndexLoop(name, {}, {N: 1}), {place: here, own: ast.Subscript(array, here, ast.Load())}
        raise self.refusal(
            goes if hasattr(goes, "lineno") else self.text.tree, f"a loop goes over `{ast.unparse(goes)}`"
        )

    def sum(
        self, value: ast.expr, sign: int, loops: tuple[IndexLoop, ...], conditions: tuple[ast.expr, ...]
    ) -> Iterator[Term]:
        """The terms of an expression."""
        match value:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right) if self.sums(value):
                yield from self.sum(left, sign, loops, conditions)
                yield from self.sum(right, sign if isinstance(operation, ast.Add) else -sign, loops, conditions)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                yield from self.sum(operand, -sign, loops, conditions)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=inner, generators=generators)]):
                names: dict[str, ast.expr] = {}
                for each in generators:
                    loop, own = self.loop(each.target, substituted(each.iter, names))
                    names |= own
                    loops = (*loops, loop)
                    conditions = (*conditions, *(substituted(one, names) for one in each.ifs))
                yield from self.sum(substituted(inner, names), sign, loops, conditions)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id="x") as array], keywords=[]):
                loop, own = self.loop(ast.Name("entry", ast.Store()), array)
                yield Term(sign, (*loops, loop), conditions, own["entry"])
            case ast.Name(id=name) if name in self.collected:
                for term in self.collected[name]:
                    yield Term(sign * term.sign, (*loops, *term.loops), (*conditions, *term.conditions), term.value)
            case ast.BinOp(left=left, op=ast.Mult(), right=right) if self.sums(left) != self.sums(right):
                inner, factor = (left, right) if self.sums(left) else (right, left)
                for term in self.sum(inner, sign, loops, conditions):
                    yield Term(term.sign, term.loops, term.conditions, ast.BinOp(factor, ast.Mult(), term.value))
            case _ if self.sums(value):
                raise self.refusal(self.text.tree, f"`{ast.unparse(value)}` is a function of sums")
            case ast.Compare() | ast.Call(func=ast.Name(id="int"), args=[ast.Compare()]):
                compared = value.args[0] if isinstance(value, ast.Call) else value
                yield Term(sign, loops, (*conditions, compared), ast.Constant(1))
            case _:
                yield Term(sign, loops, conditions, value)

    def sums(self, value: ast.expr) -> bool:
        """Whether there is a sum, or a collected number, in an expression."""
        return any(
            (
                isinstance(each, ast.Call)
                and isinstance(each.func, ast.Name)
                and each.func.id in _FOLDS
                and (len(each.args) == 1)
            )
            or (isinstance(each, ast.Name) and each.id in self.collected)
            for each in ast.walk(value)
        )


def _assigned(node: ast.stmt) -> Iterator[str]:
    """The names that a statement assigns, without those that it adds to or loops over."""
    for each in ast.walk(node):
        if isinstance(each, ast.Assign):
            yield from (one.id for target in each.targets for one in ast.walk(target) if isinstance(one, ast.Name))
