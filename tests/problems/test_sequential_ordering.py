"""Sequential ordering: lengths and precedences against an independent checker, exact moves, published optima."""

from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, OrOpt, SwapMove
from metaheur.problems import SequentialOrdering, problem_from_file
from metaheur.random import START, Key, Random
from metaheur.testing import check_problem

PAIRS = [(0, 3), (3, 5), (0, 5), (2, 7), (7, 8), (1, 8), (0, 5)]


def ordering(n: int, pairs: Any = PAIRS, factor: int = 1) -> SequentialOrdering:
    return SequentialOrdering(np.random.default_rng(1).integers(1, 99, (n, n)) * factor, pairs)


def keeps(x: np.ndarray, pairs: Any) -> bool:
    """Whether each first item of a pair is listed before the second."""
    order = x.tolist()
    return all(order.index(a) < order.index(b) for a, b in pairs)


@pytest.mark.parametrize(("factor", "kind"), [(1, "int32"), (2**22, "int64")])
def test_moves_keep_exactly_the_precedences_and_have_exact_changes(factor: int, kind: str, compiling: Device) -> None:
    problem = ordering(10, factor=factor)
    assert problem.cost_type == kind
    check_problem(problem, Insertion(), OrOpt(4), devices=[compiling.name])


def test_precedences_that_follow_from_others_change_nothing() -> None:
    problem, few = ordering(6, [(0, 3), (3, 5), (0, 5)]), ordering(6, [(0, 3), (3, 5)])
    assert problem.precedence.behind == few.precedence.behind


def test_no_violation_is_counted_where_all_precedences_are_kept_alone() -> None:
    problem = ordering(6, [(0, 3), (3, 5), (0, 5), (2, 4)])
    for each in permutations(range(6)):
        x = np.array(each)
        assert (problem.violations(x) == 0) == keeps(x, problem.precedences)


def test_constructed_paths_keep_the_precedences_and_are_not_all_one() -> None:
    problem = ordering(12)
    starts = [problem.construct(Random(Key(seed), START, 0)) for seed in range(9)]
    assert all(keeps(x, PAIRS) for x in starts)
    assert len({x.tobytes() for x in starts}) > 1


def test_the_recommended_searches_find_the_best_of_all_paths() -> None:
    problem = ordering(7, [(0, 3), (3, 5), (2, 6)])
    best = min(problem.cost(x) for x in map(np.array, permutations(range(7))) if keeps(x, problem.precedences))
    for each in problem.recommended():
        result = run(each.search, problem, stop=stop.iterations(4000) | stop.target(best), seed=1, parallel="numpy")
        assert result.cost == best
        assert keeps(result.solution, problem.precedences)


@pytest.mark.parametrize(("name", "best"), [("ESC07", 2125), ("br17.10", 55), ("ESC25", 1681), ("ry48p.1", 15805)])
def test_the_optimum_of_published_instances_is_found(name: str, best: int, data_folder: Path) -> None:
    problem = problem_from_file(data_folder / "sop" / f"{name}.sop")
    assert isinstance(problem, SequentialOrdering)
    search = problem.recommended()[0].search
    result = run(search, problem, stop=stop.iterations(10_000_000) | stop.target(best), seed=1, parallel="host")
    path = result.solution.tolist()
    assert result.cost == best == sum(problem.distances[a, b] for a, b in pairwise(path))
    assert keeps(result.solution, problem.precedences)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (([[0, 1]], [[0, 1]]), "must be a square matrix"),
        (([[0, 1], [1, 0]], [[0, 2]]), r"must hold items 0 \.\.\. 1, but row 0 is \[0 2\]"),
        (([[0, 1], [1, 0]], [[0, 1, 0]]), r"must be pairs of items"),
        (([[0, 1], [1, 0]], [[0, 1], [1, 0]]), "lead in a circle"),
    ],
)
def test_what_is_no_instance_is_refused(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        SequentialOrdering(*arguments)


def test_other_moves_are_refused() -> None:
    with pytest.raises(InputError, match=r"not known whether SwapMove.*\nMaybe use Insertion"):
        ordering(9).feasible(np.arange(9), SwapMove(0, 1))


def test_no_precedences_are_an_empty_list_of_pairs() -> None:
    problem = ordering(5, np.zeros((0, 2), int))
    assert not problem.violations(np.arange(5)[::-1])
