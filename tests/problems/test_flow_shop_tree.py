"""The flow-shop tree and its bounds: against brute force, published counts, and in both halves."""

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.problems import FlowShop, OneMax
from metaheur.problems.flow_shop_tree import FlowShopTree, OneMachine, TwoMachines
from metaheur.testing import check_bound, check_branching
from metaheur.tree import BranchAndBound, DepthFirst, Explorers, Order

MINUTE = stop.seconds(60)

OPTIMIZED = True  # millions of nodes


def flow_shop(n: int, m: int) -> FlowShop:
    return FlowShop(np.random.default_rng(10 * n + m).integers(0, 30, (n, m)))


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize(("n", "m"), [(5, 4), (4, 1)])
def test_the_tree_and_its_bounds_are_right_in_both_halves(n: int, m: int, backward: bool, compiling: Device) -> None:
    problem, tree, devices = flow_shop(n, m), FlowShopTree(backward), [compiling.name]
    check_branching(tree, problem, devices=devices)
    check_bound(tree, OneMachine(backward), problem, devices=devices)
    check_bound(tree, TwoMachines(backward), problem, devices=devices)


def test_two_machines_bound_at_least_what_one_does() -> None:
    problem, tree = flow_shop(7, 5), FlowShopTree()
    nodes = tree.root_nodes(problem)
    for depth in range(3):
        one, two = (bound.lowers(problem, nodes, depth) for bound in (OneMachine(), TwoMachines()))
        assert (one <= two).all()
        fields, _ = tree.children(problem, nodes, depth, 2)
        for name, values in fields.items():
            nodes[name] = values


@pytest.mark.parametrize("order", [DepthFirst(1 << 14), Explorers(64, 20_000)], ids=repr)
def test_one_machine_keeps_the_published_number_of_nodes(order: Order) -> None:
    """ta014 from its optimum: 2,573,652 nodes in G. Helbecque's program, forward and with lb >= ub pruned."""
    search = BranchAndBound(FlowShopTree(), OneMachine(), cutoff=1377, order=order)
    result = run(search, FlowShop.taillard(14), stop=MINUTE, parallel="host")
    assert result.proof is not None
    assert result.proof.counts.kept == 2_573_652
    assert (result.proof.status, result.proof.bound) == ("infeasible", 1377)


def test_two_machines_keep_the_published_number_of_nodes() -> None:
    """144,639 nodes in the same program."""
    search = BranchAndBound(FlowShopTree(), TwoMachines(), cutoff=1377)
    result = run(search, FlowShop.taillard(14), stop=MINUTE, parallel="host")
    assert result.proof is not None
    assert result.proof.counts.kept == 144_639


@pytest.mark.parametrize("backward", [False, True])
def test_the_same_makespan_is_proven_from_both_ends(backward: bool, device: str) -> None:
    problem = flow_shop(7, 3)
    result = run(BranchAndBound(FlowShopTree(backward)), problem, stop=MINUTE, parallel=device)
    two = BranchAndBound(FlowShopTree(not backward), TwoMachines(not backward))
    assert result.cost == run(two, problem, stop=MINUTE).cost == problem.cost(result.solution)


def test_what_the_tree_cannot_be_made_of_is_refused() -> None:
    with pytest.raises(InputError, match="this is a OneMax"):
        run(BranchAndBound(FlowShopTree()), OneMax(5), stop=MINUTE)
    late = FlowShop(np.ones((3, 2), int), due_dates=np.ones(3, int))
    with pytest.raises(InputError, match="due dates"):
        run(BranchAndBound(FlowShopTree()), late, stop=MINUTE)
    with pytest.raises(InputError, match="int32"):
        run(BranchAndBound(FlowShopTree()), FlowShop(np.full((3, 2), 2**30)), stop=MINUTE)
