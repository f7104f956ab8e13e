"""Breakout local search descends, and leaves each local optimum as its rules say."""

from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from metaheur import BreakoutLocalSearch, Key
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Sampled, Swap
from metaheur.parts import BreakoutRules, Tenure
from metaheur.problems import QAP
from metaheur.random import Random
from metaheur.testing import check_part
from tests.helpers import started

KEY = Key(5, 1)
QAP_7 = QAP.random(7, 2)
RULES = BreakoutRules(patience=4, directed=0.3, oldest=0.5, least=2)


def test_the_walk_is_that_of_a_slow_breakout_local_search() -> None:
    search, n = BreakoutLocalSearch(Swap(), rules=RULES), 7
    state: Any = started(search, QAP_7, key=KEY)
    evaluate = NumpyEvaluator(QAP_7)
    moves, x = list(Swap().moves(QAP_7.representation)), state.walk.current.solution
    made, seen = [0] * len(moves), Counter[str]()
    optimum = record = best = QAP_7.cost(x)
    strength = failures = left = descents = kind = 0
    for iteration in range(1, 400):
        cost = QAP_7.cost(x)
        deltas = [QAP_7.cost(move.apply(x)) - cost for move in moves]
        draws = Random(KEY, 5, iteration)
        k = deltas.index(min(deltas))
        if left == 0 and min(deltas) >= 0:
            again = descents > 0 and cost == optimum
            failures = 0 if cost < record else failures + 1
            record, optimum, descents = min(record, cost), cost, descents + 1
            strength = strength + 1 if again else 2
            seen["again"] += again
            if failures > 4:
                failures, strength = 0, RULES.jump.draw(draws.bits(2), n)
                seen["jumps"] += 1
            kind = int(RULES.kind(failures, draws.bits(0), draws.bits(1)))
            left = strength
        if left:
            left -= 1
            tenure = Tenure(0.7, 0.9).draw(Random(KEY, 1, iteration).bits(0), n)
            free = [
                j
                for j, d in enumerate(deltas)
                if (made[j] == 0 or made[j] + tenure < iteration or cost + d < best) and cost + d != optimum
            ]
            if kind == 1:
                k = made.index(min(made))
            elif kind == 0 and free:
                k = min(free, key=lambda j: deltas[j])
            else:
                k = draws.index(3, len(moves))
            seen[f"kind {kind}"] += 1
        made[k], x = iteration, moves[k].apply(x)
        best = min(best, QAP_7.cost(x))
        state = search.step(state, evaluate)
        assert state.walk.current.solution.tolist() == x.tolist()
        assert (state.walk.best.cost, state.walk.iteration) == (best, iteration)
    assert state.kept["made"].tolist() == made
    assert min(seen[what] for what in ("again", "jumps", "kind 0", "kind 1", "kind 2")) > 3


def test_the_chances_are_those_of_the_exponential() -> None:
    chances = BreakoutRules().tables(QAP_7.representation)["chances"]
    expected = [max(Decimal("0.75"), (Decimal(-w) / 2500).exp()) * 2**32 for w in range(2501)]
    assert chances.shape == (2501,)
    assert all(abs(int(chance) - wanted) < 1 for chance, wanted in zip(chances, expected, strict=True))


def test_both_halves_draw_the_same_kinds(compiling: Device) -> None:
    draws = np.random.default_rng(1).integers(0, 2**32, (2, 400)).astype(np.uint32)
    failures = np.arange(400) % 5
    check_part(RULES, "kind", failures, *draws, result=np.dtype(np.int64), devices=[compiling.name])
    assert set(np.asarray(RULES.kind(failures, *draws.astype(np.int64))).tolist()) == {0, 1, 2}


def test_a_sample_is_refused() -> None:
    with pytest.raises(InputError, match="must have the same moves in every step, but is Sampled") as caught:
        BreakoutLocalSearch(Sampled(Swap(), 9))
    assert caught.value.maybe == "pass the neighborhood itself, such as Swap()."
