"""Expressions that all lanes may compute, also lanes that do not execute the branch: every index is in range there."""

from __future__ import annotations

from typing import Any, final

from attrs import define, field

from metaheur.translator.kinds import Matrix, MatrixRow, Vector, as_whole
from metaheur.translator.scope import Function
from metaheur.translator.tree import (
    Binary,
    Call,
    Constant,
    Expression,
    Helper,
    Item,
    Let,
    Name,
    Over,
    RowOf,
    Scalar,
    Size,
    nodes,
)

__all__ = ["SIGNS", "Safety"]

_PLAIN = frozenset(("py_min", "py_max", "py_abs"))
"""Calls that mean the same for vectors as for numbers."""

SIGNS = frozenset("+-*&|^")
"""Operators that mean the same for vectors as for numbers, and that have a result for all numbers."""


@final
@define(eq=False)
class Safety:
    """The facts about the indices of a step.

    `function`: the step. `extents`: the shapes of data, `n` and the number of `items`, as in `ComponentFacts`. `spans`:
    the least and the largest value of the variables of the loops around, where they are known.
    """

    function: Function
    extents: dict[str, tuple[int, ...]]
    spans: dict[str, tuple[int, int]] = field(factory=dict)

    def enter(self, goes: Over) -> None:
        """Note the variable of a loop that begins."""
        span = self._span_of(goes)
        if span is not None:
            self.spans[goes.name] = span

    def leave(self, goes: Over) -> None:
        """Forget the variable of a loop that ends."""
        self.spans.pop(goes.name, None)

    def safe(self, thing: Any) -> bool:
        """Whether all lanes may compute the expressions of a branch, since no index can be out of range in them."""
        return all(map(self._harmless, nodes(thing)))

    def _harmless(self, node: Any) -> bool:
        """Whether a node by itself has a result in all lanes."""
        match node:
            case Item(array=array, places=places):
                return all(map(self._inside, places, self._sizes(array)))
            case RowOf(array=array, place=place):
                return self._inside(place, self._shape(array)[0])
            case Let(values=values):
                return not any(isinstance(value.kind, MatrixRow) for value in values)
            case Call(function=function):
                return function in _PLAIN
            case Binary(operation=operation):
                return operation in SIGNS
        return not isinstance(node, Helper)

    def _inside(self, place: Expression, size: int) -> bool:
        """Whether an index is in range in every call of `step`, even if the statement around it is not executed."""
        low, high = self._span(place)
        return -size <= low and high < size

    def _span(self, place: Expression) -> tuple[int, int]:
        """Bounds of an index."""
        if isinstance(place, Name) and place.name in self.spans:
            return self.spans[place.name]
        bounds = as_whole(place.kind)
        if isinstance(place, Name) and any(place.name == name for name, _ in self.function.parameters):
            return bounds.low, self.extents["items"][0] - 1
        return bounds.low, bounds.high

    def _span_of(self, goes: Over) -> tuple[int, int] | None:
        """Bounds of the variable of a loop over numbers; None if they are not known."""
        low, high = self._known(goes.low), self._known(goes.high)
        if goes.array is not None or low is None or high is None:
            return None
        return (low, high - 1) if goes.step > 0 else (high + 1, low)

    def _known(self, value: Expression) -> int | None:
        """The value of an end of a loop; None if it is not known."""
        if isinstance(value, Constant):
            return int(value.value)
        if isinstance(value, Size):
            return self._sizes(value.array)[0]
        return self.extents["n"][0] if isinstance(value, Scalar) and value.name == "n" else None

    def _sizes(self, array: Expression) -> tuple[int, ...]:
        """The length of an array or a row, or the numbers of a matrix's rows and columns."""
        return self._shape(array)[1:] if isinstance(array.kind, MatrixRow) else self._shape(array)

    def _shape(self, array: Expression) -> tuple[int, ...]:
        """The shape of an array, or of the matrix of a row."""
        kind = array.kind.matrix if isinstance(array.kind, MatrixRow) else array.kind
        assert isinstance(kind, Vector | Matrix)
        return (kind.size.low,) if isinstance(kind, Vector) and kind.written else self.extents[kind.origin]
