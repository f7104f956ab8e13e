"""The pipeline of searches for fronts: it explores neighborhoods of an archive's members, and archives neighbors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import evolve, frozen

from metaheur.archives.front_state import FrontState
from metaheur.archives.members import Members
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.problem import Problem
from metaheur.runners.pipeline import Pipeline, PipelineMemory, PipelinePhase
from metaheur.walk import Walk

__all__ = ["Archiving"]

NARROW = 64
"""Threads of a block that evaluates or filters; small blocks keep all processors of a GPU busy to the end."""

BLOCKS = 4224
"""The most blocks of a GPU's grid that evaluate a neighborhood: 32 for each of 132 processors."""

MORE = 8
"""More blocks, whose warps update the table of prefix minima while the others evaluate."""

SAMPLE = 128
"""An archive that is offered at least twice this number of neighbors first compares a sample of this size with all."""

ROWS, COLUMNS = 128, 1024
"""The most rows and columns of the table of prefix minima of an archive."""

WINDOW = 11
"""The count of numbers that describe the table of prefix minima."""

TOGETHER = 7
"""Additional entries after an array of costs, because threads read eight costs at a time."""


@final
@frozen
class Archiving(Pipeline):
    """A Pareto local search. An iteration evaluates a member's neighborhood, filters the neighbors and archives them.

    `problem`: with a C++ half, and several objectives. `search`: with C++ halves of neighborhood, selection,
    explorations and archive. `room`: the number of members for which there is memory at first. `wide`: the threads of
    the block that archives.
    """

    problem: Problem
    search: Any
    room: int = 256
    wide: int = 512

    @property
    def stages(self) -> int:
        return len(self.search.explore)

    @property
    def opening(self) -> tuple[PipelinePhase, ...]:
        return (PipelinePhase("turn"),)

    @property
    def phases(self) -> tuple[PipelinePhase, ...]:
        blocks = max(1, min(BLOCKS, -(-self._size // NARROW)))
        return PipelinePhase("evaluate", blocks + MORE), PipelinePhase("sieve", blocks), PipelinePhase("turn", value=1)

    @property
    def control(self) -> Mapping[str, str]:
        return dict.fromkeys(("count", "round", "next", "latest", "turned"), "i64")

    @property
    def clocks(self) -> Mapping[str, str]:
        return {"evaluating": "evaluation_seconds", "archiving": "archiving_seconds"}

    @property
    def orders(self) -> Mapping[str, str]:
        return dict.fromkeys(("limit", "known_count", "follows"), "i64")

    @property
    def _size(self) -> int:
        """The number of neighbors, but at least 1."""
        size: int = self.search.neighborhood.size(self.problem.representation)
        return max(1, size)

    def arrays(self, room: int, workers: int) -> Mapping[str, tuple[str, int]]:
        n, size = self.problem.representation.length, self._size
        words = -(-size // 32)
        offered = max(size, max((getattr(each, "count", 0) for each in self.search.explore), default=0))
        return {
            # arrays of an exploration
            "scratch": ("Item", workers * n),  # a solution for each thread
            "out": ("Cost", size),  # changes of cost of all moves
            "free": ("u32", words),  # a bit for each neighbor: whether no member covers it
            "better": ("u32", words),  # whether it also dominates the member that is explored
            "offered": ("i64", offered),
            "entering": ("i64", offered),
            "offers": ("Cost", offered + TOGETHER),  # costs of offered neighbors, then of entering ones
            "sampled": ("Cost", SAMPLE + TOGETHER),  # a sample of these costs
            "staying": ("u8", max(offered, SAMPLE)),  # whether an offered neighbor enters
            "sieving": ("i64", 1),  # the time when the filter began
            # arrays of the archive
            "costs": ("Cost", room),
            "solutions": ("Item", room * n),
            "slots": ("i64", room),
            "visited": ("u8", room),
            "leaving": ("u8", room),
            "born": ("i64", room),
            "chosen": ("i64", room),
            "work": ("double", 4 * room),
            "window": ("i64", WINDOW),
            "cells": ("i64", ROWS * COLUMNS),
            # arrays of a round
            "round_costs": ("Cost", room),
            "round_solutions": ("Item", room * n),
            "round_born": ("i64", room),
            # costs of members that were explored before a restart; `write` makes room for these costs
            "known": ("Cost", 1),
        }

    def shell(self, stage: int) -> Shell:
        return Shell(
            pieces=("archives/prefix_minima.cuh", "runners/archiving.cuh"),
            components={
                "neighborhood": self.search.neighborhood,
                "selection": self.search.selection,
                "exploration": self.search.explore[stage],
                "archive": self.search.archive,
            },
            members={},
            defines={"MH_ROWS": ROWS, "MH_COLUMNS": COLUMNS, "MH_NARROW": NARROW, "MH_SAMPLE": SAMPLE, "MH_COMPACT": 1},
            launch=Launch(threads=self.wide, narrow={"evaluate": NARROW, "sieve": NARROW}),
        )

    def stage(self, state: FrontState) -> int:
        return state.stage

    def entries(self, state: FrontState) -> int:
        return max(len(state.members), len(state.round))

    def write(self, memory: PipelineMemory, state: FrontState) -> None:
        session, control, orders = memory.session, memory.control, memory.orders
        members, ahead, found = state.members, state.round, state.found
        known = found.costs[found.visited] if self.search.restart.deactivates else found.costs[:0]
        session.own("known", len(known))
        session.write("known", known)
        session.write("costs", members.costs)
        session.write("solutions", members.solutions)
        session.write("visited", members.visited)
        session.write("born", members.born)
        session.write("slots", np.arange(int(orders["room"])))
        session.write("round_costs", ahead.costs)
        session.write("round_solutions", ahead.solutions)
        session.write("round_born", ahead.born)
        session.write("window", np.zeros(WINDOW, np.int64))
        limit = self.search.archive.limit
        control["count"], control["round"], control["next"], control["latest"] = len(members), len(ahead), 0, 0
        orders["limit"], orders["known_count"] = -1 if limit is None else limit, len(known)
        orders["follows"] = self.search.restart.restarts or state.stage + 1 < self.stages

    def read(self, memory: PipelineMemory, before: FrontState, walk: Walk) -> FrontState:
        session, control = memory.session, memory.control
        count, ahead, first = int(control["count"]), int(control["round"]), int(control["next"])
        n = self.problem.representation.length

        def rows(name: str, count: int) -> np.ndarray:
            return np.array(session.read(name, 0, count))

        def solutions(name: str, count: int) -> np.ndarray:
            return rows(name, count * n).reshape(count, n)

        slots = rows("slots", count)
        members = Members(
            rows("costs", count),
            solutions("solutions", int(slots.max(initial=-1)) + 1)[slots],
            rows("visited", count).astype(bool),
            rows("born", count),
        )
        left = Members(
            rows("round_costs", ahead),
            solutions("round_solutions", ahead),
            np.zeros(ahead, bool),
            rows("round_born", ahead),
        )
        state = evolve(before, walk=walk, members=members, round=left.rows(slice(first, None)))
        return evolve(state, finished=self.search.ended(state))

    def answered(self, state: FrontState) -> FrontState:
        """The state in its next stage, or after a restart, where all members have been visited."""
        if len(state.round) or len(state.members.unvisited()):
            return state
        found: FrontState = self.search.revived(state, NumpyEvaluator(self.problem, self.search.neighborhood))
        return found
