"""Costs of lists by joined segments: the segment of one place, the join of two segments, and the price of a list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, final

import numpy as np

from metaheur.errors import CheckFailed, CompileError, InputError
from metaheur.fields import Array, is_word
from metaheur.marker import compiled_members
from metaheur.problem import Problem, level_names
from metaheur.random import Key, Random
from metaheur.representation import Representation, Solution
from metaheur.translator.exact import exact_component
from metaheur.translator.linked import has_lists

__all__ = ["Segment", "check_joins", "priced", "segment_arrays", "segment_names", "walks"]

_WAY = 'write segment = ("load", "time") in the class, and return as many numbers from unit and join.'

OWN = ("first", "last")
"""The other members of each segment: its first and its last place."""


@final
class Segment:
    """A segment in Python: its numbers by name, and its `first` and `last` place."""

    def __init__(self, names: tuple[str, ...], numbers: tuple[Any, ...], first: int, last: int) -> None:
        self.__dict__.update(zip(names, numbers, strict=True), first=first, last=last)
        self.__dict__["_numbers"] = numbers

    def __repr__(self) -> str:
        return f"({', '.join(f'{name}={value}' for name, value in self.__dict__.items() if name != '_numbers')})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Segment) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


def segment_names(problem: Problem) -> tuple[str, ...]:
    """The names of the numbers of a segment.

    Raises CompileError if the problem lacks one of `unit`, `join` and `price`, names no numbers, or its solutions have
    no lists.
    """
    kind, members = type(problem).__name__, compiled_members(type(problem))
    missing = [name for name in ("unit", "join", "price") if name not in members]
    if missing:
        raise CompileError(
            f"{kind} has a compiled join and no cost, but no compiled {' and no compiled '.join(missing)}.",
            f"write @compiled def {missing[0]}(self, {'place' if missing[0] == 'unit' else 'a'}), or a cost.",
        )
    also = [name for name in ("delta", "init", "commit", "update") if name in members]
    if also:
        raise CompileError(
            f"{kind} joins segments, and has a compiled {also[0]}, too.",
            f"leave {also[0]} out: it follows from join and price; or write cost(self, x).",
        )
    if problem.objectives:
        raise CompileError(f"{kind} has several objectives, but a list has one price.", "write cost(self, x).")
    if most_of(problem) and level_names(problem):
        raise CompileError(f"{kind} has levels, of which the most expensive list is not one.", "sum the prices.")
    names = getattr(problem, "segment", ())
    if not isinstance(names, tuple) or not names or not all(isinstance(each, str) and is_word(each) for each in names):
        raise CompileError(f"{kind}.segment must name the numbers of a segment, but is {names!r}.", _WAY)
    wrong = [name for name in names if name in OWN or names.count(name) > 1]
    if wrong:
        raise CompileError(f"{kind}.segment names {wrong[0]!r}, which each segment has.", "give it another name.")
    space: Any = problem.representation
    if not has_lists(space):
        raise CompileError(
            f"{kind} joins segments of lists, but its solutions are {space!r}.",
            "represent them by Lists(items, lists), or write cost(self, x).",
        )
    if space.optional and "left_out" not in members:
        raise CompileError(
            f"{kind} says what its lists cost, but not what an item costs if it is left out.",
            "write @compiled def left_out(self, item), which returns that.",
        )
    return names


def most_of(problem: Problem) -> bool:
    """Whether a solution costs what its most expensive list costs: `of_lists = "max"`; else it costs their sum."""
    found = getattr(problem, "of_lists", "sum")
    if found not in ("sum", "max"):
        raise CompileError(f'{type(problem).__name__}.of_lists must be "sum" or "max", but is {found!r}.')
    return bool(found == "max")


def grows(problem: Problem) -> bool:
    """Whether a longer segment never costs less, so that a part of a list can prove that the whole costs too much."""
    return bool(getattr(problem, "grows", False)) and not most_of(problem)


def walks(kind: type[Problem]) -> bool:
    """Whether a segment is only joined with single places: then no end of a list is kept."""
    return bool(getattr(kind, "segments_walk", False))


@final
class _Joined:
    """The compiled functions of a problem on Python's own numbers."""

    def __init__(self, problem: Problem) -> None:
        self.names, self.kind = segment_names(problem), type(problem).__name__
        members, self.own = compiled_members(type(problem)), exact_component(problem)
        self._unit, self._join, self.price = (members[name].overloads[0] for name in ("unit", "join", "price"))

    def unit(self, place: int) -> Segment:
        """The segment of one place."""
        return self._made("unit", self._unit(self.own, place), place, place)

    def join(self, a: Segment, b: Segment) -> Segment:
        """The segment a with b behind it."""
        return self._made("join", self._join(self.own, a, b), a.first, b.last)  # type: ignore[attr-defined]

    def whole(self, places: list[int]) -> Segment:
        """The segment of some places, joined from the left."""
        found = self.unit(places[0])
        for place in places[1:]:
            found = self.join(found, self.unit(place))
        return found

    def _made(self, name: str, numbers: Any, first: int, last: int) -> Segment:
        numbers = numbers if isinstance(numbers, tuple) else (numbers,)
        if len(numbers) != len(self.names):
            raise InputError(
                f"{name} of {self.kind} returned {numbers!r}, but a segment has the numbers {', '.join(self.names)}.",
                _WAY,
            )
        return Segment(self.names, numbers, first, last)


def priced(problem: Problem, x: Solution) -> Any:
    """The cost of a solution: the sum, or the largest, of the prices of its lists, and the costs of left out items.

    A list has its head before and behind it.
    """
    joined, space = _Joined(problem), _lists(problem)
    rings = ([space.items + k, *items, space.items + k] for k, items in enumerate(space.split(x)))
    prices = [joined.price(joined.own, joined.whole(ring)) for ring in rings]
    if most_of(problem):
        prices = [max(prices)]
    if space.optional:
        prices += [joined.own.left_out(item) for item in range(space.items) if x[item] == item]
    levels = level_names(problem)
    return tuple(map(sum, zip(*prices, strict=True))) if levels else sum(prices)


def _lists(problem: Problem) -> Any:
    return problem.representation


def check_joins(problem: Problem, seed: int) -> None:
    """Refuse a join that is not associative: ``join(join(a, b), c)`` must be ``join(a, join(b, c))``, number by number.

    Segments of random lists are compared, cut at all pairs of places. Numbers of type float64 may differ by 1e-9 of
    themselves. Raises CheckFailed with the first three segments for which it is wrong.
    """
    joined, space = _Joined(problem), _lists(problem)
    for walk in range(4):
        for k, items in enumerate(space.split(space.random(Random(Key(seed, walk), 0, 0)))):
            head = space.items + k
            for one, two, three in _cut([head, *items[:12], head]):
                a, b, c = joined.whole(one), joined.whole(two), joined.whole(three)
                _check_growth(problem, joined, one, joined.join(a, b))
                left, right = joined.join(joined.join(a, b), c), joined.join(a, joined.join(b, c))
                if not np.allclose(left._numbers, right._numbers, rtol=1e-9, atol=0) or (  # type: ignore[attr-defined]
                    problem.cost_type != "float64" and left != right
                ):
                    raise CheckFailed(
                        f"{joined.kind}.join is not associative: of the segments {one}, {two} and {three}, joined from "
                        f"the left, it makes {left}, and from the right {right}.",
                        "let each number of a segment follow from what it holds, wherever it is joined.",
                    )


def _check_growth(problem: Problem, joined: _Joined, begin: list[int], longer: Segment) -> None:
    """Refuse `grows` where the begin of a list costs more than a longer begin."""
    if not grows(problem) or begin[0] < _lists(problem).items:
        return
    short, long = (joined.price(joined.own, each) for each in (joined.whole(begin), longer))
    if short > long:
        raise CheckFailed(
            f"{joined.kind}.grows, but the list that begins with {begin} costs {short}, and {long} once it is longer.",
            "leave `grows` out.",
        )


def _cut(ring: list[int]) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """A ring of places in three parts, in every way."""
    for i in range(1, len(ring) - 1):
        for j in range(i + 1, len(ring)):
            yield ring[:i], ring[i:j], ring[j:]


def segment_arrays(problem: Problem) -> dict[str, Array]:
    """The arrays that are kept of each place and of each list, as segments.cuh describes them."""
    space: Representation = problem.representation
    n, lists = space.length, _lists(problem).lists
    return {
        "segment_numbers": Array(((1 if walks(type(problem)) else 2) * n * len(segment_names(problem)),), "cost"),
        "segment_places": Array((3 * n,), "int32"),
        "segment_ends": Array((lists,), "int32"),
        "segment_prices": Array((lists,), "cost"),
    }
