"""What terms that read kept arrays add after a move, less what they added before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import substituted, written
from metaheur.translator.deriving.array_changes import with_entries
from metaheur.translator.deriving.differences import Piece
from metaheur.translator.deriving.terms import FilledArray, IndexLoop, Least, Term
from metaheur.translator.deriving.writing import SUM, Writer

__all__ = ["compared", "multiplied", "number_of"]

_TOTAL, _SUM = re.compile(r"\btotal\b"), re.compile(rf"\b{SUM}\b")


def multiplied(lines: Sequence[str], factor: int) -> list[str]:
    """Statements that add to `total`, a number times as much; [] if they have no loop, or a sum of their own."""
    loops = any(line.lstrip().startswith("for ") for line in lines)
    if not loops or any(_SUM.search(line) for line in lines):
        return []
    return [f"{SUM} = 0", *(_TOTAL.sub(SUM, line) for line in lines), f"total += {factor} * {SUM}"]


def number_of(value: ast.expr) -> int | None:
    """A value that is a product of numbers; None for any other one."""
    match value:
        case ast.Constant(value=int() as number):
            return number
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            first, second = number_of(left), number_of(right)
            return None if first is None or second is None else first * second
    return None


def compared(
    term: Term, arrays: Sequence[FilledArray | Least], put: Mapping[str, ast.expr], rest: Sequence[IndexLoop]
) -> Iterator[str]:
    """The statements that add a term's value after a move, minus its value before the move."""
    indent = ""
    for loop in rest:
        ends = [
            ast.unparse(substituted(parsed(written(form), mode="eval").body, put)) for form in (loop.low, loop.high)
        ]
        yield f"{indent}for {loop.name} in range({', '.join(ends)}):"
        indent += "    "
    changes = []
    for sign, prefix in ((term.sign, "h"), (-term.sign, "e")):
        entries: dict[str, ast.expr] = {each.name: ast.Name(f"{prefix}_{each.name}", ast.Load()) for each in arrays}
        tests = tuple(ast.unparse(with_entries(each, entries, put)) for each in term.conditions)
        changes.append((sign, tests, ast.unparse(with_entries(term.value, entries, put))))
    shared = tuple(test for test in changes[0][1] if test in changes[1][1])
    own = [(sign, tuple(test for test in tests if test not in shared), value) for sign, tests, value in changes]
    yield from (indent + line for line in Writer().lines(Piece((), {}, shared, tuple(own))))
