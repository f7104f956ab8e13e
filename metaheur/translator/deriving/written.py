"""Moves of a user's own, whose compiled `apply` writes up to three positions in one assignment."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from metaheur.marker import compiled_members
from metaheur.move import Move
from metaheur.translator.deriving.affine import Form, N, named, plus, substituted
from metaheur.translator.deriving.differences import Moved
from metaheur.translator.deriving.moves import Writes
from metaheur.translator.deriving.terms import NotDerived
from metaheur.translator.reading import Text, read

__all__ = ["of_positions", "order_of", "positions_back", "sorted_positions", "ways_of", "written_by"]

APPLY = "let a compiled apply be one assignment to up to three entries: x[self.i], x[self.j] = ..."

_AT = ("i", "j", "h")


def written_by(move: type[Move]) -> tuple[list[str], list[str]]:
    """The positions that a move writes, and their values after it, in order, as expressions of `m` and `x`."""
    members = compiled_members(move)
    text = read(members["apply"].overloads[0]) if "apply" in members else None
    if text is None or len(text.parameters) != 2:
        raise NotDerived(f"no derivation knows what a {move.__name__} changes", APPLY)
    body = text.statements
    if len(body) != 1 or not isinstance(body[0], ast.Assign) or len(body[0].targets) != 1:
        raise NotDerived(f"apply of {move.__name__} is more than one assignment", APPLY)
    target, value = body[0].targets[0], body[0].value
    targets = target.elts if isinstance(target, ast.Tuple) else [target]
    values = value.elts if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) else [value]
    if len(targets) != len(values) or len(targets) > len(_AT):
        raise NotDerived(f"apply of {move.__name__} writes more than {len(_AT)} positions", APPLY)
    return [_place(text, each, move) for each in targets], [ast.unparse(_in_delta(text, each)) for each in values]


def _place(text: Text, target: ast.expr, move: type[Move]) -> str:
    """The position of a target `x[...]`, between 0 and n - 1."""
    if not isinstance(target, ast.Subscript) or ast.unparse(target.value) != text.parameters[1]:
        raise NotDerived(f"apply of {move.__name__} writes something else than entries of the solution", APPLY)
    place = _in_delta(text, target.slice)
    if named(place) - {"m"}:
        raise NotDerived(f"apply of {move.__name__} writes at positions that depend on the solution", APPLY)
    plain = isinstance(place, ast.Attribute) and place.attr in move.unsigned
    return ast.unparse(place) if plain else f"({ast.unparse(place)}) % {N}"


def _in_delta(text: Text, node: ast.expr) -> ast.expr:
    """An expression of a move's method in a change of cost, where the move is called m."""
    own, x = text.parameters
    return substituted(node, {own: ast.Name("m", ast.Load()), x: ast.Name("x", ast.Load())})


def ways_of(count: int, lines: Callable[[Sequence[Moved], Sequence[Form]], list[str]]) -> list[str]:
    """The statements for sorted positions: all different, or some the same, where the last value counts.

    `lines` makes the statements for different positions, given these and what is known of them.
    """
    found: list[str] = []
    for same in range(2 ** (count - 1)):
        tests = [f"{_AT[k]} {'==' if same >> k & 1 else '<'} {_AT[k + 1]}" for k in range(count - 1)]
        last = [k for k in range(count) if k == count - 1 or not same >> k & 1]
        moved = [Moved(_AT[k], f"u{k}", f"w{k}") for k in last]
        names = [each.at for each in moved]
        facts: list[Form] = [{names[0]: 1}, plus({N: 1, names[-1]: -1}, {"": -1})]
        facts += [plus({after: 1, before: -1}, {"": -1}) for before, after in pairwise(names)]
        inner = lines(moved, facts) or ["pass"]
        if tests:
            found += [f"if {' and '.join(tests)}:", *(f"    {line}" for line in inner)]
        else:
            found += inner
    return found


def sorted_positions(places: Sequence[str], values: Sequence[str]) -> list[str]:
    """The statements that name positions in order, with their values before and after a move."""
    at, after = _AT[: len(places)], [f"w{k}" for k in range(len(places))]
    lines = [f"{', '.join(at)} = {', '.join(places)}", f"{', '.join(after)} = {', '.join(values)}"]
    return [*lines, *_sorted((at, after)), _read("u", at, "x")]


def positions_back(places: Sequence[str], kept: str) -> list[str]:
    """The same for the move that leads back, where `x` is the solution after the move, and the one before is kept."""
    at = _AT[: len(places)]
    return [f"{', '.join(at)} = {', '.join(places)}", *_sorted((at,)), _read("u", at, "x"), _read("w", at, f"s.{kept}")]


def order_of(places: Sequence[str], kept: str) -> list[str]:
    """The statements that write the positions into the kept copy."""
    return [f"s.{kept}[{_AT[k]}] = u{k}" for k in range(len(places))]


def _sorted(names: Sequence[Sequence[str]]) -> Iterator[str]:
    """The statements that sort positions, and other variables with them."""
    at = names[0]
    for k in [each for end in range(len(at) - 1, 0, -1) for each in range(end)]:
        before = ", ".join(each[one] for each in names for one in (k, k + 1))
        turned = ", ".join(each[one] for each in names for one in (k + 1, k))
        yield f"if {at[k]} > {at[k + 1]}:"
        yield f"    {before} = {turned}"


def _read(name: str, at: Sequence[str], array: str) -> str:
    """The statement that reads an array at positions."""
    return f"{', '.join(f'{name}{k}' for k in range(len(at)))} = {', '.join(f'{array}[{each}]' for each in at)}"


def of_positions(moved: Sequence[Moved], facts: Sequence[Form]) -> Writes:
    """The writes of a move at different positions."""
    differ = tuple({one.at: 1, other.at: -1} for k, one in enumerate(moved) for other in moved[:k])
    return Writes((), (), tuple(moved), tuple(facts), differ)
