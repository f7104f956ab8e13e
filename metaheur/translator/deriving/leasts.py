"""The smallest or the largest of terms that read one position each: the next ones are kept for those that leave.

Of all terms, one more than a move writes positions are kept in order, each with its position. The first kept one whose
position is not written stays, and the terms of the written positions come back with their new values.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import final

from attrs import frozen

from metaheur.machine.parsing import parsed
from metaheur.translator.deriving.affine import N, named, names_of, written
from metaheur.translator.deriving.array_changes import kept_name, with_entries
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.differences import Moved
from metaheur.translator.deriving.terms import IndexLoop, Least
from metaheur.translator.deriving.together import indented
from metaheur.translator.deriving.writing import condition

__all__ = ["KeptLeast", "is_narrow", "loops_of"]

_FAR = {"int64": 2**62, "int32": 2**30}
"""The value that is kept if there is no term."""


def loops_of(loops: Sequence[IndexLoop]) -> tuple[list[str], int]:
    """The statements of loops, and how deep they are."""
    lines = [f"for {each.name} in range({written(each.low)}, {written(each.high)}):" for each in loops]
    return [" " * (4 * k) + line for k, line in enumerate(lines)], len(lines)


def is_narrow(value: ast.expr, data: DataFacts) -> bool:
    """Whether a term is an entry of a table of numbers below 2**30, or such a number."""
    match value:
        case ast.Constant(value=int() as number):
            return abs(number) < 2**30
        case (
            ast.Attribute(value=ast.Name(id="self"), attr=name)
            | ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name))
        ):
            return bool(data.ask("narrow", name))
    return False


@final
@frozen(eq=False)
class KeptLeast:
    """Writes the changes of the smallest terms by moves.

    `least`: what they are. `count`: how many are kept for each value of the loops. `order`: puts an expression in
    order, so that a symmetric matrix is read along its rows. `dtype`: the type of the terms.
    """

    least: Least
    count: int
    order: Callable[[str], str] = str
    dtype: str = "int64"

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
        read: dict[str, ast.expr] = {"x": parsed(value, mode="eval").body}
        names: dict[str, ast.expr] = {self.least.loop.name: parsed(place, mode="eval").body}

        def text(node: ast.expr) -> str:
            return ast.unparse(with_entries(node, read, names))

        return self.order(text(self.least.value)), [text(each) for each in self.least.conditions]

    def within(self, at: str) -> list[str]:
        """The conditions under which a position is one of the loop."""
        low, high = self.least.loop.low, self.least.loop.high
        tests = [f"{at} >= {written(low)}"] if low else []
        return tests + ([f"{at} < {written(high)}"] if high != {N: 1} else [])

    @property
    def outside(self) -> bool:
        """Whether it can be told outside of the loops which positions are those of the loop."""
        names = {each.name for each in self.least.bins}
        return not (names_of(self.least.loop.low) | names_of(self.least.loop.high)) & names

    @property
    def anywhere(self) -> bool:
        """Whether an item has the same term at all positions of the loop."""
        item: dict[str, ast.expr] = {"x": ast.Constant(0)}
        texts = [with_entries(each, item, {}) for each in (self.least.value, *self.least.conditions)]
        return not any(self.least.loop.name in named(each) for each in texts)

    def after(self, moved: Sequence[Moved], *, inside: bool) -> Iterator[str]:
        """The statements that make `e_name` and `h_name`, the smallest before and after a move.

        `inside`: whether all positions are known to be those of the loop.
        """
        name = self.least.name
        stays = self.value(len(moved))
        for k in reversed(range(len(moved))):
            gone = " or ".join(f"{self.at(k)} == {each.at}" for each in moved)
            stays = f"({stays} if {gone} else {self.value(k)})"
        terms = [self.term(each.at, each.after) for each in moved]
        found = [
            (value, tests if inside else [*self.within(each.at), *tests])
            for each, (value, tests) in zip(moved, terms, strict=True)
        ]
        for value in (value for value, tests in found if not tests):
            stays = f"{self.least.function}({stays}, {value})"
        yield f"e_{name} = {self.value(0)}"
        yield f"h_{name} = {stays}"
        for value, tests in found:
            if tests:
                yield f"if {condition(tests)}:"
                yield f"    h_{name} = {self.least.function}(h_{name}, {value})"

    def filled(self) -> Iterator[str]:
        """The statements that fill the arrays for all values of the loops."""
        head, depth = loops_of(self.least.bins)
        yield from head
        yield from indented(self.anew(), depth)

    def anew(self) -> Iterator[str]:
        """The statements that fill one entry of the arrays."""
        least, loop = self.least, self.least.loop
        far = _FAR[self.dtype] * (1 if least.function == "min" else -1)
        for k in range(self.count):
            first = ast.unparse(least.start) if k == 0 and least.start is not None else far
            yield f"{self.value(k)}, {self.at(k)} = {first}, -1"
        yield f"for k in range({written(loop.low)}, {written(loop.high)}):"
        value, tests = self.term("k", "x[k]")
        depth = 1
        if tests:
            yield f"    if {condition(tests)}:"
            depth = 2
        yield from indented(self.inserted(value), depth)

    def inserted(self, value: str, at: str = "k", *, before: bool = False) -> Iterator[str]:
        """The statements that put a term of a position where it belongs.

        `before`: whether it belongs before equal terms of later positions; otherwise it comes after all others.
        """
        sign = "<" if self.least.function == "min" else ">"
        yield f"t = {value}"
        for k in range(self.count):
            same = f" or (t == {self.value(k)} and {at} < {self.at(k)})" if before else ""
            yield f"{'el' if k else ''}if t {sign} {self.value(k)}{same}:"
            for later in range(self.count - 1, k, -1):
                yield f"    {self.value(later)}, {self.at(later)} = {self.value(later - 1)}, {self.at(later - 1)}"
            yield f"    {self.value(k)}, {self.at(k)} = t, {at}"

    def committed(self, moved: Sequence[Moved]) -> Iterator[str]:
        """The statements that change the entries for the move that leads back: anew where a kept term is gone."""
        head, depth = loops_of(self.least.bins)
        yield from head
        gone = [f"{self.at(k)} == {each.at}" for each in moved for k in range(self.count)]
        yield from indented([f"if {' or '.join(f'({each})' for each in gone)}:"], depth)
        yield from indented(self.anew(), depth + 1)
        yield from indented(["else:"], depth)
        for each in moved:
            value, tests = self.term(each.at, each.before)
            tests = [*self.within(each.at), *tests]
            lines = [*self.inserted(value, each.at, before=True)]
            yield from indented([f"if {condition(tests)}:", *indented(lines, 1)] if tests else lines, depth + 1)
