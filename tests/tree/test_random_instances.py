"""Every tree of metaheur proves the optimum of random instances, with numbers as large as the tree accepts.

The oracle lists all solutions and counts with Python's integers, which never overflow.
"""

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.problems import QAP, FlowShop, Knapsack, KnapsackSharing, MultipleKnapsack
from metaheur.problems.trees.cardinality_tree import CardinalityTree
from metaheur.problems.trees.flow_shop_tree import FlowShopTree, OneMachine, TwoMachines
from metaheur.problems.trees.knapsack_sharing_tree import KnapsackSharingTree
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.problems.trees.multiple_knapsack_tree import MultipleKnapsackTree
from metaheur.problems.trees.qap_tree import QAPTree
from metaheur.problems.trees.two_ended_flow_shop_tree import TwoEndedFlowShopTree
from metaheur.random import Key
from metaheur.tree import BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers

Generator = np.random.Generator

ORDERS = DepthFirst(16), BreadthFirst(8), BestFirst(4), Explorers(3, 20)


def numbers(random: Generator, bits: float, *shape: int) -> np.ndarray:
    """Whole numbers from 0 on whose sum has so many bits, or fewer; some of them near each other, or 0."""
    most = bits if random.random() < 0.5 else random.uniform(0, bits)
    high = int((2**most - 1) // np.prod(shape))
    drawn = random.integers(random.choice([0, high // 2, high]), high, shape, endpoint=True)
    return np.where(random.random(shape) < random.choice([0, 0, 0, 0.3]), 0, drawn)


# ---- knapsacks -------------------------------------------------------------------------------------------------------


def knapsack(random: Generator, bits: float, most_constraints: int) -> Knapsack:
    """Profits and weights with sums of so many bits; the capacities are tight, loose, or all but a little."""
    n, m = int(random.integers(1, 8)), int(random.integers(1, most_constraints + 1))
    profits, weights = numbers(random, bits, n), numbers(random, bits, m, n)
    if random.random() < 0.2:
        profits = weights[0] + int(random.integers(0, 3))
    sums = weights.sum(axis=1)
    capacities = [
        sums - random.integers(0, 3, m),
        (sums * random.random(m)).astype(np.int64),
        sums // 2,
        weights.max(axis=1) - random.integers(0, 2, m),
        sums + numbers(random, bits, m),
    ][random.integers(5)]
    return Knapsack(profits, weights, np.maximum(capacities, 0))


def best_profit(problem: Knapsack) -> int:
    profits, weights, capacities = (each.tolist() for each in (problem.profits, problem.weights, problem.capacities))
    best = 0
    for x in product((0, 1), repeat=len(profits)):
        loads = [sum(a for a, taken in zip(row, x, strict=True) if taken) for row in weights]
        if all(load <= capacity for load, capacity in zip(loads, capacities, strict=True)):
            best = max(best, sum(p for p, taken in zip(profits, x, strict=True) if taken))
    return best


def multiple_knapsack(random: Generator) -> tuple[MultipleKnapsack, int]:
    """An instance and its optimum; the capacities are tight, or some of them large."""
    n, m, bits = int(random.integers(1, 6)), int(random.integers(1, 4)), random.choice([6, 30])
    profits, weights = numbers(random, bits, n), numbers(random, bits, n)
    capacities = (weights.sum() * random.random(m) / random.integers(1, m + 1)).astype(np.int64)
    best = 0
    for x in product(range(m + 1), repeat=n):
        loads, profit = [0] * (m + 1), 0
        for item, where in enumerate(x):
            loads[where] += int(weights[item])
            profit += int(profits[item]) if where else 0
        if all(load <= capacity for load, capacity in zip(loads[1:], capacities.tolist(), strict=True)):
            best = max(best, profit)
    return MultipleKnapsack(profits, weights, capacities), best


def knapsack_sharing(random: Generator) -> tuple[KnapsackSharing, int]:
    """An instance and its optimum."""
    n, bits = int(random.integers(1, 9)), random.choice([6, 30])
    groups = np.unique(random.integers(0, 3, n), return_inverse=True)[1]
    profits, weights = numbers(random, bits, n), numbers(random, bits, n)
    capacity, best = int(weights.sum() * random.random()), 0
    for x in product((0, 1), repeat=n):
        if sum(int(a) for a, taken in zip(weights, x, strict=True) if taken) <= capacity:
            shares = [0] * (int(groups.max()) + 1)
            for item, taken in enumerate(x):
                shares[groups[item]] += taken * int(profits[item])
            best = max(best, min(shares))
    return KnapsackSharing(profits, weights, groups, capacity), best


# ---- sequences and assignments ---------------------------------------------------------------------------------------


def flow_shop(random: Generator) -> FlowShop:
    n, m = int(random.integers(1, 5)), int(random.integers(1, 5))
    return FlowShop(numbers(random, 31, n, m))


def shortest(problem: FlowShop) -> int:
    rows: list[list[int]] = problem.times.tolist()

    def makespan(jobs: tuple[int, ...]) -> int:
        ends = [0] * len(rows[0])
        for job in jobs:
            done = 0
            for machine, time in enumerate(rows[job]):
                done = ends[machine] = max(done, ends[machine]) + time
        return ends[-1]

    return min(makespan(jobs) for jobs in permutations(range(len(rows))))


def qap(random: Generator) -> QAP:
    n = int(random.integers(1, 5))
    bits = random.uniform(4, 62)
    a, b = numbers(random, bits, n, n), numbers(random, 66 - bits, n, n)
    return QAP(a + a.T, b + b.T) if random.random() < 0.3 else QAP(a, b)


def cheapest(problem: QAP) -> int:
    a, b, n = problem.a.tolist(), problem.b.tolist(), len(problem.a)
    pairs = list(product(range(n), repeat=2))
    costs: list[int] = [sum(a[i][j] * b[x[i]][x[j]] for i, j in pairs) for x in permutations(range(n))]
    return min(costs)


# ---- all trees -------------------------------------------------------------------------------------------------------


def knapsack_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem = knapsack(random, random.choice([8, 31, 33, 59]), 1)
    dominance = LighterAndDearer() if random.random() < 0.5 else None
    order = ORDERS[random.integers(3 if dominance else 4)]
    return BranchAndBound(KnapsackTree(), order=order, dominance=dominance), problem, best_profit(problem)


def multi_knapsack_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem = knapsack(random, random.choice([8, 30]), 3)
    few = {"iterations": int(random.integers(0, 80)), "vectors": int(random.choice([1, 1, 2, 4]))}
    tree = MultiKnapsackTree(**few, last=int(random.integers(0, 5)))
    return BranchAndBound(tree, order=ORDERS[random.integers(4)]), problem, best_profit(problem)


def cardinality_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem = knapsack(random, random.choice([8, 30]), 3)
    tree = CardinalityTree(iterations=int(random.integers(0, 50)), vectors=int(random.integers(1, 4)))
    return BranchAndBound(tree, order=ORDERS[random.integers(4)]), problem, best_profit(problem)


def flow_shop_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem, backward = flow_shop(random), bool(random.integers(2))
    bound = (OneMachine, TwoMachines)[random.integers(2)](backward)
    search = BranchAndBound(FlowShopTree(backward), bound, order=ORDERS[random.integers(4)])
    return search, problem, shortest(problem)


def two_ended_flow_shop_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem = flow_shop(random)
    optimum = shortest(problem)
    tree = TwoEndedFlowShopTree([None, optimum, 2 * optimum][random.integers(3)])
    return BranchAndBound(tree, order=ORDERS[random.integers(4)]), problem, optimum


def qap_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem = qap(random)
    return BranchAndBound(QAPTree(), order=ORDERS[random.integers(4)]), problem, cheapest(problem)


def multiple_knapsack_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem, optimum = multiple_knapsack(random)
    return BranchAndBound(MultipleKnapsackTree(), order=ORDERS[random.integers(4)]), problem, optimum


def knapsack_sharing_tree(random: Generator) -> tuple[BranchAndBound, Problem, int]:
    problem, optimum = knapsack_sharing(random)
    return BranchAndBound(KnapsackSharingTree(), order=ORDERS[random.integers(4)]), problem, optimum


DRAWS: list[Callable[[Generator], tuple[BranchAndBound, Problem, int]]] = [
    knapsack_tree,
    multi_knapsack_tree,
    cardinality_tree,
    multiple_knapsack_tree,
    knapsack_sharing_tree,
    flow_shop_tree,
    two_ended_flow_shop_tree,
    qap_tree,
]


def accepted(draw: Callable[[Generator], Any], random: Generator) -> tuple[BranchAndBound, Problem, int]:
    """The next draw whose numbers are not refused."""
    while True:
        try:
            search, problem, optimum = draw(random)
        except InputError:
            continue
        if not search.branching.reason_against(problem):
            return search, problem, optimum


def require_proofs(draw: Callable[[Generator], Any], seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    for number in range(count):
        search, problem, optimum = accepted(draw, random)
        start = problem.representation.starts([Key(number)])[0]
        result = run(search, problem, stop=stop.seconds(60), start=start, parallel="numpy")
        assert result.proof is not None
        found = result.proof.status, result.cost, result.proof.bound, problem.displayed(problem.cost(result.solution))
        assert found == ("optimal", optimum, optimum, optimum), (number, search, problem)


@pytest.mark.parametrize("draw", DRAWS)
def test_the_optimum_of_random_instances_is_proven(draw: Callable[[Generator], Any]) -> None:
    require_proofs(draw, 1, 60)


@pytest.mark.thorough
@pytest.mark.parametrize("draw", DRAWS)
def test_the_optimum_of_ten_thousand_random_instances_is_proven(draw: Callable[[Generator], Any]) -> None:
    require_proofs(draw, 2, 1667)
