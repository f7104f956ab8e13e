"""A second pipeline beside archives: a growing herd of bit strings, each of which tries a flip in every iteration."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, final

import numpy as np
from attrs import evolve, field, frozen

from metaheur import EvaluatedSolution, Evaluator, Key, Problem, Search
from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.shell import Shell
from metaheur.device.halves import lacking
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.random import Stream
from metaheur.runners.pipeline import Pipeline, PipelineMemory, PipelinePhase
from metaheur.runners.pipelined import Pipelined
from metaheur.running.program import Program, Wishes
from metaheur.running.runner import Facts, Runner
from metaheur.walk import Walk


@final
@frozen(eq=False)
class HerdState:
    """The walk, a row for each string, its costs, and the iteration in which the first row was last turned over."""

    walk: Walk
    rows: np.ndarray = field(metadata={"rows": True})
    costs: np.ndarray = field(metadata={"rows": True})
    turned_at: int = 0
    finished: bool = False


@final
@frozen
class Herd(Search[HerdState]):
    """Every string tries a flip; in every third iteration the best string is doubled, until there are enough strings.

    Five iterations after the beginning, and again every five iterations, the first string is turned over: all its bits
    change. On a device, Python turns the string over.
    """

    most: int = 40

    def init(self, start: EvaluatedSolution, key: Key) -> HerdState:
        return HerdState(Walk(key, start, start), start.solution[None], np.array([start.cost], np.int64))

    def done(self, state: HerdState) -> bool:
        return state.finished

    def step(self, state: HerdState, evaluate: Evaluator) -> HerdState:
        state = self.turned(state, evaluate)
        walk, rows, costs = state.walk, state.rows.copy(), state.costs.copy()
        random, iteration = walk.random(Stream.TRIAL), walk.iteration + 1
        for r, row in enumerate(rows):
            child = row.copy()
            child[random.index(r, len(row))] ^= 1
            cost = evaluate.cost(child)
            if cost <= costs[r]:
                rows[r], costs[r] = child, cost
        best = int(np.argmin(costs))
        walk = walk.go_to(EvaluatedSolution(walk.current.representation, rows[best], int(costs[best])), len(rows))
        if iteration % 3 == 0:
            rows, costs = np.vstack([rows, rows[best]]), np.append(costs, costs[best])
        return HerdState(walk, rows, costs, state.turned_at, len(rows) == self.most)

    def turned(self, state: HerdState, evaluate: Evaluator) -> HerdState:
        """The state with the first string turned over, if it is time to do so."""
        walk = state.walk
        if walk.iteration - state.turned_at < 5:
            return state
        rows, costs = state.rows.copy(), state.costs.copy()
        rows[0] ^= 1
        costs[0] = evaluate.cost(rows[0])
        return evolve(
            state, walk=evolve(walk, evaluated=walk.evaluated + 1), rows=rows, costs=costs, turned_at=walk.iteration
        )

    @property
    def program(self) -> Any:
        return HerdProgram(self)


@final
@frozen
class HerdProgram(Program):
    """Keeps the herd on a device."""

    search: Herd

    def lacking(self, problem: Problem) -> list[str]:
        return lacking(problem)

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        assert device is not None
        return Pipelined(Herding(problem, self.search), device, facts)


@final
@frozen
class Herding(Pipeline):
    """A wide phase of small blocks, and a narrow one of a larger block."""

    problem: Problem
    search: Herd
    room: int = 4

    @property
    def opening(self) -> tuple[PipelinePhase, ...]:
        return ()

    @property
    def phases(self) -> tuple[PipelinePhase, ...]:
        return PipelinePhase("breed_all", min(self.search.most, 128)), PipelinePhase("survive_all")

    @property
    def control(self) -> Mapping[str, str]:
        return {"rows": "i64"}

    @property
    def orders(self) -> Mapping[str, str]:
        return dict.fromkeys(("most", "turned_at"), "i64")

    def arrays(self, room: int, workers: int) -> Mapping[str, tuple[str, int]]:
        n = self.problem.representation.length
        return {
            "herd": ("Item", room * n),
            "children": ("Item", room * n),
            "costs": ("Total", room),
            "child_costs": ("Total", room),
        }

    def shell(self, stage: int) -> Shell:
        launch = Launch(threads=64, narrow={"breed_all": 32})
        return Shell(pieces=(str(Path(__file__).with_suffix(".cuh")),), components={}, members={}, launch=launch)

    def entries(self, state: HerdState) -> int:
        return len(state.rows)

    def write(self, memory: PipelineMemory, state: HerdState) -> None:
        memory.session.write("herd", state.rows)
        memory.session.write("costs", state.costs)
        memory.control["rows"] = len(state.rows)
        memory.orders["most"], memory.orders["turned_at"] = self.search.most, state.turned_at

    def read(self, memory: PipelineMemory, before: HerdState, walk: Walk) -> HerdState:
        count, space = int(memory.control["rows"]), self.problem.representation
        rows = memory.session.read("herd", 0, count * space.length).reshape(count, space.length)
        costs = memory.session.read("costs", 0, count)
        whole = count == self.search.most
        return HerdState(walk, np.array(rows, space.dtype), np.array(costs), before.turned_at, whole)

    def answered(self, state: HerdState) -> HerdState:
        return self.search.turned(state, NumpyEvaluator(self.problem, None))
