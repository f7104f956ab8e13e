"""The tree of the multidimensional knapsack: against brute force, published optima, and in both halves."""

from pathlib import Path

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.problems import Knapsack, OneMax
from metaheur.problems.knapsack_multipliers import PROFITS, SCALE, multipliers, proven
from metaheur.problems.trees.cardinality_tree import CardinalityTree, LargestReduced
from metaheur.problems.trees.multi_knapsack_tree import Lagrangian, MultiKnapsackTree
from metaheur.testing import check_bound, check_branching
from metaheur.tree import BranchAndBound, DepthFirst, Explorers

MINUTE = stop.seconds(60)


def knapsack(n: int, m: int) -> Knapsack:
    random = np.random.default_rng(10 * n + m)
    weights = random.integers(0, 30, (m, n))
    return Knapsack(random.integers(1, 30, n), weights, weights.sum(axis=1) // 2)


@pytest.mark.parametrize(("n", "m", "vectors"), [(7, 1, 1), (7, 4, 3)])
def test_the_tree_and_its_bound_are_right_in_both_halves(n: int, m: int, vectors: int, compiling: Device) -> None:
    problem, tree = knapsack(n, m), MultiKnapsackTree(vectors=vectors)
    check_branching(tree, problem, devices=[compiling.name])
    check_bound(tree, Lagrangian(), problem, devices=[compiling.name])


@pytest.mark.parametrize(("n", "m", "vectors"), [(6, 1, 1), (5, 3, 4)])
def test_the_tree_by_cardinality_is_right_in_both_halves(n: int, m: int, vectors: int, compiling: Device) -> None:
    problem, tree = knapsack(n, m), CardinalityTree(vectors=vectors)
    check_branching(tree, problem, devices=[compiling.name])
    check_bound(tree, LargestReduced(), problem, devices=[compiling.name])


def test_both_trees_prove_the_same_optimum(device: str) -> None:
    problem = knapsack(16, 3)
    trees = MultiKnapsackTree(), CardinalityTree(vectors=2)
    costs = [run(BranchAndBound(tree), problem, stop=MINUTE, parallel=device).cost for tree in trees]
    assert costs[0] == costs[1]


def test_where_the_best_completion_is_known_nothing_is_branched(device: str) -> None:
    problem, tree = knapsack(24, 4), MultiKnapsackTree(last=10)
    best = run(BranchAndBound(tree, order=Explorers()), problem, stop=MINUTE, parallel=device).cost
    proof = run(BranchAndBound(tree, order=Explorers(), cutoff=best), problem, stop=MINUTE, parallel=device).proof
    assert proof is not None
    assert (proof.status, proof.counts.deepest) == ("infeasible", 14)


def test_three_vectors_leave_out_half_of_the_nodes_of_thirty_constraints(data_folder: Path) -> None:
    """30.100-00, far above its best known solution, so that the tree is small."""
    problem, counts = Knapsack.from_file(data_folder / "knapsack/mkp_orlib/mknapcb7.txt"), []
    for vectors in (1, 3):
        search = BranchAndBound(MultiKnapsackTree(vectors=vectors), cutoff=22_550)
        proof = run(search, problem, stop=MINUTE).proof
        assert proof is not None
        assert (proof.status, proof.bound) == ("infeasible", 22_550)
        counts.append(proof.counts.kept)
    assert counts[1] < counts[0] / 2


def test_coarse_tables_give_the_same_bound(compiling: Device) -> None:
    """Numbers are large and differ little, so that a cell has the profits of many sets, and a level many slacks."""
    few = knapsack(10, 2)
    weights = 3000 + few.weights
    problem, tree = Knapsack(500_000 + few.profits, weights, weights.sum(axis=1) // 2), MultiKnapsackTree()
    sets = tree._sets(problem)
    assert len(np.unique(sets.profits >> sets.coarse)) < len(sets.profits) // 2
    assert sets.shifts.min() > 5
    check_bound(tree, Lagrangian(), problem, devices=[compiling.name])


def test_any_multipliers_give_a_bound() -> None:
    check_bound(MultiKnapsackTree(iterations=0), Lagrangian(), knapsack(8, 3), devices=[])


def relaxed(problem: Knapsack, u: np.ndarray) -> float:
    """The Lagrangian bound of the profit."""
    reduced = problem.profits - u @ problem.weights
    return float(u @ problem.capacities + np.maximum(reduced, 0).sum())


def test_multipliers_come_near_to_those_of_the_linear_programme(data_folder: Path) -> None:
    """The bounds are those that HiGHS found."""
    for name, bound in (("mknapcb1.txt", 24585.9027), ("mknapcb4.txt", 23480.6394)):
        problem = Knapsack.from_file(data_folder / "knapsack/mkp_orlib" / name)
        assert bound <= relaxed(problem, multipliers(problem) / 2**16) < bound + 0.1


@pytest.mark.parametrize("order", [DepthFirst(), Explorers()], ids=repr)
def test_published_optima_are_proven(data_folder: Path, order: DepthFirst | Explorers) -> None:
    for number, optimum in ((1, 24381), (2, 24274)):
        problem = Knapsack.from_file(data_folder / "knapsack/mkp_orlib/mknapcb1.txt", number=number)
        search = BranchAndBound(MultiKnapsackTree(), order=order, cutoff=optimum - 1)
        result = run(search, problem, stop=MINUTE)
        assert result.proof is not None
        assert (result.proof.status, result.cost) == ("optimal", optimum)


def test_what_the_tree_cannot_be_made_of_is_refused() -> None:
    with pytest.raises(InputError, match="this is a OneMax"):
        run(BranchAndBound(MultiKnapsackTree()), OneMax(5), stop=MINUTE)
    many = Knapsack.single(np.ones(1500, int), np.ones(1500, int), 1)
    with pytest.raises(InputError, match="are the limit"):
        run(BranchAndBound(CardinalityTree()), many, stop=MINUTE)
    with pytest.raises(InputError, match="vectors"):
        MultiKnapsackTree(vectors=0)
    with pytest.raises(InputError, match="last"):
        MultiKnapsackTree(last=21)
    with pytest.raises(InputError, match="int64 would overflow"):
        run(BranchAndBound(MultiKnapsackTree()), Knapsack.single([2**31], [1], 1), stop=MINUTE)


@pytest.mark.parametrize("start", [(1, 0, 1, 1, 1, 0, 1, 1), (0,) * 8])
def test_a_capacity_just_below_all_weights_does_not_overflow(start: tuple[int, ...], device: str) -> None:
    """A relaxation that overshoots by 1 makes the steps of the multipliers as long as can be."""
    profits = [119273613, 15223236, 61978494, 107584317, 48449489, 64846491, 38790014, 108143451]
    weights = [40554717, 27413597, 20136731, 782029, 59763774, 31500180, 31527539, 57326446]
    problem = Knapsack.single(profits, weights, sum(weights) - 1)
    optimum = sum(profits) - min(profits)
    for tree in (MultiKnapsackTree(), CardinalityTree()):
        result = run(BranchAndBound(tree), problem, stop=MINUTE, start=start, parallel=device)
        assert result.proof is not None
        assert (result.proof.status, result.cost, result.proof.bound) == ("optimal", optimum, optimum)


def test_multipliers_fit_the_numbers_of_nodes() -> None:
    """Two light items of much profit: with the best multiplier, the reduced profit of a heavy one would overflow."""
    problem = Knapsack.single([2**28, 2**28, 1], [1, 1, 2**29], 1)
    u = multipliers(problem)
    assert 0 < int(u[0]) * (2**29 + 2) < PROFITS << SCALE
    assert proven(problem, u) is u
    assert proven(problem, np.array([2**28 << SCALE])).tolist() == [0]  # would not fit
    assert proven(Knapsack.single([1], [1], 1), np.array([2 << SCALE])).tolist() == [0]  # a bound of 2, not of 1
    for tree in (MultiKnapsackTree(), MultiKnapsackTree(vectors=3), CardinalityTree()):
        assert run(BranchAndBound(tree), problem, stop=MINUTE, parallel="numpy").cost == 2**28
