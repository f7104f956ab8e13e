"""The kernel of a resident loop: which threads own a walk, and which arrays lie in fast memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, final

import numpy as np
from attrs import field, frozen

from metaheur.device.capabilities import stateless_moves
from metaheur.device.device import Device
from metaheur.device.generator.launch import Launch
from metaheur.device.generator.layout import Struct, rounded
from metaheur.device.generator.placement import require_all_shared
from metaheur.device.generator.record import UNTIL, Record
from metaheur.device.generator.shell import Shell
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.representation import Representation
from metaheur.runners.driven import Driven
from metaheur.validate import whole_field

__all__ = ["CONTROL", "IMPROVEMENT", "RESERVED", "Team", "drive"]

RESERVED = 2048
"""Bytes of shared memory that the shell itself takes."""

SPREAD = 512
"""A multiprocessor must have registers for so many threads, 128 for each thread, however small the blocks are."""

FEW = 4
"""Moves of a thread, at most, for which a block reads no rows of a neighborhood (tabu search on QAP, H200)."""

PRIVATE = 4096
"""The most bytes of private memory for a walk that a thread owns."""

CONTROL = Record(
    "Control",
    {
        **dict.fromkeys(("iteration", "evaluated", "improved_at", "began", "moved", "neutral"), "i64"),
        **dict.fromkeys(("cost", "best"), "Total"),
        **dict.fromkeys(("seed", "walk"), "u32"),
        **dict.fromkeys(("fresh", "stale", "entered", "finished", "stopped", "improvements"), "i32"),
    },
)
"""The numbers of a walk between two launches, as both languages know them.

`cost`, `best`: of its current and its best solution. `seed`, `walk`: its key. `iteration`, `evaluated`: so far.
`improved_at`, `began`: the iterations of its best solution, and of its last arrival from elsewhere. `moved`, `neutral`:
its moves, and those that left the cost as it was. `improvements`: how many the launch has reported.

The rest says what the next launch does first, 1 for yes. `fresh`: begin the walk. `stale`: build all kept arrays anew
but those that are saved; 2 if the last launch was cancelled before the chunk ended. `entered`: let the loop know that
the walk was taken elsewhere. `finished`, `stopped`: do nothing, as the search is at its end, or a criterion holds.
"""

IMPROVEMENT = Record("Improvement", {"iteration": "i64", "cost": "Total", "evaluated": "i64"})

ARGUMENTS = {
    "x": "Item*",  # a replica for each block of a walk
    "best": "Item*",
    "controls": "Control*",
    "until": "Until*",
    "improvements": "Improvement*",
    "cancel": "i32*",
    "scratch": "Item*",  # a solution for each thread
    "arrived": "u64*",
    "posts": "EvaluatedMove*",
    "answer": "i64*",
    "threads": "i64",
}
"""The arguments of the entry `drive`, besides the structs of the components."""


@final
@frozen
class Team:
    """Who owns a walk on a GPU.

    `per`, one of "thread", "warp", "block", "cluster": the owner of a walk: a thread, a warp, one or several blocks, or
    the blocks of a cluster, which agree through their shared memory (compute capability 9.0). `threads`: the threads of
    a block. `league`: blocks that share a walk: any number for "block"; 2 ... 16 for "cluster" (every GPU with clusters
    allows 8); else 1. `beside`: blocks that a processor is to run at the same time: its shared memory is divided among
    them if the arrays that every step reads fit into a part.
    """

    per: str = field(default="block")
    threads: int = whole_field(32, 1024, default=1024)
    league: int = whole_field(1, 1024, default=1)
    beside: int = whole_field(1, 32, default=1, kw_only=True)

    @per.validator
    def _known(self, _: Any, value: Any) -> None:
        if value not in ("thread", "warp", "block", "cluster"):
            raise InputError(f'`per` must be "thread", "warp", "block" or "cluster", but is {value!r}.')

    def __attrs_post_init__(self) -> None:
        """Refuse incomplete warps, and walks that several threads or warps share."""
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
        """The number of blocks that a launch needs for these walks."""
        return -(-walks // self.teams()) * self.league

    def teams(self) -> int:
        """How many walks a block takes."""
        return {"thread": self.threads, "warp": self.threads // 32}.get(self.per, 1)


def drive(loop: Driven, problem: Problem, device: Device, team: Team) -> Shell:
    """The shell of a resident loop, the entry `drive`; all have C++ halves, and `team` owns a walk on a GPU."""
    cuda = device.kind == "cuda"
    stateless = team.per == "thread" and loop.tries and _without_state(loop, problem)
    item = _item(loop, problem.representation, stateless=stateless, cuda=cuda)

    def place(structs: Mapping[str, Struct], device: Device) -> tuple[Mapping[str, Any], Mapping[str, Any], int]:
        found = structs if loop.reads_state else {name: structs[name] for name in structs if name != "state"}
        return _place(found, problem, device, team, item) if cuda else ({}, _NOT_PLACED, 0)

    return Shell(
        pieces=(
            "device/cuh/placing.cuh",
            *(["device/cuh/staging_cuda.cuh"] if cuda else []),
            "device/cuh/until.cuh",
            "runners/driver.cuh",
            f"device/cuh/drive_{device.kind}.cuh",
        ),
        components={"loop": loop},
        members=ARGUMENTS,
        records=(CONTROL, UNTIL, IMPROVEMENT),
        defines={
            **({**_defines(team), **_brief(loop, problem, team)} if cuda else {"MH_LANES": 1, "MH_TILE": 1}),
            "MH_UPDATES": not loop.tries,
        },
        launch=_launch(team),
        place=place,
        stateless=stateless,
        item=item,
    )


def _defines(team: Team) -> Mapping[str, Any]:
    """The macros that tell a unit for GPUs about the owner of a walk."""
    lanes = 1 if team.per == "thread" else 32
    return {
        "MH_LANES": lanes,
        "MH_TILE": min(8, lanes),
        "MH_OWNER": team.number,
        "MH_LEAGUE": team.league,
        "MH_CLUSTER": team.per == "cluster",
        "MH_TOGETHER": max(1, SPREAD // team.threads),
    }


def _brief(loop: Driven, problem: Problem, team: Team) -> Mapping[str, Any]:
    """The macros for short code where a block owns a small walk: a step of it mostly waits for its instructions."""
    space = problem.representation
    if team.per != "block" or team.league > 1:
        return {}
    few = max((each.size(space) for each in loop.neighborhoods), default=1) <= FEW * team.threads
    return {"MH_FEW": few, **({"MH_COMPACT": 1} if space.length <= team.threads else {})}


def _launch(team: Team) -> Launch:
    clusters = team.per == "cluster"
    return Launch(
        threads=team.threads,
        uses_shared=("drive",),
        cooperative=team.league > 1 and not clusters,
        cluster=team.league if clusters else 1,
        openmp=True,
        timed=True,
    )


def _item(loop: Driven, space: Representation, *, stateless: bool, cuda: bool) -> np.dtype[Any]:
    """The type of the entries of a walk's solutions: fast memory holds more entries of a narrow type."""
    if cuda and not loop.reads_state and space.arranges and space.length <= 2**16:
        return np.dtype(np.uint16)  # no function of the problem reads the entries
    return np.dtype(np.uint8) if stateless and _fits_bytes(space) else space.dtype


def _without_state(loop: Driven, problem: Problem) -> bool:
    """Whether the problem computes the changes of cost of all moves of a loop without its kept arrays."""
    moves = [each.move_types for each in loop.neighborhoods]
    return all(moves) and all(kind in stateless_moves(problem) for kinds in moves for kind in kinds)


def _fits_bytes(space: Representation) -> bool:
    """Whether the entries of all solutions fit into bytes; fast memory holds four times as many of them."""
    return space.arranges and space.length <= 256


_NOT_PLACED = {"MH_OWN": 0, "MH_OWN_SOLUTION": 0, "MH_OWN_BEST": 0}

SCRATCH = "scratch"
"""Among the paths of arrays, this one means the scratch arrays that each warp has of its own if a block owns a walk."""


def _place(
    structs: Mapping[str, Struct], problem: Problem, device: Device, team: Team, item: np.dtype[Any]
) -> tuple[Mapping[str, tuple[str, int]], Mapping[str, Any], int]:
    """The arrays that lie in shared memory or in a team's own memory: as many as fit, the most used ones first."""
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
    often = ("", *tables, *(path for path in wanted if path.startswith(("state.", "problem."))))
    part = (shared - RESERVED * (team.beside - 1)) // team.beside
    if sum(wanted.get(path, 0) for path in often) <= part:
        shared = part
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
    """Arrays and their bytes, the most read first: the problem's kept arrays, its data, scratch, tables, and so on."""
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
