"""Advice on `delta`: sums over positions that kept counts, loads or partial sums would give without a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import final

from attrs import define, field, frozen

from metaheur.marker import Compiled, compiled_members
from metaheur.translator.reading import Text, read

__all__ = ["advice_on"]


def advice_on(owner: type) -> Iterator[str]:
    """Lines that say which sums of a problem's `delta` could be kept, and how; none where no sum is recognised."""
    members = compiled_members(owner)
    given: set[str] = set()
    for function in members["delta"].overloads if "delta" in members else ():
        text = read(function)
        for found in _sums(text, text.parameters[1], members):
            *how, then = _advised(found) or [""]
            if then and found.text not in given:
                key = "\n".join(how)
                yield from (f"{found.where}: `{found.text}`", *(f"    {line}" for line in how if key not in given))
                yield f"    {then}"
                given |= {found.text, key}


# ---- the sums of a method


@final
@frozen
class _Sum:
    """A sum over positions; in its tests and its term, `k` is the position and `value` is the solution's entry there.

    `where`: the file and the line.
    `text`: the sum as it was written.
    `ends`: the first position, and the one behind the last; () where it goes over all positions.
    `tests`: the conditions.
    `term`: what is added.
    """

    where: str
    text: str
    ends: tuple[str, ...]
    tests: list[ast.expr]
    term: ast.expr


def _sums(text: Text, x: str, members: dict[str, Compiled]) -> Iterator[_Sum]:
    """The sums over positions of a method, and of compiled methods to which it hands the solution."""
    for node in ast.walk(text.tree):
        match node:
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=term, generators=[goes])]):
                made = _sum(text, x, node, goes.target, goes.iter, goes.ifs, term)
            case ast.For(target=target, iter=values, body=[statement]):
                made = _added(text, x, node, target, values, statement)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name), args=given) if name in members:
                inner = read(members[name].overloads[0])
                for parameter, each in zip(inner.parameters[1:], given, strict=False):
                    if isinstance(each, ast.Name) and each.id == x and name != text.name:
                        yield from _sums(inner, parameter, members)
                continue
            case _:
                continue
        if made is not None:
            yield made


def _added(  # noqa: PLR0913, PLR0917 - what a loop is made of
    text: Text, x: str, node: ast.AST, target: ast.expr, values: ast.expr, statement: ast.stmt
) -> _Sum | None:
    """The sum that a loop makes, if all that it does is to add."""
    tests = []
    while isinstance(statement, ast.If) and len(statement.body) == 1 and not statement.orelse:
        tests.append(statement.test)
        statement = statement.body[0]
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Add | ast.Sub):
        return None
    if not isinstance(statement.target, ast.Name):
        return None
    return _sum(text, x, node, target, values, tests, statement.value)


def _sum(  # noqa: PLR0913, PLR0917 - what a sum is made of
    text: Text, x: str, node: ast.AST, target: ast.expr, values: ast.expr, tests: list[ast.expr], term: ast.expr
) -> _Sum | None:
    """A sum in which the position is called `k`, and the solution's entry there `value`; None if it is another sum."""
    place, value = "", ""
    ends: tuple[str, ...] = ()
    match target, values:
        case ast.Name(id=place), ast.Call(func=ast.Name(id="range"), args=[high]):
            ends = () if ast.unparse(high) in ("self.n", f"len({x})") else ("0", ast.unparse(high))
        case ast.Name(id=place), ast.Call(func=ast.Name(id="range"), args=[low, high]):
            ends = ast.unparse(low), ast.unparse(high)
        case ast.Name(id=value), ast.Name(id=name) if name == x:
            pass
        case ast.Name(id=value), ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(low, high, None)) if name == x:
            ends = ast.unparse(low) if low else "0", ast.unparse(high) if high else "self.n"
        case (
            ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=value)]),
            ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)]),
        ) if name == x:
            pass
        case _:
            return None
    renamed = [_Renamed(x, place, value).visit(deepcopy(each)) for each in (*tests, term)]
    line = f"{text.path}:{text.line(node)}"
    shown = ast.unparse(node).split("\n")[0] if isinstance(node, ast.For) else f"sum{ast.unparse(node.args[0])}"  # type: ignore[attr-defined]
    return _Sum(line, shown, ends, renamed[:-1], renamed[-1])


@final
class _Renamed(ast.NodeTransformer):
    """Calls the position `k`, and the solution's entry at this position `value`."""

    def __init__(self, x: str, place: str, value: str) -> None:
        self.x, self.place, self.value = x, place, value

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Rename `x[k]`."""
        match node:
            case ast.Subscript(value=ast.Name(id=array), slice=ast.Name(id=index)):
                if array == self.x and index == self.place:
                    return ast.Name("value", ast.Load())
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Rename the variables of the loop."""
        known = {self.place: "k", self.value: "value"}
        return ast.Name(known[node.id], ast.Load()) if node.id in known else node


# ---- what would be kept


def _advised(found: _Sum) -> list[str]:
    """The array to keep instead of a sum, and how; nothing if none is known."""
    keys = _Keys()
    tests, term = list(found.tests), found.term
    index = next((key for key in map(_key, tests) if key), "")
    if index:
        tests = [each for each in tests if _key(each) != index]
    elif _key(term):
        index, term = _key(term), ast.Constant(1)
    parts = [keys.visit(deepcopy(each)) for each in (*tests, term)]
    free = {name for each in parts for name in _names(each)} - {*keys.names}
    selects = bool(index) or "value" in free
    if not selects or not free <= {"k", "value"}:
        return []
    if found.ends:
        counted = any(end.startswith("-") for end in found.ends)  # from the end
        return _prefixes(found, tests, term) if not (index or keys.names or counted) else []
    return _contributed(index, keys, parts)


def _key(test: ast.expr) -> str:
    """The value with which the entry is compared, if it is the same for all positions; otherwise ""."""
    match test:
        case ast.Compare(left=ast.Name(id="value"), ops=[ast.Eq()], comparators=[other]):
            pass
        case ast.Compare(left=other, ops=[ast.Eq()], comparators=[ast.Name(id="value")]):
            pass
        case _:
            return ""
    return ast.unparse(other) if not {"k", "value"} & _names(other) else ""


def _names(node: ast.expr) -> set[str]:
    """The names in an expression, without `self`."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - {"self", "min", "max", "abs", "int"}


@final
@define
class _Keys(ast.NodeTransformer):
    """Finds the indices of data that are the same for all positions, but not for all moves; they become names.

    `found`: the name of each index, by its text. `extents`: what each name counts, such as "range(len(self.w))".
    """

    found: dict[str, str] = field(factory=dict)
    extents: dict[str, str] = field(factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the indices."""
        return list(self.found.values())

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Name the indices."""
        if not isinstance(node.value, ast.Attribute):
            return self.generic_visit(node)
        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        made: list[ast.expr] = []
        for axis, each in enumerate(places):
            used = _names(each)
            if used and not used & {"k", "value"}:
                name = self.found.setdefault(ast.unparse(each), "cdef"[len(self.found) % 4])
                self.extents[name] = f"range(len({ast.unparse(node.value)}{'[0]' * axis}))"
                made.append(ast.Name(name, ast.Load()))
            else:
                made.append(self.visit(each))
        node.slice = ast.Tuple(made, ast.Load()) if len(made) > 1 else made[0]
        return node


def _contributed(index: str, keys: _Keys, parts: list[ast.expr]) -> list[str]:
    """Advice on a kept array to which each position contributes."""
    *tests, term = map(ast.unparse, parts)
    names = (["value"] if index else []) + keys.names
    if len(names) > 2:
        return []
    name = ("count" if term == "1" else "load") if index else "sums"
    given = ([index] if index else []) + list(keys.found)
    each = " and each ".join(f"`{one}`" if one != "value" else "value" for one in names)
    what = {"count": "the number of positions", "load": "the sum", "sums": "the sum"}[name]
    loops = [f"for {one} in {keys.extents[one]}:" for one in keys.names]
    added = f"s.{name}[{', '.join(names) or '0'}] += by{'' if term == '1' else f' * ({term})'}"
    body = [*loops, *([f"if {' and '.join(tests)}:"] if tests else []), added]
    kept = f"{what} for each {each}" if each else what
    return [
        f"This goes through all positions. Keep {kept}: declare {name!r} in `state`, and write",
        "@compiled",
        "def contribute(self, s, k, value, by):",
        *(f"{'    ' * depth}{line}" for depth, line in enumerate(body, 1)),
        "init, commit = contributions  # for the moves of Swap, Substitution and Hamming; for others write both",
        f"Then it is s.{name}[{', '.join(given) or '0'}], in O(1).",
    ]


def _prefixes(found: _Sum, tests: list[ast.expr], term: ast.expr) -> list[str]:
    """Sums of all positions before each position."""
    low, high = found.ends
    condition = f" if {' and '.join(map(ast.unparse, tests))}" if tests else ""
    return [
        "This goes through positions, but what it adds does not depend on the move. Keep the sums before each",
        'position: declare "before": Array((self.n + 1,), "int64") in `state`; `init` and `commit` set',
        f"s.before[k + 1] to s.before[k] + ({ast.unparse(term)}){condition}, where value is x[k].",
        f"Then it is s.before[{high}] - s.before[{low}], in O(1), unless {low} is behind {high}.",
    ]
