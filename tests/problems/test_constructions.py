"""Constructive heuristics: starts that are valid, repeatable, and as good as their rules make them."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Problem, Random
from metaheur.problem import ConstructsMany, constructed
from metaheur.problems import (
    CVRP,
    QAP,
    QUBO,
    TSP,
    FlowShop,
    GraphColoring,
    Knapsack,
    KnapsackSharing,
    MaxCut,
    MultipleKnapsack,
)
from metaheur.random import START

GENERATOR = np.random.default_rng(1)
EDGES = [pair for pair in combinations(range(30), 2) if GENERATOR.random() < 0.3]
PROBLEMS: dict[str, Any] = {
    "FlowShop": FlowShop.taillard(1),
    "Knapsack": Knapsack(GENERATOR.integers(0, 50, 30), GENERATOR.integers(0, 50, (3, 30)), [200, 0, 300]),  # type: ignore[arg-type, unused-ignore]
    "QUBO": QUBO(GENERATOR.integers(-50, 51, (40, 40))),  # type: ignore[arg-type, unused-ignore]
    "MaxCut": MaxCut.from_edges(30, EDGES, GENERATOR.integers(-5, 20, len(EDGES))),
    "GraphColoring": GraphColoring.random(40, 7, seed=1),
    "QAP": QAP.taillard(20),
    "TSP": TSP.random(1100, 1),
    "CVRP": CVRP(
        GENERATOR.integers(0, 9, 30), np.add.outer(*2 * [GENERATOR.integers(1, 50, 31)]) - np.diag([1] * 31), 30, 9
    ),
    "KnapsackSharing": KnapsackSharing(
        GENERATOR.integers(1, 50, 30), GENERATOR.integers(1, 50, 30), np.arange(30) % 3, 300
    ),
    "MultipleKnapsack": MultipleKnapsack(
        GENERATOR.integers(0, 50, 30), GENERATOR.integers(0, 50, 30), np.array([90, 0, 200])
    ),
}


def built(problem: Problem, seed: int = 1) -> np.ndarray:
    return constructed(problem, Random(Key(seed), START, 0), "")


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_construction_beats_random_solutions_and_repeats_itself(name: str) -> None:
    problem = PROBLEMS[name]
    space = problem.representation
    drawn = [problem.cost(space.random(Random(Key(seed), START, 0))) for seed in range(20)]
    assert problem.cost(built(problem)) < min(drawn)
    assert built(problem).tolist() == built(problem).tolist()
    assert built(problem).dtype == space.dtype


@pytest.mark.parametrize("name", PROBLEMS)
def test_constructions_of_many_walks_are_those_of_each(name: str) -> None:
    problem, randoms = PROBLEMS[name], [Random(Key(3, w), START, 0) for w in range(5)]
    if isinstance(problem, ConstructsMany):
        rows = np.concatenate(list(problem.construct_many(randoms)))
        assert rows.tolist() == [problem.construct(random).tolist() for random in randoms]  # type: ignore[attr-defined, unused-ignore]
    assert isinstance(problem, ConstructsMany) or name in ("CVRP", "MaxCut")


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("scale", [1, 5 * 10**5])
def test_items_of_an_assignment_add_least_to_the_cost_so_far(symmetric: bool, scale: int) -> None:
    """More positions than are taken together; sums that float64 holds exactly, and sums that it does not."""
    a, b = np.random.default_rng(3).integers(-9, 30, (2, 70, 70)) * scale
    a, b = (a + a.T, b + b.T) if symmetric else (a, b)
    x: dict[int, int] = {}
    for position in np.argsort(-(a.sum(axis=0) + a.sum(axis=1)), kind="stable").tolist():
        left = sorted(set(range(70)) - set(x.values()))
        place, done = np.array(list(x), int), np.array(list(x.values()), int)
        added = [
            a[position, place] @ b[i, done] + a[place, position] @ b[done, i] + a[position, position] * b[i, i]
            for i in left
        ]
        x[position] = left[int(np.argmin(added if x else [b[i].sum() + b[:, i].sum() for i in left]))]
    assert built(QAP(a, b)).tolist() == [x[position] for position in range(70)]


@pytest.mark.parametrize(("name", "knapsacks"), [("Knapsack", 1), ("MultipleKnapsack", 3)])
def test_no_item_that_is_left_fits_into_a_greedy_knapsack(name: str, knapsacks: int) -> None:
    problem = PROBLEMS[name]
    x = built(problem)
    assert problem.violation(x) == 0
    for item, knapsack in product(np.flatnonzero(x == 0), range(1, knapsacks + 1)):
        assert problem.violation(x + knapsack * (np.arange(30) == item)) > 0


def test_items_of_a_knapsack_are_taken_by_what_they_are_worth_at_the_prices_of_weights() -> None:
    # the second constraint never binds: what an item needs of it costs nothing
    problem = Knapsack(np.array([10, 8, 8, 8]), np.array([[4, 3, 3, 3], [0, 90, 90, 90]]), np.array([9, 400]))
    assert built(problem).tolist() == [0, 1, 1, 1]


def test_no_flip_improves_a_greedy_string() -> None:
    problem = PROBLEMS["QUBO"]
    x = built(problem)
    assert min(problem.cost(x ^ (np.arange(40) == k)) for k in range(40)) >= problem.cost(x)


def test_a_greedy_cut_has_half_of_positive_weights_or_more() -> None:
    problem = MaxCut.from_edges(30, EDGES)
    cuts = {-problem.cost(built(problem, seed)) for seed in range(8)}
    assert min(cuts) >= len(EDGES) / 2
    assert len(cuts) > 1


def test_saturation_colors_bipartite_graphs_with_two_colors() -> None:
    generator = np.random.default_rng(4)
    edges = [(i, 20 + j) for i in range(20) for j in range(20) if generator.random() < 0.2]
    problem = GraphColoring(40, np.array(edges), 2)
    assert problem.cost(built(problem)) == 0


def test_each_position_of_an_assignment_has_the_cheapest_item() -> None:
    problem = QAP.random(7, 3)
    x, order = built(problem), np.argsort(-(problem.a.sum(axis=0) + problem.a.sum(axis=1)), kind="stable")
    for t in range(1, 7):
        done, position = order[:t], order[t]
        left = [item for item in range(7) if item not in x[done]]

        def cost(item: int, done: np.ndarray = done, position: int = position) -> int:
            p, q = np.append(done, position), np.append(x[done], item)
            return int((problem.a[np.ix_(p, p)] * problem.b[np.ix_(q, q)]).sum())

        assert x[position] == min(left, key=cost)
