"""GRASP and variable neighborhood search, move for move, beside slow ones in plain Python written from the papers.

The oracles evaluate every solution in full, draw from Philox themselves, and count what they have met.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from metaheur import Search
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import Insertion, Swap
from metaheur.parts import Shaking
from metaheur.problems import QAP
from metaheur.random import Key, Random, philox4x32
from metaheur.searches import GRASP, HillClimbing, VariableNeighborhoodSearch
from tests.helpers import started

KEY = Key(7, 3)
QAP_7 = QAP.random(7, 5)
SPACE = QAP_7.representation
PERTURBATION, RESTART, ORDER = 5, 12, 14
"""The streams of random numbers."""

Step = tuple[np.ndarray, int]
"""A solution, and how many were evaluated on the way to it."""


def words(stream: int, draw: int, iteration: int) -> tuple[int, int, int, int]:
    return philox4x32((draw, stream, iteration, 0), (KEY.seed, KEY.walk))


def index(stream: int, draw: int, iteration: int, size: int) -> int:
    low, high, _, _ = words(stream, draw, iteration)
    return ((high << 32) + low) * size // 2**64


def descent(x: np.ndarray) -> Iterator[Step]:
    """The steps of a steepest descent by swaps, the last one of which finds nothing better."""
    while True:
        neighbors = [move.apply(x) for move in Swap().moves(SPACE)]
        costs = [QAP_7.cost(each) for each in neighbors]
        if min(costs) >= QAP_7.cost(x):
            yield x, len(costs)
            return
        x = neighbors[costs.index(min(costs))]
        yield x, len(costs)


def require_same_steps(search: Search[Any], x: np.ndarray, steps: Iterator[Step], most: int) -> None:
    """Solution, best cost, iteration and evaluated solutions after every step."""
    state, evaluate = started(search, QAP_7, key=KEY, x=x), NumpyEvaluator(QAP_7)
    best, evaluated = QAP_7.cost(x), int(state.walk.evaluated)
    for iteration in range(1, most + 1):
        x, tried = next(steps)
        best, evaluated = min(best, QAP_7.cost(x)), evaluated + tried
        state = search.step(state, evaluate)
        walk = state.walk
        assert walk.current.solution.tolist() == x.tolist()
        found = (walk.current.cost, walk.best.cost, walk.iteration, walk.evaluated)
        assert found == (QAP_7.cost(x), best, iteration, evaluated)
        assert not search.done(state)


# ---- variable neighborhood search ------------------------------------------------------------------------------------


def level_of(order: str, highest: int, failed: int, iteration: int) -> int:
    if order == "random":
        return 1 + (words(PERTURBATION, 2**32 - 1, iteration)[0] * highest >> 32)
    return highest - failed if order == "backward" else 1 + failed


def slow_vns(x: np.ndarray, order: str, seen: Counter[str], *, descends: bool) -> Iterator[Step]:
    """Mladenović and Hansen 1997: shake at a level, descend, move or not; the next level where nothing improved."""
    levels, highest = [Swap(), Insertion()], 3  # level 3 makes three insertions
    home, iteration, failed = x, 0, 0
    first = True
    while True:
        for step in descent(x) if descends else [(x, 0)]:
            iteration += 1
            x = step[0]
            yield step
        improved = QAP_7.cost(x) < QAP_7.cost(home)
        seen["improved" if improved else "returned" if x.tolist() == home.tolist() else "refused"] += not first
        home = x if improved or first else home
        failed, first = 0 if improved else (failed + 1) % highest, False
        iteration += 1
        level = level_of(order, highest, failed, iteration)
        neighborhood = levels[min(level, len(levels)) - 1]
        x = home
        for draw in range(level):
            k = index(PERTURBATION, draw, iteration, neighborhood.size(SPACE))
            x = neighborhood.move(SPACE, k).apply(x)
        seen[f"level {level}"] += 1
        yield x, level


@pytest.mark.parametrize("order", ["forward", "backward", "random"])
def test_a_walk_of_variable_neighborhood_search_is_that_of_a_slow_one(order: str) -> None:
    search = VariableNeighborhoodSearch(HillClimbing(Swap()), Shaking([Swap(), Insertion()], 3, order=order))
    seen, x = Counter[str](), np.array([5, 2, 0, 6, 1, 4, 3], SPACE.dtype)
    require_same_steps(search, x, slow_vns(x, order, seen, descends=True), 400)
    assert min(seen[f"level {level}"] for level in (1, 2, 3)) > 5
    assert min(seen[what] for what in ("improved", "refused", "returned")) > 0


def test_a_walk_of_reduced_variable_neighborhood_search_is_that_of_a_slow_one() -> None:
    search = VariableNeighborhoodSearch(None, Shaking([Swap(), Insertion()], 3))
    seen, x = Counter[str](), np.array([5, 2, 0, 6, 1, 4, 3], SPACE.dtype)
    require_same_steps(search, x, slow_vns(x, "forward", seen, descends=False), 400)
    assert min(seen[what] for what in ("improved", "refused", "level 1", "level 2", "level 3")) > 3


# ---- GRASP -----------------------------------------------------------------------------------------------------------


def constructed(alpha: Fraction, iteration: int, seen: Counter[str]) -> Step:
    """Feo and Resende 1995: item by item, one of a restricted list of candidates; the items stand in a random order."""
    x, evaluated = SPACE.random(Random(KEY, RESTART, iteration)), 1
    order = Random(KEY, ORDER, iteration).permutation(SPACE.length).tolist()
    for turn, item in enumerate(order):
        moves = [move for move in Insertion().moves(SPACE) if move.i == item]
        cost = QAP_7.cost(x)
        changes = [QAP_7.cost(move.apply(x)) - cost for move in moves]
        evaluated += len(moves)
        best = min(changes)
        seen["stays" if best >= 0 else "moves"] += 1
        if best >= 0:
            continue
        candidates = [k for k, change in enumerate(changes) if change <= best * (1 - alpha)]
        chosen = candidates[index(PERTURBATION, turn, iteration, len(candidates))]
        seen["not the best"] += changes[chosen] > best
        x = moves[chosen].apply(x)
    return x, evaluated


def slow_grasp(x: np.ndarray, alpha: Fraction, seen: Counter[str]) -> Iterator[Step]:
    iteration = 0
    while True:
        for step in descent(x):
            iteration += 1
            yield step
        iteration += 1
        x, evaluated = constructed(alpha, iteration, seen)
        yield x, evaluated


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 2), Fraction(1)], ids=str)
def test_a_walk_of_grasp_is_that_of_a_slow_one(alpha: Fraction) -> None:
    search = GRASP(HillClimbing(Swap()), Insertion(), float(alpha))
    seen, x = Counter[str](), np.array([5, 2, 0, 6, 1, 4, 3], SPACE.dtype)
    require_same_steps(search, x, slow_grasp(x, alpha, seen), 150)
    assert min(seen["stays"], seen["moves"]) > 10
    assert (seen["not the best"] > 5) == (alpha > 0)
