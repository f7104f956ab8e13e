"""Project scheduling: schedules against an independent checker, exact moves, optima, published instances, files."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion
from metaheur.problems import RCPSP, problem_from_file
from metaheur.problems.formats.psplib import Project, read_project
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem
from tests.problems.formats.test_fuzz import PSPLIB

PAIRS = [(0, 3), (3, 5), (0, 5), (2, 7), (7, 8), (1, 8)]


def project(n: int, capacities: Any = (4, 5, 3), pairs: Any = PAIRS, seed: int = 1) -> RCPSP:
    random = np.random.default_rng(seed)
    demands = random.integers(0, np.array(capacities) + 1, (n, len(capacities)))
    return RCPSP(random.integers(0, 6, n), demands, np.array(capacities), np.array(pairs))


def fits(problem: RCPSP, starts: np.ndarray) -> bool:
    """Whether activities that begin so wait for those before them and never need more than there is."""
    ends = starts + problem.durations
    running = [(starts <= time) & (time < ends) for time in range(int(ends.max()))]
    enough = all((problem.demands[each].sum(axis=0) <= problem.capacities).all() for each in running)
    return enough and all(ends[a] <= starts[b] for a, b in problem.precedences)


def test_schedules_fit_and_no_activity_could_begin_a_unit_of_time_earlier() -> None:
    problem = project(10)
    for seed in range(20):
        x = problem.construct(Random(Key(seed), START, 0))
        starts = problem.schedule(x)
        assert fits(problem, starts)
        assert problem.cost(x) == (starts + problem.durations).max()
        for a in np.flatnonzero((starts > 0) & (problem.durations > 0)):
            assert not fits(problem, starts - (np.arange(10) == a))


@pytest.mark.parametrize("capacities", [(4, 5, 3), (2**30, 2**30, 7)])
def test_moves_keep_exactly_the_precedences_and_have_exact_changes(capacities: Any, compiling: Device) -> None:
    problem = project(9, capacities)
    assert problem.constants(problem.representation)["words"] == 1 + (capacities[0] > 4)
    check_problem(problem, Insertion(), devices=[compiling.name])


def test_a_project_of_several_modes_is_refused_in_words() -> None:
    found = Project(
        np.array([1, 2]), np.array([1, 2, 3]), np.ones((3, 1), np.int32), np.array([2]), 1, np.zeros((0, 2), np.int32)
    )
    with pytest.raises(InputError, match="several modes or resources that are not renewable"):
        RCPSP.of(found)


def test_the_recommended_searches_find_the_best_of_all_lists() -> None:
    problem = project(7, pairs=[(0, 3), (2, 6)])
    lists = [x for x in map(np.array, permutations(range(7))) if not problem.violations(x)]
    best = min(map(problem.cost, lists))
    for each in problem.recommended():
        result = run(each.search, problem, stop=stop.iterations(3000) | stop.target(best), seed=1, parallel="numpy")
        assert result.cost == best
        assert fits(problem, problem.schedule(result.solution))


@pytest.mark.parametrize(("name", "reached"), [("j301_1.sm", 43), ("RG300_1.rcp", 96)])
def test_published_projects_are_scheduled(name: str, reached: int, data_folder: Path) -> None:
    problem = problem_from_file(data_folder / "rcpsp" / name)
    assert isinstance(problem, RCPSP)
    search = problem.recommended()[0].search
    limit = stop.iterations(200_000) | stop.target(reached)
    result = run(search, problem, stop=limit, seed=1, start="construct", parallel="host")
    assert result.cost <= reached
    assert fits(problem, problem.schedule(result.solution))


def test_both_forms_of_files_have_the_same_project(tmp_path: Path) -> None:
    (tmp_path / "a.sm").write_bytes(PSPLIB)
    (tmp_path / "a.rcp").write_text("3 1\n4\n2 1 2 2 3\n5 4 1 3\n0 0 0\n")
    first, second = (problem_from_file(tmp_path / name) for name in ("a.sm", "a.rcp"))
    assert isinstance(first, RCPSP)
    assert isinstance(second, RCPSP)
    for name in ("durations", "demands", "capacities", "precedences"):
        assert np.array_equal(getattr(first, name), getattr(second, name))
    assert first.schedule(np.arange(3)).tolist() == [0, 2, 7]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"1 1 2 2 3", b"1 1 2 2 4", r"line 11: an activity must be in 1 \.\.\. 3, but is 4"),
        (b"2 1 1 3", b"3 1 1 3", "PRECEDENCE RELATIONS: number 2 is expected, but 3 is found"),
        (b"doubly constrained : 0", b"doubly constrained : 1", "has 1 doubly constrained resources"),
        (b"REQUESTS/", b"Requests/", "has no section REQUESTS/DURATIONS"),
        (b"2 1 5 4", b"2 2 5 4", r"a mode must be in 1 \.\.\. 1, but is 2"),
        (b"3 1 0 0\n", b"3 1 0\n", "is truncated"),
    ],
)
def test_broken_files_are_refused_in_words(tmp_path: Path, old: bytes, new: bytes, reason: str) -> None:
    assert old in PSPLIB
    (tmp_path / "a.sm").write_bytes(PSPLIB.replace(old, new, 1))
    with pytest.raises(InputError, match=reason):
        read_project(tmp_path / "a.sm")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (([1, 2], [[1]], [1], [[0, 1]]), r"`demands` must have a row for each of 2 durations"),
        (([1, -2], [[1], [1]], [1], [[0, 1]]), "`durations` must be 0 or more, but one is -2"),
        (([1, 2], [[1], [2]], [1], [[0, 1]]), "Activity 1 needs 2 of resource 0, of which there are 1"),
        (([1, 4000], [[1], [1]], [1], [[0, 1]]), "must add up to at most 4,000, but add up to 4,001"),
        (([1], [[2**30] * 9], [2**31 - 1] * 9, np.zeros((0, 2))), "fit into 4 words of 63 bits.* 9 words"),
        (([1, 2], [[1], [1]], [1], [[0, 1], [1, 0]]), "lead in a circle"),
    ],
)
def test_what_is_no_project_is_refused(fields: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        RCPSP(*fields)
