"""The program and the runner of `KnapsackCore`: they advance one walk, from one better solution to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.device.device import Device
from metaheur.errors import CheckFailed, InputError
from metaheur.evaluators.costs import python_cost
from metaheur.machine.memory import available
from metaheur.machine.pace import Alarm
from metaheur.problem import Problem
from metaheur.problems.knapsack import Knapsack
from metaheur.problems.trees.core_decider import Decider, NumpyDecider, beginning, highest, skip
from metaheur.problems.trees.core_host import HostDecider
from metaheur.problems.trees.core_items import CoreItems, items_of
from metaheur.problems.trees.core_saved import arrays_of, core_of, nothing
from metaheur.running.program import Program, Wishes
from metaheur.running.proof import Counts, Proof
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.view import NO_LIMIT, Until
from metaheur.tree.state import TreeState
from metaheur.tree.tree_walks import TreeWalks, ends
from metaheur.walk import EvaluatedSolution, Walk, Walks

__all__ = ["CoreProgram", "CoreRunner", "bind"]


@final
@frozen
class CoreProgram(Program):
    """Decides the items of a core on a device."""

    search: Any

    alone: ClassVar[bool] = True
    kinds: ClassVar[tuple[str, ...]] = ("numpy", "host")

    def lacking(self, problem: Problem) -> list[str]:
        return []

    def suits_gpu(self, problem: Problem, wishes: Wishes, cores: int) -> tuple[bool, str]:
        return False, "the states of a core are merged one after the other, which suits one core of a CPU"

    def runner(self, problem: Problem, wishes: Wishes, device: Device | None, facts: Facts) -> Runner:
        return bind(self.search, problem, device, facts)


def bind(search: Any, problem: Problem, device: Device | None, facts: Facts) -> CoreRunner:
    """The runner of a search over a core; on NumPy if there is no device."""
    assert isinstance(problem, Knapsack)
    items = items_of(problem)
    if device is None:
        return CoreRunner(
            search, problem, items, NumpyDecider(items), evolve(facts, spread="Dynamic programming in Python")
        )
    if device.kind != "host":
        raise InputError(
            f"KnapsackCore merges states one after the other, which one core does, and does not run on {device.name}.",
            'use parallel="host", or BranchAndBound(KnapsackTree()) on a GPU.',
        )
    budget = available() // 2 if search.memory is None else search.memory
    decider = HostDecider(items, device, budget)
    spread = f"Dynamic programming by one thread of {device.name}"
    return CoreRunner(search, problem, items, decider, evolve(facts, resident=True, spread=spread))


@final
@define(eq=False)
class CoreRunner(Runner):
    """Advances a search over a core.

    `search`: what is run. `problem`: on what. `decider`: what decides them. `facts`: where it runs, and why. `alarm`:
    asked after some 2^20 states.
    """

    search: Any
    problem: Knapsack
    items: CoreItems
    decider: Decider
    facts: Facts
    alarm: Alarm = field(factory=Alarm)
    walk: Walk = field(init=False)
    counts: Counts = field(init=False)
    begun: bool = field(init=False)
    feasible: bool = field(init=False)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.decider.native_devices

    def load(self, states: Sequence[Any]) -> Walks:
        if len(states) != 1:
            raise InputError(f"An exact search has one walk, but {len(states)} are asked for.", "use one walk.")
        state: TreeState = states[0]
        self.walk, self.counts, self.begun = state.walk, state.counts, state.begun
        self.feasible = self.problem.violation(self.walk.best.solution) == 0
        if self.begun:
            self.decider.load(core_of(state.open))
        return TreeWalks(self)

    @property
    def done(self) -> bool:
        """Whether no state is left, or there is no memory for more."""
        return self.begun and (not self.decider.count or self.decider.full)

    @property
    def best(self) -> int:
        """The best profit of the items that are sorted."""
        return -int(self.walk.best.cost) - self.items.free_profit

    def advance(self, walks: Walks, until: Until) -> Chunk:
        improvements: list[tuple[int, int, int | float, int]] = []
        begun = self.walk.iteration
        while not (self.done or ends(until, begun, self.walk, self.counts) or self.alarm.rings()):
            before = self.walk.best
            if self.begun:
                self._decide(until)
            else:
                self._begin()
            if self.walk.best is not before:
                improvements.append((0, self.walk.improved_at, self.walk.best.cost, self.walk.evaluated))
            if self.alarm.due():
                break
        after = TreeWalks(self)
        after.stopped = walks.stopped
        return Chunk(after, tuple(improvements))

    def _begin(self) -> None:
        """The first iteration: the break solution and its neighbors."""
        profit, changes = self.items.near
        core = beginning(self.items)
        self.walk = evolve(self.walk, iteration=1, evaluated=1)
        self.counts, self.begun = self.counts + Counts(bounded=1), True
        if not self.feasible or profit > self.best:
            self._accept(list(changes), profit)
        skip(self.items, core, self.best)
        hopeful = highest(self.items, core) > self.best
        core.weights, core.profits, core.paths = core.weights[hopeful], core.profits[hopeful], core.paths[hopeful]
        self.decider.load(core)

    def _decide(self, until: Until) -> None:
        """Some items, as many as no condition forbids; the last may find a better solution."""
        walk, steps, branched = self.walk, until.iteration - self.walk.iteration, NO_LIMIT
        if until.stagnation is not None:
            steps = min(steps, walk.improved_at + until.stagnation - walk.iteration)
        if until.branched is not None:
            branched = min(branched, until.branched - self.counts.branched)
        if until.evaluated is not None:
            branched = min(branched, until.evaluated - walk.evaluated)
        made = self.decider.decide(self.best, max(1, steps), max(1, branched))
        iteration = walk.iteration + made.steps
        self.walk = evolve(walk, iteration=iteration, evaluated=walk.evaluated + made.counts.bounded)
        self.counts += evolve(made.counts, deepest=iteration - 1)
        if made.changes is not None:
            self._accept(made.changes, made.best)

    def _accept(self, changes: list[int], profit: int) -> None:
        """Take a better solution; its cost is verified."""
        x = np.zeros(self.problem.representation.length, np.uint8)
        x[self.items.free] = 1
        x[self.items.order] = self.items.solution(changes)
        cost, counted = python_cost(self.problem, x), -(profit + self.items.free_profit)
        if cost != counted:
            raise CheckFailed(f"The changes {changes} to the break solution cost {cost}, but the core says {counted}.")
        best = EvaluatedSolution(self.problem.representation, x, cost)
        self.walk, self.feasible = evolve(self.walk, current=best, best=best, improved_at=self.walk.iteration), True

    @property
    def solutions(self) -> np.ndarray:
        """The best solution, shape (1, n)."""
        return self.walk.best.solution[None, :]

    def state(self) -> TreeState:
        """Where the search stands, in the host's memory."""
        saved = arrays_of(self.decider.core()) if self.begun else nothing()
        full = self.begun and self.decider.full
        return TreeState(self.walk, saved, self.counts, self.begun, self.feasible, done=self.done, full=full)

    def proof(self) -> Proof:
        """What is proven so far."""
        exact = self.begun and not self.decider.count
        cost, shown = int(self.walk.best.cost) if self.feasible else None, self.problem.displayed
        core = self.decider.core() if self.begun else beginning(self.items)
        bounds = [-int(highest(self.items, core).max()) - self.items.free_profit] if len(core.weights) else []
        decided = core.right - core.left
        return Proof(
            status="optimal" if exact else "feasible" if self.feasible else "unknown",
            cost=None if cost is None else shown(cost),
            bound=shown(min([*bounds, *([] if cost is None else [cost])])),
            counts=self.counts,
            open=len(core.weights),
            share=1.0 if exact else min(0.999, decided / max(1, len(self.items.order))),
            solutions=int(self.feasible),
        )
