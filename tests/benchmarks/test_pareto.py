"""Three objectives of a flow shop: evaluation of moves, filters of costs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from metaheur import Problem, TabuSearch, run, stop
from metaheur.archives import nondominated
from metaheur.device.cuda.cuda import cupy
from metaheur.device.names import device_of
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.neighborhoods import Insertion
from metaheur.parallel import Multistart
from metaheur.problems import FlowShop, Scalarised
from metaheur.testing import devices_here
from tests.benchmarks.conftest import SideBySide
from tests.benchmarks.rehearsal import rehearse
from tests.helpers import evaluated, solution_of

THREE = ("makespan", "total tardiness", "tardy jobs")

SIZES = {51: "50-20", 81: "100-20", 101: "200-20"}
"""The sizes of Taillard's instances, by their numbers."""


@pytest.mark.parametrize("index", SIZES)
def test_three_objectives_of_all_insertions(side_by_side: SideBySide, index: int) -> None:
    problem = FlowShop.taillard(index, objectives=THREE)
    solution = evaluated(problem, solution_of(problem))
    works = {}
    for name in devices_here():
        moves = DeviceEvaluator(problem, device_of(name), threads=1 if name == "host" else None).of(Insertion())

        def work(moves=moves, rounds=3) -> float:  # type: ignore[no-untyped-def]
            rehearse(moves, solution, rounds)
            return float(moves.size * rounds)

        works[name] = work
    side_by_side(f"moves of three objectives, {SIZES[index]}", works)


def balanced(shop: FlowShop) -> Problem:
    """A sum of the objectives in which the ranges of a sample count alike."""
    generator, n = np.random.default_rng(1), shop.representation.length
    sample = shop.costs(np.array([generator.permutation(n) for _ in range(200)]))
    return Scalarised.balanced(shop, np.ptp(sample, axis=0).tolist())


@pytest.mark.cuda
@pytest.mark.parametrize("index", SIZES)
def test_many_solutions_at_once(side_by_side: SideBySide, index: int) -> None:
    search, problem = TabuSearch(Insertion(), tenure=(0.9, 1.1)), balanced(FlowShop.taillard(index, objectives=THREE))
    walks, steps, size = 264, 10, Insertion().size(problem.representation)

    def work() -> float:
        run(search, problem, stop=stop.iterations(steps), seed=1, parallel=Multistart(walks, "block", device="cuda"))
        return float(walks * steps * size)

    side_by_side(f"moves of a sum of three objectives, {walks} walks, {SIZES[index]}", {"cuda": work})


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
