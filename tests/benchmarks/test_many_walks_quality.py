"""What many walks reach in seconds of the clock, with exchange and without.

By hand, all or some: ``python -m tests.benchmarks.test_many_walks_quality "tai60a, islands*" "lin318*"``, with
METAHEUR_DATA set. A row says how far the best walk is above the best known cost at the end, and after how many seconds
it was that near: so one run tells the time to every target. METAHEUR_SECONDS, 20 by default, ends a run;
METAHEUR_SEEDS, 1 by default, says how many there are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, final

import pytest
from attrs import frozen

from metaheur import CandidateDescent, IteratedLocalSearch, Problem, Search, TabuSearch, run, stop
from metaheur.neighborhoods import OrOpt, Swap, TwoOpt, Union
from metaheur.parallel import Auto, EdgeAssembly, Islands, Multistart, ParallelModel, RandomTopology, Truncation
from metaheur.parts import Annealed, DoubleBridge, Limit, RandomMoves
from metaheur.problems import QAP, TSP
from metaheur.running.result import Result
from metaheur.stop import Stop

SECONDS: Final = float(os.environ.get("METAHEUR_SECONDS", "20"))
SEEDS: Final = int(os.environ.get("METAHEUR_SEEDS", "1"))
TARGETS: Final = (2.0, 1.0, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.0)
"""Excesses over the best known cost in %, of which it is told when they were reached."""

BEST: Final = {
    "tai20a": 703_482,
    "tai30a": 1_818_146,
    "tai60a": 7_205_962,
    "tai100a": 21_044_752,
    "tai80b": 818_415_043,
    "lin318": 42_029,
    "pcb442": 50_778,
    "pcb1173": 56_892,
}

RATES: Final = {"lin318": 25e6, "pcb442": 25e6, "pcb1173": 22e6}
"""Kicks a second of all walks on an H100, from which annealing knows how many the time allows."""


@final
@frozen
class Case:
    """An instance and how its walks are spread.

    Parameters
    ----------
    instance : str
        A key of `BEST`.
    model : str
        "auto", what the planner makes of so many walks, "islands", "multistart", the same walks without exchange, or,
        for tours, "recombined" where they meet.
    walks : int
        How many.
    every : int, optional
        Iterations between two exchanges of assignments.
    """

    instance: str
    model: str
    walks: int
    every: int = 30_000

    def __str__(self) -> str:
        every = f", exchange every {self.every:,}" if self.model == "islands" and not self.routes else ""
        return f"{self.instance}, {self.model} of {self.walks:,} walks{every}"

    @property
    def routes(self) -> bool:
        """Whether it is a travelling salesman's."""
        return self.instance in RATES

    def problem(self, data: Path) -> Problem:
        """The instance, from the folder of published ones."""
        if self.routes:
            return TSP.from_file(data / "tsplib" / f"{self.instance}.tsp")
        return QAP.from_file(data / "qaplib" / f"{self.instance}.dat")

    @property
    def kicks(self) -> int:
        """Of each walk in the time: the temperatures of the ladder fall with them."""
        return max(1000, int(0.9 * SECONDS * RATES[self.instance] / self.walks))

    def search(self, problem: Problem) -> Search[Any]:
        """Local kicks whose local optima are accepted at falling temperatures; or phases of robust tabu search."""
        if isinstance(problem, TSP):
            descent = CandidateDescent(Union(TwoOpt(), OrOpt()), problem.quadrants(8), best=True)
            return IteratedLocalSearch(descent, DoubleBridge(50), Annealed(self.kicks, rungs=8))
        return IteratedLocalSearch(TabuSearch(Swap(), (0.1, 0.3)), RandomMoves(Swap(), 30), limit=Limit(3000))

    def parallel(self, problem: Problem) -> ParallelModel:
        """Of tours the worst quarter goes on from the best; of assignments, from the best that these have seen."""
        if self.model == "auto":
            return Auto(self.walks)
        walks, every = Multistart(self.walks), max(1, self.kicks // 50)
        if self.model == "multistart":
            return walks
        if self.model == "recombined" and isinstance(problem, TSP):
            assembly = EdgeAssembly(problem.quadrants(8))
            return Islands(walks, every, RandomTopology(), replaces="worse current", recombination=assembly)
        if self.routes:
            return Islands(walks, every, Truncation(), emigrant="current", replaces="worse current")
        return Islands(walks, self.every, Truncation())


CASES: Final = (
    Case("tai20a", "auto", 1056),
    Case("tai30a", "auto", 1056),
    Case("tai100a", "auto", 132),
    Case("tai100a", "islands", 132),
    Case("tai100a", "islands", 132, 300_000),
    Case("lin318", "auto", 2640),
    Case("pcb442", "auto", 2640),
    Case("pcb1173", "auto", 2640),
    Case("pcb1173", "multistart", 2640),
    Case("pcb1173", "islands", 2640),
    Case("pcb1173", "recombined", 528),
    Case("tai60a", "multistart", 264),
    Case("tai60a", "islands", 264),
    Case("tai80b", "multistart", 132),
    Case("tai80b", "islands", 132),
)


@cache
def read(case: Case, data: Path) -> tuple[Problem, Search[Any], Any]:
    """The instance, the search and the start, which is greedy for tours."""
    problem = case.problem(data)
    return problem, case.search(problem), problem.greedy_edge() if isinstance(problem, TSP) else None


def made(case: Case, data: Path, seed: int, until: Stop) -> Result:
    """A run."""
    problem, search, start = read(case, data)
    return run(search, problem, stop=until, seed=seed, start=start, parallel=case.parallel(problem))


def rows(case: Case, data: Path) -> Iterator[str]:
    """A row for each seed, and one for all of them."""
    read(case, data)
    began = perf_counter()
    made(case, data, 0, stop.iterations(1))
    first, best = perf_counter() - began, BEST[case.instance]
    until = stop.seconds(SECONDS) | stop.when(lambda view: view.cost <= best)
    ends, times = [], []
    for seed in range(1, SEEDS + 1):
        found = made(case, data, seed, until)
        gaps = [(100 * (each.cost / best - 1), each.seconds) for each in found.improvements]
        reached = {target: next((s for gap, s in gaps if gap <= target), None) for target in TARGETS}
        ends.append(100 * (found.cost / best - 1))
        times.append(found.seconds)
        told = ", ".join(f"{target:g} % {s:.2f} s" for target, s in reached.items() if s is not None)
        made_by_each = f"{found.iterations:,} iterations"
        yield f"{case}, seed {seed}: {ends[-1]:.3f} % after {found.seconds:.2f} s, {made_by_each}; {told}"
    yield (
        f"{case}: median {median(ends):.3f} % ({min(ends):.3f} ... {max(ends):.3f}), {median(times):.2f} s; "
        f"{first:.2f} s for a first iteration ({found.plan})"
    )


@pytest.mark.benchmark(group="quality of many walks")
@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_is_reached(case: Case, data_folder: Path, benchmark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    def table() -> None:
        for row in rows(case, data_folder):
            with capsys.disabled():
                print(f"\n{row}", end="", flush=True)

    benchmark.pedantic(table, rounds=1)


if __name__ == "__main__":
    for each in CASES:
        if any(fnmatch(str(each), pattern) for pattern in sys.argv[1:] or ["*"]):
            for row in rows(each, Path(os.environ["METAHEUR_DATA"])):
                print(row, flush=True)
