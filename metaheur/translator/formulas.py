"""Expressions as C++ text."""

from __future__ import annotations

import math
import sys
from typing import final

from attrs import define, field

from metaheur.translator.kinds import (
    LONG,
    NARROW,
    Float,
    Kind,
    Matrix,
    MatrixRow,
    Objectives,
    Truth,
    Vector,
    Whole,
    cpp,
)
from metaheur.translator.names import Names
from metaheur.translator.ranges import counter, least, most
from metaheur.translator.scope import Function
from metaheur.translator.team import Dot, brief, dot_of, skipped
from metaheur.translator.tree import (
    ArrayName,
    Binary,
    Call,
    Compare,
    Conditional,
    Constant,
    Expression,
    Field,
    Fold,
    Helper,
    Item,
    Logic,
    Make,
    Name,
    Over,
    RowOf,
    Scalar,
    Size,
    Unary,
    nodes,
)

__all__ = ["Formulas"]

LEVELS = {
    **dict.fromkeys("*/%", 10),
    **dict.fromkeys("+-", 9),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("<", "<=", ">", ">="), 7),
    **dict.fromkeys(("==", "!="), 6),
    "&": 5,
    "^": 4,
    "|": 3,
    "&&": 2,
    "||": 1,
}
"""How closely operators bind."""

FIRST, PREFIX = 12, 11
"""How closely names and calls bind, and signs before an operand."""


@final
@define(eq=False)
class Formulas:
    """Prints the expressions of a function.

    `function`: the function.
    `names`: its variables in C++.
    `checked`: whether overflow and indices are checked as it runs.
    `team`: the C++ team that computes sums: "team", or "team.alone()" for one thread.
    `cells`: the C++ arrays of the lists made so far, whose addresses compilers know; not of lists that are swapped.
    """

    function: Function
    names: Names
    checked: bool = False
    team: str = "team"
    cells: dict[str, str] = field(factory=dict)

    def text(self, value: Expression, least: int = 0) -> str:
        """The text of a value, in parentheses if its operator binds less closely than `least`."""
        found, level = self._text(value)
        return f"({found})" if level < least else found

    def type(self, kind: Kind) -> str:
        """The C++ type of a kind."""
        return cpp(kind, self.function.cost)

    def shared(self, *, alone: bool, copied: bool = False) -> Formulas:
        """The same formulas for one thread, or for the team; with `copied` in a lambda that copies what it names."""
        cells = {} if copied else self.cells
        return Formulas(self.function, self.names, self.checked, "team.alone()" if alone else "team", cells)

    def _text(self, value: Expression) -> tuple[str, int]:  # noqa: PLR0911, PLR0912 - a case for each kind of node
        match value:
            case Constant():
                return _constant(value)
            case Name(name=name):
                return self.names.of(name), FIRST
            case ArrayName():
                return self._array(value), FIRST
            case Scalar(name=name, written=written):
                kept = written and not name.startswith("s.")  # the state of a fold has plain numbers
                return self._typed(value, f"{name}.value" if kept else name)
            case Field(value=owner, name=name):
                return f"{self.text(owner, FIRST)}.{name}", FIRST
            case Item():
                return self._item(value)
            case RowOf():
                return self.row(value), FIRST
            case Size(array=array):
                return self._size(array), FIRST
            case Unary(operation=sign, value=inner):
                return self._unary(value, sign, inner)
            case Binary():
                return self._binary(value)
            case Compare(operation=sign, left=left, right=right):
                level, own = LEVELS[sign], _is_int(left) and _is_int(right) and _has_own(left, right)
                to = "int" if own else ""
                return f"{self._entered(left, to, level + 1)} {sign} {self._entered(right, to, level + 1)}", level
            case Logic(operation=sign, values=values):
                level = LEVELS[sign]  # && within ||, and the other way round, in parentheses: compilers warn without
                return f" {sign} ".join(
                    self.text(each, level if isinstance(each, Logic) and each.operation == sign else 3)
                    for each in values
                ), level
            case Conditional(test=test, yes=yes, no=no):
                return f"{self.text(test, 1)} ? {self.text(yes, 1)} : {self.text(no)}", 0
            case Call():
                return self._call(value)
            case Helper():
                return self._helper(value), FIRST
            case Fold():
                return self._fold(value), FIRST
            case Make(kind=Objectives(segment=True), values=values):
                return f"Numbers{{{', '.join(self._objective(each, 'Cost') for each in values)}}}", FIRST
            case Make(kind=Objectives(levels=levels), values=values):
                given = ", ".join(map(self._objective, values))
                return f"{'this->levels' if levels else 'py_several<Total>'}({given})", FIRST
            case Make(values=values):
                fields = ", ".join(_as_int(self.text(each), each) for each in values)
                return f"{self.type(value.kind)}{{{fields}}}", FIRST
        raise AssertionError(value)

    def _objective(self, value: Expression, of: str = "Number") -> str:
        """One of the numbers that a problem of several objectives, levels, or numbers of segments returns."""
        if self.checked and isinstance(value.kind, Whole):
            return f"py_checked_fit<{of}>({self.text(value)}, {self._at(value)})"
        return f"Cost({self.text(value)})" if of == "Cost" else self.text(value)

    # ---- numbers

    def _typed(self, value: Expression, text: str) -> tuple[str, int]:
        """Convert an entry or a member to the type of costs where its own type may be wider or narrower."""
        kind = value.kind
        if isinstance(kind, Whole) and kind.cost and not kind.narrow:
            return f"{self.function.cost}({text})", FIRST
        return text, FIRST

    def _converted(self, value: Expression, to: str, least: int) -> str:
        """The number, converted to the type of the arithmetic."""
        return self.text(value, least) if self.type(value.kind) == to else f"{to}({self.text(value)})"

    def _unary(self, value: Expression, sign: str, inner: Expression) -> tuple[str, int]:
        if sign == "!" or isinstance(value.kind, Float):
            return f"{sign}{self.text(inner, PREFIX + (sign == '-'))}", PREFIX
        to = self.type(value.kind)
        if self.checked and sign == "-":
            return f"py_checked_sub<{to}>(0, {self.text(inner)}, {self._at(value)})", FIRST
        if to == "int":  # of a wider number in its own type: -(2**31) fits an int, and 2**31 does not
            return f"{sign}{self.text(inner, FIRST)}", PREFIX
        return f"{sign}{self._converted(inner, to, FIRST)}", PREFIX

    def _binary(self, value: Binary) -> tuple[str, int]:
        sign, left, right = value.operation, value.left, value.right
        level, to = LEVELS[sign], self.type(value.kind)
        if self.checked and sign in "+-*" and isinstance(value.kind, Whole):
            name = {"+": "add", "-": "sub", "*": "mul"}[sign]
            return f"py_checked_{name}<{to}>({self.text(left)}, {self.text(right)}, {self._at(value)})", FIRST
        if self.checked and sign in "/%":
            return f"{self.text(left, level)} {sign} py_divisor({self.text(right)}, {self._at(value)})", level
        types = self.type(left.kind), self.type(right.kind)
        if isinstance(value.kind, Whole) and to != "int" and not {"i64", to} & set(types):
            return f"{to}({self.text(left)}) {sign} {self.text(right, level + 1)}", level
        to = to if _has_own(left, right) else ""
        return f"{self._entered(left, to, level)} {sign} {self._entered(right, to, level + 1)}", level

    def _entered(self, value: Expression, to: str, least: int) -> str:
        """An operand; an entry of data, which C++ reads as a change of cost, as an int where Python's number is one."""
        if to != "int" or not isinstance(value, Item) or not _is_int(value):
            return self.text(value, least)
        kind = value.array.kind
        array = kind.matrix if isinstance(kind, MatrixRow) else kind
        own = isinstance(array, Vector | Matrix) and (array.typed or array.written)
        of_solution = isinstance(kind, Vector) and kind.form != "vector"
        return self.text(value, least) if own or of_solution else f"int({self.text(value)})"

    def _at(self, value: Expression) -> str:
        """The file and line that a check reports."""
        return f'"{self.function.text.path}", {value.line}'

    # ---- arrays

    def _array(self, value: ArrayName) -> str:
        """The array; the positions of a move are named after its variable."""
        kind = value.kind
        if isinstance(kind, Vector) and kind.form == "positions":
            move, _, member = kind.origin.partition(".")
            return f"{self.names.of(move)}.{member}"
        return self._own(kind)

    def _own(self, kind: Kind) -> str:
        """An array in C++; a list of the function has a variable's name."""
        assert isinstance(kind, Vector | Matrix)
        return self.names.of(kind.origin) if kind.local else kind.origin

    def _item(self, value: Item) -> tuple[str, int]:
        array, kind = value.array, value.array.kind
        if isinstance(kind, Matrix):
            i, k = (self._index(place, array, axis) for axis, place in enumerate(value.places))
            text = f"{self.text(array)}({i}, {k})"
        elif isinstance(kind, MatrixRow):
            text = f"{self.text(array)}[{self._index(value.places[0], array, 1)}]"
        else:
            assert isinstance(kind, Vector)
            (place,) = value.places
            text = self._cell(array, kind, place)
        matrix = kind.matrix if isinstance(kind, MatrixRow) else kind
        if isinstance(matrix, Vector | Matrix) and matrix.typed:
            return text, FIRST
        return self._typed(value, text)

    def _cell(self, array: Expression, kind: Vector, place: Expression) -> str:
        """An entry of a vector; of a list at its known address, unless a loop counts the places, for vector code."""
        index = self._index(place, array, 0)
        counted = any(isinstance(each, Name) and each.name not in self.function.variables for each in nodes(place))
        if kind.local and kind.origin in self.cells and not counted:
            return f"{self.cells[kind.origin]}[{index}]"
        return f"{self.text(array)}({index})" if kind.form == "vector" else f"{self.text(array)}[{index}]"

    def row(self, value: RowOf, *, whole: bool = False) -> str:
        """A row: with `whole` as inner products take it; otherwise a row of a kept matrix is a pointer, for writing."""
        kind = value.array.kind
        assert isinstance(kind, Matrix)
        name = "at" if kind.written and not whole else "row"
        return f"{self.text(value.array)}.{name}({self._index(value.place, value.array, 0)})"

    def _index(self, place: Expression, array: Expression, axis: int) -> str:
        assert isinstance(place.kind, Whole | Truth)
        counts = isinstance(place.kind, Whole) and place.kind.low < 0
        endless = self.function.family == "move" and _origin(array.kind) == "x"  # a move knows no length
        if self.checked and not endless:
            what = _origin(array.kind)
            return f'py_checked_index({self.text(place)}, {self._size(array, axis)}, "{what}", {self._at(place)})'
        return f"py_index({self.text(place)}, {self._size(array, axis)})" if counts else self.text(place)

    def _size(self, array: Expression, axis: int = 0) -> str:
        kind = array.kind
        if isinstance(kind, MatrixRow):
            return f"{self._own(kind.matrix)}.columns"
        if isinstance(kind, Matrix):
            return f"{self._own(kind)}.{'columns' if axis else 'rows'}"
        assert isinstance(kind, Vector)
        return {"items": "n", "positions": "flips", "part": kind.extent}.get(kind.form, f"{self._own(kind)}.size")

    # ---- calls

    def _call(self, value: Call) -> tuple[str, int]:
        name, values = value.function, value.values
        if name.startswith("."):
            owner, *rest = values
            return f"{self.text(owner, FIRST)}{name}({', '.join(map(self.text, rest))})", FIRST
        if name in ("double", "i64", "int"):
            return f"{name}({self.text(values[0])})", FIRST
        if name in ("py_min", "py_max"):
            types = {self.type(each.kind) for each in values} - {"bool"} or {"int"}
            to = next((each for each in ("double", "i64", self.function.cost) if each in types), "int")
            printed = self._entered if to == "int" and _has_own(*values) else self._converted
            return f"{name}({', '.join(printed(each, to, 0) for each in values)})", FIRST
        texts = [self._wide(each, value) for each in values]
        if self.checked and name in ("py_div", "py_mod", "py_around"):
            texts[1] = f"py_divisor({texts[1]}, {self._at(value)})"
        return f"{name}({', '.join(texts)})", FIRST

    def _wide(self, value: Expression, whole: Call) -> str:
        """An argument of a call; divisions and absolute values take it in the type of their result, maybe wider."""
        if whole.function in ("py_div", "py_mod", "py_around", "py_abs") and isinstance(whole.kind, Whole):
            to = self.type(whole.kind)
            return self.text(value) if to == "int" else self._converted(value, to, 0)
        return self.text(value)

    def _helper(self, value: Helper) -> str:
        given = [self.team, *value.takes, *map(self._argument, value.values)]
        return f"{value.name}({', '.join(given)})"

    def _argument(self, value: Expression) -> str:
        """An argument of a helper: a row of a list of lists is a list."""
        kind = value.kind
        if isinstance(kind, MatrixRow) and kind.matrix.local:
            return f"PyList<{self.type(kind.matrix.element)}>{{{self.text(value)}, {self._own(kind.matrix)}.columns}}"
        return self.text(value)

    # ---- sums

    def _fold(self, fold: Fold) -> str:
        dot = None if self.checked else dot_of(fold, self.function)
        if dot is not None:
            return self._dot(fold, dot)
        if fold.operation == "sum" and isinstance(fold.kind, Whole) and self._summable(fold):
            return self._sum(fold)
        return self._in_order(fold)

    def _summable(self, fold: Fold) -> bool:
        if self.checked or self.function.ordered:
            return False
        goes = fold.loops[0][0]
        if brief(goes):
            return False
        return goes.array is not None or (isinstance(goes.kind, Whole) and goes.kind.narrow)

    def _dot(self, fold: Fold, dot: Dot) -> str:
        rows = [
            self.row(RowOf(MatrixRow(matrix.kind), fold.line, matrix, place), whole=True)
            for matrix, place in dot.rows
            if isinstance(matrix.kind, Matrix)
        ]
        product = f"{self.team}.dot({rows[0]} - {rows[1]}, {rows[2]} - {rows[3]})"
        if not dot.without:
            return product
        inner = self.shared(alone=True)
        places = [inner.text(each) for each in (dot.without * 2)[:2]]
        name = self.names.of(fold.loops[0][0].name)
        term = f"[&](int {name}) -> {self.type(fold.kind)} {{ return {inner.text(fold.element)}; }}"
        return f"py_less<{self.type(fold.kind)}>({product}, n, {places[0]}, {places[1]}, {term})"

    def _sum(self, fold: Fold) -> str:
        (goes, tests), *rest = fold.loops
        inner, to = self.shared(alone=True), self.type(fold.kind)
        one_by_one = goes.array is None and goes.step == 1 and most(goes) < NARROW
        without = skipped(goes.name, tests) if one_by_one and not rest else []
        element = inner.text(fold.element)
        if rest:
            element = inner._in_order(Fold(fold.kind, fold.line, "sum", fold.element, tuple(rest)))
        if without:
            places = [self.text(each) for each in (without * 2)[:2]]
            name = self.names.of(goes.name)
            ends = f"{self.text(goes.low)}, {self.text(goes.high)}"
            term = f"[&](int {name}) -> {to} {{ return {element}; }}"
            return f"py_sum_without<{to}>({self.team}, {ends}, {places[0]}, {places[1]}, {term})"
        if tests:
            condition = " && ".join(inner.text(test, 3) for test in tests)
            element = f"{condition} ? {to}({element}) : {to}(0)"
        count, variable, begin = self.iterations(goes)
        return f"{self.team}.sum({count}, [&](int {variable}) -> {to} {{ {begin}return {element}; }})"

    def iterations(self, goes: Over, wide: str = "int") -> tuple[str, str, str]:
        """The number of iterations, the name of their counter, and the text that makes the loop's variable of it."""
        name, kind = self.names.of(goes.name), self.type(goes.kind)
        from_zero = isinstance(goes.low, Constant) and goes.low.value == 0
        if goes.array is not None:
            number = self.names.fresh(f"{name}_at")
            count, at = self.text(goes.high, 0 if from_zero else 9), number
            if not from_zero:
                count, at = f"{count} - {self.text(goes.low, 10)}", f"{self.text(goes.low, 9)} + {number}"
            return count, number, f"const {kind} {name} = {self.entry(goes, at)}; "
        ends = {self.type(goes.low.kind), self.type(goes.high.kind)}
        limit = NARROW if wide == "int" or ends == {"int"} else LONG  # of the difference of the ends, and of the number
        short = most(goes) < limit and least(goes) >= -limit
        if goes.step == 1 and from_zero and wide == "int" and (short or kind == "int"):
            return self.text(goes.high), name, ""
        number = self.names.fresh(name)
        if not short:  # the number may wrap around where it is an int, and so does what is made of it
            count = f"i64(py_count({self.text(goes.low)}, {self.text(goes.high)}, {goes.step}LL))"
            made = f"py_counted({self.text(goes.low)}, {number}, {goes.step}LL)"
            return count, number, f"const {kind} {name} = {kind}({made}); "
        if from_zero and goes.step == 1:
            return self.text(goes.high), number, f"const {kind} {name} = {kind}({number}); "
        count = f"{self.text(goes.high, 9)} - {self.text(goes.low, 10)}"
        if goes.step != 1:
            count = f"i64(py_count({self.text(goes.low)}, {self.text(goes.high)}, {goes.step}))"
        step = "" if goes.step == 1 else f"{goes.step} * "
        return count, number, f"const {kind} {name} = {kind}({self.text(goes.low, 9)} + {step}{number}); "

    def entry(self, goes: Over, number: str) -> str:
        """An entry of the array that a loop goes over."""
        assert goes.array is not None
        brackets = "()" if isinstance(goes.array.kind, Vector) and goes.array.kind.form == "vector" else "[]"
        return f"{self.type(goes.kind)}({self.text(goes.array)}{brackets[0]}{number}{brackets[1]})"

    def _in_order(self, fold: Fold) -> str:
        """A fold in Python's order: one thread computes it, or each thread computes all of it."""
        inner, to = self.shared(alone=True), self.type(fold.kind)
        whole = isinstance(fold.kind, Whole) and not self.checked
        begin, step, end = _OF_WHOLE.get(fold.operation, _FOLDS[fold.operation]) if whole else _FOLDS[fold.operation]
        found = self.names.fresh({"sum": "total", "min": "low", "max": "high"}.get(fold.operation, "found"))
        if fold.operation == "sum" and isinstance(fold.kind, Float):
            compensated = str(sys.version_info >= (3, 12)).lower()
            begin, step, end = f"PyFloatSum<{compensated}> {{2}}", "{2}.add({0})", "{2}.value()"
        elif fold.operation == "sum" and self.checked:
            step = f"{{2}} = py_checked_add<{{1}}>({{2}}, {{0}}, {self._at(fold)})"
        loops = "".join(
            f"{inner.header(goes)}{''.join(f'if ({inner.text(test)}) ' for test in tests)}"
            for goes, tests in fold.loops
        )
        body = step.format(inner.text(fold.element), to, found)
        return (
            f"[&]() -> {to} {{ {begin.format('', to, found)}; {loops}{body}; return {end.format('', to, found)}; }}()"
        )

    def header(self, goes: Over) -> str:
        """The head of a plain loop."""
        name, kind, inner = self.names.of(goes.name), self.type(goes.kind), ""
        if goes.array is not None:
            number = self.names.fresh(f"{name}_at")
            inner = f"if (const {kind} {name} = {self.entry(goes, number)}; true) "
            name, kind = number, "int"
        counts = counter(goes) if goes.array is None else "int"
        types = {self.type(goes.low.kind), self.type(goes.high.kind)}
        plain = abs(goes.step) == 1 and types <= {kind, "int"}  # which holds both ends, and no number is behind them
        if not counts and not plain:
            return self._counted(goes)
        if kind not in {counts, "i64"} and not plain:  # the variable has its values only, what counts also the end
            number = self.names.fresh(name)
            inner = f"if (const {kind} {name} = {kind}({number}); true) "
            name, kind = number, counts
        sign, step = ("<", "++" if goes.step == 1 else "") if goes.step > 0 else (">", "")
        advance = f"{step}{name}" if step else f"{name} += {goes.step}"
        begin, end = f"{kind} {name} = {self.text(goes.low)}", self.text(goes.high)
        if not self._lasts(goes.high):  # Python asks for the end once
            end = self.names.fresh("end")
            begin += f", {end} = {kind}({self.text(goes.high)})"
        return f"for ({begin}; {name} {sign} {end}; {advance}) {inner}"

    def _counted(self, goes: Over) -> str:
        """The head of a loop whose number would leave 64 bits behind its last value: its iterations are counted."""
        name, kind = self.names.of(goes.name), self.type(goes.kind)
        first, number, count = (self.names.fresh(each) for each in (name, f"{name}_at", "count"))
        low, high = self.text(goes.low), self.text(goes.high)
        begin = f"u64 {first} = u64({low}), {number} = 0, {count} = py_count({low}, {high}, {goes.step}LL)"
        made = f"{kind}(py_counted({first}, {number}, {goes.step}LL))"
        return f"for ({begin}; {number} < {count}; ++{number}) if (const {kind} {name} = {made}; true) "

    def _lasts(self, value: Expression) -> bool:
        """Whether an expression is simple and has the same value in every iteration."""
        if isinstance(value, Name):
            return value.name not in self.function.variables
        if isinstance(value, Size):  # lists may be swapped
            return not getattr(value.array.kind, "local", False)
        return isinstance(value, Constant | Field) or (isinstance(value, Scalar) and not value.written)


_FOLDS: dict[str, tuple[str, str, str]] = {
    "sum": ("{1} {2} = 0", "{2} += {0}", "{2}"),
    "min": ("PyLeast<{1}, true> {2}", "{2}.offer({0})", "{2}.found"),
    "max": ("PyLeast<{1}, false> {2}", "{2}.offer({0})", "{2}.found"),
    "any": ("bool {2} = false", "if ({0}) return true", "{2}"),
    "all": ("bool {2} = true", "if (!({0})) return false", "{2}"),
}
"""The begin, the step and the result of each fold: {0} is the element, {1} its type, {2} a variable."""

_OF_WHOLE = {
    "min": ("{1} {2} = py_greatest<{1}>()", "{2} = py_min({2}, {1}({0}))", "{2}"),
    "max": ("{1} {2} = -py_greatest<{1}>() - 1", "{2} = py_max({2}, {1}({0}))", "{2}"),
}
"""The same of whole numbers, of which equal ones cannot be told apart, and which compilers turn into vector code."""


def _constant(value: Constant) -> tuple[str, int]:
    number = value.value
    if isinstance(number, bool):
        return str(number).lower(), FIRST
    if isinstance(number, float):
        if not math.isfinite(number):
            return f"({math.copysign(1.0, number) if math.isinf(number) else 0.0} / 0.0)", FIRST
        return repr(number), FIRST if number >= 0 else PREFIX
    text = str(number) if -(2**31) < number < 2**31 else f"{number}LL"
    return ("(-9223372036854775807LL - 1)" if number == -(2**63) else text), FIRST if number >= 0 else PREFIX


def _origin(kind: Kind) -> str:
    assert isinstance(kind, Vector | Matrix | MatrixRow)
    return kind.matrix.origin if isinstance(kind, MatrixRow) else kind.origin


def _is_int(value: Expression) -> bool:
    return isinstance(value.kind, Whole) and value.kind.narrow


def _has_own(*values: Expression) -> bool:
    """Whether a value is no entry of an outer array: beside its ints, entries of data become ints, too."""
    return any(not isinstance(each, Item) or getattr(each.array.kind, "local", False) for each in values)


def _as_int(text: str, value: Expression) -> str:
    narrow = isinstance(value, Name | Field | Constant) and isinstance(value.kind, Whole) and value.kind.narrow
    return text if narrow else f"int({text})"
