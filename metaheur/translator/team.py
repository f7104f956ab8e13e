"""Which loops a team shares: sums, loops whose iterations write different entries, and inner products of rows."""

from __future__ import annotations

from typing import Any, final

import attrs
from attrs import frozen

from metaheur.translator.kinds import Matrix, MatrixRow, Vector, Whole
from metaheur.translator.ranges import most
from metaheur.translator.scope import Function
from metaheur.translator.tree import (
    ArrayName,
    Binary,
    Break,
    Call,
    Compare,
    Constant,
    Continue,
    Do,
    Expression,
    Field,
    Fold,
    For,
    Helper,
    If,
    Item,
    Let,
    Logic,
    Name,
    NewList,
    Node,
    Over,
    Return,
    RowOf,
    Scalar,
    Size,
    Statement,
    SwapLists,
    Unary,
    While,
    Write,
    children,
    nodes,
)

__all__ = [
    "Dot",
    "accumulator",
    "brief",
    "changes_lists",
    "collective",
    "dot_of",
    "effects",
    "fold_of",
    "is_plain_store",
    "meets",
    "same",
    "skipped",
]

UNPROVEN = "and no independent(...) says that iterations write different entries"


def same(one: Any, other: Any) -> bool:
    """Whether two pieces of the tree are equal, apart from their lines."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if type(one) is not type(other) or not attrs.has(type(one)):
        return bool(one == other)
    names = (each.name for each in attrs.fields(type(one)) if each.name != "line")
    return all(same(getattr(one, name), getattr(other, name)) for name in names)


def assigned(body: Any) -> set[str]:
    """The local variables that statements assign, the variables of loops included."""
    names = {name for each in nodes(body) if isinstance(each, Let) for name in each.names}
    return names | {each.over.name for each in nodes(body) if isinstance(each, For)}


def used(body: Any) -> set[str]:
    """The local variables that statements read or assign."""
    return assigned(body) | {each.name for each in nodes(body) if isinstance(each, Name)}


def effects(thing: Any) -> tuple[set[str], set[str]]:
    """The arrays that a piece of the tree reads, and the arrays that it writes."""
    reads: set[str] = set()
    writes: set[str] = set()
    for each in nodes(thing):
        if isinstance(each, Write):
            writes |= {origin for place in each.places if (origin := origin_of(place))}
        elif isinstance(each, Helper):
            reads |= each.reads
            writes |= each.writes
        elif isinstance(each, Item | RowOf | Over) and (origin := origin_of(each)):
            reads.add(origin)
    return reads, writes


def origin_of(place: Node) -> str:
    """The array that an entry or a row belongs to, or that a loop goes over; "" for numbers and lists of a function."""
    if not isinstance(place, Item | RowOf | Over) or place.array is None:
        return ""
    kind = place.array.kind
    kind = kind.matrix if isinstance(kind, MatrixRow) else kind
    return kind.origin if isinstance(kind, Vector | Matrix) and not kind.local else ""


def changes_lists(body: Any) -> bool:
    """Whether statements change a list that is made outside of them, of which every thread has its own."""
    found = nodes(body)
    made = {each.name for each in found if isinstance(each, NewList)}
    for each in found:
        if isinstance(each, SwapLists):
            return True
        places = each.places if isinstance(each, Write) else ()
        if isinstance(each, Do) and isinstance(each.value, Call):
            places = each.value.values
        if any(_list_of(place) not in {"", *made} for place in places):
            return True
    return False


def _list_of(place: Expression) -> str:
    """The list that is written; "" for another place."""
    kind = place.array.kind if isinstance(place, Item) else place.kind
    kind = kind.matrix if isinstance(kind, MatrixRow) else kind
    return kind.origin if isinstance(kind, Vector | Matrix) and kind.local else ""


def collective(thing: Any) -> bool:
    """Whether an expression may contain a sum that the team shares, so that all its threads must evaluate it."""
    return any(isinstance(each, Fold | Helper) for each in nodes(thing))


def is_plain_store(each: Statement) -> bool:
    """Whether a statement writes array entries with values that each thread can compute alone."""
    return isinstance(each, Write) and bool(effects(Write(each.line, each.places, ()))[1]) and not collective(each)


def outside(function: Function, loop: For) -> set[str]:
    """The local variables that a function uses outside of a loop, without the variables of other loops."""
    if id(loop) not in function.outside:
        function.outside[id(loop)] = _outside(function, loop)
    return function.outside[id(loop)]


def _outside(function: Function, loop: For) -> set[str]:
    found: set[str] = set()

    def visit(thing: Any, own: frozenset[str]) -> None:
        if thing is loop:
            return
        if isinstance(thing, tuple):
            for each in thing:
                visit(each, own)
        elif isinstance(thing, Name):
            found.update({thing.name} - own)
        elif isinstance(thing, Node):
            if isinstance(thing, Let):
                found.update(set(thing.names) - own)
            if isinstance(thing, For):
                own |= {thing.over.name}
            if isinstance(thing, Fold):
                own |= {goes.name for goes, _ in thing.loops}
            for name in children(type(thing)):  # type: ignore[arg-type]
                visit(getattr(thing, name), own)

    visit(function.body, frozenset())
    return found


FEW = 8


def brief(goes: Over) -> bool:
    """Whether a loop has so few iterations that sharing them takes longer, such as a loop over a move's positions."""
    return most(goes) <= FEW


def leaves(body: tuple[Statement, ...], *, returns: bool = True) -> bool:
    """Whether a loop's body may leave the loop."""
    for each in body:
        if isinstance(each, Break) or (returns and isinstance(each, Return)):
            return True
        if isinstance(each, If) and (leaves(each.body) or leaves(each.orelse)):
            return True
        if isinstance(each, For | While) and any(isinstance(inner, Return) for inner in nodes(each.body)):
            return True
    return False


# ---- sums


def accumulator(function: Function, loop: For) -> str | None:
    """The whole number that a loop adds to, if the loop has no other effect and so is a sum; otherwise None."""
    lists = any(isinstance(each, NewList) for each in nodes(loop.body)) or changes_lists(loop.body)
    if leaves(loop.body) or effects(loop.body)[1] or lists or any(isinstance(each, While) for each in nodes(loop.body)):
        return None
    added: set[str] = set()
    inside = nodes(loop.body)
    reads = [each.name for each in inside if isinstance(each, Name)]
    names = assigned(loop.body) - {each.over.name for each in inside if isinstance(each, For)}
    for name in names:
        lets = [each for each in inside if isinstance(each, Let) and name in each.names]
        if all(_adds(each, name) for each in lets) and reads.count(name) == len(lets):
            added.add(name)
    if len(added) != 1 or (names - added) & outside(function, loop):
        return None
    (name,) = added
    return name if isinstance(function.variables[name], Whole) else None


def _adds(let: Let, name: str) -> bool:
    """Whether an assignment is name = name + ..., or name = name - ...."""
    if len(let.names) != 1 or not isinstance(let.values[0], Binary):
        return False
    value = let.values[0]
    return value.operation in "+-" and isinstance(value.left, Name) and value.left.name == name


def fold_of(loop: For, name: str) -> tuple[str, Fold] | None:
    """The sign and the sum of a loop that contains `name += ...` alone, with or without a condition; otherwise None."""
    tests: list[Expression] = []
    match loop.body:
        case (If(test=test, body=(Let() as let,), orelse=()),):
            tests = [test]
        case (If(test=test, body=(Continue(),), orelse=()), Let() as let):
            tests = [_contrary(test)]
        case (Let() as let,):
            pass
        case _:
            return None
    value = let.values[0]
    if (
        not _adds(let, name)
        or not isinstance(value, Binary)
        or any(isinstance(each, Name) and each.name == name for each in nodes(value.right))
    ):
        return None
    return value.operation, Fold(value.kind, let.line, "sum", value.right, ((loop.over, tuple(tests)),))


def _contrary(test: Expression) -> Expression:
    """The negation of a test; the opposite comparison where there is one."""
    if isinstance(test, Logic) and test.operation == "||":
        return Logic(test.kind, test.line, "&&", tuple(map(_contrary, test.values)))
    if isinstance(test, Compare) and test.operation in ("==", "!="):
        return Compare(test.kind, test.line, "!=" if test.operation == "==" else "==", test.left, test.right)
    return Unary(test.kind, test.line, "!", test)


def skipped(name: str, tests: tuple[Expression, ...]) -> list[Expression]:
    """The values that tests such as `k != a and k != b` exclude, one or two; [] if the tests have another form."""
    parts = [
        part
        for test in tests
        for part in (test.values if isinstance(test, Logic) and test.operation == "&&" else [test])
    ]
    found = []
    for part in parts:
        if not isinstance(part, Compare) or part.operation != "!=":
            return []
        left, right = part.left, part.right
        if isinstance(right, Name) and right.name == name:
            left, right = right, left
        plain = isinstance(right, Name | Field | Constant | Scalar) and isinstance(right.kind, Whole)
        if (
            not plain
            or not isinstance(left, Name)
            or left.name != name
            or (isinstance(right, Name) and right.name == name)
        ):
            return []
        found.append(right)
    return found if len(found) <= 2 else []


# ---- inner products of differences of rows


@final
@frozen
class Dot:
    """The sum of (a - b) * (c - d) over a whole row: the four rows, and the places that the sum leaves out."""

    rows: tuple[tuple[Expression, Expression], ...]
    without: tuple[Expression, ...]


def dot_of(fold: Fold, function: Function) -> Dot | None:
    """A sum as an inner product of differences of rows; None if it is something else."""
    element = fold.element
    if fold.operation != "sum" or len(fold.loops) != 1 or function.cost != "Cost":
        return None
    ((goes, tests),) = fold.loops
    without = skipped(goes.name, tests)
    whole_row = goes.array is None and goes.step == 1 and isinstance(goes.low, Constant) and goes.low.value == 0
    if not whole_row or not isinstance(goes.high, Scalar) or goes.high.name != "n" or (tests and not without):
        return None
    match element:
        case Binary(operation="*", left=Binary(operation="-") as left, right=Binary(operation="-") as right):
            rows = [_row(each, goes.name) for each in (left.left, left.right, right.left, right.right)]
        case _:
            return None
    found = tuple(row for row in rows if row is not None)
    if len(found) != 4 or found[0][0].kind != found[1][0].kind or found[2][0].kind != found[3][0].kind:
        return None
    return Dot(found, tuple(without))


def _row(entry: Expression, name: str) -> tuple[Expression, Expression] | None:
    """The matrix and the row of an entry in column `name`, if rows are as long as a solution; otherwise None."""
    if not isinstance(entry, Item) or not isinstance(entry.array, ArrayName | RowOf):
        return None
    if isinstance(entry.array, RowOf):
        matrix, row, column = entry.array.array, entry.array.place, entry.places[0]
    else:
        if len(entry.places) != 2:
            return None
        matrix, (row, column) = entry.array, entry.places
    kind = matrix.kind
    right = isinstance(kind, Matrix) and kind.square and isinstance(kind.element, Whole) and kind.element.cost
    if not right or not isinstance(column, Name) or column.name != name:
        return None
    if any(isinstance(each, Name) and each.name == name for each in nodes(row)):
        return None
    return matrix, row


# ---- loops that write


def meets(function: Function, loop: For, *, arranges: bool) -> str:
    """Why two iterations of a loop may write the same entry, in words; "" if it is proven that they never do."""
    if leaves(loop.body):
        return "the loop may be left early"
    shared = (assigned(loop.body) - {loop.over.name}) & outside(function, loop)
    if shared:
        return f"{min(shared)} is used outside of the loop"
    writes = effects(loop.body)[1]
    if any(isinstance(place, Scalar) for each in nodes(loop.body) if isinstance(each, Write) for place in each.places):
        return "it writes a number that is kept"
    if origin_of(loop.over) in writes:
        return f"it writes {origin_of(loop.over)}, which it goes over"
    if not _distinct(loop, arranges=arranges):
        return f"{loop.over.name} may have a value twice"
    proof = _Proof(function, loop, arranges)
    return next((reason for origin in sorted(writes) if (reason := proof.reason(origin))), "")


def _distinct(loop: For, *, arranges: bool) -> bool:
    """Whether the variable of a loop has a different value in every iteration."""
    array = loop.over.array
    if array is None:
        return True
    kind = array.kind
    of_solution = isinstance(kind, Vector) and (kind.distinct or (kind.form == "items" and arranges))
    return of_solution or (isinstance(kind, Vector) and kind.form == "positions")


@final
@frozen(eq=False)
class _Proof:
    """The proof that each entry of an array is written by one iteration: an index differs between iterations."""

    function: Function
    loop: For
    arranges: bool

    def reason(self, origin: str) -> str:
        accesses = []
        for each in nodes(self.loop.body):
            if isinstance(each, Helper) and origin in each.reads | each.writes:
                return f"{each.name}() uses {origin}, {UNPROVEN}"
            if isinstance(each, Over) and origin_of(each) == origin:
                return f"a loop in it goes over {origin}"
            if isinstance(each, Item | RowOf) and origin_of(each) == origin:
                if isinstance(each, RowOf) or not isinstance(each.array.kind, MatrixRow):
                    places = each.places if isinstance(each, Item) else (each.place,)
                else:
                    places = (*self._row(each.array), *each.places)
                accesses.append(tuple(map(self._resolved, places)))
        for axis in range(min(map(len, accesses), default=0)):
            first = accesses[0][axis]
            if all(same(first, each[axis]) for each in accesses) and self._distinct(first):
                return ""
        return f"two iterations may write the same entry of {origin}, {UNPROVEN}"

    def _row(self, array: Expression) -> tuple[Expression, ...]:
        """The indices of a row, which a variable or an expression gives."""
        if isinstance(array, RowOf):
            return (array.place,)
        for each in nodes(self.function.body):
            if isinstance(each, Let) and isinstance(array, Name) and array.name in each.names:
                value = each.values[each.names.index(array.name)]
                return (value.place,) if isinstance(value, RowOf) else (array,)
        return (array,)

    def _resolved(self, place: Expression) -> Expression:
        """An index; if it is a variable that the loop assigns once, the value of that variable."""
        lets = [
            each
            for each in nodes(self.loop.body)
            if isinstance(each, Let) and isinstance(place, Name) and place.name in each.names
        ]
        if len(lets) == 1 and isinstance(place, Name):
            return self._resolved(lets[0].values[lets[0].names.index(place.name)])
        return place

    def _distinct(self, place: Expression) -> bool:
        """Whether an index differs between any two iterations, and never counts from the end."""
        if not isinstance(place.kind, Whole) or place.kind.low < 0:
            return False
        name = self.loop.over.name
        if isinstance(place, Name):
            return place.name == name
        if isinstance(place, Item) and isinstance(place.array, ArrayName):
            kind = place.array.kind
            distinct = isinstance(kind, Vector) and (kind.distinct or (kind.form == "items" and self.arranges))
            unchanged = isinstance(kind, Vector) and distinct and kind.origin not in self.function.writes
            return unchanged and self._distinct(place.places[0])
        if isinstance(place, Binary) and place.operation in "+-":
            one, other = (self._is_variable(each, name) for each in (place.left, place.right))
            fixed = [self._fixed(each) for each in (place.left, place.right)]
            return (one and fixed[1]) or (other and fixed[0])
        return False

    @staticmethod
    def _is_variable(place: Expression, name: str) -> bool:
        return isinstance(place, Name) and place.name == name

    def _fixed(self, place: Expression) -> bool:
        """Whether an expression has the same value in all iterations."""
        if isinstance(place, Constant | Field | Scalar | Size):
            return not (isinstance(place, Scalar) and place.written)
        return isinstance(place, Name) and place.name not in assigned(self.loop.body) | {self.loop.over.name}
