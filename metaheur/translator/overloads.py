"""Selects the overload of a compiled method by the class of the move."""

from __future__ import annotations

from typing import Any, get_type_hints

from metaheur.marker import Compiled
from metaheur.move import Move

__all__ = ["move_class", "overload_for"]


def overload_for(member: Compiled, arguments: Any, **default: Any) -> Any:
    """The overload whose annotation is the class of the last move among the arguments."""
    moves = [argument for argument in arguments if isinstance(argument, Move)]
    for function in member.overloads:
        kind = move_class(function)
        if kind is None or (moves and isinstance(moves[-1], kind)):
            return function
    if "otherwise" in default:
        return default["otherwise"]
    raise TypeError(f"{member.name} has no overload for {', '.join(type(each).__name__ for each in moves)}")


_classes: dict[Any, Any] = {}


def move_class(function: Any) -> Any:
    """The class of moves (or several) that a function's parameters are annotated with; None if there is none."""
    if function not in _classes:
        hints = get_type_hints(function)
        hints.pop("return", None)
        found = [each for hint in hints.values() for each in getattr(hint, "__args__", (hint,)) if _is_move(each)]
        _classes[function] = tuple(dict.fromkeys(found)) or None
    return _classes[function]


def _is_move(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Move) and hint is not Move
