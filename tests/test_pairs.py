"""Every shipped problem with every shipped neighborhood: changes of cost and walks, the same on every device.

On the CPU each pair's changes of cost are checked, and for each pair of a problem's first instance one search, so that
the two minutes of compilation for the rest are spent on a GPU only: `make test-gpu` has the whole product, with more
seeds.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Self, final

import numpy as np
import pytest
from attrs import frozen

import metaheur.neighborhoods
import metaheur.problems
from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.device.host import Host
from metaheur.device.kernel import evaluation_kernel
from metaheur.loops import Scan
from metaheur.loops.resident import scan_kernel
from metaheur.neighborhood import Move, Neighborhood
from metaheur.neighborhoods import Sampled, Union
from metaheur.problem import Problem
from metaheur.problems import PPP, QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut, OneMax
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation, Solution
from metaheur.search import Search
from metaheur.searches import HillClimbing, TabuSearch
from metaheur.testing import check_neighborhood, check_problem, check_search
from metaheur.testing.unit import Costless
from tests.pairs import FIRST, INSTANCES, acting_on, fitting, shipped

HOST = Host()


def test_every_shipped_problem_and_neighborhood_is_in_a_pair() -> None:
    paired = {type(each) for name in INSTANCES for each in fitting(name)}
    assert paired == shipped(metaheur.neighborhoods, Neighborhood)
    assert set(FIRST) == shipped(metaheur.problems, Problem)


def compile_together(units: Iterable[str]) -> None:
    """Have the units in the cache before they are needed one by one; as many at a time as there are processors."""
    with ThreadPoolExecutor() as pool:
        for _ in pool.map(HOST.compile, units):
            pass


def resident(problem: Problem, scan: Scan) -> str:
    kernel, _ = scan_kernel(problem, scan, HOST, threads=1024, blocks=1, shared_memory=0)
    return kernel.text


def searches_of(neighborhood: Neighborhood) -> list[Search[Any]]:
    """Hill climbing; and where moves write a fixed number of positions, tabu search with a long and a short tenure."""
    if neighborhood.writes is None:
        return [HillClimbing(neighborhood)]
    return [HillClimbing(neighborhood), TabuSearch(neighborhood), TabuSearch(neighborhood, tenure=(0.1, 0.3))]


@pytest.mark.parametrize("name", INSTANCES)
def test_every_change_of_cost_is_the_difference_of_two_costs(name: str) -> None:
    problem, neighborhoods = INSTANCES[name], fitting(name)
    compile_together(evaluation_kernel(problem, each, HOST).text for each in neighborhoods)
    check_problem(problem, *neighborhoods, devices=["host"])


@pytest.mark.parametrize(("turn", "name"), list(enumerate(FIRST.values())))
def test_searches_walk_the_same_way_in_both_languages(turn: int, name: str) -> None:
    problem, searches = INSTANCES[name], []
    for number, neighborhood in enumerate(fitting(name)):
        climbing, *tabu = searches_of(neighborhood)
        searches += tabu if (number + turn) % 2 else [climbing]
    scans = (search.loop for search in searches if search.loop is not None)
    compile_together(
        scan_kernel(problem, scan, HOST, threads=1024, blocks=1, shared_memory=0)[0].text for scan in scans
    )
    for search in searches:
        check_search(search, problem, iterations=30, devices=["host"])


@final
@frozen
class Turn(Move):
    """Rotate all entries: a move that no problem knows."""

    by: int

    def apply(self, x: Solution) -> Solution:
        return np.roll(x, self.by)

    def inverse(self) -> Self:
        return type(self)(-self.by)


@final
@frozen
class Turns(Neighborhood):
    """All rotations, in Python only."""

    def supports(self, representation: Representation) -> bool:
        return True

    def size(self, representation: Representation) -> int:
        return representation.length - 1

    def moves(self, representation: Representation) -> Iterator[Turn]:
        return (Turn(by) for by in range(1, representation.length))

    def move(self, representation: Representation, k: int) -> Turn:
        return Turn(k + 1)

    def index(self, representation: Representation, move: Turn) -> int:
        return move.by - 1


@pytest.mark.parametrize("name", FIRST.values())
def test_moves_that_a_problem_does_not_know_are_evaluated_in_full(name: str) -> None:
    check_problem(INSTANCES[name], Turns(), devices=[])


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", INSTANCES)
def test_every_change_of_cost_is_right_on_a_gpu(gpu: Device, name: str, seed: int) -> None:
    check_problem(INSTANCES[name], *fitting(name), seed=seed, devices=[gpu.name])


@pytest.mark.cuda
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", INSTANCES)
def test_every_search_walks_the_same_way_on_a_gpu(gpu: Device, name: str, seed: int) -> None:
    for neighborhood in fitting(name):
        for search in searches_of(neighborhood):
            check_search(search, INSTANCES[name], iterations=50, seed=seed, devices=[gpu.name])


@pytest.mark.cuda
@pytest.mark.parametrize("space", [BitString(9), DiscreteVector(6, 4), Permutation(8), Permutation(8, cyclic=True)])
def test_every_neighborhood_keeps_its_promises_on_a_gpu(gpu: Device, space: Representation) -> None:
    for neighborhood in acting_on(space):
        if not isinstance(neighborhood, Sampled):  # whose moves have no index
            check_neighborhood(neighborhood, space, devices=[gpu.name])


SMALLEST = [
    space for n in (1, 2) for space in (BitString(n), DiscreteVector(n, 2), Permutation(n), Permutation(n, cyclic=True))
]
FEW = np.array([[3, 1, 2], [1, 2, 5]])


def smallest_problems(n: int) -> list[Problem]:
    """Every shipped problem with a solution of n entries, 1 or 2."""
    matrix = FEW[:n, :n]
    return [
        OneMax(n),
        QUBO(matrix),
        MaxCut.from_edges(n, [[0, 1]][: n - 1]),
        PPP.random(9, n, 1),
        Knapsack.single(matrix[0], matrix[0], 3),
        GraphColoring(n, [[0, 1]][: n - 1], 2),
        QAP(matrix, matrix),
        FlowShop(FEW[:n]),
        TSP.from_coordinates(FEW[:n, :2]),
        TSP.from_matrix(np.triu(matrix)),
    ]


@pytest.mark.parametrize("space", SMALLEST, ids=str)
def test_neighborhoods_of_the_smallest_solutions_are_numbered_in_both_languages(space: Representation) -> None:
    for neighborhood in acting_on(space):
        if not isinstance(neighborhood, Sampled):  # whose moves have no index
            check_neighborhood(neighborhood, space)


@pytest.mark.parametrize("space", SMALLEST, ids=str)
def test_among_equals_hill_climbing_ends_at_once_with_the_start_however_small(
    space: Representation, device: str
) -> None:
    start = np.arange(space.length)[::-1].astype(space.dtype)
    for neighborhood in acting_on(space):
        search = HillClimbing(neighborhood)
        result = run(search, Costless(space), stop=stop.iterations(9), seed=1, start=start, parallel=device)
        assert (result.stopped_by, result.iterations) == ("local optimum", 1), neighborhood
        assert result.solution.tolist() == start.tolist()


@pytest.mark.parametrize("n", [1, 2])
def test_changes_of_cost_of_the_smallest_instances_are_right(n: int) -> None:
    for problem in smallest_problems(n):
        plain = [each for each in acting_on(problem.representation) if not isinstance(each, Union | Sampled)]
        check_problem(problem, *plain)


PAIRED = ("Hamming", "Substitution", "Swap", "AdjacentSwap", "Insertion", "TwoOpt", "OrOpt", "ThreeOpt")
OFFERS = ("delta", "groups", "update")


def offered(kind: type, name: str) -> str:
    """A cell of the README's table: what the compiled units say, the same for all instances and radii."""
    cells = {
        ", ".join(word for word in OFFERS if word in DeviceEvaluator(problem, each, HOST).offers) or "cost"
        for problem in INSTANCES.values()
        for each in acting_on(problem.representation)
        if isinstance(problem, kind) and type(each).__name__ == name
    }
    assert len(cells) < 2, f"the instances of {kind.__name__} and the neighborhoods {name} differ: {cells}"
    return "".join(cells)


def table() -> str:
    """The README's table of problems and neighborhoods, from the units that are compiled for the CPU."""
    rows = [["", *(f"`{name}`" for name in PAIRED), "state"], ["---"] * (len(PAIRED) + 2)]
    for kind, name in FIRST.items():
        kept = any(not array.scratch for array in INSTANCES[name].state.values())
        rows.append([f"`{kind.__name__}`", *(offered(kind, each) for each in PAIRED), "yes" if kept else "no"])
    return "".join(f"| {' | '.join(row)} |\n".replace("  ", " ") for row in rows)


def test_the_table_in_the_readme_is_what_the_compiled_units_say() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    assert table() in readme, f"README.md has another table than this one:\n{table()}"
