"""Generalised assignment: costs, violations and changes of cost against loops, and published optima."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange, Substitution
from metaheur.problems import GeneralizedAssignment, problem_from_file
from metaheur.problems.formats.or_library import read_gap
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem


def instance(m: int, n: int, *, factor: int = 1) -> GeneralizedAssignment:
    random = np.random.default_rng(n)
    costs, resources = random.integers(1, 50, (m, n)), random.integers(1, 20, (m, n)) * factor
    return GeneralizedAssignment(costs, resources, resources.sum(axis=1) * 3 // (2 * m))


def cost_by_loops(problem: GeneralizedAssignment, x: Any) -> int:
    costs = sum(int(problem.costs_of[agent, job]) for job, agent in enumerate(x))
    excess = 0
    for agent, capacity in enumerate(problem.capacities.tolist()):
        load = sum(int(problem.resources[agent, job]) for job, other in enumerate(x) if other == agent)
        excess += max(0, load - capacity)
    return costs + problem.penalty * excess


def test_the_cost_is_that_of_loops_and_the_best_solution_is_feasible() -> None:
    problem = instance(3, 7)
    rows = np.array(list(product(range(3), repeat=7)), np.int32)
    costs = [cost_by_loops(problem, x) for x in rows]
    assert [problem.cost(x) for x in rows] == costs == problem.costs(rows).tolist()
    feasible = np.array([problem.violation(x) == 0 for x in rows])
    assert 0 < feasible.sum() < len(rows)
    assert np.array(costs)[feasible].max() < np.array(costs)[~feasible].min()


def constructed_by_loops(problem: GeneralizedAssignment) -> list[int]:
    """The greatest regret first, looked for among all open jobs each time."""
    agents, jobs = map(range, problem.costs_of.shape)
    left, found = problem.capacities.tolist(), dict[int, int]()

    def room(job: int) -> list[tuple[int, int]]:
        return sorted((int(problem.costs_of[a, job]), a) for a in agents if problem.resources[a, job] <= left[a])

    def regret(job: int) -> float:
        costs = [float(cost) for cost, _ in room(job)]
        return -1 if not costs else np.inf if len(costs) == 1 else costs[1] - costs[0]

    while len(found) < len(jobs):
        job = max((each for each in jobs if each not in found), key=lambda each: (regret(each), -each))
        fits = room(job)
        found[job] = fits[0][1] if fits else min(agents, key=lambda a: int(problem.resources[a, job]) - left[a])
        left[found[job]] -= int(problem.resources[found[job], job])
    return [found[job] for job in jobs]


def test_the_constructed_solution_is_that_of_loops_whether_jobs_fit_or_not() -> None:
    random = np.random.default_rng(5)
    for n in range(1, 30):
        takes = random.integers(0, 9, (n % 4 + 1, n))
        room = random.integers(0, 2 + takes.sum() // (n % 4 + 1), n % 4 + 1)
        problem = GeneralizedAssignment(random.integers(-5, 6, takes.shape), takes, room)
        assert problem.construct(Random(Key(1), START, 0)).tolist() == constructed_by_loops(problem)


@pytest.mark.parametrize("factor", [1, 2**40])
def test_both_halves_have_every_change_of_cost(factor: int, compiling: Device) -> None:
    problem = instance(3, 8, factor=factor)
    assert problem.cost_type == ("int32" if factor == 1 else "int64")
    check_problem(problem, Substitution(), Interchange(), devices=[compiling.name])


def test_the_recommended_search_finds_the_optimum_of_all_solutions() -> None:
    problem = instance(3, 8)
    best = problem.costs(np.array(list(product(range(3), repeat=8)), np.int32)).min()
    (first,) = problem.recommended()
    result = run(first.search, problem, stop=stop.iterations(150), seed=1, start=first.start, parallel="numpy")
    assert (result.cost, problem.violation(result.solution)) == (best, 0)


def test_published_optima_are_found(data_folder: Path) -> None:
    problem = GeneralizedAssignment.from_file(data_folder / "gap" / "c05100", layout="gap")
    (first,) = problem.recommended()
    limit = stop.iterations(30_000) | stop.target(1940)
    result = run(first.search, problem, stop=limit, seed=1, start=first.start, parallel="host")
    assert 1931 <= result.cost <= 1940  # the optimum is 1931


def test_whether_numbers_are_costs_or_profits_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "gap"
    path.write_text("2 3\n1 2 3\n4 5 6\n1 1 1\n2 2 2\n2 4\n")
    with pytest.raises(InputError, match=r"in 2 formats: 'gap', .*'gap to maximise'"):
        problem_from_file(path)
    x = np.array([0, 0, 1])
    for layout, cost in (("gap", 9), ("gap to maximise", -9)):
        problem = problem_from_file(path, layout=layout)
        assert (problem.cost(x), type(problem)) == (cost, GeneralizedAssignment)
    assert read_gap(path)[0].capacities.tolist() == [2, 4]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([[1, 2]], [[1]], [3]), "must have the shapes"),
        (([[1, 2]], [[1, -1]], [3]), "`resources` must hold 0 or more, but holds -1"),
        (([[2**60, 0]], [[1, 1]], [3]), "overflows int64"),
        (([[1.5, 2]], [[1, 1]], [3]), "costs_of"),
    ],
)
def test_what_is_no_assignment_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        GeneralizedAssignment(*arguments)
