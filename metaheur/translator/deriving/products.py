"""Changes of cost by two moves at once, in different parts: that of the first, and that of the second behind it.

What the second one reads of the first part is read as the first move leaves it. So a term of both parts needs no
formula of its own; only lists that depend on both parts do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from metaheur.machine.parsing import parsed
from metaheur.move import Move
from metaheur.translator.deriving.affine import copied, named
from metaheur.translator.deriving.methods import DerivedMethod
from metaheur.translator.deriving.moves import POINTS
from metaheur.translator.deriving.parts import OTHER
from metaheur.translator.deriving.terms import NotDerived, Sums
from metaheur.translator.deriving.writing import as_text
from metaheur.translator.reading import Text

__all__ = ["FIRST", "product_of_methods", "require_apart"]

FIRST = "w"
"""The parameter that is the first move, and the end of the names of its variables."""


def require_apart(sums: Sums, other: str) -> None:
    """Refuse terms that read lists which depend on both parts."""
    for term in sums.terms:
        nodes, pending = list[ast.expr](), [term.value, *term.conditions]
        seen = set[str]()
        while pending:
            node = pending.pop()
            nodes.append(node)
            for name in named(node) - seen:
                seen.add(name)
                pending += [*_behind(sums, name)]
        if len(nodes) > 1 + len(term.conditions) and {"x", f"{OTHER}{other}"} <= seen:
            raise NotDerived(
                "two moves at once change a list, or a minimum, that depends on both parts",
                "use a Union of the moves of both parts.",
            )


def _behind(sums: Sums, name: str) -> Iterator[ast.expr]:
    """The expressions that a list, an extreme or a smallest term is made of."""
    if name in sums.arrays:
        for each in sums.arrays[name].fillings:
            yield from (*each.places, each.term.value, *each.term.conditions)
    elif name in sums.extremes:
        yield sums.extremes[name].value
    elif name in sums.leasts:
        least = sums.leasts[name]
        yield from (least.value, *least.conditions, *(() if least.start is None else (least.start,)))


def product_of_methods(
    text: Text, cost: Callable[..., Any], first: DerivedMethod, second: DerivedMethod
) -> DerivedMethod:
    """The change of cost by the moves of two methods, neither of which returns before its end.

    The first move writes few positions, so that each entry that the second method reads is one of them or as it was.
    """
    assert first.move is not None
    assert second.move is not None
    *before, _ = _Renamed(first).of(first.text.tree.body)
    behind = _Behind(first.part, first.move)
    after = [behind.visit(copied(each)) for each in second.text.tree.body]
    keeps = any(len(each.text.parameters) == 4 for each in (first, second))
    head = f"delta(self, x, {'s, ' if keeps else ''}{FIRST}, m)"
    texts = [ast.unparse(each) for each in (*before, *after)]
    texts = [each for k, each in enumerate(texts) if k < len(before) or each != "total = 0"]
    lines = [line for each in texts for line in each.splitlines()]
    made = as_text(text, cost, head, lines)
    work = max(first.work, second.work, key=lambda each: (each.count("n"), len(each)))
    beside = (first.part, first.move)
    return DerivedMethod(
        "delta", "\n    ".join((f"def {head}:", *lines)), made, second.move, work, part=second.part, beside=beside
    )


class _Renamed(ast.NodeTransformer):
    """Gives the variables of a method names of their own."""

    def __init__(self, method: DerivedMethod) -> None:
        nodes = [node for node in ast.walk(method.text.tree) if isinstance(node, ast.Name)]
        stored = {node.id for node in nodes if isinstance(node.ctx, ast.Store)} - {"total"}
        self.names = {"m": FIRST, **{each: f"{each}_{FIRST}" for each in stored}}

    def of(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The statements with these names."""
        return [self.visit(copied(each)) for each in body]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


class _Behind(ast.NodeTransformer):
    """Reads the entries of a part as a move of it leaves them."""

    def __init__(self, part: str, move: type[Move]) -> None:
        self.part, self.move = part, move

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node.value:
            case ast.Attribute(value=ast.Name(id="x"), attr=self.part):
                pass
            case _:
                return node
        place, found = f"({ast.unparse(node.slice)})", ast.unparse(node)
        if not _natural(node.slice):
            place = f"({place} if {place} >= 0 else {place} + len(x.{self.part}))"
        for each in POINTS[self.move.__name__].moved:
            found = f"({each.after}_{FIRST} if {place} == {each.at}_{FIRST} else {found})"
        return parsed(found, mode="eval").body


def _natural(index: ast.expr) -> bool:
    """Whether an index certainly does not count from the end."""
    match index:
        case ast.Constant(value=int() as number):
            return number >= 0
        case ast.BinOp(left=left, op=ast.Add() | ast.Mult(), right=right):
            return _natural(left) and _natural(right)
    return isinstance(index, ast.Name | ast.IfExp)
