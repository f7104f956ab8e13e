"""ConflictScan: the best admitted move of the positions in conflict, until there is no conflict."""

from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import DiscreteVector, Key, Problem, Representation, TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import ConflictScan
from metaheur.neighborhoods import Hamming, Substitution, Swap
from metaheur.parallel import IterationLevel
from metaheur.parts import (
    AspirationPlus,
    BestSoFar,
    FrequencyMemory,
    LongTerm,
    MoveMemory,
    PlacementMemory,
    ReactiveTenure,
    SolutionMemory,
    Tenure,
)
from metaheur.problems import QAP, GraphColoring, MultipleKnapsack
from metaheur.runners.drive import Team
from metaheur.running.program import Wishes
from metaheur.searches import HybridEvolutionaryAlgorithm
from metaheur.testing import check_search
from tests.device.compilers import NoGPU
from tests.helpers import started

GRAPH = GraphColoring.random(24, 4, seed=1)
SHORT = Tenure(0, 0, low_plus=2, high_plus=6)


def by_definition(problem: GraphColoring, x: np.ndarray) -> set[int]:
    return {int(v) for edge in problem.edges for v in edge if x[edge[0]] == x[edge[1]]}


def test_it_makes_the_best_admitted_move_of_a_vertex_in_conflict() -> None:
    memory = PlacementMemory(Tenure(0, 0, low_plus=10, high_plus=40))
    scan = ConflictScan(Substitution(), memory)
    state, evaluate = started(scan, GRAPH, key=Key(1)), NumpyEvaluator(GRAPH, Substitution())
    moves, seen = list(Substitution().moves(GRAPH.representation)), set()
    for iteration in range(1, 250):
        walk, kept = state.walk, state.kept["memory"]
        x, cost = walk.current.solution, walk.current.cost
        vertices = by_definition(GRAPH, x)
        considered = [move for move in moves if move.at in vertices]
        deltas = {move: GRAPH.cost(move.apply(x)) - cost for move in considered}
        forbidden = [move for move in considered if memory.expiry(kept, x, move) >= iteration]
        admitted = [each for each in considered if each not in forbidden or cost + deltas[each] < walk.best.cost]
        state = scan.step(state, evaluate)
        assert state.walk.evaluated == walk.evaluated + len(considered)
        chosen = min(admitted, key=lambda move: deltas[move], default=None)  # the first among equals
        assert state.walk.current.solution.tolist() == (x if chosen is None else chosen.apply(x)).tolist()
        seen |= {("forbidden", bool(forbidden)), ("aspires", chosen in forbidden), ("all", len(vertices) == GRAPH.n)}
    assert seen == {("forbidden", False), ("forbidden", True), ("aspires", False), ("aspires", True), ("all", False)}


MEMORIES = (PlacementMemory(SHORT), PlacementMemory(ReactiveTenure()), MoveMemory(SHORT), SolutionMemory(SHORT))


@pytest.mark.parametrize("memory", MEMORIES, ids=lambda memory: type(memory).__name__ + type(memory.tenure).__name__)
@pytest.mark.parametrize("random_ties", [False, True])
def test_every_device_makes_the_same_moves(memory: PlacementMemory, random_ties: bool, compiling: Device) -> None:
    search = TabuSearch(Substitution(), memory=memory, random_ties=random_ties, in_conflict=True)
    check_search(search, GRAPH, iterations=120, devices=[compiling.name])


def test_it_ends_where_there_is_no_conflict(device: str) -> None:
    search = TabuSearch(Substitution(), SHORT, random_ties=True, in_conflict=True)
    result = run(search, GraphColoring.random(12, 6, seed=1), stop=stop.iterations(999), seed=1, parallel=device)
    assert (result.cost, result.stopped_by) == (0, "no conflicts")
    assert result.iterations < 999


@frozen(eq=False)
class Unequal(Problem):
    """Neighbors in a ring must differ; Python alone."""

    n: int

    @property
    def representation(self) -> Representation:
        return DiscreteVector(self.n, 2)

    def cost(self, x: np.ndarray) -> int:
        return int((x == np.roll(x, 1)).sum())

    def conflicting(self, x: np.ndarray) -> np.ndarray:
        found: np.ndarray = (x == np.roll(x, 1)) | (x == np.roll(x, -1))
        return found


def test_a_problem_in_python_alone_knows_its_conflicts() -> None:
    result = run(ConflictScan(Substitution(), PlacementMemory(SHORT)), Unequal(8), stop=stop.target(0), seed=3)
    assert result.cost == 0


def test_what_does_not_know_its_conflicts_is_refused() -> None:
    knapsacks = MultipleKnapsack(*np.ones((3, 2), int))
    with pytest.raises(InputError, match="MultipleKnapsack does not say which positions are in conflict"):
        TabuSearch(Substitution(), in_conflict=True).loop.require(knapsacks)
    with pytest.raises(InputError, match="does not have a group of as many moves for each position"):
        ConflictScan(Swap()).require(Ordered(5))
    with pytest.raises(InputError, match="does not say which moves a group has"):
        ConflictScan(Hamming(2))


@frozen(eq=False)
class Ordered(Unequal):
    @property
    def representation(self) -> Representation:
        return QAP.random(self.n, 1).representation


def test_rules_about_all_moves_are_refused() -> None:
    with pytest.raises(InputError, match=r"LongTerm.* looks for moves of all positions"):
        ConflictScan(Substitution(), PlacementMemory(), LongTerm(5))
    with pytest.raises(InputError, match="ConflictScan compares moves by their changes of cost, but FrequencyMemory"):
        ConflictScan(Substitution(), FrequencyMemory(PlacementMemory()), BestSoFar())
    for more in ({"least_tabu": True}, {"examine": AspirationPlus()}):
        with pytest.raises(InputError, match="`in_conflict` looks at moves of positions in conflict"):
            TabuSearch(Swap(), in_conflict=True, **more)


def test_the_compiled_half_must_know_conflicts(compiling: Device) -> None:
    from metaheur import Source

    @frozen(eq=False)
    class Half(Unequal):
        source = Source("struct Half : HalfData { };")

    with pytest.raises(InputError, match="conflicts"):
        run(
            ConflictScan(Substitution()),
            Half(6),
            stop=stop.iterations(5),
            parallel=IterationLevel(compiling.name, resident=True),
        )


@pytest.mark.parametrize(
    ("n", "walks", "alone", "mixed"),
    [
        (500, 132, Team("block", 512), Team("block", 512)),
        (500, 999, Team("block", 256, beside=2), Team("block", 512)),
        (60, 132, Team("warp", 128), Team("warp", 128)),
    ],
)
def test_a_block_of_a_gpu_owns_a_walk_of_a_large_graph_alone(n: int, walks: int, alone: Team, mixed: Team) -> None:
    graph, gpu = GraphColoring.random(n, 48, seed=1), NoGPU()
    searches = {TabuSearch(Substitution(), in_conflict=True): alone, HybridEvolutionaryAlgorithm(9): mixed}
    for search, team in searches.items():
        program: Any = search.program
        assert program._team(graph, Wishes(walks=walks), gpu) == team
        assert program._team(graph, Wishes(walks=2), gpu).per in ("warp", "block")  # no cluster shares it
