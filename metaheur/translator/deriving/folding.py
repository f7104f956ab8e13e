"""Costs that carry numbers from item to item, as folds: `start`, `step` and `finish` follow from one loop."""

from __future__ import annotations

import ast
import weakref
from collections.abc import Callable, Sequence
from typing import Any, final

import attrs

from metaheur.errors import CompileError, InputError
from metaheur.machine.parsing import parsed
from metaheur.marker import Compiled, compiled_members
from metaheur.problem import Problem, is_fold
from metaheur.translator.deriving.affine import copied, named, substituted
from metaheur.translator.deriving.data import DataFacts
from metaheur.translator.deriving.derived import derivation_of, distrusted, leave_out
from metaheur.translator.deriving.list_costs import list_methods
from metaheur.translator.deriving.writing import as_text
from metaheur.translator.facts import facts_of
from metaheur.translator.folds import start_of
from metaheur.translator.half import made_half
from metaheur.translator.linked import has_lists
from metaheur.translator.reading import Text, read, remember

__all__ = ["distrust", "fold_methods", "fold_of"]

_FOLDED = ("SwapMove", "SubstitutionMove", "FlipMove", "InsertionMove", "TwoOptMove")
"""The moves whose changes of cost a fold knows."""

_known: dict[int, tuple[weakref.ref[Problem], Problem | None]] = {}


def fold_of(problem: Problem, moves: Sequence[type[Any]]) -> Problem | None:
    """A problem with the same data whose cost is a fold, if nothing else can be derived; None if there is no fold."""
    kind = type(problem)
    members = compiled_members(kind)
    if (
        is_fold(kind)
        or kind.derives is False
        or distrusted(problem)
        or {*members} & {"delta", "init", "commit", "update"}
        or "cost" not in members
    ):
        return None
    if problem.objectives or problem.cost_type == "int32" or kind.delta is not Problem.delta:
        return None
    lists = has_lists(problem.representation)
    if problem.cost_type != "int64" if lists else not any(each.__name__ in _FOLDED for each in moves):
        return None
    if derivation_of(problem, moves, demanded=False).methods:
        return None
    key = id(problem)
    if key not in _known or _known[key][0]() is not problem:
        _known[key] = (weakref.ref(problem, lambda _: _known.pop(key, None)), _made(problem, members, moves))
    return _known[key][1]


def distrust(problem: Problem, moves: Sequence[type[Any]], why: str) -> bool:
    """Derive nothing more from a problem's cost; whether anything was derived, and the class can do without it."""
    if type(problem).derives or not (derivation_of(problem, moves).methods or fold_of(problem, moves) is not None):
        return False
    leave_out(problem, why)
    return True


def _made(problem: Problem, members: dict[str, Compiled], moves: Sequence[type[Any]]) -> Problem | None:
    """The problem with other methods; None if these cannot be translated."""
    cost, kind = members["cost"], type(problem)
    text = read(cost.overloads[0])
    try:
        if has_lists(problem.representation):
            found_in = list_methods(text, cost.overloads[0], DataFacts(problem))
            methods, settings = found_in.texts, found_in.settings
        else:
            methods, settings = fold_methods(text, cost.overloads[0]), {}
    except CompileError:
        return None
    own = [base for base in reversed(kind.__mro__) if not issubclass(Problem, base)]
    given = [(name, value) for base in own for name, value in vars(base).items()]
    body: dict[str, Any] = {name: value for name, value in given if not _belongs(name, value)}
    body |= {name: Compiled(text.function, cost.translator) for name, text in methods.items()} | settings
    folded: type[Problem] = type(kind.__name__, (Problem,), body)
    attrs_fields: dict[str, Any] = {each.name: getattr(problem, each.name) for each in attrs.fields(kind)}  # type: ignore[arg-type]
    found = object.__new__(_with_fields(folded, kind))
    for name, value in attrs_fields.items():
        object.__setattr__(found, name, value)
    try:  # whether it can be translated
        if is_fold(folded):
            start_of(found)
        made_half(facts_of(found, problem.representation, cost_type=problem.cost_type, moves=moves), mapped=False)
    except (CompileError, InputError, AttributeError, TypeError, IndexError, NameError):
        return None
    return found


def _belongs(name: str, value: object) -> bool:
    """Whether a class that defines a cost alone has such an attribute: `cost`, or one that Python or attrs adds."""
    return name in ("cost", "__dict__", "__weakref__", "__slots__") or type(value).__name__ == "member_descriptor"


def _with_fields(folded: type[Problem], kind: type[Problem]) -> type[Problem]:
    """The class with the fields of another one."""
    folded.__attrs_attrs__ = attrs.fields(kind)  # type: ignore[attr-defined, arg-type]
    folded.__module__, folded.__qualname__ = kind.__module__, kind.__qualname__
    return folded


# ---- the text


def fold_methods(text: Text, cost: Callable[..., Any]) -> dict[str, Text]:
    """`start`, `step` and `finish` of a cost that goes through the items once and carries numbers and lists along."""
    own, x = text.parameters
    names = {x: ast.Name("x", ast.Load()), own: ast.Name("self", ast.Load())}
    body = [substituted(each, names) for each in text.statements]
    at = [k for k, each in enumerate(body) if isinstance(each, ast.For) and _goes(each) is not None]
    if len(at) != 1:
        raise text.refusal(text.tree, "the cost does not go through the solution in one loop.")
    loop = body[at[0]]
    assert isinstance(loop, ast.For)
    found = _Carried(text, loop, body[: at[0]], body[at[0] + 1 :])
    state, inner, behind = found.state, found.inner, found.behind
    if any(isinstance(each, ast.Name) and each.id == "x" for one in (*inner, *behind) for each in ast.walk(one)):
        raise text.refusal(loop, "the loop reads other entries of the solution.")
    if any(name in named(each) for each in text.tree.body for name in (_BEFORE, _LAST, _FIRST)):
        raise text.refusal(loop, f"the loop has a variable {_BEFORE}, {_LAST} or {_FIRST}.")
    given_names = {name for value in state.values() for name in named(parsed(value, mode="eval"))}
    if given_names & {"x", *state, *found.after}:
        raise text.refusal(loop, "the state at the start depends on the solution, or on itself.")
    if not state or any(isinstance(each, ast.Return) for one in inner for each in ast.walk(one)):
        raise text.refusal(loop, "the loop carries no numbers, or returns.")
    if any(_entry_of(each, state) for one in behind for each in ast.walk(one)):
        raise text.refusal(loop, "the state is changed behind the loop.")
    kept: dict[str, ast.expr] = {name: parsed(f"s.{name}", mode="eval").body for name in state}
    local = state.keys() & found.after
    ends = [*found.ends, *(f"{name} = s.{name}" for name in sorted(local))]
    finish = [ast.unparse(substituted(each, {k: v for k, v in kept.items() if k not in local})) for each in behind]
    starts = ", ".join(f"{name!r}: {value}" for name, value in state.items())
    before = f", {_BEFORE}" if any(_BEFORE in named(each) for each in inner) else ""
    last = f", {_LAST}" if any(_LAST in named(each) for each in behind) else ""
    lines = {
        "start": ("start(self)", [f"return {{{starts}}}"]),
        "step": (f"step(self, s, {found.item}{before})", [ast.unparse(_in_state(each, state)) for each in inner]),
        "finish": (f"finish(self, s{last})", [*ends, *finish]),
    }
    return {name: remember(as_text(text, cost, head, body)) for name, (head, body) in lines.items()}


@final
class _Carried:
    """The numbers and lists that one loop through the solution carries.

    `state`: the carried numbers and lists, with what they are at the start. `inner`, `behind`: the statements of the
    loop, and those behind it, where the item, the one before, the first and the last have names. `ends`: statements
    that name what is known before the loop and read behind it. `after`: the names that are written behind the loop.
    """

    def __init__(self, text: Text, loop: ast.For, before: Sequence[ast.stmt], behind: Sequence[ast.stmt]) -> None:
        self.item, self.place, self.first = _goes(loop) or ("", "", 0)
        self.changed, self.after = _written(loop.body), _written(behind)
        self.state: dict[str, str] = {}
        self.values: dict[str, ast.expr] = {}
        self.ends: list[str] = []
        self.begins: dict[str, ast.expr] = {}
        for each in before:
            for name, value in _assignments(text, each):
                self.begin(name, substituted(value, self.values))
        reads = _ReadsItem(self.item, self.place, known=bool(self.first))
        self.behind = [_ReadsEnds().visit(substituted(each, self.values)) for each in behind]
        self.inner = self.steps([reads.visit(substituted(each, self.values)) for each in loop.body])

    def begin(self, name: str, value: ast.expr) -> None:
        """Note what a name is before the loop."""
        if name in self.changed and self.first and named(value) & {"x", *self.begins}:
            self.state[name] = "0"
            self.begins[name] = value
        elif name in self.changed:
            self.state[name] = ast.unparse(value)
        elif name in self.after:
            self.ends.append(f"{name} = {ast.unparse(value)}")
        else:
            self.values[name] = value

    def steps(self, inner: list[ast.stmt]) -> list[ast.stmt]:
        """The statements for an item; those of the loop do not run for the first one if the loop begins behind it."""
        if any(_FIRST in named(each) for each in self.behind):
            self.state[_FIRST] = "0"
            self.begins[_FIRST] = parsed("x[0]", mode="eval").body
        given = [parsed(f"{name} = {ast.unparse(one)}").body[0] for name, one in self.begins.items()]
        begins = [_ReadsItem(self.item, "0", known=False).visit(copied(each)) for each in given]
        if self.place and any(self.place in named(each) for each in inner):
            self.state[self.place] = str(self.first)
            inner = [*inner, parsed(f"{self.place} += 1").body[0]]
        if begins:
            return [ast.If(_IS_FIRST, begins, inner)] if self.first else [ast.If(_IS_FIRST, begins, []), *inner]
        return [ast.If(ast.UnaryOp(ast.Not(), _IS_FIRST), inner, [])] if self.first else inner


def _goes(loop: ast.For) -> tuple[str, str, int] | None:
    """The variable of the item, that of its position or "", and the first position, of a loop through the solution."""
    match loop:
        case ast.For(target=ast.Name(id=item), iter=ast.Name(id="x"), orelse=[]):
            return item, "", 0
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=item)]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id="x")]),
            orelse=[],
        ):
            return item, place, 0
        case ast.For(
            target=ast.Name(id=place), iter=ast.Call(func=ast.Name(id="range"), args=[*first, length]), orelse=[]
        ) if ast.unparse(length) in _LENGTHS and [ast.unparse(each) for each in first] in ([], ["0"], ["1"]):
            return "item_", place, int([ast.unparse(each) for each in first] == ["1"])
    return None


_BEFORE, _LAST, _FIRST = "prev_", "last_", "first_"
"""The item before, which is -1 for the first one; the last item; and the first one, in the state."""

_IS_FIRST = parsed(f"{_BEFORE} < 0", mode="eval").body
_LENGTHS = ("self.n", "len(x)")


class _ReadsItem(ast.NodeTransformer):
    """Replaces `x[k]` by the item, and `x[k - 1]` by the item before, where there is one.

    `known`: whether there is one, as in a loop from 1 on; otherwise only below a test such as `k > 0`.
    """

    def __init__(self, item: str, place: str, *, known: bool) -> None:
        self.item, self.place, self.known = item, place, known

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if self.place and ast.unparse(node) == f"x[{self.place}]":
            return ast.Name(self.item, ast.Load())
        if self.place and self.known and ast.unparse(node) == f"x[{self.place} - 1]":
            return ast.Name(_BEFORE, ast.Load())
        self.generic_visit(node)
        return node

    def visit_If(self, node: ast.If) -> ast.If:
        test, known = self.tested(node.test)
        body = [self.below(each, known=known is True) for each in node.body]
        orelse = [self.below(each, known=known is False) for each in node.orelse]
        return ast.If(test, body, orelse)

    def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
        test, known = self.tested(node.test)
        body, orelse = self.below(node.body, known=known is True), self.below(node.orelse, known=known is False)
        return ast.IfExp(test, body, orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if isinstance(node.op, ast.And):
            return self.tested(node)[0]
        self.generic_visit(node)
        return node

    def tested(self, test: ast.expr) -> tuple[ast.expr, bool | None]:
        """A condition, and whether it says that there is an item before (True) or none (False)."""
        text = ast.unparse(test)
        if self.place and text in (f"{self.place} > 0", f"{self.place} >= 1", f"{self.place} != 0", self.place):
            return ast.UnaryOp(ast.Not(), _IS_FIRST), True
        if self.place and text in (f"{self.place} == 0", f"{self.place} < 1", f"not {self.place}"):
            return _IS_FIRST, False
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            parts, known = list[ast.expr](), self.known
            for each in test.values:
                part, holds = _ReadsItem(self.item, self.place, known=known).tested(each)
                parts.append(part)
                known = known or holds is True
            return ast.BoolOp(test.op, parts), known or None
        found: ast.expr = self.visit(test)
        return found, None

    def below(self, node: Any, *, known: bool) -> Any:
        """A part of the loop, where it may be known that there is an item before."""
        return _ReadsItem(self.item, self.place, known=self.known or known).visit(node)


class _ReadsEnds(ast.NodeTransformer):
    """Replaces the first and the last entry of the solution by names."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        text = ast.unparse(node)
        if text in ("x[-1]", *(f"x[{length} - 1]" for length in _LENGTHS)):
            return ast.Name(_LAST, ast.Load())
        if text == "x[0]":
            return ast.Name(_FIRST, ast.Load())
        self.generic_visit(node)
        return node


def _written(body: Sequence[ast.stmt]) -> set[str]:
    """The names that statements write, or whose entries they write."""
    found = set()
    for each in (one for node in body for one in ast.walk(node)):
        if isinstance(each, ast.Name | ast.Subscript) and isinstance(each.ctx, ast.Store):
            root: ast.expr = each
            while isinstance(root, ast.Subscript):
                root = root.value
            found |= {root.id} if isinstance(root, ast.Name) else set()
    return found


def _entry_of(node: ast.AST, state: dict[str, str]) -> bool:
    """Whether an entry of a list of the state is written."""
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and bool(_written([ast.Expr(node)]) & state.keys())
    )


def _assignments(text: Text, node: ast.stmt) -> list[tuple[str, ast.expr]]:
    """The names that a statement before the loop gives values."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return [(name, value)]
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(names) == len(values):
            return [(ast.unparse(name), value) for name, value in zip(names, values, strict=True)]
    raise text.refusal(node, f"`{ast.unparse(node).splitlines()[0]}` comes before the loop over the solution.")


class _State(ast.NodeTransformer):
    """Replaces names of the state by `s.name`, also where they are written."""

    def __init__(self, state: dict[str, str]) -> None:
        self.state = state

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Attribute(ast.Name("s", ast.Load()), node.id, node.ctx) if node.id in self.state else node


def _in_state(node: ast.stmt, state: dict[str, str]) -> ast.stmt:
    found: ast.stmt = _State(state).visit(copied(node))
    return found
