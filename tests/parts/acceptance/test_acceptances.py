"""Acceptances that remember costs: what they say against the definitions, and the same walk on every device."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import Trial
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.loops.loop import kept_of
from metaheur.neighborhoods import Swap
from metaheur.parts import (
    Acceptance,
    AdaptedWeights,
    ByChance,
    ByLevel,
    Cooling,
    DiversifiedLateAcceptance,
    DynamicSpan,
    GreatDeluge,
    LateAcceptance,
    Linear,
    LundyMees,
    Metropolis,
    MovingAverage,
    NonLinearGreatDeluge,
    RecordToRecord,
    StepCounting,
    Threshold,
)
from metaheur.problems import QAP
from metaheur.random import Key
from metaheur.representation import Permutation
from metaheur.testing import check_part, check_search
from metaheur.walk import EvaluatedSolution

START = 100
FOUND = np.random.default_rng(3).integers(-9, 10, 3000)


def answers(acceptance: Acceptance, start: Any = START) -> tuple[list[bool], list[int]]:
    """What is said to 3000 changes of cost, and the cost after each."""
    space = Permutation(2)
    kept = kept_of(acceptance, EvaluatedSolution(space, np.arange(2), start), Key(0))
    cost = best = start
    answered, costs = [], []
    for delta in FOUND.tolist():
        yes = bool(acceptance.accepts(kept, delta, cost, best, 2**31))
        cost += delta if yes else 0
        best = min(best, cost)
        acceptance.record(kept, yes, cost, best)
        answered.append(yes)
        costs.append(cost)
    return answered, costs


Rule = Callable[[], Iterator[Callable[[int, int, int], bool]]]


def told(rule: Callable[[list[int], int, int], bool]) -> list[bool]:
    """What a definition says; it is told all costs so far, the new one, and the best one."""
    costs, best, answered = [START], START, []
    for delta in FOUND.tolist():
        new = costs[-1] + delta
        answered.append(rule(costs, new, best))
        costs.append(new if answered[-1] else costs[-1])
        best = min(best, costs[-1])
    return answered


def late(length: int, *, greedy: bool, better: bool) -> Callable[[list[int], int, int], bool]:
    history = [START] * length

    def rule(costs: list[int], new: int, best: int) -> bool:
        place = (len(costs) - 1) % length
        yes = new <= history[place] or (greedy and new <= costs[-1])
        cost = new if yes else costs[-1]
        if not better or cost < history[place]:
            history[place] = cost
        return yes

    return rule


def diversified(length: int) -> Callable[[list[int], int, int], bool]:
    history = [START] * length

    def rule(costs: list[int], new: int, best: int) -> bool:
        place, before = (len(costs) - 1) % length, costs[-1]
        yes = new == before or new < max(history)
        cost = new if yes else before
        if cost > history[place] or (cost < history[place] and cost < before):
            history[place] = cost
        return yes

    return rule


def counting(limit: int, counts: str) -> Callable[[list[int], int, int], bool]:
    state = {"bound": START, "steps": 0}

    def rule(costs: list[int], new: int, best: int) -> bool:
        before = costs[-1]
        yes = new < state["bound"] or new <= before
        fell, same = yes and new < before, yes and new == before
        happened = {"trials": True, "accepted": yes, "not worse": fell or same, "improving": fell}
        state["steps"] += happened[counts]
        if state["steps"] == limit:
            state.update(bound=new if yes else before, steps=0)
        return yes

    return rule


def by_level(change: int) -> bool:
    level = (change + 3) // 7
    return level <= 1 if level else change <= 2


def adapted(window: int, most: int) -> Callable[[list[int], int, int], bool]:
    state = {"weight": 3, "feasible": 0, "trials": 0}

    def weighed(number: int) -> int:
        level = (number + most // 2) // most
        return number - level * most + level * state["weight"]

    def rule(costs: list[int], new: int, best: int) -> bool:
        before = costs[-1]
        yes = weighed(new - before) <= 4
        state["trials"] += 1
        state["feasible"] += ((new if yes else before) + most // 2) // most == 0
        if state["trials"] == window:
            weight, share = state["weight"], state["feasible"] / window
            if share < 0.4:
                weight = min(most, max(weight + 1, weight * 6 // 5))
            elif share > 0.6:
                weight = max(1, min(weight - 1, weight * 5 // 6))
            state.update(weight=weight, trials=0, feasible=0)
        return yes

    return rule


RULES: dict[Acceptance, Callable[[list[int], int, int], bool]] = {
    Threshold(Cooling(5.0, Linear(0.00153))): lambda costs, new, _: new - costs[-1] <= 5.00153 - 0.00153 * len(costs),
    RecordToRecord(7): lambda costs, new, best: new <= best + 7,
    GreatDeluge(0.25, 10): lambda costs, new, best: new <= costs[-1] or new <= START + 10 - 0.25 * (len(costs) - 1),
    LateAcceptance(7): late(7, greedy=True, better=True),
    LateAcceptance(1, greedy=False): late(1, greedy=False, better=True),
    LateAcceptance(20, greedy=False, better_history=False): late(20, greedy=False, better=False),
    DiversifiedLateAcceptance(6): diversified(6),
    StepCounting(9): counting(9, "trials"),
    StepCounting(4, "accepted"): counting(4, "accepted"),
    StepCounting(4, "not worse"): counting(4, "not worse"),
    StepCounting(3, "improving"): counting(3, "improving"),
    MovingAverage(4): lambda costs, new, best: new <= sum(([START] * 4 + costs[1:])[-4:]) / 4 + 1e-9,
    ByLevel(Threshold(1), Threshold(2), 7): lambda costs, new, _: by_level(new - costs[-1]),
    AdaptedWeights(Threshold(4), 5, start=3, weight=7): adapted(window=5, most=7),
    ByChance(0.500001): lambda costs, new, best: True,
    ByChance(0.5): lambda costs, new, best: new <= costs[-1],
}


@pytest.mark.parametrize("acceptance", RULES, ids=repr)
def test_it_accepts_what_its_definition_says(acceptance: Acceptance) -> None:
    answered, _ = answers(acceptance)
    assert answered == told(RULES[acceptance])
    assert True in answered


def test_a_non_linear_level_falls_by_a_share_and_rises_where_it_meets_the_cost() -> None:
    deluge = NonLinearGreatDeluge(0.01, floor=50, rise=3, gap=2)
    level, cost, rises = 100.0, START, 0
    answered = []
    for delta in FOUND.tolist():
        yes = delta <= 0 or cost + delta <= level
        cost += delta if yes else 0
        level = 50 + (level - 50) * 0.99
        if level - cost < 2:
            level, rises = level + 3, rises + 1
        answered.append(yes)
    assert answers(deluge)[0] == answered
    assert 0 < rises < len(answered)
    assert [bool(deluge.accepts({"level": np.array(100.5)}, delta, 100, 90, 0)) for delta in (-1, 0, 1)] == [
        True,
        True,
        False,
    ]


WALKED: list[Acceptance] = [
    Metropolis(Cooling(3000.0, LundyMees(1e-4), reheats=1)),
    Threshold(Cooling(2000.0, DynamicSpan(0.7, 30, 5, 50))),
    RecordToRecord(1500),
    GreatDeluge(2.5, 500),
    NonLinearGreatDeluge(0.001, 1000, 20),
    LateAcceptance(30),
    DiversifiedLateAcceptance(6),
    StepCounting(20, "improving"),
    MovingAverage(10),
    ByChance(0.05),
    ByLevel.of([Threshold(Cooling(20.0, DynamicSpan(0.7, 30, 5, 50))), Metropolis(30.0)]),
    AdaptedWeights(Metropolis(300.0), 9),
]


@pytest.mark.parametrize("acceptance", WALKED, ids=lambda acceptance: type(acceptance).__name__)
def test_walks_are_the_same_on_every_device(acceptance: Acceptance, compiling: Device) -> None:
    if isinstance(acceptance, ByLevel | AdaptedWeights):
        acceptance = evolve(acceptance, weight=101)
    check_search(Trial(Swap(), acceptance), QAP.random(8, 1), iterations=150, devices=[compiling.name])


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: LateAcceptance(0), "`LateAcceptance.length` must be a whole number in 1"),
        (lambda: StepCounting(0), "`StepCounting.limit` must be a whole number from 1 on"),
        (lambda: StepCounting(5, "moves"), '"not worse", "improving", but is \'moves\''),
        (lambda: GreatDeluge(-1), "`GreatDeluge.rain` must be a finite number from 0 on"),
        (lambda: NonLinearGreatDeluge(1), "`NonLinearGreatDeluge.decay` must be a finite number from 0 on and below 1"),
        (lambda: ByChance(1.5), "`ByChance.probability` must be a finite number"),
        (lambda: Threshold(-3), "`Cooling.first` must be a finite number above 0"),
    ],
)
def test_numbers_out_of_range_are_refused(made: Callable[[], Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()


def test_both_halves_count_steps_up_to_the_same_bound(compiling: Device) -> None:
    deltas = np.arange(-3, 9)
    kept = {"bound": np.array(105), "present": np.array(100), "steps": np.array(0)}
    arguments = (deltas, np.int64(100), np.int64(90), np.uint32(0))
    check_part(StepCounting(20), "accepts", *arguments, kept=kept, devices=[compiling.name])
