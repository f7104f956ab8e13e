"""Three objectives of a flow shop: evaluation, and Pareto local search as in Tables 3 and 4 of Luong et al. 2011.

T. V. Luong, N. Melab and E.-G. Talbi, "GPU-based approaches for multiobjective local search algorithms. A case study:
the flowshop scheduling problem", EvoCOP 2011. Theirs are the seconds of 10,000 iterations on a Core i7 and on a GTX
480 with texture memory; ours are those of one walk on each device that is here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from metaheur import ParetoLocalSearch, run, stop
from metaheur.archives import nondominated
from metaheur.device.cuda import cupy
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlowShop
from metaheur.testing import devices_here
from tests.benchmarks.conftest import SideBySide
from tests.helpers import evaluated, solution_of

THREE = ("makespan", "total tardiness", "tardy jobs")

# Taillard's first instance of a size; seconds of CPU and GPU and members, "dominating" and "non-dominated"
TABLES = {
    11: ("20-10", (1.0, 1.7, 11), (1.2, 1.8, 77)),
    21: ("20-20", (1.9, 3.0, 13), (2.0, 3.0, 83)),
    41: ("50-10", (16.6, 4.3, 19), (20.5, 8.2, 396)),
    51: ("50-20", (32.7, 7.8, 20), (39.5, 13.2, 596)),
    71: ("100-10", (139.5, 11.7, 31), (253.3, 49.2, 1350)),
    81: ("100-20", (274.9, 21.1, 34), (312.5, 59.0, 1530)),
    91: ("200-10", (1171.5, 77.9, 61), (1361.5, 217.7, 1597)),
    101: ("200-20", (2196.3, 139.7, 71), (2672.6, 378.0, 2061)),
}


@pytest.mark.parametrize("index", [51, 81, 101])
def test_three_objectives_of_all_insertions(side_by_side: SideBySide, index: int) -> None:
    problem = FlowShop.taillard(index, objectives=THREE)
    solution = evaluated(problem, solution_of(problem))
    works = {}
    for name in devices_here():
        moves = DeviceEvaluator(problem, device_of(name), threads=1 if name == "host" else None).of(Insertion())

        def work(moves=moves, rounds=3) -> float:  # type: ignore[no-untyped-def]
            moves.rehearse(solution, rounds)
            return float(moves.size * rounds)

        works[name] = work
    side_by_side(f"moves of three objectives, {TABLES[index][0]}", works)


@pytest.mark.parametrize("rule", ["dominating", "non-dominated"])
@pytest.mark.parametrize("index", TABLES)
def test_the_tables_again(benchmark, capsys: pytest.CaptureFixture[str], index: int, rule: str) -> None:  # type: ignore[no-untyped-def]
    problem = FlowShop.taillard(index, objectives=THREE)
    search = ParetoLocalSearch.paquete(Insertion(), rule, restart=True)
    size, *rows = TABLES[index]
    cpu, gpu, members = rows[rule == "non-dominated"]
    lines = []

    def all_devices() -> None:
        for name in devices_here():
            result = run(search, problem, stop=stop.iterations(10_000), seed=1, parallel=name)
            assert result.front is not None
            lines.append(f"  {name:6} {result.seconds:8.2f} s   front {len(result.front):5}")

    benchmark.pedantic(all_devices, rounds=1, iterations=1)
    with capsys.disabled():
        print(f"\n{size}, {rule}: the paper {cpu} s on a CPU, {gpu} s on a GPU, {members} members")
        print("\n".join(lines))


@pytest.mark.parametrize("objectives", [2, 3])
def test_many_costs_are_filtered(side_by_side: SideBySide, objectives: int) -> None:
    moocore = pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    front = np.random.default_rng(1).exponential(size=(10**6, objectives))
    costs = (front / front.sum(axis=1)[:, None] * 2**30).astype(np.int64)  # none of them dominates another one
    works: dict[str, Callable[[], float]] = {}
    for name in devices_here():
        there = cupy().asarray(costs) if name == "cuda" else costs
        works[name] = lambda there=there, name=name: float(len(nondominated(there, device=name)))  # type: ignore[misc]
    works["moocore"] = lambda: float(len(moocore.is_nondominated(costs.astype(float))))
    side_by_side(f"a million costs of {objectives} objectives", works)
