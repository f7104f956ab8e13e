"""Places where a term reads the solution, or a kept array."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import final

from attrs import frozen

from metaheur.translator.deriving.affine import Form, N, form_of, names_of, never_negative, plus, put, written
from metaheur.translator.deriving.terms import NotDerived

__all__ = ["Site", "Sites"]


@final
@frozen
class Site:
    """Where a term reads the solution; around the end of the solution if it may leave it; or what data say."""

    form: tuple[tuple[str, int], ...]
    around: bool
    looked: str = ""

    def at(self, values: Mapping[str, Form]) -> Form:
        """The form whose names are replaced by other forms."""
        return put({self.looked: 1} if self.looked else dict(self.form), values)

    @property
    def text(self) -> str:
        """The place as it is written in the cost."""
        return self.looked or written(dict(self.form))


class Sites(ast.NodeTransformer):
    """Replaces each site by a name of its own."""

    def __init__(self, array: str, facts: Sequence[Form], loops: set[str], *, tabled: bool = False) -> None:
        self.array, self.facts, self.loops, self.tabled, self.found = array, facts, loops, tabled, list[Site]()

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if ast.unparse(node.value) != self.array:
            self.generic_visit(node)
            return node
        index = node.slice
        match index:
            case ast.BinOp(left=left, op=ast.Mod(), right=right) if ast.unparse(right) in (
                N,
                "len(x)",
            ) and self.over_positions(form_of(left)):
                form, around = form_of(left), True
            case _:
                form = form_of(index)
                around = not never_negative(form, self.facts)
        if form.keys() - {""} <= self.loops | {N} and not self.tabled:
            site = Site(tuple(sorted(form.items())), around)
        elif names_of(form) <= self.loops | {"self", "len", "abs", "min", "max"} and not isinstance(index, ast.Slice):
            site = Site((), False, ast.unparse(node.slice))
        else:
            raise NotDerived(
                f"`{ast.unparse(node)}` is read at a place that is no sum of loop variables",
                "read x at loop variables, at sums of them, or at entries of data; or write delta by hand.",
            )
        if site not in self.found:
            self.found.append(site)
        return ast.Name(f"S{self.found.index(site)}", ast.Load())

    def over_positions(self, form: Form) -> bool:
        """Whether the loops of a form are over positions; otherwise data say where it is, around the end."""
        within = ({name: 1} for name in form if name in self.loops)
        last = plus({N: 1}, {"": -1})
        return all(
            never_negative(each, self.facts) and never_negative(plus(last, each, -1), self.facts) for each in within
        )
