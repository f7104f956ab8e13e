"""The check of a crossover: children are solutions, the same on every device, and keep the crossover's promises."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import numpy as np

from metaheur.device.halves import reads
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed, MetaheurError
from metaheur.parts.recombination.crossover import Crossover
from metaheur.random import Key, Random, Stream
from metaheur.representation import Representation, named
from metaheur.testing.compiled_check import CompiledCheck, ConstantProblem, chosen_devices, require_instance
from metaheur.testing.enumeration import solutions_of
from metaheur.testing.faults import lines_named
from metaheur.testing.members import PART, check_names

__all__ = ["check_recombination"]

_MOST = 1000
"""The most solutions of a representation whose pairs are all checked."""

_PROMISES = ("nothing", "common", "parents")
"""The values of `Crossover.keeps`."""


def check_recombination(
    crossover: Crossover,
    representation: Representation,
    *,
    seeds: Iterable[int] = range(3),
    devices: Iterable[str] | None = None,
) -> None:
    """Check the children of all pairs of solutions: they are solutions, and the same in Python and in C++.

    Two equal parents must have a child that is equal to them, the child must keep what `Crossover.keeps` promises, and
    be the first parent if `Crossover.copies`. The second parent must stay as it is.

    Parameters
    ----------
    crossover : Crossover
        The crossover.
    representation : Representation
        A space of up to 1000 solutions, such as Permutation(4) or BitString(5).
    seeds : iterable of int, default range(3)
        The seeds of the random numbers; each pair has a child for each seed.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine, if there is a C++ half.

    Raises
    ------
    CheckFailed
        If a child is wrong; names the first wrong child, with its parents.
    """
    require_instance(crossover, Crossover, "check_recombination", "Uniform()")
    require_instance(representation, Representation, "check_recombination", "Permutation(4)")
    if not crossover.supports(representation):
        raise CheckFailed(f"{crossover!r} does not support {representation!r}.", "check it with another one.")
    if crossover.keeps not in _PROMISES:
        raise CheckFailed(
            f"`{type(crossover).__name__}.keeps` must be one of {', '.join(_PROMISES)}, but is {crossover.keeps!r}."
        )
    everyone = solutions_of(representation, _MOST, "use Permutation(4).")
    places = np.arange(len(everyone))
    own, others = everyone[np.repeat(places, len(places))], everyone[np.tile(places, len(places))]
    wanted = list(chosen_devices(devices, type(crossover).__name__)) if reads(crossover) else []
    checks = [_compiled(crossover, representation, device, own, others) for device in wanted]
    for seed in seeds:
        children = own.copy()
        for row, other in enumerate(others):
            x = _made(crossover, named(representation, own[row]), other, Random(Key(seed), Stream.RECOMBINATION, row))
            for reason in _faults(crossover, representation, own[row], other, x):
                raise CheckFailed(f"{crossover!r}, seed {seed}: {_pair(own[row], other, x)}: {reason}")
            children[row] = x
        for device, check in zip(wanted, checks, strict=True):
            check.session.write("x", own)
            check.session.set(seed=seed)
            check.launch("children")
            found = check.read("x")
            wrong = (found != children).any(axis=1)
            if wrong.any():
                row = int(np.argmax(wrong))
                raise CheckFailed(
                    f"{crossover!r}, seed {seed}: {_pair(own[row], others[row], found[row])} in C++ on {device}, but "
                    f"{children[row].tolist()} in Python."
                )


def _compiled(
    crossover: Crossover, representation: Representation, device: str, own: np.ndarray, others: np.ndarray
) -> CompiledCheck:
    check_names(crossover, PART)
    arrays = {"x": own.copy(), "others": others, "count": len(own), "width": own.shape[1], "seed": 0}
    pieces, problem = ("testing/recombination.cuh",), ConstantProblem(representation)
    return CompiledCheck(problem, {"crossover": crossover}, device_of(device), pieces, arrays)


def _made(crossover: Crossover, own: np.ndarray, other: np.ndarray, random: Random) -> np.ndarray:
    """The child of two parents, by the Python half."""
    child, second, cross = own.copy(), other.copy(), cast("Callable[..., Any]", crossover.cross)
    call = f"{crossover!r}, seed {random.key.seed}: `cross` of {own.tolist()} and {other.tolist()}"
    try:
        with lines_named(crossover):
            returned = cross(child, second, random)
    except MetaheurError:
        raise
    except Exception as error:
        raise CheckFailed(f"{call} raises {type(error).__name__}: {error}.") from error
    if not np.array_equal(second, other):
        raise CheckFailed(
            f"{call} changes the second parent, a member of the population, to {second.tolist()}.",
            "write into x alone, or into a copy: other.copy().",
        )
    if returned is not None and returned is not child:
        raise CheckFailed(f"{call} returns {returned!r}, but must make x the child, in place.", "write x[:] = ...")
    return child


def _faults(
    crossover: Crossover, representation: Representation, own: np.ndarray, other: np.ndarray, child: np.ndarray
) -> Iterator[str]:
    """What is wrong with a child."""
    reason = representation.violation(child)
    if reason:
        yield f"the child is not a solution: {reason}"
    if np.array_equal(own, other) and not np.array_equal(child, own):
        yield "the parents are equal, but the child is another solution."
    if crossover.copies and not np.array_equal(child, own):
        yield "`copies` is True, but the child is not a copy of the first parent."
    if crossover.keeps in ("common", "parents"):
        lost = (own == other) & (child != own)
        if lost.any():
            yield f"both parents have the same value at position {int(np.argmax(lost))}, which the child does not keep."
    if crossover.keeps == "parents":
        new = (child != own) & (child != other)
        if new.any():
            yield f"the value at position {int(np.argmax(new))} is that of neither parent."


def _pair(own: np.ndarray, other: np.ndarray, child: np.ndarray) -> str:
    return f"the child of {own.tolist()} and {other.tolist()} is {child.tolist()}"
