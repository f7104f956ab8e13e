"""Functions as C++ text: what a team shares, who writes, and where it must wait."""

from __future__ import annotations

from typing import final

from attrs import define, field

from metaheur.translator.formulas import Formulas
from metaheur.translator.kinds import Kind, MatrixRow, MoveKind, Real, Truth, Whole, cpp
from metaheur.translator.names import Names
from metaheur.translator.scope import Function
from metaheur.translator.team import (
    accumulator,
    assigned,
    brief,
    collective,
    effects,
    fold_of,
    meets,
    outside,
    same,
)
from metaheur.translator.tree import (
    Binary,
    Break,
    Continue,
    Do,
    Expression,
    For,
    Helper,
    If,
    Let,
    Name,
    Return,
    Scalar,
    Statement,
    While,
    Write,
    nodes,
)

__all__ = ["Printed", "printed"]


@final
@define(eq=False)
class Printed:
    """The text of a function, and what its reader should know.

    Parameters
    ----------
    lines : list of str
        The body.
    notes : list of str
        Loops that one thread makes though it writes.
    """

    lines: list[str]
    notes: list[str] = field(factory=list)


def printed(  # noqa: PLR0913 - keyword-only behind the function
    function: Function, *, answers: str, names: Names, arranges: bool, shares: bool, checked: bool, mapped: bool
) -> Printed:
    """The body of a function.

    Parameters
    ----------
    function : Function
        What is printed.
    answers : str
        The C++ type that it is declared to return.
    names : Names
        Those of its variables.
    arranges : bool
        Whether solutions are permutations.
    shares : bool
        Whether a team calls it, rather than one thread.
    checked : bool
        Whether overflow and indices are checked as it runs.
    mapped : bool
        Whether `#line` names the lines of the Python text.
    """
    formulas = Formulas(function, names, checked, "team")
    made = _Printer(function, formulas, arranges, shares and not checked, mapped, Printed([]), answers=answers)
    if function.family == "part":  # others may still read what it writes
        made.seen = set(function.writes)
    made.parameters()
    made.declare(_plain_variables(function, function.body), function.body)
    made.block(function.body)
    return made.out


def _plain_variables(function: Function, body: tuple[Statement, ...]) -> list[str]:
    """The numbers among the local variables that statements assign, but not those that are declared further inside."""
    return [
        name
        for name in function.variables
        if name in assigned(body) and not isinstance(function.variables[name], MatrixRow)
    ]


@final
@define(eq=False)
class _Printer:
    function: Function
    formulas: Formulas
    arranges: bool
    shares: bool  # whether several threads make what comes next, all alike
    mapped: bool
    out: Printed
    depth: int = 1
    answers: str = ""
    declared: set[str] = field(factory=set)
    skip: str = "continue;"
    dirty: set[str] = field(factory=set)  # arrays written since the team last met
    seen: set[str] = field(factory=set)  # and those read

    # ---- lines

    def emit(self, text: str, line: int = 0) -> None:
        """A line of C++, made of a line of Python."""
        if line and self.mapped:
            self.out.lines.append(f'#line {line} "{self.function.text.path}"')
        self.out.lines.append("    " * self.depth + text)

    def type(self, kind: Kind) -> str:
        """The C++ type."""
        return cpp(kind, self.function.cost)

    def parameters(self) -> None:
        """A parameter that is assigned, or whose type the variable outgrows, begins as a variable."""
        self.declared |= {name for name, _ in self.function.parameters}
        for name, kind in self.function.parameters:
            if name in self.function.variables and isinstance(kind, Whole | Real | Truth):
                names = self.formulas.names
                self.emit(f"{self.type(self.function.variables[name])} {names.of(name)} = {names.given(name)};")

    def declare(self, names: list[str], body: tuple[Statement, ...]) -> None:
        """Variables that are not declared where they are first assigned."""
        firsts = _declared_in_place(body, self.function)
        for name in names:
            kind = self.function.variables[name]
            if name not in self.declared and name not in firsts and isinstance(kind, Whole | Real | Truth):
                if name in _own_to_loops(body):
                    continue
                self.emit(f"{self.type(kind)} {self.formulas.names.of(name)}{{}};")
                self.declared.add(name)

    # ---- statements

    def block(self, body: tuple[Statement, ...]) -> None:
        """Statements one after the other; entries that are written in a row are written together."""
        at = 0
        while at < len(body):
            end = at
            while self.shares and end < len(body) and _is_plain_store(body[end]):
                end += 1
            if end > at:
                self.by_one(body[at:end])
                at = end
            else:
                self.statement(body[at])
                at += 1

    def nested(self, body: tuple[Statement, ...]) -> None:
        """The same, one step further to the right."""
        self.depth += 1
        self.block(body)
        self.depth -= 1

    def statement(self, each: Statement) -> None:
        """One statement."""
        match each:
            case Let():
                self.meet(each)
                self.let(each)
            case Write():
                self.store(each)
            case If(test=test):
                self.meet(test)
                self.emit(f"if ({self.formulas.text(test)}) {{", each.line)
                self.branches(each)
            case For():
                self.loop(each)
            case While(test=test, body=body):
                self.before_loop(each)
                self.meet(test)
                guard = " && py_sound()" if self.formulas.checked else ""
                condition = self.formulas.text(test, 3 if guard else 0)
                self.emit(f"while ({condition}{guard}) {{", each.line)
                skip, self.skip = self.skip, "continue;"
                self.nested(body)
                self.skip = skip
                self.emit("}")
            case Break():
                self.emit("break;", each.line)
            case Continue():
                self.emit(self.skip, each.line)
            case Return(value=None):
                self.emit("return;", each.line)
            case Return(value=value):
                self.meet(each)
                assert value is not None
                self.emit(self.returned(value), each.line)
            case Do(value=value):
                self.meet(each)
                self.emit(f"{self.formulas.text(value)};", each.line)

    def returned(self, value: Expression) -> str:
        """Return a value; a move as C++ makes it."""
        kind = self.function.returns
        text = self.formulas.text(value)
        if self.formulas.checked and isinstance(kind, Whole) and isinstance(value.kind, Whole):
            to = self.answers
            return f'return py_checked_fit<{to}>({text}, "{self.function.text.path}", {value.line});'
        return f"return {text};"

    def branches(self, each: If) -> None:
        """The two ways."""
        dirty, seen = set(self.dirty), set(self.seen)
        self.nested(each.body)
        if each.otherwise:
            after = self.dirty, self.seen
            self.dirty, self.seen = set(dirty), set(seen)
            self.emit("} else {")
            self.nested(each.otherwise)
            dirty, seen = after
        self.dirty |= dirty
        self.seen |= seen
        self.emit("}")

    def let(self, each: Let) -> None:
        """Variables get their values; several at once by way of others."""
        names, values = each.names, each.values
        if len(names) > 1 and any(_mentions(value, names[:k]) for k, value in enumerate(values)):
            held = [self.formulas.names.fresh(name) for name in names]
            for own, value in zip(held, values, strict=True):
                self.emit(f"const auto {own} = {self.formulas.text(value)};", each.line)
            for name, own in zip(names, held, strict=True):
                self.emit(f"{self.target(name)} = {own};", each.line)
            return
        for name, value in zip(names, values, strict=True):
            self.one(each.line, name, value)

    def one(self, line: int, name: str, value: Expression) -> None:
        """A variable gets a value."""
        kind, own = self.function.variables[name], self.formulas.names.of(name)
        if isinstance(kind, MatrixRow | MoveKind) and name not in self.declared:
            self.declared.add(name)
            self.emit(f"const auto {own} = {self.formulas.text(value)};", line)
            return
        if isinstance(value, Binary) and self.adds(value, name, kind):
            self.emit(f"{own} {value.operation}= {self.formulas.text(value.right)};", line)
            return
        self.emit(f"{self.target(name)} = {self.fitted(value, kind)};", line)

    def adds(self, value: Binary, name: str, kind: Kind) -> bool:
        """Whether an assignment is `name += ...`, made in the type of the variable."""
        own = isinstance(value.left, Name) and value.left.name == name and value.operation in ("+", "-", "*")
        return own and not self.formulas.checked and self.type(value.kind) in (self.type(kind), "int")

    def fitted(self, value: Expression, kind: Kind) -> str:
        """A value as a variable of a kind is to have it."""
        text = self.formulas.text(value)
        if self.formulas.checked and isinstance(kind, Whole) and isinstance(value.kind, Whole) and not kind.narrow:
            return f'py_checked_fit<{self.type(kind)}>({text}, "{self.function.text.path}", {value.line})'
        return text

    def target(self, name: str) -> str:
        """A variable to be assigned, declared where it is first met."""
        own = self.formulas.names.of(name)
        if name in self.declared:
            return own
        self.declared.add(name)
        return f"{self.type(self.function.variables[name])} {own}"

    # ---- what is written

    def by_one(self, stores: tuple[Statement, ...]) -> None:
        """Entries that one thread of the team writes, one after the other."""
        self.meet(stores)
        self.emit("if (team.rank == 0) {")
        self.depth += 1
        for each in stores:
            assert isinstance(each, Write)
            self.write(each, list(each.values))
        self.depth -= 1
        self.emit("}")

    def store(self, each: Write) -> None:
        """Entries get values; a team computes sums together, and one of its threads writes them."""
        if not self.shares or not effects(Write(each.line, each.places, ()))[1]:
            self.meet(each)
            self.write(each, list(each.values))
            return
        self.meet(Write(each.line, (), each.values))
        held = [self.formulas.names.fresh("value") for _ in each.values]
        for name, value in zip(held, each.values, strict=True):
            self.emit(f"const auto {name} = {self.formulas.text(value)};", each.line)
        self.meet(Write(each.line, each.places, ()))
        for place, name in zip(each.places, held, strict=True):
            who = "" if isinstance(place, Scalar) else "if (team.rank == 0) "
            self.emit(f"{who}{self.place(place)} = {name};", each.line)

    def write(self, each: Write, values: list[Expression]) -> None:
        """The assignment itself."""
        formulas = self.formulas
        if len(each.places) > 1:
            held = [formulas.names.fresh("value") for _ in values]
            for name, value in zip(held, values, strict=True):
                self.emit(f"const auto {name} = {formulas.text(value)};", each.line)
            for place, name in zip(each.places, held, strict=True):
                self.emit(f"{self.place(place)} = {name};", each.line)
            return
        (place,), (value,) = each.places, values
        number = isinstance(place, Scalar)
        added = isinstance(value, Binary) and same(value.left, place) and value.operation in ("+", "-")
        if isinstance(value, Binary) and added and not formulas.checked and not number:
            self.emit(f"{self.place(place)} {value.operation}= {formulas.text(value.right)};", each.line)
            return
        text = formulas.text(value)
        if formulas.checked and isinstance(place.kind, Whole) and isinstance(value.kind, Whole):
            to = (
                f"decltype({self.place(place)} + 0)"
                if getattr(place, "written", False)
                else f"py_plain<decltype({self.place(place)})>"
            )
            text = f'py_checked_fit<{to}>({text}, "{self.function.text.path}", {each.line})'
        self.emit(f"{self.place(place)} = {text};", each.line)

    def place(self, place: Expression) -> str:
        """An entry to be written: without the conversion that reading it has."""
        text = self.formulas.text(place)
        cost = f"{self.function.cost}("
        return text.removeprefix(cost).removesuffix(")") if text.startswith(cost) else text

    # ---- where the team meets

    def meet(self, thing: object) -> None:
        """Wait for the others, where they have written what comes next, or still read what it writes."""
        reads, writes = effects(thing)
        changing = self.function.writes
        reads &= changing
        if self.shares and ((reads | writes) & self.dirty or writes & self.seen):
            self.emit("team.sync();")
            self.dirty, self.seen = set(), set()
        self.dirty |= writes
        self.seen |= reads

    def before_loop(self, loop: Statement) -> None:
        """What a loop reads and writes, it may have read and written in the iteration before."""
        reads, writes = effects(loop)
        self.meet(loop)
        self.dirty |= writes
        self.seen |= reads & self.function.writes

    # ---- loops

    def loop(self, loop: For) -> None:
        """A loop: a sum, iterations that the team shares, or a plain one."""
        few = brief(loop.over)
        if self.shares and not few and self.summed(loop):
            return
        writes = effects(loop.body)[1]
        if not self.shares or not writes:
            self.plain(loop)
            return
        reason = "" if loop.over.independent else meets(self.function, loop, arranges=self.arranges)
        if not reason and not few:
            self.shared(loop)
        elif self.has_shares(loop) or (assigned(loop.body) - {loop.over.name}) & outside(self.function, loop):
            self.plain(loop)
        else:
            if not few:
                self.note(loop, reason)
            self.meet(loop)
            self.emit("if (team.rank == 0) {", loop.line)
            self.depth += 1
            self.alone(loop)
            self.depth -= 1
            self.emit("}")

    def note(self, loop: For, reason: str) -> None:
        """Say that one thread makes a loop."""
        text = f"{self.function.text.path}:{loop.line}: one thread makes this loop, as {reason}."
        self.out.notes.append(text)
        self.emit(f"// {reason}: one thread does it")

    def has_shares(self, loop: For) -> bool:
        """Whether there is a loop inside that the team can share, or another method with loops."""
        if any(isinstance(each, Helper) and each.loops for each in nodes(loop.body)):
            return True
        inner = (each for each in nodes(loop.body) if isinstance(each, For))
        return any(
            effects(each.body)[1] and (each.over.independent or not meets(self.function, each, arranges=self.arranges))
            for each in inner
        )

    def summed(self, loop: For) -> bool:
        """A loop that only adds to a number."""
        kind = loop.over.kind
        if self.function.ordered:
            return False
        if loop.over.array is None and not (isinstance(kind, Whole) and kind.narrow):
            return False
        name = accumulator(self.function, loop)
        if name is None:
            return False
        self.meet(loop)
        own = self.formulas.names.of(name)
        to = self.type(self.function.variables[name])
        folded = fold_of(loop, name)
        if folded is not None:
            sign, fold = folded
            fold = type(fold)(self.function.variables[name], fold.line, fold.operation, fold.element, fold.loops)
            self.add(loop.line, own, sign, self.formulas.text(fold), to)
            return True
        formulas = self.formulas
        count, variable, begin = formulas.iterations(loop.over)
        self.emit(f"const auto {(term := formulas.names.fresh('term'))} = [&](int {variable}) -> {to} {{", loop.line)
        inner = self.inside(loop, skip=f"return {own};")
        if begin:
            inner.emit(begin.strip(), loop.line)
        inner.emit(f"{to} {own} = 0;")
        inner.declared.add(name)
        inner.declare([each for each in _plain_variables(self.function, loop.body) if each != name], loop.body)
        inner.block(loop.body)
        inner.emit(f"return {own};", loop.line)
        self.emit("};")
        self.add(loop.line, own, "+", f"team.sum({count}, {term})", to)
        return True

    def add(self, line: int, own: str, sign: str, text: str, to: str) -> None:
        """Add to a variable."""
        if self.formulas.checked:
            name = "add" if sign == "+" else "sub"
            self.emit(f'{own} = py_checked_{name}<{to}>({own}, {text}, "{self.function.text.path}", {line});', line)
        else:
            self.emit(f"{own} {sign}= {text};", line)

    def inside(self, loop: For, *, skip: str) -> _Printer:
        """What prints the iterations of a loop that the team shares."""
        return _Printer(
            self.function,
            self.formulas.shared(alone=True),
            self.arranges,
            False,
            self.mapped,
            self.out,
            self.depth + 1,
            self.answers,
            self.declared - (assigned(loop.body) - outside(self.function, loop)),
            skip,
        )

    def shared(self, loop: For) -> None:
        """A loop whose iterations do not meet."""
        self.meet(loop)
        count, number, begin = self.formulas.iterations(loop.over, "i64")
        self.emit(f"team.for_each({count}, [=](i64 {number}) {{", loop.line)
        inner = self.inside(loop, skip="return;")
        inner.emit(begin.strip(), loop.line)
        inner.declare(_plain_variables(self.function, loop.body), loop.body)
        inner.block(loop.body)
        self.emit("});")

    def alone(self, loop: For) -> None:
        """A loop that one thread of a team makes."""
        inner = self.inside(loop, skip="continue;")
        inner.depth = self.depth
        inner.plain(loop)

    def plain(self, loop: For) -> None:
        """A loop of C++."""
        self.before_loop(loop)
        head = self.formulas.header(loop.over)
        guard = "if (!py_sound()) break;" if self.formulas.checked else ""
        self.emit(f"{head}{{ {guard}".rstrip(), loop.line)
        skip, self.skip = self.skip, "continue;"
        own = _own_to(self.function, loop)
        before = set(self.declared)
        self.depth += 1
        self.declared -= own
        self.declare([each for each in self.function.variables if each in own], loop.body)
        self.block(loop.body)
        self.declared = before | (self.declared - own)
        self.depth -= 1
        self.skip = skip
        self.emit("}")


def _own_to(function: Function, loop: For) -> set[str]:
    """The variables that only a loop uses."""
    return (assigned(loop.body) - {loop.over.name}) - outside(function, loop)


def _own_to_loops(body: tuple[Statement, ...]) -> set[str]:
    """The variables that only one loop of a body uses, and that are declared in it."""
    counts: dict[str, int] = {}
    for each in body:
        for name in _used(each):
            counts[name] = counts.get(name, 0) + 1
    loops = [each for each in body if isinstance(each, For)]
    return {name for each in loops for name in assigned(each.body) if counts.get(name) == 1}


def _used(each: Statement) -> set[str]:
    return assigned(each) | {inner.name for inner in nodes(each) if isinstance(inner, Name)}


def _declared_in_place(body: tuple[Statement, ...], function: Function) -> set[str]:
    """The variables that a statement of the body itself assigns before anything else mentions them."""
    found: set[str] = set()
    seen: set[str] = set()
    for each in body:
        if isinstance(each, Let):
            read = {inner.name for value in each.values for inner in nodes(value) if isinstance(inner, Name)}
            found |= {name for name in each.names if name not in seen | read and name in function.variables}
        seen |= _used(each)
    return found


def _mentions(value: Expression, names: tuple[str, ...]) -> bool:
    return any(isinstance(each, Name) and each.name in names for each in nodes(value))


def _is_plain_store(each: Statement) -> bool:
    """Whether entries are written whose values no team computes together."""
    return isinstance(each, Write) and bool(effects(Write(each.line, each.places, ()))[1]) and not collective(each)
