"""DeviceEvaluator: pieces of a neighborhood are the neighborhood."""

from typing import Any

import numpy as np
import pytest

from metaheur import Incumbent, Key, Neighborhood, Problem, Random
from metaheur.device import evaluator
from metaheur.device.device import Device
from metaheur.device.evaluator import DeviceEvaluator
from metaheur.errors import InputError
from metaheur.evaluator import NumpyEvaluator
from metaheur.neighborhoods import Hamming, Insertion, Swap, TwoOpt
from metaheur.problems import PPP, QAP, TSP, FlowShop

CASES: dict[str, tuple[Problem, Neighborhood]] = {
    "groups of two flips": (PPP.random(9, 14, 1), Hamming(2)),
    "groups of three flips": (PPP.random(9, 14, 1), Hamming(3)),
    "groups of insertions": (FlowShop(np.random.default_rng(1).integers(1, 99, (12, 4))), Insertion()),
    "moves one by one": (TSP.random(15, 1), TwoOpt()),
    "moves in full": (QAP.random(8, 1), Insertion()),
    "swaps": (QAP.random(9, 1), Swap()),
}


def start_of(problem: Problem, seed: int = 1) -> Incumbent:
    x = problem.representation.random(Random(Key(seed), 0, 0))
    return Incumbent(problem.representation, x, problem.cost(x))


@pytest.mark.parametrize("piece", [13, 40, 10_000])
@pytest.mark.parametrize("case", CASES)
def test_pieces_follow_each_other_and_are_the_neighborhood(
    monkeypatch: pytest.MonkeyPatch, compiling: Device, case: str, piece: int
) -> None:
    monkeypatch.setattr(evaluator, "PIECE", piece)
    problem, neighborhood = CASES[case]
    on_device, start = DeviceEvaluator(problem, neighborhood, compiling), start_of(problem)
    expected = NumpyEvaluator(problem, neighborhood).deltas(start)
    end = 0
    for first, deltas in on_device.pieces(start):
        assert first == end
        assert 0 < len(deltas) <= piece
        assert np.array_equal(deltas, expected[first : first + len(deltas)])
        end = first + len(deltas)
    assert end == len(expected)
    assert np.array_equal(on_device.deltas(start), expected)
    assert on_device.best(start) == (int(np.argmin(expected)), expected.min())


@pytest.mark.parametrize("case", CASES)
def test_the_best_move_is_that_of_the_reference_along_a_walk(compiling: Device, case: str) -> None:
    problem, neighborhood = CASES[case]
    on_device, reference = DeviceEvaluator(problem, neighborhood, compiling), NumpyEvaluator(problem, neighborhood)
    current = start_of(problem)
    for _ in range(6):
        index, delta = reference.best(current)
        assert on_device.best(current) == (index, delta)
        current = current.moved(index, neighborhood.move(problem.representation, index), delta)


def test_a_group_larger_than_a_piece_is_refused(monkeypatch: pytest.MonkeyPatch, compiling: Device) -> None:
    monkeypatch.setattr(evaluator, "PIECE", 5)
    problem: Any = PPP.random(9, 14, 1)
    with pytest.raises(InputError, match="has more than 5 moves, too many"):
        DeviceEvaluator(problem, Hamming(2), compiling).deltas(start_of(problem))


def test_a_unit_says_what_it_offers(compiling: Device) -> None:
    assert DeviceEvaluator(QAP.random(5, 1), Swap(), compiling).offers == ("cost", "delta", "update")
    assert DeviceEvaluator(QAP.random(5, 1), Insertion(), compiling).offers == ("cost",)


def test_a_rehearsal_changes_no_answer(compiling: Device) -> None:
    problem, neighborhood = CASES["swaps"]
    on_device, start = DeviceEvaluator(problem, neighborhood, compiling), start_of(problem)
    expected = on_device.deltas(start).copy()
    on_device.rehearse(start, 3)
    assert np.array_equal(on_device.deltas(start), expected)
