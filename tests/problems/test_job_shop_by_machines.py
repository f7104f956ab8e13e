"""Job shops by machines: makespans against JobShop's, exact changes of cost, circles, schedules to start from."""

from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Search, TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.evaluator import feasible_moves
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import AdjacentSwap, Insertion, OnEach
from metaheur.parts import Limit, LongTerm, RandomMoves
from metaheur.problems import JobShop, JobShopByMachines
from metaheur.random import START, Key, Random
from metaheur.searches import IteratedLocalSearch
from metaheur.testing import check_problem
from tests.helpers import evaluated
from tests.toys import Rotation


def shop(n: int, m: int, seed: int = 1, factor: int = 1) -> JobShopByMachines:
    random = np.random.default_rng(seed)
    return JobShopByMachines(np.argsort(random.random((n, m)), axis=1), random.integers(0, 20, (n, m)) * factor)


def rows_of(problem: JobShopByMachines, sequence: np.ndarray) -> np.ndarray:
    """The jobs of each machine in the order of a sequence in which each job occurs once for each operation."""
    n, m = problem.times.shape
    rows: list[list[int]] = [[] for _ in range(m)]
    done = [0] * n
    for job in sequence.tolist():
        rows[problem.order[job, done[job]]].append(job)
        done[job] += 1
    return np.concatenate(rows).astype(np.int32)


def test_a_sequence_of_operations_has_the_same_makespan() -> None:
    problem = shop(5, 4)
    sequences = JobShop(problem.order, problem.times)
    for seed in range(40):
        x = np.random.default_rng(seed).permutation(np.repeat(np.arange(5), 4))
        assert problem.cost(rows_of(problem, x)) == sequences.cost(x)


def test_the_best_of_all_solutions_is_the_best_of_all_sequences() -> None:
    problem = shop(3, 3)
    sequences = JobShop(problem.order, problem.times)
    best = min(sequences.cost(np.array(x)) for x in set(permutations([0, 0, 0, 1, 1, 1, 2, 2, 2])))
    rows = list(permutations(range(3)))
    assert min(problem.cost(np.concatenate(x)) for x in product(rows, rows, rows)) == best


def test_operations_that_wait_in_a_circle_cost_more_than_any_makespan() -> None:
    problem = JobShopByMachines(np.array([[0, 1], [1, 0]]), np.array([[3, 2], [2, 4]]))
    assert problem.schedule(np.array([1, 0, 0, 1])).tolist() == [[-1, -1], [-1, -1]]
    assert problem.cost(np.array([1, 0, 0, 1])) == 3 + 2 + 2 + 4 + 4


CRITICAL = [OnEach(Insertion()), OnEach(AdjacentSwap())]


@pytest.mark.parametrize("moves", CRITICAL, ids=repr)
@pytest.mark.parametrize(("n", "m"), [(4, 3), (7, 5), (1, 3), (3, 1)])
def test_moves_in_critical_blocks_lead_to_schedules_of_the_makespan_that_is_told(
    n: int, m: int, moves: Neighborhood, compiling: Device
) -> None:
    problem, made = shop(n, m), 0
    deltas = DeviceEvaluator(problem, compiling).of(moves)
    for seed in range(6):
        x = problem.construct(Random(Key(seed), START, 0))
        cost, found = problem.cost(x), deltas.deltas(evaluated(problem, x))
        for k, move in enumerate(moves.moves(problem.representation)):
            assert feasible_moves(found)[k] == problem.feasible(x, move)
            if problem.feasible(x, move):
                then = move.apply(x)
                assert (problem.schedule(then) >= 0).all()
                assert found[k] == problem.cost(then) - cost
                made += 1
    assert made or min(n, m) == 1


def test_no_other_insertion_of_neighbors_shortens_a_schedule() -> None:
    """An exchange inside a critical block, or of operations that are not critical, cannot (Nowicki and Smutnicki)."""
    problem = shop(6, 4, seed=2)
    shorter = 0
    for seed in range(12):
        x = problem.construct(Random(Key(seed), START, 0))
        for move in OnEach(AdjacentSwap()).moves(problem.representation):
            if problem.cost(move.apply(x)) < problem.cost(x):
                assert problem.feasible(x, move)
                shorter += 1
    assert shorter


def test_solutions_with_circles_allow_no_move() -> None:
    problem = JobShopByMachines(np.array([[0, 1], [1, 0]]), np.array([[3, 2], [2, 4]]))
    circle = np.array([1, 0, 0, 1])
    assert not any(problem.feasible(circle, move) for move in OnEach(AdjacentSwap()).moves(problem.representation))


@pytest.mark.parametrize(("factor", "kind"), [(1, "int32"), (2**40, "int64")])
def test_both_halves_have_every_cost(factor: int, kind: str, compiling: Device) -> None:
    problem = shop(4, 3, factor=factor)
    assert problem.cost_type == kind
    check_problem(problem, OnEach(Insertion()), devices=[compiling.name])


def test_a_constructed_schedule_is_active() -> None:
    """Each operation begins when its job or its machine lets it, and schedules differ."""
    problem = shop(4, 3, seed=3)
    starts = [problem.construct(Random(Key(seed), START, 0)) for seed in range(10)]
    assert all((problem.schedule(x) >= 0).all() for x in starts)
    assert len({x.tobytes() for x in starts}) > 1
    many = [problem.cost(x) for x in starts]
    drawn = [
        problem.cost(rows_of(problem, np.random.default_rng(k).permutation(np.repeat(range(4), 3)))) for k in range(10)
    ]
    assert np.mean(many) < np.mean(drawn)


@pytest.mark.parametrize(
    "search",
    [
        shop(6, 5).recommended()[0].search,
        TabuSearch(OnEach(Insertion()), (0.1, 0.3), least_tabu=True),
        TabuSearch(OnEach(AdjacentSwap()), (0.1, 0.3), random_ties=True, aspiration=LongTerm(9)),
        HillClimbing(OnEach(Insertion())),
    ],
    ids=["recommended", "least tabu", "random ties", "descent"],
)
def test_a_search_is_the_same_on_every_device(search: Search[Any], compiling: Device) -> None:
    problem = shop(6, 5)
    limit = stop.iterations(300)
    devices = ("numpy", compiling.name)
    results = [run(search, problem, stop=limit, start="construct", parallel=each) for each in devices]
    assert results[0].cost == results[1].cost == problem.cost(results[1].solution)
    assert np.array_equal(results[0].solution, results[1].solution)
    assert results[0].evaluated == results[1].evaluated


@pytest.mark.parametrize(("name", "best"), [("ft06", 55), ("la01", 666), ("la05", 593), ("la16", 945)])
def test_the_optimum_of_published_shops_is_found(name: str, best: int, data_folder: Path) -> None:
    problem = JobShopByMachines.from_file(data_folder / "jobshop" / f"{name}.txt")
    search = problem.recommended()[0].search
    limit = stop.iterations(300_000) | stop.target(best)
    assert run(search, problem, stop=limit, seed=1, parallel="host").cost == best


def test_other_moves_are_refused() -> None:
    with pytest.raises(InputError, match=r"cannot tell whether Rotation.*\nMaybe"):
        shop(3, 2).feasible(np.array([0, 1, 2, 0, 1, 2]), Rotation(1))


def test_more_operations_than_a_thread_has_room_for_are_refused() -> None:
    n, m = 100, 41
    with pytest.raises(InputError, match=r"4,096 operations, but there are 4,100\.\nMaybe use JobShop"):
        JobShopByMachines(np.tile(np.arange(m), (n, 1)), np.ones((n, m), int))


@pytest.mark.parametrize(
    ("n", "m", "moves", "phase"), [(10, 10, 6, 15_000), (20, 15, 12, 22_500), (30, 20, 12, 60_000)]
)
def test_kicks_and_phases_grow_with_shops(n: int, m: int, moves: int, phase: int) -> None:
    """Measured on drawn shops of 15 x 15, 20 x 15 and 30 x 15: phases of one length are behind by up to 1 %."""
    (found,) = shop(n, m).recommended()
    assert isinstance(found.search, IteratedLocalSearch)
    assert found.search.perturbation == RandomMoves(OnEach(Insertion()), moves, tries=1000)
    assert found.search.limit == Limit(phase)
