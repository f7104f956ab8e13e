"""The way of a run as a hash, and the first difference between two runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import numpy as np

from metaheur.running.result import Improvement, Result

__all__ = ["difference", "trajectory_digest"]

COLUMNS = ("seeds", "walks", "costs", "iterations", "evaluated", "improved_at")
"""The columns of the table of walks that do not depend on the clock."""


def trajectory_digest(result: Result) -> str:
    """A hash chained over the start, the improvements and the end of a run: 64 hexadecimal digits.

    Two runs of one walk with the same digest found the same improvements at the same iterations, and ended at the same
    one with the same best solution. Improvements of several walks together are known between chunks of iterations only,
    so that these runs are compared by the end of every walk.
    """
    found = hashlib.sha256(repr(result.start_cost).encode()).digest()
    for each in _way(result):
        found = hashlib.sha256(found + repr((each.iteration, each.cost)).encode()).digest()
    for name, value in _end(result):
        content = value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()
        found = hashlib.sha256(found + name.encode() + content).digest()
    return found.hex()


def _way(result: Result) -> tuple[Improvement, ...]:
    return result.improvements if len(result.walks) == 1 else ()


def _end(result: Result) -> Iterator[tuple[str, Any]]:
    """The outcome of a run, by name, without times and devices."""
    yield "cost", result.cost
    yield "iterations", result.iterations
    yield "evaluated", result.evaluated
    for name in COLUMNS:
        yield f"walks.{name}", _plain(getattr(result.walks, name))
    yield "solution", _plain(result.solution)
    if result.front is not None:
        yield "front.costs", _plain(result.front.costs)
        yield "front.solutions", _plain(result.front.solutions)
    if result.proof is not None:
        yield "proof", (result.proof.status, result.proof.bound, result.proof.counts)


def _plain(array: np.ndarray) -> np.ndarray:
    """The same numbers in 64 bits, so that equal numbers of a narrower type count as equal."""
    return np.ascontiguousarray(array, "<f8" if array.dtype.kind == "f" else "<i8")


def difference(before: Result, now: Result) -> str:
    """The first difference between two runs in words; "" if there is none.

    `before`, `now`: a run, and the same run made again.
    """
    walks = len(before.walks), len(now.walks)
    if walks[0] != walks[1]:
        return f"The number of walks differs: it was {walks[0]}, and now is {walks[1]}."
    if before.start_cost != now.start_cost:
        return f"The start cost {before.start_cost}, and now costs {now.start_cost}."
    for number, (old, new) in enumerate(zip_longest(_way(before), _way(now)), 1):
        texts = [f"cost {each.cost} at iteration {each.iteration}" if each else "none" for each in (old, new)]
        if texts[0] != texts[1]:
            return f"Improvement {number} differs: it was {texts[0]}, and now is {texts[1]}."
    for (name, old_end), (_, new_end) in zip(_end(before), _end(now), strict=False):
        if isinstance(old_end, np.ndarray):
            place = _first(old_end, new_end)
            if place:
                return f"`{name}` differs {place}"
        elif old_end != new_end:
            return f"`{name}` differs: it was {old_end}, and now is {new_end}."
    return ""


def _first(old: np.ndarray, new: np.ndarray) -> str:
    """The first place where two arrays differ, in words; "" if they are equal."""
    if old.shape != new.shape:
        return f"in its shape: it was {old.shape}, and now is {new.shape}."
    places = np.argwhere(old != new)
    if not len(places):
        return ""
    at = tuple(places[0].tolist())
    return f"at {at}: it was {old[at]}, and now is {new[at]}."
