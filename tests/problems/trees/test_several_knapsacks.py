"""The trees of several knapsacks and of shared ones: in both halves, and what they refuse."""

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.problem import Problem
from metaheur.problems import KnapsackSharing, MultipleKnapsack, OneMax
from metaheur.problems.trees import KnapsackSharingTree, MultipleKnapsackTree, SharedCapacity, Surrogate
from metaheur.testing import check_bound, check_branching
from metaheur.tree import BranchAndBound, Branching
from tests.tree.trees import several, sharing

MINUTE = stop.seconds(60)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (5, 3), (6, 2)])
def test_the_tree_of_several_knapsacks_and_its_bound_are_right_in_both_halves(
    n: int, m: int, compiling: Device
) -> None:
    check_branching(MultipleKnapsackTree(), several(n, m), devices=[compiling.name])
    check_bound(MultipleKnapsackTree(), Surrogate(), several(n, m), devices=[compiling.name])


@pytest.mark.parametrize(("n", "g"), [(1, 1), (8, 3), (9, 2)])
def test_the_tree_of_shared_knapsacks_and_its_bound_are_right_in_both_halves(n: int, g: int, compiling: Device) -> None:
    check_branching(KnapsackSharingTree(), sharing(n, g), devices=[compiling.name])
    check_bound(KnapsackSharingTree(), SharedCapacity(), sharing(n, g), devices=[compiling.name])


def test_the_bounds_know_that_items_share_a_capacity() -> None:
    knapsacks = MultipleKnapsack(np.array([10, 10, 10]), np.array([4, 4, 4]), np.array([5, 5]))
    assert Surrogate().lower(knapsacks, {"profit": 0, "left": np.array([5, 5]), "x": np.zeros(3)}, 0) == -25
    shared = KnapsackSharing(np.array([10, 10]), np.array([4, 6]), np.array([0, 1]), 5)
    assert (
        SharedCapacity().lower(shared, {"left": 5, "shares": np.zeros(2, int), "x": np.zeros(2)}, 0) == -6
    )  # 2 + 3 of 5
    assert run(BranchAndBound(KnapsackSharingTree()), shared, stop=MINUTE).cost == 0


@pytest.mark.parametrize(
    ("tree", "problem"), [(MultipleKnapsackTree(), several(30, 3)), (KnapsackSharingTree(), sharing(30, 3))]
)
def test_thirty_items_are_proven(tree: Branching[Problem], problem: Problem) -> None:
    result = run(BranchAndBound(tree), problem, stop=MINUTE)
    assert result.proof is not None
    assert result.proof.status == "optimal"
    assert problem.displayed(problem.cost(result.solution)) == result.cost == result.proof.bound


def test_what_the_trees_cannot_be_made_of_is_refused() -> None:
    for tree in (MultipleKnapsackTree(), KnapsackSharingTree()):
        with pytest.raises(InputError, match="this is a OneMax"):
            run(BranchAndBound(tree), OneMax(5), stop=MINUTE)
    profits, weights = np.array([2**31]), np.array([2**32])
    with pytest.raises(InputError, match="multiplies weights up to 4294967296 by profits up to 2147483648"):
        run(BranchAndBound(MultipleKnapsackTree()), MultipleKnapsack(profits, weights, np.array([1])), stop=MINUTE)
    with pytest.raises(InputError, match="which overflows int64"):
        run(BranchAndBound(KnapsackSharingTree()), KnapsackSharing(profits, weights, np.array([0]), 1), stop=MINUTE)
