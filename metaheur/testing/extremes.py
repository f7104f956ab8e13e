"""Problems like a given one, with numbers as large as possible."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, TypeVar

import attrs
import numpy as np

from metaheur.errors import InputError
from metaheur.problem import Problem

__all__ = ["extremes"]

P = TypeVar("P", bound=Problem)

MOST = 2**61
"""The largest sum of all absolute values of a problem's data, even if it accepts more: a sum never overflows."""


def extremes(problem: P, accepts: Callable[[P], bool]) -> Iterator[tuple[str, P]]:
    """Problems like a given one whose data are as large as possible.

    The whole numbers of the fields that `data` declares, of all fields and of each subset, are multiplied by about the
    largest factor that both the problem and `accepts` allow. Then every second number moves 1 towards 0, if this is
    accepted, too, so that sums that were equal differ a little.

    `problem`: an instance of an attrs class, which may refuse values of its fields by an InputError. `accepts`: whether
    a problem is useful. Yields `words`: the fields that were multiplied, and the factor. `problem`: the problem;
    problems with the most enlarged fields come first. If the largest factor is 1, there is none.
    """
    kind: Any = type(problem)
    declared = attrs.fields(kind) if attrs.has(kind) else ()
    data = [each.name for each in declared if each.metadata.get("data", ("",))[0].startswith("int")]
    names = [name for name in data if getattr(problem, name) is not None]
    for count in range(len(names), 0, -1):
        for some in combinations(names, count):
            found = _most_extreme(problem, some, accepts)
            if found is not None:
                yield found


def _most_extreme(problem: P, names: tuple[str, ...], accepts: Callable[[P], bool]) -> tuple[str, P] | None:
    """The fields and their factor in words, and the problem with the largest numbers there; None if the factor is 1."""

    def made(factor: int, nearer: int = 0) -> P | None:
        other = _multiplied(problem, names, factor, nearer)
        return other if other is not None and accepts(other) else None

    factor = _largest(lambda factor: made(factor) is not None)
    if factor == 1:
        return None
    found = made(factor, 1)
    if found is None:
        found = _multiplied(problem, names, factor, 0)
    assert found is not None
    return f"{', '.join(f'`{name}`' for name in names)} times {factor}", found


def _multiplied(problem: P, names: tuple[str, ...], factor: int, nearer: int) -> P | None:
    """The problem with multiplied fields, every second number moved by `nearer` towards 0; None if refused."""
    changed: dict[str, Any] = {}
    for name in names:
        old = np.asarray(getattr(problem, name))
        numbers = [value * factor for value in old.ravel().tolist()]
        for i in range(0, len(numbers), 2):
            numbers[i] -= nearer * ((numbers[i] > 0) - (numbers[i] < 0))
        changed[name] = np.array(numbers, object).reshape(old.shape) if old.ndim else numbers[0]
    if sum(abs(value) for each in changed.values() for value in np.ravel(each).tolist()) > MOST:
        return None
    try:
        other: Any = attrs.evolve(problem, **changed)  # type: ignore[misc]
    except InputError:
        return None
    return other  # type: ignore[no-any-return]


def _largest(accepted: Callable[[int], bool]) -> int:
    """About the largest accepted factor up to 2**61: at most a thousandth smaller, and 1 at least."""
    low = 1 << bisect_left(range(1, MOST.bit_length()), True, key=lambda bits: not accepted(1 << bits))
    high = 2 * low
    while high - low > 1 + low // 1000:
        middle = (low + high) // 2
        low, high = (middle, high) if accepted(middle) else (low, middle)
    return low
