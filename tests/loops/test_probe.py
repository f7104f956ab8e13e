"""Probe: it examines moves in turn, as long as its rule says, and makes the best that is admitted."""

from itertools import product

import numpy as np
import pytest

from metaheur import Key, TabuSearch
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Probe
from metaheur.neighborhoods import Restricted, Sampled, Swap, TwoOpt
from metaheur.parts import (
    AspirationPlus,
    EdgeMemory,
    FrequencyMemory,
    NoAspiration,
    PlacementMemory,
    ReactiveTenure,
    Tenure,
)
from metaheur.problems import QAP, TSP
from metaheur.testing import check_part, check_search
from tests.helpers import started

QAP_7 = QAP.random(7, 1)
RULES = (AspirationPlus(), AspirationPlus(-50, plus=3, least=5, most=12), AspirationPlus(plus=2, least=30))


def examined(rule: AspirationPlus, first: int, size: int) -> int:
    """By the definition: up to the first good move and some more, and within the ends."""
    most = min(size, rule.most or size)
    return most if first < 0 else max(min(rule.least, most), min(most, first + 1 + rule.plus))


@pytest.mark.parametrize("rule", RULES)
def test_it_makes_the_best_of_the_moves_that_the_rule_has_examined(rule: AspirationPlus) -> None:
    memory = PlacementMemory(Tenure(1, 2))
    probe = Probe(Swap(), memory, NoAspiration(), rule)
    state, evaluate = started(probe, QAP_7, key=Key(2)), NumpyEvaluator(QAP_7, Swap())
    moves, cursor, seen = list(Swap().moves(QAP_7.representation)), 0, set()
    for iteration in range(1, 120):
        x, kept = state.walk.current.solution, state.kept["memory"]
        turn = [moves[(cursor + place) % len(moves)] for place in range(len(moves))]
        free = [bool(memory.expiry(kept, x, move) < iteration) for move in turn]
        deltas = [QAP_7.cost(move.apply(x)) - QAP_7.cost(x) for move in turn]
        good = [place for place in range(len(turn)) if free[place] and deltas[place] < rule.threshold]
        end = examined(rule, good[0] if good else -1, len(turn))
        admitted = [place for place in range(end) if free[place]]
        before = state.walk
        state = probe.step(state, evaluate)
        assert state.walk.evaluated == before.evaluated + end
        chosen = min(admitted, key=lambda place: deltas[place], default=None)
        expected = x if chosen is None else turn[chosen].apply(x)
        assert state.walk.current.solution.tolist() == expected.tolist()
        cursor = (cursor + end) % len(turn)
        seen.add(end)
    assert len(seen) > (rule.least < len(moves))


def test_both_halves_of_the_rule_say_the_same(compiling: Device) -> None:
    cases = np.array([(first, size) for first, size in product(range(-1, 25), range(1, 30)) if first < size])
    for rule in RULES:
        check_part(rule, "end", cases[:, 0], cases[:, 1], devices=[compiling.name])


def test_both_halves_make_the_same_moves(compiling: Device) -> None:
    tsp = TSP.random(9, 1)
    memory = EdgeMemory(ReactiveTenure(repetitions=1, chaos=1))
    search = TabuSearch(Restricted(TwoOpt(), tsp.nearest(4)), memory=memory, examine=AspirationPlus())
    check_search(search, tsp, iterations=80, devices=[compiling.name])


def test_what_cannot_be_examined_in_turn_is_refused() -> None:
    with pytest.raises(InputError, match="must have the same moves in every step, but is Sampled"):
        Probe(Sampled(Swap(), 5))
    with pytest.raises(InputError, match="Probe compares moves by their changes of cost, but FrequencyMemory"):
        Probe(Swap(), FrequencyMemory(PlacementMemory()))
    with pytest.raises(InputError, match="at least 9 moves, but at most 3"):
        AspirationPlus(least=9, most=3)
