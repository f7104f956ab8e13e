"""FlowShop: the makespan and its changes, as the definition of a schedule says."""

import os
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import IteratedLocalSearch, Neighborhood, Permutation, TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.neighborhoods import AdjacentSwap, Insertion, Swap
from metaheur.parts import Metropolis, Rebuild
from metaheur.problems.flow_shop import OBJECTIVES, FlowShop, liefooghe_due_dates
from metaheur.problems.formats.taillard_flow_shop import BOUNDS, taillard
from metaheur.problems.trees.flow_shop_tree import FlowShopTree
from metaheur.searches import GroupDescent
from metaheur.testing import check_problem, check_search
from metaheur.tree import BranchAndBound
from tests.helpers import evaluated, solution_of

TWO: Any = [[3, 1], [2, 5]]
"""Two jobs on two machines: one after the other they take 9 or 8."""


def completions_by_definition(times: Any, x: Any, released: Any = None) -> list[int]:
    """When each job of a sequence is done: an operation starts when its machine and its job are free."""
    machine_free = [0] * len(times[0])
    done = []
    for job in x:
        job_free = 0 if released is None else int(released[job])
        for k, time in enumerate(times[job]):
            job_free = machine_free[k] = max(job_free, machine_free[k]) + int(time)
        done.append(job_free)
    return done


def longest_path(times: Any, x: Any) -> int:
    """The makespan as the longest of all monotone paths, which go to the next machine at some jobs."""
    n, m = len(x), len(times[0])
    lengths = []
    for turns in combinations_with_replacement(range(n), m - 1):
        ends = [0, *turns, n - 1]
        lengths.append(sum(int(times[x[p]][k]) for k in range(m) for p in range(ends[k], ends[k + 1] + 1)))
    return max(lengths)


def instance(n: int, m: int, top: int = 99) -> FlowShop:
    return FlowShop(np.random.default_rng(100 * n + m).integers(0, top + 1, (n, m)))


NEIGHBORHOODS: list[Neighborhood] = [Insertion(), Swap(), AdjacentSwap()]
sizes = pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 4), (2, 1), (2, 3), (3, 2), (9, 1), (8, 5), (20, 20), (37, 3)])
"""Fewer and more jobs than machines, and than a CPU evaluates at once."""


# ---- costs -----------------------------------------------------------------------------------------------------------


def test_the_second_job_waits_for_the_first() -> None:
    assert FlowShop(TWO).cost(np.array([0, 1])) == 3 + 2 + 5
    assert FlowShop(TWO).cost(np.array([1, 0])) == 2 + 5 + 1


@sizes
def test_the_makespan_is_when_the_last_job_is_done(n: int, m: int) -> None:
    problem = instance(n, m)
    for seed in range(5):
        x = solution_of(problem, seed)
        assert problem.cost(x) == completions_by_definition(problem.times, x)[-1]
        assert type(problem.cost(x)) is int


@pytest.mark.parametrize(("n", "m"), [(1, 3), (4, 1), (5, 4)])
def test_the_makespan_is_the_longest_path(n: int, m: int) -> None:
    problem = instance(n, m)
    x = solution_of(problem)
    assert problem.cost(x) == longest_path(problem.times, x)


def test_costs_are_the_cost_of_each_row() -> None:
    problem = instance(8, 5)
    rows = np.stack([solution_of(problem, seed) for seed in range(7)])
    assert problem.costs(rows).tolist() == [problem.cost(row) for row in rows]


def objectives_by_definition(problem: FlowShop, x: Any) -> dict[str, int]:
    """Every objective that is known, job by job."""
    done = completions_by_definition(problem.times, x, problem.release_times)
    due = [0] * len(x) if problem.due_dates is None else [int(problem.due_dates[job]) for job in x]
    weights = [1] * len(x) if problem.weights is None else [int(problem.weights[job]) for job in x]
    late = [max(0, end - date) for end, date in zip(done, due, strict=True)]
    return {
        "makespan": done[-1],
        "total flow time": sum(done),
        "total tardiness": sum(late),
        "weighted tardiness": sum(w * t for w, t in zip(weights, late, strict=True)),
        "maximum tardiness": max(late),
        "tardy jobs": sum(t > 0 for t in late),
    }


def shop(objectives: tuple[str, ...], n: int = 8, m: int = 3, factor: int = 1, *, released: bool = False) -> FlowShop:
    generator = np.random.default_rng(n)
    return FlowShop(
        factor * generator.integers(0, 99, (n, m)),
        release_times=factor * np.arange(n) ** 2 * 2 if released else None,
        due_dates=factor * generator.integers(100, 60 * n, n),
        weights=generator.integers(0, 9, n),
        objectives=objectives,
    )


@pytest.mark.parametrize(
    ("objectives", "released"),
    [
        (tuple(OBJECTIVES), False),
        (tuple(OBJECTIVES), True),
        (("tardy jobs", "makespan"), False),
        (["maximum tardiness", "total flow time"], True),
    ],
)
def test_objectives_are_what_their_names_say(objectives: Any, released: bool) -> None:
    problem = shop(objectives, released=released)
    rows = np.stack([solution_of(problem, seed) for seed in range(6)])
    expected = [tuple(objectives_by_definition(problem, row)[name] for name in objectives) for row in rows]
    assert [problem.cost(row) for row in rows] == expected
    assert [tuple(row) for row in problem.costs(rows).tolist()] == expected
    assert problem.objectives == tuple(objectives)


def test_a_job_done_on_its_due_date_is_not_late() -> None:
    problem = FlowShop(TWO, due_dates=np.array([4, 9]), objectives=("makespan", "total tardiness", "tardy jobs"))
    assert problem.cost(np.array([0, 1])) == (10, 1, 1)
    assert problem.cost(np.array([1, 0])) == (8, 4, 1)


SEVERAL = {
    "all, vectors of 16 bits, machines in two blocks": shop(tuple(OBJECTIVES), 21, 13),
    "all, release times": shop(tuple(OBJECTIVES), 21, 13, released=True),
    "two, release times in vectors of 64 bits": shop(("total tardiness", "makespan"), 11, 2, 2**40, released=True),
    "three, the fewest jobs": shop(("makespan", "total tardiness", "tardy jobs"), 2, 3),
    "two, vectors of 32 bits": shop(("weighted tardiness", "makespan"), 19, 4, 3000),
    "two, more machines than threads of a warp": shop(("total tardiness", "makespan"), 9, 35, 2**17),
    "two, vectors of 64 bits": shop(("maximum tardiness", "total flow time"), 11, 2, 2**40),
    "due dates beyond 16 bits": FlowShop(
        shop((), 9).times, due_dates=np.arange(9) * 2**40, objectives=("total tardiness", "makespan")
    ),
    "no due dates": FlowShop(shop((), 20).times, objectives=("total flow time", "makespan")),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_every_change_of_several_objectives_is_right(name: str, compiling: Device) -> None:
    neighborhoods = NEIGHBORHOODS if name.startswith("all") else NEIGHBORHOODS[:1]
    report = check_problem(SEVERAL[name], *neighborhoods, devices=[compiling.name])
    if compiling.kind == "host":
        assert "Insertion() on host: cost, delta, init, commit, deltas" in str(report)


@pytest.mark.parametrize(
    ("objectives", "reason"),
    [
        (("makespan",), "two different ones or more"),
        (("makespan", "makespan"), "two different ones or more"),
        (("makespan", "lateness"), r"must be names of objectives, .*\nMaybe choose from makespan, total flow time"),
        ("makespan", "must be names of objectives"),
        (("makespan", "total tardiness"), "'total tardiness' needs `due_dates`"),
    ],
)
def test_objectives_that_cannot_be_are_refused(objectives: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        FlowShop(TWO, objectives=objectives)


def test_weighted_tardiness_needs_weights() -> None:
    with pytest.raises(InputError, match=r"'weighted tardiness' needs `weights`.*\nMaybe read a file of Minella's"):
        FlowShop(TWO, due_dates=np.array([1, 2]), objectives=("makespan", "weighted tardiness"))


def test_due_dates_by_the_rule_of_liefooghe_lie_where_his_do(data_folder: Path) -> None:
    for path in sorted((data_folder / "flowshop" / "liefooghe_mo").glob("*_01.txt")):
        problem = FlowShop.from_file(path)
        n, m = problem.times.shape
        low, high = problem.times.mean() * m, problem.times.mean() * (n + m - 1)
        for due in (problem.due_dates, liefooghe_due_dates(problem.times, 1)):
            assert due is not None
            assert low - 1 < due.min() <= due.max() < high + 1


def test_generated_due_dates_are_those_of_the_number() -> None:
    names = ("makespan", "total tardiness", "tardy jobs")
    problem = FlowShop.taillard(1, objectives=names)
    assert problem.due_dates is not None
    total, count = int(problem.times.sum()), problem.times.size
    assert all(total * 5 <= due * count <= total * 24 for due in problem.due_dates.tolist())
    assert problem.due_dates.tolist() == liefooghe_due_dates(problem.times, 1).tolist()
    assert problem.due_dates.tolist() != liefooghe_due_dates(problem.times, 2).tolist()
    again = FlowShop.taillard(1).with_due_dates(1, objectives=names)
    assert again.due_dates is not None
    assert again.due_dates.tolist() == problem.due_dates.tolist()
    assert len(set(problem.due_dates.tolist())) > 10


def test_tardiness_that_overflows_is_refused() -> None:
    times: Any = [[2**40], [2**40]]
    due: Any = [0, 0]
    large: Any = [2**40, 2**40]
    largest: Any = [2**20, 2**20 - 1]
    with pytest.raises(InputError, match=f"total tardiness could reach {2**41 * 2**41}, which overflows int64"):
        FlowShop(times, due_dates=due, weights=large)
    problem = FlowShop(times, due_dates=due, weights=largest, objectives=("makespan", "weighted tardiness"))
    assert problem.costs(np.array([[0, 1], [1, 0]]))[:, 1].tolist() == [
        2**40 * a + 2**41 * b for a, b in (largest, largest[::-1])
    ]


# ---- changes of cost -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 1), (9, 1), (2, 3), (37, 3), (8, 5), (20, 20)])
@pytest.mark.parametrize("neighborhood", NEIGHBORHOODS, ids=lambda each: type(each).__name__)
def test_every_change_of_cost_is_right(compiling: Device, neighborhood: Neighborhood, n: int, m: int) -> None:
    check_problem(instance(n, m), neighborhood, devices=[compiling.name])


def test_threads_share_the_places_of_jobs() -> None:
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("this machine has one core")
    problem = instance(30, 4)
    solution = evaluated(problem, solution_of(problem))
    expected = NumpyEvaluator(problem).of(Insertion()).deltas(solution).tolist()
    for threads in (1, 2):
        evaluator = DeviceEvaluator(problem, Host(), threads=threads).of(Insertion())
        assert evaluator.deltas(solution).tolist() == expected


@pytest.mark.parametrize("longest", [2**15 - 1, 2**15])
def test_a_makespan_as_long_as_16_bits_hold_has_the_right_changes(compiling: Device, longest: int) -> None:
    n, m = 9, 3
    each = -(-longest // (n + m - 1))
    times = np.where(np.random.default_rng(longest).integers(0, 4, (n, m)), 0, each)
    times[0], times[:, 0] = each, each
    times[1] = np.minimum(times[1], each - ((n + m - 1) * each - longest))
    problem = FlowShop(times)
    assert problem.cost(np.arange(n)[::-1]) == problem.longest == longest
    check_problem(problem, *NEIGHBORHOODS, devices=[compiling.name])


@pytest.mark.parametrize("seed", range(5))
def test_no_makespan_is_above_the_longest(seed: int) -> None:
    problem = instance(7, 4, top=seed * seed)
    orders = [solution_of(problem, s) for s in range(50)]
    assert max(problem.cost(x) for x in orders) <= problem.longest
    same = FlowShop(np.full((7, 4), seed))
    assert same.cost(np.arange(7)) == same.longest == 10 * seed


def test_the_type_of_a_change_of_cost_follows_from_the_longest_makespan() -> None:
    assert FlowShop(np.array([[2**29 - 1]])).cost_type == "int32"
    assert FlowShop(np.array([[2**29]])).cost_type == "int64"


# ---- release times ---------------------------------------------------------------------------------------------------


def released(n: int, m: int, factor: int = 1) -> FlowShop:
    """Jobs that are released one after the other, in some order, at about the pace of a machine."""
    times = instance(n, m).times
    return FlowShop(factor * times, release_times=factor * np.random.default_rng(n).permutation(n) * 40)


def test_a_job_begins_at_its_release_time_or_when_the_machine_is_free() -> None:
    problem = FlowShop(TWO, release_times=np.array([1, 5]))
    assert problem.cost(np.array([0, 1])) == 5 + 2 + 5
    assert problem.cost(np.array([1, 0])) == 5 + 2 + 5 + 1
    assert problem.longest >= 13


@sizes
def test_makespans_with_release_times_are_right(n: int, m: int) -> None:
    problem = released(n, m)
    rows = np.stack([solution_of(problem, seed) for seed in range(5)])
    expected = [completions_by_definition(problem.times, x, problem.release_times)[-1] for x in rows]
    assert [problem.cost(x) for x in rows] == problem.costs(rows).tolist() == expected
    *partial, job = rows[0].tolist()
    places = [np.insert(np.array(partial, np.int32), place, job) for place in range(n)]
    assert problem.insertions(np.array(partial, np.int32), job).tolist() == [problem.cost(x) for x in places]
    assert max(expected) <= problem.longest


@pytest.mark.parametrize(
    ("n", "m", "factor"), [(1, 1, 1), (2, 3, 1), (37, 3, 1), (20, 20, 1), (9, 4, 2**12), (9, 2, 2**40)]
)
def test_every_change_of_cost_is_right_with_release_times(compiling: Device, n: int, m: int, factor: int) -> None:
    check_problem(released(n, m, factor), *NEIGHBORHOODS, devices=[compiling.name])


@pytest.mark.parametrize("improves", [False, True])
def test_sequences_are_rebuilt_with_release_times_everywhere(improves: bool, compiling: Device) -> None:
    search = IteratedLocalSearch(GroupDescent(Insertion()), Rebuild(2, improves=improves), Metropolis(9.0))
    check_search(search, released(12, 4), iterations=60, devices=[compiling.name])


def test_release_times_of_0_change_nothing() -> None:
    plain, zeros = instance(20, 5), FlowShop(instance(20, 5).times, release_times=np.zeros(20, int))
    search = TabuSearch(Insertion())
    ends = [run(search, each, stop=stop.iterations(30), seed=1, parallel="numpy") for each in (plain, zeros)]
    assert ends[0].solution.tolist() == ends[1].solution.tolist()


def test_a_tree_of_makespans_refuses_release_times() -> None:
    with pytest.raises(InputError, match="FlowShopTree bounds makespans of jobs that may begin at once"):
        run(BranchAndBound(FlowShopTree()), released(5, 2), stop=stop.iterations(1))


# ---- making instances ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "reason"),
    [
        (np.zeros((0, 3), int), r"but has the shape \(0, 3\)"),
        (np.zeros((3, 0), int), r"but has the shape \(3, 0\)"),
        (np.zeros((1, 1001), int), r"each of 1 \.\.\. 1000 machines"),
        ([[3, -2]], "`times` must hold 0 or more, but holds -2"),
        ([[3, 2.5]], r"`times` must hold whole numbers .* but holds 2\.5"),
        ([3, 2], "`times` must be a matrix"),
        ([[2**60]], "which overflows int64"),
    ],
)
def test_what_makes_no_instance_is_refused(times: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        FlowShop(times)


@pytest.mark.parametrize(
    ("due_dates", "weights", "reason"),
    [
        ([1], None, "`due_dates` must hold a value for each of 2 jobs, but holds 1"),
        ([1, 2], [1, 2, 3], "`weights` must hold a value for each of 2 jobs, but holds 3"),
        ([1, -2], None, r"`due_dates` must be in 0 \.\.\. 2\*\*53, but holds -2"),
        ([1, 2.5], None, "`due_dates` must be a vector of integers"),
        ([1, [2]], None, "`due_dates` is ragged"),
        ([[1, 2]], None, "`due_dates` must be a vector of integers"),
        (None, [1, 2], "need `due_dates`, but there are none"),
    ],
)
def test_due_dates_and_weights_that_fit_no_instance_are_refused(due_dates: Any, weights: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        FlowShop(TWO, due_dates=due_dates, weights=weights)


def test_an_instance_keeps_a_read_only_copy_of_its_data() -> None:
    due = np.array([4, 9])
    problem = FlowShop(TWO, due_dates=due)
    due[0] = 0
    assert problem.due_dates is not None
    assert problem.due_dates.tolist() == [4, 9]
    assert not problem.due_dates.flags.writeable
    assert not problem.times.flags.writeable


def test_its_solutions_are_orders_of_its_jobs() -> None:
    assert instance(7, 3).representation == Permutation(7)


@pytest.mark.parametrize("index", [1, 60, 120])
def test_taillards_instances_are_made_by_his_generator(index: int) -> None:
    problem = FlowShop.taillard(index)
    assert np.array_equal(problem.times, taillard(index))
    assert problem.cost(solution_of(problem)) >= BOUNDS[index][0]


def test_an_instance_is_read_from_each_format(tmp_path: Path) -> None:
    taillards, liefooghe, minella = (tmp_path / name for name in ("taillard", "liefooghe", "minella"))
    one = "jobs machines seed upper lower\n2 2 1 9 8\nprocessing times :\n3 2\n1 5\n"
    taillards.write_text(one + one.replace("3 2", "4 4"))
    liefooghe.write_text("2 2 77\n0 4 3 1\n1 9 2 5\n")
    minella.write_text("2 2\n0 3 1 1\n0 2 1 5\nReldue\n-1 4 -1 6\n-1 9 -1 7\n")
    first, second = FlowShop.from_file(taillards), FlowShop.from_file(taillards, 2)
    assert first.times.tolist() == TWO
    assert first.due_dates is None
    assert second.times.tolist() == [[4, 1], [4, 5]]
    for path, weights in ((liefooghe, None), (minella, [6, 7])):
        problem = FlowShop.from_file(path)
        assert problem.times.tolist() == TWO
        assert problem.due_dates is not None
        assert problem.due_dates.tolist() == [4, 9]
        assert weights is None if problem.weights is None else problem.weights.tolist() == weights


@pytest.mark.parametrize("number", [0, 2, -1, True, "1", None])
def test_an_instance_that_the_file_does_not_hold_is_refused(tmp_path: Path, number: Any) -> None:
    (tmp_path / "one").write_text("2 2 77\n0 4 3 1\n1 9 2 5\n")
    with pytest.raises(InputError, match=r"`number` must be a whole number in 1 \.\.\. 1, but is") as caught:
        FlowShop.from_file(tmp_path / "one", number)
    assert f"{tmp_path / 'one'} holds 1 instance." in caught.value.maybe


def test_published_files_hold_the_generated_instances(data_folder: Path) -> None:
    files = sorted((data_folder / "flowshop" / "taillard_original").glob("tai*.txt"))
    assert files
    for path in files:
        third = FlowShop.from_file(path, 3)
        assert any(np.array_equal(third.times, taillard(index)) for index in range(3, 121, 10)), path.name
