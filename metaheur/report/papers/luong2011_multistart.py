"""Luong, Melab and Talbi (2011): 4,096 walks on the QAP, on a core and on a GPU, a thread each.

T. V. Luong, N. Melab and E.-G. Talbi, "GPU-based multi-start local search algorithms", Learning and Intelligent
Optimization, 2011. They name no number of iterations: 500 of tabu search follow from their times for one walk.
Annealing here makes as many trials as 500 neighborhoods have moves, from where half of the deteriorations are accepted
to a thousandth of that. Hill climbing ends at a local optimum.

A core makes all walks, but only 16 of annealing on instances of more than 60: all would take it more than ten minutes.
One search of the iteration level in figure 2 stands for all, which it makes one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from metaheur import start_temperature
from metaheur.neighborhoods import Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parts import Geometric
from metaheur.problem import Problem
from metaheur.problems import QAP
from metaheur.report.papers.budget import Budget, Descents, Iterations
from metaheur.report.papers.columns import Column, Plan, Planned, Seconds, SpeedUp
from metaheur.report.papers.paper import PaperTable, Rate, instance_file
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.searches import HillClimbing, SimulatedAnnealing, TabuSearch

__all__ = ["SECONDS", "tables"]

RUNS: Final = 30
WALKS: Final = 4096
FEW: Final = 16
LARGEST: Final = 60
"""A core makes a few walks of annealing on instances of more facilities, and all on those of so many."""

ITERATIONS: Final = 500

SECONDS: Final[Mapping[str, Mapping[str, tuple[float | None, ...]]]] = MappingProxyType(
    {
        "hill climbing": {
            "tai30a": (5.48, 3.19, 0.75, 7.3),
            "tai35a": (10.71, 4.99, 1.38, 7.8),
            "tai40a": (17.18, 7.44, 2.43, 7.1),
            "tai50a": (44.56, 15.79, 6.69, 6.7),
            "tai60a": (88.32, 30.06, 15.34, 5.8),
            "tai80a": (302.43, 90.45, 56.28, 5.4),
            "tai100a": (810.39, 224.51, 143.78, 5.6),
        },
        "annealing": {
            "tai30a": (412.64, 92.39, 34.52, 12),
            "tai35a": (636.13, 147.04, 57.05, 11.2),
            "tai40a": (874.44, 228.98, 90.35, 9.7),
            "tai50a": (1672.63, 428.79, 205.74, 8.1),
            "tai60a": (2699.89, 749.51, 412.91, 6.5),
            "tai80a": (6807.88, 1720.87, 1186.13, 5.7),
            "tai100a": (13960.69, 3459.15, 2426.11, 5.8),
        },
        "tabu search": {
            "tai30a": (335.57, 85.41, 31.14, 10.8),
            "tai35a": (531.35, 152.08, 51.06, 10.4),
            "tai40a": (725.39, 228.49, 77.71, 9.3),
            "tai50a": (1539.60, 414.50, 176.29, 8.7),
            "tai60a": (2439.86, 712.74, 355.59, 6.9),
            "tai80a": (6097.61, 1632.36, 993.25, 6.1),
            "tai100a": (13004.76, 3222.01, 2083.35, 6.2),
        },
    }
)
"""Table 1: seconds of a core of a Xeon at 3 GHz, of a GTX 280, and of that with texture memory; the
printed speed-up of the latter."""

NUMBERS: Final = (16, 64, 256, 512, 1024, 2048, 4096, 8192)
"""Numbers of searches for figure 2."""


def _qap(name: str) -> tuple[Problem]:
    return (QAP.from_file(instance_file("qaplib", name, ".dat")),)


def _trials(problem: Problem) -> int:
    return ITERATIONS * Swap().size(problem.representation)


@cache
def _annealing(problem: Problem) -> Search[Any]:
    first = start_temperature(problem, Swap(), 0.5)
    return SimulatedAnnealing(Swap(), first, Geometric.between(first, first / 1000, _trials(problem)))


KINDS: Final[Mapping[str, tuple[Callable[[Problem], Search[Any]], Callable[[Problem], Budget]]]] = MappingProxyType(
    {
        "hill climbing": (lambda _: HillClimbing(Swap()), lambda _: Descents()),
        "annealing": (_annealing, lambda problem: Iterations(_trials(problem))),
        "tabu search": (lambda _: TabuSearch(Swap()), lambda _: Iterations(ITERATIONS)),
    }
)
"""For each kind of walks the search on a problem, and the work of a walk."""

UNITS: Final = MappingProxyType(
    {
        "hill climbing": "descents to a local optimum",
        "annealing": "500 trials for each move of a neighborhood",
        "tabu search": "500 iterations",
    }
)


def _plan(kind: str, model: ParallelModel, *, gpus: int = 0, scale: float = 1) -> Plan:
    search, budget = KINDS[kind]
    return lambda _, problem: Planned(search(problem), model, budget(problem), RUNS, gpus=gpus, scale=scale)


def _core(kind: str) -> Plan:
    """All walks one after the other, or a few where all take longer than ten minutes."""

    def plan(name: str, problem: Problem) -> Planned:
        few = kind == "annealing" and problem.representation.length > LARGEST
        walks = FEW if few else WALKS
        model = Multistart(walks, device="host", threads=1)
        return _plan(kind, model, scale=WALKS / walks)(name, problem)

    return plan


def _table(kind: str) -> PaperTable:
    """The part of table 1 for a kind of walks."""

    def thread(placement: str) -> Plan:
        return _plan(kind, Multistart(WALKS, "thread", device="cuda", block=256, placement=placement), gpus=1)

    plans = {
        "core": _core(kind),
        "GPU, a thread each, global": thread("global"),
        "GPU, a thread each, texture": thread("texture"),
        "GPU": _plan(kind, Multistart(WALKS, device="cuda"), gpus=1),
    }
    seconds = {name: Seconds(name, place) for name, place in zip(plans, (0, 1, 2, 2), strict=True)}
    title = f"{WALKS:,} walks of {kind} on the QAP"
    said = f"All are seconds of {WALKS:,} walks, divided by {WALKS / 1000}; a core made some of these walks."
    return PaperTable(
        number=1,
        part=kind,
        title=f"{title}, seconds of {UNITS[kind]} each",
        columns=("CPU", "GPU", "GPUTex", "speed-up"),
        theirs=SECONDS[kind],
        problems=_qap,
        plans=plans,
        ours={**seconds, "speed-up": SpeedUp("GPU", "core", 3)},
        seconds=3,
        rate=Rate(f"{title}, milliseconds of one: {UNITS[kind]}", lambda _: WALKS / 1000, said),
    )


def _figure() -> PaperTable:
    """The speed-ups of both levels of parallelism by the number of searches."""

    def core(name: str, problem: Problem) -> Planned:
        return _plan("tabu search", Multistart(int(name), device="host", threads=1))("", problem)

    def algorithmic(per: str, block: int | None) -> Plan:
        def plan(name: str, problem: Problem) -> Planned:
            model = Multistart(int(name), per, device="cuda", block=block)
            return _plan("tabu search", model, gpus=1)("", problem)

        return plan

    def iteration(name: str, problem: Problem) -> Planned:
        return _plan("tabu search", IterationLevel("cuda"), gpus=1, scale=int(name))("", problem)

    ours: dict[str, Column] = {
        "core, seconds": Seconds("core", None),
        "algorithmic level, a thread each": SpeedUp("a thread each", "core", None),
        "algorithmic level": SpeedUp("algorithmic level", "core", None),
        "iteration level": SpeedUp("iteration level", "core", None),
    }
    thresholds = (
        "Theirs is drawn without numbers: the algorithmic level is faster than a core from 512 searches on, "
        "and faster than the iteration level from 2,048 on."
    )
    title = f"speed-ups of so many tabu searches of {ITERATIONS} iterations on tai50a"
    said = "A core made some of the searches; its milliseconds are those of one."
    return PaperTable(
        number=2,
        kind="figure",
        title=title,
        rows="searches",
        columns=(),
        theirs={str(number): () for number in NUMBERS},
        problems=lambda _: _qap("tai50a"),
        plans={
            "core": core,
            "a thread each": algorithmic("thread", 256),
            "algorithmic level": algorithmic("auto", None),
            "iteration level": iteration,
        },
        ours=ours,
        remarks={"": thresholds},
        rate=Rate(f"{title}; a core's milliseconds are of one", lambda name: int(name) / 1000, said),
    )


def tables() -> tuple[PaperTable, ...]:
    """Table 1 in three parts, and figure 2."""
    return (*map(_table, SECONDS), _figure())
