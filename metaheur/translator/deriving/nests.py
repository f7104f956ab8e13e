"""Sums over pairs of positions that have one outer loop, and one factor of its variable, as one loop."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import final

from attrs import frozen

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import Form, form_of, named, names_of, substituted, times, written
from metaheur.translator.deriving.differences import Piece
from metaheur.translator.deriving.writing import factors_of, one_of, product, sum_of

__all__ = ["with_shared_loops"]

OUTER, INNER, FACTOR = "k0", "k1", "d_0"
"""The names of the variables of both loops and of the factor; no list of a cost is called 0."""


@final
@frozen
class _Nest:
    """A loop within another one, whose variable alone a factor depends on.

    `outer`, `inner`: the ranges. `factor`: the factor, or its negation. `sign`: -1 for the negation. `value`: the other
    factors.
    """

    outer: str
    inner: str
    factor: str
    sign: int
    value: str

    @property
    def place(self) -> tuple[str, str]:
        """What loops have in common that are written as one."""
        return self.outer, self.factor


def with_shared_loops(pieces: Sequence[Piece], lines: Callable[[Piece], Iterator[str]]) -> Iterator[str]:
    """The statements of pieces, those of one outer loop and one factor together."""
    found = [[*_nests(each)] for each in pieces]
    shared = Counter(place for each in found for place in {one.place for one in each})
    chosen = [next((one for one in each if shared[one.place] > 1), None) for each in found]
    written_already = set[tuple[str, str]]()
    for piece, nest in zip(pieces, chosen, strict=True):
        if nest is None:
            yield from lines(piece)
        elif nest.place not in written_already:
            written_already.add(nest.place)
            yield f"for {OUTER} in {nest.outer}:"
            yield f"    {FACTOR} = {nest.factor}"
            for each in chosen:
                if each is not None and each.place == nest.place:
                    yield f"    for {INNER} in {each.inner}:"
                    yield f"        total {'+' if each.sign > 0 else '-'}= {FACTOR} * {each.value}"


def _nests(piece: Piece) -> Iterator[_Nest]:
    """The same sum with each of both loops outside that has a factor."""
    total = sum_of(piece.changes)
    apart = any(piece.apart.values()) or any(piece.conditions)
    if len(piece.loops) != len((OUTER, INNER)) or piece.sources or apart or total is None:
        return
    names = {name for name, _, _ in piece.loops}
    if any(names & names_of(form) for _, lows, highs in piece.loops for form in (*lows, *highs)):
        return
    for outer, inner in (piece.loops, piece.loops[::-1]):
        put: dict[str, ast.expr] = {outer[0]: ast.Name(OUTER, ast.Load()), inner[0]: ast.Name(INNER, ast.Load())}
        factors = [substituted(each, put) for each in factors_of(parsed(total, mode="eval").body)]
        own = [each for each in factors if OUTER in named(each) and INNER not in named(each) and _simple(each)]
        others = [each for each in factors if each not in own]
        if own and others:
            form = form_of(parsed(product(own), mode="eval").body)
            texts = [written(form), written(times(form, -1))]
            factor = min(texts)
            sign = 1 if factor == texts[0] else -1
            yield _Nest(_range(outer), _range(inner), factor, sign, product(others))


def _range(loop: tuple[str, list[Form], list[Form]]) -> str:
    return f"range({one_of('max', loop[1])}, {one_of('min', loop[2])})"


def _simple(value: ast.expr) -> bool:
    """Whether an expression only adds and multiplies numbers, which is right in an empty loop, too."""
    match value:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return _simple(left) and _simple(right)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _simple(operand)
        case ast.Attribute(value=ast.Name(id="self")) | ast.Name() | ast.Constant():
            return True
    return False
