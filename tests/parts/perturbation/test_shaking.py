"""Shaking and adaptive strength: perturbations that remember how phases ended."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Walk
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops.loop import kept_of
from metaheur.neighborhoods import Insertion, Sampled, Swap
from metaheur.parts import AdaptiveMoves, BetterOrEqual, Perturbation, Shaking
from metaheur.problems import QAP
from metaheur.random import Random, Stream
from metaheur.searches import (
    IteratedLocalSearch,
    VariableNeighborhoodSearch,
)
from tests.helpers import KEY, evaluated, solution_of, started

QAP_8 = QAP.random(8, 5)
START = evaluated(QAP_8, solution_of(QAP_8))


def shaken(shaking: Perturbation, kept: Any, iteration: int) -> tuple[np.ndarray, int]:
    walk = Walk(KEY, START, START, iteration=iteration)
    found, tried = shaking.perturb(kept, walk, START, NumpyEvaluator(QAP_8))
    return found.solution, tried


def moved(neighborhood: Any, count: int, iteration: int) -> np.ndarray:
    """What so many random moves of a neighborhood lead to."""
    space, x = QAP_8.representation, START.solution
    random = Random(KEY, Stream.PERTURBATION, iteration + 1)
    for draw in range(count):
        x = neighborhood.move(space, random.index(draw, neighborhood.size(space))).apply(x)
    return x


LEVELS: dict[str, list[int]] = {"forward": [1, 2, 3, 1, 2, 1], "backward": [3, 2, 1, 3, 2, 3]}
DELTAS = (5, 0, 0, 3, -1)
"""What phases came to: the last one improved."""


@pytest.mark.parametrize("order", LEVELS)
def test_levels_follow_each_other_until_an_improvement(order: str) -> None:
    shaking = Shaking([Swap(), Insertion()], 3, order=order)
    kept = kept_of(shaking, START, KEY)
    for iteration, level in enumerate(LEVELS[order]):
        x, tried = shaken(shaking, kept, iteration)
        assert tried == level
        assert x.tolist() == moved(Swap() if level == 1 else Insertion(), level, iteration).tolist()
        if iteration < len(DELTAS):
            shaking.record(kept, DELTAS[iteration], accepted=False, returned=False)


def test_random_levels_are_all_drawn() -> None:
    shaking = Shaking(Swap(), 4, order="random")
    kept = kept_of(shaking, START, KEY)
    assert {shaken(shaking, kept, iteration)[1] for iteration in range(60)} == {1, 2, 3, 4}


def test_the_strength_grows_where_the_search_comes_back_and_falls_on_improvement() -> None:
    adaptive = AdaptiveMoves(Swap(), 2, 4)
    kept, counts = kept_of(adaptive, START, KEY), []
    phases = [(0, False), (0, True), (0, True), (0, True), (7, False), (-3, False)]
    for delta, returned in phases:
        adaptive.record(kept, delta, accepted=True, returned=returned)
        counts.append(shaken(adaptive, kept, 1)[1])
    assert counts == [2, 3, 4, 4, 4, 2]


def test_a_nest_says_when_the_search_came_back() -> None:
    search = IteratedLocalSearch(HillClimbing(Swap()), AdaptiveMoves(Swap(), 1, 5), BetterOrEqual())
    evaluate, state = NumpyEvaluator(QAP_8), started(search, QAP_8)
    before, count, seen = None, 1, set()
    for _ in range(200):
        optimum, resting = state.walk.current.solution, bool(state.kept["resting"])
        home_cost = state.kept["home_cost"].item()
        state = search.step(state, evaluate)
        if resting:
            returned = before is not None and optimum.tolist() == before.tolist()
            if returned:
                count = min(5, count + 1)
            elif QAP_8.cost(optimum) < home_cost:
                count = 1
            assert int(state.kept["perturbation"]["count"]) == count
            before = state.kept["home"].copy()
            seen.add(count)
    assert {1, 2, 3} <= seen


def test_a_list_of_neighborhoods_is_shaken_level_by_level() -> None:
    search = VariableNeighborhoodSearch(HillClimbing(Swap()), [Swap(), Insertion()])
    assert (search.shaking.neighborhoods, search.shaking.highest) == ((Swap(), Insertion()), 2)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: Shaking([]), "`neighborhoods` must hold one neighborhood or more, but is empty"),
        (lambda: Shaking(3), "`neighborhoods` must be a list of neighborhoods, but is 3"),
        (lambda: Shaking([Swap(), Sampled(Swap(), 2)]), "have the same moves in every step"),
        (lambda: Shaking(Swap(), 0), r"`Shaking.levels` must be a whole number in 1 \.\.\. 2147483647"),
        (lambda: Shaking(Swap(), order="up"), '"forward", "backward", "random", but is \'up\''),
        (lambda: AdaptiveMoves(Swap(), 3, 2), "`most` must not be less than `least`, but is 2, below 3"),
        (lambda: VariableNeighborhoodSearch(Swap(), [Swap()]), r"`search` must be a Search, but is Swap\(\)"),  # type: ignore[arg-type, unused-ignore]
    ],
)
def test_what_does_not_fit_is_named(make: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        make()
