"""Numbers that a loop within a loop adds up, each as one sum."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from metaheur.translator.deriving.affine import named, substituted

__all__ = ["without_adding"]

Added = tuple[str, ast.operator, ast.expr, tuple[ast.comprehension, ...]]
"""A name, `+` or `-`, what is added, and the loops and conditions under which it is."""


def without_adding(body: Sequence[ast.stmt], *, inside: bool = False) -> list[ast.stmt]:
    """Statements in which, within loops and conditions, `c = 0` and a loop that adds to c are one assignment of a sum.

    At the outside they stay as they are: there `c` is a sum of terms.
    """
    found: list[ast.stmt] = []
    for each in body:
        if isinstance(each, ast.For | ast.If):
            each.body = without_adding(each.body, inside=True)
            each.orelse = without_adding(each.orelse, inside=True)
        if not (inside and isinstance(each, ast.For) and _summed(found, each)):
            found.append(each)
    return found


def _summed(before: list[ast.stmt], loop: ast.For) -> bool:
    """Put the sums that a loop adds up in its place, behind what stands before it; False if it does anything else."""
    adds = _adds(loop, (), {}) or []
    begun = {_name(each): each for each in before}
    starts = {name: begun.get(name) for name, *_ in adds}
    sums: list[ast.stmt] = []
    for name, start in starts.items():
        read = set[str]().union(*(named(each) for each in before if each is not start), *map(_read, adds))
        if not isinstance(start, ast.Assign) or name in read:
            return False
        made = ast.Assign(start.targets, _total(start.value, [each for each in adds if each[0] == name]))
        sums.append(ast.fix_missing_locations(ast.copy_location(made, start)))
    before[:] = [*(each for each in before if each not in starts.values()), *sums]
    return bool(sums)


def _total(start: ast.expr, adds: Sequence[Added]) -> ast.expr:
    """A start and sums."""
    for _, sign, added, loops in adds:
        found = ast.Call(ast.Name("sum", ast.Load()), [ast.GeneratorExp(added, list(loops))], [])
        from_zero = isinstance(start, ast.Constant) and start.value == 0 and isinstance(sign, ast.Add)
        start = found if from_zero else ast.BinOp(start, sign, found)
    return start


def _adds(node: ast.stmt, loops: tuple[ast.comprehension, ...], values: Mapping[str, ast.expr]) -> list[Added] | None:
    """What a statement adds to names; None if it does anything else."""
    match node:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() as sign, value=value):
            return [(name, sign, substituted(value, values), loops)]
        case ast.For(target=target, iter=goes, body=body, orelse=[]):
            return _all(body, (*loops, ast.comprehension(target, substituted(goes, values), [], 0)), values)
        case ast.If(test=test, body=body, orelse=otherwise):
            holds = substituted(test, values)
            yes = _all(body, _under(loops, holds), values)
            no = _all(otherwise, _under(loops, ast.UnaryOp(ast.Not(), holds)), values)
            return None if yes is None or no is None else yes + no
    return None


def _all(
    body: Sequence[ast.stmt], loops: tuple[ast.comprehension, ...], values: Mapping[str, ast.expr]
) -> list[Added] | None:
    """What statements add to names, of which some name values on the way; None if they do anything else."""
    found: list[Added] = []
    known = dict(values)
    for each in body:
        name = _name(each)
        if name and isinstance(each, ast.Assign):
            known[name] = substituted(each.value, known)
            continue
        adds = _adds(each, loops, known)
        if adds is None:
            return None
        found += adds
    return found


def _under(loops: tuple[ast.comprehension, ...], test: ast.expr) -> tuple[ast.comprehension, ...]:
    """Loops, of which the last goes on under a condition alone."""
    *others, last = loops
    return *others, ast.comprehension(last.target, last.iter, [*last.ifs, test], 0)


def _name(node: ast.stmt) -> str:
    """The only name to which a statement gives a value; "" if it does anything else."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _read(added: Added) -> set[str]:
    """The names in what is added and in its loops."""
    return named(added[2]).union(*(named(each) for each in added[3]))
