"""The resident runner: loops stay on a device for many iterations a launch; the trajectory is that of single steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np
from attrs import define, evolve, field

from metaheur.component import components_of
from metaheur.errors import DeviceError, InputError
from metaheur.evaluators.costs import python_cost, require_in_range
from metaheur.machine.pace import Alarm
from metaheur.machine.performance import Spent
from metaheur.part import Part
from metaheur.runners.driven import Driven
from metaheur.runners.walk_memory import WalkMemory
from metaheur.running.runner import Arrive, Chunk, Facts, Runner
from metaheur.running.view import Until
from metaheur.search import LoopState
from metaheur.walk import EvaluatedSolution, Walk, Walks, number_of

if TYPE_CHECKING:
    from metaheur.device.device import Device
    from metaheur.problem import Problem
    from metaheur.random import Key
    from metaheur.representation import Solution
    from metaheur.runners.compiled_loop import CompiledLoop

__all__ = ["Driver"]

ALONE = 1 << 24
"""Elementary operations of a launch from which the device is watched while it works."""


@final
@define(eq=False)
class Driver(Runner):
    """Walks of a loop that stay on a device.

    `compiled`: the loop on a problem, compiled for a device. `facts`: the device, and why it was chosen. `threads`: CPU
    threads that share the walks; 1 by default. `at_once`: the most walks that run at the same time on a GPU; as many as
    fit by default. `records`: whether each improvement of each of many walks is reported; those of a single walk always
    are. `room`: how many improvements of a walk one launch can report. A walk that has reported so many waits for the
    next one.
    """

    compiled: CompiledLoop
    facts: Facts
    threads: int = 1
    at_once: int | None = None
    records: bool = False
    room: int = 1024
    alarm: Alarm = field(factory=Alarm)
    _memory: WalkMemory | None = field(init=False, default=None)
    _walks: _Resident | None = field(init=False, default=None)
    _occupancy: float = field(init=False, default=0.0)

    @property
    def search(self) -> Driven:
        """The loop."""
        return self.compiled.loop

    @property
    def problem(self) -> Problem:
        """The problem that the loop was compiled for."""
        return self.compiled.problem

    @property
    def device(self) -> Device:
        """The device that keeps the walks."""
        return self.compiled.device

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def text(self) -> str:
        """The C++ text of its unit."""
        return self.compiled.unit.unit.text

    def spent(self) -> Spent:
        """Launches, seconds and bytes of the unit, and the occupancy of a GPU."""
        return evolve(super().spent(), occupancy=self._occupancy)

    def load(self, states: Sequence[LoopState]) -> Walks:
        memory = self.memory_for(len(states))
        walks = [state.walk for state in states]
        memory.write_solutions([walk.current.solution for walk in walks], [walk.best.solution for walk in walks])
        for path, member in memory.saved:
            memory.write(path, member, [_kept_at(state, path) for state in states])
        controls = memory.blank(len(states))
        for name in ("iteration", "evaluated", "improved_at", "began"):
            controls[name] = [getattr(walk, name) for walk in walks]
        controls["cost"], controls["best"] = [walk.current.cost for walk in walks], [walk.best.cost for walk in walks]
        keys = tuple(walk.key for walk in walks)
        controls["seed"], controls["walk"] = [key.seed for key in keys], [key.walk for key in keys]
        controls["stale"] = 1
        controls["finished"] = [state.finished for state in states]
        return self._stand(controls, keys)

    def draw(self, keys: Sequence[Key]) -> np.ndarray:
        """As in `Runner`; the device draws."""
        return self.compiled.solutions.starts(keys)

    def begin(self, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """As in `Runner`; the device begins the walks, and evaluates their solutions where there are several."""
        alone = [python_cost(self.problem, solutions[0])] if len(keys) == 1 else None
        memory = self.memory_for(len(keys))
        memory.write_solutions(solutions, solutions)
        controls = memory.blank(len(keys))
        controls["cost"] = controls["best"] = self.compiled.solutions.costs(solutions) if alone is None else alone
        controls["seed"], controls["walk"] = [key.seed for key in keys], [key.walk for key in keys]
        controls["fresh"] = 1
        return self._stand(controls, tuple(keys))

    def replace(self, walks: Walks, states: Mapping[int, LoopState]) -> Walks:
        """As in `Runner`; only the walks that are replaced are copied to the device."""
        if walks is not self._walks or self._memory is None or self._walks is None:
            return super().replace(walks, states)
        memory, controls = self._memory, self._walks.controls
        for w, state in states.items():
            memory.write_solutions([state.walk.current.solution], [state.walk.best.solution], w)
            for path, member in memory.saved:
                memory.write(path, member, [_kept_at(state, path)], w)
            for name in ("iteration", "evaluated", "improved_at", "began"):
                controls[name][w] = getattr(state.walk, name)
            controls["cost"][w], controls["best"][w] = state.walk.current.cost, state.walk.best.cost
            controls["finished"][w], controls["fresh"][w], controls["stale"][w] = state.finished, 0, 1
            controls["entered"][w] = 0
        return self._stand(controls, walks.keys, walks.stopped)

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """As in `Runner`; all solutions are copied at once, and kept arrays stay on the device."""
        if walks is not self._walks or self._memory is None or self._walks is None:
            return super().settle(walks, solutions, arrive)
        memory, controls = self._memory, self._walks.controls
        to = np.array(list(solutions))
        costs = np.array([each.cost for each in solutions.values()], controls["cost"].dtype)
        better = costs < controls["best"][to]
        x = memory.solutions("x")
        x[to] = [each.solution for each in solutions.values()]
        memory.write_rows("x", x)
        if better.any():
            best = memory.solutions("best")
            best[to[better]] = x[to[better]]
            memory.write_rows("best", best)
        controls["cost"][to], controls["best"][to[better]] = costs, costs[better]
        controls["improved_at"][to[better]] = controls["iteration"][to[better]]
        controls["began"][to] = controls["iteration"][to]
        controls["stale"][to] = controls["entered"][to] = 1
        return self._stand(controls, walks.keys, walks.stopped)

    def advance(self, walks: Walks, until: Until) -> Chunk:
        if walks is not self._walks:
            stopped = walks.stopped
            walks = self.load([walks.state(w) for w in range(len(walks))])
            walks.stopped |= stopped
        memory = self._memory
        assert memory is not None
        assert self._walks is not None
        controls = self._walks.controls
        ends = until.values(self.compiled.unit.unit.types.total)
        improvements: tuple[tuple[int, int, int | float, int], ...] = ()
        while True:
            controls["stopped"], controls["improvements"] = walks.stopped, 0
            memory.send(controls, ends)
            self._launch(len(walks), int(until.iteration - controls["iteration"].min()))
            controls = memory.receive()
            improvements += memory.improvements(controls)
            cut = bool(((controls["stale"] == 2) & ~walks.stopped).any())
            if self.alarm.rings() or not cut:  # otherwise another run on this device was cancelled: go on
                return Chunk(self._stand(controls, walks.keys, walks.stopped), improvements)

    def _stand(self, controls: np.ndarray, keys: tuple[Key, ...], stopped: np.ndarray | None = None) -> _Resident:
        """The walks as they are on the device now; walks that were returned before can no longer be read."""
        assert self._memory is not None
        for costs in (controls["cost"], controls["best"]):
            require_in_range(self.problem, costs)
        if self._walks is not None:
            self._walks.leave()
        self._walks = _Resident(self, controls, keys)
        if stopped is not None:
            self._walks.stopped = stopped
        return self._walks

    def _launch(self, walks: int, iterations: int) -> None:
        memory = self._memory
        assert memory is not None
        session = memory.session
        size = max((n.size(self.problem.representation) for n in self.search.neighborhoods), default=1)
        short = size * self.problem.representation.length * iterations * walks < ALONE
        if self.device.kind == "cuda":
            session.launch("drive", walks, blocks=memory.blocks)
            while not short and self.device.busy:
                self.alarm.nap()
                if self.alarm.rings():
                    memory.cancel()
            self.device.wait()
            return
        session.set(threads=self.compiled.sharing(walks, iterations, self.threads))
        if short:
            session.launch("drive", walks)
        else:
            self.alarm.watch(lambda: session.launch("drive", walks), memory.cancel)

    def _blocks(self, walks: int) -> int:
        """Blocks of a launch: not more than run at the same time, since the blocks of a walk wait for each other."""
        if self.device.kind == "host":
            return 1
        fit, team = self.compiled.unit.together("drive"), self.compiled.team
        if fit < team.league:
            raise DeviceError(
                f"{team.league} blocks cannot share a walk: {fit} can wait for each other on {self.device.name}.",
                "take fewer.",
            )
        together = min(walks, self.at_once or walks)
        return min(team.blocks(together), fit // team.league * team.league)

    def abreast(self, walks: int) -> int:
        """The number of walks that run at the same time."""
        if self.device.kind == "host":
            return self.compiled.abreast(walks, self.threads)
        team = self.compiled.team
        return min(walks, self._blocks(walks) // team.league * team.teams())

    def memory_for(self, walks: int) -> WalkMemory:
        """The memory of so many walks: the memory that there is, if it has room for just as many, else a new one."""
        if self._memory is None or self._memory.walks != walks:
            self._memory = None  # so that both need not fit
            blocks = self._blocks(walks)
            self._occupancy = self.compiled.unit.occupancy("drive", blocks)
            records = (walks == 1 or self.records) and not self.problem.objectives  # as the stepped runner does
            room = self.room if records else -1
            self._memory = WalkMemory(self.compiled, self.threads, walks, blocks, room=room)
        return self._memory

    def state(self, controls: np.ndarray, key: Key, w: int) -> LoopState:
        """The state of a walk, read from the device."""
        memory, row = self._memory, controls[w]
        assert memory is not None
        space = self.problem.representation
        current = EvaluatedSolution(space, memory.solution("x", w), number_of(row["cost"]))
        best = EvaluatedSolution(space, memory.solution("best", w), number_of(row["best"]))
        counts = {name: int(row[name]) for name in ("iteration", "evaluated", "improved_at", "began")}
        walk = Walk(key, current, best, **counts)
        if row["fresh"]:
            return self.search.init(current, key)
        kept = {path: memory.read(path, member, w) for path, member in memory.saved}
        state = _state(self.search, walk, kept, "loop.", finished=bool(row["finished"]))
        return self.search.enter(state, walk) if row["entered"] else state

    def solutions_now(self) -> np.ndarray:
        """The current solutions of all walks, read from the device, one in each row."""
        assert self._memory is not None
        return self._memory.solutions("x")

    def best_solution(self, w: int) -> Solution:
        """The best solution of a walk, read from the device."""
        assert self._memory is not None
        return self._memory.solution("best", w)

    def best_solutions(self) -> np.ndarray:
        """The best solutions of all walks, read from the device, one in each row."""
        assert self._memory is not None
        return self._memory.solutions("best")


def _kept_at(state: LoopState, path: str) -> np.ndarray:
    """The kept array at a path such as "loop.inner.memory.expiries"."""
    node: Any = state
    for name in path.split(".")[1:]:
        node = (node.kept if isinstance(node, LoopState) else node)[name]
    found: np.ndarray = node
    return found


def _state(loop: Driven, walk: Walk, kept: Mapping[str, np.ndarray], path: str, *, finished: bool = False) -> LoopState:
    """The state of a loop from its kept arrays by their paths."""
    return LoopState(walk, _mapping(loop, walk, kept, path), finished)


def _mapping(component: Any, walk: Walk, kept: Mapping[str, np.ndarray], path: str) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, inner in components_of(component):
        if isinstance(inner, Driven):
            tree[name] = _state(inner, walk, kept, f"{path}{name}.")
        elif isinstance(inner, Part):
            tree[name] = _mapping(inner, walk, kept, f"{path}{name}.")
    own = {name.removeprefix(path): array for name, array in kept.items() if name.startswith(path)}
    return {**tree, **{name: array for name, array in own.items() if "." not in name}}


@final
class _Resident(Walks):
    """Walks whose solutions and kept arrays stay on a device until they are read."""

    def __init__(self, driver: Driver, controls: np.ndarray, keys: tuple[Key, ...]) -> None:
        self.driver: Driver | None = driver
        self.controls, self.keys = controls, keys
        self.costs, self.best_costs = controls["cost"], controls["best"]
        self.iterations, self.evaluated = controls["iteration"], controls["evaluated"]
        self.improved_at, self.finished = controls["improved_at"], controls["finished"].astype(bool)
        self.moved, self.neutral = controls["moved"], controls["neutral"]
        self.stopped = np.zeros(len(keys), bool)

    def leave(self) -> None:
        """Forget the driver, since its walks on the device have advanced: states can no longer be read."""
        self.driver = None

    def state(self, w: int) -> LoopState:
        return self._driver().state(self.controls, self.keys[w], w)

    def best_solution(self, w: int) -> Solution:
        return self._driver().best_solution(w)

    def solutions_now(self) -> np.ndarray:
        """All at once, since there may be thousands."""
        return self._driver().solutions_now()

    def best_solutions(self) -> np.ndarray:
        return self._driver().best_solutions()

    def _driver(self) -> Driver:
        if self.driver is None:
            raise InputError(
                "These walks have gone on since; their states are no longer on the device.",
                "read them before the next step.",
            )
        return self.driver
