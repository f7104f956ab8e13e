from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, DiscreteVector, Permutation, Problem, Representation, run, stop
from metaheur.door.expression import written
from metaheur.problems import (
    CVRP,
    PPP,
    QAP,
    QUBO,
    RCPSP,
    TSP,
    CarSequencing,
    CourseTimetabling,
    FlexibleJobShop,
    FlowShop,
    GeneralizedAssignment,
    GraphColoring,
    GraphPartition,
    JobShop,
    Knapsack,
    KnapsackSharing,
    MaxCut,
    MaximumDiversity,
    MultiModeRCPSP,
    MultiObjective,
    MultipleKnapsack,
    OneMax,
    PMedian,
    SequentialOrdering,
    VehicleRouting,
)
from metaheur.search import fitted
from metaheur.searches.recommendation import Recommends
from metaheur.searches.suited import recommendations


@frozen(eq=False)
class Plain(Problem):
    """A problem of Python alone: the sum of the entries, weighted by their places."""

    representation: Representation

    def cost(self, x: np.ndarray) -> int:
        return int(x.astype(int) @ np.arange(len(x)))


NUMBERS = np.random.default_rng(1)
DISTANCES = 100 * np.abs(np.subtract.outer(np.arange(10), np.arange(10))) + 900 * (1 - np.eye(10, dtype=int))
SHIPPED = {
    "QAP": QAP.random(6, 1),
    "TSP": TSP.random(9, 1),
    "asymmetric TSP": TSP.from_matrix(NUMBERS.integers(1, 9, (9, 9))),
    "QUBO": QUBO(NUMBERS.integers(-9, 9, (20, 20))),
    "MaxCut": MaxCut.from_edges(20, [(i, i + 1) for i in range(19)]),
    "FlowShop": FlowShop(NUMBERS.integers(1, 9, (6, 3))),
    "flow shop front": FlowShop(NUMBERS.integers(1, 9, (6, 3)), objectives=("makespan", "total flow time")),
    "GraphColoring": GraphColoring.random(9, 3, seed=1),
    "Knapsack": Knapsack.single([6, 5, 4, 3, 2], [3, 2, 2, 5, 4], 7),
    "MultipleKnapsack": MultipleKnapsack(NUMBERS.integers(1, 9, 5), NUMBERS.integers(1, 9, 5), np.array([4, 3])),
    "GeneralizedAssignment": GeneralizedAssignment(
        NUMBERS.integers(1, 9, (3, 5)), NUMBERS.integers(1, 9, (3, 5)), np.array([9, 8, 7])
    ),
    "MaximumDiversity": MaximumDiversity(9 - 9 * np.eye(6, dtype=int), 2),
    "PMedian": PMedian(NUMBERS.integers(1, 9, (6, 6)), 2),
    "FlexibleJobShop": FlexibleJobShop(np.array([2, 2]), NUMBERS.integers(1, 9, (4, 2))),
    "RCPSP": RCPSP(np.array([3, 2, 2]), np.array([[2], [1], [1]]), np.array([2]), np.array([[0, 2]])),
    "SequentialOrdering": SequentialOrdering(NUMBERS.integers(1, 9, (6, 6)), np.array([[0, 3], [2, 1]])),
    "JobShop": JobShop(np.array([[0, 1], [1, 0], [0, 1]]), NUMBERS.integers(1, 9, (3, 2))),
    "KnapsackSharing": KnapsackSharing(NUMBERS.integers(1, 9, 5), NUMBERS.integers(1, 9, 5), np.arange(5) % 2, 9),
    "two QAP": MultiObjective([QAP.random(6, 1), QAP.random(6, 2)]),
    "CarSequencing": CarSequencing.random(8, classes=3, seed=1),
    "GraphPartition": GraphPartition.random(8, 2, density=0.5, seed=1),
    "CourseTimetabling": CourseTimetabling.random(5, rooms=2, seed=1),
    "MultiModeRCPSP": MultiModeRCPSP.random(4, seed=1),
    "PPP": PPP.random(21, 21, seed=1),
    "OneMax": OneMax(9),
    "plain permutation": Plain(Permutation(6)),
    "plain bits": Plain(BitString(6)),
    "plain vector": Plain(DiscreteVector(6, 3)),
}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_recommended_runs(name: str) -> None:
    problem = SHIPPED[name]
    found = recommendations(problem)
    assert found
    assert len({each.name for each in found}) == len(found)
    for each in found:
        if each.search.neighborhoods and each.parallel is None:
            result = run(each.search, problem, stop=stop.iterations(2), seed=1, start=each.start, parallel="numpy")
            assert result.iterations
        else:
            each.search.require(problem)


def test_shipped_problems_recommend_more_than_what_suits_any() -> None:
    kinds = (
        QAP,
        TSP,
        QUBO,
        MaxCut,
        FlowShop,
        GraphColoring,
        Knapsack,
        KnapsackSharing,
        MultipleKnapsack,
        GeneralizedAssignment,
        JobShop,
        MaximumDiversity,
        PMedian,
        FlexibleJobShop,
        RCPSP,
        SequentialOrdering,
        CarSequencing,
        CourseTimetabling,
        MultiModeRCPSP,
        GraphPartition,
        PPP,
        MultiObjective,
    )
    assert all(issubclass(kind, Recommends) for kind in kinds)
    assert not isinstance(OneMax(3), Recommends)


def test_searches_in_python_alone_never_scan_a_whole_neighborhood() -> None:
    names = [each.name for each in recommendations(Plain(Permutation(6)))]
    assert names == ["iterated descents, Swap", "iterated descents, Insertion", "late acceptance, Swap"]
    assert {each.walks for each in recommendations(Plain(BitString(3)))} == {1}
    assert recommendations(OneMax(9))[0].name == "tabu search, Hamming"


WITHIN: dict[str, Any] = {
    "CVRP": CVRP(NUMBERS.integers(1, 9, 9), DISTANCES, 15, 6),
    "VehicleRouting": VehicleRouting(NUMBERS.integers(1, 9, 9), DISTANCES, 15, 6),
    "MaxCut": SHIPPED["MaxCut"],
    "QUBO": QUBO(np.eye(20, k=1, dtype=int)),
    "TSP": TSP.random(20, 1),
}
"""Problems whose search has a length."""


@pytest.mark.parametrize("name", WITHIN)
def test_a_search_goes_on_when_its_schedule_is_over(name: str) -> None:
    """What is left of a limit of time is of use, then."""
    problem = WITHIN[name]
    found = problem.recommended_within(50, 1)
    assert found is not None
    until = 3 * max(50, found.length)
    result = run(found.search, problem, stop=stop.iterations(until), start=found.start, parallel="numpy")
    assert result.iterations == until


@pytest.mark.parametrize("name", WITHIN)
def test_the_text_of_a_search_names_large_arrays_instead_of_listing_them(name: str) -> None:
    for found in WITHIN[name].recommended():
        assert len(written(found.search, found.names)) < 500


@pytest.mark.parametrize("name", SHIPPED)
def test_few_moves_are_sampled_for_temperatures_before_a_race(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of cost in Python may take milliseconds, which count towards a limit of time."""
    sampled = []

    def noted(problem: Problem, neighborhood: Any, samples: int, seed: int) -> np.ndarray:
        sampled.append(samples)
        return np.ones(3, np.int64)

    monkeypatch.setattr("metaheur.searches.temperature._deteriorations", noted)
    for each in recommendations(SHIPPED[name]):
        fitted(each.search, SHIPPED[name])
    assert all(each <= 100 for each in sampled)
