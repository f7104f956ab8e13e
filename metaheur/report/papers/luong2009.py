"""Luong, Melab and Talbi (2009): iterated tabu search on the QAP, the PPP and the TSP, on one core and on a GPU.

T. V. Luong, N. Melab and E.-G. Talbi, "Parallel local search on GPU", INRIA research report 6915, 2009. The search
has 10 phases of 1,000 iterations; the report does not say how it perturbs: here by 20 random moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import IterationLevel, MultiGPU, Multistart
from metaheur.parts import Limit, RandomMoves
from metaheur.parts.acceptance.acceptance import Always
from metaheur.problem import Problem
from metaheur.problems import PPP, QAP, TSP
from metaheur.report.papers.budget import Budget, Iterations
from metaheur.report.papers.columns import Column, Plan, Planned, Seconds, SpeedUp
from metaheur.report.papers.paper import PaperTable, Rate, instance_file
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.searches import IteratedLocalSearch, TabuSearch

__all__ = ["SECONDS", "tables"]

RUNS: Final = 10
PHASES: Final = 10
ITERATIONS: Final = 1000

PLACEMENTS: Final = {"GPU": "auto", "GPU, global": "global", "GPU, texture": "texture"}
"""Our columns of a GPU, and the memory of the problem's data."""

TWO: Final = ("cuda:0", "cuda:1")

SECONDS: Final[Mapping[int, Mapping[str, tuple[float | None, ...]]]] = MappingProxyType(
    {
        1: {
            "tai12a": (0.1, 0.5, 0.5, 0.2),
            "tai15a": (0.2, 0.6, 0.6, 0.3),
            "tai17a": (0.3, 0.7, 0.6, 0.5),
            "tai20a": (0.4, 0.8, 0.7, 0.7),
            "tai25a": (0.8, 1, 0.7, 1.1),
            "tai30a": (1.5, 1.1, 0.8, 1.8),
            "tai35a": (2.3, 1.2, 0.9, 2.5),
            "tai40a": (3.5, 1.4, 1.1, 3.3),
            "tai50a": (6.8, 1.7, 1.3, 5.3),
            "tai60a": (11, 2, 1.6, 7.7),
            "tai64c": (14, 2.1, 1.6, 8.9),
            "tai80a": (29, 3.3, 2.7, 10.9),
            "tai100a": (61, 5.5, 3.5, 17.5),
            "tai150b": (228, 18, 12, 18.8),
            "tai256c": (1186, 158, 56, 20.8),
        },
        2: {
            "73x73": (1.1, 3.5, 3, 0.4),
            "81x81": (1.3, 3.8, 3.3, 0.4),
            "101x101": (2, 4.5, 4, 0.5),
            "101x117": (2.2, 4.9, 4.2, 0.5),
            "201x217": (8.1, 8.8, 7.7, 1.1),
            "301x317": (17, 12, 11, 1.6),
            "401x417": (31, 16, 14, 2.2),
            "501x517": (55, 43, 40, 1.4),
            "601x617": (105, 47, 43, 2.4),
            "701x717": (148, 51, 47, 3.1),
            "801x817": (200, 55, 50, 4),
            "901x917": (262, 59, 54, 4.8),
            "1001x1017": (336, 63, 58, 5.8),
            "1101x1117": (427, 85, 78, 5.4),
            "1201x1217": (539, 88, 82, 6.6),
            "1301x1317": (687, 93, 85, 8),
        },
        3: {
            "73x73": (2.1, 0.2, 0.2, 10.9),
            "81x81": (2.7, 0.3, 0.2, 12.2),
            "101x101": (5.2, 0.4, 0.3, 18.1),
            "101x117": (7, 0.6, 0.4, 19),
            "201x217": (49, 3, 1.9, 25.7),
            "301x317": (169, 9.5, 6.2, 27.4),
            "401x417": (405, 21, 14, 28.6),
            "501x517": (804, 40, 29, 27.5),
            "601x617": (2056, 67, 51, 40.2),
            "701x717": (3590, 105, 84, 42.3),
            "801x817": (5405, 152, 128, 42.2),
            "901x917": (7900, 215, 187, 42.1),
            "1001x1017": (11083, 291, 262, 42.2),
            "1101x1117": (14974, 401, 357, 41.9),
            "1201x1217": (19532, 512, 460, 42.4),
            "1301x1317": (25026, 647, 587, 42.6),
        },
        4: {
            "eil101": (1.4, 0.6, 0.6, 2.4),
            "d198": (5.6, 1.5, 1.4, 4),
            "lin318": (14, 3.5, 3.3, 4.4),
            "rd400": (23, 5.8, 5.6, 4.2),
            "pcb442": (29, 7, 6.5, 4.5),
            "att532": (40, 10, 9.8, 4.2),
            "rat783": (93, 26, 23, 4),
            "pcb1173": (270, 67, 57, 4.7),
            "d1291": (365, 83, 73, 5),
            "pr2392": (2389, 303, 285, 8.4),
            "fnl4461": (11274, 1073, 1123, 10),
            "rl5915": (20710, None, None, None),
        },
        5: {
            "tai12a": (2, 0.4, 10, 7.1, 9.8, 6.6, 0.2),
            "tai15a": (3.6, 0.6, 12, 8, 11, 7.1, 0.3),
            "tai17a": (5.4, 0.7, 14, 8.7, 11, 7.5, 0.5),
            "tai20a": (8.8, 1.2, 16, 9.7, 13, 8.1, 0.7),
            "tai25a": (17, 2.2, 19, 11, 14, 9.1, 1.1),
            "tai30a": (29, 3.8, 22, 12, 16, 10, 1.7),
            "tai35a": (46, 6, 24, 13, 19, 11, 2.5),
            "tai40a": (70, 8.9, 27, 15, 21, 12, 3.3),
            "tai50a": (136, 17, 33, 18, 25, 14, 5.3),
            "tai60a": (238, 29, 39, 21, 31, 17, 7.7),
            "tai64c": (292, 36, 43, 23, 32, 18, 8.9),
            "tai80a": (593, 74, 66, 35, 54, 28, 10.9),
            "tai100a": (1220, 153, 110, 57, 69, 36, 17.5),
            "tai256c": (23738, 2970, 3169, 1690, 1139, 574, 20.8),
        },
    }
)
"""Their seconds. Tables 1 to 4, configuration 3: a core of a Xeon, a GTX 280, and that with texture memory. Table 5: a
core, eight cores, a GPU, two GPUs, and both with texture memory. The last number of each row is the printed speed-up of
one GPU with texture memory."""


def _iterated(neighborhood: Neighborhood) -> Search[Any]:
    kick = RandomMoves(Swap() if isinstance(neighborhood, Swap) else Hamming(1), 20)
    return IteratedLocalSearch(TabuSearch(neighborhood), kick, Always(), limit=Limit(ITERATIONS))


def _qap(name: str) -> tuple[Problem]:
    return (QAP.from_file(instance_file("qaplib", name, ".dat")),)


def _tsp(name: str) -> tuple[Problem]:
    return (TSP.from_file(instance_file("tsplib", name, ".tsp")),)


def _ppp(name: str) -> tuple[Problem]:
    rows, columns = map(int, name.split("x"))
    return (PPP.random(rows, columns, 1),)


def _plans(search: Search[Any], budget: Budget, *, twenty: bool) -> dict[str, Plan]:
    """The runs of one search, or of twenty at the same time."""

    def plan(model: ParallelModel, needed: int = 0) -> Plan:
        return lambda *_: Planned(search, model, budget, RUNS, gpus=needed)

    if not twenty:
        gpu = {name: plan(IterationLevel("cuda", placement=place), 1) for name, place in PLACEMENTS.items()}
        return {"core": plan(IterationLevel("host", threads=1)), **gpu}
    walks = {name: Multistart(20, "block", placement=place) for name, place in PLACEMENTS.items()}
    return {
        "core": plan(Multistart(20, device="host", threads=1)),
        "8 cores": lambda *_: Planned(search, Multistart(20, device="host", threads=8), budget, RUNS, cores=8),
        **{name: plan(each.on("cuda"), 1) for name, each in walks.items()},
        **{f"2 {name.replace('GPU', 'GPUs')}": plan(MultiGPU(each, TWO), 2) for name, each in walks.items()},
    }


def _columns(*, twenty: bool) -> dict[str, Column]:
    """Our columns; where the program chooses the memory, they are compared with theirs of textures."""
    if not twenty:
        places = {"core": 0, **dict(zip(PLACEMENTS, (2, 1, 2), strict=True))}
        seconds = {name: Seconds(name, place) for name, place in places.items()}
        return {**seconds, "speed-up": SpeedUp("GPU", "core", 3)}
    places = {"core": 0, "8 cores": 1, **dict(zip(PLACEMENTS, (4, 2, 4), strict=True))}
    two = {f"2 {name.replace('GPU', 'GPUs')}": place for name, place in zip(PLACEMENTS, (5, 3, 5), strict=True)}
    seconds = {name: Seconds(name, place) for name, place in {**places, **two}.items()}
    return {**seconds, "speed-up": SpeedUp("GPU", "core", 6)}


def _rate(title: str, budget: Iterations, *, twenty: bool) -> Rate:
    """Seconds of 1,000 iterations; of twenty searches, milliseconds of those of one."""
    parts = budget.count / 1000
    if not twenty:
        said = (
            f"Theirs are their seconds of {budget.words}, divided by {parts}; ours are of runs that made some of these."
        )
        return Rate(f"{title}, seconds of 1,000 iterations", lambda _: parts, said)
    said = (
        f"All are seconds of {budget.words} of each of 20 searches, divided by 20 x {parts} / 1,000; a core made one."
    )
    return Rate(f"{title}, milliseconds of 1,000 iterations of one of them", lambda _: 20 * parts / 1000, said)


def tables() -> tuple[PaperTable, ...]:
    """Tables 1 to 5."""
    theirs = ("core", "GPU", "GPU, texture", "speed-up")
    seven = ("core", "8 cores", "GPU", "2 GPUs", "GPU, texture", "2 GPUs, texture", "speed-up")
    kinds = (
        ("QAP, pairwise exchange", _qap, Swap()),
        ("PPP, 1-Hamming", _ppp, Hamming(1)),
        ("PPP, 2-Hamming", _ppp, Hamming(2)),
        ("TSP, pairwise exchange", _tsp, Swap()),
        ("QAP, 20 searches", _qap, Swap()),
    )
    budget = Iterations(PHASES * ITERATIONS + PHASES - 1)  # of the phases, and the perturbations between
    return tuple(
        PaperTable(
            number=number,
            title=f"{title}, seconds of {budget.words}",
            columns=seven if number == 5 else theirs,
            theirs=SECONDS[number],
            problems=problems,
            plans=_plans(_iterated(neighborhood), budget, twenty=number == 5),
            ours=_columns(twenty=number == 5),
            seconds=6 if number == 5 else 3,
            rate=_rate(title, budget, twenty=number == 5),
        )
        for number, (title, problems, neighborhood) in enumerate(kinds, 1)
    )
