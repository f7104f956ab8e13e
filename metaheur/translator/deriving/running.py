"""Loops that carry the smallest or the largest number so far, as one minimum or maximum."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from metaheur.translator.deriving.affine import named, substituted
from metaheur.translator.deriving.terms import START

__all__ = ["without_running"]


def without_running(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements in which `best = far` and a loop that improves it are one assignment, `best = min(...)`."""
    found: list[ast.stmt] = []
    for each in body:
        if isinstance(each, ast.For | ast.If):
            each.body = without_running(each.body)
        before = found[-1] if found else None
        if isinstance(each, ast.For) and isinstance(before, ast.Assign) and len(before.targets) == 1:
            made = _minimum(before, each)
            if made is not None:
                found[-1] = made
                continue
        found.append(each)
    return found


def _minimum(before: ast.Assign, loop: ast.For) -> ast.Assign | None:
    """An assignment and a loop as one minimum or maximum; None if they are anything else."""
    target = before.targets[0]
    if not isinstance(target, ast.Name) or loop.orelse:
        return None
    tests: list[ast.expr] = []
    names: dict[str, ast.expr] = {}
    body = list(loop.body)
    while isinstance(body[0], ast.Assign) and len(body) > 1:
        first = body.pop(0)
        assert isinstance(first, ast.Assign)
        if not isinstance(first.targets[0], ast.Name) or len(first.targets) > 1 or first.targets[0].id == target.id:
            return None
        names[first.targets[0].id] = substituted(first.value, names)
    while isinstance(body[0], ast.If) and len(body) == len(body[0].body) == 1 and not body[0].orelse:
        tests += _apart(body[0].test)
        body = list(body[0].body)
    if len(body) != 1:
        return None
    found = _improved(target.id, body[0], tests)
    if found is None:
        return None
    function, value, tests = found
    tests, value = [substituted(each, names) for each in tests], substituted(value, names)
    if any(target.id in named(each) for each in (value, *tests, loop.iter)):
        return None
    generator = ast.GeneratorExp(value, [ast.comprehension(loop.target, loop.iter, tests, 0)])
    call = ast.Call(ast.Name(function, ast.Load()), [generator], [ast.keyword(START, before.value)])
    return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], call), before))


def _improved(name: str, node: ast.stmt, tests: list[ast.expr]) -> tuple[str, ast.expr, list[ast.expr]] | None:
    """The function, the value and the conditions of a statement that improves a number."""
    if not isinstance(node, ast.Assign) or [ast.unparse(each) for each in node.targets] != [name]:
        return None
    match node.value:
        case ast.Call(func=ast.Name(id="min" | "max" as function), args=[first, second]):
            if name in (ast.unparse(first), ast.unparse(second)):
                return function, second if ast.unparse(first) == name else first, tests
    text = ast.unparse(node.value)
    for each in tests:
        match each:
            case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() as sign], comparators=[right]):
                ends, less = (ast.unparse(left), ast.unparse(right)), isinstance(sign, ast.Lt | ast.LtE)
                if ends in ((text, name), (name, text)):
                    rest = [test for test in tests if test is not each]
                    return "min" if less == (ends[0] == text) else "max", node.value, rest
    return None


def _apart(test: ast.expr) -> list[ast.expr]:
    """Conditions joined by `and`, one by one."""
    return list(test.values) if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
