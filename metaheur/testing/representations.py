"""The check of a representation: draws, facts, distances, reasons, and the same draws on every device."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product

import numpy as np

from metaheur.component import undrawn
from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed, InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.marker import is_compiled
from metaheur.random import START, Key, Random
from metaheur.representation import Representation, Solution
from metaheur.testing.compiled_check import CompiledCheck, ConstantProblem, chosen_devices, require_instance
from metaheur.testing.enumeration import solutions_of
from metaheur.testing.faults import lines_named
from metaheur.testing.members import check_names

__all__ = ["check_representation"]

DRAWS = 64
"""Solutions that are drawn and looked at."""

COMPARED = 10
"""Solutions whose distances are compared, three at a time."""

COUNTED = 120
"""The most solutions of a space whose draws are counted, and how often each is drawn on average."""

EACH = 30


def check_representation(
    representation: Representation, *, seed: int = 0, devices: Iterable[str] | None = None
) -> None:
    """Check a representation: it draws solutions, and what it says of them is true.

    * `random` draws solutions of its `length` and `dtype`, the same for the same random numbers, with entries in their
      `domain`; `starts` draws the same; so does the C++ half on every device, by one thread and by a whole team.
    * In a space of up to 120 solutions each is drawn with the same probability, by a chi-square test.
    * `distance` is a metric: 0 from a solution to itself, the same in both directions, never longer than over a third
      solution. It may be 0 between arrays that stand for the same solution, but not between all.
    * `violation` gives a reason for an entry below 0 or beyond `values`, and for what no fact allows.
    * The facts hold for what was drawn: any values go together (`independent`), any entries may trade (`exchanges`),
      all arrangements are solutions and nothing else is (`arranges`).

    Parameters
    ----------
    representation : Representation
        The representation; a small one is checked more closely.
    seed : int, default 0
        The seed of what is drawn.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine, if there is a C++ half.

    Raises
    ------
    CheckFailed
        If something is wrong; names the first solution or draw for which it is.
    """
    require_instance(representation, Representation, "check_representation", "Permutation(5)")
    keys = [Key(seed, walk) for walk in range(DRAWS)]
    drawn = _drawn(representation, keys)
    _check_facts(representation, drawn, seed)
    _check_reasons(representation, drawn[0])
    _check_distances(representation, drawn[:COMPARED])
    _check_chances(representation, seed)
    if not undrawn(representation):
        for device in chosen_devices(devices, type(representation).__name__):
            _check_cpp(representation, keys, drawn, device_of(device))


def _drawn(space: Representation, keys: list[Key]) -> np.ndarray:
    """What `random` draws, looked at one by one; `starts` must draw the same."""
    rows = []
    for key in keys:
        x, again = (np.asarray(space.random(Random(key, START, 0))) for _ in range(2))
        what = f"{space!r}.random with {key!r}"
        if x.shape != (space.length,) or x.dtype != space.dtype:
            raise CheckFailed(
                f"{what} draws an array of {x.dtype} of the shape {x.shape}, but solutions are {space.dtype} of "
                f"({space.length},)."
            )
        if (x != again).any():
            raise CheckFailed(f"{what} draws {x}, and the next time {again}.", "draw from `random` alone.")
        if reason := _reason(space, x):
            raise CheckFailed(f"{what} draws {x}, which is no solution: {reason}")
        for k in range(space.length):
            if not 0 <= x[k] < space.domain(k) <= space.values:
                raise CheckFailed(
                    f"{what} draws {x[k]} at position {k}, but domain({k}) is {space.domain(k)} and values "
                    f"{space.values}."
                )
        rows.append(x)
    found = np.asarray(space.starts(keys))
    for key, x, start in zip(keys, rows, found, strict=True):
        if (x != start).any() or start.dtype != space.dtype:
            raise CheckFailed(f"{space!r}.starts draws {start} with {key!r}, but random {x}.")
    return np.array(rows)


def _reason(space: Representation, x: Solution) -> str:
    """The reason that `violation` gives; it must not write into x, and return a text."""
    given = x.copy()
    reason = space.violation(given)
    if not isinstance(reason, str) or (given != x).any():
        raise CheckFailed(
            f'{space!r}.violation returned {reason!r} for {x}, which is then {given}: it returns a text, or "", and '
            "writes nothing."
        )
    return reason


def _check_facts(space: Representation, drawn: np.ndarray, seed: int) -> None:
    random = Random(Key(seed), 0, 1)
    n = space.length
    if space.arranges and space.values != n:
        raise CheckFailed(f"{space!r} arranges 0 ... {n - 1}, but has {space.values} values.")
    for number, x in enumerate(drawn):
        made = {}
        if space.independent:
            values = [random.index(number * n + k, space.domain(k)) for k in range(n)]
            made["is independent"] = np.array(values, space.dtype)
        i, j = sorted(random.index(2 * number + side, n) for side in range(2))
        if space.exchanges:
            made["exchanges"] = x.copy()
            made["exchanges"][[i, j]] = x[[j, i]]
        if space.arranges:
            made["arranges"] = random.permutation(n).astype(space.dtype)
        for fact, y in made.items():
            if reason := _reason(space, y):
                raise CheckFailed(f"{space!r} {fact}, but {y} is no solution: {reason}", "the fact is not true.")
        if space.arranges and i < j:
            twice = x.copy()
            twice[i] = x[j]
            if not _reason(space, twice):
                raise CheckFailed(f"{space!r} arranges 0 ... {n - 1}, but violation has no reason against {twice}.")


def _check_reasons(space: Representation, x: Solution) -> None:
    """An entry below 0, or beyond all values, must have a reason."""
    for k, value in product(sorted({0, space.length // 2, space.length - 1}), (-1, space.values, 2**31 - 1)):
        wrong = x.astype(np.int64)
        wrong[k] = value
        if not _reason(space, wrong):
            raise CheckFailed(
                f"{space!r}.violation has no reason against {wrong}, although position {k} holds {value} and the "
                f"values are 0 ... {space.values - 1}."
            )
        try:
            space.validate(wrong)
        except InputError:
            continue
        raise CheckFailed(f"{space!r}.validate takes {wrong}.")


def _check_distances(space: Representation, drawn: np.ndarray) -> None:
    count = len(drawn)
    apart = np.array([[space.distance(x, y) for y in drawn] for x in drawn])
    if apart.dtype.kind not in "iu" or (apart < 0).any():
        raise CheckFailed(f"{space!r}.distance is {apart.min()!r} for some solutions: it is a whole number, 0 or more.")
    for a, b in product(range(count), repeat=2):
        same = f"{space!r}.distance from {drawn[a]} to {drawn[b]} is {apart[a, b]}"
        if apart[a, b] != apart[b, a]:
            raise CheckFailed(f"{same}, but {apart[b, a]} in the other direction.")
        if apart[a, b] and (drawn[a] == drawn[b]).all():
            raise CheckFailed(f"{same}, but they are equal.")
        for c in range(count):
            if apart[a, c] + apart[c, b] < apart[a, b]:
                raise CheckFailed(f"{same}, but over {drawn[c]} only {apart[a, c]} + {apart[c, b]}.")
    if not apart.any() and (drawn != drawn[0]).any():
        raise CheckFailed(f"{space!r}.distance is 0 between all of {count} solutions, which differ.")


def _check_chances(space: Representation, seed: int) -> None:
    """Draw all solutions of a small space many times, and count them."""
    try:
        everyone = solutions_of(space, COUNTED, "")
    except CheckFailed:
        return
    for x in everyone:
        if reason := _reason(space, x):
            raise CheckFailed(f"{space!r}: the facts allow {x}, but violation says: {reason}", "a fact is not true.")
    times = {x.tobytes(): 0 for x in everyone}
    keys: Iterator[Key] = (Key(seed, walk) for walk in range(DRAWS, DRAWS + EACH * len(everyone)))
    while some := list(islice(keys, 1024)):
        for x in space.starts(some):
            times[np.ascontiguousarray(x).tobytes()] += 1
    counts, freedom = np.array(list(times.values())), len(everyone) - 1
    chi = float(((counts - EACH) ** 2).sum() / EACH)
    if chi > freedom + 8 * (2 * freedom) ** 0.5 + 8:  # 8 standard deviations: a fair draw does not come near it
        rare, often = everyone[int(counts.argmin())], everyone[int(counts.argmax())]
        raise CheckFailed(
            f"{space!r}.random is not fair: of {counts.sum()} draws, {EACH} for each solution, {counts.max()} are "
            f"{often} and {counts.min()} are {rare} (chi-square {chi:.0f} with {freedom} degrees of freedom).",
            "draw all solutions with the same probability.",
        )


def _check_cpp(space: Representation, keys: list[Key], drawn: np.ndarray, device: Device) -> None:
    """The C++ half draws the same: by one thread for each of many walks, and by a team."""
    check_names(space, ("draw",))
    with lines_named(space):
        alone = DeviceEvaluator(ConstantProblem(space), device)
        _compare(space, alone.starts(keys), drawn, f"{device.name}, by one thread")
        checked = device.kind == "host" and is_compiled(type(space))
        arrays = {
            "x": np.zeros_like(drawn),
            "count": len(keys),
            "seeds": np.array([(key.seed, key.walk) for key in keys], np.uint32).ravel(),
        }
        unit = CompiledCheck(
            ConstantProblem(space), {}, device, ("testing/representation.cuh",), arrays, checked=checked
        )
        unit.launch("draws")
        _compare(space, unit.read("x"), drawn, f"{device.name}, by a team")


def _compare(space: Representation, found: np.ndarray, drawn: np.ndarray, where: str) -> None:
    wrong = (found != drawn).any(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise CheckFailed(
            f"{space!r}, walk {row}: draw in C++ on {where} draws {found[row]}, but random in Python {drawn[row]}."
        )
