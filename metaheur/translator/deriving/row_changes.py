"""The rows of positions that fill entries of one array, gone through one after another, or together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from metaheur.translator.deriving.array_changes import ArrayChanges, added_by, indices, kept_name
from metaheur.translator.deriving.comparing import compared
from metaheur.translator.deriving.differences import Piece
from metaheur.translator.deriving.terms import FilledArray, IndexLoop, Term
from metaheur.translator.deriving.together import indented
from metaheur.translator.deriving.writing import amount, condition

__all__ = ["evaluated", "merged_rows", "row_of"]

_Z = re.compile(r"\[z\]")
"""Of the row z."""


def evaluated(
    term: Term, array: FilledArray, loops: tuple[Sequence[IndexLoop], Sequence[IndexLoop]], tests: list[str]
) -> list[str]:
    """The statements that add what a term changes by d0 more in the entry b0, under conditions."""
    names = indices(0, len(array.sizes))
    put: dict[str, ast.expr] = {
        loop.name: ast.Name(name, ast.Load()) for loop, name in zip(loops[0], names, strict=True)
    }
    lines = [
        f"e_{array.name} = s.{kept_name(array.name)}[{', '.join(names)}]",
        f"h_{array.name} = e_{array.name} + d0",
        *compared(term, [array], put, loops[1]),
    ]
    return [f"if {condition(tests)}:", *indented(lines, 1)] if tests else lines


def row_of(changes: ArrayChanges, piece: Piece, added: Sequence[str]) -> Iterator[str]:
    """The statements that find the rows of a position whose entry is b0, and statements for such rows."""
    _, _, inside = changes.writer.around(piece)
    end, column = changes.ends_of_rows(piece)
    begin = end.removesuffix(" + 1]") + "]"
    yield f"y, w = {begin}, {end}"
    yield "while y < w:"
    yield f"    if {column}[(y + w) // 2] < b0:"
    yield "        y = (y + w) // 2 + 1"
    yield "    else:"
    yield "        w = (y + w) // 2"
    made = [(sign, tests, ast.unparse(added_by(value))) for sign, tests, value in inside.changes]
    lines = [f"d0 += {amount(made)}"]
    once = changes.single(piece)
    if once:
        lines += added
    if inside.conditions:
        lines = [f"if {condition(inside.conditions)}:", *indented(lines, 1)]
    yield f"{'if' if once else 'while'} y < {end} and {column}[y] == b0:"
    yield from indented((_Z.sub("[y]", each) for each in lines), 1)
    if not once:
        yield from indented((*added, "y += 1"), 1)


def merged_rows(
    changes: ArrayChanges, array: FilledArray, pieces: Sequence[Piece], evaluated: Sequence[str]
) -> Iterator[str]:
    """The statements that go through the rows of several positions together, sorted by their entries.

    `evaluated`: the statements on each entry b0, to which all rows add d0.
    """
    inside = [changes.writer.around(each)[2] for each in pieces]
    of = [changes.ends_of_rows(each) for each in pieces]
    size = ast.unparse(array.sizes[0])
    heads, added, further = list[str](), list[str](), list[str]()
    for k, (piece, (end, column)) in enumerate(zip(pieces, of, strict=True)):
        yield f"z{k}, t{k} = {end.removesuffix(' + 1]')}], {end}"
        heads.append(f"g{k} = {column}[z{k}] if z{k} < t{k} else {size}")
        made = [(sign, tests, ast.unparse(added_by(value))) for sign, tests, value in inside[k].changes]
        value = _Z.sub(f"[z{k}]", amount(made))
        guard = _Z.sub(f"[z{k}]", condition(inside[k].conditions))
        if changes.single(piece):
            test = f"g{k} == b0 and {guard}" if guard else f"g{k} == b0"
            added.append(f"({value} if {test} else 0)")
            further.append(f"z{k} += int(g{k} == b0)")
        else:
            line = f"d0 += {value} if {guard} else 0" if guard else f"d0 += {value}"
            further += [f"while z{k} < t{k} and {column}[z{k}] == b0:", f"    {line}", f"    z{k} += 1"]
    if any(each.conditions for each in inside):
        evaluated = ["if d0 != 0:", *indented(evaluated, 1)]
    yield f"while {' or '.join(f'z{k} < t{k}' for k in range(len(pieces)))}:"
    heads.append(f"b0 = min({', '.join(f'g{k}' for k in range(len(pieces)))})")
    yield from indented([*heads, f"d0 = {' + '.join(added) or '0'}", *further, *evaluated], 1)
