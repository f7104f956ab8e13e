"""Lists of a function: how Python code makes, writes, sorts and swaps them, and how C++ declares them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from attrs import evolve

from metaheur.translator.expressions import expression, length, number, whole_number
from metaheur.translator.formulas import Formulas
from metaheur.translator.kinds import (
    NARROW,
    Float,
    Kind,
    Matrix,
    MatrixRow,
    Nothing,
    Truth,
    Vector,
    Whole,
    as_whole,
    sizes_of,
    whole,
)
from metaheur.translator.scope import Scope, described
from metaheur.translator.tree import (
    ArrayName,
    Call,
    Constant,
    Do,
    Expression,
    For,
    Item,
    Name,
    NewList,
    Over,
    Statement,
    SwapLists,
    Write,
    nodes,
)

__all__ = ["grown", "is_local", "list_lines", "made_list", "makes_list", "require_room", "sorted_list", "swapped"]

MOST_BYTES = 65_536
"""The memory that the lists of one function may take: each thread of a GPU has its own."""

_WAY = "write [0] * self.n, [a, b, c], [... for k in range(self.n)], list(...) or sorted(...)."


def is_local(kind: Kind) -> bool:
    """Whether an array, or a row of an array, is a list of the function."""
    array = kind.matrix if isinstance(kind, MatrixRow) else kind
    return isinstance(array, Vector | Matrix) and array.local


def made_list(
    scope: Scope, node: ast.stmt, name: str, value: ast.expr, over: Callable[..., Over]
) -> list[Statement] | None:
    """The statements that make a list; None if the assigned value is not a list.

    `scope`: the variables and facts known so far. `node`: the assignment. `name`: the variable of the assignment.
    `value`: the value of the assignment. `over`: reads the iterable of a loop.
    """
    match value:
        case ast.BinOp(op=ast.Mult(), left=ast.List(elts=values), right=size):
            return _filled(scope, node, name, values, size)
        case ast.BinOp(op=ast.Mult(), left=size, right=ast.List(elts=values)):
            return _filled(scope, node, name, values, size)
        case ast.List(elts=[_, *_] as values):
            found = tuple(number(scope, each) for each in values)
            count = Constant(whole(len(found), len(found)), scope.line(node), len(found))
            return [_listed(scope, node, name, found, (count,), shown=True)]
        case ast.ListComp():
            return _comprehended(scope, node, name, value, over)
        case ast.Call(func=ast.Name(id="list" | "sorted" as function), args=[array], keywords=[]):
            made = _copied(scope, node, name, array, over)
            return [made, sorted_list(scope, node, ArrayName(made.kind, made.line))] if function == "sorted" else [made]
        case ast.List():
            raise scope.refusal(node, f"{name} is an empty list, but lists keep their length.", _WAY)
    return None


def makes_list(value: ast.expr) -> bool:
    """Whether an expression makes a list."""
    match value:
        case ast.BinOp(op=ast.Mult(), left=ast.List()) | ast.BinOp(op=ast.Mult(), right=ast.List()):
            return True
        case ast.List() | ast.ListComp() | ast.Call(func=ast.Name(id="list" | "sorted")):
            return True
    return False


def _filled(scope: Scope, node: ast.stmt, name: str, values: list[ast.expr], size: ast.expr) -> list[Statement]:
    """The statements for [value] * size."""
    if len(values) != 1:
        raise scope.refusal(node, f"`{ast.unparse(node)}` repeats {len(values)} values.", _WAY)
    return [_listed(scope, node, name, (number(scope, values[0]),), (_length(scope, size),))]


def _comprehended(
    scope: Scope, node: ast.stmt, name: str, value: ast.ListComp, over: Callable[..., Over]
) -> list[Statement]:
    """The statements for [... for k in range(size)], and for [[value] * columns for k in range(rows)]."""
    match value.generators:
        case [ast.comprehension(target=ast.Name(id=variable), iter=values, ifs=[])]:
            goes = over(scope, node, variable, values)
        case _:
            raise scope.refusal(node, f"`{ast.unparse(value)}` is not translated.", _WAY)
    from_zero = goes.array is None and goes.step == 1 and isinstance(goes.low, Constant) and goes.low.value == 0
    if not from_zero or variable in scope.assigned | scope.loops.keys() | scope.parameters.keys():
        raise scope.refusal(node, f"`{ast.unparse(value)}` is not translated.", "write for k in range(size), k unused.")
    match value.elt:
        case ast.BinOp(op=ast.Mult(), left=ast.List(elts=[fill]), right=columns):
            sizes = (goes.high, _length(scope, columns))
            return [_listed(scope, node, name, (number(scope, fill),), sizes)]
    scope.loops[variable] = goes.kind
    element = number(scope, value.elt)
    del scope.loops[variable]
    line = scope.line(node)
    zero = Constant(Truth() if isinstance(element.kind, Truth) else Whole(0, 0), line, 0)
    made = _listed(scope, node, name, (evolve(zero, kind=_zero_of(element.kind)),), (goes.high,))
    grown(scope, node, made.kind, element.kind)
    kind = scope.variables[name]
    assert isinstance(kind, Vector)
    place = Item(kind.element, line, ArrayName(kind, line), (Name(goes.kind, line, variable),))
    return [evolve(made, kind=kind), For(line, goes, (Write(line, (place,), (element,)),))]


def _zero_of(kind: Kind) -> Kind:
    """The kind of the zero that a list of some numbers begins with."""
    return Float() if isinstance(kind, Float) else Truth() if isinstance(kind, Truth) else Whole(0, 0)


def _copied(scope: Scope, node: ast.stmt, name: str, array: ast.expr, over: Callable[..., Over]) -> NewList:
    """list(array)."""
    if isinstance(array, ast.Call):
        raise scope.refusal(node, f"`{ast.unparse(array)}` is not an array.", "write [k for k in range(size)].")
    goes = over(scope, node, name, array)
    assert goes.array is not None
    entry = Name(goes.kind, scope.line(node), name)
    return evolve(_listed(scope, node, name, (entry,), (length(scope, goes.array),)), values=(), copied=goes)


def _length(scope: Scope, node: ast.expr) -> Expression:
    return whole_number(scope, node, "the length of a list")


def _listed(  # noqa: PLR0913 - one for each parameter of the node
    scope: Scope,
    node: ast.stmt,
    name: str,
    values: tuple[Expression, ...],
    sizes: tuple[Expression, ...],
    *,
    shown: bool = False,
) -> NewList:
    """The node that makes a list whose entries may have any of these values."""
    if name in scope.assigned or name in scope.parameters or name in scope.loops or name in scope.aliases:
        raise scope.refusal(
            node, f"{name} is a list, but is assigned twice.", "use another name, or write its entries in a loop."
        )
    bounds = [whole(max(0, each.low), max(0, each.high)) for each in (as_whole(size.kind) for size in sizes)]
    kind: Vector | Matrix
    if len(bounds) == 1:
        kind = Vector(name, values[0].kind, bounds[0], written=True, typed=True, local=True)
    else:
        rows, columns = bounds
        kind = Matrix(name, values[0].kind, written=True, typed=True, local=True, rows=rows, columns=columns)
    scope.assign(node, name, kind)
    for each in values[1:]:
        grown(scope, node, kind, each.kind)
    scope.lists[name] = scope.depth
    return NewList(scope.line(node), name, scope.variables[name], sizes, values, shown)


def grown(scope: Scope, node: ast.AST, kind: Kind, value: Kind) -> None:
    """Note that an entry of a list receives a value of this kind."""
    array = kind.matrix if isinstance(kind, MatrixRow) else kind
    assert isinstance(array, Vector | Matrix)
    scope.assign(node, array.origin, evolve(array, element=value))


def sorted_list(scope: Scope, node: ast.AST, array: Expression) -> Statement:
    """array.sort()."""
    kind = array.kind
    if not isinstance(kind, Vector) or not kind.local or not kind.written:
        raise scope.refusal(node, f"{described(kind)} of this kind cannot be sorted.", "sort a list made here.")
    if isinstance(kind.element, Float):
        raise scope.refusal(node, "a list of floats cannot be sorted here.", "sort whole numbers.")
    return Do(scope.line(node), Call(Nothing(), scope.line(node), "py_sort", (array,)))


def swapped(scope: Scope, node: ast.stmt, targets: list[ast.expr], values: list[ast.expr]) -> Statement | None:
    """The statement for a, b = b, a if both are lists; None otherwise."""
    found = [expression(scope, each) for each in values if isinstance(each, ast.Name)]
    if len(found) != len(values) or not any(is_local(each.kind) and isinstance(each, ArrayName) for each in found):
        return None
    given = [each.id for each in values if isinstance(each, ast.Name)]
    names = [each.id for each in targets if isinstance(each, ast.Name)]
    if len(names) != 2 or names != given[::-1] or any(name not in scope.lists for name in names):
        raise scope.refusal(node, f"`{ast.unparse(node)}` is not translated.", "swap two lists: a, b = b, a.")
    for name in names:
        if scope.lists[name]:
            raise scope.refusal(node, f"{name} is swapped, but made in a loop.", "make both lists before the loop.")
        if any(goes == name for goes in scope.gone_over):
            raise scope.refusal(node, f"{name} is swapped in a loop over its entries.", "write for k in range(...).")
    one, other = (scope.variables[name] for name in names)
    assert isinstance(one, Vector | Matrix)
    assert isinstance(other, Vector | Matrix)
    scope.assign(node, names[0], evolve(other, origin=names[0]))
    scope.assign(node, names[1], evolve(one, origin=names[1]))
    return SwapLists(scope.line(node), (names[0], names[1]))


def require_room(scope: Scope, body: tuple[Statement, ...]) -> None:
    """Refuse lists that are too long, or of unknown length, once the kinds of all variables are known."""
    taken = 0
    for each in nodes(body):
        if isinstance(each, NewList):
            count = _capacity(scope.variables[each.name])
            at = ast.Pass(lineno=each.line - scope.text.first + 1)
            if count >= NARROW // 4:
                raise scope.refusal(
                    at,
                    f"the length of {each.name} has no bound that is known when {scope.text.name} is translated.",
                    "let its length follow from self.n, len(...) of data, fields and constants.",
                )
            taken += 8 * count
            if taken > MOST_BYTES:
                raise scope.refusal(
                    at,
                    f"the lists of {scope.text.name} may take {taken:,} bytes of every thread, but a thread has "
                    f"{MOST_BYTES:,}.",
                    "keep long lists as arrays: declare them in `state`.",
                )


def _capacity(kind: Kind) -> int:
    """The number of entries for which C++ has room."""
    assert isinstance(kind, Vector | Matrix)
    product = 1
    for size in sizes_of(kind).values():
        product *= max(1, size.high)
    return product


# ---- C++


def list_lines(formulas: Formulas, each: NewList | SwapLists) -> Iterator[str]:
    """The lines of C++ that make a list, or swap two lists."""
    if isinstance(each, SwapLists):
        yield f"py_swap({', '.join(map(formulas.names.of, each.names))});"
        return
    kind = formulas.function.variables[each.name]
    assert isinstance(kind, Vector | Matrix)
    own, cells = formulas.names.of(each.name), formulas.names.fresh(f"{each.name}_cells")
    element = formulas.type(kind.element)
    begin = f" = {{{', '.join(f'{element}({formulas.text(value)})' for value in each.values)}}}" if each.shown else ""
    sizes = [_size(formulas, size) for size in each.sizes]
    if each.copied is not None:
        low, high = formulas.text(each.copied.low, 10), formulas.text(each.copied.high, 9)
        sizes = [f"py_max(0, int({high} - {low}))"]
    yield f"{element} {cells}[{_capacity(kind)}]{begin};"
    yield f"{formulas.type(kind)} {own}{{{', '.join([cells, *sizes])}}};"
    if isinstance(kind, Vector) and each.name not in _swapped(formulas):
        formulas.cells[each.name] = cells
    if each.copied is not None:
        at = formulas.names.fresh("at")
        entry = formulas.entry(each.copied, f"{formulas.text(each.copied.low, 9)} + {at}")
        yield f"for (int {at} = 0; {at} < {own}.size; ++{at}) {own}({at}) = {element}({entry});"
    elif not each.shown:
        yield f"{own}.fill({element}({formulas.text(each.values[0])}));"


def _swapped(formulas: Formulas) -> set[str]:
    """The lists that change their names."""
    swaps = (each.names for each in nodes(formulas.function.body) if isinstance(each, SwapLists))
    return {name for names in swaps for name in names}


def _size(formulas: Formulas, size: Expression) -> str:
    text = f"int({formulas.text(size)})"
    return f"py_max(0, {text})" if as_whole(size.kind).low < 0 else text
