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

    Parameters
    ----------
    places : tuple of ast.expr
        The indices of the entry.
    term : Term
        What is added.
    sets : bool
        Whether the entry is set to the value.
    """

    places: tuple[ast.expr, ...]
    term: Term
    sets: bool = False


@final
@define(eq=False)
class FilledArray:
    """An array of a cost that begins with zeros and to which terms are added.

    Parameters
    ----------
    name : str
        Its name.
    sizes : tuple of ast.expr
        Its lengths.
    fillings : list of Filling
        What is added.
    bins : tuple of IndexLoop
        Where each entry is a sum of its own: the loops over the entries, whose variables the fillings read.
    inner : bool
        Whether it stands for inner sums.
    step : int
        The number of the cost's statement that fills it.
    read : bool
        Whether it was read.
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

    Parameters
    ----------
    name : str
        The name that stands for it in terms.
    function : str
        "max" or "min".
    loops : tuple of IndexLoop
        The loops that it goes over.
    value : ast.expr
        The value.
    """

    name: str
    function: str
    loops: tuple[IndexLoop, ...]
    value: ast.expr


@final
@frozen(eq=False)
class Least:
    """The smallest, or the largest, of terms that each read one position, for each value of loops.

    Parameters
    ----------
    name : str
        The name of the array of them, in terms.
    function : str
        "min" or "max".
    bins : tuple of IndexLoop
        The loops whose variables number them; none for a single one.
    sizes : tuple of ast.expr
        How many values these variables may have.
    loop : IndexLoop
        The loop over positions.
    conditions : tuple of ast.expr
        Which positions have a term.
    value : ast.expr
        The term.
    start : ast.expr, optional
        A number that takes part, too.
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
