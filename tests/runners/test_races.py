"""Threads of a block that do not wait for each other, found on a GPU played by the CPU."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Key, Problem, Search, SimulatedAnnealing, Until
from metaheur.lists import CrossExchange, Granular, Relocate, RuinAndRecreate, TwoOptStar
from metaheur.loops import Loop, NoSearch
from metaheur.loops.loop import unwrapped
from metaheur.neighborhoods import Swap
from metaheur.parts import Annealed, RandomMoves
from metaheur.problem import judges
from metaheur.problems import (
    BinPacking,
    CarSequencing,
    CourseTimetabling,
    GraphPartition,
    MultiModeRCPSP,
    ParallelMachines,
    VehicleRouting,
)
from metaheur.runners.compiled_loop import CompiledLoop
from metaheur.runners.drive import Team
from metaheur.runners.resident import Driver
from metaheur.running.runner import Facts
from metaheur.search import fitted
from metaheur.searches.repair import feasible_start
from tests.compositions import LOOPS
from tests.helpers import evaluated, solution_of
from tests.pairs import JUDGED
from tests.problems.test_cvrp import random_routes
from tests.problems.test_vrptw import drawn
from tests.toys import CHANGE, COST, HALVES, KEPT, linear_ordering
from tests.tree.emulated import Emulated

ROUTES = VehicleRouting.of(random_routes())
NEAR = np.array([[k for k in range(7) if k != i][:3] for i in range(7)])
MOVES: dict[str, tuple[Any, Any]] = {
    "relocations": (ROUTES, Relocate()),
    "items of bins": (BinPacking(np.arange(7) % 5 + 2, 20, 4), Relocate()),
    "exchanges": (drawn(), CrossExchange(reverse=True)),
    "tails": (drawn(), TwoOptStar()),
    "tails, granular": (ROUTES, Granular(TwoOptStar(), NEAR)),
    **{
        type(problem).__name__: (problem, problem.recommended()[0].search.neighborhoods[0])
        for problem in (
            CarSequencing.random(9, classes=4, seed=3),
            CourseTimetabling.random(4, rooms=2, seed=2),
            GraphPartition.random(9, 3, density=0.5, seed=1),
            MultiModeRCPSP.random(6, modes=2, seed=1),
            ParallelMachines.random(6, 2, seed=1),
        )
    },
    **{name: (problem, moves[0]) for name, (problem, moves) in JUDGED.items()},
}


def races(search: Search[Any], problem: Problem, folder: Path) -> set[tuple[str, str]]:
    """The pairs of lines that two walks, by a block of two warps each, meet unordered."""
    loop: Loop = unwrapped(fitted(search, problem))
    gpu: Any = Emulated(folder, races=True)
    runner = Driver(CompiledLoop(problem, loop, gpu, Team("block", 64)), Facts("", "", ""))
    starts = [feasible_start(problem, Key(w)) if judges(problem) else solution_of(problem, w) for w in range(2)]
    walking = runner.load([loop.init(evaluated(problem, start), Key(3, w)) for w, start in enumerate(starts)])
    for end in (2, 9):
        walking = runner.advance(walking, Until(end)).walks
    found: set[tuple[str, str]] = gpu.races()
    return found


def kicked(moves: Any) -> Search[Any]:
    """Descents between kicks, which call most of what a walk calls."""
    return IteratedLocalSearch(HillClimbing(moves), RandomMoves(moves, 3))


def test_relocations_by_a_block_wait_for_each_other(tmp_path: Path) -> None:
    assert races(kicked(Relocate()), ROUTES, tmp_path) == set()


def test_threads_that_read_what_another_one_writes_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    late = KEPT.replace("team.for_each(2, [&]", "if (s.order(m.i) < 0) return;\n        team.for_each(2, [&]")
    monkeypatch.setitem(HALVES, "reads late", COST + CHANGE + late)
    found = races(HillClimbing(Swap()), linear_ordering("reads late"), tmp_path)
    assert found
    assert races(HillClimbing(Swap()), linear_ordering("what is kept"), tmp_path) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("name", MOVES)
def test_moves_by_a_block_wait_for_each_other(name: str, tmp_path: Path) -> None:
    problem, moves = MOVES[name]
    for search in (kicked(moves), SimulatedAnnealing(moves, 10.0)):
        assert races(search, problem, tmp_path) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("problem", [ROUTES, drawn()], ids=["loads", "windows"])
def test_ruined_routes_by_a_block_wait_for_each_other(problem: Any, tmp_path: Path) -> None:
    ruin = RuinAndRecreate(problem.nearest(3), problem.orders)
    assert races(IteratedLocalSearch(NoSearch(), ruin, Annealed(9)), problem, tmp_path) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("name", LOOPS)
def test_every_loop_waits(name: str, tmp_path: Path) -> None:
    problem, loop = LOOPS[name]
    assert races(loop, problem, tmp_path) == set()
