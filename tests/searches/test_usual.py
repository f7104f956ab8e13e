"""What is tried first on a representation, and searches that leave it to the problem."""

from typing import Any

import numpy as np
import pytest

from metaheur import BitString, DiscreteVector, Permutation, Representation, run, stop
from metaheur.archives.weights import fewest_divisions, simplex_lattice
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, Substitution, Swap
from metaheur.parts import (
    Breeding,
    ByPart,
    EachCopy,
    Limit,
    OrderCrossover,
    RandomMoves,
    Shaking,
    SubsetCrossover,
    SwapPath,
    Uniform,
)
from metaheur.problems import QAP, FlowShop, GraphColoring, MultiObjective
from metaheur.random import Key
from metaheur.representations import Composite, Multiset, Repeated, Subset
from metaheur.search import fitted
from metaheur.searches import (
    GRASP,
    IBEA,
    MOEAD,
    NSGA2,
    NSGA3,
    SPEA2,
    UMDA,
    GeneticAlgorithm,
    HillClimbing,
    IteratedLocalSearch,
    MemeticAlgorithm,
    SimulatedAnnealing,
    VariableNeighborhoodSearch,
)
from metaheur.searches.usual_crossover import usual_crossover
from metaheur.walk import EvaluatedSolution

SHOP = FlowShop(np.arange(1, 25).reshape(8, 3) % 7, objectives=("makespan", "total flow time"))
THREE = MultiObjective([QAP.random(6, seed) for seed in range(3)])
CROSSOVERS: dict[str, tuple[Representation, Any]] = {
    "bits": (BitString(6), Uniform()),
    "values": (DiscreteVector(6, 3), Uniform()),
    "an order": (Permutation(6), OrderCrossover()),
    "a tour": (Permutation(6, cyclic=True), OrderCrossover()),
    "a subset": (Subset(6, 2), SubsetCrossover(2)),
    "copies of values": (Multiset((2, 3, 1)), SwapPath()),
    "orders": (Repeated(3, Permutation(4)), EachCopy(OrderCrossover(), 3)),
    "parts": (
        Composite(order=Permutation(4), mode=DiscreteVector(4, 2)),
        ByPart(order=OrderCrossover(), mode=Uniform()),
    ),
}


@pytest.mark.parametrize("name", CROSSOVERS)
def test_a_usual_crossover_supports_its_representation(name: str) -> None:
    space, expected = CROSSOVERS[name]
    found = usual_crossover(space)
    assert found == expected
    assert found is not None
    assert found.supports(space)


INSERT, ORDER = RandomMoves(Swap(), 1), OrderCrossover()
COMPLETE: dict[str, tuple[Any, Any, Any]] = {
    "NSGA-II": (NSGA2(size=6), NSGA2(ORDER, INSERT, size=6), SHOP),
    "NSGA-III": (NSGA3(divisions=3), NSGA3(ORDER, INSERT, objectives=3, divisions=3), THREE),
    "SPEA2": (SPEA2(size=6), SPEA2(ORDER, INSERT, size=6), SHOP),
    "IBEA": (IBEA(ORDER, size=6), IBEA(ORDER, INSERT, size=6), SHOP),
    "MOEA/D": (MOEAD(divisions=5), MOEAD(ORDER, INSERT, objectives=2, divisions=5), SHOP),
    "genetic": (
        GeneticAlgorithm(size=6),
        GeneticAlgorithm(Uniform(), RandomMoves(Substitution(), 1), size=6),
        GraphColoring.random(9, 3, seed=1),
    ),
    "memetic": (
        MemeticAlgorithm(HillClimbing(Swap())),
        MemeticAlgorithm(HillClimbing(Swap()), Breeding(ORDER, size=15)),
        QAP.random(7, 1),
    ),
}


@pytest.mark.parametrize("name", COMPLETE)
def test_a_population_is_complete_without_crossover_and_mutation(name: str) -> None:
    short, whole, problem = COMPLETE[name]
    found = fitted(short, problem)
    assert found == whole
    assert fitted(found, problem) is found
    run(short, problem, stop=stop.iterations(20), parallel="numpy")


DESCENT = HillClimbing(Insertion())


@pytest.mark.parametrize(
    ("short", "whole"),
    [
        (VariableNeighborhoodSearch(DESCENT), VariableNeighborhoodSearch(DESCENT, Shaking(Insertion(), 5))),
        (GRASP(DESCENT), GRASP(DESCENT, Insertion())),
        (IteratedLocalSearch(DESCENT), IteratedLocalSearch(DESCENT, RandomMoves(Insertion(), 3))),
    ],
    ids=["variable neighborhoods", "GRASP", "iterated"],
)
def test_a_search_around_another_one_moves_in_its_first_neighborhood(short: Any, whole: Any) -> None:
    assert short == whole


@pytest.mark.parametrize("search", [VariableNeighborhoodSearch, GRASP, IteratedLocalSearch])
def test_a_search_without_a_neighborhood_asks_for_one(search: Any) -> None:
    with pytest.raises(InputError, match="UMDA names no neighborhood") as caught:
        search(UMDA(), limit=Limit(9))
    assert f"{search.__name__}(search, " in caught.value.maybe


def test_what_is_no_search_is_refused_before_its_neighborhood_is_asked_for() -> None:
    searches: tuple[Any, ...] = (VariableNeighborhoodSearch, GRASP, IteratedLocalSearch)
    for search in searches:
        with pytest.raises(InputError, match="`search` must be a Search, but is 3"):
            search(3)
    with pytest.raises(InputError, match="`search` must be a Search, but is None"):
        VariableNeighborhoodSearch(None)


def test_what_is_inside_a_memetic_algorithm_is_fitted_too() -> None:
    found = fitted(MemeticAlgorithm(SimulatedAnnealing(Swap()), limit=Limit(100)), QAP.random(7, 1))
    assert found.search.temperature is not None


@pytest.mark.parametrize(
    ("search", "part"),
    [
        (NSGA2(), "crossover"),
        (GeneticAlgorithm(OrderCrossover()), "mutation"),
        (MemeticAlgorithm(HillClimbing(Swap())), "breeding"),
    ],
)
def test_no_walk_begins_without_them(search: Any, part: str) -> None:
    problem = QAP.random(5, 1)
    x = np.arange(5)
    with pytest.raises(InputError, match=f"has no {part}") as caught:
        search.init(EvaluatedSolution(problem.representation, x, problem.cost(x)), Key(0, 0))
    assert "fitted" in caught.value.maybe


def test_a_representation_without_a_usual_crossover_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaheur.searches.breeds.usual_crossover", lambda _: None)
    with pytest.raises(InputError, match=r"No usual crossover is known for Permutation\(n=5") as caught:
        run(GeneticAlgorithm(), QAP.random(5, 1), stop=stop.iterations(9), parallel="numpy")
    assert "GeneticAlgorithm(crossover)" in caught.value.maybe


@pytest.mark.parametrize("objectives", range(2, 9))
def test_the_fewest_divisions_have_so_many_points(objectives: int) -> None:
    fewest = fewest_divisions(91, objectives)
    assert len(simplex_lattice(fewest, objectives)) >= 91
    assert fewest == 1 or len(simplex_lattice(fewest - 1, objectives)) < 91
