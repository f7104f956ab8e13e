"""Phases of tabu search, and what leads from one to the next: D2TS and MST2."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Random
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import FlipPhases, Scan
from metaheur.loops.flip_phases import _Flips
from metaheur.neighborhoods import Hamming
from metaheur.parts import EliteFlips, Limit, SubsetAscent, Tenure
from metaheur.parts.perturbation.phase_perturbation import Phase
from metaheur.problems import QUBO, MaxCut
from metaheur.searches import DiversificationDrivenTabuSearch, MultistartTabuSearch
from metaheur.testing import check_search
from tests.helpers import evaluated, started

N = 12
MATRIX = np.random.default_rng(1).integers(-50, 50, (N, N))
PROBLEM = QUBO(MATRIX)


def flips_from(x: np.ndarray) -> _Flips:
    return _Flips(NumpyEvaluator(PROBLEM).of(Hamming(1)), evaluated(PROBLEM, x))


def test_the_elite_has_the_best_solutions_each_once() -> None:
    rule, draws = EliteFlips(3), np.random.default_rng(4)
    kept: Any = {name: np.array(value) for name, value in rule.init(evaluated(PROBLEM, np.zeros(N))).items()}
    found: dict[tuple[int, ...], int] = {}
    for iteration in range(1, 25):
        x = draws.integers(0, 2, N).astype(np.uint8) if iteration % 4 else np.array(next(iter(found)), np.uint8)
        cost = int(PROBLEM.cost(x))
        known = tuple(x.tolist()) in found
        if not known and (len(found) < 3 or cost < max(found.values())):
            if len(found) == 3:
                del found[max(found, key=lambda each: found[each])]
            found[tuple(x.tolist())] = cost
        rule.perturb(kept, Phase(x, cost, np.arange(N)), flips_from(x), Random(Key(1), 5, iteration))
        filled = int(kept["filled"])
        assert {tuple(each) for each in kept["elite"][:filled].tolist()} == set(found)
        assert sorted(kept["costs"][:filled].tolist()) == sorted(found.values())


def test_a_quarter_of_an_elite_solution_is_flipped_and_rare_flips_come_first() -> None:
    rule, x = EliteFlips(), np.random.default_rng(4).integers(0, 2, N).astype(np.uint8)
    counts, often = np.arange(N) * 100, np.zeros(N, int)
    for iteration in range(1, 200):
        kept: Any = {name: np.array(value) for name, value in rule.init(evaluated(PROBLEM, x)).items()}
        flips = flips_from(x)
        rule.perturb(kept, Phase(x, int(PROBLEM.cost(x)), counts), flips, Random(Key(1), 5, iteration))
        assert (flips.solution != x).sum() == N // 4 == flips.made
        assert flips.current.cost == PROBLEM.cost(flips.solution)
        often += flips.solution != x
    assert often[0] > often[N // 2] > often[N - 1]


def palubeckis(x: np.ndarray, chosen: list[int]) -> np.ndarray:
    """STEEPEST_ASCENT with the h of the paper, on the coefficients, for maximisation."""
    c = -(MATRIX + MATRIX.T)
    sign = np.where(x[:, None] == x, 1, -1)
    gain = -np.array(
        [PROBLEM.cost(Hamming(1).move(PROBLEM.representation, k).apply(x)) - PROBLEM.cost(x) for k in range(N)]
    )
    pair = c * sign
    h1 = {i: int(gain[i]) for i in chosen}
    h2 = {i: int(sum(pair[i, j] for j in chosen if j != i)) for i in chosen}
    moved, left = x.copy(), set(chosen)
    while left:
        options = []
        for i in sorted(left):
            q1, q2 = 2 * h1[i] + h2[i], h1[i]
            flip = q1 >= 0
            options.append((q1 if flip else -q1, q2 if flip else -q2, -i, flip))
        _, _, minus, flip = max(options)
        j = -minus
        left.remove(j)
        if flip:
            moved[j] ^= 1
        for i in left:
            h2[i] -= int(pair[i, j])
            h1[i] += int(pair[i, j]) * flip
    return moved


def test_a_subset_is_decided_as_the_paper_has_it() -> None:
    rule, draws, kinds = SubsetAscent(1.0), np.random.default_rng(4), set()
    for iteration in range(1, 30):
        x = draws.integers(0, 2, N).astype(np.uint8)
        flips = flips_from(x)
        rule.perturb({}, Phase(x, 0, np.zeros(N)), flips, Random(Key(1), 5, iteration))
        assert flips.solution.tolist() == palubeckis(x, list(range(N))).tolist()
        kinds |= set((flips.solution != x).tolist())
    assert kinds == {False, True}


def test_a_phase_ends_without_a_better_solution() -> None:
    search = DiversificationDrivenTabuSearch(stagnation=2)
    state, evaluate = started(search, PROBLEM, key=Key(3)), NumpyEvaluator(PROBLEM)
    best, since, restarts = state.walk.best.cost, 0, 0
    for _ in range(200):
        if state.kept["resting"]:
            assert since >= 2 * N
            state = search.step(state, evaluate)
            best, since, restarts = state.walk.current.cost, 0, restarts + 1
            continue
        assert since < 2 * N
        state = search.step(state, evaluate)
        since = 0 if state.walk.current.cost < best else since + 1
        best = min(best, state.walk.current.cost)
    assert restarts > 2


def test_a_new_best_solution_is_made_at_once_and_descended_from() -> None:
    search = MultistartTabuSearch(Tenure.fixed(3), iterations=30)
    state: Any = started(search, PROBLEM, key=Key(3))
    evaluate, expiry, cursor, descending, seen = NumpyEvaluator(PROBLEM), [0] * N, 0, False, Counter[str]()
    for iteration in range(1, 500):
        resting, x, best = bool(state.kept["resting"]), state.walk.current.solution.copy(), state.walk.best.cost
        costs = [int(PROBLEM.cost(Hamming(1).move(PROBLEM.representation, k).apply(x))) for k in range(N)]
        state = search.step(state, evaluate)
        if resting:
            descending = False
            continue
        turn = [(cursor + place) % N for place in range(N)]
        k = next((k for k in turn if costs[k] < PROBLEM.cost(x)), -1) if descending else -1
        if k >= 0:
            cursor = (k + 1) % N
            seen["descent"] += 1
        else:
            free = [k for k in range(N) if expiry[k] < iteration]
            k = next((k for k in free if costs[k] < best), -1)
            seen["first"] += k >= 0 and costs[k] > min(costs[each] for each in free)
            descending, cursor = k >= 0, 0
            k = k if k >= 0 else min(free, key=lambda each: costs[each])
            expiry[k] = iteration + 3
        x[k] ^= 1
        assert state.walk.current.solution.tolist() == x.tolist()
    assert min(seen["first"], seen["descent"]) > 0


def test_ties_of_new_best_solutions_are_broken_alike(compiling: Device) -> None:
    problem = MaxCut.from_edges(9, [(i, j) for i in range(9) for j in range(i) if (i * j) % 3])
    search = MultistartTabuSearch(Tenure.fixed(2), iterations=15, perturbation=SubsetAscent(0.5), random_ties=True)
    check_search(search, problem, iterations=80, devices=[compiling.name])


def test_moves_that_flip_several_bits_are_refused() -> None:
    with pytest.raises(InputError, match="FlipPhases counts the flips of single bits, but is given"):
        FlipPhases(Scan(Hamming(2)), EliteFlips(), Limit(10))
