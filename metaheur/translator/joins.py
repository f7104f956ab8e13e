"""Folds whose step only adds to numbers and takes maxima: `step_back` says what the items behind a position add.

A step that is a linear map of the max-plus algebra has a transpose: the same assignments backwards, in which a number
gives what it has to those it was made of. So the largest sum that the items behind a position add to each number of a
state follows from the text of the step, and a cost is the largest sum of a number and of what is added to it. For
makespans these are the heads and tails of E. Taillard, European Journal of Operational Research 47, 1990.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, final

from attrs import define, evolve, field

from metaheur.marker import compiled_members
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.formulas import Formulas
from metaheur.translator.functions import called, read_function
from metaheur.translator.kinds import NARROW, Kind, MatrixRow, Special, Truth, Vector, Whole
from metaheur.translator.names import Names
from metaheur.translator.reading import local_names, read
from metaheur.translator.scope import Function, Unit
from metaheur.translator.tree import (
    ArrayName,
    Binary,
    Call,
    Constant,
    Expression,
    Fold,
    For,
    If,
    Item,
    Let,
    Name,
    Node,
    Return,
    Scalar,
    Size,
    Statement,
    Write,
    children,
    nodes,
)

__all__ = ["back_lines", "joins", "kinds_of"]


def kinds_of(facts: ComponentFacts, parameters: list[str], roles: tuple[str, ...]) -> dict[str, Kind]:
    """The kinds of the parameters of `step` or `finish`."""
    kinds: dict[str, Kind] = {parameters[0]: Special("self")}
    before = Whole(-1, NARROW - 2)
    for parameter, role in zip(parameters[1:], roles, strict=False):
        kinds[parameter] = Special("state") if role == "state" else facts.items if role == "item" else before
    return kinds


@lru_cache(maxsize=256)
def joins(facts: ComponentFacts) -> bool:
    """Whether the cost of a problem follows from a state and from what the items behind it add."""
    if not facts.folds or facts.floating or dict(facts.extents)["start"][0] < 0:
        return False
    members, unit = compiled_members(facts.owner), Unit(facts, called)
    for name, roles in (("step", ("state", "item")), ("finish", ("state",))):
        text = read(members[name].overloads[0])
        if len(text.parameters) != len(roles) + 1:
            return False
        function = read_function(unit, text, kinds_of(facts, text.parameters, roles), "Cost")
        names = Names({"n"})
        for each in local_names(text.function.__code__):
            names.of(each)
        if back_lines(function, names) is None:
            return False
    return True


def back_lines(function: Function, names: Names) -> list[str] | None:
    """The body of `step_back` or `finish_back`, which changes the tails `s`; None if the function has no transpose.

    `function`: `step` or `finish`. `names`: its variables in C++.
    """
    made = _BackwardPrinter(function, Formulas(function, names))
    try:
        made.write()
    except _OtherAlgebra:
        return None
    return made.lines


class _OtherAlgebra(Exception):
    """A statement that does something else than to add and to take maxima."""


@final
@define(eq=False)
class _BackwardPrinter:
    """A printer; `linear` names the variables that are made of numbers of the state."""

    function: Function
    formulas: Formulas
    linear: set[str] = field(factory=set)
    lines: list[str] = field(factory=list)
    depth: int = 0

    def write(self) -> None:
        """Print the function backwards."""
        if any(name in self.function.variables for name, _ in self.function.parameters):
            raise _OtherAlgebra
        before = -1
        while len(self.linear) > before:
            before = len(self.linear)
            for each in nodes(self.function.body):
                if isinstance(each, Let) and any(map(self.depends, each.values)):
                    self.linear |= {*each.names}
        for name in sorted(self.linear):
            self.emit(f"Word {self.formulas.names.of(name)} = fold_least<Word>();")
        self.block(self.function.body)

    def emit(self, text: str) -> None:
        """Add a line of C++."""
        self.lines.append("    " * self.depth + text)

    def depends(self, value: Any) -> bool:
        """Whether something depends on the state; the length of a list does not."""
        match value:
            case tuple():
                return any(map(self.depends, value))
            case Scalar(written=True):
                return True
            case ArrayName():
                return _of_state(value)
            case Name(name=name):
                return name in self.linear
            case Node() if not isinstance(value, Size):
                return any(self.depends(getattr(value, name)) for name in children(type(value)))  # type: ignore[arg-type]
        return False

    # ---- statements

    def block(self, body: tuple[Statement, ...]) -> None:
        """Print what is known of data, and then the other statements backwards."""
        body = _single_ended(body)
        others: list[Statement] = []
        for each in body:
            if isinstance(each, Let) and not self.linear & {*each.names}:
                self.let(each, body)
            else:
                others.append(each)
        for each in reversed(others):
            self.statement(each)

    def let(self, each: Let, body: tuple[Statement, ...]) -> None:
        """Print a variable that is known of data, assigned once, and used only behind it in this block."""
        if len(each.names) != 1:
            raise _OtherAlgebra
        (name,), (value,) = each.names, each.values
        whole = [node for node in nodes(self.function.body) if _mentions(node, name)]
        at = body.index(each)
        if len(whole) != len([node for node in nodes(body[at:]) if _mentions(node, name)]) or _assigned(whole) != 1:
            raise _OtherAlgebra
        self.emit(f"const auto {self.formulas.names.of(name)} = {self.formulas.text(value)};")

    def statement(self, each: Statement) -> None:
        """Print one statement backwards."""
        match each:
            case Let(names=(name,), values=(value,)):
                self.assign(self.formulas.names.of(name), value)
            case Write(places=(place,), values=(value,)):
                self.assign(self.place(place), value)
            case If(test=test, body=body, orelse=orelse) if not self.depends(test):
                self.emit(f"if ({self.formulas.text(test)}) {{")
                self.nested(body)
                self.emit("} else {")
                self.nested(orelse)
                self.emit("}")
            case For(over=goes, body=body) if goes.array is None and goes.step == 1 and not self.depends(goes):
                if any(isinstance(node, Return) for node in nodes(body)):
                    raise _OtherAlgebra
                own, kind = self.formulas.names.of(goes.name), self.formulas.type(goes.kind)
                low, high = self.formulas.text(goes.low), self.formulas.text(goes.high)
                self.emit(f"for ({kind} {own} = {kind}({high}) - 1; {own} >= {low}; --{own}) {{")
                self.nested(body)
                self.emit("}")
            case Return(value=None):
                pass
            case Return(value=Expression() as value):
                for text in self.additions(value, ""):
                    self.emit(text)
            case _:
                raise _OtherAlgebra

    def nested(self, body: tuple[Statement, ...]) -> None:
        """Print statements, indented by one more step."""
        self.depth += 1
        self.block(body)
        self.depth -= 1

    def assign(self, target: str, value: Expression) -> None:
        """Print what an assigned number gives to those it was made of."""
        given = self.formulas.names.fresh("given")
        additions = self.additions(value, given)
        self.emit(f"const Word {given} = {target};")
        self.emit(f"{target} = fold_least<Word>();")
        for text in additions:
            self.emit(text)

    # ---- expressions

    def additions(self, value: Expression, given: str) -> list[str]:
        """The statements that add the given amount, and the summands, to the tails of an expression's numbers."""
        found = []
        for source, added in self.terms(value):
            amount = " + ".join([given] * bool(given) + [f"Word({self.formulas.text(each)})" for each in added]) or "0"
            if isinstance(source, ArrayName):
                k, own = self.formulas.names.fresh("k"), self.place(source)
                head = f"for (int {k} = 0; {k} < {own}.size; ++{k}) "
                found.append(f"{head}{own}({k}) = py_max({own}({k}), Word({amount}));")
            else:
                found.append(f"{source} = py_max({source}, Word({amount}));")
        return found

    def terms(self, value: Expression) -> Iterator[tuple[Any, list[Expression]]]:
        """The numbers whose maximum a value is, each with its summands, which are at least 0."""
        match value:
            case _ if not self.depends(value):
                yield "s.word[words]", [_positive(value)]
            case Name(name=name):
                yield self.formulas.names.of(name), []
            case Scalar() | Item(array=ArrayName()):
                yield self.place(value), []
            case Call(function="py_max", values=values):
                for each in values:
                    yield from self.terms(each)
            case Binary(operation="+", left=left, right=right) if not self.depends(right):
                yield from ((source, [*added, _positive(right)]) for source, added in self.terms(left))
            case Binary(operation="+", left=left, right=right) if not self.depends(left):
                yield from ((source, [*added, _positive(left)]) for source, added in self.terms(right))
            case Fold(operation="max", element=Name(name=name), loops=((goes, ()),)) if goes.name == name:
                all_of = isinstance(goes.high, Size) and goes.high.array == goes.array
                if goes.array is None or not all_of or goes.low != Constant(Whole(0, 0), goes.low.line, 0):
                    raise _OtherAlgebra
                yield goes.array, []
            case _:
                raise _OtherAlgebra

    def place(self, place: Expression) -> str:
        """The tail of a number of the state, or the tails of a list."""
        if isinstance(place, Item):
            if not isinstance(place.array, ArrayName) or not _of_state(place.array) or self.depends(place.places):
                raise _OtherAlgebra
            place = evolve(place, kind=Whole(0, 0))  # without a conversion
        return place.name if isinstance(place, Scalar) else self.formulas.text(place)


def _single_ended(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """The same statements, but those behind an `if` that may return belong to its `else`."""
    for k, each in enumerate(body[:-1]):
        if isinstance(each, If) and any(isinstance(node, Return) for node in nodes(each)):
            if not isinstance(each.body[-1], Return) or any(isinstance(node, Return) for node in nodes(each.orelse)):
                raise _OtherAlgebra
            return (*body[:k], evolve(each, orelse=(*each.orelse, *body[k + 1 :])))
        if isinstance(each, Return):
            raise _OtherAlgebra
    return body


def _of_state(array: ArrayName) -> bool:
    kind = array.kind
    return isinstance(kind, Vector) and kind.origin.startswith("s.")


def _positive(value: Expression) -> Expression:
    """A number that is not negative: so that a number that nothing leads to stays below 0."""
    kind = value.kind
    if isinstance(kind, MatrixRow) or not isinstance(kind, Whole | Truth) or (isinstance(kind, Whole) and kind.low < 0):
        raise _OtherAlgebra
    return value


def _mentions(node: Any, name: str) -> bool:
    """Whether a node is a variable, or assigns it."""
    return (isinstance(node, Name) and node.name == name) or (isinstance(node, Let) and name in node.names)


def _assigned(found: list[Any]) -> int:
    return sum(isinstance(each, Let) for each in found)
