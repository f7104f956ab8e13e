"""Job shops: makespans against longest paths, changes of cost in both halves, and optima of all sequences."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange
from metaheur.problems import FlowShop, JobShop, JobShopByMachines, problem_from_file
from metaheur.searches import SimulatedAnnealing
from metaheur.testing import check_problem
from tests.problems.formats.test_fuzz import FORMATS


def shop(n: int, m: int, *, factor: int = 1) -> JobShop:
    random = np.random.default_rng(n)
    return JobShop(np.argsort(random.random((n, m)), axis=1), random.integers(0, 20, (n, m)) * factor)


def longest_path(problem: JobShop, x: Any) -> int:
    """The longest path of the graph of operations: those of a job, and those of a machine, in their order."""
    operations, done = [], [0] * len(problem.times)
    for job in x:
        operations.append((job, done[job]))
        done[job] += 1
    ends: dict[tuple[int, int], int] = {}
    for job, step in operations:
        machine = problem.order[job, step]
        before = [end for (j, s), end in ends.items() if j == job or problem.order[j, s] == machine]
        ends[job, step] = max(before, default=0) + int(problem.times[job, step])
    return max(ends.values())


def test_the_cost_is_the_longest_path() -> None:
    problem = shop(3, 3)
    for x in sorted(set(permutations([0, 0, 0, 1, 1, 1, 2, 2, 2])))[::7]:
        assert problem.cost(np.array(x)) == longest_path(problem, x)


@pytest.mark.parametrize(("factor", "kind"), [(1, "int32"), (2**40, "int64")])
def test_both_halves_have_every_cost(factor: int, kind: str, compiling: Device) -> None:
    problem = shop(4, 3, factor=factor)
    assert problem.cost_type == kind
    check_problem(problem, Interchange(), devices=[compiling.name])


def test_the_optimum_of_all_sequences_is_found() -> None:
    problem = shop(3, 3)
    best = min(problem.cost(np.array(x)) for x in set(permutations([0, 0, 0, 1, 1, 1, 2, 2, 2])))
    first = problem.recommended()[0]
    assert run(first.search, problem, stop=stop.iterations(4000), seed=1, parallel="numpy").cost == best


def test_a_shop_with_one_order_is_no_worse_than_as_a_flow_shop() -> None:
    times = np.random.default_rng(1).integers(1, 20, (3, 3))
    jobs = JobShop(np.tile(np.arange(3), (3, 1)), times)
    flow = FlowShop(times)
    for order in permutations(range(3)):
        assert jobs.cost(np.repeat(order, 3)) == flow.cost(np.array(order))


def test_the_optimum_of_ft06_is_found(data_folder: Path) -> None:
    problem = JobShop.from_file(data_folder / "jobshop" / "ft06.txt")
    first = problem.recommended()[0]
    limit = stop.iterations(300_000) | stop.target(55)
    assert run(first.search, problem, stop=limit, seed=1, parallel="host").cost == 55


def test_the_recommended_annealing_is_as_long_as_the_budget() -> None:
    found = shop(3, 3).recommended_within(5000, 2)
    assert found is not None
    assert (found.length, found.walks) == (5000, 2)
    assert found.of_length(9000).length == 9000
    assert isinstance(found.search, SimulatedAnnealing)
    assert found.search.fall == 0  # it knows for how long it may run
    assert shop(1, 3).recommended_within(5000, 2) is None
    assert shop(3, 3, factor=0).recommended_within(5000, 2) is None
    assert len(shop(1, 3).recommended()) == 2


@pytest.mark.parametrize("name", ["job shop", "job shop of Taillard"])
def test_files_are_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(FORMATS[name][1])
    problem = problem_from_file(tmp_path / "file")
    assert isinstance(problem, JobShopByMachines)
    expected = [[0, 1, 2], [1, 2, 0], [2, 0, 1]] if name == "job shop" else [[0, 1], [1, 0]]
    assert problem.order.tolist() == expected
    with pytest.raises(InputError, match="job shop"):
        FlowShop.from_file(tmp_path / "file")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([[0, 1]], [[1, 2, 3]]), "must have one shape"),
        (([[0, 0]], [[1, 2]]), r"job 0 visits \[0, 0\]"),
        (([[0, 1]], [[1, -2]]), "must be 0 or more, but one is -2"),
        (([[0, 1]], [[2**57, 2]]), "overflows int64"),
    ],
)
def test_what_is_no_shop_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        JobShop(*arguments)
