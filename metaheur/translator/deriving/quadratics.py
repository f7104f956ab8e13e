"""Quadratic functions of the entries of a list: their changes by several entries, one by one and in pairs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import final

from attrs import frozen

from metaheur.translator.deriving.array_changes import ArrayChanges, Entry, indices, kept_name

__all__ = ["Quadratic", "quadratic_of"]

_Powers = tuple[int, int, int]
_HALF = 2
"""What a product of two neighboring numbers can be divided by."""


@final
@frozen
class Quadratic:
    """(square * c ** 2 + linear * c + a number) / by, which is whole for all whole c."""

    square: int
    linear: int
    by: int

    def lines(self, sign: int, array: str, entries: Sequence[Entry], changes: ArrayChanges) -> Iterator[str]:
        """What changes of entries add: each alone, and those that may be of one entry in pairs."""
        by = "+=" if sign > 0 else "-="
        amounts = [changes.amount_of(entries, k) for k in range(len(entries))]
        for k, each in enumerate(entries):
            place = ", ".join(indices(k, len(each.places)))
            yield f"total {by} {self.alone(f's.{kept_name(array)}[{place}]', amounts[k])}"
            for other in range(k):
                same = changes.same(entries, k, other)
                if same:
                    product = self.together(amounts[k], amounts[other])
                    truth = f"int({same})" if product == "1" else f"int({same}) * ({product})"
                    yield f"total {by} {product if same == 'True' else truth}"

    def alone(self, entry: str, change: str) -> str:
        """The change of the function by a change of one entry."""
        if change.lstrip("-").isdigit():
            d = int(change)
            twice, rest = 2 * self.square * d, (self.square * d + self.linear) * d
            if twice % self.by == 0 and rest % self.by == 0:
                return _sum(twice // self.by, entry, rest // self.by)
        product = f"{change} * ({_sum(2 * self.square, entry, 0)} + {_sum(self.square, change, self.linear)})"
        return product if self.by == 1 else f"({product}) // {self.by}"

    def together(self, one: str, other: str) -> str:
        """The second difference of the function by two changes of one entry."""
        twice, product = 2 * self.square, f"{one} * {other}"
        if one.lstrip("-").isdigit() and other.lstrip("-").isdigit():
            return str(twice * int(one) * int(other) // self.by)
        return _sum(twice // self.by, product, 0) if twice % self.by == 0 else f"{twice} * {product} // {self.by}"


def _sum(factor: int, text: str, more: int) -> str:
    """A number times an expression, and a number."""
    times = {1: text, -1: f"-{text}", 0: "0"}.get(factor, f"{factor} * {text}")
    return times if not more else f"{times} {'+' if more > 0 else '-'} {abs(more)}"


def quadratic_of(value: ast.expr, array: str) -> Quadratic | None:
    """A function of an entry of a list as a quadratic; None if it is another one."""
    by = 1
    match value:
        case ast.BinOp(left=left, op=ast.FloorDiv(), right=ast.Constant(value=int() as number)) if number > 0:
            value, by = left, number
    found = _coefficients(value, array)
    if found is None:
        return None
    constant, linear, square = found
    halves = by == _HALF and constant % by == 0 and (linear + square) % by == 0
    whole = halves or all(each % by == 0 for each in found)
    return Quadratic(square, linear, by) if whole else None


def _coefficients(value: ast.expr, array: str) -> _Powers | None:  # noqa: PLR0911 - a case for each operation
    """The coefficients of an entry to the powers 0, 1 and 2."""
    match value:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number, 0, 0
        case ast.Subscript(value=ast.Name(id=name)) if name == array:
            return 0, 1, 0
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _product((-1, 0, 0), _coefficients(operand, array))
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2)):
            return _product(_coefficients(left, array), _coefficients(left, array))
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _product(_coefficients(left, array), _coefficients(right, array))
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operation, right=right):
            sign = 1 if isinstance(operation, ast.Add) else -1
            one, other = _coefficients(left, array), _product((sign, 0, 0), _coefficients(right, array))
            if one is not None and other is not None:
                return one[0] + other[0], one[1] + other[1], one[2] + other[2]
    return None


def _product(one: _Powers | None, other: _Powers | None) -> _Powers | None:
    """The product of two polynomials, if it is a quadratic."""
    if one is None or other is None or one[1] * other[2] + one[2] * other[1] or one[2] * other[2]:
        return None
    middle = one[0] * other[2] + one[1] * other[1] + one[2] * other[0]
    return one[0] * other[0], one[0] * other[1] + one[1] * other[0], middle
