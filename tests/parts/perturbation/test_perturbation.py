"""Perturbation: random moves, one after the other, the same in both halves."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, IteratedLocalSearch, Key, Neighborhood, Problem, Walk
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.numpy import NumpyEvaluator
from metaheur.neighborhoods import Insertion, Restricted, Sampled, Swap, TwoOpt, Union
from metaheur.parts import RandomMoves
from metaheur.problems import QAP, TSP
from metaheur.random import Stream, philox4x32
from metaheur.testing import check_search
from tests.helpers import evaluated, solution_of

TSP_9 = TSP.random(9, 1)
KEY = Key(5, 3)
MOVES: list[tuple[Problem, Neighborhood]] = [
    (QAP.random(7, 1), Swap()),
    (QAP.random(7, 1), Union(Swap(), Insertion())),
    (TSP_9, Restricted(TwoOpt(), TSP_9.nearest(2))),
]
moves = pytest.mark.parametrize(("problem", "neighborhood"), MOVES, ids=["swaps", "a union", "candidates"])


def drawn(draw: int, iteration: int, size: int) -> int:
    """The index of a move: 64 random bits times the size, the high word of it."""
    low, high, *_ = philox4x32((draw, Stream.PERTURBATION, iteration, 0), (KEY.seed, KEY.walk))
    return (low + (high << 32)) * size >> 64


@moves
@pytest.mark.parametrize("count", [1, 3, 20])
def test_the_moves_that_are_drawn_are_made_one_after_the_other(
    problem: Problem, neighborhood: Neighborhood, count: int
) -> None:
    start = evaluated(problem, solution_of(problem))
    walk = Walk(KEY, start, start, iteration=41)
    evaluate = NumpyEvaluator(problem)
    solution, tried = RandomMoves(neighborhood, count).perturb({}, walk, start, evaluate)
    x, infeasible = start.solution, 0
    for draw in range(count):
        k = drawn(draw, 42, neighborhood.size(problem.representation))
        move = neighborhood.move(problem.representation, k).resolve(x)
        infeasible += move is None
        x = x if move is None else move.apply(x)
    assert solution.solution.tolist() == x.tolist()
    assert solution.cost == problem.cost(x)
    assert tried == count
    assert (infeasible > 0) == (neighborhood.partial and count == 20)


def test_nothing_is_tried_where_there_are_no_moves() -> None:
    problem = QAP.random(1, 1)
    start = evaluated(problem, [0])
    solution, tried = RandomMoves(Swap(), 5).perturb({}, Walk(KEY, start, start), start, NumpyEvaluator(problem))
    assert (solution, tried) == (start, 0)


@pytest.mark.parametrize("tries", [1, 30])
def test_both_halves_leave_infeasible_moves_out(tries: int, compiling: Device) -> None:
    moves = Union(Restricted(TwoOpt(), TSP_9.nearest(2)), Swap())
    search = IteratedLocalSearch(HillClimbing(moves), RandomMoves(moves, 4, tries))
    check_search(search, TSP_9, iterations=25, devices=[compiling.name])


def test_infeasible_moves_are_drawn_again() -> None:
    neighborhood, start = Restricted(TwoOpt(), TSP_9.nearest(2)), evaluated(TSP_9, solution_of(TSP_9))
    walk, evaluate = Walk(KEY, start, start, iteration=41), NumpyEvaluator(TSP_9)
    solution, tried = RandomMoves(neighborhood, 5, tries=100).perturb({}, walk, start, evaluate)
    x, made, draw = start.solution, 0, 0
    while made < 5:
        move = neighborhood.move(
            TSP_9.representation, drawn(draw, 42, neighborhood.size(TSP_9.representation))
        ).resolve(x)
        x, made, draw = x if move is None else move.apply(x), made + (move is not None), draw + 1
    assert solution.solution.tolist() == x.tolist()
    assert tried == draw > 5
    assert RandomMoves(neighborhood, 5, tries=2).perturb({}, walk, start, evaluate)[1] == min(10, draw)


def test_more_draws_than_there_are_numbers_are_refused() -> None:
    with pytest.raises(InputError, match=r"tries` must be below 2\*\*32 / count = 1,073,741,824"):
        RandomMoves(Swap(), 4, tries=2**30)


def test_its_neighborhood_is_the_only_one() -> None:
    assert RandomMoves(Swap(), 3).neighborhoods == (Swap(),)
    assert RandomMoves(Swap(), np.int64(3)) == RandomMoves(Swap(), 3)  # type: ignore[arg-type, unused-ignore]


@pytest.mark.parametrize("neighborhood", [Swap, None, "swap", Sampled(Swap(), 3)])
def test_what_has_no_moves_of_its_own_is_refused(neighborhood: Any) -> None:
    with pytest.raises(InputError, match=r"`neighborhood` must (be a Neighborhood|have the same moves in every step)"):
        RandomMoves(neighborhood, 3)


@pytest.mark.parametrize("count", [0, -1, 2**31, 1.5, "3", True, None])
def test_the_count_is_a_positive_whole_number(count: Any) -> None:
    with pytest.raises(InputError, match=r"`RandomMoves.count` must be a whole number in 1 \.\.\. 2147483647"):
        RandomMoves(Swap(), count)
