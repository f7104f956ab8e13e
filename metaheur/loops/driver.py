"""The resident runner: loops that stay on a device, many iterations a launch, with the trajectory of repeated steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import floor
from typing import Any, final

import numpy as np
from attrs import define, evolve, field, frozen

from metaheur.component import components_of
from metaheur.device.device import Buffer, CompiledUnit, Device
from metaheur.device.launch import Launch
from metaheur.device.layout import Member, Struct, rounded
from metaheur.device.memory import allocate, copies_of
from metaheur.device.openmp import has_openmp
from metaheur.device.placement import require_all_shared
from metaheur.device.record import EVALUATED_MOVE, Record
from metaheur.device.shell import Shell
from metaheur.errors import DeviceError, InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.loops.loop import Loop, LoopState
from metaheur.pace import Alarm
from metaheur.parts.part import Part
from metaheur.performance import Spent
from metaheur.problem import Problem
from metaheur.random import Key
from metaheur.representation import Permutation, Representation, Solution
from metaheur.runner import Arrive, Chunk, Facts, Runner
from metaheur.search import Search
from metaheur.until import Until
from metaheur.validate import whole_field
from metaheur.walk import EvaluatedSolution, Walk, Walks

__all__ = ["Driver", "Team", "drive"]

ROOM = 1024
"""Improvements of a walk that one launch can report; it ends for that walk when they are used up."""

RESERVED = 2048
"""Bytes of shared memory that the shell itself takes."""

SPREAD = 512
"""Threads for which a multiprocessor shall have registers, however small the blocks are: 128 for each."""

PRIVATE = 4096
"""Bytes of private memory that a walk a thread may take."""

LONG_AGO = 2**62
"""An iteration that no run reaches."""

HUGE = 1e307
"""A cost beyond those of all problems: a change of cost that is not a finite number leads there."""

ALONE = 1 << 24
"""Elementary operations of a first iteration from which a CPU is watched while it works."""

CONTROL = Record(
    "Control",
    {
        **dict.fromkeys(("iteration", "evaluated", "improved_at", "began", "moved", "neutral"), "i64"),
        **dict.fromkeys(("cost", "best"), "Total"),
        **dict.fromkeys(("seed", "walk"), "u32"),
        **dict.fromkeys(("fresh", "stale", "entered", "finished", "stopped", "improvements"), "i32"),
    },
)
"""Where a walk stands; it has `entered` where it was taken elsewhere since its last step."""

ORDERS = Record(
    "Orders",
    {
        **dict.fromkeys(("end", "stagnation", "evaluated"), "i64"),
        "target": "Total",
        **dict.fromkeys(("has_target", "on_improvement", "room"), "i32"),
    },
)
"""Where a chunk ends, for all walks."""

IMPROVEMENT = Record("Improvement", {"iteration": "i64", "cost": "Total", "evaluated": "i64"})


@final
@frozen
class Team:
    """Who owns a walk on a GPU.

    Parameters
    ----------
    per : {"thread", "warp", "block", "cluster"}
        A walk is a thread's, a warp's, that of one or several blocks, or that of the blocks of a cluster, which agree
        through their shared memory (compute capability 9.0).
    threads : int
        Of a block.
    league : int, default 1
        Blocks that share a walk: any number for "block", 2 ... 16 for "cluster", of which every GPU that has clusters
        allows 8; else 1.
    """

    per: str = field(default="block")
    threads: int = whole_field(32, 1024, default=1024)
    league: int = whole_field(1, 1024, default=1)

    @per.validator
    def _known(self, _: Any, value: Any) -> None:
        if value not in ("thread", "warp", "block", "cluster"):
            raise InputError(f'`per` must be "thread", "warp", "block" or "cluster", but is {value!r}.')

    def __attrs_post_init__(self) -> None:
        """Refuse halves of warps, and walks that are shared by less than blocks."""
        if self.threads % 32:
            raise InputError(f"`threads` must be a multiple of 32, but is {self.threads}.")
        if self.league > 1 and self.per not in ("block", "cluster"):
            raise InputError(f'Only blocks share a walk, but `per` is "{self.per}" and `league` is {self.league}.')
        if self.per == "cluster" and not 2 <= self.league <= 16:
            raise InputError(f"A cluster has 2 ... 16 blocks, but `league` is {self.league}.", "use 8.")

    @property
    def number(self) -> int:
        """0 for a thread, 1 for a warp, 2 for blocks: MH_OWNER in drive_cuda.cuh."""
        return {"thread": 0, "warp": 1, "block": 2, "cluster": 2}[self.per]

    def blocks(self, walks: int) -> int:
        """How many blocks a launch needs for so many walks."""
        return -(-walks // self.teams()) * self.league

    def teams(self) -> int:
        """How many walks a block takes."""
        return {"thread": self.threads, "warp": self.threads // 32}.get(self.per, 1)


def drive(loop: Loop, problem: Problem, device: Device, team: Team) -> Shell:
    """The shell of a resident loop: the entry `drive`.

    Parameters
    ----------
    loop : Loop
        With C++ halves of all that it is made of.
    problem : Problem
        With a C++ half.
    device : Device
        Where it is to run.
    team : Team
        Who owns a walk on a GPU.
    """
    cuda, clusters = device.kind == "cuda", team.per == "cluster"
    lanes = 1 if not cuda or team.per == "thread" else 32
    owner = {
        "MH_OWNER": team.number,
        "MH_LEAGUE": team.league,
        "MH_CLUSTER": clusters,
        "MH_TOGETHER": max(1, SPREAD // team.threads),
    }

    stateless = team.per == "thread" and loop.tries and _without_state(loop, problem)
    space = problem.representation
    item = np.dtype(np.uint8) if stateless and _fits_bytes(space) else space.dtype
    if cuda and not loop.reads_state and isinstance(space, Permutation) and space.length <= 2**16:
        item = np.dtype(np.uint16)  # the problem's own functions are not asked, and fast memory holds twice as many

    def place(structs: Mapping[str, Struct], device: Device) -> tuple[Mapping[str, Any], Mapping[str, Any], int]:
        found = structs if loop.reads_state else {name: structs[name] for name in structs if name != "state"}
        return _place(found, problem, device, team, item) if cuda else ({}, _NOT_PLACED, 0)

    return Shell(
        pieces=(
            "device/placing.cuh",
            *(["device/staging_cuda.cuh"] if cuda else []),
            "loops/driver.cuh",
            f"device/drive_{device.kind}.cuh",
        ),
        components={"loop": loop},
        members={
            "x": "Item*",  # a replica for each block of a walk
            "best": "Item*",
            "controls": "Control*",
            "orders": "Orders*",
            "improvements": "Improvement*",
            "cancel": "i32*",
            "scratch": "Item*",  # a solution for each thread
            "arrived": "u64*",
            "posts": "EvaluatedMove*",
            "answer": "i64*",
            "threads": "i64",
        },
        records=(CONTROL, ORDERS, IMPROVEMENT),
        defines={"MH_LANES": lanes, "MH_TILE": min(8, lanes), **(owner if cuda else {})},
        launch=Launch(
            threads=team.threads,
            uses_shared=("drive",),
            cooperative=team.league > 1 and not clusters,
            cluster=team.league if clusters else 1,
            openmp=True,
            timed=True,
        ),
        place=place,
        stateless=stateless,
        item=item,
    )


def _without_state(loop: Loop, problem: Problem) -> bool:
    """Whether the problem computes the changes of cost of all moves of a loop without what it keeps."""
    moves = [each.move_types for each in loop.neighborhoods]
    return all(moves) and all(kind in problem.stateless for kinds in moves for kind in kinds)


def _fits_bytes(space: Representation) -> bool:
    """Whether the entries of all solutions fit into bytes, of which fast memory holds four times as many."""
    return isinstance(space, Permutation) and space.length <= 256


_NOT_PLACED = {"MH_OWN": 0, "MH_OWN_SOLUTION": 0, "MH_OWN_BEST": 0}

SCRATCH = "scratch"
"""Stands for what all warps of a block that owns a walk have to themselves, among the paths of arrays."""


def _place(
    structs: Mapping[str, Struct], problem: Problem, device: Device, team: Team, item: np.dtype[Any]
) -> tuple[Mapping[str, tuple[str, int]], Mapping[str, Any], int]:
    """What lies in shared memory or in memory of a team's own: as much as fits, the most used first."""
    shared = max(0, device.shared_memory - RESERVED)
    teams = team.teams()
    kept: Counter[str] = Counter()
    common: Counter[str] = Counter()
    tables: list[str] = []
    late: list[str] = []
    for name in (name for name in ("state", "problem", "loop") if name in structs):
        for path, member in structs[name].arrays(f"{name}."):
            if member.scratch and team.number == 2:
                kept[SCRATCH] += rounded(member.nbytes(device) * (team.threads // 32))
            if member.movable:
                (kept if member.values is None else common)[path] = rounded(member.nbytes(device))
                if member.table:
                    tables.append(path)
                if member.late:
                    late.append(path)
    solution = rounded(problem.representation.length * item.itemsize)
    placed: dict[str, tuple[str, int]] = {}
    own, block = 0, 0
    data = {path: nbytes for path, nbytes in common.items() if path.startswith("problem.")}
    first = data if device.placement == "shared" else {}
    wanted = {**first, "": solution, **dict(_by_use(kept, common, tables, late))}
    for path, nbytes in wanted.items():
        if path in common:
            if block + nbytes + (0 if team.per == "thread" else own * teams) <= shared:
                block += nbytes
                placed[path] = "Shared", 0
        elif (own + nbytes <= PRIVATE) if team.per == "thread" else (block + (own + nbytes) * teams <= shared):
            own += nbytes
            placed[path] = "Own", 0
    require_all_shared(first, placed, type(problem).__name__, device, shared)
    own_solution, own_scratch = (placed.pop(path, None) is not None for path in ("", SCRATCH))
    own_best = team.per == "thread" and own_solution and own + solution <= PRIVATE
    own += solution * own_best
    defines = {
        "MH_OWN": own,
        "MH_OWN_SOLUTION": int(own_solution),
        "MH_OWN_BEST": int(own_best),
        "MH_OWN_SCRATCH": int(own_scratch),
    }
    return placed, defines, block + (0 if team.per == "thread" else own * teams)


def _by_use(kept: Counter[str], common: Counter[str], tables: list[str], late: list[str]) -> list[tuple[str, int]]:
    """What a step reads most comes first: what the problem keeps, its data, scratch, tables of all moves, and so on."""
    order = [
        *(path for path in kept if path.startswith("state.")),
        *(path for path in common if path.startswith("problem.")),
        *(path for path in kept if path == SCRATCH),
        *tables,
        *(path for path in kept if path.startswith("loop.") and path not in (*tables, *late)),
        *(path for path in common if path.startswith("loop.")),
        *late,
    ]
    return [(path, kept[path] or common[path]) for path in order]


@final
@define(eq=False)
class Driver(Runner):
    """Walks of a loop that stay on a device.

    Parameters
    ----------
    problem : Problem
        With a C++ half.
    loop : Loop
        With C++ halves of all that it is made of.
    device : Device
        Where to run.
    facts : Facts
        Where that is, and why.
    team : Team, optional
        Who owns a walk on a GPU; a block by default.
    threads : int, optional
        CPU threads that share the walks; 1 by default.
    at_once : int, optional
        Walks that run at one time on a GPU, at most; as many as fit by default.
    records : bool, optional
        Whether each improvement of each of many walks is reported; those of a single walk always are.
    """

    problem: Problem
    loop: Loop
    device: Device
    facts: Facts
    team: Team = Team()
    threads: int = 1
    at_once: int | None = None
    records: bool = False
    alarm: Alarm = field(factory=Alarm)
    _unit: CompiledUnit = field(init=False)
    _whole: DeviceEvaluator = field(init=False)
    _memory: _Memory | None = field(init=False, default=None)
    _walks: _Resident | None = field(init=False, default=None)
    _occupancy: float = field(init=False, default=0.0)

    def __attrs_post_init__(self) -> None:
        """Compile."""
        if self.team.league > 1 and not self.loop.divides:
            raise InputError(f"A walk of {type(self.loop).__name__} cannot be shared by several blocks.", "use one.")
        if self.team.per == "cluster" and self.device.kind == "cuda" and self.device.largest_cluster == 1:
            raise DeviceError(
                f"Blocks cannot form clusters on {self.device.name} ({self.device.description}): that takes compute "
                "capability 9.0.",
                'use per="block".',
            )
        shell = drive(self.loop, self.problem, self.device, self.team)
        self._unit = self.loop.neighborhoods[0].kernel(self.problem, shell, self.device)
        self._whole = DeviceEvaluator(self.problem, self.device)

    @property
    def native_devices(self) -> tuple[Device, ...]:
        return (self.device,)

    @property
    def text(self) -> str:
        """That of its unit."""
        return self._unit.unit.text

    def spent(self) -> Spent:
        """What its unit has taken, and how full of walks a GPU is."""
        return evolve(super().spent(), occupancy=self._occupancy)

    def load(self, states: Sequence[LoopState]) -> Walks:
        memory = self._memory_for(len(states))
        walks = [state.walk for state in states]
        memory.write_solutions([walk.current.solution for walk in walks], [walk.best.solution for walk in walks])
        for path, member in memory.saved():
            memory.write(path, member, [_kept_at(state, path) for state in states])
        controls = memory.blank(len(states))
        for name in ("iteration", "evaluated", "improved_at", "began"):
            controls[name] = [getattr(walk, name) for walk in walks]
        controls["cost"], controls["best"] = ([s.cost for s in each] for each in _columns(walks))
        controls["seed"], controls["walk"] = ([k.seed for k in _keys(walks)], [k.walk for k in _keys(walks)])
        controls["stale"] = 1
        controls["finished"] = [state.finished for state in states]
        return self._stand(controls, tuple(_keys(walks)))

    def draw(self, problem: Problem, keys: Sequence[Key]) -> np.ndarray:
        """Drawn on the device."""
        return self._whole.starts(keys)

    def begin(self, search: Search[Any], problem: Problem, keys: Sequence[Key], solutions: np.ndarray) -> Walks:
        """One walk as Python begins it; many are evaluated and begun on the device."""
        if len(keys) == 1:
            return super().begin(search, problem, keys, solutions)
        memory = self._memory_for(len(keys))
        memory.write_solutions(solutions, solutions)
        controls = memory.blank(len(keys))
        controls["cost"] = controls["best"] = self._whole.costs(solutions)
        controls["seed"], controls["walk"] = [key.seed for key in keys], [key.walk for key in keys]
        controls["fresh"] = 1
        return self._stand(controls, tuple(keys))

    def replace(self, walks: Walks, states: Mapping[int, LoopState]) -> Walks:
        """Only what is replaced travels."""
        if walks is not self._walks or self._memory is None or self._walks is None:
            return super().replace(walks, states)
        memory, controls = self._memory, self._walks.controls
        for w, state in states.items():
            memory.write_solutions([state.walk.current.solution], [state.walk.best.solution], w)
            for path, member in memory.saved():
                memory.write(path, member, [_kept_at(state, path)], w)
            for name in ("iteration", "evaluated", "improved_at", "began"):
                controls[name][w] = getattr(state.walk, name)
            controls["cost"][w], controls["best"][w] = state.walk.current.cost, state.walk.best.cost
            controls["finished"][w], controls["fresh"][w], controls["stale"][w] = state.finished, 0, 1
            controls["entered"][w] = 0
        return self._stand(controls, walks.keys, walks.stopped)

    def settle(self, walks: Walks, solutions: Mapping[int, EvaluatedSolution], arrive: Arrive) -> Walks:
        """All solutions at once, since there may be thousands; what a search keeps stays on the device."""
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
        orders = self._orders(until, len(walks))
        improvements: tuple[tuple[int, int, int | float, int], ...] = ()
        while True:
            controls["stopped"], controls["improvements"] = walks.stopped, 0
            memory.send(controls, orders)
            self._launch(len(walks), int(until.iteration - controls["iteration"].min()))
            controls = memory.receive(len(walks))
            improvements += memory.improvements(controls)
            cut = bool(((controls["stale"] == 2) & ~walks.stopped).any())
            if self.device.kind == "cuda" or self.alarm.rings() or not cut:  # else it was somebody else's alarm
                return Chunk(self._stand(controls, walks.keys, walks.stopped), improvements)

    def _stand(self, controls: np.ndarray, keys: tuple[Key, ...], stopped: np.ndarray | None = None) -> _Resident:
        """The walks as they stand on the device now."""
        assert self._memory is not None
        if controls["cost"].dtype.kind == "f" and not (np.abs(controls["cost"]) < HUGE).all():
            raise InputError(
                f"The C++ half of {type(self.problem).__name__} led to a cost that is not a finite number.",
                "check_problem names the move that does it.",
            )
        if self._walks is not None:
            self._walks.leave()
        self._walks = _Resident(self, controls, keys)
        if stopped is not None:
            self._walks.stopped = stopped
        return self._walks

    def _launch(self, walks: int, iterations: int) -> None:
        memory = self._memory
        assert memory is not None
        arguments = memory.arguments
        if self.device.kind == "cuda":
            self._unit.launch("drive", arguments, walks, blocks=memory.blocks)
            self.device.wait()
            return
        size = max((n.size(self.problem.representation) for n in self.loop.neighborhoods), default=1)
        if size * self.problem.representation.length * iterations * walks < ALONE:
            self._unit.launch("drive", arguments, walks)
        else:
            self.alarm.watch(lambda: self._unit.launch("drive", arguments, walks), memory.cancel)

    def _blocks(self, walks: int) -> int:
        """Blocks of a launch: as many as run at one time, since those of a walk wait for each other."""
        if self.device.kind == "host":
            return 1
        fit, league = self._unit.together("drive"), self.team.league
        if fit < league:
            raise DeviceError(
                f"{league} blocks cannot share a walk: {fit} can wait for each other on {self.device.name}.",
                "take fewer.",
            )
        together = min(walks, self.at_once or walks)
        return min(self.team.blocks(together), fit // league * league)

    def abreast(self, walks: int) -> int:
        """How many of so many walks run at one time."""
        if self.device.kind == "host":
            return min(walks, self.threads if has_openmp() else 1)
        return min(walks, self._blocks(walks) // self.team.league * self.team.teams())

    def _orders(self, until: Until, walks: int) -> dict[str, Any]:
        return {
            "end": until.iteration,
            "stagnation": LONG_AGO if until.stagnation is None else until.stagnation,
            "evaluated": LONG_AGO if until.evaluated is None else until.evaluated,
            "target": self._target(until),
            "has_target": until.cost is not None,
            "on_improvement": until.improvement,
            "room": ROOM if walks == 1 or self.records else -1,
        }

    def _target(self, until: Until) -> int | float:
        """The cost to reach in the type of costs: rounded down, and within its ends."""
        if until.cost is None:
            return 0
        if self._unit.unit.types.total.kind == "f":
            return until.cost
        return floor(max(-(2**63), min(2**63 - 1, until.cost)))

    def _memory_for(self, walks: int) -> _Memory:
        if self._memory is None or self._memory.walks != walks:
            self._memory = None  # so that both need not fit
            blocks = self._blocks(walks)
            self._occupancy = self._unit.occupancy("drive", blocks)
            self._memory = _Memory(
                self._unit, self.problem, self.device, self.team, self.threads, walks, blocks, records=self.records
            )
        return self._memory

    def state(self, controls: np.ndarray, key: Key, w: int) -> LoopState:
        """The state of a walk that stands on the device."""
        memory, row = self._memory, controls[w]
        assert memory is not None
        space = self.problem.representation
        current = EvaluatedSolution(space, memory.solution("x", w), row["cost"].item())
        best = EvaluatedSolution(space, memory.solution("best", w), row["best"].item())
        counts = {name: int(row[name]) for name in ("iteration", "evaluated", "improved_at", "began")}
        walk = Walk(key, current, best, **counts)
        if row["fresh"]:
            return self.loop.init(current, key)
        kept = {path: memory.read(path, member, w) for path, member in memory.saved()}
        state = _state(self.loop, walk, kept, "loop.", finished=bool(row["finished"]))
        return self.loop.enter(state, walk) if row["entered"] else state

    def solutions_now(self) -> np.ndarray:
        """The solutions of all walks that stand on the device, a row each."""
        assert self._memory is not None
        return self._memory.solutions("x")

    def best_solution(self, w: int) -> Solution:
        """The best solution of a walk that stands on the device."""
        assert self._memory is not None
        return self._memory.solution("best", w)

    def best_solutions(self) -> np.ndarray:
        """Those of all walks that stand on the device, a row each."""
        assert self._memory is not None
        return self._memory.solutions("best")


def _columns(walks: Sequence[Walk]) -> tuple[list[EvaluatedSolution], list[EvaluatedSolution]]:
    return [walk.current for walk in walks], [walk.best for walk in walks]


def _keys(walks: Sequence[Walk]) -> list[Key]:
    return [walk.key for walk in walks]


def _kept_at(state: LoopState, path: str) -> np.ndarray:
    """The kept array at a path such as "loop.inner.memory.expiries"."""
    node: Any = state
    for name in path.split(".")[1:]:
        node = (node.kept if isinstance(node, LoopState) else node)[name]
    found: np.ndarray = node
    return found


def _state(loop: Loop, walk: Walk, kept: Mapping[str, np.ndarray], path: str, *, finished: bool = False) -> LoopState:
    """The state of a loop from its kept arrays by their paths."""
    return LoopState(walk, _mapping(loop, walk, kept, path), finished)


def _mapping(component: Any, walk: Walk, kept: Mapping[str, np.ndarray], path: str) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for name, inner in components_of(component):
        if isinstance(inner, Loop):
            tree[name] = _state(inner, walk, kept, f"{path}{name}.")
        elif isinstance(inner, Part):
            tree[name] = _mapping(inner, walk, kept, f"{path}{name}.")
    own = {name.removeprefix(path): array for name, array in kept.items() if name.startswith(path)}
    return {**tree, **{name: array for name, array in own.items() if "." not in name}}


def tabulates(unit: CompiledUnit, device: Device) -> bool:
    """Whether the C++ half of a loop keeps tables of all moves."""
    answer, buffer = device.pinned(1, np.int64)
    arguments = np.zeros((), unit.unit.dtype)
    arguments["answer"] = device.pointer(buffer)
    unit.launch("capabilities", device.upload(arguments))
    device.wait()
    return bool(answer[0])


def copy_bytes(source: np.ndarray, to: np.ndarray) -> None:
    """Copy records as they lie: NumPy copies them field by field."""
    to.view(np.uint8)[:] = source.view(np.uint8)


@cache
def _cancel(device: Device) -> tuple[np.ndarray, Buffer]:
    """What has the walks of a device end as soon as they can; one for all, since it must outlive each of them."""
    return device.pinned(1, np.int32)


@final
class _Memory:
    """What the walks of a driver have on the device."""

    def __init__(  # noqa: PLR0913, PLR0917 - made in one place
        self,
        unit: CompiledUnit,
        problem: Problem,
        device: Device,
        team: Team,
        threads: int,
        walks: int,
        blocks: int,
        *,
        records: bool,
    ) -> None:
        self.unit, self.device, self.walks, self.blocks = unit.unit, device, walks, blocks
        self.league = 1 if device.kind == "host" else team.league
        self.space, types = problem.representation, unit.unit.types
        workers = threads if device.kind == "host" else blocks * team.threads
        teams = workers if device.kind == "host" or team.per == "thread" else max(1, workers // 32)
        self.tabulates = tabulates(unit, device)
        self._require(workers, type(problem).__name__)
        self.buffers = allocate(
            self.unit, device, walks=walks, league=self.league, workers=teams, tabulates=self.tabulates
        )
        n, control = self.space.length, CONTROL.dtype(types)
        self.buffers["x"] = device.zeros(walks * self.league * n, types.item)
        self.buffers["best"] = device.zeros(walks * n, types.item)
        self.buffers["scratch"] = device.zeros(workers * n, types.item)
        self.buffers["posts"] = device.zeros(walks * 2 * self.league * EVALUATED_MOVE.dtype(types).itemsize, np.uint8)
        self.buffers["arrived"] = device.zeros(walks, np.uint64)
        self.host: dict[str, np.ndarray] = {}
        for name, count, dtype in (
            ("controls", walks, control),
            ("orders", 1, ORDERS.dtype(types)),
            ("improvements", walks * ROOM if walks == 1 or records else 1, IMPROVEMENT.dtype(types)),
            ("answer", 1, np.dtype(np.int64)),
        ):
            self.host[name], self.buffers[name] = device.pinned(count, dtype)
        self.host["cancel"], self.buffers["cancel"] = _cancel(device)
        self.far = device.zeros(walks * control.itemsize, np.uint8) if walks > 64 and device.kind == "cuda" else None
        if self.far is not None:
            self.buffers["controls"] = self.far
        names = ("x", "best", "controls", "orders", "improvements", "cancel", "scratch", "arrived", "posts", "answer")
        values = {name: device.pointer(self.buffers[name]) for name in names}
        self.arguments = device.upload(self.unit.arguments(device, self.buffers, {**values, "threads": threads}))

    def _require(self, workers: int, problem: str) -> None:
        """Refuse more than the device has, before anything is taken."""
        scratch = workers * self.space.length * self.space.dtype.itemsize
        needed: Counter[str] = Counter({"scratch": scratch})
        data = scratch  # what does not grow with the walks
        for path, member in self.unit.arrays():
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

    def saved(self) -> Iterator[tuple[str, Member]]:
        """The arrays that are part of the state, by their paths."""
        return ((path, member) for path, member in self.unit.arrays() if member.saved)

    def blank(self, walks: int) -> np.ndarray:
        """A control for each of so many walks, all zeros."""
        return np.zeros(walks, CONTROL.dtype(self.unit.types))

    def write_solutions(self, current: Any, best: Any, first: int = 0) -> None:
        """Solutions of walks from a number on, a row each."""
        self.write_rows("x", current, first)
        self.write_rows("best", best, first)

    def write_rows(self, name: str, solutions: Any, first: int = 0) -> None:
        """The current ("x") or the best solutions of walks from a number on; of each block that has a replica."""
        rows, copies = np.asarray(solutions, self.unit.types.item), self.league if name == "x" else 1
        out = rows if copies == 1 else np.repeat(rows, copies, axis=0)
        self.device.write(self.buffers[name], out, first * copies * self.space.length)

    def write(self, path: str, member: Member, values: list[np.ndarray], first: int = 0) -> None:
        """A kept array of walks from a number on, and of all blocks that have a replica."""
        copies = copies_of(member, 1, self.league, tabulates=True)
        rows, row = self._rows(member)
        out = np.zeros((len(values), copies, rows, row), member.stored)
        width = member.shape[-1] if member.shape else 1
        out[..., :width] = np.reshape(values, (len(values), 1, rows, width))
        self.device.write(self.buffers[path], out, first * out[0].size)

    def read(self, path: str, member: Member, w: int) -> np.ndarray:
        """A copy of a kept array of one walk."""
        copies = copies_of(member, 1, self.league, tabulates=True)
        entries = member.entries(self.device)
        whole = self.device.download(self.buffers[path], w * copies * entries, entries).reshape(self._rows(member))
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
        return np.array(self.device.download(self.buffers[name], first, n), self.space.dtype)

    def solutions(self, name: str) -> np.ndarray:
        """A copy of the solutions of all walks, a row each."""
        copies = self.league if name == "x" else 1
        rows = self.device.download(self.buffers[name]).reshape(self.walks, copies, self.space.length)
        return np.array(rows[:, 0], self.space.dtype)

    def send(self, controls: np.ndarray, orders: Mapping[str, Any]) -> None:
        """Write the walks' controls and the orders, which the next launch reads."""
        copy_bytes(controls, self.host["controls"])
        for name, value in orders.items():
            self.host["orders"][name] = value
        self.host["cancel"][0] = 0
        if self.far is not None:
            self.device.write(self.far, self.host["controls"])
        if self.league > 1:
            self.device.write(self.buffers["arrived"], np.zeros(self.walks, np.uint64))

    def receive(self, walks: int) -> np.ndarray:
        """A copy of the walks' controls as the last launch left them."""
        if self.far is None:
            found = np.empty_like(self.host["controls"])
            copy_bytes(self.host["controls"], found)
            return found
        return self.device.download(self.far).view(CONTROL.dtype(self.unit.types))[:walks]

    def improvements(self, controls: np.ndarray) -> tuple[tuple[int, int, int | float, int], ...]:
        """The new best solutions in the last launch, where they are recorded: walk, iteration, cost, evaluated."""
        rows = self.host["improvements"]
        return tuple(
            (w, int(row["iteration"]), row["cost"].item(), int(row["evaluated"]))
            for w in np.flatnonzero(controls["improvements"]).tolist()
            for row in rows[w * ROOM : w * ROOM + int(controls["improvements"][w])]
        )

    def cancel(self) -> None:
        """Have the walks end as soon as they can."""
        self.host["cancel"][0] = 1


@final
class _Resident(Walks):
    """Walks whose solutions and kept arrays stay on a device until somebody asks for them."""

    def __init__(self, driver: Driver, controls: np.ndarray, keys: tuple[Key, ...]) -> None:
        self.driver: Driver | None = driver
        self.controls, self.keys = controls, keys
        self.costs, self.best_costs = controls["cost"], controls["best"]
        self.iterations, self.evaluated = controls["iteration"], controls["evaluated"]
        self.improved_at, self.finished = controls["improved_at"], controls["finished"].astype(bool)
        self.moved, self.neutral = controls["moved"], controls["neutral"]
        self.stopped = np.zeros(len(keys), bool)

    def leave(self) -> None:
        """The device goes on: states can no longer be read."""
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
