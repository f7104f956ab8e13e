"""Reading functions round by round; calls of other compiled methods and of built-in functions."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Mapping
from typing import Any, final

import attrs
from attrs import frozen

from metaheur.component import Component
from metaheur.errors import CompileError
from metaheur.marker import Compiled, compiled_members, independent
from metaheur.move import Move
from metaheur.translator import growth
from metaheur.translator.along import is_linked, neighbor
from metaheur.translator.arithmetic import as_float, smaller
from metaheur.translator.expressions import (
    converted,
    expression,
    length,
    number,
    test,
    truncated,
    whole_number,
)
from metaheur.translator.float_functions import FloatFunction, float_function
from metaheur.translator.grids import is_on_grid, real_value
from metaheur.translator.kinds import (
    Float,
    Kind,
    Matrix,
    MatrixRow,
    MoveKind,
    Nothing,
    Special,
    Truth,
    Vector,
    Whole,
    as_whole,
    general,
    join,
    possible,
    whole,
)
from metaheur.translator.lists import is_local, require_room
from metaheur.translator.members import CALLED, PARTS
from metaheur.translator.ranges import least, most
from metaheur.translator.reading import Text, maybe_one_of, read
from metaheur.translator.scope import Function, Scope, Unit, described
from metaheur.translator.statements import block, by_places, ends, over
from metaheur.translator.team import effects
from metaheur.translator.tree import Call, Expression, Fold, For, Helper, Make, Over, Statement, nodes
from metaheur.translator.ways import way_of_argument, way_of_call, way_of_method

__all__ = ["called", "read_function"]


def read_function(unit: Unit, text: Text, kinds: dict[str, Kind], cost: str, name: str = "") -> Function:
    """Read a function, `self` among its parameters, in rounds until the kinds of its variables are stable.

    Raises CompileError if it cannot be translated: names the file, the line, the reason and a way out.
    """
    reading = _Reading(unit, text, kinds, cost)
    scope, body = reading.stable({})
    if unit.facts.bounded and growth.wide(scope.variables, kinds):
        scope, body = reading.narrowed(scope.variables)
        limits = growth.limits(body, scope.variables, kinds)
        if limits:
            scope, body = reading.narrowed(reading.stable({}, limits)[0].variables, limits)
    variables = scope.variables
    require_room(scope, body)
    returns = scope.returns or Nothing()
    if not isinstance(returns, Nothing) and not ends(body):
        raise text.refusal(text.tree, f"{text.name} may end without a return.", "return a number at its end, too.")
    found = nodes(body)
    origins = {origin for each in found for origin in _origins(each)}
    helpers = [each for each in found if isinstance(each, Helper)]
    takes = {"x"} if any(origin == "x" or origin.endswith("_of(x)") for origin in origins) else set()
    takes |= {"s"} if any(origin.startswith("s.") for origin in origins) else set()
    takes |= {each for helper in helpers for each in helper.takes}
    return Function(
        name or text.name,
        text,
        tuple(
            (parameter, kind)
            for parameter, kind in kinds.items()
            if parameter != text.parameters[0] or not _is_self(kind)
        ),
        variables,
        body,
        returns,
        frozenset(origins).union(*(helper.reads for helper in helpers)),
        frozenset(scope.writes).union(*(helper.writes for helper in helpers)),
        tuple(sorted(takes, reverse=True)),
        cost,
        unit.facts.family,
        unit.facts.floating or unit.facts.family == "move",
    )


_NO_LIMITS: Mapping[str, Whole] = {}


@final
@frozen(eq=False)
class _Reading:
    """Reads a function round by round; the parameters are those of `read_function`."""

    unit: Unit
    text: Text
    kinds: dict[str, Kind]
    cost: str

    def stable(
        self, variables: dict[str, Kind], limits: Mapping[str, Whole] = _NO_LIMITS
    ) -> tuple[Scope, tuple[Statement, ...]]:
        """The last round, in which the kinds of the variables are stable, and its statements."""
        for number_of_round in range(50):
            scope, body = self.round(variables, number_of_round, limits)
            if not scope.changed:
                break
        return scope, body

    def narrowed(
        self, variables: dict[str, Kind], limits: Mapping[str, Whole] = _NO_LIMITS
    ) -> tuple[Scope, tuple[Statement, ...]]:
        """The same with the bounds that follow from stable ones, which were widened to those of a type."""
        found: dict[str, Kind] = {}
        self.round(variables, 0, limits, found)
        return self.stable(found, limits)

    def round(
        self, variables: dict[str, Kind], number_of_round: int, limits: Mapping[str, Whole], found: Any = None
    ) -> tuple[Scope, tuple[Statement, ...]]:
        """Read the function once; with `found`, the kinds that follow from its assignments go there."""
        scope = Scope(self.unit, self.text, self.kinds, variables, number_of_round, self.cost, limits, found)
        scope.assigned = {parameter for parameter in self.kinds if parameter in variables}
        return scope, block(scope, self.text.tree.body)


def _is_self(kind: Kind) -> bool:
    return isinstance(kind, Special) and kind.what == "self"


def _origins(node: Any) -> list[str]:
    kind = getattr(node, "kind", None)
    if isinstance(node, Over):
        kind = node.array.kind if node.array is not None else None
    if isinstance(kind, MatrixRow):
        kind = kind.matrix
    return [kind.origin] if isinstance(kind, Vector | Matrix) and not kind.local else []


# ---- calls


def called(scope: Scope, node: ast.Call) -> Expression:
    """The typed expression of a call."""
    if node.keywords:
        name = node.keywords[0].arg
        given = f"`{name}=`" if name else "`**`"
        reason = f"arguments by name are not translated: {given} of `{ast.unparse(node.func)}()`."
        raise scope.refusal(node, reason, way_of_argument(node))
    function = node.func
    if isinstance(function, ast.Name):
        known, value = scope.text.resolve(function.id)
        if isinstance(value, Compiled):
            return _helped(scope, node, value, own=False)
        if isinstance(value, type) and issubclass(value, Move):
            return _made(scope, node, value)
        if known and (half := float_function(value)):
            return _of_floats(scope, node, half)
        if known and value in _BUILT_IN:
            return _built_in(scope, node, value)
        raise _unknown(scope, node, function.id)
    if isinstance(function, ast.Attribute):
        return _method(scope, node, function)
    raise _unknown(scope, node, ast.unparse(function))


def _unknown(scope: Scope, node: ast.Call, name: str) -> CompileError:
    return scope.refusal(node, f"{name}() is not translated.", way_of_call(name))


def _method(scope: Scope, node: ast.Call, function: ast.Attribute) -> Expression:  # noqa: PLR0911 - a case for each owner
    if isinstance(function.value, ast.Name) and scope.lookup(function.value) is None:
        _, module = scope.text.resolve(function.value.id)
        value = getattr(module, function.attr, None)
        if isinstance(value, Compiled):
            return _helped(scope, node, value, own=False)
        if half := float_function(value):
            return _of_floats(scope, node, half)
        if module is math and value in _OF_MATH:
            return _mathematical(scope, node, function.attr)
        raise _unknown(scope, node, ast.unparse(function))
    owner = expression(scope, function.value)
    kind = owner.kind
    if isinstance(kind, Special) and kind.what == "self":
        member = compiled_members(scope.facts.owner).get(function.attr)
        if member is None:
            what = "is not @compiled" if hasattr(scope.facts.owner, function.attr) else "is not a method"
            way = f"write @compiled above def {function.attr}." if what == "is not @compiled" else ""
            way = way or maybe_one_of(function.attr, compiled_members(scope.facts.owner), "self.")
            raise scope.refusal(node, f"self.{function.attr} {what}.", way)
        return _helped(scope, node, member, own=True)
    if isinstance(kind, Special) and kind.what == "random":
        return _drawn(scope, node, owner, function.attr)
    if isinstance(kind, Special) and kind.what == "component":
        return _of_component(scope, node, owner, kind.of, function.attr)
    if is_linked(scope, kind):
        return neighbor(scope, node, owner, function.attr)
    if is_on_grid(scope, kind):
        return real_value(scope, node, owner, function.attr)
    if isinstance(kind, Vector | Matrix | MatrixRow):
        what = "a list" if is_local(kind) else described(kind)
        raise scope.refusal(
            node,
            f"`{ast.unparse(function)}()` is a method of {what}, which is not translated.",
            way_of_method(function.value, function.attr, matrix=isinstance(kind, Matrix)),
        )
    raise _unknown(scope, node, ast.unparse(function))


def _helped(scope: Scope, node: ast.Call, member: Compiled, *, own: bool) -> Expression:
    """A call of another compiled method or function."""
    values = [expression(scope, each) for each in node.args]
    text = read(_chosen(scope, node, member, values))
    parameters = text.parameters[1:] if own else text.parameters
    if len(parameters) != len(values):
        raise scope.refusal(node, f"{text.name}() has {len(parameters)} arguments, but is given {len(values)}.")
    for each, value in zip(node.args, values, strict=True):
        if isinstance(value.kind, Vector) and value.kind.form == "positions":
            raise scope.refusal(each, f"`{ast.unparse(each)}` cannot be handed on.", "hand on the move.")
    own_kinds = {each.kind.what for each in values if isinstance(each.kind, Special)}
    if "segment" in own_kinds or (scope.facts.folds and "state" in own_kinds):
        what = "a segment" if "segment" in own_kinds else "the state of a fold"
        raise scope.refusal(node, f"{what} cannot be handed on.", "hand on numbers of it.")
    kinds: dict[str, Kind] = {text.parameters[0]: Special("self")} if own else {}
    kinds |= {name: _given(name, value.kind) for name, value in zip(parameters, values, strict=True)}
    function = _helper(scope, node, text, kinds)
    scope.writes |= function.writes
    handed = tuple(
        value
        for value in values
        if (is_local(value.kind) or not isinstance(value.kind, Vector | Matrix))
        and not (isinstance(value.kind, Special) and value.kind.what != "random")
    )
    loops = any(isinstance(each, For) and effects(each.body)[1] for each in nodes(function.body))
    sets = function.reads, function.writes, function.takes
    return Helper(function.returns, scope.line(node), function.name, handed, *sets, loops)


def _given(name: str, kind: Kind) -> Kind:
    """The kind of a helper's parameter; a list that it is given has the parameter's name, and is only read."""
    if isinstance(kind, MatrixRow) and kind.matrix.local:  # a row is handed on as a list
        kind = Vector(name, kind.matrix.element, kind.matrix.columns, typed=True, local=True)
    found = general(kind)
    if isinstance(found, Vector | Matrix) and found.local:
        return attrs.evolve(found, origin=name, written=False)
    return found


def _helper(scope: Scope, node: ast.Call, text: Text, kinds: dict[str, Kind]) -> Function:
    unit = scope.unit
    key = (text.function, tuple(kinds.items()), scope.cost)
    if key in unit.reading:
        raise scope.refusal(node, f"{text.name}() calls itself, which is not translated.", "write a loop.")
    if key not in unit.helpers:
        unit.reading.append(key)
        begun = unit.counts.get(text.name, int(text.name in ROOTS and text.name != "init"))
        count = unit.counts[text.name] = begun + 1
        name = unit.names.another(text.name if count == 1 else f"{text.name}_{count}")
        unit.helpers[key] = read_function(unit, text, kinds, scope.cost, name)
        unit.reading.pop()
    return unit.helpers[key]


def _chosen(scope: Scope, node: ast.Call, member: Compiled, values: list[Expression]) -> Any:
    if len(member.overloads) == 1:
        return member.overloads[0]
    from metaheur.translator.overloads import move_class

    moves = [value.kind.of for value in values if isinstance(value.kind, MoveKind)]
    for function in member.overloads:
        kinds = move_class(function)
        if moves and (kinds is None or moves[-1] in [each.kind for each in kinds]):
            return function
    raise scope.refusal(node, f"{member.name}() has no overload for what it is given.")


def _made(scope: Scope, node: ast.Call, kind: type[Move]) -> Expression:
    """A move that is made, as `SwapMove(i, j)`."""
    values: list[ast.expr] = []
    for each in node.args:
        values += each.elts if isinstance(each, ast.Tuple) else [each]
    wanted = [each.name for each in attrs.fields(kind) if each.init]  # type: ignore[arg-type]
    if kind.__name__ == "FlipMove":
        raise scope.refusal(node, "a FlipMove cannot be made here: how many bits it flips is not known.")
    if len(values) != len(wanted):
        raise scope.refusal(
            node, f"a {kind.__name__} has {len(wanted)} fields ({', '.join(wanted)}), not {len(values)}."
        )
    made = tuple(whole_number(scope, each, "a field of a move") for each in values)
    return Make(MoveKind(kind), scope.line(node), made)


ROOTS = frozenset(name for names in CALLED.values() for name in names)
"""Functions that metaheur calls; compiled methods that call one of these names call a helper with another name."""

_DRAWS = {"bits": (1, Whole(0, 2**32 - 1)), "integer": (3, None), "index": (2, None)}


def _drawn(scope: Scope, node: ast.Call, random: Expression, name: str) -> Expression:
    if name not in _DRAWS or len(node.args) != _DRAWS[name][0]:
        raise scope.refusal(
            node,
            f"`{ast.unparse(node)}` is not translated.",
            "random.bits(draw), random.integer(draw, low, high) or random.index(draw, size).",
        )
    values = [whole_number(scope, each, "an argument") for each in node.args]
    kind = _DRAWS[name][1]
    if name == "integer":
        kind = whole(as_whole(values[1].kind).low, as_whole(values[2].kind).high)
    if name == "index":
        kind = whole(0, max(0, as_whole(values[1].kind).high - 1))
    assert kind is not None
    return Call(kind, scope.line(node), f".{name}", (random, *values))


def _of_component(scope: Scope, node: ast.Call, owner: Expression, kind: type[Component], name: str) -> Expression:
    """A call of a function of a part's own part."""
    signature = PARTS.get(name)
    if signature is None or signature.keeps or signature.returns is None:
        raise scope.refusal(
            node,
            f"{kind.__name__}.{name}() cannot be called here.",
            maybe_one_of(name, [each for each, made in PARTS.items() if not made.keeps and made.returns]),
        )
    if len(node.args) != len(signature.numbers):
        raise scope.refusal(node, f"{name}() has {len(signature.numbers)} arguments, but is given {len(node.args)}.")
    values = tuple(number(scope, each) for each in node.args)
    return Call(signature.returned(floating=scope.facts.floating), scope.line(node), f".{name}", (owner, *values))


# ---- built-in functions

_BUILT_IN: tuple[Any, ...] = (
    abs,
    all,
    any,
    bool,
    builtins.sum,
    divmod,
    float,
    independent,
    int,
    len,
    max,
    min,
    range,
)
_OF_MATH = (math.isqrt, math.sqrt, math.floor, math.ceil)


def _built_in(scope: Scope, node: ast.Call, function: Any) -> Expression:
    name, arguments = function.__name__, node.args
    if function in (range, independent, divmod):
        way = {"divmod": "write q, r = divmod(a, b)."}.get(name, "write for k in range(...).")
        raise scope.refusal(node, f"{name}() cannot be used here.", way)
    if len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp) and function in (sum, min, max, any, all):
        return _folded(scope, node, name, arguments[0])
    if len(arguments) == 1 and function in (sum, min, max, any, all) and _is_array(scope, arguments[0]):
        return _folded(scope, node, name, _entries(arguments[0]))
    if function in (sum, any, all):
        brackets = len(arguments) == 1 and isinstance(arguments[0], ast.ListComp)
        way = (
            f"leave the brackets out: {name}(... for k in ...)."
            if brackets
            else f"write {name}(... for k in range(...))."
        )
        raise scope.refusal(node, f"{name}() is translated with a generator or an array only.", way)
    if function in (min, max):
        if len(arguments) < 2:
            raise scope.refusal(
                node,
                f"{name}() is translated with two numbers or more, a generator or an array.",
                f"write {name}(... for k in range(...)).",
            )
        return smaller(scope, node, name, [number(scope, each) for each in arguments])
    if len(arguments) != 1:
        raise scope.refusal(node, f"{name}() has one argument here, not {len(arguments)}.")
    if function is len:
        array = expression(scope, arguments[0])
        if not isinstance(array.kind, Vector | Matrix | MatrixRow):
            raise scope.refusal(node, f"len() is of an array, but this is {described(array.kind)}.")
        return length(scope, array)
    value = number(scope, arguments[0])
    if function is abs:
        a = possible(value.kind)
        bounds = whole(0 if a.low < 0 else a.low, max(-a.low, a.high), cost=a.cost) if a else None
        kind = Float(bounds) if isinstance(value.kind, Float) or bounds is None else bounds
        return Call(kind, scope.line(node), "py_abs", (value,))
    return converted(scope, node, name, value)


def _is_array(scope: Scope, node: ast.expr) -> bool:
    """Whether an argument is an array, or a slice of one."""
    match node:
        case ast.Subscript(value=array, slice=ast.Slice() | ast.Tuple(elts=[_, ast.Slice()])):
            pass
        case ast.Name() | ast.Attribute() | ast.Subscript() as array:
            pass
        case _:
            return False
    return isinstance(expression(scope, array).kind, Vector | Matrix | MatrixRow)


def _entries(array: ast.expr) -> ast.GeneratorExp:
    """The entries of an array as a generator."""
    name = f"entry_{array.lineno}_{array.col_offset}"
    goes = ast.comprehension(ast.Name(name, ast.Store()), array, [], is_async=0)
    made = ast.copy_location(ast.GeneratorExp(ast.Name(name, ast.Load()), [goes]), array)
    return ast.fix_missing_locations(made)


def _mathematical(scope: Scope, node: ast.Call, name: str) -> Expression:
    if len(node.args) != 1:
        raise scope.refusal(node, f"math.{name}() has one argument.")
    value, line = number(scope, node.args[0]), scope.line(node)
    if name == "isqrt":
        if isinstance(value.kind, Float):
            raise scope.refusal(node, "math.isqrt() is of a whole number.", "write math.sqrt(...).")
        return Call(whole(0, 3_037_000_499, cost=as_whole(value.kind).cost), line, "py_isqrt", (value,))
    if name == "sqrt":
        return Call(Float(), line, "sqrt", (as_float(value),))
    return truncated(scope, node, f"py_{name}", as_float(value))


def _of_floats(scope: Scope, node: ast.Call, half: FloatFunction) -> Expression:
    """A call of a function of floats that has a half in C++."""
    if scope.facts.family != "problem":
        raise scope.refusal(node, f"{half.python}() is translated in methods of problems only.", "write a .cuh file.")
    if len(node.args) != half.arguments:
        reason = f"{half.python}() has {half.arguments} arguments, but is given {len(node.args)}."
        raise scope.refusal(node, reason)
    values = tuple(as_float(number(scope, each)) for each in node.args)
    return Call(Float(), scope.line(node), half.name, values)


def _folded(scope: Scope, node: ast.Call, name: str, generator: ast.GeneratorExp) -> Expression:
    """sum(... for k in range(...) if ...), and the like."""
    loops, taken = [], []
    for each in generator.generators:
        if not isinstance(each.target, ast.Name) or each.is_async:
            many = f"a generator has one variable in each `for`, not `{ast.unparse(each.target)}`."
            raise scope.refusal(node, many, f"{by_places(each.iter)}.")
        variable = each.target.id
        goes = over(scope, node, variable, each.iter)
        if variable in scope.loops or variable in scope.parameters or variable in scope.assigned:
            raise scope.refusal(
                node, f"{variable} is the variable of a generator, and something else.", "use another name."
            )
        scope.loops[variable] = goes.kind
        taken.append(variable)
        loops.append((goes, tuple(test(scope, condition) for condition in each.ifs)))
    element = test(scope, generator.elt) if name in ("any", "all") else number(scope, generator.elt)
    for variable in taken:
        del scope.loops[variable]
    return Fold(_fold_kind(scope, node, name, element.kind, loops), scope.line(node), name, element, tuple(loops))


def _fold_kind(scope: Scope, node: ast.Call, name: str, kind: Kind, loops: list[Any]) -> Kind:
    if name in ("any", "all"):
        return Truth()
    if name != "sum":
        return kind
    if isinstance(kind, Float):
        if kind.whole not in (None, Whole(0, 0)):
            raise scope.refusal(
                node,
                "this adds floats and whole numbers, which Python does not add alike.",
                "write sum(float(...) ...).",
            )
        filled = all(least(goes) > 0 and not tests for goes, tests in loops)
        return Float(None if filled else Whole(0, 0))  # the sum of nothing is the whole number 0
    a, most_of_all = as_whole(kind), 1
    for goes, _ in loops:
        most_of_all *= max(1, most(goes))
    joined = join(Whole(0, 0), whole(a.low * most_of_all, a.high * most_of_all, cost=a.cost))
    assert joined is not None
    return joined
