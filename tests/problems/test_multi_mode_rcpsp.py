"""Projects with several modes: schedules against an independent checker, optima of all starts, files of PSPLIB."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.problems import MultiModeRCPSP, problem_from_file
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem
from tests.problems.formats.test_fuzz import PSPLIB

NONE = np.zeros((0, 2), np.int32)


def modes_of(problem: MultiModeRCPSP, x: np.ndarray) -> np.ndarray:
    """The row of the mode of each activity."""
    ends = np.cumsum(problem.modes)
    found: np.ndarray = ends - problem.modes + problem.representation.split(x)["mode"]
    return found


def fits(problem: MultiModeRCPSP, rows: np.ndarray, starts: np.ndarray) -> bool:
    """Whether activities that begin so wait for those before them and never need more than there is at a time."""
    ends, k = starts + problem.durations[rows], problem.renewable
    if any(ends[a] > starts[b] for a, b in problem.precedences):
        return False
    needs = (problem.demands[rows[(starts <= t) & (t < ends)], :k].sum(axis=0) for t in range(int(ends.max())))
    return all((each <= problem.capacities[:k]).all() for each in needs)


def test_schedules_fit_and_costs_are_their_ends_and_what_is_taken_too_much() -> None:
    problem, overuses = MultiModeRCPSP.random(9, seed=1), set()
    for seed in range(30):
        x = problem.representation.random(Random(Key(seed), START, 0))
        rows, starts = modes_of(problem, x), problem.schedule(x)
        assert fits(problem, rows, starts)
        over = np.maximum(0, problem.demands[rows].sum(axis=0) - problem.capacities)[problem.renewable :].sum()
        assert problem.cost(x) == (over, (starts + problem.durations[rows]).max())
        overuses.add(over > 0)
        for a in np.flatnonzero(starts > 0):
            assert not fits(problem, rows, starts - (np.arange(9) == a))
    assert overuses == {True, False}


def test_moves_of_the_order_and_of_modes_have_exact_changes(compiling: Device) -> None:
    problem = MultiModeRCPSP.random(6, modes=2, seed=1)
    check_problem(problem, *problem.recommended()[0].search.neighborhoods, devices=[compiling.name])


def test_the_recommended_searches_find_the_best_of_all_modes_and_starts() -> None:
    durations, demands = [1, 3, 2, 2, 1, 2, 1], [[2, 2], [1, 1], [2, 1], [2, 2], [1, 0], [1, 1], [0, 1]]
    fields: Any = ([2, 1, 2, 2], durations, demands, [3, 4], 1, [[0, 2]])
    problem = MultiModeRCPSP(*fields)
    best = 99
    for modes in product(range(2), [0], range(2), range(2)):
        rows = np.array([0, 2, 3, 5]) + modes
        if problem.demands[rows, 1].sum() <= 4:
            for starts in map(np.array, product(range(6), repeat=4)):
                end = int((starts + problem.durations[rows]).max())
                best = end if end < best and fits(problem, rows, starts) else best
    for each in problem.recommended():
        limit = stop.iterations(2000) | stop.target((0, best))
        result = run(each.search, problem, stop=limit, seed=1, parallel="numpy")
        assert result.cost == (0, best)


def test_files_with_several_modes_become_such_projects_without_modes_that_never_fit(tmp_path: Path) -> None:
    several = PSPLIB.replace(b"2 1 1 3", b"2 3 1 3").replace(b"2 1 5 4", b"2 1 5 4\n  2 3 1\n  3 1 9")
    (tmp_path / "a.mm").write_bytes(several)
    problem = problem_from_file(tmp_path / "a.mm")
    assert isinstance(problem, MultiModeRCPSP)
    assert problem.modes.tolist() == [1, 2, 1]
    assert problem.durations.tolist() == [2, 5, 3, 0]
    assert problem.demands.tolist()[1:3] == [[4], [1]]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (([2], [1], [[1]], [1], 1, NONE), r"`modes` must be 1 or more, 1 together, but are \[2\]"),
        (([1], [1], [[1, 1]], [1], 1, NONE), "`demands` must have a row for each of 1 durations"),
        (([1], [1], [[1]], [1], 2, NONE), "of which 2 are renewable"),
        (([1], [-1], [[1]], [1], 1, NONE), "`durations` must be 0 or more, but one is -1"),
        (([1], [1], [[2]], [1], 1, NONE), "Mode 0 needs 2 of resource 0, of which there are 1"),
        (([1], [6001], [[1]], [1], 1, NONE), "the longest modes last 6,001 together"),
        (([1, 1], [1, 1], [[1], [1]], [1], 1, [[0, 1], [1, 0]]), "lead in a circle"),
    ],
)
def test_what_is_no_project_is_refused(fields: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        MultiModeRCPSP(*fields)
