"""Flexible job shops: schedules against an independent checker, exact moves, optima, published shops."""

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, solve, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.evaluator import feasible_moves
from metaheur.neighborhoods import Insertion
from metaheur.problems import FlexibleJobShop, problem_from_file
from metaheur.problems.formats.flexible_job_shop import read_flexible_job_shop
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem
from tests.helpers import evaluated
from tests.toys import Rotation


def shop(jobs: Any, m: int, seed: int = 1, factor: int = 1) -> FlexibleJobShop:
    random = np.random.default_rng(seed)
    times = random.integers(0, 9, (sum(jobs), m)) * factor
    times[random.random(times.shape) < 0.4] = -1
    times[:, 0] = np.where(times.max(axis=1) < 0, 3 * factor, times[:, 0])
    return FlexibleJobShop(np.array(jobs), times)


def makespan(problem: FlexibleJobShop, x: np.ndarray) -> int:
    """When the last operation ends, if the schedule is one: jobs in order, machines that can, one at a time."""
    starts, intervals = problem.schedule(x), []
    for machine, row in enumerate(problem.rows(x)):
        assert all(problem.times[o, machine] >= 0 for o in row)
        spans = [(int(starts[o]), int(starts[o] + problem.times[o, machine]), o) for o in row]
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
        intervals += spans
    ends = {o: end for _, end, o in intervals}
    assert sorted(ends) == list(range(len(problem.times)))
    first = {0, *np.cumsum(problem.jobs).tolist()}
    assert all(o in first or starts[o] >= ends[o - 1] for o in ends)
    return max(ends.values())


@pytest.mark.parametrize(("jobs", "m"), [([3, 2, 4], 3), ([4, 4, 4, 4], 5), ([1, 1], 1), ([5], 2)], ids=repr)
def test_moves_lead_to_schedules_of_the_makespan_that_is_told(jobs: Any, m: int, compiling: Device) -> None:
    problem, made = shop(jobs, m), 0
    deltas = DeviceEvaluator(problem, compiling).of(Insertion())
    for seed in range(4):
        x = problem.construct(Random(Key(seed), START, 0))
        for _ in range(3):
            cost, found = problem.cost(x), deltas.deltas(evaluated(problem, x))
            assert cost == makespan(problem, x)
            moves = [*Insertion().moves(problem.representation)]
            allowed = [k for k, move in enumerate(moves) if problem.feasible(x, move)]
            assert feasible_moves(found).nonzero()[0].tolist() == allowed
            for k in allowed:
                assert found[k] == makespan(problem, moves[k].apply(x)) - cost
            made += len(allowed)
            if allowed:
                x = moves[allowed[seed % len(allowed)]].apply(x)
    assert made or m == 1


@pytest.mark.parametrize(("factor", "kind"), [(1, "int32"), (2**33, "int64")])
def test_both_halves_have_every_cost(factor: int, kind: str, compiling: Device) -> None:
    problem = shop([3, 2, 4], 3, factor=factor)
    assert problem.cost_type == kind
    check_problem(problem, Insertion(), devices=[compiling.name])


def test_a_move_that_is_refused_does_not_shorten_the_schedule_alone() -> None:
    """Only moves of critical operations do; some of them are refused, since another place is as good."""
    problem = shop([3, 3, 2], 3, seed=2)
    shorter = 0
    for seed in range(12):
        x = problem.construct(Random(Key(seed), START, 0))
        moves = [*Insertion().moves(problem.representation)]
        best = min(problem.cost(move.apply(x)) for move in moves)
        if best < problem.cost(x):
            assert best == min(problem.cost(move.apply(x)) for move in moves if problem.feasible(x, move))
            shorter += 1
    assert shorter


def test_the_recommended_searches_are_the_same_on_every_device(compiling: Device) -> None:
    problem, limit = shop([3, 2, 4, 3], 3), stop.iterations(120)
    for each in problem.recommended():
        results = [
            run(each.search, problem, stop=limit, seed=2, start=each.start, parallel=device)
            for device in ("numpy", compiling.name)
        ]
        assert results[0].cost == results[1].cost
        assert np.array_equal(results[0].solution, results[1].solution)


def test_the_recommended_searches_find_the_best_of_all_solutions() -> None:
    problem = shop([2, 2, 1], 2)
    best = min(problem.cost(np.array(x)) for x in permutations(range(6)))
    for each in problem.recommended():
        limit = stop.iterations(4000) | stop.target(best)
        result = run(each.search, problem, stop=limit, seed=1, start=each.start, parallel="numpy")
        assert result.cost == best == makespan(problem, result.solution)


def test_a_race_gives_work_to_tabu_search_and_to_annealing() -> None:
    found = solve(shop([2, 2, 1], 2), work=2_000, seed=1, parallel="numpy", report=False)
    assert found.race is not None
    assert {each.name: each.iterations > 1 for each in found.race.tried} == {"tabu search": True, "annealing": True}


@pytest.mark.parametrize(("name", "reached"), [("mk01", 40), ("mk08", 523), ("sfjs01", 66), ("k2", 12)])
def test_published_shops_are_scheduled(name: str, reached: int, data_folder: Path) -> None:
    problem = problem_from_file(data_folder / "flexible_jobshop" / f"{name}.txt")
    assert isinstance(problem, FlexibleJobShop)
    search = problem.recommended()[0].search
    limit = stop.iterations(20_000_000) | stop.target(reached)
    result = run(search, problem, stop=limit, seed=1, start="construct", parallel="host")
    assert makespan(problem, result.solution) == result.cost <= reached


def test_machines_are_counted_from_one_or_from_zero(tmp_path: Path) -> None:
    (tmp_path / "zero").write_text("2 2 1.5\n2 1 0 4 2 0 8 1 9\n1 1 1 7\n")
    (tmp_path / "one").write_text("2 2\n2 1 1 4 2 1 8 2 9\n1 1 2 7\n")
    for name in ("zero", "one"):
        jobs, times = read_flexible_job_shop(tmp_path / name)
        assert (jobs.tolist(), times.tolist()) == ([2, 1], [[4, -1], [8, 9], [-1, 7]])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("2 2\n2 1 0 4 2 0 8 1 9\n1 1 2 7\n", "has machines 0 and 2, but there are 2 machines"),
        ("2 2\n2 1 0 4 2 0 8 0 9\n1 1 1 7\n", "line 2: an operation names a machine twice"),
        ("2 2\n2 1 0 4 3 0 8 1 9\n1 1 1 7\n", "the number of machines of an operation must be in 1"),
        ("2 2\n2 1 0 4 2 0 8 1 9\n1 1 1\n", "is truncated"),
    ],
)
def test_what_is_no_flexible_shop_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    (tmp_path / "shop").write_text(content)
    with pytest.raises(InputError, match=reason):
        read_flexible_job_shop(tmp_path / "shop")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (([2], [[1]]), "`jobs` must hold how many of the 1 rows"),
        (([1], [[-2]]), "`times` must be -1 or more, but one is -2"),
        (([1, 1], [[1, 2], [-1, -1]]), "No machine can do operation 1"),
        (([2001], np.ones((2001, 1), int)), "2,000 operations, and as many machines, but there are 2,001 and 1"),
        (([1], [[2**57]]), "could take longer than"),
    ],
)
def test_fields_that_do_not_fit_are_refused(fields: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        FlexibleJobShop(*fields)


def test_other_moves_are_refused() -> None:
    with pytest.raises(InputError, match=r"cannot tell whether Rotation.*\nMaybe use Insertion"):
        shop([1, 1], 1).feasible(np.arange(2), Rotation(1))
