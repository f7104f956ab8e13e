"""Populations for several objectives: the same on every device, and their front that of all they keep."""

from typing import Any

import numpy as np
import pytest

from metaheur import Search, run, stop
from metaheur.archives import Crowding, Grid, nondominated
from metaheur.device.device import Device
from metaheur.door.states import iterate
from metaheur.errors import InputError
from metaheur.loops import Evolution
from metaheur.neighborhoods import Hamming, Insertion
from metaheur.parallel import Islands, Multistart
from metaheur.parts import (
    Breeding,
    Geometric,
    Limit,
    OrderCrossover,
    RandomMoves,
    RankAndCrowding,
    RankAndSharing,
    SteadyState,
    Uniform,
)
from metaheur.problems import QUBO, FlowShop, MultiObjective, OneMax
from metaheur.searches import (
    AMOSA,
    IBEA,
    MOEAD,
    NSGA2,
    NSGA3,
    PBIL,
    SPEA2,
    UMDA,
    GeneticAlgorithm,
    MemeticAlgorithm,
    OnePlusLambda,
    TabuSearch,
)
from metaheur.testing import check_search

GENERATOR = np.random.default_rng(9)
SHOP = FlowShop(
    GENERATOR.integers(1, 99, (9, 3)),
    due_dates=GENERATOR.integers(60, 540, 9),
    objectives=("makespan", "total tardiness", "tardy jobs"),
)
BITS = MultiObjective([QUBO(GENERATOR.integers(-9, 10, (12, 12))) for _ in range(2)])
FLIP, INSERT = RandomMoves(Hamming(), 1), RandomMoves(Insertion(), 1)

SEARCHES: dict[str, tuple[Any, Search[Any]]] = {
    "NSGA-II": (SHOP, NSGA2(OrderCrossover(), INSERT, size=8)),
    "IBEA": (SHOP, IBEA(OrderCrossover(), INSERT, size=8)),
    "IBEA, three children": (BITS, IBEA(Uniform(), FLIP, size=8, children=3, scaling=0.2)),
    "MOEA/D": (SHOP, MOEAD(OrderCrossover(), INSERT, objectives=3, divisions=3, neighbors=4)),
    "NSGA-III": (SHOP, NSGA3(OrderCrossover(), INSERT, divisions=3)),
    "SPEA2": (SHOP, SPEA2(OrderCrossover(), INSERT, size=8)),
    "AMOSA": (SHOP, AMOSA(Insertion(), 1.0, Geometric(0.9, 5), archive=Crowding(5))),
    "AMOSA, bits": (BITS, AMOSA(Hamming(), 0.1, archive=Grid(9))),
    "SPEA2, many children": (BITS, SPEA2(Uniform(), FLIP, size=4, children=20)),
    "NSGA-II, one child": (BITS, NSGA2(Uniform(), FLIP, size=8, children=1, duplicates=True, by_dominance=True)),
    "fitness sharing": (
        SHOP,
        Evolution(Breeding(OrderCrossover(), INSERT, size=8, replacement=RankAndSharing(8, radius=0.5))),
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_it_makes_the_same_steps_everywhere(name: str, compiling: Device) -> None:
    problem, search = SEARCHES[name]
    check_search(search, problem, iterations=60, devices=[compiling.name])


def test_the_front_is_that_of_all_that_the_population_keeps() -> None:
    search = NSGA2(OrderCrossover(), INSERT, size=8)
    result = run(search, SHOP, stop=stop.iterations(30), seed=1, parallel="numpy")
    *_, state = (each for _, each in zip(range(31), iterate(search, SHOP, seed=1, parallel="numpy"), strict=False))
    kept = state.kept["breeding"]
    assert (state.walk.iteration, kept["filled"], kept["born"]) == (30, 8, 22 % 8)
    everyone = np.vstack([kept["costs"], kept["child_costs"][: kept["born"]], [state.walk.current.cost]])
    expected = sorted(set(map(tuple, everyone[nondominated(everyone)].tolist())))
    front = result.front
    assert front is not None
    assert [tuple(cost) for cost in front.costs.tolist()] == expected
    assert [SHOP.cost(x) for x in front.solutions] == expected
    assert result.cost == min(expected)


def test_walks_and_islands_are_the_same_under_every_model() -> None:
    search = NSGA2(OrderCrossover(), INSERT, size=8)
    fronts = []
    for device in ("numpy", "host"):
        for model in (Multistart(3, device=device), Islands(Multistart(3, device=device), 16)):
            front = run(search, SHOP, stop=stop.iterations(64), seed=1, parallel=model).front
            assert front is not None
            fronts.append((front.costs.tolist(), front.walks.tolist()))
    assert fronts[0] == fronts[2]
    assert fronts[1] == fronts[3] != fronts[0]


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: GeneticAlgorithm(Uniform(), FLIP, size=0), "GeneticAlgorithm.size"),
        (lambda: NSGA2(Uniform(), FLIP, children=0), "NSGA2.children"),
        (lambda: NSGA3(Uniform(), FLIP, children=0), "NSGA3.children"),
        (lambda: SPEA2(Uniform(), FLIP, size=0), "SPEA2.size"),
        (lambda: IBEA(Uniform(), FLIP, scaling=0), "IBEA.scaling"),
        (lambda: AMOSA(Hamming(), -1.0), "AMOSA.temperature"),
        (lambda: OnePlusLambda(FLIP, 0), "OnePlusLambda.mutants"),
        (lambda: UMDA(0), "UMDA.size"),
        (lambda: PBIL(selected=0), "PBIL.selected"),
    ],
)
def test_a_wrong_number_is_named_as_the_user_wrote_it(make: Any, name: str) -> None:
    with pytest.raises(InputError, match=f"`{name}` must be a"):
        make()


def test_wrong_objectives_are_refused() -> None:
    with pytest.raises(InputError, match="several objectives"):
        run(NSGA2(Uniform(), FLIP), OneMax(9), stop=stop.iterations(1), parallel="numpy")
    with pytest.raises(InputError, match=r"minimises one objective.*\nMaybe .*Scalarised.*NSGA2"):
        run(GeneticAlgorithm(Uniform(), FLIP), BITS, stop=stop.iterations(1), parallel="numpy")
    memetic = MemeticAlgorithm(TabuSearch(Hamming()), Breeding(Uniform(), replacement=RankAndCrowding()), Limit(9))
    with pytest.raises(InputError, match=r"RankAndCrowding.*several objectives.*one"):
        run(memetic, OneMax(9), stop=stop.iterations(1), parallel="numpy")
    assert SteadyState.several is False
