"""The runner of exact searches: it advances a search batch by batch, on any device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.cuda.cuda import Cuda
from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.machine.pace import Alarm
from metaheur.machine.processors import cores
from metaheur.problem import Problem, minimised
from metaheur.running.proof import Counts, Proof
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.view import Until
from metaheur.tree.cuda_expander import THREADS, CudaExpander
from metaheur.tree.distributed_walker import walker_on
from metaheur.tree.engine import BatchReport, Engine
from metaheur.tree.expander import Expander, as_bytes, as_nodes
from metaheur.tree.explorers import ExplorerEngine
from metaheur.tree.frontier import FrontierEngine
from metaheur.tree.host_expander import HostExpander
from metaheur.tree.incumbents import Incumbents
from metaheur.tree.numpy_expander import NumpyExpander
from metaheur.tree.order import Beam, Explorers, Frontier
from metaheur.tree.part import NO_COST, nodes_of
from metaheur.tree.state import TreeState
from metaheur.tree.store import Store
from metaheur.tree.tree_parts import TreeParts
from metaheur.tree.tree_walks import TreeWalks, ends
from metaheur.walk import EvaluatedSolution, Walk, Walks

__all__ = ["TreeRunner", "TreeWalks", "bind", "expander_on", "require_halves", "require_not_shared", "spread_of"]

MOST_ROUNDS = 1 << 20


def bind(
    search: Any, problem: Problem, facts: Facts, threads: int | None = None, placement: str = "auto"
) -> TreeRunner:
    """The runner of an exact search on the device that `facts` names, a GPU with the parts' data in some memory."""
    require_halves(search.parts, facts.device)
    require_not_shared(placement)
    engine = _engine(search, problem, facts.device, threads, placement)
    compiled = facts.device != "numpy"
    spread = spread_of(search, f"on {facts.device}" if compiled else "in Python")
    return TreeRunner(search, problem, engine, evolve(facts, resident=compiled, spread=spread))


def spread_of(search: Any, where: str) -> str:
    """How a tree is searched, and what the order or eager incumbents give up, in words."""
    spread = f"One tree, {search.order!r}, {where}"
    if search.incumbent == "eager":
        spread += ', incumbent="eager": the nodes may differ from run to run'
    if isinstance(search.order, Beam):
        spread += f", a heuristic where a level has more than {search.order.width:,} nodes"
    return spread


def require_halves(parts: TreeParts, device: str) -> None:
    """Refuse a device that needs C++ halves if one is missing."""
    if device != "numpy" and (missing := parts.lacking()):
        raise InputError(
            f"{missing[0]} has no C++ half, and {device} needs one.", 'use "numpy", or name its .cuh file in `source`.'
        )


def require_not_shared(placement: str) -> None:
    """Refuse to place all data in shared memory, where explorers keep what has room there in any case."""
    if placement == "shared":
        raise InputError(
            'placement="shared" is for walks that blocks of a GPU keep, but a tree has none.', 'use placement="auto".'
        )


def expander_on(
    parts: TreeParts, problem: Problem, device: Device | None, threads: int | None = None, block: int | None = None
) -> Expander:
    """The expander of a device: a CPU with so many threads, or a GPU with blocks of so many; None for numpy."""
    if device is None:
        return NumpyExpander.of(parts, problem)
    if isinstance(device, Cuda):
        return CudaExpander(parts, problem, device, block or THREADS)
    return HostExpander(parts, problem, threads or cores())


def _engine(search: Any, problem: Problem, name: str, threads: int | None, placement: str) -> Engine:
    """The engine, which keeps the open nodes of a search on a device."""
    parts, order, cpus = search.parts, search.order, threads or cores()
    if isinstance(order, Explorers):
        return ExplorerEngine(parts, problem, order, walker_on(parts, problem, name, cpus, placement))
    if not isinstance(order, Frontier):
        raise InputError(f"{order!r} is neither an order of open nodes nor explorers.", "use DepthFirst().")
    device = None if name == "numpy" else device_of(name, placement)
    expander = expander_on(parts, problem, device, cpus)
    budget = expander.budget if search.memory is None else search.memory
    return FrontierEngine(parts, problem, order, expander, Store(search.disk), budget)


@final
@define(eq=False)
class TreeRunner(Runner):
    """Advances an exact search.

    `search`: the exact search. `engine`: keeps the open nodes. `facts`: where the search runs, and why. `alarm`: the
    runner asks the alarm between calls of the engine, and the engine asks it while a batch takes long.
    """

    search: Any
    problem: Problem
    engine: Engine
    facts: Facts
    alarm: Alarm = field(factory=Alarm)
    walk: Walk = field(init=False)
    counts: Counts = field(init=False)
    incumbents: Incumbents = field(init=False)
    begun: bool = field(default=False, init=False)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return self.engine.native_devices

    def load(self, states: Sequence[Any]) -> Walks:
        if len(states) != 1:
            raise InputError(
                f"An exact search has one walk, but {len(states)} are asked for.",
                "use metaheur.tree.TreeExploration for several devices or workers.",
            )
        state: TreeState = states[0]
        self.walk, self.counts = state.walk, state.counts
        start: EvaluatedSolution = state.walk.best
        holds = state.feasible if state.begun else self.search.branching.holds(self.problem, start.solution)
        self.incumbents = Incumbents(
            self.search.parts,
            self.problem,
            self.search.keep,
            self._cutoff(),
            start,
            bool(holds),
            eager=self.search.incumbent == "eager",
        )
        self.incumbents.solutions = list(state.best.get("solutions", ()))
        self.incumbents.costs = [int(cost) for cost in state.best.get("costs", ())]
        if state.begun:
            self.engine.restore(state.open)
        else:
            self.engine.begin()
        self.begun = state.begun
        return TreeWalks(self)

    def _cutoff(self) -> int:
        """The cost that wanted solutions must be below, minimised."""
        cutoff = self.search.cutoff
        return NO_COST if cutoff is None else min(NO_COST, max(-NO_COST, ceil(minimised(self.problem, cutoff))))

    def advance(self, walks: Walks, until: Until) -> Chunk:
        improvements: list[tuple[int, int, int | float, int]] = []
        self.engine.alarm, begun, within = self.alarm, self.walk.iteration, False
        while not (self.done or ends(until, begun, self.walk, self.counts) or self.alarm.rings()):
            if not self.begun and self.incumbents.completes:
                self.incumbents.accept(self.engine.root_winner())
            made = self.engine.advance(self.incumbents, self._rounds(until))
            within = made is None
            if made is not None:
                improved = self.incumbents.best is not self.walk.best
                self.walk, self.counts = self._after(made, self.incumbents), self.counts + made.counts
                self.begun = True
                if improved:
                    improvements.append((0, self.walk.improved_at, self.walk.best.cost, self.walk.evaluated))
            if self.alarm.due():
                break
        if self.engine.lost:
            self.facts = evolve(self.facts, trial=self.engine.lost)
        after = TreeWalks(self)
        after.stopped = walks.stopped
        return Chunk(after, tuple(improvements), within)

    def _after(self, made: BatchReport, incumbents: Incumbents) -> Walk:
        """The walk after a call of the engine; a solution of a batch that was broken off has the date of the batch."""
        walk, best = self.walk, incumbents.best
        return evolve(
            walk,
            current=best,
            best=best,
            iteration=walk.iteration + made.rounds,
            evaluated=walk.evaluated + made.counts.bounded,
            improved_at=walk.improved_at if best is walk.best else walk.iteration + max(1, made.rounds),
        )

    def _rounds(self, until: Until) -> int:
        """How many rounds a call may make without going beyond the end of the chunk; at least one.

        The solution of the root has the date of the first round: the call that accepts it makes one round.
        """
        if self.incumbents.best is not self.walk.best:
            return 1
        walk, engine = self.walk, self.engine
        rounds = min(MOST_ROUNDS, until.iteration - walk.iteration)
        if until.stagnation is not None:
            rounds = min(rounds, walk.improved_at + until.stagnation - walk.iteration)
        if until.branched is not None:
            rounds = min(rounds, (until.branched - self.counts.branched) // engine.most_branched)
        if until.evaluated is not None:
            rounds = min(rounds, (until.evaluated - walk.evaluated) // engine.most_bounded)
        return max(1, rounds)

    @property
    def done(self) -> bool:
        """Whether no node is open, or there is no memory for more nodes."""
        return self.engine.done or self.engine.full

    def state(self) -> TreeState:
        """The state of the search, in the host's memory; with the results so far of a batch that has begun."""
        incumbents, best = evolve(self.incumbents), {}
        made = self.engine.unfinished(incumbents)
        if self.incumbents.collect:
            n = self.problem.representation.length
            rows = np.array(self.incumbents.solutions, self.problem.representation.dtype).reshape(-1, n)
            best = {"solutions": rows, "costs": np.array(self.incumbents.costs, np.int64)}
        return TreeState(
            self._after(made, incumbents) if made else self.walk,
            self._saved(),
            self.counts + made.counts if made else self.counts,
            begun=self.begun or made is not None,
            feasible=incumbents.feasible,
            done=self.done,
            full=self.engine.full,
            best=best,
        )

    def _saved(self) -> Mapping[str, np.ndarray]:
        """The open nodes. The bytes between the fields of a node are zero, so that all devices save the same."""
        saved = self.engine.saved()
        nodes = as_nodes(saved["nodes"], self.search.branching.node_type(self.problem))
        fields = {name: nodes[name] for name in nodes.dtype.names or ()}
        return {**saved, "nodes": as_bytes(nodes_of(nodes.dtype, fields, len(nodes)))}

    @property
    def solutions(self) -> np.ndarray:
        """All solutions that are kept, shape (s, n), the best first; among equals in the order found."""
        found, best = self.incumbents, self.walk.best.solution
        if not found.collect:
            return best[None, :]
        order = np.argsort(np.array(found.costs, np.int64), kind="stable")
        rows = np.array(found.solutions, best.dtype)
        return rows[order] if len(order) else rows.reshape(0, len(best))

    def proof(self) -> Proof:
        """The proof so far."""
        engine, incumbents, shown = self.engine, self.incumbents, self.problem.displayed
        ends = min(int(incumbents.best.cost) if incumbents.feasible else NO_COST, incumbents.cutoff)
        bound = min(engine.lowest, ends)
        wanted = incumbents.feasible and incumbents.best.cost < incumbents.cutoff
        exact = engine.done and engine.left_out >= ends
        status = ("optimal" if wanted else "infeasible") if exact else "feasible" if incumbents.feasible else "unknown"
        return Proof(
            status=status,
            cost=shown(int(incumbents.best.cost)) if wanted or (incumbents.feasible and not exact) else None,
            bound=shown(int(bound)) if bound < NO_COST else None,
            counts=self.counts,
            open=engine.open,
            share=1.0 if exact else engine.share,
            solutions=len(incumbents.costs) if incumbents.collect else int(incumbents.feasible),
        )
