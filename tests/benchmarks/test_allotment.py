"""What a portfolio reaches by equal work, with and without allocation, beside each of its searches alone.

By hand: ``python -m tests.benchmarks.test_allotment qaplib/tai30a.dat qaplib/tai40a.dat``. A row says for each search,
for the median of the searches, for equal shares and for each allocation how far the median of 5 seeds is above the
best search's, in %.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Portfolio, Search, TabuSearch, run, stop
from metaheur.neighborhoods import Swap
from metaheur.parallel import Allotment, Multistart, ParallelModel, SuccessiveHalving, UpperConfidence
from metaheur.parts import RandomMoves
from metaheur.problems import QAP
from metaheur.searches import RandomRestart
from tests.benchmarks.records import arguments, report, row_text

WALKS, MOVES, SEEDS = 12, 600_000, 5
"""Walks of a run, moves that each walk evaluates, and runs."""

SWAP = Swap()
MEMBERS: dict[str, Search] = {  # type: ignore[type-arg]
    "tabu": TabuSearch(SWAP),
    "long tabu": TabuSearch(SWAP, (2.0, 3.0)),
    "kicks": IteratedLocalSearch(HillClimbing(SWAP), RandomMoves(SWAP, 4)),
    "descents": RandomRestart(HillClimbing(SWAP)),
}


def excesses(problem: QAP, moves: int = MOVES, seeds: int = SEEDS) -> dict[str, float]:
    """How far each way of running is above the best search alone, in %."""

    def reached(search: Search, model: ParallelModel) -> float:  # type: ignore[type-arg]
        end = stop.evaluations(moves)
        return median(float(run(search, problem, stop=end, seed=seed, parallel=model).cost) for seed in range(seeds))

    plain, all_ = Multistart(WALKS, device="host"), Portfolio(MEMBERS)
    found = {name: reached(search, plain) for name, search in MEMBERS.items()}
    best = min(found.values())
    found["median"] = median(found.values())
    found["equal"] = reached(all_, plain)
    found["halving"] = reached(all_, Allotment(plain, moves // 6, SuccessiveHalving()))
    found["confidence"] = reached(all_, Allotment(plain, moves // 6, UpperConfidence()))
    return {name: 100 * (cost / best - 1) for name, cost in found.items()}


@pytest.mark.thorough
def test_a_row_has_each_search_and_each_allocation() -> None:
    row = excesses(QAP.random(12, seed=1), moves=20_000, seeds=1)
    assert set(row) == {*MEMBERS, "median", "equal", "halving", "confidence"}
    assert min(row[name] for name in MEMBERS) == 0.0


TITLE = "12 walks of 600,000 moves each, 5 seeds: medians of the best costs, in % above the best search alone"

if __name__ == "__main__":
    columns = ("", *MEMBERS, "median", "equal", "halving", "confidence")
    lines = (row_text(Path(name).stem, excesses(QAP.from_file(name)).values()) for name in arguments())
    report("allotment", TITLE, columns, lines)
