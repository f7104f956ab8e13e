"""The method `delta` that follows from a compiled `cost`, for a class of moves."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, final

import attrs
from attrs import frozen

from metaheur.errors import CompileError
from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.neighborhoods import FlipMove, SubstitutionMove, SwapMove
from metaheur.problem import Problem
from metaheur.translator.deriving.affine import Form, N, written
from metaheur.translator.deriving.cancelling import joined_pieces, product_of, summed
from metaheur.translator.deriving.differences import Moved, NotDerived, Piece, pieces_of
from metaheur.translator.deriving.sums import terms_of
from metaheur.translator.facts import ComponentFacts
from metaheur.translator.kinds import Matrix, Real, Vector
from metaheur.translator.reading import Text, names_outside, read

__all__ = ["derivations", "derived", "notes_on"]


@final
@frozen(eq=False)
class _Writes:
    """What a class of moves writes: lines that name the positions and values, and facts of the positions."""

    lines: tuple[str, ...]
    moved: tuple[Moved, ...]
    facts: tuple[Form, ...]


_ONE = (Moved("i", "u", "v"),)
_INSIDE: tuple[Form, ...] = ({"i": 1}, {N: 1, "i": -1, "": -1})

_MOVES: dict[str, _Writes] = {
    "SwapMove": _Writes(
        ("i, j = m.i, m.j", "u, v = x[i], x[j]"),
        (Moved("i", "u", "v"), Moved("j", "v", "u")),
        ({"i": 1}, {"j": 1, "i": -1, "": -1}, {N: 1, "j": -1, "": -1}),
    ),
    "SubstitutionMove": _Writes(("i = m.at", "u, v = x[i], (x[i] + m.shift) % m.values"), _ONE, _INSIDE),
    "FlipMove": _Writes(("i = m.at[0]", "u, v = x[i], 1 - x[i]"), _ONE, _INSIDE),
}
"""The moves that write one or two positions, by the names of their classes."""


def derivations(facts: ComponentFacts) -> Iterator[tuple[Text, type[Move]]]:
    """The changes of cost that are derived for a problem, each with its class of moves.

    There are none beside a `delta` of the problem's own, for a class that has `derives = False`, or where costs are not
    whole numbers of 64 bits: floats differ in the last bit where a sum has another order, and the bounds that int32
    asks for cover the terms of a cost only.

    Raises
    ------
    CompileError
        If the class has `derives = True`, and none is derived.
    """
    kind, members = facts.owner, compiled_members(facts.owner)
    wished: bool | None = getattr(kind, "derives", None)
    if wished is False or "cost" not in members or facts.folds or "delta" in members:
        return
    reason = _unfit(facts)
    if reason and wished:
        raise CompileError(f"{kind.__name__} has derives = True, but {reason}.", "leave derives out, or write delta.")
    for move in () if reason else _moves(facts):
        try:
            yield derived(members["cost"].overloads[0], move), move
        except CompileError:
            if wished:
                raise


def notes_on(facts: ComponentFacts) -> tuple[str, ...]:
    """For the reader of a half: which changes of cost are derived, or why none is; none beside a `delta`."""
    members = compiled_members(facts.owner)
    if "cost" not in members or "delta" in members or facts.folds or getattr(facts.owner, "derives", None) is False:
        return ()
    reason, notes = _unfit(facts), list[str]()
    if reason:
        return (f"No change of cost is derived: {reason}.",)
    for move in _moves(facts):
        try:
            tree = derived(members["cost"].overloads[0], move).tree
        except CompileError as error:
            return (f"No delta: {error.reason}",)
        notes += [f"Derived from cost, for {move.__name__}:", *ast.unparse(tree).splitlines()]
    return tuple(notes)


def _unfit(facts: ComponentFacts) -> str:
    """Why no change of cost is derived from any text; "" if one may be."""
    if getattr(facts.owner, "delta", Problem.delta) is not Problem.delta:
        return "it has a delta in Python"
    if facts.objectives:
        return "it has several objectives"
    elements = (kind.element if isinstance(kind, Vector | Matrix) else kind for _, kind in facts.members)
    if not facts.exact or any(isinstance(each, Real) for each in elements):
        return "its numbers are not whole numbers of 64 bits"
    return ""


def _moves(facts: ComponentFacts) -> tuple[type[Move], ...]:
    """The classes of moves that write one or two positions of the solutions."""
    if facts.arranges:
        return (SwapMove,)
    return (SwapMove, SubstitutionMove, FlipMove) if facts.items.high == 1 else (SwapMove, SubstitutionMove)


@lru_cache(maxsize=256)
def derived(cost: Callable[..., Any], move: type[Move]) -> Text:
    """The text of `delta` for a class of moves.

    Raises
    ------
    CompileError
        If none is derived, or if it has as many nested loops as the cost; with the line and the reason.
    """
    text, writes = read(cost), _MOVES[move.__name__]
    taken = {name for name, _ in names_outside(cost)} & {"i", "j", "u", "v", "k", "m", "x", "self", "total"}
    if taken:
        raise text.refusal(text.tree, f"the cost reads {min(taken)} from outside of it; no delta is derived.")
    terms = terms_of(text)
    try:
        found = [piece for term in terms for piece in pieces_of(term, writes.moved, writes.facts)]
    except NotDerived as error:
        raise text.refusal(
            text.tree, f"{error}, so that no change of cost is derived.", "write delta by hand."
        ) from None
    found = joined_pieces(found, writes.moved, writes.facts)
    deepest = max((len(term.loops) for term in terms), default=0)
    if max((len(piece.loops) for piece in found), default=0) >= max(deepest, 1):
        raise text.refusal(text.tree, "a derived change of cost has as many nested loops as the cost.", "write delta.")
    lines = [*writes.lines, "total = 0", *(line for piece in found for line in _lines(piece)), "return total"]
    source = "def delta(self, x, m):\n" + "".join(f"    {line}\n" for line in lines)
    return _as_text(text, cost, source)


def _lines(piece: Piece) -> Iterator[str]:
    """The statements of a piece."""
    indent, conditions = "", list(piece.conditions)
    for name, lows, highs in piece.loops:
        yield f"{indent}for {name} in range({_one_of('max', lows)}, {_one_of('min', highs)}):"
        indent += "    "
        conditions += [f"{name} != {written(form)}" for form in piece.apart.get(name, [])]
    if conditions:
        yield f"{indent}if {' and '.join(f'({each})' for each in conditions)}:"
        indent += "    "
    plain = [(sign, value) for sign, tests, value in piece.changes if not tests]
    if plain:
        yield f"{indent}total += {product_of(plain, frozenset('uv'))}"
    counted = [
        (sign, f"int({' and '.join(f'({each})' for each in tests)})")
        for sign, tests, value in piece.changes
        if tests and value == "1"
    ]
    if counted:  # truths are counted without a branch
        yield f"{indent}total += {summed(counted)}"
    for sign, tests, value in piece.changes:
        if tests and value != "1":
            yield f"{indent}if {' and '.join(f'({each})' for each in tests)}:"
            yield f"{indent}    total {'+' if sign > 0 else '-'}= {value}"


def _one_of(function: str, forms: Sequence[Form]) -> str:
    texts = list(dict.fromkeys(map(written, forms)))
    return texts[0] if len(texts) == 1 else f"{function}({', '.join(texts)})"


def _as_text(text: Text, cost: Callable[..., Any], source: str) -> Text:
    """Statements as a function beside the cost, which Python can run and whose line is that of the cost."""
    module = ast.parse(source)
    for node in ast.walk(module):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1  # type: ignore[attr-defined]
    made = compile(module, text.path, "exec")
    code = next(each for each in made.co_consts if hasattr(each, "co_varnames"))
    outside = {**getattr(cost, "__globals__", {}), **dict(names_outside(cost))}
    tree = module.body[0]
    assert isinstance(tree, ast.FunctionDef)
    return attrs.evolve(text, function=FunctionType(code, outside, "delta"), tree=tree)
