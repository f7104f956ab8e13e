"""All local optima of a QAP under swaps, by branch and bound on prefixes: exact, and resumable."""

from __future__ import annotations

from hashlib import sha256
from io import BytesIO
from math import perm
from os import PathLike
from pathlib import Path
from typing import final

import numpy as np
from attrs import define, field

from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.plain import plain_unit
from metaheur.device.generator.record import Record
from metaheur.device.generator.unit import TranslationUnit
from metaheur.device.host.openmp import has_openmp
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.landscape.symmetries import copies_of, exchanged, interchangeable
from metaheur.machine.files import replace_file
from metaheur.machine.pace import now
from metaheur.machine.processors import cores
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods.swap import Swap
from metaheur.problems.qap import QAP

__all__ = ["PrefixSearch", "fits"]

LONGEST = 24
"""The most facilities: a larger tree would not end."""

ARGUMENTS = {
    **dict.fromkeys(("flows", "sorted", "distances", "level", "skew"), "Wide*"),
    **dict.fromkeys(("order", "before", "after", "optima"), "u8*"),
    **dict.fromkeys(("found", "nodes"), "u64*"),
    **dict.fromkeys(("first", "capacity", "teams"), "i64"),
}
"""The arguments of the entry."""

AIM = 1.0
"""Seconds of a launch, between which a search is saved and can be stopped."""

SAVE = 30.0
"""Seconds from one saved state to the next."""

DEPTH = 5
"""Positions of a prefix, below which a thread or a warp searches; a saved search has the same on every device."""

BLOCKS = 1056
"""The most blocks of a GPU's grid: eight for each of 132 processors."""

THREADS = 128
"""Threads of a block; a warp of them searches below a prefix."""

MOST = 20_000_000
"""The most local optima that are listed."""


def fits(problem: QAP, neighborhood: Neighborhood) -> bool:
    """Whether the search applies to the landscape: swaps of 3 ... 24 facilities."""
    return isinstance(neighborhood, Swap) and 3 <= len(problem.a) <= LONGEST


@final
@define(eq=False)
class PrefixSearch:
    """A search for all local optima, which may be saved and goes on from there.

    `problem`: a QAP. `device`: where it runs. `strict`: whether optima with an equal neighbor are left out. `path`: the
    file of the saved search; it goes on if the file exists. `solutions`: the optima so far, unordered; of those that
    differ by exchanges of interchangeable facilities, one. `done`, `nodes`: how many prefixes have been searched, and
    nodes of the tree so far. `most`: more optima than these are refused.
    """

    problem: QAP
    device: Device
    strict: bool
    path: Path | None
    most: int = MOST
    solutions: list[np.ndarray] = field(factory=list)
    done: int = 0
    nodes: int = 0
    _session: Session = field(init=False)
    _order: np.ndarray = field(init=False)  # the facility at each position of the tree
    _groups: list[list[int]] = field(init=False)  # interchangeable facilities, in the order of the tree
    _capacity: int = 1 << 16

    def __attrs_post_init__(self) -> None:
        """Compile, upload the tables, and read the saved search."""
        self._order = order_of(self.problem)
        self._groups = groups_of(self.problem, self._order)
        n, tables = len(self.problem.a), _tables(self.problem, self._order)
        dtype = np.int64 if is_wide(tables, n) else np.int32
        unit = unit_of(self.problem, tables, strict=self.strict)
        self._session = session = Session(self.device.compile(unit), self.device)
        for name, table in tables.items():
            session.own(name, table.size)
            session.write(name, table.astype(np.uint8 if ARGUMENTS[name] == "u8*" else dtype).ravel())
        session.own("found"), session.own("nodes"), session.own("optima", self._capacity * n)
        session.set(teams=cores() if has_openmp() else 1, capacity=self._capacity, first=0)
        if self.path is not None and self.path.exists():
            self._load(self.path)

    @property
    def depth(self) -> int:
        """Positions of the prefixes that threads share."""
        return min(DEPTH, len(self.problem.a) - 1)

    @property
    def total(self) -> int:
        """Number of prefixes."""
        return perm(len(self.problem.a), self.depth)

    def run(self, seconds: float) -> bool:
        """Search for at most so many seconds, more or less; returns whether the search is complete."""
        began = saved = now()
        count = 64 if self.device.kind == "host" else 1 << 14
        while self.done < self.total and now() - began < seconds:
            launched = now()
            count = min(count, self.total - self.done)
            self._search(count)
            took = now() - launched
            count = max(1, int(count * min(4.0, AIM / max(took, 1e-3))))
            if self.path is not None and now() - saved > SAVE:
                self.save()
                saved = now()
        self.save()
        return self.done == self.total

    def _search(self, count: int) -> None:
        """Search the next prefixes; again with more room if they have too many optima."""
        session, n = self._session, len(self.problem.a)
        while True:
            session.set(first=self.done)
            session.write("found", [0])
            session.write("nodes", [0])
            session.launch("prefixes", count, blocks=min(BLOCKS, -(-32 * count // THREADS)))
            found = int(session.read("found")[0])
            if found + sum(map(len, self.solutions)) > self.most:
                raise InputError(
                    f"There are more than {self.most:,} local optima, too many to list.",
                    "" if self.strict else "ask for strict=True ones: plateaus have many that are not strict.",
                )
            if found <= self._capacity:
                break
            self._capacity = 2 * found
            session.own("optima", self._capacity * n)
            session.set(capacity=self._capacity)
        if found:
            rows = np.empty((found, n), np.uint8)
            rows[:, self._order] = session.read("optima", 0, found * n).reshape(found, n)
            self.solutions.append(rows)
        self.nodes += int(session.read("nodes")[0])
        self.done += count

    @property
    def copies(self) -> int:
        """How many optima each solution of `found` stands for: more than one if all are too many to list."""
        every = copies_of(self._groups)
        return 1 if every * sum(map(len, self.solutions)) <= self.most else every

    def found(self) -> np.ndarray:
        """The optima so far, in lexicographic order, int32, shape (m, n)."""
        rows = self._rows()
        if self.copies == 1:
            rows = exchanged(rows, self._groups)
        return rows[np.lexsort(rows.T[::-1])].astype(np.int32)

    def _rows(self) -> np.ndarray:
        """The optima so far, one of those that differ by an exchange."""
        return np.concatenate([np.zeros((0, len(self.problem.a)), np.uint8), *self.solutions])

    @property
    def _of(self) -> str:
        """The identity by which a saved search is recognised."""
        problem = self.problem
        text = f"{problem.a.tolist()} {problem.b.tolist()} {self.strict} {self.depth} {self._order} {self._groups}"
        return sha256(text.encode()).hexdigest()

    def save(self) -> None:
        """Write the search to its file, if it has one."""
        if self.path is None:
            return
        content, rows = BytesIO(), self._rows()
        np.savez_compressed(content, of=np.array(self._of), done=self.done, nodes=self.nodes, solutions=rows)
        replace_file(self.path, content.getvalue())

    def _load(self, path: str | PathLike[str]) -> None:
        try:
            with np.load(path, allow_pickle=False) as saved:
                of, solutions = str(saved["of"]), saved["solutions"]
                done, nodes = int(saved["done"]), int(saved["nodes"])
        except (ValueError, OSError, KeyError, EOFError) as error:
            raise InputError(f"{path} is not a saved search for local optima: {error}.", "remove it.") from error
        if of != self._of:
            raise InputError(
                f"{path} is a search for local optima of another problem, or another kind of optima or device.",
                "name another file, or remove it.",
            )
        self.solutions, self.done, self.nodes = [solutions], done, nodes


def unit_of(problem: QAP, tables: dict[str, np.ndarray], *, strict: bool) -> TranslationUnit:
    """The unit of the search; the tables tell how wide its sums are."""
    n = len(problem.a)
    number = "i64" if is_wide(tables, n) else "i32"
    constants = {"SIZE": n, "DEPTH": min(DEPTH, n - 1), "SYMMETRIC": problem.symmetric, "STRICT": strict}
    text = "".join(f"constexpr int {name} = {int(value)};\n" for name, value in constants.items())
    members = {name: cpp.replace("Wide", number) for name, cpp in ARGUMENTS.items()}
    launch = Launch(threads=THREADS, openmp=True)
    path, wide = "landscape/prefixes.cuh", f"typedef {number} Wide;"
    return plain_unit(path, Record("Arguments", members), "int64", launch, text + wide)


def is_wide(tables: dict[str, np.ndarray], n: int) -> bool:
    """Whether sums need 64 bits."""
    return _largest(tables, n) >= 2**31


def order_of(problem: QAP) -> np.ndarray:
    """The facilities in the order of the tree: those first whose flows differ most, so that their swaps refute most."""
    n, a = len(problem.a), problem.a.astype(object)
    flows = [[*np.delete(a[i], i), *np.delete(a[:, i], i)] for i in range(n)]
    spread = [len(each) * sum(x * x for x in each) - sum(each) ** 2 for each in flows]
    return np.array(sorted(range(n), key=lambda i: (-spread[i], i)))


def groups_of(problem: QAP, order: np.ndarray) -> list[list[int]]:
    """The groups of facilities that can be exchanged without changing a cost, each in this order."""
    groups = interchangeable(problem.a[np.ix_(order, order)])
    return [[int(order[k]) for k in group] for group in groups]


def _tables(problem: QAP, facilities: np.ndarray) -> dict[str, np.ndarray]:
    """The tables of the C++ half, which describes them; int64, for each direction."""
    a, b = problem.a.astype(np.int64)[np.ix_(facilities, facilities)], problem.b.astype(np.int64)
    n = len(a)
    flows, ordered, distances, order = [], [], [], []
    place = np.arange(n)
    for flow, distance in ((a, b), (a.T, b.T)):
        change = flow.T[:, None, :] - flow.T[None, :, :]  # [r, s, k] = a(k, r) - a(k, s)
        by_depth = np.zeros((n, n, n, n), np.int64)
        for d in range(n):
            by_depth[d, :, :, : n - d] = np.sort(change[:, :, d:], axis=2)
        ordered.append(by_depth)
        fixed = change.copy()
        fixed[place, :, place] = fixed[:, place, place] = 0
        flows.append(fixed)
        farther = distance.T[None, :, :] - distance.T[:, None, :]  # [u, v, w] = b(w, v) - b(w, u)
        distances.append(farther)
        order.append(np.argsort(farther, axis=2, kind="stable"))
    before, after = np.full(n + 1, n), np.zeros(n + 1, np.int64)  # of those that can be exchanged
    for group in interchangeable(a):
        before[group[1:]], after[group] = group[:-1], range(len(group) - 1, -1, -1)
    own_a, own_b = np.diagonal(a), np.diagonal(b)
    return {
        "flows": np.array(flows),
        "sorted": np.array(ordered),
        "distances": np.array(distances),
        "order": np.array(order),
        "before": before,
        "after": after,
        "level": np.array([own_a[:, None] - own_a, own_b - own_b[:, None]]),
        "skew": np.array([a - a.T, b.T - b]),
    }


def _largest(tables: dict[str, np.ndarray], n: int) -> int:
    """A bound of every sum."""

    def most(name: str, part: int) -> int:
        table = tables[name]
        return int(np.abs(table[part] if name in ("level", "skew") else table).max())

    products = 2 * n * most("flows", 0) * most("distances", 0)
    return products + sum(most(name, 0) * most(name, 1) for name in ("level", "skew"))
