"""FrequencyMemory: what was used often looks worse, unless it improves."""

from collections import Counter

import numpy as np
import pytest

from metaheur import Key, Scan
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Hamming, Swap, TwoOpt
from metaheur.parts import EdgeMemory, FrequencyMemory, MoveMemory, NoMemory, PlacementMemory, SolutionMemory, Tenure
from metaheur.problems import QAP, QUBO, TSP
from metaheur.testing import check_search
from tests.helpers import started

QAP_6 = QAP.random(6, 1)


def test_the_chosen_move_has_the_lowest_change_of_cost_and_penalty() -> None:
    scan = Scan(Swap(), FrequencyMemory(PlacementMemory(Tenure(0, 0)), 40))
    state, evaluate = started(scan, QAP_6, key=Key(1)), NumpyEvaluator(QAP_6, Swap())
    uses, space, differs = Counter[tuple[int, int]](), QAP_6.representation, 0
    for _ in range(80):
        x = state.walk.current.solution
        moves = list(Swap().moves(space))
        deltas = [QAP_6.cost(move.apply(x)) - QAP_6.cost(x) for move in moves]
        gained = [[(int(p), int(v)) for p, v in move.placements(x)] for move in moves]
        scores = [d + (d >= 0) * 40 * sum(uses[g] for g in each) for d, each in zip(deltas, gained, strict=True)]
        k = scores.index(min(scores))
        differs += k != deltas.index(min(deltas))
        uses.update(gained[k])
        state = scan.step(state, evaluate)
        assert state.walk.current.solution.tolist() == moves[k].apply(x).tolist()
    assert differs > 5


def test_a_penalty_stays_below_two_to_the_30() -> None:
    memory = FrequencyMemory(MoveMemory(capacity=3), 2**29)
    kept = {"counts": np.array([0, 1, 900]), "memory": {}}
    penalties = memory.penalty(kept, np.arange(4), np.array([0, 1, 2]))
    assert penalties.tolist() == [0, 2**29, 2**30 - 1]


@pytest.mark.parametrize("memory", [NoMemory(), SolutionMemory(), 3])
def test_a_memory_without_attributes_is_refused(memory: object) -> None:
    with pytest.raises(InputError, match="FrequencyMemory counts the attributes of a memory, but"):
        FrequencyMemory(memory)  # type: ignore[arg-type]


CASES = {
    "flips": (Hamming(1), PlacementMemory(), QUBO(np.arange(64).reshape(8, 8) % 11 - 5)),
    "edges": (TwoOpt(), EdgeMemory(), TSP.random(9, 1)),
    "moves": (Swap(), MoveMemory(), QAP_6),
}


@pytest.mark.parametrize("name", CASES)
def test_both_halves_count_the_same(name: str, compiling: Device) -> None:
    neighborhood, memory, problem = CASES[name]
    check_search(Scan(neighborhood, FrequencyMemory(memory, 3)), problem, iterations=60, devices=[compiling.name])
