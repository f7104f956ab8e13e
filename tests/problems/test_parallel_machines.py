"""Parallel machines: costs by the clock, exact changes of cost, an optimum by brute force."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from metaheur import SimulatedAnnealing, run, solve, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import CrossExchange, Relocate, TwoOptStar
from metaheur.neighborhoods import Union
from metaheur.problems import ParallelMachines
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem
from tests.helpers import solution_of

MOVES = Union(Relocate(), CrossExchange(2), TwoOptStar())


def drawn(jobs: int = 6) -> ParallelMachines:
    numbers = np.random.default_rng(2)
    return ParallelMachines(
        numbers.integers(1, 40, jobs), numbers.integers(1, 20, (jobs + 1, jobs + 1)), np.array([1, 3, 2])
    )


def last_end(problem: ParallelMachines, lists: list[list[int]]) -> int:
    """Work off each list, job by job."""
    ends, n = [], len(problem.times)
    for slow, jobs in zip(problem.slowness.tolist(), lists, strict=True):
        now, last = 0, n
        for job in jobs:
            now, last = now + slow * int(problem.setups[last, job] + problem.times[job]), job
        ends.append(now + (slow * int(problem.setups[last, n]) if jobs else 0))
    return max(ends)


def test_a_cost_is_when_the_last_job_ends() -> None:
    problem = drawn()
    for seed in range(20):
        x = solution_of(problem, seed)
        assert problem.cost(x) == last_end(problem, problem.representation.split(x))
    start = problem.construct(Random(Key(1), START, 0))
    assert sorted(each for jobs in problem.representation.split(start) for each in jobs) == [*range(6)]


def test_changes_of_cost_are_exact(compiling: Device) -> None:
    assert "never used" not in str(check_problem(drawn(), MOVES, devices=[compiling.name]))


def test_a_brute_force_optimum_is_found() -> None:
    problem = drawn(5)
    best = min(
        last_end(problem, [list(order[:i]), list(order[i:j]), list(order[j:])])
        for order in permutations(range(5))
        for i in range(6)
        for j in range(i, 6)
    )
    found = run(SimulatedAnnealing(MOVES, 30.0), problem, stop=stop.iterations(9000), seed=1, parallel="numpy")
    assert found.cost == best
    assert solve(problem, work=20_000, seed=1).cost == best


def test_the_recommended_annealing_is_as_long_as_the_budget_and_begins_at_a_constructed_solution() -> None:
    found = drawn().recommended_within(5000, 3)
    assert found is not None
    assert (found.length, found.walks, found.start) == (5000, 3, "construct")
    longer = found.of_length(9000)
    assert (longer.length, longer.walks) == (9000, 3)
    assert isinstance(longer.search, SimulatedAnnealing)
    assert longer.search.fall == 0  # it knows for how long it may run
    assert drawn(3).recommended_within(5000, 3) is None
    assert len(drawn(3).recommended()) > 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"setups": [[0]]}, r"`setups` have the shape \(2, 2\)"),
        ({"times": [-1]}, "`times` and `setups` must be at least 0"),
        ({"slowness": [0]}, "`slowness` at least 1"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ParallelMachines(**{"times": [1], "setups": [[0, 1], [1, 0]], "slowness": [1], **fields})
