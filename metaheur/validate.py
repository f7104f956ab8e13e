"""The check of whole numbers, once: as a function, and as the converter of an attrs field."""

from __future__ import annotations

import operator
from typing import Any

import attrs
import numpy as np

from metaheur.errors import InputError

__all__ = ["whole", "whole_field"]

LARGEST = 2**63 - 1
"""The largest whole number that a device can hold."""


def whole(value: Any, name: str, low: int = 1, high: int = LARGEST, *, maybe: str = "") -> int:
    """Return a whole number as a Python int, and refuse anything else.

    Parameters
    ----------
    value : int or numpy.integer
        What must be a whole number in low ... high; a truth value is refused.
    name : str
        What the message calls it.
    low, high : int
        The smallest and the largest value.
    maybe : str, optional
        The way out, for the message.

    Raises
    ------
    InputError
        If it is not a whole number, or outside the range.

    Examples
    --------
    >>> whole(3, "walks")
    3
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = low - 1
    if isinstance(value, bool | np.bool_) or not low <= number <= high:
        span = f"from {low} on" if high >= LARGEST else f"in {low} ... {high}"
        raise InputError(f"`{name}` must be a whole number {span}, but is {value!r}.", maybe)
    return number


def whole_field(
    low: int = 1, high: int = LARGEST, *, default: Any = attrs.NOTHING, maybe: str = "", **more: Any
) -> Any:
    """Declare an attrs field that holds a whole number; see `whole`.

    Parameters
    ----------
    low, high : int
        The smallest and the largest value.
    default : int or None, optional
        The default; if it is None, None is allowed as a value.
    maybe : str, optional
        The way out, for the message.
    **more
        Passed on to `attrs.field`, such as ``kw_only=True``.
    """

    def convert(value: Any, field: attrs.Attribute[Any]) -> int | None:
        return None if value is None and default is None else whole(value, field.name, low, high, maybe=maybe)

    converter = attrs.Converter(convert, takes_field=True)  # type: ignore[misc, unused-ignore]
    return attrs.field(converter=converter, default=default, **more)
