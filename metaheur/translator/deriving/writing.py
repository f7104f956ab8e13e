"""Pieces of a change as statements of Python, and these as a function."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import indent
from types import FunctionType
from typing import Any, final

import attrs
from attrs import define, field

from metaheur.machine.parsing import parsed
from metaheur.marker import independent
from metaheur.translator.deriving.affine import Form, named, substituted, written
from metaheur.translator.deriving.cancelling import product_of, summed
from metaheur.translator.deriving.data import Rows, RowsTable
from metaheur.translator.deriving.differences import Change, Piece
from metaheur.translator.deriving.terms import NotDerived
from metaheur.translator.reading import Text, names_outside

__all__ = [
    "Writer",
    "amount",
    "as_text",
    "condition",
    "factors_of",
    "named_once",
    "one_of",
    "product",
    "shared_factor",
    "sum_of",
]

VALUES = frozenset("uv")
_SOLUTION = re.compile(r"[xs]|[uvwgh]\d*")
"""The names that depend on the solution."""


@final
@define(eq=False)
class Writer:
    """Writes pieces, and numbers the tables that their rows need; `part`: the part of solutions that has positions."""

    part: str = ""
    tables: dict[tuple[tuple[Rows, tuple[str, ...]], ...], RowsTable] = field(factory=dict)

    def lines(self, piece: Piece, total: str = "total") -> Iterator[str]:
        """The statements that add a piece to a variable."""
        head, body, inside = self.around(piece)
        outside, each = _outside(inside, {"z", *(name for name, _, _ in piece.loops)}) if piece.sources else ("", "")
        if outside:  # what rows have in common is multiplied once
            yield f"{SUM} = 0"
            yield from head
            yield f"{body}{SUM} += {each}"
            yield f"{total} += {outside}"
            return
        yield from head
        for line in _added(inside.changes, total):
            yield body + line

    def around(self, piece: Piece, through: str = "range({})") -> tuple[list[str], str, Piece]:
        """The statements around a piece, the indent below them, and the piece with its columns as they are read.

        `through`: how the loop over its rows is written.
        """
        head: list[str] = []
        indent = ""
        if piece.sources:
            table = self.table(piece.sources)
            ends = f"self.{table.name}_begin[{piece.at}], self.{table.name}_begin[{piece.at} + 1]"
            head.append(f"for z in {through.format(ends)}:")
            indent = "    "
            piece = _read_columns(piece, table.name)
        tests = list(piece.conditions)
        for name, lows, highs in piece.loops:
            head.append(f"{indent}for {name} in range({one_of('max', lows)}, {one_of('min', highs)}):")
            indent += "    "
            tests += [f"{name} != {written(form)}" for form in piece.apart.get(name, [])]
        if tests:
            head.append(f"{indent}if {condition(tests)}:")
            indent += "    "
        return head, indent, piece

    def table(self, sources: tuple[tuple[Rows, tuple[str, ...]], ...]) -> RowsTable:
        """The table of rows."""
        of = f"_of_{self.part}" if self.part else ""
        return self.tables.setdefault(sources, RowsTable(f"rows{len(self.tables)}{of}", sources, part=self.part))

    def sorted_table(self, sources: tuple[tuple[Rows, tuple[str, ...]], ...], column: int) -> RowsTable:
        """The table of rows, those of a position sorted by a column."""
        table = self.table(sources)
        if table.by not in (-1, column):
            raise NotDerived("two lists that the cost fills need the same rows, sorted by different columns")
        self.tables[sources] = attrs.evolve(table, by=column)
        return self.tables[sources]


def _read_columns(piece: Piece, table: str) -> Piece:
    """A piece that reads the columns of a table."""
    count = max((len(columns) for _, columns in piece.sources), default=0)
    columns = {f"c{k}": parsed(f"self.{table}_c{k}[z]", mode="eval").body for k in range(count)}

    def read(text: str) -> str:
        return ast.unparse(substituted(parsed(text, mode="eval").body, columns))

    def forms(given: list[Form]) -> list[Form]:
        return [{(read(name) if name else name): value for name, value in form.items()} for form in given]

    return attrs.evolve(
        piece,
        loops=tuple((name, forms(lows), forms(highs)) for name, lows, highs in piece.loops),
        conditions=tuple(map(read, piece.conditions)),
        changes=tuple((sign, tuple(map(read, tests)), read(value)) for sign, tests, value in piece.changes),
        sources=(),
    )


SUM = "y"
"""The name of a sum whose terms are multiplied behind its loop."""


def sum_of(changes: Sequence[Change]) -> str | None:
    """Changes as one expression without branches, if they are one."""
    texts, rest = _without_branches(changes)
    return texts[0] if len(texts) == 1 and not rest else None


def _outside(piece: Piece, names: set[str]) -> tuple[str, str]:
    """The factors of a sum in which no variable of its loops is, times the sum of the others; "" if there are none."""
    total = sum_of(piece.changes)
    if total is None:
        return "", ""
    factors = [*factors_of(parsed(total, mode="eval").body)]
    outside = [each for each in factors if not named(each) & names]
    inside = [each for each in factors if each not in outside]
    if not inside or all(isinstance(each, ast.Constant) and each.value == 1 for each in outside):
        return "", ""
    return product([*outside, ast.Name(SUM, ast.Load())]), product(inside)


def shared_factor(pieces: Sequence[Piece], names: set[str]) -> tuple[str, Sequence[Piece]]:
    """A factor that pieces share, in which no variable of loops is, and the pieces without it; or ""."""
    factors = list[list[ast.expr]]()
    for piece in pieces:
        total = sum_of(piece.changes)
        if total is None or piece.sources:
            return "", pieces
        factors.append([*factors_of(parsed(total, mode="eval").body)])
    inside = {"x", *names, *(name for piece in pieces for name, _, _ in piece.loops)}
    every = [{ast.unparse(one) for one in each if not named(one) & inside} for each in factors]
    shared = min(set[str]().union(*every[:1]).intersection(*every[1:]), default="")
    if len(pieces) < 2 or not shared or shared.isdigit() or any(len(each) < 2 for each in factors):
        return "", pieces
    left = list[Piece]()
    for piece, each in zip(pieces, factors, strict=True):
        texts = [ast.unparse(one) for one in each]
        others = [one for k, one in enumerate(each) if k != texts.index(shared)]
        left.append(attrs.evolve(piece, changes=((1, (), product(others)),)))
    return shared, left


def factors_of(node: ast.expr) -> Iterator[ast.expr]:
    """The factors of a product."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from factors_of(node.left)
        yield from factors_of(node.right)
    else:
        yield node


def product(factors: Sequence[ast.expr]) -> str:
    """The product of some factors."""
    found = factors[0]
    for each in factors[1:]:
        found = ast.BinOp(found, ast.Mult(), each)
    return ast.unparse(found)


def condition(tests: Sequence[str]) -> str:
    """All of some conditions."""
    return " and ".join(f"({each})" for each in tests)


def _added(changes: Sequence[Change], total: str) -> Iterator[str]:
    """The statements that add changes to a variable."""
    found, rest = _without_branches(changes)
    yield from (f"{total} += {each}" for each in found)
    for sign, tests, value in rest:
        yield f"if {condition(tests)}:"
        yield f"    {total} {'+' if sign > 0 else '-'}= {value}"


def amount(changes: Sequence[Change]) -> str:
    """The sum of changes as one expression."""
    texts, rest = _without_branches(changes)
    texts += [f"{'' if sign > 0 else '-'}({value} if {condition(tests)} else 0)" for sign, tests, value in rest]
    return " + ".join(f"({each})" if each.startswith("-") and k else each for k, each in enumerate(texts)) or "0"


def _without_branches(changes: Sequence[Change]) -> tuple[list[str], list[Change]]:
    """Sums of changes that need no branches, and the other changes.

    Truths are counted; a value that does not depend on the solution is multiplied by the truths of its changes.
    """
    texts, rest = list[str](), list[Change]()
    plain = [(sign, value) for sign, tests, value in changes if not tests]
    if plain:
        texts.append(product_of(plain, VALUES))
    counted: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
    for sign, tests, value in changes:
        if tests and not any(_SOLUTION.fullmatch(each) for each in named(parsed(value, mode="eval"))):
            counted.setdefault(value, []).append((sign, tests))
        elif tests:
            rest.append((sign, tests, value))
    for value, truths in counted.items():
        if value == "1":
            texts.append(_truths(truths))
        elif len(truths) > 1:
            texts.append(f"({value}) * ({_truths(truths)})")
        else:
            rest += [each for each in changes if each[1] and each[2] == value]
    return texts, rest


def _truths(given: Sequence[tuple[int, tuple[str, ...]]]) -> str:
    """A sum of truths; conditions that all have are one factor, where the others guard no entry."""
    shared = [each for each in given[0][1] if all(each in tests for _, tests in given)]
    own = [tuple(each for each in tests if each not in shared) for _, tests in given]
    if shared and len(given) > 1 and all(own) and not any("[" in each for tests in own for each in tests):
        apart = summed([(sign, f"int({condition(tests)})") for (sign, _), tests in zip(given, own, strict=True)])
        return f"({apart}) * int({condition(shared)})"
    return summed([(sign, f"int({condition(tests)})") for sign, tests in given])


def one_of(function: str, forms: Sequence[Form]) -> str:
    """The largest or the smallest of some forms."""
    texts = list(dict.fromkeys(map(written, forms)))
    return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"


_ENTRY = re.compile(r"([bd]\d+(?:_\d+)?) = ")
_GUARDED = re.compile(r"([bd]\d[\w, ]*) = 0(?:, 0)+$")


def named_once(lines: Sequence[str]) -> list[str]:
    """Statements whose places and amounts of entries have a name each, without those that are not used.

    What is known of a value, such as that it is never negative, would hold for all values of its name otherwise; and a
    loop whose variables no other loop assigns is a sum that threads share.
    """
    found, now, taken = list[str](), dict[str, str](), set[str]()
    for line in lines:
        text = re.sub(r"\b[bd]\d+(?:_\d+)?\b", lambda name: now.get(name[0], name[0]), line)
        match = _ENTRY.match(line) or _GUARDED.match(line)
        if match:
            names = match[1].split(", ")
            for name in names:
                if now.get(name, name) in taken:
                    last = max(int(re.findall(r"\d+", each)[0]) for each in taken if each[0] == name[0])
                    now[name] = f"{name[0]}{last + 1}"
                taken.add(now.get(name, name))
            text = f"{', '.join(now.get(each, each) for each in names)} = {text[text.index(' = ') + 3 :]}"
        found.append(text)
    used = [*re.findall(r"\b[bd]\d+(?:_\d+)?\b", "\n".join(found))]
    return [*_own_to_loops(each for each in found if not ((match := _ENTRY.match(each)) and used.count(match[1]) == 1))]


_BEFORE_AFTER = re.compile(r"\b[deh]_\w+")


def _own_to_loops(lines: Iterable[str]) -> Iterator[str]:
    """Statements where the values before and after a move that a second loop assigns have names of its own."""
    depth, seen, here, own, count = -1, set[str](), set[str](), set[str](), 0
    for line in lines:
        indented = len(line) - len(line.lstrip())
        if depth >= 0 and indented <= depth:
            depth, seen, here, own = -1, seen | here, set(), set()
        if depth < 0 and line.lstrip().startswith("for "):
            depth, count = indented, count + 1
        if depth >= 0:
            names = {*_BEFORE_AFTER.findall(line)}
            own |= {each for each in names & seen if line.lstrip().startswith(f"{each} = ")}
            here |= names
            yield _BEFORE_AFTER.sub(lambda name: f"{name[0]}_{count}" if name[0] in own else name[0], line)  # noqa: B023 - used at once
        else:
            yield line


def as_text(text: Text, cost: Callable[..., Any], head: str, lines: Sequence[str]) -> Text:
    """Statements as a function beside the cost, which Python can run and whose line is that of the cost.

    `text`: the cost. `cost`: the same as a function. `head`: the name and the parameters. `lines`: the statements.
    """
    module = parsed(f"def {head}:\n" + indent("\n".join(lines), "    "))
    for node in ast.walk(module):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
    made = compile(module, text.path, "exec")
    code = next(each for each in made.co_consts if hasattr(each, "co_varnames"))
    outside = {**getattr(cost, "__globals__", {}), **dict(names_outside(cost)), "independent": independent}
    tree = module.body[0]
    assert isinstance(tree, ast.FunctionDef)
    return attrs.evolve(text, function=FunctionType(code, outside, tree.name), tree=tree)
