"""Statements: from Python's syntax tree to the typed one."""

from __future__ import annotations

import ast

from metaheur.marker import independent
from metaheur.translator.along import along
from metaheur.translator.arithmetic import binary
from metaheur.translator.expressions import expression, length, number, sliced, test, whole_number
from metaheur.translator.kinds import (
    Float,
    Kind,
    Matrix,
    MatrixRow,
    MoveKind,
    Nothing,
    Objectives,
    Special,
    Truth,
    Vector,
    Whole,
    as_whole,
    join,
    whole,
)
from metaheur.translator.lists import grown, is_local, made_list, makes_list, sorted_list, swapped
from metaheur.translator.ranges import indices
from metaheur.translator.scope import Scope, described
from metaheur.translator.tree import (
    Break,
    Call,
    Constant,
    Continue,
    Do,
    Expression,
    For,
    If,
    Item,
    Let,
    Make,
    Over,
    Return,
    Scalar,
    Statement,
    While,
    Write,
)
from metaheur.translator.ways import described_statement, way_of_assignment, way_of_loop

__all__ = ["block", "by_places", "ends", "over"]


def block(scope: Scope, body: list[ast.stmt]) -> tuple[Statement, ...]:
    """The typed statements of a body."""
    return tuple(made for each in body for made in statement(scope, each))


def statement(scope: Scope, node: ast.stmt) -> list[Statement]:  # noqa: PLR0911, PLR0912 - a case for each kind of node
    """The typed statements of one statement."""
    line = scope.line(node)
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return []
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=array, attr="sort"), args=[], keywords=[])):
            return [sorted_list(scope, node, expression(scope, array))]
        case ast.Expr(value=ast.Call() as call):
            found = expression(scope, call)
            if not isinstance(found.kind, Nothing):
                raise scope.refusal(
                    node, f"the value of `{ast.unparse(call)}` is not used.", "assign it, or leave it out."
                )
            return [Do(line, found)]
        case ast.Return(value=None):
            return [_returned(scope, node, None)]
        case ast.Return(value=value):
            return [_returned(scope, node, value)]
        case ast.Assign(targets=[target], value=value):
            return _assigned(scope, node, target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _assigned(scope, node, target, value)
        case ast.AugAssign(target=target, op=operation, value=value):
            return _augmented(scope, node, target, operation, value)
        case ast.If():
            return [_branched(scope, node)]
        case ast.For(orelse=[]):
            if (loop := along(scope, node)) != [node]:
                return [made for each in loop for made in statement(scope, each)]
            return [_looped(scope, node)]
        case ast.While(orelse=[]):
            condition = test(scope, node.test)
            before = set(scope.assigned)
            scope.depth += 1
            scope.within = {} if _has_loops(node) else indices(condition)
            body = block(scope, node.body)
            scope.within = {}
            scope.depth -= 1
            scope.assigned = before
            return [While(line, condition, body)]
        case ast.Break():
            return [Break(line)]
        case ast.Continue():
            return [Continue(line)]
    name, way = described_statement(node)
    raise scope.refusal(node, f"`{name}` is not translated.", way)


def _has_loops(loop: ast.While) -> bool:
    """Whether there are loops in a loop."""
    return any(isinstance(each, ast.For | ast.While) for inner in loop.body for each in ast.walk(inner))


def _returned(scope: Scope, node: ast.AST, value: ast.expr | None) -> Statement:
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        found, kind = None, Nothing()
    else:
        found = _several(scope, node, value) if isinstance(value, ast.Tuple) else expression(scope, value)
        kind = found.kind  # type: ignore[assignment]
        if not isinstance(kind, Whole | Float | Truth | MoveKind | Objectives):
            raise scope.refusal(node, f"a return of {described(kind)} is not translated.", "return a number.")
    before = scope.returns
    joined = kind if before is None else join(before, kind)
    if joined is None:
        raise scope.refusal(node, f"this returns {described(kind)}, but another return {described(before or kind)}.")
    for each in joined.numbers if isinstance(joined, Objectives) else (joined,):
        scope.require_exact(node, each, f"what {scope.text.name} returns")
    scope.returns = joined
    return Return(scope.line(node), found)


def _several(scope: Scope, node: ast.AST, value: ast.Tuple) -> Expression:
    """The numbers of several objectives, or of a segment, which are returned."""
    if (
        scope.facts.segment
        and scope.text.name in ("begin", "unit", "join")
        and len(value.elts) == len(scope.facts.segment)
    ):
        numbers = tuple(number(scope, each) for each in value.elts)
        return Make(Objectives(tuple(each.kind for each in numbers), segment=True), scope.line(node), numbers)
    if scope.facts.objectives != len(value.elts):
        raise scope.refusal(
            node,
            f"this returns {len(value.elts)} numbers, but the problem names {scope.facts.objectives} "
            f"{'levels' if scope.facts.levels else 'objectives'}.",
            f"return a number for each name in `{'levels' if scope.facts.levels else 'objectives'}`."
            if scope.facts.objectives
            else "return one number; or name the objectives in a property `objectives`, or `levels` in the class.",
        )
    numbers = tuple(number(scope, each) for each in value.elts)
    kinds = tuple(each.kind for each in numbers)
    return Make(Objectives(kinds, levels=scope.facts.levels), scope.line(node), numbers)


# ---- assignments


def _assigned(scope: Scope, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[Statement]:
    targets, values = [target], [value]
    if isinstance(target, ast.Tuple):
        targets = target.elts
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "divmod":
            return _divided(scope, node, targets, value)
        if not isinstance(value, ast.Tuple) or len(value.elts) != len(targets):
            raise scope.refusal(
                node, f"`{ast.unparse(node)}` does not assign one value each.", way_of_assignment(target, value)
            )
        values = value.elts
        lists = swapped(scope, node, targets, values)
        if lists is not None:
            return [lists]
        if any(map(makes_list, values)):
            _require_apart(scope, node, targets, values)
            pairs = zip(targets, values, strict=True)
            return [made for each, given in pairs for made in _assigned(scope, node, each, given)]
    for part in targets:
        if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
            array = ast.unparse(part.value)
            raise scope.refusal(
                node,
                f"a slice cannot be assigned to: `{ast.unparse(part)}`.",
                f"assign each entry: {array}[0], {array}[1] = a, b; or {array}[k] in a loop over range(...).",
            )
    if isinstance(target, ast.Name):
        made = made_list(scope, node, target.id, value, over)
        if made is not None:
            return made
    found = [expression(scope, each) for each in values]
    if all(isinstance(each, ast.Name) for each in targets):
        return _named(scope, node, [each.id for each in targets if isinstance(each, ast.Name)], found)
    if all(isinstance(each, ast.Subscript | ast.Attribute) for each in targets):
        places = tuple(_place(scope, each) for each in targets)
        _require_alike(scope, node, places)
        for place, each, text in zip(places, found, values, strict=True):
            _require_fit(scope, text, place, each.kind)
        return [Write(scope.line(node), places, tuple(found))]
    raise scope.refusal(
        node, f"`{ast.unparse(node)}` is not translated.", "assign to names or to entries, not to both."
    )


def _require_apart(scope: Scope, node: ast.stmt, targets: list[ast.expr], values: list[ast.expr]) -> None:
    """Refuse one assignment to several names if a value mentions one of them, since lists are made one by one."""
    names = {each.id for each in targets if isinstance(each, ast.Name)}
    mentioned = {each.id for value in values for each in ast.walk(value) if isinstance(each, ast.Name)}
    if names & mentioned or len(names) < len(targets):
        raise scope.refusal(node, f"`{ast.unparse(node)}` is not translated.", "write an assignment for each list.")


def _named(scope: Scope, node: ast.stmt, names: list[str], values: list[Expression]) -> list[Statement]:
    kept_names, kept_values = [], []
    for name, value in zip(names, values, strict=True):
        kind = value.kind
        if isinstance(kind, Nothing):
            raise scope.refusal(node, f"{name} is assigned from a method that returns nothing.")
        if is_local(kind) and not isinstance(kind, MatrixRow):
            raise scope.refusal(node, f"{name} would be another name of a list.", "write list(...), which copies it.")
        if isinstance(kind, Vector | Matrix | Special):
            if isinstance(kind, Special) or scope.aliases.get(name, value).kind != kind or name in scope.variables:
                raise scope.refusal(
                    node, f"{name} stands for {described(kind)}, and for something else.", "use two names."
                )
            scope.aliases[name] = value
            continue
        if isinstance(kind, MatrixRow | MoveKind):
            if name in scope.rows or name in scope.parameters:
                raise scope.refusal(node, f"{name} is {described(kind)}, and is assigned again.", "use another name.")
            scope.rows.add(name)
        scope.assign(node, name, kind)
        kept_names.append(name)
        kept_values.append(value)
    return [Let(scope.line(node), tuple(kept_names), tuple(kept_values))] if kept_names else []


def _divided(scope: Scope, node: ast.stmt, targets: list[ast.expr], value: ast.Call) -> list[Statement]:
    if len(targets) != 2 or len(value.args) != 2:
        raise scope.refusal(node, "divmod() has two arguments and makes two numbers.", "write q, r = divmod(a, b).")
    a, b = (number(scope, each) for each in value.args)
    found = [binary(scope, node, ast.FloorDiv(), a, b), binary(scope, node, ast.Mod(), a, b)]
    names = [each.id for each in targets if isinstance(each, ast.Name)]
    if len(names) != 2:
        raise scope.refusal(node, "divmod() is assigned to two names.", "write q, r = divmod(a, b).")
    return _named(scope, node, names, found)


def _place(scope: Scope, node: ast.expr) -> Expression:
    """A place that may be written: an entry of a kept array, a kept number, or in `apply` an entry of x."""
    found = expression(scope, node)
    if isinstance(found, Scalar) and found.written:
        return found
    if isinstance(found, Item):
        kind = found.array.kind
        array = kind.matrix if isinstance(kind, MatrixRow) else kind
        if isinstance(array, Vector | Matrix) and array.written:
            if not array.local:
                scope.writes.add(array.origin)
            return found
        if is_local(found.array.kind):
            raise scope.refusal(
                node, f"`{ast.unparse(node)}` belongs to a list that {scope.text.name} is given, which is only read."
            )
        if isinstance(array, Vector) and array.form == "items":
            raise scope.refusal(
                node,
                f"`{ast.unparse(node)}` is an entry of the solution, which is only read.",
                "compute what would change.",
            )
    raise scope.refusal(
        node,
        f"`{ast.unparse(node)}` cannot be written: data is read-only.",
        "declare an array in `state`, and write that.",
    )


def _require_alike(scope: Scope, node: ast.AST, places: tuple[Expression, ...]) -> None:
    """Refuse one assignment to lists, of which each thread has its own, and to what the threads of a team share."""
    lists = [isinstance(each, Item) and is_local(each.array.kind) for each in places]
    if any(lists) and not all(lists):
        raise scope.refusal(node, "this assigns to a list and to what is kept.", "write two assignments.")


def _require_fit(scope: Scope, node: ast.AST, written: Expression, value: Kind) -> None:
    if isinstance(written, Item) and is_local(written.array.kind):
        grown(scope, node, written.array.kind, value)
        return
    place = written.kind
    fits = isinstance(value, Whole | Truth) if isinstance(place, Whole) else isinstance(value, Whole | Float | Truth)
    if isinstance(place, Truth):
        fits = isinstance(value, Truth)
    if not fits:
        raise scope.refusal(
            node,
            f"an array of {described(place)[2:]}s cannot hold {described(value)}.",
            "declare another type in `state`.",
        )


def _augmented(
    scope: Scope, node: ast.AugAssign, target: ast.expr, operation: ast.operator, value: ast.expr
) -> list[Statement]:
    made = ast.copy_location(ast.BinOp(_loaded(target), operation, value), node)
    if isinstance(target, ast.Name):
        left = number(scope, _loaded(target))
        return _named(scope, node, [target.id], [binary(scope, made, operation, left, number(scope, value))])
    place = _place(scope, target)
    found = binary(scope, made, operation, number(scope, _loaded(target)), number(scope, value))
    _require_fit(scope, value, place, found.kind)
    return [Write(scope.line(node), (place,), (found,))]


def _loaded(target: ast.expr) -> ast.expr:
    """The target of an assignment as an expression that reads it."""
    match target:
        case ast.Name(id=name):
            found: ast.expr = ast.Name(name, ast.Load())
        case ast.Subscript(value=value, slice=inner):
            found = ast.Subscript(value, inner, ast.Load())
        case ast.Attribute(value=value, attr=name):
            found = ast.Attribute(value, name, ast.Load())
        case _:
            return target
    return ast.copy_location(found, target)


# ---- branches and loops


def _branched(scope: Scope, node: ast.If) -> Statement:
    condition = test(scope, node.test)
    before = set(scope.assigned)
    body = block(scope, node.body)
    after = scope.assigned
    scope.assigned = set(before)
    orelse = block(scope, node.orelse)
    if ends(body):
        pass  # what follows is reached by the other branch only
    elif ends(orelse):
        scope.assigned = after
    else:
        scope.assigned &= after
    scope.assigned -= scope.lists.keys() - before  # C++ ends the life of a list where its block ends
    return If(scope.line(node), condition, body, orelse)


def ends(body: tuple[Statement, ...]) -> bool:
    """Whether statements always end the function or the iteration, so that nothing behind them is reached."""
    for each in body:
        if isinstance(each, Return | Break | Continue):
            return True
        if isinstance(each, If) and each.orelse and ends(each.body) and ends(each.orelse):
            return True
        if isinstance(each, While) and isinstance(each.test, Constant) and each.test.value:
            return not any(isinstance(inner, Break) for inner in _own(each.body))
    return False


def _own(body: tuple[Statement, ...]) -> list[Statement]:
    """The statements of a loop's body, without those of inner loops."""
    found: list[Statement] = []
    for each in body:
        found.append(each)
        if isinstance(each, If):
            found += _own(each.body) + _own(each.orelse)
    return found


def _looped(scope: Scope, node: ast.For) -> Statement:
    node = numbered(scope, node)
    if not isinstance(node.target, ast.Name):
        raise scope.refusal(
            node,
            f"a loop has one variable, not `{ast.unparse(node.target)}`.",
            f"{by_places(node.iter)}; or two variables with enumerate(...) and zip(...).",
        )
    name = node.target.id
    goes = over(scope, node, name, node.iter)
    if name in scope.parameters or name in scope.assigned or name in scope.loops or name in scope.aliases:
        raise scope.refusal(node, f"{name} is the variable of a loop, and something else.", "use another name.")
    before = set(scope.assigned)
    scope.loops[name] = goes.kind
    scope.gone_over.append(_list_of(goes))
    scope.depth += 1
    body = block(scope, node.body)
    scope.depth -= 1
    scope.gone_over.pop()
    del scope.loops[name]
    scope.assigned = before
    return For(scope.line(node), goes, body)


def _list_of(goes: Over) -> str:
    """The list that a loop goes over; "" for something else."""
    kind = goes.array.kind if goes.array is not None else None
    return kind.origin if isinstance(kind, Vector) and kind.local else ""


def numbered(scope: Scope, node: ast.For) -> ast.For:
    """A loop over enumerate(a) or zip(a, b) as a loop over the places of a."""
    match node:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name() as place, ast.Name() as entry]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name() | ast.Attribute() as array], keywords=[]),
        ):
            entries, arrays = [entry], [array]
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(), *_] as entries),
            iter=ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as arrays, keywords=named),
        ) if len(entries) == len(arrays) and all(each.arg == "strict" for each in named):
            place = ast.Name(f"at_{node.lineno}_{node.col_offset}", ast.Store())
        case _:
            return node
    sizes: list[ast.expr] = [_call_of("len", each) for each in arrays]
    end = sizes[0] if len(sizes) == 1 else _call_of("min", *sizes)
    lets: list[ast.stmt] = [
        ast.Assign([entry], ast.Subscript(array, ast.Name(place.id, ast.Load()), ast.Load()))
        for entry, array in zip(entries, arrays, strict=True)
    ]
    made = ast.For(place, _call_of("range", end), [*lets, *node.body], [])
    for each in (made, *lets, made.iter):
        ast.copy_location(each, node)
    return ast.fix_missing_locations(made)


def _call_of(name: str, *values: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(values), [])


def over(scope: Scope, node: ast.AST, name: str, values: ast.expr) -> Over:
    """The values of a loop: range(...), independent(range(...)), or the entries of an array or a slice of it."""
    if isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and not values.keywords:
        _, function = scope.text.resolve(values.func.id)
        if function is range:
            return _range(scope, node, name, values)
        if function is independent and len(values.args) == 1:
            inner = over(scope, node, name, values.args[0])
            return Over(inner.name, inner.kind, inner.low, inner.high, inner.step, inner.array, independent=True)
    if isinstance(values, ast.Name | ast.Attribute | ast.Subscript):
        array, part = sliced(scope, values)
        if is_local(array.kind) and (part.lower or part.upper):
            raise scope.refusal(
                node, f"`{ast.unparse(values)}` copies a part of a list.", "write for k in range(first, end)."
            )
        if isinstance(array.kind, Vector | MatrixRow):
            element = array.kind.element if isinstance(array.kind, Vector) else array.kind.matrix.element
            low, high = (_end(scope, array, end) for end in (part.lower, part.upper))
            zero = Constant(Whole(0, 0), scope.line(node), 0)
            return Over(name, element, low or zero, high or length(scope, array), 1, array)
        if isinstance(array.kind, Matrix):
            raise scope.refusal(
                node, f"a loop does not go over rows, as of `{ast.unparse(values)}`.", f"{by_places(values)}."
            )
    raise scope.refusal(
        node,
        f"a loop goes over range(...) or the entries of an array, not over `{ast.unparse(values)}`.",
        way_of_loop(values, name),
    )


def by_places(values: ast.expr) -> str:
    """The way out for a loop over arrays that is not translated: over the places of the first one, by its name."""
    match values:
        case ast.Call(func=ast.Name(id="enumerate" | "zip"), args=[ast.expr() as array, *_]) | array:
            pass
    if not isinstance(array, ast.Name | ast.Attribute):
        return "write for k in range(...)"
    return f"write for k in range(len({ast.unparse(array)})), and index {ast.unparse(array)} with k"


def _end(scope: Scope, array: Expression, node: ast.expr | None) -> Expression | None:
    """An end of a slice, limited to the array; None if the slice names no end."""
    if node is None:
        return None
    given = whole_number(scope, node, "an end of a slice")
    size = length(scope, array)
    return Call(Whole(0, as_whole(size.kind).high), given.line, "py_end", (given, size))


def _range(scope: Scope, node: ast.AST, name: str, values: ast.Call) -> Over:
    line, step = scope.line(node), 1
    given = [whole_number(scope, each, "an end of range()") for each in values.args]
    if not 1 <= len(given) <= 3:
        raise scope.refusal(node, f"range() has one to three arguments, not {len(given)}.")
    if len(given) == 3:
        last = given.pop()
        if not isinstance(last, Constant) or not last.value or abs(last.value) >= 2**31:
            raise scope.refusal(
                node,
                f"the step of range() must be a number that is written down, within 32 bits, and not 0, but is "
                f"`{ast.unparse(values.args[2])}`.",
                "use while.",
            )
        step = int(last.value)
    low = given[0] if len(given) == 2 else Constant(Whole(0, 0), line, 0)
    high = given[-1]
    a, b = as_whole(low.kind), as_whole(high.kind)
    ends_at = (a.low, max(a.low, b.high - 1)) if step > 0 else (min(a.high, b.low + 1), a.high)
    return Over(
        name, whole(*ends_at, cost=False if ends_at[0] >= -(2**31) and ends_at[1] < 2**31 else a.cost), low, high, step
    )
