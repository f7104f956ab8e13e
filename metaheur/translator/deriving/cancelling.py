"""Pieces of a change of cost without terms that cancel, with neighboring loops joined and factors taken out."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from typing import Any

from attrs import evolve

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import Form, N, form_of, never_negative, plus, shortened, substituted, written
from metaheur.translator.deriving.differences import Change, DifferenceSetting, Moved, Piece
from metaheur.translator.deriving.ordered import Ordered

__all__ = ["cancelled", "joined_pieces", "points_together", "product_of", "rows_merged", "summed"]

_K = "k"
"""The variable of a loop that several pieces share."""

_Interval = tuple[str, str]


def joined_pieces(pieces: Iterable[Piece], setting: DifferenceSetting) -> list[Piece]:
    """The same change in fewer terms.

    Loops over all positions, or those before, between or behind the moved ones, are split at the moved positions; equal
    terms of opposite sign in one interval cancel; neighboring intervals with the same terms become one loop, less the
    terms at the positions between. Rows of several loops that add the same become rows of one table.
    """
    moved, facts, order = setting.moved, setting.facts, Ordered(setting)
    marks: list[Form] = [{}, *({each.at: 1} for each in moved), {N: 1}]
    intervals = [(plus(low, {"": 1}) if k else low, high) for k, (low, high) in enumerate(pairwise(marks))]
    found: list[Piece] = []
    inside: dict[tuple[int, tuple[str, ...]], list[Change]] = {}
    for piece in map(order.piece, pieces):
        parts = None if piece.sources else _parts(piece, intervals, moved, facts)
        if parts is None:
            found.append(piece)
            continue
        name = piece.loops[0][0]
        conditions = tuple(order.text(_renamed(each, name)) for each in piece.conditions)
        changes = [
            (sign, tuple(order.text(_renamed(e, name)) for e in tests), order.text(_renamed(value, name)))
            for sign, tests, value in piece.changes
        ]
        for part in parts:
            inside.setdefault((part, conditions), []).extend(changes)
    alike: dict[tuple[tuple[str, ...], tuple[Change, ...]], list[int]] = {}
    for (part, conditions), added in inside.items():
        left = cancelled(added)
        if left:
            alike.setdefault((conditions, tuple(sorted(left))), []).append(part)
    for (conditions, shared), places in alike.items():
        for run in _runs(sorted(places)):
            ends = [intervals[run[0]][0]], [intervals[run[-1]][1]]
            found.append(Piece(((_K, *ends),), {}, conditions, shared))
            for part in run[:-1]:
                point = {_K: parsed(written(intervals[part][1]), mode="eval").body}
                without = tuple(
                    (-sign, tuple(_put(e, point) for e in tests), _put(value, point)) for sign, tests, value in shared
                )
                found.append(order.piece(Piece((), {}, tuple(_put(each, point) for each in conditions), without)))
    return [*_rows_together(found), *points_together([each for each in found if not each.sources], setting)]


def _rows_together(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces with rows: in the same rows, terms that cancel are left out; pieces that add the same are joined."""
    by: dict[tuple[Any, ...], list[Change]] = {}
    for piece in pieces:
        if piece.sources:
            loops = tuple((name, _texts(lows), _texts(highs)) for name, lows, highs in piece.loops)
            apart = tuple((name, _texts(forms)) for name, forms in piece.apart.items())
            by.setdefault((piece.at, piece.sources, loops, apart, piece.conditions), []).extend(piece.changes)
    alike: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for (at, sources, *others), changes in by.items():
        left = cancelled(changes)
        if left:
            alike.setdefault((at, *others, tuple(sorted(left))), []).extend(sources)
    return [
        Piece(
            tuple((name, _forms(lows), _forms(highs)) for name, lows, highs in loops),
            {name: _forms(forms) for name, forms in apart},
            conditions,
            changes,
            at,
            tuple(sorted(sources, key=repr)),
        )
        for (at, loops, apart, conditions, changes), sources in alike.items()
    ]


def rows_merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces with the same rows and nothing but rows as one loop, whose table has the columns of all."""
    found: dict[tuple[Any, ...], Piece] = {}
    for n, each in enumerate(pieces):
        alone = each.sources and not each.loops
        key = (each.at, tuple(rows for rows, _ in each.sources)) if alone else (n,)
        found[key] = _merged(found[key], each) if key in found else each
    return list(found.values())


def _merged(one: Piece, other: Piece) -> Piece:
    """Two pieces with the same rows as one."""
    columns = [list(each) for _, each in one.sources]
    names: dict[str, ast.expr] = {}
    for k, added in enumerate(zip(*(each for _, each in other.sources), strict=True)):
        at = next((n for n, known in enumerate(zip(*columns, strict=True)) if known == added), len(columns[0]))
        if at == len(columns[0]):
            for row, text in zip(columns, added, strict=True):
                row.append(text)
        names[f"c{k}"] = ast.Name(f"c{at}", ast.Load())
    changes = [(sign, (*one.conditions, *tests), value) for sign, tests, value in one.changes]
    for sign, tests, value in other.changes:
        here = tuple(_put(each, names) for each in (*other.conditions, *tests))
        changes.append((sign, here, _put(value, names)))
    sources = tuple((rows, tuple(each)) for (rows, _), each in zip(one.sources, columns, strict=True))
    return evolve(one, conditions=(), changes=tuple(changes), sources=sources)


def _texts(forms: Sequence[Form]) -> tuple[str, ...]:
    return tuple(map(written, forms))


def _forms(texts: Sequence[str]) -> list[Form]:
    return [form_of(parsed(each, mode="eval").body) for each in texts]


def _parts(
    piece: Piece, intervals: Sequence[tuple[Form, Form]], moved: Sequence[Moved], facts: Sequence[Form]
) -> list[int] | None:
    """The intervals between moved positions that a piece with one loop covers; None for other loops."""
    if len(piece.loops) != 1:
        return None
    name, lows, highs = piece.loops[0]
    points = [{each.at: 1} for each in moved]
    apart = piece.apart.get(name, [])
    if any(each not in points for each in apart) or any(each not in apart for each in points):
        return None
    covered = []
    for k, (low, high) in enumerate(intervals):
        if all(_at_most(each, low, facts) for each in lows) and all(_at_most(high, each, facts) for each in highs):
            covered.append(k)
        elif not any(_at_most(high, each, facts) for each in lows) and not any(
            _at_most(each, low, facts) for each in highs
        ):
            return None
    return covered


def _at_most(one: Form, other: Form, facts: Sequence[Form]) -> bool:
    return never_negative(plus(other, one, -1), facts)


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Numbers in runs of consecutive ones."""
    found: list[list[int]] = []
    for each in places:
        if found and each == found[-1][-1] + 1:
            found[-1].append(each)
        else:
            found.append([each])
    return found


def points_together(pieces: Sequence[Piece], setting: DifferenceSetting) -> list[Piece]:
    """Pieces without loops and with the same conditions become one; others stay as they are."""
    values = {f"{setting.array}[{each.at}]": each.before for each in setting.moved}
    order = Ordered(setting)

    def shown(text: str) -> str:
        for place, value in values.items():
            text = text.replace(place, value)
        return order.text(text)

    points: dict[tuple[str, ...], list[Change]] = {}
    for piece in pieces:
        if not piece.loops and not piece.sources:
            changes = [(sign, tuple(map(shown, tests)), shown(value)) for sign, tests, value in piece.changes]
            points.setdefault(_holding(map(shown, piece.conditions)), []).extend(changes)
    found = [piece for piece in pieces if piece.loops or piece.sources]
    for conditions, changes in points.items():
        left = cancelled(changes)
        if left and "False" not in conditions:
            found.append(Piece((), {}, conditions, tuple(left)))
    return found


def _holding(conditions: Iterable[str]) -> tuple[str, ...]:
    """Conditions without those that always hold."""
    return tuple(dict.fromkeys(each for each in conditions if each != "True"))


def cancelled(changes: Sequence[Change]) -> list[Change]:
    """Changes without those that are 0, and without pairs that cancel each other."""
    left: list[Change] = []
    for sign, given, value in changes:
        tests = _holding(given)
        if value == "0" or "False" in tests:
            continue
        if (-sign, tests, value) in left:
            left.remove((-sign, tests, value))
        else:
            left.append((sign, tests, value))
    return left


def product_of(changes: Sequence[tuple[int, str]], values: frozenset[str] = frozenset()) -> str:
    """The sum of values; products with equal factors become one product."""
    times = Counter(changes)
    common = gcd(*times.values())
    if common > 1:
        once = [each for each, count in times.items() for _ in range(count // common)]
        return f"{common} * ({product_of(once, values)})"
    split = [_factors(sign, value) for sign, value in changes]
    if values and all(sum(each in values for each in factors) == 1 for _, factors in split):
        return _grouped((sign, *_without(factors, values)) for sign, factors in split)
    if all(len(factors) > 1 for _, factors in split):
        return _grouped((sign, " * ".join(factors[1:]), factors[0]) for sign, factors in split)
    return summed(changes)


def _factors(sign: int, value: str) -> tuple[int, list[str]]:
    """The sign and the factors of a product."""
    factors: list[str] = []
    pending = [parsed(value, mode="eval").body]
    while pending:
        match pending.pop():
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                pending += [right, left]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                sign = -sign
                pending.append(operand)
            case ast.Name() | ast.Subscript() | ast.Call() | ast.Attribute() | ast.Constant() as simple:
                factors.append(ast.unparse(simple))
            case other:
                factors.append(f"({ast.unparse(other)})")
    return sign, factors


def _without(factors: Sequence[str], values: frozenset[str]) -> tuple[str, str]:
    """The factor that the move writes, and the product of the others."""
    (one,) = (each for each in factors if each in values)
    others = sorted(each for each in factors if each not in values)
    return one, " * ".join(others) or "1"


def _grouped(products: Iterable[tuple[int, str, str]]) -> str:
    """The sum of products of two factors, whose equal factors are taken out."""
    by: dict[str, list[tuple[int, str]]] = {}
    for sign, one, other in products:
        by.setdefault(other, []).append((sign, one))
    groups: dict[tuple[tuple[int, str], ...], list[tuple[int, str]]] = {}
    for other, ones in by.items():
        ones.sort(key=lambda each: each[1])
        turn = ones[0][0]
        groups.setdefault(tuple((sign * turn, text) for sign, text in ones), []).append((turn, other))
    texts = list[str]()
    for shared, others in groups.items():
        turn = -1 if all(sign < 0 for sign, _ in others) and any(sign < 0 for sign, _ in shared) else 1
        left = [(sign * turn, text) for sign, text in shared]
        right = [(sign * turn, text) for sign, text in others]
        texts.append(f"({summed(left)}) * ({product_of(right)})")
    return " + ".join(texts)


def summed(changes: Iterable[tuple[int, str]]) -> str:
    """Values with their signs, those that are added first."""
    found = ""
    times = Counter(changes)
    alike = [(sign, value if count == 1 else f"{count} * {_factor(value)}") for (sign, value), count in times.items()]
    for sign, value in sorted(alike, key=lambda each: -each[0]):
        simple = isinstance(parsed(value, mode="eval").body, ast.Name | ast.Subscript | ast.Attribute | ast.Call)
        text = value if simple or value.isdigit() else f"({value})"
        found += f" {'+' if sign > 0 else '-'} {text}"
    found = found[3:] if found.startswith(" + ") else f"-{found[3:]}"
    shorter = shortened(parsed(found, mode="eval").body)
    return found if shorter is None else ast.unparse(shorter)


def _factor(value: str) -> str:
    simple = isinstance(parsed(value, mode="eval").body, ast.Name | ast.Subscript | ast.Attribute | ast.Call)
    return value if simple or value.isdigit() else f"({value})"


def _put(text: str, values: dict[str, ast.expr]) -> str:
    return ast.unparse(substituted(parsed(text, mode="eval").body, values))


def _renamed(text: str, name: str) -> str:
    return _put(text, {name: ast.Name(_K, ast.Load())})
