"""The check of a neighborhood: its numbering, and the contract of its moves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import attrs
import numpy as np

from metaheur.device.device import Device
from metaheur.device.halves import reads
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.move import Move
from metaheur.neighborhood import Neighborhood
from metaheur.random import Key, Random
from metaheur.representation import Representation, Solution
from metaheur.testing.compiled_check import CompiledCheck, ConstantProblem, chosen_devices, require_instance
from metaheur.testing.guards import Guards
from metaheur.testing.members import NEIGHBORHOOD, check_names

__all__ = ["check_neighborhood", "numbers_of", "rows_of"]


def check_neighborhood(
    neighborhood: Neighborhood, representation: Representation, *, seed: int = 0, devices: Iterable[str] | None = None
) -> None:
    """Check the numbering of a neighborhood against its generator, and the contract of every move.

    Parameters
    ----------
    neighborhood : Neighborhood
        The neighborhood. `move` must follow the order of `moves`, `index` must invert it, and `batch` must agree. A
        move must lead to another valid solution, and its inverse must lead back. The C++ half must agree in its size,
        `unrank`, `index`, `apply` and groups; and in `place`, `value` and `around` if it has them and `writes` is not
        None. Kept arrays hold garbage before `prepare`, and the memory around them must not change.
    representation : Representation
        The solutions, short enough to enumerate all moves.
    seed : int, default 0
        The seed of the solution.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine.

    Raises
    ------
    CheckFailed
        If a move breaks the contract; names the first such move.
    """
    require_instance(neighborhood, Neighborhood, "check_neighborhood", "Swap()")
    require_instance(representation, Representation, "check_neighborhood", "Permutation(5)")
    name = f"{type(neighborhood).__name__} on {representation!r}"
    if not neighborhood.supports(representation):
        raise CheckFailed(f"{name}: supports() is False.", "check it on a representation that it supports.")
    x = representation.validate(
        representation.random(Random(Key(seed), 0, 0))
    ).copy()  # writable, so that a write into it is noticed
    oracle = list(neighborhood.moves(representation))
    size = neighborhood.size(representation)
    if len(oracle) != size:
        raise CheckFailed(f"{name}: moves() yields {len(oracle)} moves, but size() is {size}.")
    for k, expected in enumerate(oracle):
        _check_number(neighborhood, representation, k, expected)
        _check_promises(representation, x, expected, name)
        if neighborhood.writes is not None:
            _check_placements(x, expected, neighborhood.writes, name)
    _check_batch(neighborhood, representation, oracle, name)
    if reads(neighborhood):
        for device in chosen_devices(devices, type(neighborhood).__name__):
            _check_cpp(neighborhood, representation, x, oracle, device_of(device))


def _check_number(neighborhood: Neighborhood, representation: Representation, k: int, expected: Any) -> None:
    name = f"{type(neighborhood).__name__} on {representation!r}"
    move = neighborhood.move(representation, k)
    if move != expected:
        raise CheckFailed(f"{name}: move({k}) is {move!r}, but move {k} of moves() is {expected!r}.")
    index = neighborhood.index(representation, move)
    if index != k:
        raise CheckFailed(f"{name}: index({move!r}) is {index}, but its index is {k}.")


def _check_promises(representation: Representation, x: Solution, move: Any, name: str) -> None:
    before = x.copy()
    moved = move.apply(x)
    if not isinstance(moved, np.ndarray) or moved.shape != x.shape:
        raise CheckFailed(f"{name}: {move!r}.apply returns {str(moved)[:60]}, not a solution.", "end it with return y.")
    if (x != before).any() or np.shares_memory(moved, x):
        raise CheckFailed(f"{name}: {move!r}.apply writes into its argument.", "work on a copy.")
    if representation.violation(moved):
        raise CheckFailed(f"{name}: {move!r} leads from {x} to {moved}: {representation.violation(moved)}")
    resolved = move.resolve(x)
    if resolved is None:
        if (moved != x).any():
            raise CheckFailed(f"{name}: {move!r} is infeasible in {x}, but leads to {moved}.")
        return
    if (moved == x).all():
        raise CheckFailed(f"{name}: {move!r} does not change {x}.")
    back = resolved.inverse().apply(moved)
    if (back != x).any():
        raise CheckFailed(f"{name}: {move!r} leads from {x} to {moved}, and its inverse to {back}, not back.")


def _check_placements(x: Solution, move: Any, writes: int, name: str) -> None:
    written, placements = x.copy(), move.placements(x)
    for position, value in placements:
        written[position] = value
    if (written != move.apply(x)).any():
        raise CheckFailed(
            f"{name}: the placements of {move!r} lead from {x} to {written}, but apply to {move.apply(x)}."
        )
    if len(placements) != writes:
        raise CheckFailed(f"{name}: {move!r} has {len(placements)} placements, but `writes` is {writes}.")


def _check_batch(neighborhood: Neighborhood, representation: Representation, oracle: list[Any], name: str) -> None:
    moves = neighborhood.batch(representation, np.arange(len(oracle)))
    if moves is NotImplemented or not oracle:
        return
    for number, values in enumerate(numbers_of(moves)):
        expected = np.array([numbers_of(move)[number] for move in oracle])
        if (values != expected).any():
            k = int(np.argmax(values != expected))
            raise CheckFailed(
                f"{name}: number {number} of the move with index {k} is {values[k]} in batch(), "
                f"but it is {oracle[k]!r}."
            )


def numbers_of(move: Any) -> list[Any]:
    """The numbers of a move, or the arrays of many moves, field by field; tuples and moves are flattened."""
    if isinstance(move, Move):
        fields = attrs.fields(type(move))  # type: ignore[arg-type]
        move = tuple(getattr(move, field.name) for field in fields if "python only" not in field.metadata)
    return [number for value in move for number in numbers_of(value)] if isinstance(move, tuple) else [move]


def _check_cpp(
    neighborhood: Neighborhood, representation: Representation, x: Solution, oracle: list[Move], device: Device
) -> None:
    """Check the C++ half: sizes, `unrank`, `index`, `apply`, groups and, if it has one, `around`."""
    name = f"{type(neighborhood).__name__} on {representation!r} on {device.name}"
    size = len(oracle)
    expected = rows_of(oracle, x)
    arrays = {
        "indices": np.arange(size),
        "count": size,
        "width": expected.shape[1],
        "sizes": np.full(3, -1, np.int64),
        "fields": np.full(expected.shape, -1, np.int32),
        "ranks": np.full(size, -1, np.int64),
        "x": np.tile(x, (size + 1, 1)).astype(representation.dtype),
        "touched": np.zeros(size, np.int32),
        "written": np.full((size, 2 * (neighborhood.writes or 0)), -1, np.int32),
        "writes": neighborhood.writes or 0,
    }
    pieces = ("testing/moves.cuh", "testing/neighborhood.cuh")
    problem = ConstantProblem(representation)
    check_names(neighborhood, NEIGHBORHOOD)
    unit = CompiledCheck(problem, {"neighborhood": neighborhood}, device, pieces, arrays)
    guards = Guards(unit, name)

    unit.launch("measure")
    found, grouped, placements = unit.read("sizes").tolist()
    _check_sizes(found, grouped, size, name)
    if not size:
        return

    unit.launch("unrank")
    guards.require("init", "prepare")
    _same_moves(unit.read("fields"), expected, f"{name}: unrank")
    _check_applied(unit, oracle, x, name)

    unit.fill("fields", -1)
    unit.launch("visit")
    _same_moves(unit.read("fields"), expected, f"{name}: move(), from group to group,")
    outside = unit.read("ranks") != np.arange(size)
    if outside.any():
        k = int(np.argmax(outside))
        raise CheckFailed(f"{name}: group() of {oracle[k]!r} is a group that does not hold its index {k}.")

    if neighborhood.writes is not None:
        if placements >= 0:
            _check_written(unit, oracle, x, placements, name)
        _check_around(unit, oracle, x, name)


def _check_sizes(found: int, grouped: int, size: int, name: str) -> None:
    if found != size:
        raise CheckFailed(f"{name}: size() is {found}, but there are {size} moves.")
    if grouped < 0:
        raise CheckFailed(f"{name}: first() of a group is not first() + length() of the group before it, or 0.")
    if grouped != size:
        raise CheckFailed(f"{name}: length() of all groups adds up to {grouped}, but there are {size} moves.")


def _check_applied(unit: CompiledCheck, oracle: list[Move], x: Solution, name: str) -> None:
    ranks = unit.read("ranks")
    if (ranks != np.arange(len(oracle))).any():
        k = int(np.argmax(ranks != np.arange(len(oracle))))
        raise CheckFailed(f"{name}: index() of {oracle[k]!r} is {ranks[k]}, but its index is {k}.")
    for move, moved in zip(oracle, unit.read("x")[1:], strict=True):
        if (moved != move.apply(x)).any():
            raise CheckFailed(f"{name}: {move!r} leads from {x} to {moved}, not to {move.apply(x)}.")


def _check_around(unit: CompiledCheck, oracle: list[Move], x: Solution, name: str) -> None:
    for member, k in product(("around", "touch"), sorted({0, len(oracle) // 3, len(oracle) - 1})):
        unit.fill("touched", 0)
        unit.launch(member, k)
        touched = unit.read("touched")
        if touched[0] >= 0:  # else the C++ half has no such member
            _check_touched(oracle, k, x, touched, f"{name}: {member}")


def rows_of(moves: list[Move], x: Solution) -> np.ndarray:
    """A row of numbers for each move, resolved in x; shorter rows are filled with -1, as are infeasible moves."""
    resolved = (move.resolve(x) for move in moves)
    numbers = [[] if move is None else numbers_of(move) for move in resolved]
    width = max([1, *map(len, numbers)])
    rows = [[*row, *[-1] * (width - len(row))] for row in numbers]
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)


def _check_written(unit: CompiledCheck, oracle: list[Any], x: Solution, placements: int, name: str) -> None:
    """Check that `place` and `value` give the positions and values of `placements`, in this order."""
    expected = [[int(number) for pair in move.placements(x) for number in pair] for move in oracle]
    if 2 * placements != len(expected[0]):
        raise CheckFailed(f"{name}: `placements` is {placements}, but `writes` is {len(expected[0]) // 2}.")
    unit.launch("place")
    for move, found, right in zip(oracle, unit.read("written").tolist(), expected, strict=True):
        if found != right:
            raise CheckFailed(
                f"{name}: place() and value() of {move!r} say {found}, but its placements, position and value in turn, "
                f"are {right}."
            )


def _check_touched(oracle: list[Any], k: int, x: Solution, touched: np.ndarray, what: str) -> None:
    """Check that a member names each move once that writes a position which move k writes, and no other move."""
    written = {position for position, _ in oracle[k].placements(x)}
    for move, times in zip(oracle, touched, strict=True):
        shares = any(position in written for position, _ in move.placements(x))
        if times != shares:
            raise CheckFailed(
                f"{what}({oracle[k]!r}) names {move!r} {times} times, "
                f"but it {'shares a position and is named once' if shares else 'shares no position'}."
            )


def _same_moves(found: np.ndarray, expected: np.ndarray, what: str) -> None:
    wrong = (found != expected).any(axis=1)
    if wrong.any():
        k = int(np.argmax(wrong))
        raise CheckFailed(f"{what} makes {found[k].tolist()} of index {k}, but the move is {expected[k].tolist()}.")
