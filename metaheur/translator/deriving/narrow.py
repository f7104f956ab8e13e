"""Bounds of the sizes of kept entries, from numbers of the data: whether 32 bits hold them."""

from __future__ import annotations

import ast

from metaheur.translator.deriving.affine import written
from metaheur.translator.deriving.data import DataFacts, Rows
from metaheur.translator.deriving.terms import FilledArray

__all__ = ["is_narrow"]


def is_narrow(array: FilledArray, data: DataFacts) -> bool:
    """Whether the entries of an array are below 2**29 in size, so that 32 bits hold them while a move is made."""
    most = 0
    for each in array.fillings:
        loops = tuple((loop.name, written(loop.low), written(loop.high)) for loop in (*array.bins, *each.term.loops))
        largest = _largest(each.term.value, data)
        count = None if largest is None else data.ask("count", Rows(loops, (), "0"))
        most += 2**29 if largest is None or count is None else largest * count
    return most < 2**29


def _largest(value: ast.expr, data: DataFacts) -> int | None:
    """A number that a value never exceeds in size; None if none is known."""
    match value:
        case ast.Constant(value=int() as number):
            return abs(number)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _largest(operand, data)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as operation, right=right):
            one, other = _largest(left, data), _largest(right, data)
            if one is None or other is None:
                return None
            return one * other if isinstance(operation, ast.Mult) else one + other
    bare = value.value if isinstance(value, ast.Subscript) else value
    match bare:
        case ast.Name(id="x") | ast.Attribute(value=ast.Name(id="self")):
            return data.below("" if isinstance(bare, ast.Name) else bare.attr)
    return 1 if isinstance(value, ast.Compare) else None
