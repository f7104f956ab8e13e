"""Selects the overload of a compiled method by the class of the move, and by the part of a solution that it changes."""

from __future__ import annotations

from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, Union, final, get_args, get_origin, get_type_hints

from attrs import frozen

from metaheur.marker import Compiled
from metaheur.move import Move
from metaheur.neighborhoods.on import PartMove

__all__ = ["MoveOf", "inside", "move_class", "overload_for", "overload_or_none"]


@final
@frozen
class MoveOf:
    """The class of moves that an annotation names, and the part in ``Annotated[SwapMove, "order"]``; "" for none."""

    kind: type[Move]
    part: str = ""

    def fits(self, move: Any) -> bool:
        """Whether a move is of this class, in this part."""
        if self.part:
            return isinstance(move, PartMove) and move.part == self.part and isinstance(move.move, self.kind)
        return isinstance(move, self.kind)


def inside(move: Any) -> Any:
    """The move that a formula receives: the move itself, or, for a move of a part, the move inside the part."""
    return move.move if isinstance(move, PartMove) else move


def overload_or_none(member: Compiled, arguments: Any) -> Any:
    """The overload whose annotation fits the last move among the arguments; None if there is none."""
    moves = [argument for argument in arguments if isinstance(argument, Move)]
    for function in member.overloads:
        kinds = move_class(function)
        if kinds is None or (moves and any(kind.fits(moves[-1]) for kind in kinds)):
            return function
    return None


def overload_for(member: Compiled, arguments: Any) -> Any:
    """The overload whose annotation fits the last move among the arguments; raises TypeError if there is none."""
    function = overload_or_none(member, arguments)
    if function is None:
        moves = [type(argument).__name__ for argument in arguments if isinstance(argument, Move)]
        raise TypeError(f"{member.name} has no overload for {', '.join(moves)}")
    return function


_classes: dict[Any, tuple[MoveOf, ...] | None] = {}


def move_class(function: Any) -> tuple[MoveOf, ...] | None:
    """The class of moves (or several) that a function's parameters are annotated with; None if there is none."""
    if function not in _classes:
        hints = get_type_hints(function, include_extras=True)
        hints.pop("return", None)
        _classes[function] = tuple(dict.fromkeys(each for hint in hints.values() for each in _moves_in(hint))) or None
    return _classes[function]


def _moves_in(hint: Any, part: str = "") -> Iterator[MoveOf]:
    """The classes of moves that an annotation names."""
    if get_origin(hint) is Annotated:
        kind, name, *_ = get_args(hint)
        yield from _moves_in(kind, name if isinstance(name, str) else part)
    elif get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from _moves_in(each, part)
    elif isinstance(hint, type) and issubclass(hint, Move) and hint is not Move:
        yield MoveOf(hint, part)
