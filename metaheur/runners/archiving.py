"""The resident runner of searches for fronts: archives that stay on a device, many iterations a call."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.archives.front_state import FrontState
from metaheur.archives.members import Members
from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.record import UNTIL, Record
from metaheur.device.generator.shell import Shell
from metaheur.device.session import Session
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.machine.pace import Alarm
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.until import Until
from metaheur.walk import EvaluatedSolution, Walk, Walks

if TYPE_CHECKING:
    pass

__all__ = ["Archiving"]

ROOM = 256
"""The number of members for which there is memory at first; it is doubled when it is full."""

WIDE = 512
"""Threads of the block that archives."""

NARROW = 64
"""Threads of a block that evaluates or filters; small blocks keep all processors of a GPU busy to the end."""

BLOCKS = 4224
"""The most blocks of a GPU's grid that evaluate a neighborhood: 32 for each of 132 processors."""

MORE = 8
"""More blocks, whose warps update the table of prefix minima while the others evaluate."""

QUEUED = 64
"""The most iterations that are launched on a GPU before Python reads how many were made. If a walk has stopped earlier,
such as for a restart, half as many are launched next."""

SAMPLE = 128
"""If an archive is offered at least twice as many neighbors, so many of their costs are compared with all first."""

ROWS, COLUMNS = 128, 1024
"""The most rows and columns of the table of prefix minima of an archive."""

WINDOW = 11
"""Numbers that describe the table."""


class Standing(IntEnum):
    """Why a call ended, by the names of `Standing` in archiving.cuh."""

    RUNNING = 0
    VISITED = 1
    FULL = 2
    CUT = 3


CONTROL = Record(
    "Control",
    {
        **dict.fromkeys(("iteration", "evaluated", "improved_at", "count", "round", "next", "needed", "latest"), "i64"),
        **dict.fromkeys(("current", "best"), "Total"),
        **dict.fromkeys(("seed", "walk"), "u32"),
        "standing": "i32",
    },
)
"""The state of a walk, but for its solutions and its archive."""

ORDERS = Record("Orders", dict.fromkeys(("begun", "room", "limit", "known"), "i64"))
"""Where a call began, and what there is room for."""


def shell(search: Any, stage: int) -> Shell:
    """The shell of a Pareto local search in one of its stages: `drive` on a CPU, the parts of an iteration on a GPU.

    Parameters
    ----------
    search : ParetoLocalSearch
        With C++ halves of all parts.
    stage : int
        Which of its explorations.
    """
    return Shell(
        pieces=("archives/prefix_minima.cuh", "device/cuh/until.cuh", "runners/archiving.cuh"),
        components={
            "neighborhood": search.neighborhood,
            "selection": search.selection,
            "exploration": search.explore[stage],
            "archive": search.archive,
        },
        members={
            "control": "Control*",
            "until": "Until*",
            "orders": "Orders*",
            "cancel": "i32*",
            "x": "Item*",  # the member that is explored
            "best": "Item*",
            "out": "Cost*",  # changes of cost of all moves
            "free": "u32*",  # a bit for each neighbor: whether no member covers it
            "better": "u32*",  # whether it also dominates the member that is explored
            "offered": "i64*",
            "entering": "i64*",
            "offers": "Cost*",  # costs of what is offered, then of what enters
            "sampled": "Cost*",  # some of them
            "staying": "u8*",  # whether what is offered enters
            "costs": "Cost*",
            "solutions": "Item*",
            "slots": "i64*",
            "visited": "u8*",
            "leaving": "u8*",
            "born": "i64*",
            "round_costs": "Cost*",
            "round_solutions": "Item*",
            "round_born": "i64*",
            "chosen": "i64*",
            "work": "double*",
            "known": "Cost*",
            "window": "i64*",
            "cells": "i64*",
            "scratch": "Item*",  # a solution for each thread
            "teams": "i64",
        },
        records=(CONTROL, UNTIL, ORDERS),
        defines={"MH_ROWS": ROWS, "MH_COLUMNS": COLUMNS, "MH_NARROW": NARROW, "MH_SAMPLE": SAMPLE, "MH_COMPACT": 1},
        launch=Launch(threads=WIDE, narrow={"evaluate": NARROW, "sieve": NARROW}),
    )


@final
@define(eq=False)
class Archiving(Runner):
    """Walks of a Pareto local search that stay on a device.

    Python acts only when all members of an archive have been visited, and when an archive needs more memory.

    Parameters
    ----------
    problem : Problem
        With a C++ half, and several objectives.
    search : ParetoLocalSearch
        With C++ halves of neighborhood, selection, explorations and archive.
    device : Device
        Where to run.
    facts : Facts
        Where that is, and why.
    """

    problem: Problem
    search: Any
    device: Device
    facts: Facts
    alarm: Alarm = field(factory=Alarm)
    _units: list[CompiledUnit] = field(init=False)
    _walks: _Resident | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        """Compile a unit for each stage."""
        stages = range(len(self.search.explore))
        self._units = [compiled_kernels(self.problem, shell(self.search, stage), self.device) for stage in stages]

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def load(self, states: Sequence[FrontState]) -> Walks:
        archives = [_Archive(self, state) for state in states]
        return self._stand(archives)

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if walks is not self._walks:
            stopped = walks.stopped
            walks = self.load([walks.state(w) for w in range(len(walks))])
            walks.stopped |= stopped
        assert self._walks is not None
        for archive, resting in zip(self._walks.archives, walks.finished | walks.stopped, strict=True):
            if not resting:
                archive.advance(until)
        after = self._stand(self._walks.archives)
        after.stopped = walks.stopped
        return Chunk(after)

    def _stand(self, archives: list[_Archive]) -> _Resident:
        self._walks = _Resident(archives)
        return self._walks


@final
class _Archive:
    """One walk on the device."""

    def __init__(self, runner: Archiving, state: FrontState) -> None:
        self.runner, self.search = runner, runner.search
        self.space, device = runner.problem.representation, runner.device
        size = max(1, self.search.neighborhood.size(self.space))
        self.on_gpu, self.blocks = device.kind == "cuda", max(1, min(BLOCKS, -(-size // NARROW)))
        workers = (self.blocks + MORE) * NARROW if self.on_gpu else 1
        first, *others = runner._units
        self.session = Session(first, device)
        self.session.keep(workers=max(1, workers // 32))
        self.sessions = [self.session, *(Session(unit, device, self.session) for unit in others)]  # one for each stage
        names = ("control", "orders", "until")
        self.control, self.orders, self.until = (self.session.mirror(name) for name in names)  # all threads read it
        self.cancel = self.session.near("cancel")
        self._make_memory(size, workers)
        self.session.set(teams=1)
        self.room, self.known_room, self.queued = 0, 0, QUEUED
        self.write(state)

    def _make_memory(self, size: int, workers: int) -> None:
        """Make the memory that does not grow with the archive."""
        n, words = self.space.length, -(-size // 32)
        offered = max(size, max((getattr(each, "count", 0) for each in self.search.explore), default=0))
        for name, count in {
            "x": n,
            "best": n,
            "scratch": workers * n,
            "out": size,
            "free": words,
            "better": words,
            "offered": offered,
            "entering": offered,
            "offers": offered + 7,  # eight are read at a time
            "sampled": SAMPLE + 7,
            "staying": max(offered, SAMPLE),
            "window": WINDOW,
            "cells": ROWS * COLUMNS,
        }.items():
            self.session.own(name, count)

    def _make_room(self, members: int, known: int) -> None:
        """Make memory for twice so many members and known costs."""
        self.room = room = max(ROOM, 2 * members, self.room)
        self.known_room = max(1, 2 * known, self.known_room)
        self.session.own("known", self.known_room)
        for name in ("solutions", "round_solutions"):
            self.session.own(name, room * self.space.length)
        for name in ("costs", "round_costs", "slots", "born", "round_born", "chosen", "visited", "leaving"):
            self.session.own(name, room)
        self.session.own("work", 4 * room)

    def write(self, state: FrontState) -> None:
        """Write a state to the device."""
        walk, members, ahead = state.walk, state.members, state.round
        self.state, self.read_at = state, True
        known = state.found.costs[state.found.visited] if self.search.restart.deactivates else state.found.costs[:0]
        self.known = len(known)
        if max(len(members), len(ahead)) >= self.room or len(known) > self.known_room:
            self._make_room(max(len(members), len(ahead)), len(known))
        for name, array in (
            ("costs", members.costs),
            ("solutions", members.solutions),
            ("visited", members.visited),
            ("born", members.born),
            ("slots", np.arange(self.room)),
            ("round_costs", ahead.costs),
            ("round_solutions", ahead.solutions),
            ("round_born", ahead.born),
            ("known", known),
            ("window", np.zeros(WINDOW, np.int64)),
            ("best", walk.best.solution),
            ("x", walk.current.solution),
        ):
            if array.size:
                self.session.write(name, array)
        control = self.control
        for name in ("iteration", "evaluated", "improved_at"):
            control[name] = getattr(walk, name)
        control["count"], control["round"], control["next"], control["latest"] = len(members), len(ahead), 0, 0
        control["current"], control["best"] = walk.current.cost, walk.best.cost
        control["seed"], control["walk"] = walk.key.seed, walk.key.walk
        self.session.send("control", "orders", "until")

    def advance(self, until: Until) -> None:
        """Make iterations until the chunk ends."""
        begun = int(self.control["iteration"][0])
        while not self._reached(until, begun) and not self.finished and not self.runner.alarm.rings():
            self._call(until, begun)
            self.read_at = False
            standing = Standing(int(self.control["standing"][0]))
            self.control["standing"] = Standing.RUNNING
            if standing is Standing.FULL:
                state = self.read()
                self._make_room(int(self.control["needed"][0]), self.known)
                self.write(state)
            elif standing is Standing.VISITED and not self.search.ended(self.read()):
                evaluator = NumpyEvaluator(self.runner.problem, self.search.neighborhood)
                self.write(self.search.revived(self.read(), evaluator))

    def _reached(self, until: Until, begun: int) -> bool:
        numbers = [int(self.control[name][0]) for name in ("iteration", "improved_at", "evaluated")]
        return until.holds(*numbers, stepped=numbers[0] > begun)

    def _call(self, until: Until, begun: int) -> None:
        orders, stage = self.orders, self.state.stage
        limit = self.search.archive.limit
        now, end = int(self.control["iteration"][0]), until.iteration
        if self.on_gpu:
            end = min(end, now + self.queued)
        orders["begun"], orders["room"], orders["known"] = begun, self.room, self.known
        orders["limit"] = -1 if limit is None else limit
        for name, value in {**until.values(), "end": end}.items():
            self.until[name] = value
        self.cancel[0] = 0
        session = self.sessions[stage]
        session.send("control", "orders", "until")
        if not self.on_gpu:
            self.runner.alarm.watch(lambda: session.launch("drive"), self._cancel)
        else:
            session.launch("turn")
            for _ in range(end - now):
                session.launch("evaluate", blocks=self.blocks + MORE)
                session.launch("sieve", blocks=self.blocks)
                session.launch("turn", 1)
        session.receive("control")
        made = int(self.control["iteration"][0]) - now
        self.queued = min(QUEUED, 2 * self.queued) if made == end - now else max(4, self.queued // 2)

    def _cancel(self) -> None:
        self.cancel[0] = 1

    @property
    def finished(self) -> bool:
        """Whether the search has ended by itself."""
        control = self.control
        if control["next"][0] < control["round"][0] or self.search.restart.restarts:
            return False
        if self.state.stage + 1 < len(self.search.explore):
            return False
        count = int(control["count"][0])
        return bool(self.session.read("visited", 0, count).all())

    def read(self) -> FrontState:
        """The state, read from the device."""
        if self.read_at:
            return self.state
        control = self.control[0]
        count, ahead, first = int(control["count"]), int(control["round"]), int(control["next"])
        slots = self._rows("slots", count)
        members = Members(
            self._rows("costs", count),
            self._solutions("solutions", int(slots.max(initial=-1)) + 1)[slots],
            self._rows("visited", count).astype(bool),
            self._rows("born", count),
        )
        round_ = Members(
            self._rows("round_costs", ahead),
            self._solutions("round_solutions", ahead),
            np.zeros(ahead, bool),
            self._rows("round_born", ahead),
        ).rows(slice(first, None))
        before = self.state.walk
        walk = Walk(
            before.key,
            self._evaluated("x", control["current"]),
            self._evaluated("best", control["best"]),
            int(control["iteration"]),
            int(control["evaluated"]),
            int(control["improved_at"]),
        )
        state = evolve(self.state, walk=walk, members=members, round=round_)
        self.state, self.read_at = evolve(state, finished=self.search.ended(state)), True
        return self.state

    def _rows(self, name: str, count: int) -> np.ndarray:
        """A copy of the first entries."""
        return np.array(self.session.read(name, 0, count))

    def _solutions(self, name: str, count: int) -> np.ndarray:
        """A copy of the first solutions, one in each row."""
        return self._rows(name, count * self.space.length).reshape(count, self.space.length)

    def _evaluated(self, name: str, cost: np.ndarray) -> EvaluatedSolution:
        x = self._rows(name, self.space.length)
        return EvaluatedSolution(self.space, x, tuple(cost.tolist()))


@final
class _Resident(Walks):
    """Walks whose archives are on a device; states are read when they are asked for."""

    def __init__(self, archives: list[_Archive]) -> None:
        self.archives = archives
        self.keys = tuple(each.state.walk.key for each in archives)
        controls = [each.control[0].copy() for each in archives]
        self.costs, self.best_costs = (np.array([c[name] for c in controls]) for name in ("current", "best"))
        self.iterations, self.evaluated, self.improved_at = (
            np.array([c[name] for c in controls], np.int64) for name in ("iteration", "evaluated", "improved_at")
        )
        self.finished = np.array([each.finished for each in archives])
        self.stopped = np.zeros(len(archives), bool)
        self.moved, self.neutral = np.full((2, len(archives)), -1)

    def state(self, w: int) -> FrontState:
        return self.archives[w].read()

    def best_solution(self, w: int) -> Solution:
        return self.archives[w].read().walk.best.solution
