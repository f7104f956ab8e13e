"""Levels of a cost, packed into one whole number that is ordered as they are."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterator, Sequence
from typing import Any, Final, final

import numpy as np
from attrs import field, frozen

from metaheur.errors import InputError

__all__ = ["MOST_PACKED", "Levels", "known_levels"]

MOST_PACKED: Final = 2**61
"""The limit of packed numbers: with a mark below it, they stay within int64."""

MOST_LEVELS: Final = 4


@final
@frozen
class Levels:
    """How the levels of a cost are packed: the sum of weight times value; changes of cost likewise.

    A level between low and high, 0 included, changes by at most high - low, its *reach*. Its radix is twice its reach
    plus 1, so that packed numbers are ordered as tuples are, and any levels within their reaches can be unpacked.

    Parameters
    ----------
    names : tuple of str
        The most important level first.
    bounds : tuple of (int, int)
        The least and the largest value of each level, 0 included.
    """

    names: tuple[str, ...]
    bounds: tuple[tuple[int, int], ...]
    reaches: tuple[int, ...] = field(init=False)
    weights: tuple[int, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """The weights from the bounds."""
        reach = tuple(high - low for low, high in self.bounds)
        weights = tuple(math.prod(2 * each + 1 for each in reach[k + 1 :]) for k in range(len(reach)))
        object.__setattr__(self, "reaches", reach)
        object.__setattr__(self, "weights", weights)

    @property
    def largest(self) -> int:
        """The largest packed number."""
        return sum(weight * reach for weight, reach in zip(self.weights, self.reaches, strict=True))

    def below(self) -> Levels:
        """The levels below the first one, packed in the same way."""
        return Levels(self.names[1:], self.bounds[1:])

    def packed(self, values: Any) -> Any:
        """Levels within their reaches as one number: a sequence, or an array of shape (..., L)."""
        if isinstance(values, np.ndarray):
            return values.astype(np.int64) @ np.array(self.weights, np.int64)
        return sum(weight * value for weight, value in zip(self.weights, values, strict=True))

    def unpacked(self, number: Any) -> Any:
        """The levels of a packed number as a tuple; of an array of numbers, int64, as an array of shape (..., L)."""
        out, rest = [], number
        for weight in self.weights[:-1]:  # balanced digits: half a weight is the most that lower levels add up to
            level = (rest + weight // 2) // weight
            out.append(level)
            rest = rest - level * weight
        return np.stack([*out, rest], axis=-1) if isinstance(number, np.ndarray) else (*out, rest)

    def wrong(self, numbers: np.ndarray) -> np.ndarray:
        """Which packed costs have a level out of its bounds; bool, of their shape."""
        values = self.unpacked(numbers)
        wrong: np.ndarray = ((values < self._ends[0]) | (values > self._ends[1])).any(axis=-1)
        return wrong

    @property
    def _ends(self) -> np.ndarray:
        return np.array(self.bounds, np.int64).T

    def out_of_bounds(self, name: str, values: Sequence[Any], *, change: bool = False) -> InputError | None:
        """The error of levels, returned by `name`, beyond their bounds, or of changes beyond reaches; None without."""
        limits = [(-reach, reach) for reach in self.reaches] if change else self.bounds
        for level, value, (low, high) in zip(self.names, values, limits, strict=True):
            if not low <= value <= high:
                what = "changes" if change else "values"
                return InputError(
                    f"{name} gives {level} = {value:,}, but by `level_bounds` its {what} lie between {low:,} and "
                    f"{high:,}.",
                    "widen the bounds of this level; they hold for every solution of the space.",
                )
        return None

    @property
    def numbers(self) -> dict[str, int]:
        """What C++ packs levels with, by the names of members."""
        weights = {f"weight_of_{name}": weight for name, weight in zip(self.names, self.weights, strict=True)}
        return {**weights, **{f"reach_of_{name}": reach for name, reach in zip(self.names, self.reaches, strict=True)}}

    def ceiling(self, target: Any, name: str) -> int:
        """The highest packed cost that reaches a target: a number for each level, or None for it and all below."""
        given = tuple(target) if isinstance(target, tuple | list) else None
        known = [] if given is None else [each for each in given if each is not None]
        wrong = given is None or not known or len(given) > len(self.names) or given[: len(known)] != tuple(known)
        if given is None or wrong:
            raise InputError(
                f"The target {target!r} does not fit the levels {', '.join(self.names)} of {name}.",
                f"write ({', '.join(['0', *['None'] * (len(self.names) - 1)])}): None leaves a level and those below "
                "open.",
            )
        found = [high for _, high in self.bounds]
        for k, each in enumerate(known):
            low, high = self.bounds[k]
            found[k] = max(low - 1, min(high, math.floor(each)))
            if found[k] != each:  # all that is lower is open
                break
        return int(self.packed(found))


_known: dict[int, tuple[weakref.ref[Any], Levels]] = {}


def known_levels(problem: Any) -> Levels:
    """How the levels of a problem's costs are packed; see `metaheur.problem.levels_of`."""
    number = id(problem)
    found = _known.get(number)
    if found is None or found[0]() is not problem:
        found = _known[number] = weakref.ref(problem, lambda _: _known.pop(number, None)), _made(problem)
    return found[1]


def _made(problem: Any) -> Levels:
    """The levels of a problem, looked at for the first time."""
    names, name = problem.levels, type(problem).__name__
    well = isinstance(names, tuple) and all(isinstance(each, str) and each.isidentifier() for each in names)
    if not well or not 2 <= len(set(names)) == len(names) <= MOST_LEVELS:
        raise InputError(
            f"{name}.levels must be a tuple of 2 ... {MOST_LEVELS} different names, but is {names!r}.",
            'write levels = ("hard", "soft").',
        )
    if problem.objectives:
        raise InputError(
            f"{name} has both `levels` and `objectives`; an objective of several levels is not supported.",
            "leave one of both out.",
        )
    if problem.cost_type != "int64" or hasattr(problem, "change_type"):
        raise InputError(f"{name} has `levels`, so all its changes of cost must be int64.", "scale floats to integers.")
    levels = Levels(names, tuple(_bounds(name, names, getattr(problem, "level_bounds", tuple)())))
    if levels.largest >= MOST_PACKED:
        bounds = ", ".join(
            f"{level} {low:,} ... {high:,}" for level, (low, high) in zip(names, levels.bounds, strict=True)
        )
        raise InputError(
            f"{name}: costs with the bounds {bounds} need numbers up to {levels.largest:,}, but only numbers below "
            f"2**61 = {MOST_PACKED:,} can be packed.",
            "prove closer bounds in `level_bounds`, or scale the data down.",
        )
    return levels


def _bounds(name: str, names: Sequence[str], declared: Any) -> Iterator[tuple[int, int]]:
    """The pairs that `level_bounds` returned, widened to hold 0."""
    pairs = list(declared)
    if len(pairs) != len(names):
        raise InputError(
            f"{name}.level_bounds must return a pair for each of the levels {', '.join(names)}, but returned "
            f"{declared!r}.",
            f"write def level_bounds(self): return {', '.join(['(0, 1000)'] * len(names))}.",
        )
    for level, pair in zip(names, pairs, strict=True):
        numbers = [each.item() if isinstance(each, np.generic) else each for each in np.ravel(np.array(pair, object))]
        if len(numbers) != 2 or not all(type(each) is int for each in numbers) or numbers[0] > numbers[1]:
            raise InputError(
                f"{name}.level_bounds: the bounds of {level} must be the least and the largest value, two whole "
                f"numbers, but are {pair!r}."
            )
        yield min(0, numbers[0]), max(0, numbers[1])
