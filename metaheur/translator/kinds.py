"""The kinds of values in a compiled method: their C++ types, and the bounds of their numbers."""

from __future__ import annotations

from typing import Any, final

from attrs import evolve, frozen

__all__ = [
    "HIGHEST",
    "INDEX",
    "LENGTH",
    "LOWEST",
    "WIDE",
    "Float",
    "Kind",
    "Matrix",
    "MatrixRow",
    "MoveKind",
    "Nothing",
    "Objectives",
    "Special",
    "Truth",
    "Vector",
    "Whole",
    "cpp",
    "join",
]

LOWEST, HIGHEST = -(2**63), 2**63 - 1
NARROW, LONG = 2**31, 2**63


class Kind:
    """The kind of the value of an expression."""


@final
@frozen
class Truth(Kind):
    """A bool."""


@final
@frozen
class Float(Kind):
    """A float; or, on some paths through a function, a whole number, with which Python goes on exactly.

    `whole`: the whole numbers that it can be; each is a float, too. None: it is always a float.
    """

    whole: Whole | None = None

    @property
    def exact(self) -> bool:
        """Whether a float can be each of these whole numbers."""
        return self.whole is None or self.whole.exact


@final
@frozen
class Objectives(Kind):
    """A number for each objective or level, as costs and changes of cost are.

    `numbers`: the kinds of the numbers, in order. `levels`: whether the numbers are levels, which become one number.
    `segment`: whether they are the numbers of a segment of a list.
    """

    numbers: tuple[Kind, ...]
    levels: bool = False
    segment: bool = False


@final
@frozen
class Nothing(Kind):
    """No value: the kind that a method returns which only writes."""


@final
@frozen
class Whole(Kind):
    """An integer in low ... high.

    `low`, `high`: bounds, within 64 bits; arithmetic beyond 64 bits overflows. `cost`: whether it is computed from data
    and so has the type of costs, in which the problem's author guarantees that sums fit.
    """

    low: int
    high: int
    cost: bool = False

    @property
    def narrow(self) -> bool:
        """Whether it fits an int."""
        return self.low >= -NARROW and self.high < NARROW

    @property
    def exact(self) -> bool:
        """Whether all its values are exact as floats."""
        return self.low >= -(2**53) and self.high <= 2**53


def whole(low: int, high: int, *, cost: bool = False) -> Whole:
    """A whole number, its bounds cut off at those of 64 bits."""
    return Whole(max(low, LOWEST), min(high, HIGHEST), cost)


INDEX = Whole(0, NARROW - 1)
LENGTH = Whole(1, NARROW - 1)
WIDE = Whole(LOWEST, HIGHEST)


@final
@frozen
class Vector(Kind):
    """Numbers in a row.

    `origin`: the array's name in C++: "x", a data field, "s.flip", ...
    `element`: the kind of its entries.
    `size`: the bounds of its length.
    `form`: "items" of a solution, "part" of one, "vector", or "positions" of a move, of which C++ knows the number.
    `written`: whether compiled methods may write it.
    `typed`: whether C++ reads its entries without a conversion to the type of costs.
    `local`: whether it is a list of the function; `origin` is then its name in Python, and `size` bounds its memory.
    `distinct`: whether no value occurs twice in it.
    """

    origin: str
    element: Kind
    size: Whole = INDEX
    form: str = "vector"
    written: bool = False
    typed: bool = False
    local: bool = False
    distinct: bool = False

    @property
    def part(self) -> str:
        """The name of a part of solutions: `order` for `order_of(x)`; "" for anything else."""
        return self.origin.removesuffix("_of(x)") if self.form == "part" else ""

    @property
    def extent(self) -> str:
        """The length of a named part of solutions in C++: `size_of_order` for `order_of(x)`."""
        return f"size_of_{self.part}"


@final
@frozen
class Matrix(Kind):
    """Rows of numbers; `square` if its rows are as long as a solution, so that a sum over n entries is a whole row.

    `rows` and `columns` bound their numbers; the other parameters are those of a vector.
    """

    origin: str
    element: Kind
    square: bool = False
    written: bool = False
    typed: bool = False
    local: bool = False
    rows: Whole = INDEX
    columns: Whole = INDEX


@final
@frozen
class MatrixRow(Kind):
    """A row of a matrix."""

    matrix: Matrix


@final
@frozen
class MoveKind(Kind):
    """A move: its class."""

    of: type


@final
@frozen
class Special(Kind):
    """A thing with members only: "self", "state", "representation", "random", "start", or a component's field."""

    what: str
    of: Any = None


def sizes_of(kind: Vector | Matrix) -> dict[str, Whole]:
    """The bounds of the lengths of an array, by name."""
    return {"size": kind.size} if isinstance(kind, Vector) else {"rows": kind.rows, "columns": kind.columns}


def sized(kind: Vector | Matrix, element: Kind, sizes: dict[str, Whole]) -> Vector | Matrix:
    """An array with other entries and other bounds of its lengths."""
    if isinstance(kind, Vector):
        return evolve(kind, element=element, size=sizes["size"])
    return evolve(kind, element=element, rows=sizes["rows"], columns=sizes["columns"])


def join(one: Kind, other: Kind) -> Kind | None:  # noqa: PLR0911 - a case for each pair of kinds
    """The kind of a value that has one kind or the other; None if the two do not mix."""
    if one == other:
        return one
    if isinstance(one, Vector | Matrix):
        return _joined_arrays(one, other)
    if isinstance(one, Objectives) and isinstance(other, Objectives) and len(one.numbers) == len(other.numbers):
        numbers = [join(a, b) for a, b in zip(one.numbers, other.numbers, strict=True)]
        joined = tuple(each for each in numbers if each is not None)
        return Objectives(joined, one.levels, one.segment) if None not in numbers else None
    if isinstance(one, MatrixRow) and isinstance(other, MatrixRow):
        matrix = _joined_arrays(one.matrix, other.matrix)
        return MatrixRow(matrix) if isinstance(matrix, Matrix) else None
    if isinstance(one, Float) or isinstance(other, Float):
        if not all(isinstance(each, Float | Whole | Truth) for each in (one, other)):
            return None
        found = [each for each in map(possible, (one, other)) if each is not None]
        return Float(Whole(min(each.low for each in found), max(each.high for each in found)) if found else None)
    if not isinstance(one, Whole | Truth) or not isinstance(other, Whole | Truth):
        return None
    a, b = as_whole(one), as_whole(other)
    return whole(min(a.low, b.low), max(a.high, b.high), cost=together(a, b))


def _joined_arrays(one: Vector | Matrix, other: Kind) -> Kind | None:
    """The kind of a list that is made as one of two; None if one is a list of lists, and the other is not."""
    if type(one) is not type(other) or not isinstance(other, Vector | Matrix):
        return None
    element = join(one.element, other.element)
    if element is None or not (one.local and other.local and one.origin == other.origin):
        return None
    sizes = sizes_of(other)
    return sized(one, element, {name: _either(size, sizes[name]) for name, size in sizes_of(one).items()})


def _either(one: Whole, other: Whole) -> Whole:
    """A length that is one of two."""
    return Whole(min(one.low, other.low), max(one.high, other.high))


def possible(kind: Kind) -> Whole | None:
    """The whole numbers that a number can be; None for a float."""
    return kind.whole if isinstance(kind, Float) else as_whole(kind)


def together(a: Whole, b: Whole) -> bool:
    """Whether arithmetic on two numbers has the type of costs: both have it, or one has it and the other fits int."""
    return (a.cost or b.cost) and (a.cost or a.narrow) and (b.cost or b.narrow)


def as_whole(kind: Kind) -> Whole:
    """A truth as a number."""
    return kind if isinstance(kind, Whole) else Whole(0, 1)


def widened(before: Kind, after: Kind) -> Kind:
    """The kind of a variable whose bounds grow from round to round: they become the bounds of the next wider type."""
    if isinstance(before, Float) and isinstance(after, Float) and before.whole is not None and after.whole is not None:
        grown = widened(before.whole, after.whole)
        assert isinstance(grown, Whole)
        return Float(grown)
    if isinstance(before, Vector | Matrix) and isinstance(after, Vector | Matrix):
        return evolve(after, element=widened(before.element, after.element))
    if not isinstance(before, Whole) or not isinstance(after, Whole):
        return after
    low, high = after.low, after.high
    if low < before.low:
        low = 0 if low >= 0 else -NARROW if low >= -NARROW else LOWEST
    if high > before.high:
        high = NARROW - 1 if high < NARROW else HIGHEST
    return whole(low, high, cost=after.cost)


def limited(kind: Kind, limit: Whole | None) -> Kind:
    """The kind of a number, or of a list of numbers, that are known to be within a limit."""
    if limit is None:
        return kind
    if isinstance(kind, Vector | Matrix):
        return evolve(kind, element=limited(kind.element, limit))
    if not isinstance(kind, Whole):
        return kind
    low = min(max(kind.low, limit.low), limit.high)
    return Whole(low, max(low, min(kind.high, limit.high)), kind.cost)


def cpp(kind: Kind, cost: str) -> str:  # noqa: PLR0911 - a case for each kind
    """The C++ type of a kind; `cost` names the type of costs: "Cost", "Total" or, of one objective, "Number"."""
    match kind:
        case Truth():
            return "bool"
        case Float():
            return "double"
        case Whole():
            return "int" if kind.narrow else cost if kind.cost else "i64"
        case MoveKind():
            return kind.of.__name__
        case Vector(local=True):
            return f"PyList<{cpp(kind.element, cost)}>"
        case Matrix(local=True):
            return f"PyTable<{cpp(kind.element, cost)}>"
        case Special(what="random"):
            return "Random"
        case Objectives():
            return "Numbers" if kind.segment else "Total"
        case Nothing():
            return "void"
    return "auto"


def general(kind: Kind) -> Kind:
    """A kind with round bounds, so that helpers are not translated again for every number."""
    if isinstance(kind, Vector | Matrix) and kind.local:
        return sized(kind, general(kind.element), dict.fromkeys(sizes_of(kind), INDEX))
    if not isinstance(kind, Whole):
        return kind
    low, high = (-NARROW, NARROW - 1) if kind.narrow else (LOWEST, HIGHEST)
    return Whole(0 if kind.low >= 0 else low, high, kind.cost)
