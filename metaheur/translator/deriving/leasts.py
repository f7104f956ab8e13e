"""The smallest or the largest of terms that read one position each: the next ones are kept for those that leave.

Of all terms, one more than a move writes positions are kept in order, each with its position. The first kept one whose
position is not written stays, and the terms of the written positions come back with their new values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import final

from attrs import frozen

from metaheur.translator.deriving.affine import form_of, plus, substituted, written
from metaheur.translator.deriving.array_changes import kept_name, with_entries
from metaheur.translator.deriving.differences import Moved
from metaheur.translator.deriving.terms import IndexLoop, Least
from metaheur.translator.deriving.together import indented
from metaheur.translator.deriving.writing import condition

__all__ = ["KeptLeast", "loops_of"]

_FAR = 2**62
"""What is kept where there is no term."""


def loops_of(loops: Sequence[IndexLoop]) -> tuple[list[str], int]:
    """The statements of loops, and how deep they are."""
    lines = [f"for {each.name} in range({written(each.low)}, {written(each.high)}):" for each in loops]
    return [" " * (4 * k) + line for k, line in enumerate(lines)], len(lines)


@final
@frozen(eq=False)
class KeptLeast:
    """Writes what becomes of the smallest terms.

    Parameters
    ----------
    least : Least
        What they are.
    count : int
        How many are kept for each value of the loops.
    order : function
        Puts an expression in order, so that a symmetric matrix is read along its rows.
    """

    least: Least
    count: int
    order: Callable[[str], str] = str

    @property
    def place(self) -> str:
        """The entry of the arrays."""
        return ", ".join(each.name for each in self.least.bins) or "0"

    def value(self, k: int) -> str:
        """The k-th smallest."""
        return f"s.{kept_name(self.least.name)}_{k}[{self.place}]"

    def at(self, k: int) -> str:
        """The position of the k-th smallest."""
        return f"s.{kept_name(self.least.name)}_at_{k}[{self.place}]"

    @property
    def names(self) -> Iterator[str]:
        """The names of the arrays."""
        for k in range(self.count):
            yield f"{kept_name(self.least.name)}_{k}"
            yield f"{kept_name(self.least.name)}_at_{k}"

    def term(self, place: str, value: str) -> tuple[str, list[str]]:
        """The term of a position where the solution has a value, and the conditions under which there is one."""
        loop = self.least.loop
        read: dict[str, ast.expr] = {"x": ast.parse(value, mode="eval").body}
        names: dict[str, ast.expr] = {loop.name: ast.parse(place, mode="eval").body}

        def text(node: ast.expr) -> str:
            return ast.unparse(with_entries(node, read, names))

        tests = [text(each) for each in self.least.conditions]
        low, high = plus(form_of(names[loop.name]), loop.low, -1), loop.high
        if loop.low:
            tests.insert(0, f"{written(low)} >= 0")
        if high != {"self.n": 1}:
            tests.insert(0, f"{place} < {written(high)}")
        return self.order(text(self.least.value)), tests

    def after(self, moved: Sequence[Moved]) -> Iterator[str]:
        """The statements that make `e_name` and `h_name`, the smallest before and after a move."""
        name = self.least.name
        stays = self.value(len(moved))
        for k in reversed(range(len(moved))):
            stays = f"({self.value(k)} if {condition([f'{self.at(k)} != {each.at}' for each in moved])} else {stays})"
        yield f"e_{name} = {self.value(0)}"
        yield f"h_{name} = {stays}"
        for each in moved:
            value, tests = self.term(each.at, each.after)
            made = f"h_{name} = {self.least.function}(h_{name}, {value})"
            yield from [f"if {condition(tests)}:", f"    {made}"] if tests else [made]

    def filled(self) -> Iterator[str]:
        """The statements that fill the arrays for all values of the loops."""
        head, depth = loops_of(self.least.bins)
        yield from head
        yield from indented(self.anew(), depth)

    def anew(self) -> Iterator[str]:
        """The statements that fill one entry of the arrays."""
        least, loop = self.least, self.least.loop
        far = _FAR if least.function == "min" else -_FAR
        for k in range(self.count):
            first = ast.unparse(least.start) if k == 0 and least.start is not None else far
            yield f"{self.value(k)}, {self.at(k)} = {first}, -1"
        yield f"for k in range({written(loop.low)}, {written(loop.high)}):"
        value, tests = self.term("k", "x[k]")
        tests = [ast.unparse(substituted(each, {loop.name: ast.Name("k", ast.Load())})) for each in least.conditions]
        depth = 1
        if tests:
            yield f"    if {condition(tests)}:"
            depth = 2
        yield from indented(self.inserted(value), depth)

    def inserted(self, value: str) -> Iterator[str]:
        """The statements that put a term where it belongs."""
        sign = "<" if self.least.function == "min" else ">"
        yield f"t = {value}"
        for k in range(self.count):
            yield f"{'el' if k else ''}if t {sign} {self.value(k)}:"
            for later in range(self.count - 1, k, -1):
                yield f"    {self.value(later)}, {self.at(later)} = {self.value(later - 1)}, {self.at(later - 1)}"
            yield f"    {self.value(k)}, {self.at(k)} = t, k"

    def committed(self, moved: Sequence[Moved]) -> Iterator[str]:
        """The statements that fill the entries that the move that leads back changes."""
        head, depth = loops_of(self.least.bins)
        yield from head
        last, sign = self.count - 1, "<=" if self.least.function == "min" else ">="
        gone = [f"{self.at(k)} == {each.at}" for each in moved for k in range(self.count)]
        come = []
        for each in moved:
            value, tests = self.term(each.at, each.before)
            come.append(condition([*tests, f"{value} {sign} {self.value(last)}"]))
        yield from indented([f"if {' or '.join(f'({each})' for each in (*gone, *come))}:"], depth)
        yield from indented(self.anew(), depth + 1)
