"""What terms that read kept arrays add after a move, less what they added before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import named, substituted, written
from metaheur.translator.deriving.array_changes import with_entries
from metaheur.translator.deriving.bits import is_sign
from metaheur.translator.deriving.differences import Piece
from metaheur.translator.deriving.terms import FilledArray, IndexLoop, Least, Term
from metaheur.translator.deriving.writing import SUM, Writer

__all__ = ["by_bits", "compared", "excess_of", "multiplied", "number_of", "stepped"]

_SIGNED = re.compile(r"\(v - u\) \* (self\.\w+_c(\d+)\[z\])")
"""A row of a bit that adds 1 to an entry if it gets its value, and takes 1 if it had it."""

_TOTAL, _SUM = re.compile(r"\btotal\b"), re.compile(rf"\b{SUM}\b")


def multiplied(lines: Sequence[str], factor: int) -> list[str]:
    """Statements that add to `total`, a number times as much; [] if they have no loop, or a sum of their own."""
    loops = any(line.lstrip().startswith(("for ", "while ")) for line in lines)
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


def by_bits(term: Term, array: FilledArray, piece: Piece, added: str, entry: str) -> tuple[str, list[str]] | None:
    """By how much a flip changes a sum over entries that are 0, or are not: a factor, and what each row adds to `y`.

    An entry counts bits, the flipped one among them: it is 0 before or after the move only if no other bit in it is 1;
    or it counts bits that have their values, where a row of `piece` says by 1 or -1 whether 1 or 0 is this value.
    None if the term, or what is `added` to the entry, is anything else.
    """
    value, conditions = (ast.Constant(1), (term.value,)) if isinstance(term.value, ast.Compare) else (term.value, ())
    number, natural = number_of(value), all(_counts(each.term) for each in array.fillings)
    tests = [_of_zero(each, array.name) for each in (*conditions, *term.conditions)]
    added = ast.unparse(parsed(added, mode="eval"))
    if number is None or not natural or len(tests) != 1 or tests[0] is None:
        return None
    factor = term.sign * number * tests[0]
    times = "" if factor == 1 else f"{factor} * "
    if added in ("(u - v) * -1", "(v - u) * 1"):
        return f"{times}(u - v) * ", [f"{SUM} += int({entry} == u)"]
    match = _SIGNED.fullmatch(added)
    if match is None or not is_sign(piece, int(match[2])):
        return None
    leaves, comes = f"    {SUM} += int({entry} == 1)", f"    {SUM} -= int({entry} == 0)"
    return times, [f"if {match[1]} == u - v:", leaves, "else:", comes]


def _counts(term: Term) -> bool:
    """Whether a term adds 1, or a bit."""
    one = isinstance(term.value, ast.Constant) and term.value.value == 1
    bit = isinstance(term.value, ast.Subscript) and ast.unparse(term.value.value) == "x"
    return term.sign > 0 and (one or bit)


def _of_zero(test: ast.expr, name: str) -> int | None:
    """1 for the condition that an entry of an array is 0, -1 for the condition that it is not."""
    match test:
        case ast.Compare(
            left=ast.Subscript(value=ast.Name(id=array)), ops=[sign], comparators=[ast.Constant(value=0)]
        ) if array == name:
            return 1 if isinstance(sign, ast.Eq | ast.LtE) else -1 if isinstance(sign, ast.NotEq | ast.Gt) else None
    return None


def excess_of(term: Term, name: str) -> tuple[int, str] | None:
    """A factor and a limit of a term that is a number times the excess of entries of an array over the limit, or 0."""
    match term.value:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for number, other in ((number_of(left), right), (number_of(right), left)):
                found = None if number is None else excess_of(evolve(term, value=other), name)
                if number is not None and found is not None:
                    return number * found[0], found[1]
        case (
            ast.Call(func=ast.Name(id="max"), args=[ast.Constant(value=0), excess])
            | ast.Call(func=ast.Name(id="max"), args=[excess, ast.Constant(value=0)])
        ):
            match excess:
                case ast.BinOp(left=ast.Subscript(value=ast.Name(id=array)), op=ast.Sub(), right=limit) if (
                    array == name and not term.conditions and named(limit) <= {"self"}
                ):
                    return term.sign, ast.unparse(limit)
    return None


def stepped(excess: tuple[int, str], entry: str, step: int) -> str:
    """The statement that adds the change of a term, an excess over a limit, whose entry grows by 1 or by -1."""
    factor, limit = excess
    by, times = ("+=", factor * step) if factor * step > 0 else ("-=", -factor * step)
    return f"total {by} {'' if times == 1 else f'{times} * '}int({entry} {'>=' if step > 0 else '>'} {limit})"


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
