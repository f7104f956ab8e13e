"""With every runner, on every device, chunks end at the same iterations."""

from typing import Any

import numpy as np
import pytest

from metaheur import Until
from metaheur.archives import FromMember
from metaheur.loops import CandidateDescent
from metaheur.neighborhoods import Insertion, OrOpt, Swap, TwoOpt, Union
from metaheur.parallel import IterationLevel
from metaheur.parts import RandomMoves, SegmentReversal
from metaheur.problem import Problem
from metaheur.problems import QAP, TSP, FlowShop
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.search import Search
from metaheur.searches import IteratedLocalSearch, ParetoLocalSearch, TabuSearch, TourPartitioning
from metaheur.tree import BranchAndBound
from tests.helpers import started
from tests.tree.trees import knapsack

TOUR = TSP.random(60, 1)
KICKS = IteratedLocalSearch(CandidateDescent(Union(TwoOpt(), OrOpt()), TOUR.nearest(5)), SegmentReversal(20))
SHOP = FlowShop.taillard(1, objectives=("makespan", "total flow time"))

PROGRAMS: dict[str, tuple[Search[Any], Problem]] = {
    "a loop": (TabuSearch(Swap()), QAP.random(9, 1)),
    "an archive": (ParetoLocalSearch(Insertion()), SHOP),
    "rounds": (TourPartitioning(KICKS, 20, 5), TOUR),
    "a tree": (BranchAndBound(KnapsackTree()), knapsack(24)),
}

ENDS: dict[str, dict[str, Any]] = {
    "stagnation": {"stagnation": 2},
    "an improvement": {"improvement": True},
    "moves": {"evaluated": 60},
}


def ends(program: str, device: str, end: dict[str, Any]) -> list[int]:
    """The iterations at which chunks end; each chunk begins where the chunk before has ended."""
    search, problem = PROGRAMS[program]
    runner = IterationLevel(device).bind(search, problem)
    walks = runner.load([started(search, problem)])
    found = []
    for _ in range(6):
        walks = runner.advance(walks, Until(int(walks.iterations[0]) + 7, **end)).walks
        found.append(int(walks.iterations[0]))
    return found


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_chunks_end_at_the_same_iterations(program: str, end: str, device: str) -> None:
    found = ends(program, device, ENDS[end])
    assert found == ends(program, "numpy", ENDS[end])
    assert found[-1] > found[0] or program == "a tree"


def test_moves_of_a_restart_belong_to_the_next_iteration(device: str) -> None:
    """The fourth iteration ends with 64 moves evaluated; then follow 3 moves of a restart, and 16 of the fifth."""
    due = np.random.default_rng(6).integers(1, 99, (5, 4))
    shop = FlowShop(due[:, :3], due_dates=4 * due[:, 3], objectives=("makespan", "total tardiness"))
    search = ParetoLocalSearch(Insertion(), explore="dominating", restart=FromMember(RandomMoves(Swap(), 3)))
    runner, state = IterationLevel(device).bind(search, shop), started(search, shop)
    found = [runner.advance(runner.load([state]), Until(30, evaluated=end)).walks for end in range(60, 90)]
    reached = {(int(walks.iterations[0]), int(walks.evaluated[0])) for walks in found}
    assert reached == {(4, 64), (5, 83), (6, 99)}


@pytest.mark.parametrize("program", ["a loop", "an archive", "rounds"])
def test_a_chunk_that_begins_where_it_would_end_makes_one_step(program: str, device: str) -> None:
    search, problem = PROGRAMS[program]
    runner = IterationLevel(device).bind(search, problem)
    walks = runner.advance(runner.load([started(search, problem)]), Until(3)).walks
    again = runner.advance(walks, Until(30, evaluated=1)).walks
    assert int(again.iterations[0]) == 4
    assert int(runner.advance(again, Until(4)).walks.iterations[0]) == 4
