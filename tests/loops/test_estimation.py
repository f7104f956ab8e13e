"""Estimation of distribution against a model of fractions and lists, and runs that it must end."""

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np
import pytest

from metaheur import Random, run, stop
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Estimation, Nest
from metaheur.neighborhoods import Swap
from metaheur.parallel import Islands, Multistart
from metaheur.parts import Always, UnivariateModel
from metaheur.problems import QAP, OneMax
from metaheur.searches import PBIL, UMDA, HillClimbing
from metaheur.testing import check_search
from tests.helpers import started

BITS, ITEMS = OneMax(9), QAP.random(7, 3)
ONE = 2**30


def chosen_bits(weights: list[list[int]], random: Random) -> list[int]:
    numbers = [random.words(k // 4)[k % 4] * (a + b) >> 32 for k, (a, b) in enumerate(weights)]
    return [int(number >= a) for number, (a, _) in zip(numbers, weights, strict=True)]


def chosen_items(weights: list[list[int]], random: Random) -> list[int]:
    n, found = len(weights), dict[int, int]()
    for k, position in enumerate(random.permutation(n).tolist()):
        left = [item for item in range(n) if item not in found.values()]
        ends = [*accumulate(weights[position][item] for item in left)]
        at = random.index(n + k, ends[-1])
        found[position] = next(item for item, end in zip(left, ends, strict=True) if at < end)
    return [found[k] for k in range(n)]


def selected(drawn: list[tuple[int, list[int]]], count: int) -> list[list[int]]:
    """The first ones, of which the first one with the highest cost gives way to each later one that costs less."""
    best = drawn[:count]
    for each in drawn[count:]:
        worst = max(range(count), key=lambda s: best[s][0])
        best[worst] = min(best[worst], each, key=lambda pair: pair[0])
    return [x for _, x in best]


@pytest.mark.parametrize(("problem", "choose", "values"), [(BITS, chosen_bits, 2), (ITEMS, chosen_items, 7)])
@pytest.mark.parametrize("rate", [Fraction(1), Fraction(1, 4)])
def test_its_solutions_are_those_of_a_slow_model(
    problem: Any, choose: Callable[..., list[int]], values: int, rate: Fraction
) -> None:
    n, generations = problem.representation.length, 0
    search = Estimation(UnivariateModel(6, 3, rate))
    state, evaluate = started(search, problem), NumpyEvaluator(problem)
    weights, drawn = [[ONE // values] * values for _ in range(n)], []
    for iteration in range(1, 50):
        drawn.append(state.walk.current.solution.tolist())
        if len(drawn) == 6:
            best = selected([(problem.cost(np.array(x)), x) for x in drawn], 3)
            for i, row in enumerate(weights):
                shares = [ONE * sum(x[i] == v for x in best) // 3 for v in range(values)]
                moved = [int(w * (1 - rate) + share * rate) for w, share in zip(row, shares, strict=True)]
                row[:] = [min(max(w, ONE // (n * (values - 1))), ONE - ONE // n) for w in moved]
            drawn, generations = [], generations + 1
        state = search.step(state, evaluate)
        assert state.kept["model"]["weights"].tolist() == weights
        assert state.walk.current.solution.tolist() == choose(weights, Random(state.walk.key, 12, iteration))
    assert generations == 8


@pytest.mark.parametrize("search", [UMDA(60), PBIL(30, 0.2)], ids=["UMDA", "PBIL"])
def test_onemax_is_solved(search: Any) -> None:
    found = run(search, OneMax(40), stop=stop.target(40) | stop.iterations(5_000), seed=1, parallel="numpy")
    assert found.cost == 40


def test_a_solution_of_one_bit_and_one_item_have_models() -> None:
    for problem in (OneMax(1), QAP.random(1, 1)):
        check_search(UMDA(2), problem, iterations=9, devices=[])


def test_a_nest_improves_the_solutions_of_a_model() -> None:
    memetic = Nest(HillClimbing(Swap()), UnivariateModel(4, 2), Always())
    check_search(memetic, ITEMS, iterations=40, devices=["host"])


def test_islands_are_the_same_under_every_model() -> None:
    search: Any = PBIL(5, 0.5)
    items = QAP.random(12, 1)
    apart, together, resident = (
        run(search, items, stop=stop.iterations(60), seed=1, parallel=model).walks.costs.tolist()
        for model in (
            Multistart(4, device="numpy"),
            Islands(Multistart(4, device="numpy"), 20),
            Islands(Multistart(4, device="host"), 20),
        )
    )
    assert together == resident != apart


def test_wrong_models_are_refused() -> None:
    with pytest.raises(InputError, match=r"generation of 4 solutions cannot have 5 .*\nMaybe use selected=2"):
        UMDA(4, selected=5)
    for wrong in (0, 2):
        with pytest.raises(InputError, match=r"UnivariateModel\.rate.*above 0"):
            PBIL(rate=wrong)
    with pytest.raises(InputError, match=r"Estimation\.model"):
        Estimation(HillClimbing(Swap()))  # type: ignore[arg-type]
