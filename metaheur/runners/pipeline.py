"""A pipeline: a search whose iteration is several launches of different widths on a GPU."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, final

import numpy as np
from attrs import evolve, frozen

from metaheur.device.generator.record import UNTIL, Record
from metaheur.device.generator.shell import Shell
from metaheur.device.session import Session
from metaheur.problem import Problem
from metaheur.runners.drive import IMPROVEMENT
from metaheur.search import Search
from metaheur.walk import Walk

__all__ = ["Pipeline", "PipelineMemory", "PipelinePhase", "Standing"]


class Standing(IntEnum):
    """How the last launch has left a walk; in C++ `Running`, `Ended` and so on."""

    RUNNING = 0
    """The walk can go on."""
    ENDED = 1
    """The search has come to its own end."""
    ASKS = 2
    """Perhaps Python must act before the next iteration."""
    FULL = 3
    """An iteration needs more room, and has written nothing."""
    CUT = 4
    """An iteration was broken off, and has written nothing."""


IMPROVEMENTS = 1024
"""How many improvements one launch can record."""

CONTROL: Mapping[str, str] = {
    **dict.fromkeys(("iteration", "evaluated", "improved_at", "needed"), "i64"),
    **dict.fromkeys(("current", "best"), "Total"),
    **dict.fromkeys(("seed", "walk"), "u32"),
    **dict.fromkeys(("standing", "improvements"), "i32"),
}
"""The members of `Control` in every pipeline, which the device changes: numbers of a walk, and how many entries a full
walk needs."""

ORDERS: Mapping[str, str] = dict.fromkeys(("begun", "room"), "i64")
"""The members of `Orders` in every pipeline, which the device reads: the iteration where a chunk began, and the number
of entries that have memory."""

MEMBERS: Mapping[str, str] = {
    "control": "Control*",
    "orders": "Orders*",
    "until": "Until*",
    "cancel": "i32*",
    "x": "Item*",  # the current solution
    "best": "Item*",
    "improvements": "Improvement*",
}
"""The members of `Arguments` in every pipeline."""


@final
@frozen
class PipelinePhase:
    """A launch of an iteration.

    `entry`: the name of an entry of the unit. Its shell says how many threads a block has. `blocks`: how many blocks of
    a GPU run it. `value`: a number that is passed along.
    """

    entry: str
    blocks: int = 1
    value: int = 0


@final
@frozen(eq=False)
class PipelineMemory:
    """The memory of a pipeline's walk on a device.

    `session`: the arrays and numbers of the walk. `control`, `orders`: the records `Control` and `Orders` of the walk,
    as the host sees them.
    """

    session: Session
    control: np.void
    orders: np.void


class Pipeline(ABC):
    """A search whose iteration is several launches of different widths. The runner `Pipelined` asks its members.

    On a GPU the phases of many iterations are launched ahead, and each phase first asks `goes_on`. On a CPU the entry
    `drive` makes the iterations of a chunk in one call. C++ halves of pipelines use `runners/pipelined.cuh`.

    `search`, `problem`: the search, and the problem that it solves. `room`: for how many entries there is memory at
    first; full memory is doubled. `stages`: the number of units; one of them makes an iteration. 1 by default.
    `threads`: threads of a CPU. 1 by default.
    """

    search: Search[Any]
    problem: Problem
    room: int
    threads: int = 1

    @property
    def stages(self) -> int:
        """The number of units."""
        return 1

    @property
    @abstractmethod
    def opening(self) -> tuple[PipelinePhase, ...]:
        """The phases that a GPU runs once, before the iterations that are launched together."""

    @property
    @abstractmethod
    def phases(self) -> tuple[PipelinePhase, ...]:
        """The phases that a GPU runs in each iteration; the last one counts the iteration."""

    @property
    @abstractmethod
    def control(self) -> Mapping[str, str]:
        """The C++ types of the members that this pipeline adds to `Control`; the device changes them."""

    @property
    def clocks(self) -> Mapping[str, str]:
        """Additional members of `Control` that count nanoseconds, and the fields of `Spent` that they are for."""
        return {}

    @property
    def orders(self) -> Mapping[str, str]:
        """The C++ types of the members that this pipeline adds to `Orders`; the device only reads them."""
        return {}

    @abstractmethod
    def arrays(self, room: int, workers: int) -> Mapping[str, tuple[str, int]]:
        """The arrays on the device: the C++ type of an entry, and the number of entries.

        `room`: the number of entries that must fit into memory. `workers`: how many threads work at one time.
        """

    @abstractmethod
    def shell(self, stage: int) -> Shell:
        """The entries and the components of a stage, with its own pieces; `composed` adds what every pipeline has."""

    def stage(self, state: Any) -> int:
        """The number of the unit that makes the next iteration of a walk; 0 by default."""
        return 0

    @abstractmethod
    def entries(self, state: Any) -> int:
        """How many of the entries that `room` counts a state takes."""

    @abstractmethod
    def write(self, memory: PipelineMemory, state: Any) -> None:
        """Write a state to the device, except its walk. `memory`: with room for more entries than the state takes."""

    @abstractmethod
    def read(self, memory: PipelineMemory, before: Any, walk: Walk) -> Any:
        """The state on the device.

        `memory`: the memory in which the state lies. `before`: the state that was written or read last. `walk`: the
        walk of the new state.
        """

    def answered(self, state: Any) -> Any:
        """The state after Python has done what the next iteration needs; by default, the state itself.

        The runner calls this after it has loaded a state, and where the device asks for Python.
        """
        return state

    @final
    def composed(self, stage: int) -> Shell:
        """The whole shell of a stage."""
        own = self.shell(stage)
        pointers = {name: f"{cpp}*" for name, (cpp, _) in self.arrays(1, 1).items()}
        standings = {f"MH_{each.name}": each.value for each in Standing}
        control, orders = (
            Record("Control", {**CONTROL, **dict.fromkeys(self.clocks, "i64"), **self.control}),
            Record("Orders", {**ORDERS, **self.orders}),
        )
        return evolve(
            own,
            pieces=("device/cuh/until.cuh", "runners/pipelined.cuh", *own.pieces),
            members={**MEMBERS, **pointers, **own.members},
            records=(control, orders, UNTIL, IMPROVEMENT, *own.records),
            defines={**standings, "MH_IMPROVEMENTS": IMPROVEMENTS, **own.defines},
        )
