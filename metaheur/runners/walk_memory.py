"""The memory of the walks of a resident loop on a device."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, final

import numpy as np

from metaheur.device.session import Session, copies_of
from metaheur.errors import InputError

if TYPE_CHECKING:
    from metaheur.device.device import Buffer, Device
    from metaheur.device.generator.layout import Member
    from metaheur.representation import Solution
    from metaheur.runners.compiled_loop import CompiledLoop

__all__ = ["WalkMemory", "cancel_flags"]

FEW = 64
"""The most walks whose controls a GPU reads and writes in the memory of the host."""


def copy_bytes(source: np.ndarray, to: np.ndarray) -> None:
    """Copy records byte by byte, which is faster than NumPy's way, field by field."""
    to.view(np.uint8)[:] = source.view(np.uint8)


@cache
def cancel_flags(device: Device) -> tuple[np.ndarray, Buffer]:
    """Two flags in the memory of the host, which all walks of a device share, so that the flags outlive each of them.

    If the first is not 0, an iteration is broken off; if the second is not 0, a pipeline ends after its iteration.

    `device`: the device whose code reads the flags. Returns `here, there`: the int32 flags as the host sees them, and
    as the device does.
    """
    return device.pinned(2, np.int32)


@final
class WalkMemory:
    """The solutions, kept arrays and controls of the walks of a driver on the device."""

    def __init__(self, compiled: CompiledLoop, threads: int, walks: int, blocks: int, *, room: int) -> None:
        device, team, problem = compiled.device, compiled.team, compiled.problem
        self.device, self.walks, self.blocks = device, walks, blocks
        self.league = 1 if device.kind == "host" else team.league
        self.room = room  # for improvements of each walk; -1 where none is reported
        self.space = problem.representation
        workers = threads if device.kind == "host" else blocks * team.threads
        teams = workers if device.kind == "host" or team.per == "thread" else max(1, workers // 32)
        self.session = session = Session(compiled.unit, device)
        self.saved = [(path, member) for path, member in session.arrays.items() if member.saved]  # as states have them
        session.near("answer")
        session.launch("capabilities")
        self.tabulates = bool(session.read("answer")[0])
        self._require(workers, type(problem).__name__)
        session.keep(walks=walks, league=self.league, workers=teams, tabulates=self.tabulates)
        n = self.space.length
        for name, count in (
            ("x", walks * self.league * n),
            ("best", walks * n),
            ("scratch", workers * n),
            ("posts", walks * 2 * self.league),
            ("arrived", walks),
        ):
            session.own(name, count)
        self.far = walks > FEW and device.kind == "cuda"
        self._controls = session.mirror("controls", walks) if self.far else session.near("controls", walks)
        self._until = session.near("until")
        self._until["room"] = self.room
        self._improvements = session.near("improvements", max(1, walks * self.room))
        self._cancelled, cancel = cancel_flags(device)
        session.set(cancel=cancel, threads=threads)

    def _require(self, workers: int, problem: str) -> None:
        """Refuse walks that need more memory than is free, before any memory is taken."""
        scratch = workers * self.space.length * self.space.dtype.itemsize
        needed: Counter[str] = Counter({"scratch": scratch})
        data = scratch  # memory that does not grow with the walks
        for path, member in self.session.arrays.items():
            shared = member.values is not None or member.scratch
            copies = 1 if shared else copies_of(member, self.walks, self.league, tabulates=self.tabulates)
            needed[path.partition(".")[2]] += copies * member.nbytes(self.device)
            data += member.nbytes(self.device) if shared else 0
        total, free = sum(needed.values()), self.device.free_memory
        if total > 2**26 and total > free:
            most = ", ".join(f"{name} {nbytes / 2**30:,.1f}" for name, nbytes in needed.most_common(3))
            raise InputError(
                f"{self.walks:,} walks of {problem} with {self.space!r} would take {total / 2**30:,.1f} GiB on "
                f"{self.device.name}, but {free / 2**30:,.1f} GiB are free; the largest, in GiB: {most}.",
                f"use fewer walks (about {max(0, (free - data) * self.walks // max(1, total - data)):,} would fit), a "
                "smaller neighborhood such as Restricted, or resident=False.",
            )

    def blank(self, walks: int) -> np.ndarray:
        """The controls of so many walks, all zeros."""
        return np.zeros(walks, self.session.unit.pointees["controls"])

    def write_solutions(self, current: Any, best: Any, first: int = 0) -> None:
        """Write the current and the best solutions of walks from a number on, one in each row."""
        self.write_rows("x", current, first)
        self.write_rows("best", best, first)

    def write_rows(self, name: str, solutions: Any, first: int = 0) -> None:
        """Write the current ("x") or the best solutions of walks from a number on, and their replicas."""
        rows, copies = np.asarray(solutions, self.session.unit.types.item), self.league if name == "x" else 1
        out = rows if copies == 1 else np.repeat(rows, copies, axis=0)
        self.session.write(name, out, first * copies * self.space.length)

    def write(self, path: str, member: Member, values: list[np.ndarray], first: int = 0) -> None:
        """Write a kept array of walks from a number on, and its replicas."""
        copies = copies_of(member, 1, self.league, tabulates=True)
        rows, row = self._rows(member)
        out = np.zeros((len(values), copies, rows, row), member.stored)
        width = member.shape[-1] if member.shape else 1
        out[..., :width] = np.reshape(values, (len(values), 1, rows, width))
        self.session.write(path, out, first * out[0].size)

    def read(self, path: str, member: Member, w: int) -> np.ndarray:
        """A copy of a kept array of one walk."""
        copies = copies_of(member, 1, self.league, tabulates=True)
        entries = member.entries(self.device)
        whole = self.session.read(path, w * copies * entries, entries).reshape(self._rows(member))
        if not member.shape:
            return np.array(whole[0, 0])
        rows: np.ndarray = whole[:, : member.shape[-1]]
        return (rows if len(member.shape) == 2 else rows[0]).copy()

    def _rows(self, member: Member) -> tuple[int, int]:
        return (member.shape[0] if len(member.shape) == 2 else 1, member.row(self.device))

    def solution(self, name: str, w: int) -> Solution:
        """A copy of a solution of one walk."""
        n = self.space.length
        first = w * n * (self.league if name == "x" else 1)
        return np.array(self.session.read(name, first, n), self.space.dtype)

    def solutions(self, name: str) -> np.ndarray:
        """A copy of the solutions of all walks, one in each row."""
        copies = self.league if name == "x" else 1
        rows = self.session.read(name).reshape(self.walks, copies, self.space.length)
        return np.array(rows[:, 0], self.space.dtype, copy=self.device.kind == "host" or None)  # a GPU copies anyway

    def send(self, controls: np.ndarray, until: Mapping[str, Any]) -> None:
        """Write the walks' controls and where the chunk ends, which the next launch reads."""
        copy_bytes(controls, self._controls)
        for name, value in until.items():
            self._until[name] = value
        self._cancelled[0] = 0
        self.session.send("controls")
        if self.league > 1:
            self.session.write("arrived", np.zeros(self.walks, np.uint64))

    def receive(self) -> np.ndarray:
        """A copy of the controls after the last launch."""
        if self.far:
            return self.session.read("controls")
        found = np.empty_like(self._controls)
        copy_bytes(self._controls, found)
        return found

    def improvements(self, controls: np.ndarray) -> tuple[tuple[int, int, int | float, int], ...]:
        """The improvements that the last launch has recorded: walk, iteration, cost, evaluated."""
        rows = self._improvements
        return tuple(
            (w, int(row["iteration"]), row["cost"].item(), int(row["evaluated"]))
            for w in np.flatnonzero(controls["improvements"]).tolist()
            for row in rows[w * self.room : w * self.room + int(controls["improvements"][w])]
        )

    def cancel(self) -> None:
        """Stop the walks as soon as they can."""
        self._cancelled[0] = 1
