"""Course timetables: costs against counts in plain Python, exact moves, optima of all timetables, files."""

import re
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, solve, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Interchange, Substitution
from metaheur.problems import CourseTimetabling, problem_from_file
from metaheur.problems.formats.course_timetabling import read_courses
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem
from tests.problems.formats.test_fuzz import CTT


def judged(problem: CourseTimetabling, x: np.ndarray) -> tuple[int, int]:
    """The cost as the competition defines it, from the timetable."""
    rows, size = problem.timetable(x), problem.periods
    hard = len(rows) - len({(room, day, period) for _, room, day, period in rows})
    hard += sum(int(problem.closed[c, day * size + period]) for c, _, day, period in rows)
    for (c, _, *first), (d, _, *second) in combinations(rows, 2):
        together = (problem.curricula[:, c] & problem.curricula[:, d]).any()
        hard += first == second and (c == d or bool(problem.rivals[c, d]) or together)
    soft = sum(max(0, int(problem.students[c] - problem.seats[room])) for c, room, *_ in rows)
    for c, least in enumerate(problem.least_days.tolist()):
        soft += 5 * max(0, least - len({day for each, _, day, _ in rows if each == c}))
        soft += len({room for each, room, *_ in rows if each == c}) - 1
    for curriculum in problem.curricula:
        times = [(day, period) for c, _, day, period in rows if curriculum[c]]
        soft += 2 * sum((day, p - 1) not in times and (day, p + 1) not in times for day, p in times)
    return hard, soft


def test_costs_are_those_of_the_competition() -> None:
    problem, hards = CourseTimetabling.random(12, rooms=4, seed=1), set()
    for seed in range(30):
        x = problem.representation.random(Random(Key(seed), START, 0))
        assert problem.cost(x) == judged(problem, x)
        hards.add(judged(problem, x)[0])
    assert len(hards) > 3


def test_moves_of_a_lecture_have_exact_changes_of_both_levels(compiling: Device) -> None:
    drawn = CourseTimetabling.random(4, rooms=2, seed=2)
    check_problem(drawn, Substitution(), Interchange(), devices=[compiling.name])
    text = drawn.explain()
    for moves in ("SubstitutionMove", "SwapMove"):
        for name in ("delta", "commit"):
            assert re.search(rf"{name}\(Team \w+, const Item\* x, State \w+, {moves} ", text)


def test_the_recommended_searches_find_the_best_of_all_timetables(tmp_path: Path) -> None:
    (tmp_path / "toy.ctt").write_bytes(CTT)
    problem = problem_from_file(tmp_path / "toy.ctt")
    assert isinstance(problem, CourseTimetabling)
    best = min(judged(problem, np.array(x)) for x in product(range(8), repeat=3))
    assert best[0] == 0 < best[1]
    for each in problem.recommended():
        limit = stop.iterations(3000) | stop.target(best)
        result = run(each.search, problem, stop=limit, seed=1, parallel="numpy")
        assert result.cost == best == judged(problem, result.solution)


def test_solve_measures_how_long_a_schedule_of_both_levels_may_be() -> None:
    problem = CourseTimetabling.random(12, rooms=4, seed=1)
    result = solve(problem, work=30_000, seed=1, parallel="host", report=False)
    assert result.feasible
    assert result.cost == judged(problem, result.solution) < (0, 60)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"Days: 2\n", b"", "must say `Days:`"),
        (b"COURSES:\n", b"", "has no section COURSES"),
        (b"b t1 1 1 20\n", b"", "is truncated"),
        (b"b t1 1 1 20", b"a t1 1 1 20", "two courses of the same name"),
        (b"q0 2 a b", b"q0 2 a c", "there is no course c"),
        (b"b 1 0", b"b 2 0", r"a day must be in 0 \.\.\. 1, but is 2"),
        (b"rB 25", b"rB 25\nrC 9", "too many"),
    ],
)
def test_broken_files_are_refused_in_words(tmp_path: Path, old: bytes, new: bytes, reason: str) -> None:
    assert old in CTT
    (tmp_path / "a.ctt").write_bytes(CTT.replace(old, new, 1))
    with pytest.raises(InputError, match=reason):
        read_courses(tmp_path / "a.ctt")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("students", [1, 2, 3], r"`students` must have the shape \(2,\)"),
        ("lectures", [0, 1], r"`lectures` must be in 1 \.\.\. 10000, but one is 0"),
        ("periods", 3, "whole days of 3 periods"),
        ("rivals", [[0, 1], [0, 0]], "`rivals` must be symmetric"),
        ("curricula", [[0, 2]], r"`curricula` must be in 0 \.\.\. 1, but one is 2"),
        ("lectures", [9000, 2000], "must each be at most"),
    ],
)
def test_what_is_no_instance_is_refused(name: str, value: Any, reason: str) -> None:
    fields: dict[str, Any] = {"lectures": [2, 1], "least_days": [1, 1], "students": [9, 9], "seats": [9], "periods": 2}
    fields |= {"rivals": np.eye(2, dtype=int), "curricula": [[1, 1]], "closed": np.zeros((2, 4), int)}
    with pytest.raises(InputError, match=reason):
        CourseTimetabling(**{**fields, name: value})
