"""The knapsack tree, its bound and its dominance: against brute force, published optima, and in both halves."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.problems import Knapsack, OneMax
from metaheur.problems.trees.knapsack_tree import LARGEST_TABLE, Dantzig, KnapsackTree, LighterAndDearer
from metaheur.testing import check_bound, check_branching, check_dominance
from metaheur.tree import BranchAndBound, BreadthFirst, DepthFirst


def instance(n: int, scale: int = 1) -> Knapsack:
    random = np.random.default_rng(n)
    weights = random.integers(0, 9, n) * scale
    return Knapsack.single(weights + random.integers(0, 4, n), weights, int(weights.sum()) // 2)


@pytest.mark.parametrize("scale", [1, 10**8], ids=["table of completions, int32", "no table, int64"])
def test_the_tree_and_what_prunes_it_are_right_in_both_halves(scale: int, compiling: Device) -> None:
    knapsack = instance(9, scale)
    check_branching(KnapsackTree(), knapsack, devices=[compiling.name])
    check_bound(KnapsackTree(), Dantzig(), knapsack, devices=[compiling.name])
    check_dominance(KnapsackTree(), LighterAndDearer(), knapsack, devices=[compiling.name])


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=7), st.integers(0, 40))
def test_the_tree_is_right_whatever_the_items_are(items: list[tuple[int, int]], capacity: int) -> None:
    profits, weights = zip(*items, strict=True)
    knapsack = Knapsack.single(profits, weights, capacity)
    check_branching(KnapsackTree(), knapsack, devices=[])
    check_bound(KnapsackTree(), Dantzig(), knapsack, devices=[])


def test_a_table_that_would_be_too_large_is_left_out() -> None:
    for weight, tabulated in ((LARGEST_TABLE // 8, True), (LARGEST_TABLE // 2, False)):
        knapsack = Knapsack.single([3] * 4, [weight] * 4, 2 * weight)
        assert Dantzig().constants(knapsack) == {"tabulated": tabulated}


def test_the_bound_is_dantzigs() -> None:
    knapsack = Knapsack.single([12, 9, 6], [6, 5, 4], 10)  # the first, and 4/5 of the second
    root = KnapsackTree().root_nodes(knapsack)[0]
    assert Dantzig().lower(knapsack, root, 0) == -(12 + 4 * 9 // 5)
    assert Dantzig().upper(knapsack, root, 0) == -(12 + 6)


def test_breadth_first_branches_the_nodes_that_the_paper_s_algorithm_creates() -> None:
    """Counted by a program of its own: each node whose bound is above the level's incumbent creates one, x_k = 0."""
    knapsack = Knapsack.boukedjar(40, 7)
    result = run(BranchAndBound(KnapsackTree(), order=BreadthFirst()), knapsack, stop=stop.seconds(60))
    assert result.proof is not None
    assert result.proof.counts.branched == created_by_the_paper(knapsack)


def created_by_the_paper(knapsack: Knapsack) -> int:
    """Boukedjar, Lalami and El Baz 2012, in plain loops: lists of (w, p, s), level by level."""
    items = zip(knapsack.profits.tolist(), knapsack.weights[0].tolist(), strict=True)
    pairs = sorted(items, key=lambda item: -item[0] / item[1])
    n, capacity, created = len(pairs), int(knapsack.capacities[0]), 0

    def filled(w: int, p: int, s: int) -> tuple[int, int, int]:
        while s < n and w + pairs[s][1] <= capacity:
            w, p, s = w + pairs[s][1], p + pairs[s][0], s + 1
        return w, p, s

    def bounds(w: int, p: int, s: int) -> tuple[int, int]:
        upper = p + ((capacity - w) * pairs[s][0] // pairs[s][1] if s < n else 0)
        for profit, weight in pairs[s:]:
            if w + weight <= capacity:
                w, p = w + weight, p + profit
        return upper, p

    nodes, best = [filled(0, 0, 0)], 0
    for k in range(n):
        best = max([best, *(bounds(*node)[1] for node in nodes)])
        following = []
        for w, p, s in nodes:
            if bounds(w, p, s)[0] <= best:
                continue
            created += 1
            if k < s:
                following += [(w, p, s), filled(w - pairs[k][1], p - pairs[k][0], s)]
            else:
                following.append(filled(w, p, k + 1))
        nodes = following
    return created


@pytest.mark.parametrize("name", ["knapPI_1_100_1000.csv", "knapPI_11_50_1000.csv"])
def test_published_optima_are_proven(data_folder: Path, name: str) -> None:
    from metaheur.problems.formats.pisinger import read_pisinger

    for number, instance in enumerate(read_pisinger(data_folder / "knapsack/pisinger_csv" / name)[:5], 1):
        search = BranchAndBound(KnapsackTree(), dominance=LighterAndDearer(), order=DepthFirst())
        result = run(search, Knapsack.from_instance(instance), stop=stop.seconds(60))
        assert result.proof is not None
        assert (result.proof.status, result.cost) == ("optimal", instance.optimum), number


def test_products_just_below_int64_are_exact(device: str) -> None:
    """The first two fit; 3,037,000,499 squared is the largest square below 2**63."""
    most = 3_037_000_499
    knapsack = Knapsack.single([most, most - 1, most - 2, 5], [most, most - 9, most - 1, 7], 2 * most)
    result = run(BranchAndBound(KnapsackTree()), knapsack, stop=stop.seconds(60), parallel=device)
    assert result.proof is not None
    assert (result.proof.status, result.cost) == ("optimal", 2 * most - 1 + 5 * (most + most - 9 + 7 <= 2 * most))
    with pytest.raises(InputError, match="overflows int64"):
        run(BranchAndBound(KnapsackTree()), Knapsack.single([most + 1], [most + 1], 1), stop=stop.seconds(60))


def test_what_the_tree_cannot_be_made_of_is_refused() -> None:
    with pytest.raises(InputError, match="this is a OneMax"):
        run(BranchAndBound(KnapsackTree()), OneMax(5), stop=stop.seconds(1))
    two = Knapsack(np.array([1]), np.array([[1], [1]]), np.array([1, 1]))
    with pytest.raises(InputError, match="MultiKnapsackTree"):
        run(BranchAndBound(KnapsackTree()), two, stop=stop.seconds(1))
    with pytest.raises(InputError, match="overflows"):
        run(BranchAndBound(KnapsackTree()), Knapsack.single([2**50], [2**50], 1), stop=stop.seconds(1))


@pytest.mark.parametrize("n", [100, 500])
def test_trees_of_uncorrelated_items_have_too_few_nodes_for_a_gpu(n: int) -> None:
    for seed in range(3):
        weights, profits = np.random.default_rng(seed).integers(1, 101, (2, n))
        problem = Knapsack.single(profits, weights, int(weights.sum()) // 2)
        result = run(BranchAndBound(KnapsackTree(), order=BreadthFirst()), problem, stop=stop.seconds(60))
        assert result.proof is not None
        assert result.proof.status == "optimal"
        assert result.proof.counts.branched < 1000
