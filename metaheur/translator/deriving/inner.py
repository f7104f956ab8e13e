"""Sums, minima and the like inside of functions: their values are kept in arrays beside the solution."""

from __future__ import annotations

import ast
from typing import Any

from attrs import evolve

from metaheur.translator.deriving.affine import named, names_of
from metaheur.translator.deriving.terms import START, Extreme, IndexLoop, Least, Term

__all__ = ["Inner", "folds"]

Reader = Any
"""What reads a cost: it makes loops, terms and sums, and has the arrays that were found."""


class Inner(ast.NodeTransformer):
    """Replaces inner sums by entries of arrays."""

    def __init__(self, reader: Reader, loops: tuple[IndexLoop, ...]) -> None:
        self.reader, self.loops = reader, loops

    def kept(self, node: ast.expr) -> ast.expr:
        """The entry of an array that stands for a sum."""
        found: ast.expr = self.reader.kept(list(self.reader.sum(node, 1, (), ())), self.loops, node)
        return found

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.reader.collected:
            return node
        return self.kept(node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not folds(node):
            self.generic_visit(node)
            return node
        function = ast.unparse(node.func)
        if function in ("max", "min"):
            return extreme(self.reader, function, node, self.loops)
        if function == "sum":
            return self.kept(node)
        if not isinstance(node.args[0], ast.GeneratorExp):
            raise self.reader.refusal(node, f"`{ast.unparse(node)}` is a function of sums")
        generator = node.args[0]
        test: ast.expr = ast.UnaryOp(ast.Not(), generator.elt) if function == "all" else generator.elt
        test = test if isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp) else _not_zero(test)
        counted = ast.Call(ast.Name("sum", ast.Load()), [ast.GeneratorExp(test, generator.generators)], [])
        entry = self.kept(counted)
        operation: ast.cmpop = ast.Gt() if function == "any" else ast.Eq()
        return ast.Compare(entry, [operation], [ast.Constant(0)])


def _not_zero(value: ast.expr) -> ast.expr:
    return ast.Compare(value, [ast.NotEq()], [ast.Constant(0)])


def folds(node: ast.AST) -> bool:
    """Whether an expression is a sum, or another fold, over a generator or an array."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("sum", "min", "max", "any", "all")
        and len(node.args) == 1
    )


def extreme(reader: Reader, function: str, node: ast.Call, loops: tuple[IndexLoop, ...]) -> ast.expr:
    """What stands for a largest or a smallest value."""
    (given,) = node.args
    conditions: tuple[ast.expr, ...] = ()
    if isinstance(given, ast.GeneratorExp):
        value, inner, conditions = reader.generated(given, (), ())
        value = reader.folded(value, inner)
    else:
        loop, own = reader.loop(ast.Name("entry", ast.Store()), given)
        value, inner = own["entry"], (loop,)
    start = next((each.value for each in node.keywords if each.arg == START), None)
    if not named(value) & {*reader.arrays, *reader.extremes, *reader.leasts}:
        return _least(reader, Least("", function, loops, (), inner[-1], conditions, value, start), inner, node)
    if loops or "x" in named(value) or conditions or start is not None:
        what = (
            "below a loop" if loops else "that also read the solution" if "x" in named(value) else "under a condition"
        )
        raise reader.refusal(
            node,
            f"`{ast.unparse(node)}` is the {function} of functions of sums {what}",
            f"write one {function} over all of them, outside of loops and without a condition.",
        )
    reader.read(Term(1, inner, (), value))
    name = f"extreme{len(reader.extremes)}"
    reader.extremes[name] = Extreme(name, function, inner, value)
    return ast.Name(name, ast.Load())


def _least(reader: Reader, found: Least, inner: tuple[IndexLoop, ...], node: ast.Call) -> ast.expr:
    """The entry of a new array of smallest or largest terms, each of which reads one position."""
    text = ast.unparse(node)
    if len(inner) > 1:
        raise reader.refusal(node, f"`{text}` goes over two loops", "use one loop over positions in it.")
    (loop,) = inner
    read = [found.value, *found.conditions]
    sites = {ast.unparse(each) for one in read for each in ast.walk(one) if _reads(each)}
    if sites != {f"x[{loop.name}]"}:
        raise reader.refusal(
            node,
            f"`{text}` reads the solution at other places than that of its loop",
            f"write {found.function}(... for k in range(self.n)) of terms that read x[k] only.",
        )
    start = [] if found.start is None else [found.start]
    if "x" in {name for each in start for name in named(each)}:
        raise reader.refusal(
            node, f"`{text}` begins with a number that depends on the solution", "begin with a number of data."
        )
    used = {name for each in (*read, *start) for name in named(each)}
    used |= names_of(loop.low) | names_of(loop.high)
    bins = reader.bins_of(used, found.bins)
    if len(bins) > 2:
        raise reader.refusal(node, f"`{text}` is the {found.function} of terms in {len(bins)} nested loops")
    sizes = tuple(reader.size(bins[: k + 1], node) for k in range(len(bins))) or (ast.Constant(1),)
    name = f"least{len(reader.leasts)}"
    reader.leasts[name] = evolve(found, name=name, bins=bins, sizes=sizes, loop=loop)
    places: list[ast.expr] = [ast.Name(each.name, ast.Load()) for each in bins] or [ast.Constant(0)]
    place = places[0] if len(places) == 1 else ast.Tuple(list(places), ast.Load())
    return ast.Subscript(ast.Name(name, ast.Load()), place, ast.Load())


def _reads(node: ast.AST) -> bool:
    """Whether an expression is an entry of the solution, or the solution as a whole."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "x"
