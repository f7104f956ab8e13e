"""`step` of a fold for eight states at once: values that differ become vectors, and branches become choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

from attrs import define, field

from metaheur.translator.facts import ComponentFacts
from metaheur.translator.formulas import Formulas
from metaheur.translator.kinds import Float, Kind, MatrixRow, Truth, Whole
from metaheur.translator.lane_safety import SIGNS, Safety
from metaheur.translator.names import Names
from metaheur.translator.scope import Function
from metaheur.translator.tree import (
    ArrayName,
    Binary,
    Call,
    Compare,
    Conditional,
    Constant,
    Expression,
    For,
    If,
    Item,
    Let,
    Logic,
    Name,
    Over,
    Return,
    Scalar,
    Size,
    Statement,
    Unary,
    Write,
    nodes,
)

__all__ = ["Unlike", "lane_functions"]


class Unlike(Exception):
    """A statement that lanes do not execute together; the reason."""


def lane_lines(function: Function, names: Names, facts: ComponentFacts, differing: frozenset[str]) -> list[str]:
    """The body of `step` for the states `s` of all lanes.

    `function`: the step of one state. `names`: its variables in C++. `facts`: what is known of the problem.
    `differing`: the parameters that differ from lane to lane, which are vectors; the others are numbers. Raises Unlike
    if the lanes cannot execute it together.
    """
    made = _Lanes(
        function, Formulas(function, names, team="team"), Safety(function, dict(facts.extents)), set(differing)
    )
    made.settle(function.body)
    made.declare()
    made.block(function.body, "")
    return made.lines


@final
@define(eq=False)
class _Lanes:
    """A printer; `differing` names the variables that are vectors, and a mask names the lanes that execute a branch."""

    function: Function
    formulas: Formulas
    safety: Safety
    differing: set[str]
    lines: list[str] = field(factory=list)
    depth: int = 0

    def emit(self, text: str) -> None:
        """Add a line of C++."""
        self.lines.append("    " * self.depth + text)

    # ---- what differs

    def differs(self, value: Expression) -> bool:
        """Whether a value may differ from lane to lane."""
        if isinstance(value, Size):
            return False
        if isinstance(value, Name):
            return value.name in self.differing
        if isinstance(value, Scalar):
            return value.written
        if isinstance(value, ArrayName):
            return _of_state(value)
        inner = (each for each in nodes(value)[1:] if isinstance(each, Expression | Over))
        return any(self.differs(each) for each in inner if isinstance(each, Expression)) or any(
            each.array is not None and self.differs(each.array) for each in nodes(value) if isinstance(each, Over)
        )

    def settle(self, body: tuple[Statement, ...]) -> None:
        """Find the variables that differ, round by round."""
        before = -1
        while len(self.differing) > before:
            before = len(self.differing)
            self.find(body, masked=False)

    def find(self, body: tuple[Statement, ...], *, masked: bool) -> None:
        """Add the variables that statements make differ."""
        for each in body:
            match each:
                case Let(names=names, values=values):
                    self.differing |= {
                        name for name, value in zip(names, values, strict=True) if masked or self.differs(value)
                    }
                case If(test=test, body=inner, orelse=orelse):
                    self.find(inner, masked=masked or self.differs(test))
                    self.find(orelse, masked=masked or self.differs(test))
                case For(over=goes, body=inner):
                    if goes.array is not None and self.differs(goes.array):
                        self.differing.add(goes.name)
                    self.find(inner, masked=masked)

    def declare(self) -> None:
        """Declare all variables; rows of data are declared where they are named."""
        for name, kind in self.function.variables.items():
            if isinstance(kind, Whole | Truth) and not self.is_parameter(name):
                self.emit(f"{self.type_of(name, kind)} {self.formulas.names.of(name)}{{}};")
            elif not isinstance(kind, MatrixRow):
                raise Unlike(f"{name} is a list, or a parameter that is assigned")

    def is_parameter(self, name: str) -> bool:
        """Whether a variable is a parameter that is assigned."""
        return any(name == given for given, _ in self.function.parameters)

    def type_of(self, name: str, kind: Kind) -> str:
        """The C++ type of a variable."""
        if name not in self.differing:
            return self.formulas.type(kind)
        if not isinstance(kind, Truth):
            self.require_width(kind)
        return "Lanes::Truths" if isinstance(kind, Truth) else "Lanes::Numbers"

    def require_width(self, kind: Kind) -> None:
        """Refuse a number that an entry of a lane may not hold."""
        if isinstance(kind, Float) or self.formulas.type(kind) == "i64":
            raise Unlike("it computes with numbers of another type than changes of cost")

    # ---- statements

    def block(self, body: tuple[Statement, ...], mask: str) -> None:
        """Print statements that the lanes of a mask execute; all lanes if it is empty."""
        for each in body:
            self.statement(each, mask)

    def nested(self, body: tuple[Statement, ...], mask: str) -> None:
        """Print statements, indented by one more step."""
        self.depth += 1
        self.block(body, mask)
        self.depth -= 1

    def statement(self, each: Statement, mask: str) -> None:
        """Print one statement."""
        match each:
            case Let(names=names, values=values):
                self.let(names, values, mask)
            case Write(places=places, values=values):
                held = self.held(values, mask)
                for place, value in zip(places, held, strict=True):
                    self.write(place, value, mask)
            case If():
                self.branch(each, mask)
            case For():
                self.loop(each, mask)
            case Return(value=None) if each is self.function.body[-1]:
                pass
            case _:
                raise Unlike(f"{type(each).__name__.lower()} may end at another time in each lane")

    def held(self, values: tuple[Expression, ...], mask: str) -> list[str]:
        """The texts of values for vectors; several are computed before the first is assigned."""
        texts = [self.number(value, mask) for value in values]
        if len(texts) == 1:
            return texts
        found = [self.formulas.names.fresh("value") for _ in texts]
        for name, text in zip(found, texts, strict=True):
            self.emit(f"const auto {name} = {text};")
        return found

    def let(self, names: tuple[str, ...], values: tuple[Expression, ...], mask: str) -> None:
        """Print assignments to variables."""
        if len(names) > 1:
            held = []
            for name, value in zip(names, values, strict=True):
                if isinstance(value.kind, MatrixRow):
                    raise Unlike("several rows are named at once")
                differs = name in self.differing
                text = self.fitted(name, self.lanes(value, mask), value) if differs else self.formulas.text(value)
                held.append(self.formulas.names.fresh("value"))
                self.emit(f"const auto {held[-1]} = {text};")
            for name, text in zip(names, held, strict=True):
                self.set(self.formulas.names.of(name), text, mask if name in self.differing else "")
            return
        (name,), (value,) = names, values
        own = self.formulas.names.of(name)
        if isinstance(value.kind, MatrixRow):
            if self.differs(value):
                raise Unlike(f"{name} is another row in each lane")
            self.emit(f"const auto {own} = {self.formulas.text(value)};")
        elif name in self.differing:
            self.set(own, self.fitted(name, self.lanes(value, mask), value), mask)
        else:
            self.emit(f"{own} = {self.formulas.text(value)};")

    def fitted(self, name: str, text: str, value: Expression) -> str:
        """A value for a variable, of which a truth may be a number."""
        truth = isinstance(self.function.variables[name], Truth)
        return _number(text) if isinstance(value.kind, Truth) and not truth else text

    def set(self, place: str, text: str, mask: str) -> None:
        """Print an assignment in the lanes of a mask."""
        self.emit(f"{place} = {mask} ? {text} : {place};" if mask else f"{place} = {text};")

    def write(self, place: Expression, text: str, mask: str) -> None:
        """Print an assignment to a number or an entry of the state."""
        if isinstance(place, Scalar):
            self.set(place.name, text, mask)
            return
        assert isinstance(place, Item)
        if not _of_state(place.array):
            raise Unlike("it writes a list")
        (index,) = place.places
        if not self.differs(index):
            self.set(self.entry(place), text, mask)
            return
        at, value = self.formulas.names.fresh("at"), self.formulas.names.fresh("value")
        self.emit(f"const auto {at} = {self.lanes(index, mask)}; const auto {value} = {text};")
        lane, size = self.formulas.names.fresh("lane"), _size(place)
        test = f"if ({mask}[{lane}]) " if mask else ""
        target = f"{self.formulas.text(place.array)}(py_index(i64({at}[{lane}]), {size}))[{lane}]"
        self.emit(f"for (int {lane} = 0; {lane} < Lanes::count; ++{lane}) {test}{target} = {value}[{lane}];")

    def branch(self, each: If, mask: str) -> None:
        """Print an if: a branch, or a choice in each lane, which reads only what is safe to read in all lanes."""
        if not self.differs(each.test):
            self.emit(f"if ({self.formulas.text(each.test)}) {{")
            self.nested(each.body, mask)
            if each.orelse:
                self.emit("} else {")
                self.nested(each.orelse, mask)
            self.emit("}")
            return
        if _plain(each.body) and _plain(each.orelse) and self.safety.safe((each.body, each.orelse)):
            self.choose(each, mask)
            return
        yes, both = self.formulas.names.fresh("yes"), f"{mask} & " if mask else ""
        self.emit(f"const Lanes::Truths {yes} = {both}{self.lanes(each.test, mask)};")
        self.choice(each.body, yes)
        if each.orelse:
            no = self.formulas.names.fresh("no")
            self.emit(f"const Lanes::Truths {no} = {both}~{yes};")
            self.choice(each.orelse, no)

    def choose(self, each: If, mask: str) -> None:
        """Print an if as one choice for each place that either branch writes."""
        yes = self.formulas.names.fresh("yes")
        self.emit(f"const Lanes::Truths {yes} = {self.lanes(each.test, mask)};")
        texts: dict[str, list[str]] = {}
        for k, body in enumerate((each.body, each.orelse)):
            for place, value in _assignments(body):
                if isinstance(place, str):
                    own, text = self.formulas.names.of(place), self.fitted(place, self.lanes(value, mask), value)
                else:
                    own, text = self.target(place), self.number(value, mask)
                held = self.formulas.names.fresh("value")
                self.emit(f"const auto {held} = {text};")
                texts.setdefault(own, [own, own])[k] = held
        for own, (one, other) in texts.items():
            self.set(own, f"({yes} ? {one} : {other})", mask)

    def target(self, place: Expression) -> str:
        """A number of the state, or an entry of a list at the same place in all lanes."""
        return place.name if isinstance(place, Scalar) else self.entry(place)  # type: ignore[arg-type]

    def choice(self, body: tuple[Statement, ...], mask: str) -> None:
        """Print a branch that some lanes execute."""
        if self.safety.safe(body):
            self.block(body, mask)
        else:
            self.emit(f"if (fold_any({mask})) {{")
            self.nested(body, mask)
            self.emit("}")

    def loop(self, each: For, mask: str) -> None:
        """Print a loop that all lanes execute alike."""
        goes = each.over
        if self.differs(goes.low) or self.differs(goes.high) or any(_ends(inner) for inner in nodes(each.body)):
            raise Unlike("a loop may end at another time in each lane")
        self.safety.enter(goes)
        if goes.array is not None and self.differs(goes.array):
            if not _of_state(goes.array):
                raise Unlike("a loop goes over another array in each lane")
            at, own = self.formulas.names.fresh("at"), self.formulas.names.of(goes.name)
            low, high = self.formulas.text(goes.low), self.formulas.text(goes.high)
            self.emit(f"for (int {at} = {low}; {at} < {high}; ++{at}) {{")
            self.emit(f"    const Lanes::Numbers {own} = {self.formulas.text(goes.array)}({at});")
        else:
            self.emit(f"{self.formulas.header(goes)}{{")
        self.nested(each.body, mask)
        self.emit("}")
        self.safety.leave(goes)

    # ---- expressions

    def lanes(self, value: Expression, mask: str) -> str:  # noqa: PLR0911, PLR0912 - a case for each node
        """The text of a value as a vector."""
        if not self.differs(value):
            text = self.formulas.text(value)
            if isinstance(value.kind, Truth):
                return f"Lanes::truths({text})"
            self.require_width(value.kind)
            return f"Lanes::all(Word({text}))"
        if not isinstance(value.kind, Truth):
            self.require_width(value.kind)
        match value:
            case Name(name=name):
                return self.formulas.names.of(name)
            case Scalar(name=name):
                return name
            case Item(array=array, places=(place,)) if _of_state(array):
                return self.entry(value) if not self.differs(place) else self.picked(value, place, mask)
            case Unary(operation="!", value=inner):
                return f"(~{self.lanes(inner, mask)})"
            case Unary(operation="-" | "~" as sign, value=inner):
                return f"({sign}{self.number(inner, mask)})"
            case Binary(operation=sign, left=left, right=right) if sign in SIGNS:
                return f"({self.number(left, mask)} {sign} {self.number(right, mask)})"
            case Compare(operation=sign, left=left, right=right):
                return f"({self.number(left, mask)} {sign} {self.number(right, mask)})"
            case Logic(operation=sign, values=values) if self.safety.safe(values):
                return f"({f' {sign[0]} '.join(self.lanes(each, mask) for each in values)})"
            case Conditional(test=test, yes=yes, no=no) if self.safety.safe((yes, no)):
                return f"({self.lanes(test, mask)} ? {self.number(yes, mask)} : {self.number(no, mask)})"
            case Call(function="py_min" | "py_max" as name, values=(one, other)):
                return f"fold_{name[3:]}({self.number(one, mask)}, {self.number(other, mask)})"
            case Call(function="py_abs", values=(inner,)):
                text = self.number(inner, mask)
                return f"fold_max({text}, -({text}))"
        return self.one_by_one(value, mask)

    def number(self, value: Expression, mask: str) -> str:
        """The text of a value as numbers; of truths 0 and 1."""
        text = self.lanes(value, mask)
        return _number(text) if isinstance(value.kind, Truth) else text

    def entry(self, value: Item) -> str:
        """An entry of a list of the state, at the same place in all lanes."""
        return self.formulas.text(Item(Whole(0, 0), value.line, value.array, value.places))

    def picked(self, value: Item, place: Expression, mask: str) -> str:
        """An entry of a list of the state, at another place in each lane."""
        at, lane = self.formulas.names.fresh("at"), self.formulas.names.fresh("lane")
        self.emit(f"const auto {at} = {self.lanes(place, mask)};")
        entry = f"{self.formulas.text(value.array)}(py_index(i64({at}[{lane}]), {_size(value)}))[{lane}]"
        return self.gathered(lane, entry, mask)

    def gathered(self, lane: str, text: str, mask: str) -> str:
        """Values that are computed lane by lane, for the lanes of the mask only."""
        guarded = f"{mask}[{lane}] ? Word({text}) : Word(0)" if mask else f"Word({text})"
        return f"Lanes::gathered([&](int {lane}) {{ return {guarded}; }})"

    def one_by_one(self, value: Expression, mask: str) -> str:
        """A value that is computed lane by lane, as in one state."""
        inner, lane = nodes(value), self.formulas.names.fresh("lane")
        given, kinds = [], {**dict(self.function.parameters), **self.function.variables}
        used = dict.fromkeys(each.name for each in inner if isinstance(each, Name) and each.name in self.differing)
        for name in used:
            own, kind = self.formulas.names.of(name), kinds.get(name)
            if kind is None:  # the variable of a loop over a list of the state
                kind = Whole(-(2**63), 2**63 - 1, cost=True)
            given.append((f"{self.formulas.type(kind)} {own}", f"{own}[{lane}]"))
        if any(_of_state(each) or (isinstance(each, Scalar) and each.written) for each in inner):
            given.append(("Fold s", f"s.of({lane})"))
        takes = ", ".join(each for each, _ in given)
        values = ", ".join(each for _, each in given)
        mask = "" if self.safety.safe(value) else mask
        text = self.gathered(lane, f"[&]({takes}) {{ return {self.formulas.text(value)}; }}({values})", mask)
        return f"({text} != 0)" if isinstance(value.kind, Truth) else text


def _assignments(body: tuple[Statement, ...]) -> Iterator[tuple[Any, Expression]]:
    """The places of statements, a name where it is a variable, with their values."""
    for each in body:
        if isinstance(each, Let):
            yield from zip(each.names, each.values, strict=True)
        elif isinstance(each, Write):
            yield from zip(each.places, each.values, strict=True)


def _plain(body: tuple[Statement, ...]) -> bool:
    """Whether statements only assign, to places that no later one reads; entries of lists at constants."""
    seen: list[Any] = []
    for each in body:
        if not isinstance(each, Let | Write):
            return False
        for value in each.values:
            if isinstance(value.kind, MatrixRow) or any(
                _same_place(before, node) for before in seen for node in nodes(value)
            ):
                return False
        for place, _ in _assignments((each,)):
            if isinstance(place, Item) and not isinstance(place.places[0], Constant):
                return False
            if any(place == before for before in seen):
                return False
            seen.append(place)
    return True


def _same_place(place: Any, node: Any) -> bool:
    """Whether a piece of the tree may be a place that was written."""
    if isinstance(place, str):
        return isinstance(node, Name) and node.name == place
    if isinstance(place, Scalar):
        return isinstance(node, Scalar) and node.name == place.name
    return isinstance(node, ArrayName) and _of_state(node)


def _ends(node: Any) -> bool:
    return type(node).__name__ in ("Break", "Continue", "Return", "While")


def _of_state(value: Any) -> bool:
    """Whether an expression is a list of the state."""
    return isinstance(value, ArrayName) and getattr(value.kind, "origin", "").startswith("s.")


def _size(value: Item) -> int:
    size: int = value.array.kind.size.low  # type: ignore[attr-defined]
    return size


def _number(text: str) -> str:
    return f"Lanes::numbers({text})"


def lane_functions(function: Function, names: Names, facts: ComponentFacts, takes: tuple[str, ...]) -> Iterator[str]:
    """The lines of `step_lanes` for items that differ from lane to lane, and for one item."""
    for vectors in (True, False):
        differing = frozenset(name for name, _ in function.parameters[1:]) if vectors else frozenset()
        kind = "Lanes::Numbers" if vectors else "int"
        given = [f"{kind} {names.of(name)}" for name, _ in function.parameters[1:]]
        given += [kind] * (2 - len(given))
        yield f"    MH_FN void step_lanes(Lanes& s, {', '.join(given)}) const {{"
        yield from (f"        {line}" for line in (*takes, *lane_lines(function, names, facts, differing)))
        yield "    }"
