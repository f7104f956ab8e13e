"""Branches for single terms under conditions, so that a condition and its negation are tested once."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from attrs import evolve

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import Form, form_of, plus, times
from metaheur.translator.deriving.differences import Piece
from metaheur.translator.deriving.nests import with_shared_loops

__all__ = ["branched"]

_Test = tuple[str, tuple[tuple[str, int], ...]]


def branched(pieces: Sequence[Piece], lines: Callable[[Piece], Iterator[str]]) -> Iterator[str]:
    """The statements of pieces; single terms whose conditions exclude each other become two branches."""
    points = [each for each in pieces if not each.loops and not each.sources and each.conditions]
    yield from with_shared_loops([each for each in pieces if each not in points], lines)
    yield from _branches(points, lines)


def _branches(points: Sequence[Piece], lines: Callable[[Piece], Iterator[str]]) -> Iterator[str]:
    found = _divided(points)
    if found is None:
        for each in points:
            yield from lines(each)
        return
    condition, yes, no, rest = found
    tests = {_test(each)[0] for piece in (*yes, *no) for each in piece.conditions}
    shared = [each for each in rest if tests & {_test(one)[0] for one in each.conditions}]
    inside, orelse = ([*_branches([*each, *shared], lines)] for each in (yes, no))
    yield f"if {condition}:"
    yield from (f"    {line}" for line in inside or ["pass"])
    if orelse:
        yield "else:"
        yield from (f"    {line}" for line in orelse)
    yield from _branches([each for each in rest if each not in shared], lines)


def _divided(points: Sequence[Piece]) -> tuple[str, list[Piece], list[Piece], list[Piece]] | None:
    """A condition, the pieces under it, those under its negation, and the others; None if none has both."""
    tests = [{test: (each, holds) for each in piece.conditions for test, holds in [_test(each)]} for piece in points]
    sides = {(test, holds) for each in tests for test, (_, holds) in each.items()}
    both = Counter(
        test
        for each in tests
        for test, (text, _) in each.items()
        if {(test, True), (test, False)} <= sides and "[" not in text  # another condition may guard an entry
    )
    if not both:
        return None
    chosen = max(both, key=lambda test: (both[test], test))
    parts: dict[bool | None, list[Piece]] = {True: [], False: [], None: []}
    condition = ""
    for piece, known in zip(points, tests, strict=True):
        text, holds = known.get(chosen, ("", None))
        condition = text if holds else condition
        left = tuple(each for each in piece.conditions if each != text)
        parts[holds].append(evolve(piece, conditions=left))
    return condition, parts[True], parts[False], parts[None]


def _test(condition: str) -> tuple[_Test, bool]:
    """A condition up to its negation, and whether it is meant as it is."""
    match parsed(condition, mode="eval").body:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            test, holds = _test(ast.unparse(operand))
            return test, not holds
        case ast.Compare(left=left, ops=[ast.GtE()], comparators=[ast.Constant(value=0)]):
            form = form_of(left)
            key, other = _key(form), _key(plus(times(form, -1), {"": -1}))
            return ("ge", min(key, other)), key <= other
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as test], comparators=[right]):
            form = plus(form_of(left), form_of(right), -1)
            return ("eq", min(_key(form), _key(times(form, -1)))), isinstance(test, ast.Eq)
    return (condition, ()), True


def _key(form: Form) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(form.items()))
