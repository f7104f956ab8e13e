"""The check of a neighborhood that is too large to be enumerated: its moves at critical indices."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, final

import numpy as np
from attrs import frozen

from metaheur.device.device import Device
from metaheur.device.halves import reads
from metaheur.device.names import device_of
from metaheur.errors import CheckFailed
from metaheur.neighborhood import Neighborhood
from metaheur.random import Key, Random
from metaheur.representation import Representation
from metaheur.testing.compiled_check import CompiledCheck, ConstantProblem, chosen_devices, require_instance
from metaheur.testing.neighborhoods import numbers_of, rows_of

__all__ = ["check_corners"]

POWERS = (2**31, 2**32, 2**53, 2**62)
"""Critical indices: where numbers exceed 32 bits, the whole numbers that doubles hold, and more."""


ENTRIES = 1 << 20
"""The greatest length of solutions in which moves are made."""


def check_corners(  # noqa: PLR0913 - keyword-only behind the representation
    neighborhood: Neighborhood,
    representation: Representation,
    *,
    indices: Iterable[int] = (),
    seed: int = 0,
    samples: int = 64,
    devices: Iterable[str] | None = None,
) -> None:
    """Check a neighborhood of any size where it is most likely to go wrong.

    Both halves are asked for the first and last moves, the moves with indices around 2**31, 2**32, 2**53 and 2**62,
    random moves, the moves with given indices, and the moves on both sides of the boundaries of all groups of these
    moves. If solutions are not too long, some of the moves are made.

    Parameters
    ----------
    neighborhood : Neighborhood
        A neighborhood without state; for a small one use `check_neighborhood`, which enumerates it.
    representation : Representation
        The solutions, of any length.
    indices : iterable of int, optional
        More indices, such as those where the numbering changes its formula; indices out of range are ignored.
    seed : int, default 0
        The seed of the random indices and of the solution.
    samples : int, default 64
        The number of random indices.
    devices : iterable of str, optional
        The devices, of "host", "cuda", ...; None for all devices of this machine.

    Raises
    ------
    CheckFailed
        If a move is wrong; names the first wrong index.
    """
    require_instance(neighborhood, Neighborhood, "check_corners", "Swap()")
    require_instance(representation, Representation, "check_corners", "Permutation(10**5)")
    size = neighborhood.size(representation)
    random = Random(Key(seed), 0, 0)
    near = {k + shift for k in (0, size, *POWERS) for shift in (-2, -1, 0, 1)}
    drawn = {random.index(d, size) for d in range(samples if size else 0)}
    name = f"{neighborhood!r} on {representation!r}"
    chosen = _within({*near, *drawn, *indices}, size)
    _check_python(neighborhood, representation, chosen, name)
    for device in chosen_devices(devices, type(neighborhood).__name__) if reads(neighborhood) else ():
        half = _Half(neighborhood, representation, device_of(device), seed)
        bounds = half.check(chosen)
        around = _within({bound + shift for bound in bounds for shift in (-1, 0, 1)}, size)
        _check_python(neighborhood, representation, around, name)
        half.check(around)


def _within(indices: Iterable[int], size: int) -> list[int]:
    return sorted(k for k in indices if 0 <= k < size)


def _check_python(neighborhood: Neighborhood, representation: Representation, indices: list[int], name: str) -> None:
    """Check that `index` inverts `move`, and that `batch` gives the same moves."""
    moves = [neighborhood.move(representation, k) for k in indices]
    for k, move in zip(indices, moves, strict=True):
        if neighborhood.index(representation, move) != k:
            raise CheckFailed(f"{name}: index({move!r}) is not {k}, although move({k}) is this move.")
    batch = neighborhood.batch(representation, np.array(indices, dtype=np.int64))
    if batch is NotImplemented:
        return
    for number, values in enumerate(numbers_of(batch)):
        for k, move, value in zip(indices, moves, np.broadcast_to(values, len(indices)), strict=True):
            if value != numbers_of(move)[number]:
                raise CheckFailed(
                    f"{name}: number {number} of the move with index {k} is {value} in batch(), but it is {move!r}."
                )


@final
@frozen
class _Half:
    """The C++ half of a neighborhood on a device."""

    neighborhood: Neighborhood
    representation: Representation
    device: Device
    seed: int

    @property
    def name(self) -> str:
        return f"{self.neighborhood!r} on {self.representation!r} on {self.device.name}"

    def check(self, indices: list[int]) -> set[int]:
        """Check size, `unrank`, `index`, `apply` and groups; return the bounds of the groups of the moves."""
        nowhere = np.zeros(0, self.representation.dtype)
        expected = rows_of([self.neighborhood.move(self.representation, k) for k in indices], nowhere)
        unit = self._unit(indices, expected)
        unit.launch("measure")
        size, groups = self.neighborhood.size(self.representation), int(unit.read("sizes")[1])
        if unit.read("sizes")[0] != size:
            raise CheckFailed(f"{self.name}: size() is {unit.read('sizes')[0]}, but there are {size} moves.")
        unit.launch("corners")
        for what in ("fields", "grouped"):
            found = unit.read(what)
            for k, row, right in zip(indices, found.tolist(), expected.tolist(), strict=True):
                if row != right:
                    maker = "unrank" if what == "fields" else "its group"
                    raise CheckFailed(f"{self.name}: {maker} makes {row} of index {k}, but the move is {right}.")
        self._check_made(unit)
        return self._check_groups(unit, indices, groups)

    def _unit(self, indices: list[int], expected: np.ndarray) -> CompiledCheck:
        count, width = expected.shape
        n = self.representation.length
        few = np.array(indices[:: -(-count * n // ENTRIES) or 1] if n <= ENTRIES else [], np.int64)
        x = self.representation.random(Random(Key(self.seed), 0, 0)) if few.size else np.zeros(1)
        arrays: dict[str, Any] = {
            "indices": np.array(indices, np.int64),
            "count": count,
            "width": width,
            "few": few,
            "made": few.size,
            "x": np.tile(x, (max(1, few.size), 1)).astype(self.representation.dtype),
            "fields": np.full((count, width), -1, np.int32),
            "grouped": np.full((count, width), -1, np.int32),
            "sizes": np.full(2, -1, np.int64),
            **{each: np.full(count, -1, np.int64) for each in ("ranks", "groups", "firsts", "ends")},
        }
        pieces = ("testing/moves.cuh", "testing/corners.cuh")
        problem = ConstantProblem(self.representation)
        return CompiledCheck(problem, {"neighborhood": self.neighborhood}, self.device, pieces, arrays)

    def _check_made(self, unit: CompiledCheck) -> None:
        """Make some moves, if solutions are not too long."""
        before = unit.read("x").copy()
        unit.launch("make")
        for k, x, moved in zip(unit.read("few").tolist(), before, unit.read("x"), strict=False):
            move = self.neighborhood.move(self.representation, k)
            if (moved != move.apply(x)).any():
                raise CheckFailed(
                    f"{self.name}: the move with index {k} leads to another solution than {move!r}.apply."
                )

    def _check_groups(self, unit: CompiledCheck, indices: list[int], groups: int) -> set[int]:
        """Check that each index is in its group, and that groups follow each other without a gap."""
        size = self.neighborhood.size(self.representation)
        firsts, ends, numbers = (unit.read(each).tolist() for each in ("firsts", "ends", "groups"))
        for k, rank, group, first, end in zip(indices, unit.read("ranks").tolist(), numbers, firsts, ends, strict=True):
            if rank != k or not 0 <= first <= k < end <= size or not 0 <= group < groups:
                raise CheckFailed(
                    f"{self.name}: index {k} of {size} has the rank {rank} and is in group {group} of {groups}, which "
                    f"holds the indices {first} ... {end - 1}."
                )
        rows = list(zip(indices, numbers, firsts, ends, strict=True))
        for (k, group, first, end), (other, next_group, next_first, next_end) in pairwise(rows):
            if group == next_group and (first, end) == (next_first, next_end):
                continue
            meets = end == next_first if other == k + 1 else end <= next_first
            if group >= next_group or not meets:
                raise CheckFailed(
                    f"{self.name}: group {group} holds the indices {first} ... {end - 1} and group {next_group} the "
                    f"indices {next_first} ... {next_end - 1}, but groups must follow each other."
                )
        return {*firsts, *ends}
