"""Checks of numbers and other arguments: as functions, and as converters of attrs fields."""

from __future__ import annotations

import math
import operator
import re
import sys
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from metaheur.errors import InputError

__all__ = [
    "device_field",
    "instance_field",
    "ratio",
    "real",
    "real_field",
    "require_device",
    "require_instance",
    "require_ratio",
    "true_or_false",
    "whole",
    "whole_field",
    "whole_numbers",
]

LARGEST = 2**63 - 1
"""The largest whole number that a device can hold."""

_FINEST = 10**6
"""The largest denominator of a fraction: its products with the length of a solution then fit into 64 bits."""


def whole(value: Any, name: str, low: int = 1, high: int = LARGEST, *, maybe: str = "") -> int:
    """Return a whole number as a Python int, and refuse anything else.

    `value`: what must be a whole number in low ... high; a truth value is refused. `name`: what the message calls it.
    `low`, `high`: the smallest and the largest value. `maybe`: the way out, for the message. Raises InputError if it is
    not a whole number, or outside the range.

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

    `low`, `high`: the smallest and the largest value. `default`: the default; if it is None, None is allowed as a
    value. `maybe`: the way out, for the message. `**more`: passed on to `attrs.field`, such as ``kw_only=True``.
    """

    def convert(value: Any, owner: Any, field: attrs.Attribute[Any]) -> int | None:
        name = f"{type(owner).__name__}.{field.name}"
        return None if value is None and default is None else whole(value, name, low, high, maybe=maybe)

    converter = attrs.Converter(convert, takes_self=True, takes_field=True)  # type: ignore[misc, unused-ignore]
    return attrs.field(converter=converter, default=default, **more)


def real(  # noqa: PLR0913 - a range has two ends, each open or closed
    value: Any,
    name: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
    maybe: str = "",
) -> int | float:
    """Return a finite number as a Python int if it is whole, otherwise as a float, and refuse anything else.

    So 60 and 60.0 are one limit, in records of runs, too.

    `value`: what must be a finite number in low ... high; a truth value is refused. `name`: what the message calls it.
    `low`, `high`: the smallest and the largest value. `above`, `below`: whether `low`, and `high`, are excluded.
    `maybe`: the way out, for the message. Raises InputError if it is not a finite number, or outside the range.

    Examples
    --------
    >>> real(0.5, "rate")
    0.5
    """
    plain = value.item() if isinstance(value, np.integer | np.floating) else value
    finite = type(plain) in (int, float) and abs(plain) <= sys.float_info.max
    if not (finite and (low < plain if above else low <= plain) and (plain < high if below else plain <= high)):
        lower = "" if low == -math.inf else f" above {low:g}" if above else f" from {low:g} on"
        upper = "" if high == math.inf else f" below {high:g}" if below else f" up to {high:g}"
        span = lower + (" and" if lower and upper else "") + upper
        raise InputError(f"`{name}` must be a finite number{span}, but is {value!r}.", maybe)
    return int(plain) if plain == int(plain) else plain


def real_field(low: float = -math.inf, high: float = math.inf, *, default: Any = attrs.NOTHING, **more: Any) -> Any:
    """Declare an attrs field that holds a finite number as a Python float; see `real`.

    `low`, `high`: the smallest and the largest value. `default`: the default; if it is None, None is allowed as a
    value. `**more`: `above`, `below` and `maybe` as for `real`; the rest is passed on to `attrs.field`, such as
    ``kw_only=True``.
    """
    rules = {name: more.pop(name) for name in ("above", "below", "maybe") if name in more}

    def convert(value: Any, owner: Any, field: attrs.Attribute[Any]) -> float | None:
        name = f"{type(owner).__name__}.{field.name}"
        return None if value is None and default is None else float(real(value, name, low, high, **rules))

    converter = attrs.Converter(convert, takes_self=True, takes_field=True)  # type: ignore[misc, unused-ignore]
    return attrs.field(converter=converter, default=default, **more)


def ratio(value: Any) -> Any:
    """The fraction with the value of a number's decimal digits: 1.1 is 11/10, so that 1.1 times 10 is 11.

    A converter of attrs fields. Other values stay as they are, for `require_ratio` to refuse.
    """
    if _is_ratio(value) and not (isinstance(value, Fraction) and value.denominator > _FINEST):
        return Fraction(str(value)).limit_denominator(_FINEST)
    return value


def _is_ratio(value: Any) -> bool:
    kinds = int | float | np.integer | np.floating | Fraction
    return isinstance(value, kinds) and not isinstance(value, bool) and bool(0 <= value <= 1000)


def require_ratio(owner: Any, field: attrs.Attribute[Any], value: Any) -> None:
    """Refuse what `ratio` has not made a fraction in 0 ... 1000; a validator of attrs.

    Raises InputError if it is not a number in this range, or a fraction too fine for 64 bits; the message has the way
    out that the field's metadata have as "maybe".
    """
    name = f"{type(owner).__name__}.{field.name}"
    if not _is_ratio(value):
        raise InputError(f"`{name}` must be a number in 0 ... 1000, but is {value!r}.", field.metadata.get("maybe", ""))
    if value.denominator > _FINEST:
        raise InputError(
            f"The denominator of `{name}` must be at most {_FINEST}, but it is {value!r}.",
            f"round it with limit_denominator({_FINEST}).",
        )


def choice_field(*choices: str, default: Any = attrs.NOTHING, **more: Any) -> Any:
    """Declare an attrs field that holds one of several words; in C++ the field is the word's number, from 0.

    `*choices`: the words. `**more`: passed on to `attrs.field`.
    """

    def check(owner: Any, field: attrs.Attribute[Any], value: Any) -> None:
        if value not in choices:
            known = ", ".join(f'"{word}"' for word in choices)
            raise InputError(f"`{type(owner).__name__}.{field.name}` must be one of {known}, but is {value!r}.")

    return attrs.field(validator=check, default=default, metadata={"choices": choices}, **more)


def instance_field(kind: type | tuple[type, ...], maybe: str = "", **more: Any) -> Any:
    """Declare an attrs field that holds an instance of a class.

    `kind`: the class, or several. `maybe`: the way out, for the message. `**more`: passed on to `attrs.field`.
    """

    def check(owner: Any, field: attrs.Attribute[Any], value: Any) -> None:
        require_instance(value, f"{type(owner).__name__}.{field.name}", kind, maybe)

    return attrs.field(validator=check, **more)


def require_instance(value: Any, name: str, kind: type | tuple[type, ...], maybe: str = "") -> None:
    """Refuse a value that is no instance of a class; `name` and `maybe` are for the message."""
    if not isinstance(value, kind):
        kinds = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
        raise InputError(f"`{name}` must be of the type {kinds}, but is {value!r}.", maybe)


def true_or_false(owner: Any, field: attrs.Attribute[Any], value: Any) -> None:
    """Refuse a field that is neither True nor False; a validator of attrs."""
    if not isinstance(value, bool):
        raise InputError(f"`{type(owner).__name__}.{field.name}` must be True or False, but is {value!r}.")


def whole_numbers(values: Any, name: str, low: int) -> tuple[int, ...]:
    """Return several whole numbers, of a sequence or an array, as Python ints, and refuse anything else.

    `values`: one number or more. `name`: what the message calls them. `low`: the smallest value; the largest is 2**31 -
    1. Raises InputError if there is none, or one that is no whole number or is out of range; names it.
    """
    if isinstance(values, str) or not isinstance(values, Iterable) or not (listed := list(values)):
        raise InputError(f"`{name}` must be one whole number or more, but is {values!r}.", f"write ({low}, {low}).")
    return tuple(whole(value, f"{name}[{i}]", low, 2**31 - 1) for i, value in enumerate(listed))


def require_device(name: object) -> None:
    """Refuse a name that is not the name of a device."""
    if not isinstance(name, str) or not re.fullmatch(r"auto|numpy|host|cuda(:\d{1,4})?", name):
        raise InputError(f"{name!r} is not the name of a device.", 'use "auto", "numpy", "host", "cuda" or "cuda:1".')


def device_field(**more: Any) -> Any:
    """Declare an attrs field that holds the name of a device, "auto" by default.

    `**more`: passed on to `attrs.field`.
    """
    return attrs.field(default="auto", validator=lambda _, __, name: require_device(name), **more)
