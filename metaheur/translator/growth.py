"""Bounds of numbers that grow by additions: the largest summand of an assignment times its executions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import NamedTuple, final

from attrs import frozen

from metaheur.translator.kinds import NARROW, Kind, Matrix, MatrixRow, Truth, Vector, Whole, as_whole
from metaheur.translator.ranges import most
from metaheur.translator.tree import (
    Binary,
    Call,
    Conditional,
    Expression,
    Fold,
    For,
    If,
    Item,
    Let,
    Name,
    NewList,
    Over,
    Statement,
    SwapLists,
    Unary,
    While,
    Write,
    nodes,
)

__all__ = ["limits", "wide"]


def limits(body: tuple[Statement, ...], variables: Mapping[str, Kind], given: Mapping[str, Kind]) -> dict[str, Whole]:
    """Bounds within an int for variables, and for entries of lists, that seem to need more since a loop adds to them.

    `body`: the statements of a function. `variables`: its local variables, with bounds that hold. `given`: its
    parameters; those that are assigned get no limit.

    Notes
    -----
    Let some variables be assigned only values that are at most c larger than the largest of them, or else at most t, in
    absolute value. Then none exceeds the largest t, and c times the executions of its assignment, over all assignments.
    """
    names = wide(variables, given)
    growth = _Growth(variables, names, _roles(body, variables))
    steps = [each for each in growth.steps(body, 1) if each.name in names]
    ends = {name: _end(steps, _made_of(steps, name)) for name in names}
    return {name: Whole(-int(end), int(end)) for name, end in ends.items() if end < NARROW}


def wide(variables: Mapping[str, Kind], given: Mapping[str, Kind]) -> frozenset[str]:
    """The local variables that seem to need more than an int, or reach its ends; lists by their entries."""
    return frozenset(name for name, kind in variables.items() if name not in given and _is_wide(kind))


class GrowthBound(NamedTuple):
    """A bound of an expression's absolute value: the largest of some variables plus `more`, or else `top`."""

    names: frozenset[str]
    more: float
    top: float


class Step(NamedTuple):
    """An assignment to a variable, or to an entry of a list, that is executed so many times at most."""

    name: str
    reach: GrowthBound
    times: float


def _made_of(steps: list[Step], name: str) -> set[str]:
    """A variable, and all variables that its values are made of."""
    found, pending = {name}, [name]
    while pending:
        last = pending.pop()
        more = {other for each in steps if each.name == last for other in each.reach.names} - found
        found |= more
        pending += more
    return found


def _end(steps: list[Step], names: set[str]) -> float:
    """The greatest absolute value of some variables."""
    own = [each for each in steps if each.name in names]
    added = (each.times * each.reach.more for each in own if each.reach.names and each.reach.more)
    return max((each.reach.top for each in own), default=0) + sum(added)


def _is_wide(kind: Kind) -> bool:
    """Whether a number, or the entries of a list, may need more than an int, or reach its ends."""
    if isinstance(kind, Vector | Matrix):
        return kind.local and _is_wide(kind.element)
    return isinstance(kind, Whole) and (kind.low <= -NARROW or kind.high >= NARROW - 1)


def _list_of(array: Expression | None) -> str:
    """The name of a list of the function; "" for another array."""
    kind = array.kind if array is not None else None
    kind = kind.matrix if isinstance(kind, MatrixRow) else kind
    return kind.origin if isinstance(kind, Vector | Matrix) and kind.local else ""


def _roles(body: tuple[Statement, ...], variables: Mapping[str, Kind]) -> dict[str, set[str]]:
    """What the numbers with a name are: entries of lists, other values of loops (""), the local variable itself."""
    roles = {name: {name} for name in variables}
    for each in nodes(body):
        if isinstance(each, Over):
            roles.setdefault(each.name, set()).add(_list_of(each.array))
    return roles


@final
@frozen(eq=False)
class _Growth:
    """Finds what the assignments of a function add.

    `variables`: the local variables. `wide`: those that need limits. `roles`: what the numbers with a name are; of a
    name with several roles, the kind of each use has the bounds.
    """

    variables: Mapping[str, Kind]
    wide: frozenset[str]
    roles: Mapping[str, set[str]]

    def steps(self, body: tuple[Statement, ...], times: float) -> Iterator[Step]:
        """The assignments of statements that are executed so many times at most."""
        for each in body:
            match each:
                case Let(names=names, values=values):
                    yield from (Step(*pair, times) for pair in zip(names, map(self.reach, values), strict=True))
                case NewList(name=name, copied=None, values=values):
                    yield from (Step(name, self.reach(value), times) for value in values)
                case NewList(name=name, copied=Over(kind=kind, array=array)):
                    yield Step(name, self._entry(_list_of(array), kind), times)
                case SwapLists(names=(one, other)):
                    yield from (
                        Step(a, self._entry(b, self.variables[b]), times) for a, b in ((one, other), (other, one))
                    )
                case Write(places=places, values=values):
                    for place, value in zip(places, values, strict=True):
                        if isinstance(place, Item):
                            yield Step(_list_of(place.array), self.reach(value), times)
                case If(body=yes, orelse=no):
                    yield from self.steps((*yes, *no), times)
                case For(over=goes, body=inner):
                    rounds = max(0, most(goes))
                    yield from self.steps(inner, times * rounds if rounds else 0)
                case While(body=inner):
                    yield from self.steps(inner, inf)

    def reach(self, value: Expression) -> GrowthBound:  # noqa: PLR0911 - a case for each kind of node
        """The greatest absolute value of an expression."""
        match value:
            case Name(name=name, kind=kind):
                roles = self.roles.get(name, {""})
                return self._entry(min(roles) if len(roles) == 1 else "", kind)
            case Item(array=array, kind=kind):
                return self._entry(_list_of(array), kind)
            case Unary(operation="-", value=inner) | Call(function="py_abs", values=(inner,)):
                return self.reach(inner)
            case Fold(operation="min" | "max", element=element):
                return self.reach(element)
            case Call(function="py_min" | "py_max", values=(one, other)) | Conditional(yes=one, no=other):
                a, b = self.reach(one), self.reach(other)
                return GrowthBound(a.names | b.names, max(a.more, b.more), max(a.top, b.top))
            case Binary(operation="+" | "-", left=left, right=right):
                a, b = sorted((self.reach(left), self.reach(right)), key=lambda each: not each.names)
                if a.names and not b.names:
                    return GrowthBound(a.names, a.more + b.top, a.top + b.top)
        return _plain(value.kind)

    def _entry(self, name: str, kind: Kind) -> GrowthBound:
        """A variable, or an entry of a list, that needs a limit; or another number."""
        return GrowthBound(frozenset([name]), 0, 0) if name in self.wide else _plain(kind)


def _plain(kind: Kind) -> GrowthBound:
    """A number whose kind has its bounds."""
    if not isinstance(kind, Whole | Truth):
        return GrowthBound(frozenset(), 0, inf)
    bounds = as_whole(kind)
    return GrowthBound(frozenset(), 0, max(-bounds.low, bounds.high))
