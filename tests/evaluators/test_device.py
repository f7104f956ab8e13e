"""DeviceEvaluator: solutions and moves cost what the Python halves say, chunk by chunk, in one move or in all."""

from typing import Any

import numpy as np
import pytest

from metaheur import Neighborhood, Problem
from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.evaluators.device import TRIALS, DeviceEvaluator, Launches
from metaheur.evaluators.offers import Offers
from metaheur.machine.pace import Alarm, StepCut
from metaheur.neighborhoods import Hamming, Insertion, Restricted, Swap, TwoOpt
from metaheur.problems import PPP, QAP, TSP, FlowShop
from metaheur.random import START, Key, Random
from tests.helpers import evaluated, solution_of
from tests.toys import linear_ordering

CASES: dict[str, tuple[Problem, Neighborhood]] = {
    "groups of two flips": (PPP.random(9, 14, 1), Hamming(2)),
    "groups of three flips": (PPP.random(9, 14, 1), Hamming(3)),
    "groups of insertions": (FlowShop(np.random.default_rng(1).integers(1, 99, (12, 4))), Insertion()),
    "moves one by one": (TSP.random(15, 1), TwoOpt()),
    "moves in full": (QAP.random(8, 1), Insertion()),
    "swaps": (QAP.random(9, 1), Swap()),
    "candidates": (TSP.random(15, 1), Restricted(TwoOpt(), TSP.random(15, 1).nearest(4))),
}


@pytest.mark.parametrize("chunk", [13, 40, 10_000])
@pytest.mark.parametrize("case", CASES)
def test_chunks_follow_each_other_and_are_the_neighborhood(compiling: Device, case: str, chunk: int) -> None:
    problem, neighborhood = CASES[case]
    start = evaluated(problem, solution_of(problem))
    on_device = DeviceEvaluator(problem, compiling, neighborhood, launches=Launches(chunk))
    expected = NumpyEvaluator(problem, neighborhood).deltas(start)
    end = 0
    for first, deltas in on_device.of(neighborhood).chunks(start):
        assert first == end
        assert 0 < len(deltas) <= chunk
        end = first + len(deltas)
        moves = feasible(neighborhood, expected[first:end])
        assert np.array_equal(deltas[moves], expected[first:end][moves])
        assert np.array_equal(feasible(neighborhood, deltas), moves)
    assert end == len(expected)
    assert on_device.best(start) == NumpyEvaluator(problem, neighborhood).best(start)


def feasible(neighborhood: Neighborhood, deltas: np.ndarray) -> np.ndarray:
    return deltas < np.iinfo(deltas.dtype).max if neighborhood.partial else np.ones(len(deltas), bool)


@pytest.mark.parametrize("case", CASES)
def test_along_a_walk_one_move_and_the_best_cost_what_the_reference_says(compiling: Device, case: str) -> None:
    problem, neighborhood = CASES[case]
    on_device, reference = DeviceEvaluator(problem, compiling, neighborhood), NumpyEvaluator(problem, neighborhood)
    current = evaluated(problem, solution_of(problem))
    for step in range(6):
        index, delta = reference.best(current)
        assert on_device.best(current) == (index, delta)
        for k in {0, index, reference.size - 1, (17 * step) % reference.size}:
            assert on_device.delta(current, k) == reference.delta(current, k)
        current = current.moved(neighborhood, index, delta)


@pytest.mark.parametrize("half", ["cost", "delta alone"])
@pytest.mark.parametrize("count", [1, 3, 1000])
def test_many_solutions_cost_what_the_python_half_says(compiling: Device, half: str, count: int) -> None:
    problem = linear_ordering(half)
    xs = np.stack([problem.representation.random(Random(Key(k), START, 0)) for k in range(count)])
    on_device = DeviceEvaluator(problem, compiling)
    found = on_device.costs(xs)
    on_device.costs(xs[::-1].copy())  # what was found stays
    assert found.tolist() == [problem.cost(x) for x in xs]
    assert on_device.cost(xs[0]) == problem.cost(xs[0])


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_threads_that_share_a_sum_find_what_one_thread_finds(dtype: str) -> None:
    weights = np.random.default_rng(3).random((900, 900))  # fractions, whose sum depends on the order
    make: Any = type(linear_ordering("cost", dtype))
    problem = make(weights if dtype == "float64" else (1000 * weights).astype(np.int64))
    alone, both = (DeviceEvaluator(problem, device_of("host"), threads=threads) for threads in (1, 2))
    x = problem.representation.random(Random(Key(1), START, 0))
    cost = alone.cost(x)
    assert {both.cost(x) for _ in range(2 * TRIALS)} == {cost}
    assert {threads: len(seconds) for threads, seconds in both._whole()._seconds.items()} == {1: TRIALS, 2: TRIALS}
    if dtype == "float64":
        backwards = -sum(problem.weights[np.ix_(x, x)][np.triu_indices(900, 1)][::-1].tolist())
        assert backwards != cost  # another order is seen


def test_evaluators_of_several_neighborhoods_stand_side_by_side(compiling: Device) -> None:
    problem, first, second = QAP.random(9, 1), Swap(), Insertion()
    on_device, reference = DeviceEvaluator(problem, compiling), NumpyEvaluator(problem)
    current = evaluated(problem, solution_of(problem))
    for turn in range(6):
        neighborhood = (first, second)[turn % 2]
        assert on_device.of(neighborhood) is on_device.of(neighborhood)
        index, delta = reference.of(neighborhood).best(current)
        assert on_device.of(neighborhood).best(current) == (index, delta)
        current = current.moved(neighborhood, index, delta)


def test_without_a_neighborhood_of_the_search_one_must_be_named(compiling: Device) -> None:
    on_device = DeviceEvaluator(QAP.random(9, 1), compiling)
    with pytest.raises(InputError, match=r"The `neighborhood` of the search is None(.|\n)*Maybe ask evaluate\.of"):
        _ = on_device.size


def test_a_group_larger_than_a_chunk_is_refused(compiling: Device) -> None:
    problem: Any = PPP.random(9, 14, 1)
    on_device = DeviceEvaluator(problem, compiling, Hamming(2), launches=Launches(5))
    with pytest.raises(InputError, match=r"A group of Hamming\(radius=2\) has more than 5 moves, too many"):
        on_device.deltas(evaluated(problem, solution_of(problem)))


def test_a_long_evaluation_is_cut_when_the_alarm_rings(compiling: Device) -> None:
    asked: list[int] = []

    def interrupted() -> bool:
        asked.append(1)
        return len(asked) > 2

    problem = QAP.random(9, 1)
    on_device = DeviceEvaluator(problem, compiling, Swap(), alarm=Alarm(interrupted=interrupted), launches=Launches(10))
    with pytest.raises(StepCut):
        on_device.deltas(evaluated(problem, solution_of(problem)))
    assert len(asked) == 3


def test_a_unit_says_what_it_offers(compiling: Device) -> None:
    problem = QAP.random(5, 1)
    swaps, insertions = (DeviceEvaluator(problem, compiling).of(each).offers for each in (Swap(), Insertion()))
    assert swaps == Offers.COST | Offers.DELTA | Offers.UPDATE | Offers.AROUND
    assert insertions == Offers.COST
