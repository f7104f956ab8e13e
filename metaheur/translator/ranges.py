"""The number of a loop's iterations, the type of its counter, and the variables that are indices in range."""

from __future__ import annotations

from metaheur.translator.kinds import HIGHEST, LOWEST, NARROW, Vector, Whole, as_whole
from metaheur.translator.tree import Binary, Compare, Expression, Item, Logic, Name, Over, Unary

__all__ = ["counter", "indices", "least", "most"]


def least(goes: Over) -> int:
    """A number of iterations that a loop does not fall below; negative where it may have none."""
    low, high = as_whole(goes.low.kind), as_whole(goes.high.kind)
    return high.low - low.high if goes.step > 0 else low.low - high.high


def most(goes: Over) -> int:
    """A number of iterations that a loop does not exceed."""
    low, high = as_whole(goes.low.kind), as_whole(goes.high.kind)
    return high.high - low.low if goes.step > 0 else low.high - high.low


def counter(goes: Over) -> str:
    """The C++ type that holds the ends of a range, and the number behind the last one; "" if none does."""
    low, high = as_whole(goes.low.kind), as_whole(goes.high.kind)
    behind = (high.low + min(0, goes.step + 1), high.high + max(0, goes.step - 1))
    first, last = min(low.low, behind[0]), max(low.high, behind[1])
    if first >= -NARROW and last < NARROW:
        return "int"
    return "i64" if first >= LOWEST and last <= HIGHEST else ""


def indices(test: Expression) -> dict[str, Whole]:
    """The variables that a test always uses as indices, so that they are in range behind it."""
    found: dict[str, Whole] = {}
    pending: list[Expression] = [test]
    while pending:
        each = pending.pop()
        match each:
            case Logic(values=(first, *_)):
                pending.append(first)
            case Compare(left=left, right=right) | Binary(left=left, right=right):
                pending += left, right
            case Unary(value=value):
                pending.append(value)
            case Item(array=Expression(kind=Vector(size=size)), places=(Name(name=name),)):
                found[name] = Whole(-size.high, size.high - 1)
    return found
