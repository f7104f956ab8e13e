"""Calls of compiled helpers in a cost, as the expressions that they return."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, final

from metaheur.errors import CompileError
from metaheur.marker import Compiled
from metaheur.translator.deriving.affine import copied, substituted
from metaheur.translator.reading import Text, read

__all__ = ["inlined"]

_DEPTH = 5


def inlined(text: Text, members: Mapping[str, Compiled]) -> list[ast.stmt]:
    """The statements of a method; calls of helpers are the expressions that these return, as far as they have one.

    `text`: the method; its parameters are called `self` and `x` in what is returned. `members`: the compiled methods of
    the class.
    """
    own, x = text.parameters
    names = {x: ast.Name("x", ast.Load()), own: ast.Name("self", ast.Load())}
    body = [substituted(each, names) for each in text.tree.body]
    return [_Calls(text, members).visit(each) for each in body]


@final
class _Calls(ast.NodeTransformer):
    """Replaces calls of helpers by what these return; indices such as `m[i][k]` become `m[i, k]`."""

    def __init__(self, text: Text, members: Mapping[str, Compiled], depth: int = _DEPTH) -> None:
        self.text, self.members, self.depth, self.made = text, members, depth, 0

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node.func:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                member: Any = self.members.get(name)
            case ast.Name(id=name):
                member = self.text.resolve(name)[1]
            case _:
                member = None
        if not isinstance(member, Compiled) or not self.depth or node.keywords:
            return node
        inner = read(member.overloads[0])
        body = [_Calls(inner, self.members, self.depth - 1).visit(copied(each)) for each in inner.tree.body]
        self.made += 1
        own = {
            each.id: ast.Name(f"{each.id}_{self.depth}_{self.made}", ast.Load())
            for one in body
            for each in ast.walk(one)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        body = [substituted(each, own) for each in body]
        given = [ast.Name("self", ast.Load()), *node.args] if isinstance(node.func, ast.Attribute) else node.args
        found = _expression(body)
        if found is None or len(given) != len(inner.parameters):
            raise CompileError(
                f"{inner.path}:{inner.first}: {name} is more than an expression or a sum, so that no change of cost is "
                "derived.",
                "write it into the cost, or write delta by hand.",
            )
        return substituted(found, dict(zip(inner.parameters, given, strict=True)))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node.value:
            case ast.Subscript(slice=first) as inner if not isinstance(first, ast.Slice | ast.Tuple):
                places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                if not any(isinstance(each, ast.Slice) for each in places):
                    return ast.Subscript(inner.value, ast.Tuple([first, *places], ast.Load()), ast.Load())
        return node


def _expression(body: list[ast.stmt]) -> ast.expr | None:  # noqa: PLR0911 - a case for each statement
    """What statements return, as one expression; None if they do more."""
    match body:
        case [ast.Expr(value=ast.Constant()), *rest]:
            return _expression(rest)
        case [ast.Return(value=ast.expr() as value), *_]:
            return value
        case [ast.Assign(targets=[ast.Name(id=total)], value=ast.Constant(value=0)), ast.For() as loop, ast.Return()]:
            last: Any = body[2]
            return _sum(loop, total) if isinstance(last.value, ast.Name) and last.value.id == total else None
        case [ast.Assign(targets=[ast.Name(id=name)], value=value), *rest]:
            again = any(
                isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
                for one in rest
                for each in ast.walk(one)
            )
            behind = None if again else _expression(rest)
            return None if behind is None else substituted(behind, {name: value})
        case [ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)), *rest]:
            each: list[ast.stmt] = [ast.Assign([one], value) for one, value in zip(names, values, strict=False)]
            apart = not {ast.unparse(one) for one in names} & {
                one.id for value in values for one in ast.walk(value) if isinstance(one, ast.Name)
            }
            return _expression([*each, *rest]) if apart else None
        case [ast.If(test=test, body=yes, orelse=no), *rest]:
            then = _expression(yes)
            orelse = _expression([*no, *rest])
            return None if then is None or orelse is None else ast.IfExp(test, then, orelse)
    return None


def _sum(loop: ast.For, total: str) -> ast.expr | None:
    """A loop that only adds to a number, as a sum over a generator."""
    generators: list[ast.comprehension] = []
    node: ast.stmt = loop
    while True:
        match node:
            case ast.For(target=target, iter=goes, body=[inner], orelse=[]):
                generators.append(ast.comprehension(target, goes, [], 0))
            case ast.If(test=test, body=[inner], orelse=[]):
                generators[-1].ifs.append(test)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=shifted, op=ast.Add(), right=value)) if (
                name == total and ast.unparse(shifted) in (f"2 * {total}", f"{total} * 2") and node is loop.body[0]
            ):
                return _digits(loop, value, total)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value) if name == total:
                called = ast.Name("sum", ast.Load())
                return None if _reads(value, total) else ast.Call(called, [ast.GeneratorExp(value, generators)], [])
            case _:
                return None
        node = inner


def _digits(loop: ast.For, value: ast.expr, total: str) -> ast.expr | None:
    """A loop that reads a binary number, the highest digit first, as a sum."""
    match loop:
        case ast.For(target=ast.Name() as k, iter=ast.Call(func=ast.Name(id="range"), args=[count])):
            back = ast.BinOp(ast.BinOp(count, ast.Sub(), ast.Constant(1)), ast.Sub(), ast.Name(k.id, ast.Load()))
            digit = ast.BinOp(value, ast.LShift(), back)
            generator = ast.GeneratorExp(digit, [ast.comprehension(k, loop.iter, [], 0)])
            return None if _reads(value, total) else ast.Call(ast.Name("sum", ast.Load()), [generator], [])
    return None


def _reads(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
