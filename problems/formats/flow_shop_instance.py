"""Permutation flow shops as their files state them."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np
import numpy.typing as npt
from attrs import Attribute, Converter, field, frozen

from metaheur.errors import InputError
from metaheur.problems.formats.numbers import integral
from metaheur.problems.formats.tokens import Tokens

__all__ = ["LONGEST", "FlowShopInstance", "nonnegative", "take_sizes"]

Integers = npt.NDArray[np.int64]

LONGEST: Final = 2**53
"""The largest time, due date or weight."""

_LARGEST_SIZE: Final = 100_000


def _convert(value: Any, attribute: Attribute[Any]) -> Any:
    if value is None:
        return None
    try:
        array = np.asarray(value)
    except ValueError:
        raise InputError(f"`{attribute.name}` is ragged: its rows have different lengths.") from None
    ndim = 2 if attribute.name == "times" else 1
    if array.dtype.kind not in "iu" or array.ndim != ndim or not array.size:
        raise InputError(
            f"`{attribute.name}` must be {('a vector', 'a matrix')[ndim - 1]} of integers, but is an array of "
            f"{array.dtype} of shape {array.shape}."
        )
    if array.min() < 0 or int(array.max()) > LONGEST:
        wrong = array.min() if array.min() < 0 else array.max()
        raise InputError(f"`{attribute.name}` must be in 0 ... 2**53, but holds {wrong}.")
    array = np.array(array, np.int64, order="C")
    array.flags.writeable = False
    return array


def nonnegative(**options: Any) -> Any:
    """Declare an attrs field that holds None or integers in 0 ... 2**53: a read-only int64 array.

    `**options`: passed on to `attrs.field`. The field called ``times`` has two dimensions, any other one.
    """
    converter: Any = Converter(_convert, takes_field=True)
    return field(converter=converter, **options)


@final
@frozen(eq=False)
class FlowShopInstance:
    """A permutation flow shop, as its file states it.

    Parameters
    ----------
    times : array_like of int64, shape (n, m)
        The time of each of n jobs (a row) on each of m machines (a column), 0 ... 2**53.
    due_dates : array_like of int64, shape (n,), keyword-only, optional
        When each job should be finished, 0 ... 2**53.
    weights : array_like of int64, shape (n,), keyword-only, optional
        How much a job's tardiness counts, 0 ... 2**53.
    seed : int, keyword-only, optional
        The time seed that the file states.
    lower_bound, upper_bound : int, keyword-only, optional
        Of the makespan, as the file states them.

    Raises
    ------
    InputError
        If a field is not as described.
    """

    times: Integers = nonnegative()
    due_dates: Integers | None = nonnegative(default=None, kw_only=True)
    weights: Integers | None = nonnegative(default=None, kw_only=True)
    seed: int | None = field(default=None, kw_only=True)
    lower_bound: int | None = field(default=None, kw_only=True)
    upper_bound: int | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        for name in ("due_dates", "weights"):
            vector = getattr(self, name)
            if vector is not None and len(vector) != len(self.times):
                raise InputError(
                    f"`{name}` must hold a value for each of {len(self.times)} jobs, but holds {len(vector)}."
                )


def take_sizes(tokens: Tokens) -> tuple[int, int]:
    """Take the numbers of jobs and machines, each in 1 ... 100,000, with which most files begin.

    Raises InputError if the next two tokens are not such numbers.
    """
    places = tokens.take(2, "sizes: the numbers of jobs and machines")
    n, m = integral(tokens, places, "a number of jobs or machines", 1, _LARGEST_SIZE).tolist()
    return n, m
