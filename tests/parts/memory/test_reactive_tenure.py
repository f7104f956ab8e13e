"""ReactiveTenure: it grows where the walk repeats itself, shrinks where not, and escapes from chaos."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from attrs import define, field

from metaheur import Key, Random, TabuSearch
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parts import PlacementMemory, ReactiveTenure
from metaheur.problems import QAP, QUBO
from metaheur.testing import check_search
from tests.helpers import evaluated

N = 7
QAP_7 = QAP.random(N, 1)


@define
class SlowReaction:
    """Battiti and Tecchiolli's reaction with a dictionary of solutions."""

    rule: ReactiveTenure
    length: float = 1.0
    average: float = 0.0
    changed: int = 0
    often: int = 0
    left: int = 0
    visits: dict[tuple[int, ...], list[int]] = field(factory=dict)
    seen: Counter[str] = field(factory=Counter)

    def visit(self, x: np.ndarray, random: Random) -> None:
        now, key = random.iteration, tuple(x.tolist())
        if self.left:
            self.left -= 1
            return
        if key in self.visits:
            since, times = now - self.visits[key][0], self.visits[key][1] + 1
            self.visits[key] = [now, times]
            self.often += times > self.rule.repetitions
            if self.often > self.rule.chaos:
                self.often, self.visits = 0, {}
                self.left = 1 + random.integer(0, int(self.average) // 2, int(self.average))
                self.seen["escapes"] += 1
            if since < self.rule.cycle:
                self.average = 0.1 * since + 0.9 * self.average
                self.length = min(max(self.length * self.rule.increase, self.length + 1), float(N))
                self.changed = now
                self.seen["grows"] += 1
        else:
            self.visits[key] = [now, 1]
        if now - self.changed > self.average:
            self.length = max(min(self.length * self.rule.decrease, self.length - 1), 1.0)
            self.changed = now
            self.seen["shrinks"] += 1


def test_it_reacts_as_the_paper_has_it() -> None:
    rule = ReactiveTenure(repetitions=2, chaos=2, cycle=20)
    slow, draws = SlowReaction(rule), np.random.default_rng(2)
    solutions = [draws.permutation(N).astype(np.int32) for _ in range(30)]
    kept: Any = {name: np.array(value) for name, value in rule.init(evaluated(QAP_7, solutions[0])).items()}
    for iteration in range(1, 900):
        few = 30 if iteration // 100 % 2 else 6
        x, random = solutions[int(draws.integers(few))], Random(Key(1), 10, iteration)
        slow.visit(x, random)
        rule.visit(kept, x, random)
        assert (kept["length"], kept["average"]) == (slow.length, slow.average)
        assert rule.escapes(kept) == (slow.left > 0)
        assert rule.draw(kept, 0, N) == int(slow.length)
    assert min(slow.seen[what] for what in ("escapes", "grows", "shrinks")) > 3


def test_numbers_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match=r"ReactiveTenure.increase` must be a finite number above 1"):
        ReactiveTenure(increase=1.0)
    with pytest.raises(InputError, match=r"ReactiveTenure.decrease` must be a finite number above 0 and below 1"):
        ReactiveTenure(decrease=1.0)


def test_a_tenure_of_one_iteration_at_most_stays() -> None:
    rule, x = ReactiveTenure(repetitions=1, longest=0.1), np.arange(N, dtype=np.int32)
    kept: Any = {name: np.array(value) for name, value in rule.init(evaluated(QAP_7, x)).items()}
    for iteration in range(1, 9):
        rule.visit(kept, x, Random(Key(1), 10, iteration))
        assert kept["length"] == 1
    assert kept["visits"].max() > 1


@pytest.mark.parametrize("instance", ["swaps", "flips"])
def test_both_halves_react_the_same(instance: str, compiling: Device) -> None:
    tenure = ReactiveTenure(repetitions=1, chaos=1)
    if instance == "swaps":
        check_search(TabuSearch(Swap(), tenure), QAP_7, iterations=80, devices=[compiling.name])
    else:
        qubo = QUBO(np.arange(64).reshape(8, 8) % 11 - 5)
        search = TabuSearch(Hamming(1), memory=PlacementMemory(tenure), least_tabu=True)
        check_search(search, qubo, iterations=80, devices=[compiling.name])
