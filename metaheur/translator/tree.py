"""The typed tree of a compiled method: its statements, and its expressions with their kinds."""

from __future__ import annotations

from functools import cache, cached_property
from itertools import chain
from typing import Any, final

import attrs
from attrs import frozen

from metaheur.translator.kinds import Kind

__all__ = [
    "ArrayName",
    "Binary",
    "Break",
    "Call",
    "Compare",
    "Conditional",
    "Constant",
    "Continue",
    "Do",
    "Expression",
    "Field",
    "Fold",
    "For",
    "Helper",
    "If",
    "Item",
    "Let",
    "Logic",
    "Make",
    "Name",
    "NewList",
    "Node",
    "Over",
    "Return",
    "RowOf",
    "Scalar",
    "Size",
    "Statement",
    "SwapLists",
    "Unary",
    "While",
    "Write",
    "children",
    "nodes",
]


@frozen
class Node:
    """A piece of the tree."""

    @cached_property
    def below(self) -> tuple[Node, ...]:
        """The node and all nodes below it, in the order of the text."""
        return (self, *nodes(tuple(getattr(self, name) for name in children(type(self)))))  # type: ignore[arg-type]


@frozen
class Expression(Node):
    """An expression: its value has a kind, and it begins on a line of the text."""

    kind: Kind
    line: int


@final
@frozen
class Constant(Expression):
    """A constant number."""

    value: int | float | bool


@final
@frozen
class Name(Expression):
    """A local variable."""

    name: str


@final
@frozen
class ArrayName(Expression):
    """A vector or a matrix; its kind has the name."""


@final
@frozen
class Scalar(Expression):
    """A number of the component: a field, a constant or `n`; or a number that a part keeps and may write."""

    name: str
    written: bool = False


@final
@frozen
class Item(Expression):
    """An entry of an array or a row."""

    array: Expression
    places: tuple[Expression, ...]


@final
@frozen
class RowOf(Expression):
    """A row of a matrix."""

    array: Expression
    place: Expression


@final
@frozen
class Size(Expression):
    """The length of an array."""

    array: Expression


@final
@frozen
class Field(Expression):
    """A member of a move."""

    value: Expression
    name: str


@final
@frozen
class Unary(Expression):
    """-a, not a, ~a."""

    operation: str
    value: Expression


@final
@frozen
class Binary(Expression):
    """a + b, and the like."""

    operation: str
    left: Expression
    right: Expression


@final
@frozen
class Compare(Expression):
    """a < b."""

    operation: str
    left: Expression
    right: Expression


@final
@frozen
class Logic(Expression):
    """a and b, a or b."""

    operation: str
    values: tuple[Expression, ...]


@final
@frozen
class Conditional(Expression):
    """a if test else b."""

    test: Expression
    yes: Expression
    no: Expression


@final
@frozen
class Call(Expression):
    """A function of C++."""

    function: str
    values: tuple[Expression, ...]


@final
@frozen
class Helper(Expression):
    """A call of another compiled method: the arrays that it reads and writes, and whether it has loops that write."""

    name: str
    values: tuple[Expression, ...]
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    takes: tuple[str, ...] = ()
    loops: bool = False


@final
@frozen
class Over(Node):
    """The values of a loop's variable: low, low + step, ... before high; or the entries of an array."""

    name: str
    kind: Kind
    low: Expression
    high: Expression
    step: int = 1
    array: Expression | None = None
    independent: bool = False


@final
@frozen
class Fold(Expression):
    """sum, min, max, any or all of a generator."""

    operation: str
    element: Expression
    loops: tuple[tuple[Over, tuple[Expression, ...]], ...]


@final
@frozen
class Make(Expression):
    """The construction of a move."""

    values: tuple[Expression, ...]


@frozen
class Statement(Node):
    """A statement, which begins on a line of the text."""

    line: int


@final
@frozen
class Let(Statement):
    """Local variables get values, all at once."""

    names: tuple[str, ...]
    values: tuple[Expression, ...]


@final
@frozen
class NewList(Statement):
    """A list, or a list of lists, is made.

    `name`: the variable that it is assigned to.
    `kind`: the kind of the list, or of a table of rows.
    `sizes`: its length, or the numbers of rows and columns.
    `values`: the value of all entries, or with `shown` the value of each.
    `shown`: whether all entries are written down.
    `copied`: the array that it copies.
    """

    name: str
    kind: Kind
    sizes: tuple[Expression, ...]
    values: tuple[Expression, ...] = ()
    shown: bool = False
    copied: Over | None = None


@final
@frozen
class SwapLists(Statement):
    """Two names of lists change places."""

    names: tuple[str, str]


@final
@frozen
class Write(Statement):
    """Entries of kept arrays get values, all at once."""

    places: tuple[Expression, ...]
    values: tuple[Expression, ...]


@final
@frozen
class If(Statement):
    """if test: ... else: ..."""

    test: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@final
@frozen
class For(Statement):
    """A loop over numbers."""

    over: Over
    body: tuple[Statement, ...]


@final
@frozen
class While(Statement):
    """while test: ..."""

    test: Expression
    body: tuple[Statement, ...]


@final
@frozen
class Break(Statement):
    """break."""


@final
@frozen
class Continue(Statement):
    """continue."""


@final
@frozen
class Return(Statement):
    """Return a value, or nothing."""

    value: Expression | None = None


@final
@frozen
class Do(Statement):
    """A call of a method that only writes."""

    value: Expression


def nodes(thing: Any) -> tuple[Any, ...]:
    """All nodes of one or several pieces of the tree, in the order of the text."""
    if isinstance(thing, Node):
        return thing.below
    return tuple(chain.from_iterable(map(nodes, thing))) if isinstance(thing, tuple) else ()


@cache
def children(kind: Any) -> tuple[str, ...]:
    """The members of a node that may hold nodes."""
    names = (each.name for each in attrs.fields(kind))
    return tuple(name for name in names if name not in _PLAIN)


_PLAIN = frozenset(
    (
        "kind",
        "line",
        "name",
        "names",
        "operation",
        "function",
        "written",
        "shown",
        "step",
        "independent",
        "reads",
        "writes",
        "takes",
    )
)
