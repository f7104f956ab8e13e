"""Delévacq, Delisle and Krajecki (2012): iterated local search with 3-opt for tours, on a core and on a GPU.

A. Delévacq, P. Delisle and M. Krajecki, "Parallelization strategies for local search algorithms on graphics processing
units", PDPTA 2012. A number of iterations is shared out to so many walks (section 5). An iteration is a kick and a
local search to a local optimum: as many iterations are as many local searches (section 5.1). Speed-ups are to one core
that makes the same walks.

All walks begin at a nearest-neighbour tour "improved with 3-opt LS" (section 5). In table 1 the first local search of a
walk does this. In table 3 the start of all walks is improved by first improvement over 40 nearest cities, before the
clock starts. The paper does not say which 3-opt improves theirs: probably the best of k random neighbors, which ends
sooner, since many of their walks on rat783 and pcb3038 end above our start.

Their variants "global" and "shared" of a block a walk differ in where the tour lies. Here the tour of a walk lies in
shared memory if it fits, and the variants differ in where the coordinates of the cities lie. A warp a walk is ours
alone; its speed-up is compared with that of their block in global memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from metaheur import stop
from metaheur.door.run import run
from metaheur.loops import CandidateDescent
from metaheur.neighborhoods import Sampled, ThreeOpt
from metaheur.parallel import Multistart
from metaheur.parts import Better, DoubleBridge
from metaheur.problem import Problem
from metaheur.problems import TSP
from metaheur.report.papers.budget import Budget, Iterations, LocalOptima
from metaheur.report.papers.columns import Column, Excess, Optimal, Plan, Planned, Seconds, SpeedUp
from metaheur.report.papers.paper import PaperTable, Rate, instance_file
from metaheur.search import Search
from metaheur.searches import HillClimbing, IteratedLocalSearch

__all__ = ["BEST_OF_K", "BLOCKS", "FIRST", "KICKS", "OPTIMA", "SAMPLES", "WALKS", "tables"]

WALKS: Final = (1, 8, 64, 512, 2048)
KICKS: Final = 1_048_576

OPTIMA: Final = MappingProxyType(
    {"kroA100": 21_282, "lin318": 42_029, "rat783": 8_806, "fl1577": 22_249, "pcb3038": 137_694}
)
"""The lengths of optimal tours, as TSPLIB lists them."""

Row = tuple[float | None, ...]

FIRST: Final[Mapping[str, tuple[Row, ...]]] = MappingProxyType(
    {
        "kroA100": (
            (0.01, 0.08, 0.08, 1.00, 0.000),
            (0.06, 0.45, 0.50, 1.00, 0.000),
            (0.34, 2.83, 3.13, 1.00, 0.000),
            (0.93, 6.40, 7.01, 1.00, 0.000),
            (2.02, 7.07, 7.83, 1.00, 0.000),
        ),
        "lin318": (
            (0.01, 0.09, 0.10, 1.00, 0.000),
            (0.06, 0.51, 0.57, 1.00, 0.000),
            (0.35, 3.23, 3.54, 1.00, 0.000),
            (0.84, 6.92, 7.61, 1.00, 0.000),
            (1.72, 7.77, 8.51, 1.00, 0.000),
        ),
        "rat783": (
            (0.01, 0.07, 0.08, 1.00, 0.000),
            (0.06, 0.43, 0.49, 1.00, 0.000),
            (0.34, 2.69, 2.18, 1.00, 0.000),
            (0.80, 5.77, 3.13, 0.23, 0.020),
            (1.49, 6.37, 3.27, 0.00, 0.145),
        ),
        "fl1577": (
            (0.01, 0.07, 0.08, 0.33, 0.182),
            (0.05, 0.33, 0.40, 0.39, 0.010),
            (0.23, 1.73, 0.97, 0.67, 0.003),
            (0.54, 4.59, 1.14, 0.10, 0.015),
            (0.79, 5.20, 1.13, 0.00, 0.074),
        ),
        "pcb3038": (
            (0.01, 0.08, None, 0.00, 0.210),
            (0.06, 0.46, None, 0.00, 0.192),
            (0.39, 2.91, None, 0.00, 0.306),
            (0.76, 5.20, None, 0.00, 0.667),
            (1.27, 5.60, None, 0.00, 1.104),
        ),
    }
)
"""Table 1, a tuple for each number of walks: speed-ups of a thread a walk, of a block a walk in global memory and in
shared memory; how often the optimum was found; and the mean excess over it in per cent."""

BLOCKS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "kroA100": (120, 70, 30, 5, 2),
        "lin318": (110, 60, 30, 5, 2),
        "rat783": (80, 100, 60, 10, 5),
        "fl1577": (140, 90, 60, 15, 15),
        "pcb3038": (120, 100, 90, 20, 20),
    }
)
"""Table 2: blocks that share a walk, by the number of walks."""

SAMPLES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        "kroA100": (1_120_000, 5_500),
        "lin318": (1_120_000, 11_000),
        "rat783": (560_000, 10_000),
        "fl1577": (2_240_000, 1_200),
        "pcb3038": (2_240_000, 1_000),
    }
)
"""Section 5.2: local optima of all walks together, and random neighbors of a step."""

BEST_OF_K: Final[Mapping[str, tuple[Row, ...]]] = MappingProxyType(
    {
        "kroA100": (
            (25.06, 1.00, 0.000),
            (37.21, 1.00, 0.000),
            (45.29, 1.00, 0.000),
            (42.12, 1.00, 0.000),
            (42.32, 1.00, 0.000),
        ),
        "lin318": (
            (27.55, 0.00, 0.482),
            (38.35, 0.00, 0.483),
            (45.40, 0.00, 0.633),
            (43.21, 0.00, 0.875),
            (43.58, 0.00, 0.886),
        ),
        "rat783": (
            (14.76, 0.00, 1.224),
            (16.74, 0.00, 1.582),
            (17.02, 0.00, 2.740),
            (16.24, 0.00, 3.496),
            (16.74, 0.00, 3.518),
        ),
        "fl1577": (
            (30.40, 0.00, 1.034),
            (29.47, 0.00, 1.703),
            (29.52, 0.00, 1.831),
            (28.02, 0.00, 1.776),
            (28.85, 0.00, 1.741),
        ),
        "pcb3038": (
            (31.23, 0.00, 4.636),
            (31.20, 0.00, 4.940),
            (31.70, 0.00, 5.162),
            (30.31, 0.00, 5.104),
            (33.59, 0.00, 4.970),
        ),
    }
)
"""Table 3, a tuple for each number of walks: the speed-up, how often the optimum was found, and the mean excess."""


def _place(row: str) -> tuple[str, int]:
    """The instance of a row, and its number of walks."""
    name, walks = row.split(", ")
    return name, int(walks)


def _by_rows(theirs: Mapping[str, tuple[Row, ...]]) -> dict[str, Row]:
    """Their numbers by "instance, walks"."""
    return {f"{name}, {w}": row for name, rows in theirs.items() for w, row in zip(WALKS, rows, strict=True)}


def _optima(rows: Mapping[str, Any]) -> dict[str, int]:
    return {row: OPTIMA.get(_place(row)[0], 0) for row in rows}


@cache
def _tsp(name: str) -> TSP:
    return TSP.from_file(instance_file("tsplib", name, ".tsp"))


def _problems(row: str) -> tuple[Problem]:
    return (_tsp(_place(row)[0]),)


def _descent(name: str) -> CandidateDescent:
    return CandidateDescent(ThreeOpt(), _tsp(name).nearest(40))


@cache
def _improved(name: str) -> np.ndarray:
    """A nearest-neighbour tour, improved to a local optimum: some milliseconds on a core."""
    tsp = _tsp(name)
    model = Multistart(1, device="host", threads=1)
    return run(_descent(name), tsp, stop=stop.iterations(1), start=tsp.nearest_neighbour(), parallel=model).solution


@cache
def _first(name: str) -> Search[Any]:
    return IteratedLocalSearch(_descent(name), DoubleBridge(), Better())


@cache
def _best_of_k(name: str) -> Search[Any]:
    return IteratedLocalSearch(HillClimbing(Sampled(ThreeOpt(), SAMPLES[name][1])), DoubleBridge(), Better())


def _planned(row: str, search: Search[Any], model: Multistart, budget: Budget, start: np.ndarray) -> Planned:
    name, _ = _place(row)
    runs = 20 if _tsp(name).representation.length < 1000 else 10
    gpus = int(model.device == "cuda")
    return Planned(search, model, budget, runs, gpus=gpus, start=start)


def _first_plan(per: str, placement: str = "auto") -> Plan:
    def plan(row: str, _: Problem) -> Planned:
        name, walks = _place(row)
        model = Multistart(walks, device="host", threads=1)
        if per != "core":
            block = 64 if per == "block" else None
            model = Multistart(walks, per, device="cuda", block=block, placement=placement)
        return _planned(row, _first(name), model, Iterations(KICKS // walks), _tsp(name).nearest_neighbour())

    return plan


def _best_of_k_plan(device: str) -> Plan:
    def plan(row: str, _: Problem) -> Planned:
        name, walks = _place(row)
        phases, k = SAMPLES[name]
        model = Multistart(walks, device="host", threads=1)
        if device == "cuda":
            blocks = BLOCKS[name][WALKS.index(walks)]
            model = Multistart(walks, "block", device="cuda", block=64, blocks=blocks)
        return _planned(row, _best_of_k(name), model, LocalOptima(phases // walks, k), _improved(name))

    return plan


def _qualities(plan: str, rows: Mapping[str, Any], first: int) -> dict[str, Column]:
    """How often an optimum was found, and the mean excess over it, by a plan; walks are the same on all devices."""
    optima = _optima(rows)
    return {"optimal": Optimal(plan, optima, first), "excess in %": Excess(plan, optima, first + 1)}


def _rate(title: str, work: str, parts: Callable[[str], float]) -> Rate:
    """Seconds of a core of a thousand pieces of work."""
    said = f"The seconds of a core are those of 1,000 {work}, measured on some of all."
    return Rate(f"{title}; a core's seconds are of 1,000 {work}", parts, said)


def tables() -> tuple[PaperTable, ...]:
    """Tables 1 to 3; table 2 has parameters, which are the same here."""
    rows, samples = _by_rows(FIRST), _by_rows(BEST_OF_K)
    blocks = {"thread": "a thread", "global": "a block, global", "shared": "a block, shared"}
    kicks = f"first improvement over 40 nearest cities, {KICKS:,} kicks of all walks together, speed-ups"
    optima = "best of k random neighbors, so many local optima of all walks together, speed-ups"
    return (
        PaperTable(
            number=1,
            title=kicks,
            rows="instance, walks",
            columns=("a thread a walk", "a block, global", "a block, shared", "optimal", "excess in %"),
            theirs=rows,
            problems=_problems,
            plans={
                "core": _first_plan("core"),
                blocks["thread"]: _first_plan("thread"),
                blocks["global"]: _first_plan("block", "global"),
                blocks["shared"]: _first_plan("block", "shared"),
                "a warp": _first_plan("warp"),
            },
            ours={
                "core, seconds": Seconds("core", None),
                **{plan: SpeedUp(plan, "core", place) for place, plan in enumerate(blocks.values())},
                "a warp": SpeedUp("a warp", "core", 1),
                **_qualities("core", rows, 3),
            },
            rate=_rate(kicks, "kicks", lambda _: KICKS / 1000),
        ),
        PaperTable(
            number=2,
            title="blocks that share a walk, by the number of walks; those of table 3 are the same here",
            columns=tuple(map(str, WALKS)),
            theirs=BLOCKS,
            problems=lambda _: (),
            plans={},
            ours={},
        ),
        PaperTable(
            number=3,
            title=optima,
            rows="instance, walks",
            columns=("speed-up", "optimal", "excess in %"),
            theirs=samples,
            problems=_problems,
            plans={"core": _best_of_k_plan("host"), "blocks": _best_of_k_plan("cuda")},
            ours={
                "core, seconds": Seconds("core", None),
                "speed-up": SpeedUp("blocks", "core", 0),
                **_qualities("blocks", samples, 1),
            },
            alike=False,
            rate=_rate(optima, "local optima", lambda row: SAMPLES[_place(row)[0]][0] / 1000),
        ),
    )
