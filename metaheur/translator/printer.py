"""Functions as C++ text: which loops a team shares, which thread writes, and where the team must wait."""

from __future__ import annotations

from typing import final

from attrs import define, field

from metaheur.translator.formulas import Formulas
from metaheur.translator.kinds import Float, Kind, MatrixRow, MoveKind, Truth, Whole, cpp
from metaheur.translator.lists import list_lines
from metaheur.translator.names import Names
from metaheur.translator.scope import Function
from metaheur.translator.team import (
    accumulator,
    assigned,
    brief,
    changes_lists,
    effects,
    fold_of,
    is_plain_store,
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
    NewList,
    Return,
    Scalar,
    Statement,
    SwapLists,
    While,
    Write,
    nodes,
)
from metaheur.translator.variables import declared_in_place, own_to, own_to_loops, plain_variables

__all__ = ["Printed", "printed"]


@final
@define(eq=False)
class Printed:
    """The text of a function, and notes for its reader.

    `lines`: the body. `notes`: the loops that write and that one thread executes alone, with the reason.
    """

    lines: list[str]
    notes: list[str] = field(factory=list)


def printed(  # noqa: PLR0913 - keyword-only behind the function
    function: Function, *, answers: str, names: Names, arranges: bool, shares: bool, checked: bool, mapped: bool
) -> Printed:
    """The body of a function.

    `function`: the function to be printed. `answers`: the C++ type that it is declared to return. `names`: those of its
    variables. `arranges`: whether solutions are permutations. `shares`: whether a team calls it, rather than one
    thread. `checked`: whether overflow and indices are checked as it runs. `mapped`: whether `#line` names the lines of
    the Python text.
    """
    formulas = Formulas(function, names, checked, "team")
    made = _Printer(function, formulas, arranges, shares and not checked, mapped, Printed([]), answers=answers)
    if function.family in ("part", "representation"):  # other threads may still read what the function writes
        made.seen = set(function.writes)
    made.parameters()
    made.declare(plain_variables(function, function.body), function.body)
    made.block(function.body)
    return made.out


@final
@define(eq=False)
class _Printer:
    function: Function
    formulas: Formulas
    arranges: bool
    shares: bool  # whether all threads of a team execute the next statements
    mapped: bool
    out: Printed
    depth: int = 1
    answers: str = ""
    declared: set[str] = field(factory=set)
    skip: str = "continue;"
    dirty: set[str] = field(factory=set)  # arrays that were written since the team last waited
    seen: set[str] = field(factory=set)  # arrays that were read since then

    # ---- lines

    def emit(self, text: str, line: int = 0) -> None:
        """Add a line of C++, and a `#line` for the line of Python that it comes from."""
        if line and self.mapped:
            self.out.lines.append(f'#line {line} "{self.function.text.path}"')
        self.out.lines.append("    " * self.depth + text)

    def type(self, kind: Kind) -> str:
        """The C++ type."""
        return cpp(kind, self.function.cost)

    def parameters(self) -> None:
        """Copy the parameters into variables that are assigned, or whose values need a wider type."""
        self.declared |= {name for name, _ in self.function.parameters}
        for name, kind in self.function.parameters:
            if name in self.function.variables and isinstance(kind, Whole | Float | Truth):
                names = self.formulas.names
                self.emit(f"{self.type(self.function.variables[name])} {names.of(name)} = {names.given(name)};")

    def declare(self, names: list[str], body: tuple[Statement, ...]) -> None:
        """Declare the variables that cannot be declared at their first assignment."""
        firsts = declared_in_place(body, self.function)
        for name in names:
            kind = self.function.variables[name]
            here = name not in self.declared and name not in firsts and name not in own_to_loops(body)
            if here and isinstance(kind, Whole | Float | Truth):
                self.emit(f"{self.type(kind)} {self.formulas.names.of(name)}{{}};")
                self.declared.add(name)

    # ---- statements

    def block(self, body: tuple[Statement, ...]) -> None:
        """Print statements in order; one thread makes all writes that follow each other."""
        at = 0
        while at < len(body):
            end = at
            while self.shares and end < len(body) and is_plain_store(body[end]):
                end += 1
            if end > at:
                self.by_one(body[at:end])
                at = end
            else:
                self.statement(body[at])
                at += 1

    def nested(self, body: tuple[Statement, ...]) -> None:
        """Print statements, indented by one more step."""
        self.depth += 1
        self.block(body)
        self.depth -= 1

    def statement(self, each: Statement) -> None:
        """Print one statement."""
        match each:
            case Let():
                self.meet(each)
                self.let(each)
            case NewList() | SwapLists():
                self.meet(each)
                for text in list_lines(self.formulas, each):
                    self.emit(text, each.line)
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
        """A return of a value."""
        kind = self.function.returns
        text = self.formulas.text(value)
        if self.formulas.checked and isinstance(kind, Whole) and isinstance(value.kind, Whole):
            to = self.answers
            return f'return py_checked_fit<{to}>({text}, "{self.function.text.path}", {value.line});'
        return f"return {text};"

    def branches(self, each: If) -> None:
        """Print both branches of an if; the team may have written and read what either branch does."""
        dirty, seen = set(self.dirty), set(self.seen)
        self.nested(each.body)
        if each.orelse:
            after = self.dirty, self.seen
            self.dirty, self.seen = set(dirty), set(seen)
            self.emit("} else {")
            self.nested(each.orelse)
            dirty, seen = after
        self.dirty |= dirty
        self.seen |= seen
        self.emit("}")

    def let(self, each: Let) -> None:
        """Print assignments; if a value mentions a variable that is assigned before it, all values are held first."""
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
        """Print the assignment of one value to a variable."""
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
        """Whether an assignment is `name += ...`, or `-=` or `*=`, and needs no other type than the variable's."""
        own = isinstance(value.left, Name) and value.left.name == name and value.operation in ("+", "-", "*")
        return own and not self.formulas.checked and self.type(value.kind) in (self.type(kind), "int")

    def fitted(self, value: Expression, kind: Kind) -> str:
        """The text of a value for a variable of some kind; in checked code with a check that the value fits."""
        text = self.formulas.text(value)
        if self.formulas.checked and isinstance(kind, Whole) and isinstance(value.kind, Whole) and not kind.narrow:
            return f'py_checked_fit<{self.type(kind)}>({text}, "{self.function.text.path}", {value.line})'
        return text

    def target(self, name: str) -> str:
        """The left side of an assignment; it declares the variable if that is not declared yet."""
        own = self.formulas.names.of(name)
        if name in self.declared:
            return own
        self.declared.add(name)
        return f"{self.type(self.function.variables[name])} {own}"

    # ---- writes

    def by_one(self, stores: tuple[Statement, ...]) -> None:
        """Print writes that one thread of the team makes, one after the other."""
        self.meet(stores)
        self.emit("if (team.rank == 0) {")
        self.depth += 1
        for each in stores:
            assert isinstance(each, Write)
            self.write(each, list(each.values))
        self.depth -= 1
        self.emit("}")

    def store(self, each: Write) -> None:
        """Print a write: the team computes the values together, and one of its threads writes them."""
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
        """Print the assignments of a write."""
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
        """An entry on the left side of an assignment: without the conversion that a read has."""
        text = self.formulas.text(place)
        cost = f"{self.function.cost}("
        return text.removeprefix(cost).removesuffix(")") if text.startswith(cost) else text

    # ---- where the team waits

    def meet(self, thing: object) -> None:
        """Let the team wait if its threads have written what the next piece uses, or may still read what it writes."""
        reads, writes = effects(thing)
        changing = self.function.writes
        reads &= changing
        if self.shares and ((reads | writes) & self.dirty or writes & self.seen):
            self.emit("team.sync();")
            self.dirty, self.seen = set(), set()
        self.dirty |= writes
        self.seen |= reads

    def before_loop(self, loop: Statement) -> None:
        """Let the team wait before a loop; an iteration may use what the iteration before it wrote."""
        reads, writes = effects(loop)
        self.meet(loop)
        self.dirty |= writes
        self.seen |= reads & self.function.writes

    # ---- loops

    def loop(self, loop: For) -> None:
        """Print a loop: as a sum, with iterations that the team shares, or as a plain loop."""
        few = brief(loop.over)
        if self.shares and changes_lists(loop.body):  # every thread has all lists, and makes the whole loop
            self.plain(loop)
            return
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
        """Note that one thread executes a loop alone."""
        text = f"{self.function.text.path}:{loop.line}: one thread makes this loop, as {reason}."
        self.out.notes.append(text)
        self.emit(f"// {reason}: one thread does it")

    def has_shares(self, loop: For) -> bool:
        """Whether a loop contains a loop that the team can share, or a call of a method with loops."""
        if any(isinstance(each, Helper) and each.loops for each in nodes(loop.body)):
            return True
        inner = (each for each in nodes(loop.body) if isinstance(each, For))
        return any(
            effects(each.body)[1] and (each.over.independent or not meets(self.function, each, arranges=self.arranges))
            for each in inner
        )

    def summed(self, loop: For) -> bool:
        """Print a loop as a sum, if all it does is to add to one number; whether it is one."""
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
        inner.declare([each for each in plain_variables(self.function, loop.body) if each != name], loop.body)
        inner.block(loop.body)
        inner.emit(f"return {own};", loop.line)
        self.emit("};")
        self.add(loop.line, own, "+", f"team.sum({count}, {term})", to)
        return True

    def add(self, line: int, own: str, sign: str, text: str, to: str) -> None:
        """Print an addition to a variable, or a subtraction."""
        if self.formulas.checked:
            name = "add" if sign == "+" else "sub"
            self.emit(f'{own} = py_checked_{name}<{to}>({own}, {text}, "{self.function.text.path}", {line});', line)
        else:
            self.emit(f"{own} {sign}= {text};", line)

    def inside(self, loop: For, *, skip: str, copied: bool = False) -> _Printer:
        """A printer for the body of a loop whose iterations threads execute alone."""
        return _Printer(
            self.function,
            self.formulas.shared(alone=True, copied=copied),
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
        """Print a loop whose iterations write different entries: the team shares them."""
        self.meet(loop)
        count, number, begin = self.formulas.shared(alone=False, copied=True).iterations(loop.over, "i64")
        self.emit(f"team.for_each({count}, [=](i64 {number}) {{", loop.line)
        inner = self.inside(loop, skip="return;", copied=True)
        inner.emit(begin.strip(), loop.line)
        inner.declare(plain_variables(self.function, loop.body), loop.body)
        inner.block(loop.body)
        self.emit("});")

    def alone(self, loop: For) -> None:
        """Print a loop that one thread of a team executes alone."""
        inner = self.inside(loop, skip="continue;")
        inner.depth = self.depth
        inner.plain(loop)

    def plain(self, loop: For) -> None:
        """Print a plain loop of C++."""
        self.before_loop(loop)
        head = self.formulas.header(loop.over)
        guard = "if (!py_sound()) break;" if self.formulas.checked else ""
        self.emit(f"{head}{{ {guard}".rstrip(), loop.line)
        skip, self.skip = self.skip, "continue;"
        own = own_to(self.function, loop)
        before = set(self.declared)
        self.depth += 1
        self.declared -= own
        self.declare([each for each in self.function.variables if each in own], loop.body)
        self.block(loop.body)
        self.declared = before | (self.declared - own)
        self.depth -= 1
        self.skip = skip
        self.emit("}")


def _mentions(value: Expression, names: tuple[str, ...]) -> bool:
    return any(isinstance(each, Name) and each.name in names for each in nodes(value))
