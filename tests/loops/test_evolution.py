"""Evolution against a population of lists, and a run that solves OneMax."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from metaheur import BitString, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Evolution
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import Islands, MultiGPU, Multistart
from metaheur.parts import (
    BestChildren,
    BestParents,
    Breeding,
    Generational,
    NoCrossover,
    OldestMember,
    PathRelinking,
    RandomMoves,
    RankRoulette,
    SteadyState,
    Uniform,
    UniformLike,
    UniversalSampling,
)
from metaheur.parts.recombination.crossover import coins
from metaheur.problems import PPP, QAP, QUBO, OneMax
from metaheur.random import Random
from metaheur.testing import check_search
from tests.helpers import started

BITS = 16
PROBLEM = OneMax(BITS)


def slow_children(seen: Counter[str], size: int, elite: int, iterations: int) -> list[list[int]]:
    """The children of a generational population of lists, by tournaments of two and uniform crossover."""
    search = Evolution(Breeding(Uniform(), size=size, replacement=Generational(elite)))
    key = started(search, PROBLEM).walk.key
    x = started(search, PROBLEM).walk.current.solution.tolist()
    members: list[list[int]] = []
    children: list[list[int]] = []
    found = []
    for iteration in range(1, iterations + 1):
        if len(members) < size:
            members.append(x)
        else:
            children.append(x)
        if len(children) == size - elite:
            stays = sorted(range(size), key=lambda s: (-sum(members[s]), s))[:elite]
            members = [members[s] if s in stays else children.pop(0) for s in range(size)]
            seen["generations"] += 1
        if len(members) < size:
            x = BitString(BITS).random(Random(key, 12, iteration)).tolist()
        else:
            selects = Random(key, 7, iteration)
            drawn = [[selects.index((p << 16) + k, size) for k in range(2)] for p in range(2)]
            first, second = (a if sum(members[a]) >= sum(members[b]) else b for a, b in drawn)
            seen["equal parents"] += first == second
            second = (first + 1) % size if first == second else second
            heads = coins(Random(key, 16, iteration), BITS)
            x = [members[second if heads[k] else first][k] for k in range(BITS)]
        found.append(x)
    return found


def test_its_children_are_those_of_a_slow_population() -> None:
    seen = Counter[str]()
    search = Evolution(Breeding(Uniform(), size=5, replacement=Generational(2)))
    expected = slow_children(seen, 5, 2, 60)
    state, evaluate = started(search, PROBLEM), NumpyEvaluator(PROBLEM, Hamming())
    for child in expected:
        state = search.step(state, evaluate)
        assert state.walk.current.solution.tolist() == child
        assert state.walk.current.cost == -sum(child)
    assert seen["generations"] > 10
    assert seen["equal parents"] > 3


@pytest.mark.parametrize(
    "breeding",
    [
        Breeding(Uniform(), RandomMoves(Hamming(), 1), size=10),
        Breeding(NoCrossover(), RandomMoves(Hamming(), 1), size=1, replacement=SteadyState(duplicates=True)),
    ],
    ids=["crossover", "mutation alone"],
)
def test_onemax_is_solved(breeding: Breeding) -> None:
    found = run(Evolution(breeding), PROBLEM, stop=stop.target(BITS) | stop.iterations(3_000), seed=1, parallel="numpy")
    assert found.cost == BITS


@pytest.mark.parametrize(
    ("breeding", "iterations"),
    [
        (Breeding(Uniform(), size=90, selection=BestParents(2)), 130),  # many parents are found by rank
        (Breeding(Uniform(), size=9, selection=BestParents(4), replacement=OldestMember()), 60),
        (Breeding(Uniform(), RandomMoves(Hamming(), 1), size=5, replacement=BestChildren(12)), 60),
        (Breeding(Uniform(), size=9, selection=RankRoulette()), 60),
        (Breeding(Uniform(), size=9, selection=UniversalSampling()), 60),
    ],
    ids=["the best parents", "the oldest member", "the best children", "parents by rank", "parents on one wheel"],
)
def test_populations_are_the_same_everywhere(breeding: Breeding, iterations: int, compiling: Device) -> None:
    check_search(Evolution(breeding), PROBLEM, iterations=iterations, devices=[compiling.name])


def test_walks_are_the_same_under_every_model() -> None:
    search: Any = Evolution(Breeding(UniformLike(), RandomMoves(Swap(), 1), size=6))
    qap = QAP.random(9, 1)
    models = (Multistart(4, device="numpy"), Multistart(4, device="host"), MultiGPU(Multistart(4), ("host", "host")))
    costs = [run(search, qap, stop=stop.iterations(200), seed=1, parallel=m).walks.costs.tolist() for m in models]
    assert costs[0] == costs[1] == costs[2]


def test_a_solution_from_another_island_joins_the_population() -> None:
    search: Any = Evolution(Breeding(UniformLike(), RandomMoves(Swap(), 1), size=4))
    qap = QAP.random(9, 1)
    apart, together, resident = (
        run(search, qap, stop=stop.iterations(200), seed=1, parallel=model)
        for model in (
            Multistart(4, device="numpy"),
            Islands(Multistart(4, device="numpy"), 20),
            Islands(Multistart(4, device="host"), 20),
        )
    )
    assert together.walks.costs.tolist() == resident.walks.costs.tolist() != apart.walks.costs.tolist()
    assert np.ptp(together.walks.costs) < np.ptp(apart.walks.costs)


def test_wrong_populations_are_refused() -> None:
    with pytest.raises(InputError, match=r"Evolution\.breeding.*Breeding"):
        Evolution(Uniform())  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"Breeding\.crossover"):
        Breeding(RandomMoves(Swap(), 1))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="elite"):
        Breeding(Uniform(), size=3, replacement=Generational(3))
    with pytest.raises(InputError, match="Uniform"):
        run(Evolution(Breeding(Uniform())), QAP.random(6, 1), stop=stop.iterations(1), parallel="numpy")


def test_a_mutation_that_replaces_finds_the_arrays_of_the_problem_up_to_date(compiling: Device) -> None:
    numbers = np.random.default_rng(1).integers(-9, 10, (12, 12))
    relinking = PathRelinking(Hamming(), elite=2)
    search = Evolution(Breeding(Uniform(), relinking, size=4))
    check_search(search, QUBO(numbers), iterations=60, devices=[compiling.name])


def test_coins_that_are_drawn_together_are_those_of_one_draw_after_the_other(compiling: Device) -> None:
    check_search(Evolution(Breeding(Uniform(), size=4)), OneMax(1_100), iterations=12, devices=[compiling.name])


def test_a_problem_whose_c_half_has_no_cost_is_stepped_by_python() -> None:
    search: Any = Evolution(Breeding(Uniform(), RandomMoves(Hamming(), 1), size=4))
    ppp = PPP.random(9, 10, 1)
    steps, resident = (
        run(search, ppp, stop=stop.iterations(40), seed=1, parallel=model) for model in ("numpy", "host")
    )
    assert steps.cost == resident.cost == ppp.cost(resident.solution)
    assert not resident.resident
