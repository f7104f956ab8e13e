"""Rows that add 1 to an entry where a bit has their value."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from attrs import evolve

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import named
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.differences import Piece

__all__ = ["is_sign", "signed"]

_SIGN = "2 * ({}) - 1"
"""The column of 1 or -1."""

_TRUTHS = {(0, 0), (0, 1), (1, 1)}


def signed(piece: Piece, data: DataFacts) -> Piece:
    """Rows of a flipped bit that add 1 to an entry if it gets their value, and take 1 if it had it: 1 or -1 times."""
    changes = {(sign, tests): _entry(value) for sign, tests, value in piece.changes}
    column = next((tests[0].removesuffix(" == v") for sign, tests in changes if sign > 0 and len(tests) == 1), "")
    wanted = {(1, (f"{column} == v",)), (-1, (f"{column} == u",))}
    entries = [*changes.values()]
    if not re.fullmatch(r"c\d+", column) or changes.keys() != wanted:
        return piece
    if entries[0] != entries[1] or entries[0][-1] != "1" or _names((*entries[0], *piece.conditions)) & {column}:
        return piece
    k = int(column[1:])
    if any(data.limits(rows, columns[k]) not in _TRUTHS for rows, columns in piece.sources):
        return piece
    sources = tuple(
        (rows, (*columns[:k], _SIGN.format(columns[k]), *columns[k + 1 :])) for rows, columns in piece.sources
    )
    value = f"({', '.join(entries[0][:-1])}, {column} * (v - u))"
    return evolve(piece, changes=((1, (), value),), sources=sources)


def is_sign(piece: Piece, k: int) -> bool:
    """Whether a column of rows says by 1 or -1 whether 1 or 0 is their value."""
    before, after = _SIGN.split("{}")
    return all(columns[k].startswith(before) and columns[k].endswith(after) for _, columns in piece.sources)


def _names(texts: Iterable[str]) -> set[str]:
    return {name for each in texts for name in named(parsed(each, mode="eval"))}


def _entry(value: str) -> list[str]:
    """The places of an entry, and what is added to it."""
    found = parsed(value, mode="eval").body
    return [ast.unparse(each) for each in found.elts] if isinstance(found, ast.Tuple) else [value]
