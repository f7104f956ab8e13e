"""The resident runner of pipelines: many iterations are launched ahead, each as launches of different widths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.device.device import CompiledUnit, Device
from metaheur.device.generator.kernels import compiled_kernels
from metaheur.device.session import Session
from metaheur.errors import InputError
from metaheur.evaluators.costs import require_in_range
from metaheur.machine.pace import Alarm
from metaheur.machine.performance import Spent
from metaheur.problem import Problem
from metaheur.representation import Solution
from metaheur.runners.pipeline import IMPROVEMENTS, Pipeline, PipelineMemory, Standing
from metaheur.runners.walk_memory import cancel_flags
from metaheur.running.runner import Chunk, Facts, Runner
from metaheur.running.view import Until
from metaheur.search import Search
from metaheur.walk import EvaluatedSolution, Walks, number_of

__all__ = ["Pipelined"]


@final
@define(eq=False)
class Pipelined(Runner):
    """Walks of a pipeline that stay on a device, one after the other.

    Python acts only where a pipeline asks for it, and where a walk needs more memory.

    `pipeline`: what an iteration is. `device`: where to run. `facts`: where the walks run, and why. `ahead`: the most
    iterations that are launched on a GPU before Python reads how many of them were made. If a walk has stopped earlier,
    such as for a restart, half as many iterations are launched next.
    """

    pipeline: Pipeline
    device: Device
    facts: Facts
    ahead: int = 64
    alarm: Alarm = field(factory=Alarm)
    units: list[CompiledUnit] = field(init=False)
    _held: list[_HeldWalk] = field(init=False, factory=list)
    _walks: _OnDevice | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        """Compile a unit for each stage."""
        shells = map(self.pipeline.composed, range(self.pipeline.stages))
        self.units = [compiled_kernels(self.problem, shell, self.device) for shell in shells]

    @property
    def search(self) -> Search[Any]:
        """The search of the pipeline."""
        return self.pipeline.search

    @property
    def problem(self) -> Problem:
        """The problem of the pipeline."""
        return self.pipeline.problem

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    def count_anew(self) -> None:
        super().count_anew()
        for held in self._held:
            for name in self.pipeline.clocks:
                held.control[name] = 0

    def spent(self) -> Spent:
        """What compiled code used, with the seconds of the phases that the pipeline measures."""
        seconds: dict[str, Any] = {
            field: sum(int(held.control[name][0]) for held in self._held) / 1e9
            for name, field in self.pipeline.clocks.items()
        }
        return evolve(super().spent(), **seconds)

    def load(self, states: Sequence[Any]) -> Walks:
        if len(states) != len(self._held):
            self._held = []  # so that old and new walks need not fit together
            self._held = [_HeldWalk(self) for _ in states]
        for held, state in zip(self._held, states, strict=True):
            held.write(state)
        return self._stand()

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if walks is not self._walks:
            stopped = walks.stopped
            walks = self.load([walks.state(w) for w in range(len(walks))])
            walks.stopped |= stopped
        improvements: list[tuple[int, int, int | float, int]] = []
        for w in np.flatnonzero(~(walks.finished | walks.stopped)).tolist():
            found = self._held[w].advance(until, may_pause=len(walks) == 1)  # several walks end at the same iteration
            improvements += [(w, *each) for each in found]
        after = self._stand()
        after.stopped = walks.stopped
        return Chunk(after, tuple(improvements))

    def _stand(self) -> _OnDevice:
        """The walks, whose states are now on the device."""
        if self._walks is not None:
            self._walks.leave()
        self._walks = _OnDevice(self._held)
        for costs in (self._walks.costs, self._walks.best_costs):
            require_in_range(self.problem, costs)
        return self._walks


@final
class _HeldWalk:
    """A walk that is held on the device."""

    def __init__(self, runner: Pipelined) -> None:
        self.runner, self.pipeline = runner, runner.pipeline
        first, *others = runner.units
        self.on_gpu = runner.device.kind == "cuda"
        self.workers = self._workers() if self.on_gpu else self.pipeline.threads
        self.session = Session(first, runner.device)
        self.session.keep(workers=max(1, self.workers // 32) if self.on_gpu else self.workers)
        self.sessions = [self.session, *(Session(unit, runner.device, self.session) for unit in others)]
        names = ("control", "orders", "until")
        self.control, self.orders, self.until = (self.session.mirror(name) for name in names)
        self.improvements = self.session.near("improvements", IMPROVEMENTS)
        self.cancel, there = cancel_flags(runner.device)
        self.session.set(cancel=there)
        for name in ("x", "best"):
            self.session.own(name, runner.problem.representation.length)
        self.queued = runner.ahead
        self.memory = PipelineMemory(self.session, self.control[0], self.orders[0])
        self._make_room(self.pipeline.room)

    def _workers(self) -> int:
        """The most threads of a GPU that work at one time."""
        launch = self.runner.units[0].unit.launch
        phases = (*self.pipeline.opening, *self.pipeline.phases)
        return max(phase.blocks * launch.narrow.get(phase.entry, launch.threads) for phase in phases)

    def _make_room(self, entries: int) -> None:
        """Make memory for so many entries; the state must then be written again."""
        room = self.orders[0]["room"] = max(entries, int(self.orders[0]["room"]))
        for name, (_, count) in self.pipeline.arrays(room, self.workers).items():
            self.session.own(name, count)

    def write(self, state: Any) -> None:
        """Write a state to the device."""
        walk, control = state.walk, self.control[0]
        self.state, self.is_read = state, True
        entries = self.pipeline.entries(state)
        if entries >= self.orders[0]["room"]:
            self._make_room(2 * entries)
        for name in ("iteration", "evaluated", "improved_at"):
            control[name] = getattr(walk, name)
        control["current"], control["best"] = walk.current.cost, walk.best.cost
        control["seed"], control["walk"] = walk.key.seed, walk.key.walk
        control["standing"] = Standing.ENDED if self.runner.search.done(state) else Standing.ASKS
        self.session.write("x", walk.current.solution)
        self.session.write("best", walk.best.solution)
        self.pipeline.write(self.memory, state)

    def read(self) -> Any:
        """The state, read from the device."""
        if not self.is_read:
            control = self.control[0]
            walk = evolve(
                self.state.walk,
                current=self._evaluated("x", control["current"]),
                best=self._evaluated("best", control["best"]),
                **{name: int(control[name]) for name in ("iteration", "evaluated", "improved_at")},
            )
            self.state, self.is_read = self.pipeline.read(self.memory, self.state, walk), True
        return self.state

    def _evaluated(self, name: str, cost: np.ndarray) -> EvaluatedSolution:
        space = self.runner.problem.representation
        return EvaluatedSolution(space, np.array(self.session.read(name), space.dtype), number_of(cost))

    @property
    def standing(self) -> Standing:
        """The standing in which the last launch has left the walk."""
        return Standing(int(self.control["standing"][0]))

    def advance(self, until: Until, *, may_pause: bool) -> list[tuple[int, int | float, int]]:
        """Make iterations until the chunk ends; if the walk `may_pause`, also until the alarm asks for a look.

        Returns, for each recorded improvement, the iteration, the cost and the number of moves evaluated by then.
        """
        control, alarm = self.control[0], self.runner.alarm
        first = self.orders["begun"] = int(control["iteration"])
        found: list[tuple[int, int | float, int]] = []
        while self.standing is not Standing.ENDED and not self._reached(until) and not alarm.rings():
            if may_pause and control["iteration"] > first and alarm.due():
                break
            if self.standing is Standing.ASKS and not self._answered():
                break
            self._launch(until, pauses=may_pause)
            if control["improvements"]:
                found += [row.item() for row in self.improvements[: int(control["improvements"])]]
            if self.standing is Standing.FULL:
                state = self.read()
                self._make_room(2 * int(control["needed"]))
                self.write(state)
            elif self.standing is Standing.CUT:
                control["standing"] = Standing.RUNNING
        return found

    def _answered(self) -> bool:
        """Let Python do what the next iteration needs; return whether the walk goes on."""
        control, state = self.control[0], self.read()
        answered = self.pipeline.answered(state)
        if answered is not state:
            self.write(answered)
            self.orders["begun"] = control["iteration"]  # moves of the answer count for the next iteration
        if self.standing is Standing.ASKS:
            control["standing"] = Standing.RUNNING
        return self.standing is Standing.RUNNING

    def _reached(self, until: Until) -> bool:
        control = self.control[0]
        stepped = bool(control["iteration"] > self.orders["begun"][0])
        if stepped and until.cost is not None and control["best"] <= until.cost:
            return True
        numbers = (int(control[name]) for name in ("iteration", "improved_at", "evaluated"))
        return until.holds(*numbers, stepped=stepped)

    def _launch(self, until: Until, *, pauses: bool) -> None:
        """Make iterations until the chunk ends or the walk cannot go on; at most as many as are launched ahead."""
        now, end = int(self.control["iteration"][0]), until.iteration
        if self.on_gpu:
            end = min(end, now + self.queued)
        for name, value in {**until.values(self.session.unit.types.total), "end": end}.items():
            self.until[name] = value
        self.cancel[:], self.control["improvements"] = 0, 0
        session = self.sessions[self.pipeline.stage(self.state)]
        session.send("control", "orders", "until")
        if self.on_gpu:
            for phase in (*self.pipeline.opening, *(end - now) * self.pipeline.phases):
                session.launch(phase.entry, phase.value, blocks=phase.blocks)
        else:
            work = lambda: session.launch("drive")  # noqa: E731 - as `watch` takes it
            self.runner.alarm.watch(work, self._cancel, self._pause if pauses else None)
        session.receive("control")
        self.is_read = False
        made = int(self.control["iteration"][0]) - now
        self.queued = min(self.runner.ahead, 2 * self.queued) if made == end - now else max(4, self.queued // 2)

    def _cancel(self) -> None:
        self.cancel[0] = 1

    def _pause(self) -> None:
        self.cancel[1] = 1


@final
class _OnDevice(Walks):
    """Walks that are held on a device; a state is read when it is asked for."""

    def __init__(self, held: Sequence[_HeldWalk]) -> None:
        self.held: Sequence[_HeldWalk] | None = held
        self.keys = tuple(each.state.walk.key for each in held)
        controls = np.concatenate([each.control for each in held])
        self.costs, self.best_costs = controls["current"], controls["best"]
        self.iterations, self.evaluated = controls["iteration"], controls["evaluated"]
        self.improved_at = controls["improved_at"]
        self.finished = controls["standing"] == Standing.ENDED
        self.stopped = np.zeros(len(held), bool)
        self.moved, self.neutral = np.full((2, len(held)), -1)

    def leave(self) -> None:
        """Forget the device, where the walks have advanced: their states can no longer be read."""
        self.held = None

    def state(self, w: int) -> Any:
        return self._at(w).read()

    def best_solution(self, w: int) -> Solution:
        found: Solution = self.state(w).walk.best.solution
        return found

    def _at(self, w: int) -> _HeldWalk:
        if self.held is None:
            raise InputError(
                "The states of these walks are no longer on the device, because the walks have gone on.",
                "read the states before the next step.",
            )
        return self.held[w]
