"""Luong, Melab and Talbi (2011): tabu search and Pareto local search for flow shops of three objectives.

T. V. Luong, N. Melab and E.-G. Talbi, "GPU-based approaches for multiobjective local search algorithms. A case study:
the flowshop scheduling problem", EvoCOP 2011. Jobs are Taillard's, with Liefooghe's due dates, which are read from
METAHEUR_DATA. The weights of their tabu search are not published: here the ranges of a sample count alike.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.problems import FlowShop, Scalarised
from metaheur.report.papers.budget import Iterations
from metaheur.report.papers.columns import Column, FrontSize, Plan, Planned, Seconds, Share, SpeedUp
from metaheur.report.papers.paper import PaperTable, Rate, require_data_folder
from metaheur.running.runner import ParallelModel
from metaheur.search import Search
from metaheur.searches import ParetoLocalSearch, TabuSearch

__all__ = ["PROFILE", "SECONDS", "tables"]

RUNS: Final = 50
ITERATIONS: Final = 10_000
OBJECTIVES: Final = ("makespan", "total tardiness", "tardy jobs")

DRAWN: Final = 101
"""The number of Taillard's instance 200-20, whose published due dates are not at hand."""

SECONDS: Final[Mapping[int, Mapping[str, tuple[float | None, ...]]]] = MappingProxyType(
    {
        2: {
            "20-10": (1.1, 3.9, 3.7, 0.9, 1.9, 1.7, 0.6),
            "20-20": (2.3, 7.1, 6.6, 1.9, 3.3, None, 0.7),
            "50-10": (19.8, 9.4, 8.9, 16.5, 5.0, 4.3, 3.8),
            "50-20": (38.0, 17.4, 16.3, 31.9, 9.1, 7.8, 4.1),
            "100-10": (170.8, 23.6, 20.9, 144.5, 12.6, 11.5, 12.6),
            "100-20": (321.1, 44.1, 38.1, 270.7, 23.3, 20.9, 12.9),
            "200-10": (1417.4, 159.4, 144.3, 1189.7, 81.88, 77.2, 15.4),
            "200-20": (2644.1, 284.4, 263.9, 2220.7, 147.8, 139.0, 16),
        },
        3: {
            "20-10": (1.1, 5.3, 3.7, 1.0, 1.9, 1.7, 11, 0.6),
            "20-20": (2.5, 8.4, 6.6, 1.9, 3.4, 3.0, 13, 0.6),
            "50-10": (19.6, 10.9, 8.9, 16.6, 4.9, 4.3, 19, 3.8),
            "50-20": (39.7, 18.9, 16.5, 32.7, 9.1, 7.8, 20, 4.2),
            "100-10": (167.0, 25.3, 21.2, 139.5, 12.8, 11.7, 31, 12),
            "100-20": (329.8, 45.8, 40.4, 274.9, 23.5, 21.1, 34, 13.1),
            "200-10": (1391.5, 161.8, 145.1, 1171.5, 82.5, 77.9, 61, 15.1),
            "200-20": (2707.8, 307.7, 285.9, 2196.3, 148.4, 139.7, 71, 15.7),
        },
        4: {
            "20-10": (1.1, 5.4, 3.9, 1.2, 2.0, 1.8, 77, 0.7),
            "20-20": (2.6, 8.5, 6.7, 2.0, 3.4, 3.0, 83, 0.7),
            "50-10": (25.7, 15.1, 13.1, 20.5, 8.9, 8.2, 396, 2.5),
            "50-20": (44.5, 24.7, 22.3, 39.5, 14.1, 13.2, 596, 3),
            "100-10": (220.1, 71.0, 66.9, 253.3, 51.7, 49.2, 1350, 5.1),
            "100-20": (386.8, 96.7, 91.3, 312.5, 62.5, 59.0, 1530, 5.3),
            "200-10": (1631.2, 362.5, 346.3, 1361.5, 223.2, 217.7, 1597, 6.4),
            "200-20": (2998.8, 588.0, 566.1, 2672.6, 398.9, 378.0, 2061, 7.1),
        },
    }
)
"""Tables 2 to 4: seconds of a Xeon at 3 GHz, a GTX 285, that with texture memory, a Core i7, a GTX 480, and that with
texture memory; tables 3 and 4 also have the number of members. The last number is the printed speed-up of the GTX 480
with texture memory over the Core i7. The seconds of 20-20 in table 2 that are printed as 6, beside a speed-up of 0.7,
are left out as a misprint."""

PROFILE: Final[Mapping[str, tuple[float | None, ...]]] = MappingProxyType(
    {
        "20-10": (99.2, 0.7, 0.1, 95.2, 4.7, 0.1),
        "20-20": (99.4, 0.5, 0.1, 98.2, 1.7, 0.1),
        "50-10": (99.5, 0.4, 0.1, 89.7, 10.2, 0.1),
        "50-20": (99.7, 0.2, 0.1, 94.2, 5.7, 0.1),
        "100-10": (99.8, 0.1, 0.1, 88.2, 11.8, 0.1),
        "100-20": (99.85, 0.1, 0.05, 93.6, 6.35, 0.05),
        "200-10": (99.9, 0.05, 0.05, 92.3, 7.65, 0.05),
        "200-20": (99.9, 0.05, 0.05, 94.2, 5.75, 0.05),
    }
)
"""Table 5: per cent of the time for evaluation, archiving and the rest, where dominating neighbors are archived, and
where all non-dominated ones are."""

PLACEMENTS: Final = {"GPU": "auto", "GPU, global": "global", "GPU, texture": "texture"}
"""Our columns of a GPU, and the memory of the problem's data."""

RULES: Final = {3: "dominating", 4: "non-dominated"}
"""Which neighbors are archived, by the number of the table."""

REMARK: Final = {"200-20": "the published due dates are not at hand; these are drawn by Liefooghe's rule."}

MISPRINT: Final = {"20-20": "the GTX 480 with texture memory has a printed 6 s beside a speed-up of 0.7: a misprint."}


def _shop(name: str) -> FlowShop:
    """The instance of so many jobs and machines."""
    if name == "200-20":
        return FlowShop.taillard(DRAWN, objectives=OBJECTIVES)
    n, m = map(int, name.split("-"))
    folder = os.environ.get("METAHEUR_DATA")
    file = Path("flowshop", "liefooghe_mo", f"{n:03}_{m:02}_01.txt")
    if folder is None:
        raise InputError("METAHEUR_DATA is not set.", f"set it to a folder in which Liefooghe's {file} is.")
    require_data_folder(folder)
    if not (Path(folder) / file).exists():
        raise InputError(f"The folder METAHEUR_DATA has no {file}.", "put Liefooghe's files there.")
    return FlowShop.from_file(Path(folder) / file, objectives=OBJECTIVES)


def _balanced(name: str) -> Problem:
    """The sum of the objectives in which their ranges count alike, over 200 random sequences."""
    shop, generator = _shop(name), np.random.default_rng(1)
    n = shop.representation.length
    sample = shop.costs(np.array([generator.permutation(n) for _ in range(200)]))
    return Scalarised.balanced(shop, np.ptp(sample, axis=0).tolist())


@cache
def _search(rule: str) -> Search[Any]:
    if rule == "tabu":
        return TabuSearch(Insertion(), tenure=(0.9, 1.1))
    return ParetoLocalSearch.paquete(Insertion(), rule, restart=True)


def _plan(rule: str, model: ParallelModel, gpus: int = 0) -> Plan:
    return lambda *_: Planned(_search(rule), model, Iterations(ITERATIONS), RUNS, gpus=gpus)


def _plans(rule: str) -> dict[str, Plan]:
    gpu = {name: _plan(rule, IterationLevel("cuda", placement=place), 1) for name, place in PLACEMENTS.items()}
    return {"core": _plan(rule, IterationLevel("host", threads=1)), **gpu}


def _table(number: int, title: str, rule: str) -> PaperTable:
    columns: tuple[str, ...] = ("Xeon", "GTX 285", "GTX 285, texture", "Core i7", "GTX 480", "GTX 480, texture")
    ours: dict[str, Column] = {
        name: Seconds(name, place) for name, place in zip(("core", *PLACEMENTS), (3, 5, 4, 5), strict=True)
    }
    if rule != "tabu":
        columns += ("members",)
        ours["members, core"] = FrontSize("core", 6)
        ours["members, GPU"] = FrontSize("GPU", 6)
    ours["speed-up"] = SpeedUp("GPU", "core", len(columns))
    columns += ("speed-up",)
    parts = ITERATIONS / 1000
    said = (
        f"Theirs are their seconds of {ITERATIONS:,} iterations, divided by {parts:g}; ours are of runs that made some."
    )
    return PaperTable(
        number=number,
        title=f"{title}, seconds of {ITERATIONS:,} iterations",
        rows="jobs-machines",
        columns=columns,
        theirs=SECONDS[number],
        problems=lambda name: (_balanced(name) if rule == "tabu" else _shop(name),),
        plans=_plans(rule),
        ours=ours,
        remarks={**MISPRINT, **REMARK} if number == 2 else REMARK,
        seconds=6,
        rate=Rate(f"{title}, seconds of 1,000 iterations", lambda _: parts, said),
    )


def _profile() -> PaperTable:
    """What part of the time of Pareto local search is evaluation, and what archiving."""
    parts = ("evaluation", "archiving", "rest")
    plans, ours = {}, {}
    for where in ("core", "GPU"):
        for first, rule in zip((0, 3), RULES.values(), strict=True):
            plan = f"{rule}, {where}"
            plans[plan] = _plans(rule)[where]
            ours.update({f"{plan}: {part}": Share(plan, part, first + k) for k, part in enumerate(parts)})
    return PaperTable(
        number=5,
        title="Pareto local search, per cent of the time",
        rows="jobs-machines",
        columns=tuple(f"{rule}: {part}" for rule in RULES.values() for part in parts),
        theirs=PROFILE,
        problems=lambda name: (_shop(name),),
        plans=plans,
        ours=ours,
        remarks=REMARK,
    )


def tables() -> tuple[PaperTable, ...]:
    """Tables 2 to 5."""
    return (
        _table(2, "tabu search on a weighted sum of three objectives", "tabu"),
        *(
            _table(number, f"Pareto local search that archives {rule} neighbors", rule)
            for number, rule in RULES.items()
        ),
        _profile(),
    )
