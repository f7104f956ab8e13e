"""The terms of a cost, and the arrays that it fills."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import final

from attrs import define, field, frozen

from metaheur.translator.deriving.affine import Form, plus

__all__ = ["BY_HAND", "START", "Extreme", "FilledArray", "Filling", "IndexLoop", "Least", "NotDerived", "Sums", "Term"]


BY_HAND = "write delta by hand."

START = "start"
"""The keyword of a number that takes part in a minimum or a maximum, which no user writes."""


class NotDerived(Exception):
    """A term is beyond what is derived: why, and the nearest form that is derived, or what to do instead."""

    def __init__(self, why: str, maybe: str = BY_HAND) -> None:
        super().__init__(why)
        self.maybe = maybe


@final
@frozen
class IndexLoop:
    """A loop over the whole numbers from `low` to before `high`."""

    name: str
    low: Form
    high: Form

    @property
    def facts(self) -> tuple[Form, Form]:
        """Facts about the loop's variable."""
        return plus({self.name: 1}, self.low, -1), plus(plus(self.high, {self.name: 1}, -1), {"": -1})


@final
@frozen(eq=False)
class Term:
    """A value that is added (`sign` 1) or subtracted (-1) for all values of loops for which conditions hold."""

    sign: int
    loops: tuple[IndexLoop, ...]
    conditions: tuple[ast.expr, ...]
    value: ast.expr


@final
@frozen(eq=False)
class Filling:
    """A term that is added to an entry of an array.

    `places`: the indices of the entry. `term`: what is added. `sets`: whether the entry is set to the value.
    """

    places: tuple[ast.expr, ...]
    term: Term
    sets: bool = False


@final
@define(eq=False)
class FilledArray:
    """An array of a cost that begins with zeros and to which terms are added.

    `name`: its name.
    `sizes`: its lengths.
    `fillings`: what is added.
    `bins`: where each entry is a sum of its own: the loops over the entries, whose variables the fillings read.
    `inner`: whether it stands for inner sums.
    `step`: the number of the cost's statement that fills it.
    `read`: whether it was read.
    """

    name: str
    sizes: tuple[ast.expr, ...]
    fillings: list[Filling] = field(factory=list)
    bins: tuple[IndexLoop, ...] = ()
    inner: bool = False
    step: int = -1
    read: bool = False


@final
@frozen(eq=False)
class Extreme:
    """The largest or the smallest value of a function of filled arrays.

    `name`: the name that stands for it in terms. `function`: "max" or "min". `loops`: the loops that it goes over.
    `value`: the value.
    """

    name: str
    function: str
    loops: tuple[IndexLoop, ...]
    value: ast.expr


@final
@frozen(eq=False)
class Least:
    """The smallest, or the largest, of terms that each read one position, for each value of loops.

    `name`: the name of the array of them, in terms.
    `function`: "min" or "max".
    `bins`: the loops whose variables number them; none for a single one.
    `sizes`: how many values these variables may have.
    `loop`: the loop over positions.
    `conditions`: which positions have a term.
    `value`: the term.
    `start`: a number that takes part, too.
    """

    name: str
    function: str
    bins: tuple[IndexLoop, ...]
    sizes: tuple[ast.expr, ...]
    loop: IndexLoop
    conditions: tuple[ast.expr, ...]
    value: ast.expr
    start: ast.expr | None = None


@final
@frozen(eq=False)
class Sums:
    """A cost: terms that read the solution, or arrays, extremes, or smallest terms; and these."""

    terms: tuple[Term, ...]
    arrays: Mapping[str, FilledArray]
    extremes: Mapping[str, Extreme]
    leasts: Mapping[str, Least]
