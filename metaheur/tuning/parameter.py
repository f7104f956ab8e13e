"""A parameter of a search that is tuned."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, final

from attrs import frozen

from metaheur.errors import InputError
from metaheur.fields import Range

__all__ = ["Parameter", "Value"]

Value = int | float | str
"""The value of a parameter: a number, or the name of a choice."""

DIGITS = 4
"""Real numbers are rounded to so many significant digits, so that their texts are short and exact."""


@final
@frozen
class Parameter:
    """A number in a range, or one of several choices.

    Parameters
    ----------
    name : str
        The fields that lead to it, such as "search.tenure.low".
    default : int, float or str
        The value that the search has, which is where tuning begins.
    range : Range or None
        The numbers; None for choices.
    choices : tuple of str
        The names of the choices; empty for numbers.
    parent, needs : str
        The parameter exists only where the parameter `parent` has the choice `needs`; both empty if it always exists.
    """

    name: str
    default: Value
    range: Range | None = None
    choices: tuple[str, ...] = ()
    parent: str = ""
    needs: str = ""

    def exists(self, configuration: Mapping[str, Value]) -> bool:
        """Whether the parameter exists beside the values of those before it."""
        return not self.parent or configuration.get(self.parent) == self.needs

    def read(self, value: Any) -> Value:
        """The value, which may be given as a text.

        Raises
        ------
        InputError
            If it is not a value of this parameter.
        """
        if self.range is None:
            if str(value) not in self.choices:
                raise InputError(
                    f"`{self.name}` must be one of {', '.join(self.choices)}, but is {value!r}.",
                    "the value belongs to another space.",
                )
            return str(value)
        try:
            number = float(value)
            inside = self.range.low <= number <= self.range.high and (not self.range.whole or number.is_integer())
        except (TypeError, ValueError):
            inside = False
        if not inside:
            kind = "whole number" if self.range.whole else "number"
            raise InputError(
                f"`{self.name}` must be a {kind} in {self.range.low} ... {self.range.high}, but is {value!r}.",
                "the value belongs to another space.",
            )
        return round(number) if self.range.whole else number

    def rounded(self, number: float) -> int | float:
        """The nearest value of the range."""
        assert self.range is not None
        if self.range.whole:
            return round(min(max(number, self.range.low), self.range.high))
        return min(max(float(f"{number:.{DIGITS}g}"), float(self.range.low)), float(self.range.high))

    def at(self, share: float) -> int | float:
        """The number at a share of the range, 0 ... 1, of its logarithms if it is logarithmic.

        Whole numbers have equal parts of the range, as if it went from low - 1/2 to high + 1/2.
        """
        low, high = self._ends()
        number = low + share * (high - low)
        return self.rounded(math.exp(number) if self.range is not None and self.range.log else number)

    def share(self, value: Value) -> float:
        """Where in the range a number is; the opposite of `at`."""
        assert self.range is not None
        low, high = self._ends()
        number = float(value)
        return ((math.log(number) if self.range.log else number) - low) / (high - low)

    def _ends(self) -> tuple[float, float]:
        assert self.range is not None
        half = 0.5 if self.range.whole else 0.0
        low, high = self.range.low - half, self.range.high + half
        return (math.log(low), math.log(high)) if self.range.log else (low, high)
