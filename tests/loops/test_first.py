"""First improvement: what it makes and counts, in both orders, alone and inside other searches."""

from typing import Any

import numpy as np
import pytest

from metaheur import (
    BestImprovement,
    BestOfSample,
    FirstImprovement,
    HillClimbing,
    Key,
    LeastImprovement,
    Neighborhood,
    Random,
    RandomImprovement,
    run,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import First
from metaheur.loops.order import CyclicOrder, RandomOrder
from metaheur.neighborhoods import Hamming, Restricted, Sampled, Swap, TwoOpt, Union
from metaheur.parts import Always, Metropolis, Plateau
from metaheur.problems import QAP, QUBO, TSP, OneMax
from metaheur.random import Stream
from metaheur.testing import check_search
from tests.helpers import started, stepped
from tests.toys import linear_ordering

QAP_7 = QAP.random(7, seed=2)
NEAR = np.array([[1, 2], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7], [6, 0]])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 16, 17, 1000])
def test_an_order_is_a_permutation_and_places_are_its_inverse(size: int) -> None:
    for order in (CyclicOrder(size, size // 2), RandomOrder(size, Random(Key(1), Stream.TRIAL, 3))):
        indices = order.index(np.arange(size))
        assert sorted(indices.tolist()) == list(range(size))
        assert order.place(indices).tolist() == list(range(size))


def test_in_a_random_order_each_of_some_moves_comes_first_equally_often() -> None:
    some, first = np.array([2, 5, 9, 31]), np.zeros(4, int)
    for iteration in range(4000):
        first[RandomOrder(45, Random(Key(1), Stream.TRIAL, iteration)).place(some).argmin()] += 1
    assert (abs(first - 1000) < 5 * np.sqrt(4000 * 0.25 * 0.75)).all()


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("order", ["cyclic", "random"])
@pytest.mark.parametrize("n", [7, 10])  # 21 moves are examined one by one, 45 are not
def test_it_makes_the_best_of_the_first_moves_that_improve(order: str, n: int, count: int) -> None:
    qap, swap = QAP.random(n, seed=3), Swap()
    search = First(swap, order=order, count=count)
    state, size, cursor = started(search, qap), n * (n - 1) // 2, 0
    for iteration in range(1, 100):
        x, cost = state.walk.current.solution, state.walk.current.cost
        places = CyclicOrder(size, cursor)
        if order == "random":
            places = RandomOrder(size, Random(state.walk.key, Stream.TRIAL, iteration))  # type: ignore[assignment]
        costs = [qap.cost(swap.move(qap.representation, k).apply(x)) for k in places.index(np.arange(size)).tolist()]
        better = [place for place, found in enumerate(costs) if found < cost][:count]
        before = state.walk.evaluated
        state, _ = stepped(search, qap, state, iteration)
        assert state.walk.evaluated - before == (better[-1] + 1 if len(better) == count else size)
        if not better:
            break
        best = min(better, key=lambda place: costs[place])
        assert state.walk.current.cost == costs[best]
        cursor = (int(places.index(np.array([best]))[0]) + 1) % size
    assert (search.done(state), search.ending(state)) == (True, "local optimum")
    assert iteration > 3


@pytest.mark.parametrize("order", ["cyclic", "random"])
def test_equally_good_moves_are_made_in_the_order_everywhere(order: str, compiling: Device) -> None:
    search = First(Hamming(2), order=order, count=40)
    check_search(search, OneMax(40), iterations=25, devices=[compiling.name])


def test_as_many_as_there_are_neighbors_is_best_improvement() -> None:
    rules, problem = (FirstImprovement(45), BestImprovement()), linear_ordering(dtype="float64", n=10)
    ends = [run(HillClimbing(Swap(), rule), problem, stop=stop.iterations(99), seed=4) for rule in rules]
    assert (ends[0].cost, ends[0].iterations) == (ends[1].cost, ends[1].iterations)
    assert ends[0].evaluated == ends[1].evaluated


@pytest.mark.parametrize(
    ("pivoting", "ending"),
    [
        (FirstImprovement(2), "local optimum"),
        (RandomImprovement(), "local optimum"),
        (BestImprovement(random_ties=True), "local optimum"),
        (LeastImprovement(), "local optimum"),
        (BestOfSample(5), "no improvement in the sample"),
    ],
    ids=repr,
)
def test_a_climb_says_whether_its_end_is_a_local_optimum(pivoting: Any, ending: str) -> None:
    result = run(HillClimbing(Swap(), pivoting), QAP_7, stop=stop.iterations(10**6), seed=4, parallel="numpy")
    assert result.stopped_by == ending
    if ending == "local optimum":
        moved = (Swap().move(QAP_7.representation, k).apply(result.solution) for k in range(21))
        assert min(QAP_7.cost(x) for x in moved) >= result.cost


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_the_least_improvement_that_is_not_too_small_is_made(dtype: str, compiling: Device) -> None:
    problem, climb = linear_ordering(dtype=dtype, n=12), HillClimbing(Swap(), LeastImprovement(), tolerance=0.01)
    evaluate, state, largest = NumpyEvaluator(problem), started(climb, problem), 0
    while not climb.done(state):
        x, cost = state.walk.current.solution, state.walk.current.cost
        deltas = [problem.cost(move.apply(x)) - cost for move in Swap().moves(problem.representation)]
        limit = -0.01 * abs(cost) if dtype == "float64" else 0
        least = max((delta for delta in deltas if delta < 0), default=0)
        largest += min(deltas) < limit <= least
        made = least if least < limit else min(deltas) if min(deltas) < limit else 0
        state = climb.step(state, evaluate)
        assert (state.walk.current.cost, climb.done(state)) == (cost + made, made == 0)
    assert bool(largest) == (dtype == "float64")
    check_search(climb, problem, devices=[compiling.name])


@pytest.mark.parametrize("rule", [FirstImprovement(), RandomImprovement()], ids=repr)
def test_neutral_moves_are_made_so_many_in_a_row(rule: Any) -> None:
    flat = QUBO(np.zeros((6, 6), int))
    result = run(HillClimbing(Hamming(), rule, neutral=5), flat, stop=stop.iterations(100), seed=1, parallel="numpy")
    assert (result.iterations, result.stopped_by) == (6, "local optimum")


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: First(Sampled(Swap(), 3)), "must have the same moves in every step"),
        (lambda: First(Swap(), Metropolis(5.0)), "draws no random numbers, but is Metropolis"),
        (lambda: First(Swap(), Always(), "backwards"), '`First.order` must be one of "cyclic", "random", but is'),
        (lambda: FirstImprovement(0), "`FirstImprovement.count` must be a whole number in 1"),
        (lambda: First(Swap), "`neighborhood` must be a Neighborhood"),  # type: ignore[arg-type]
        (lambda: HillClimbing(Swap(), "first"), "`HillClimbing.pivoting` must be of the type"),  # type: ignore[arg-type]
        (lambda: HillClimbing(Swap(), neutral=-1), "`HillClimbing.neutral` must be a whole number from 0 on"),
        (lambda: Plateau(0), "`Plateau.limit` must be a whole number from 1 on"),
    ],
)
def test_what_does_not_fit_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_a_neighborhood_without_moves_is_a_local_optimum() -> None:
    neighborhood: Neighborhood = Swap()
    state, _ = stepped(First(neighborhood), QAP.random(1, 1), started(First(neighborhood), QAP.random(1, 1)), 5)
    assert (state.walk.iteration, state.walk.evaluated, state.finished) == (1, 0, True)


def test_infeasible_moves_are_not_made(compiling: Device) -> None:
    search = First(Union(Restricted(TwoOpt(), NEAR), Swap()), order="random")
    assert search.neighborhood.partial
    check_search(search, TSP.random(8, 2), iterations=20, devices=[compiling.name])
