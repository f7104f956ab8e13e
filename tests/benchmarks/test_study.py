"""The seconds of a study: 4 searches, 20 instances, 2 models and 30 seeds of 10^5 iterations, and of its tables.

``python -m tests.benchmarks.test_study cuda host`` names the models; METAHEUR_DATA is set, METAHEUR_INSTANCES says how
many of the instances are taken, all by default.
"""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import pytest

from metaheur import IteratedLocalSearch, Search, SimulatedAnnealing, TabuSearch, run_many, stop
from metaheur.neighborhoods import Swap
from metaheur.parts import Limit, RandomMoves
from metaheur.problems import QAP
from metaheur.searches import RandomRestart
from tests.benchmarks.records import arguments, report

NAMES = (
    *("bur26a", "chr12a", "els19", "esc16a", "had20", "kra30a", "lipa20a", "nug20", "nug30", "sko42"),
    *("ste36a", "tai15a", "tai20a", "tai20b", "tai25a", "tai30a", "tai30b", "tai40a", "tai50a", "tai50b"),
)

SEARCHES: dict[str, Search[Any]] = {
    "robust tabu search": TabuSearch(Swap()),
    "annealing": SimulatedAnnealing(Swap(), 1_000.0),
    "restarts of tabu search": RandomRestart(TabuSearch(Swap()), Limit(5_000)),
    "iterated tabu search": IteratedLocalSearch(TabuSearch(Swap()), RandomMoves(Swap(), 10), limit=Limit(2_000)),
}


def problems(count: int) -> dict[str, QAP]:
    """So many instances, the first of the names that are at hand."""
    folder = Path(os.environ["METAHEUR_DATA"]) / "qaplib"
    there = [name for name in NAMES if (folder / f"{name}.dat").is_file()]
    return {name: QAP.from_file(folder / f"{name}.dat") for name in there[:count]}


def study(models: list[str], instances: dict[str, QAP], iterations: int = 100_000, seeds: int = 30) -> dict[str, float]:
    """The seconds of the runs with records in a folder, of the study again from its records, and of its tables."""
    seconds = {}
    with TemporaryDirectory() as folder:
        for name in ("runs", "again from records"):
            began = perf_counter()
            found = run_many(
                SEARCHES,
                instances,
                stop=stop.iterations(iterations),
                seeds=range(seeds),
                parallel=models,
                folder=folder,
                progress=False,
            )
            seconds[name] = perf_counter() - began
            assert not [each.error for each in found.runs if each.error], name
    made = [(each.search, each.problem, each.model, each.seed) for each in found.runs if not each.reused]
    assert not made, f"{len(made)} runs were made again, such as {made[0]}: {found.notes}"
    began = perf_counter()
    for values in ("median", "quartiles", "interval", "success_rate"):
        str(found.table(rows="problem", columns=("search", "model"), value=values))
    str(found.compare())
    return {**seconds, "tables": perf_counter() - began}


@pytest.mark.thorough
def test_a_study_is_made_and_read_again() -> None:
    found = study(["host"], {"tai12a": QAP.taillard(12), "tai15a": QAP.taillard(15)}, iterations=50, seeds=2)
    assert min(found.values()) > 0


if __name__ == "__main__":
    chosen = problems(int(os.environ.get("METAHEUR_INSTANCES", len(NAMES))))
    print(*chosen)
    lines = (f"| {what} | {value:.1f} |" for what, value in study(arguments(), chosen).items())
    report("study", f"seconds of 4 searches, {len(chosen)} instances, 30 seeds of 10^5 iterations", ("", "s"), lines)
