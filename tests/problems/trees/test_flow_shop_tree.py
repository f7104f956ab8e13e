"""The flow-shop tree and its bounds: against brute force, published counts, and in both halves."""

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.problems import FlowShop, OneMax
from metaheur.problems.trees.flow_shop_tree import FlowShopTree, OneMachine, TwoMachines
from metaheur.problems.trees.two_ended_flow_shop_tree import BothEnds, TwoEndedFlowShopTree
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


@pytest.mark.parametrize("pruned_from", [None, 140])
def test_the_two_ended_tree_and_its_bound_are_right_in_both_halves(pruned_from: int | None, compiling: Device) -> None:
    problem, tree, devices = flow_shop(5, 4), TwoEndedFlowShopTree(pruned_from), [compiling.name]
    check_branching(tree, problem, devices=devices)
    check_bound(tree, BothEnds(), problem, devices=devices)


def test_both_halves_choose_the_same_end_for_more_jobs_than_a_core_bounds_at_once(compiling: Device) -> None:
    problem, limit = flow_shop(40, 3), stop.iterations(60)
    cutoff = int(problem.times.sum(axis=0).max()) + 30
    search = BranchAndBound(TwoEndedFlowShopTree(cutoff), cutoff=cutoff, order=DepthFirst(16))
    numpy, compiled = (run(search, problem, stop=limit, parallel=each) for each in ("numpy", compiling.name))
    assert numpy.proof is not None
    assert numpy.proof.counts == compiled.proof.counts  # type: ignore[union-attr]
    assert numpy.proof.counts.by_bound > 0


def test_the_next_job_goes_to_the_end_with_fewer_open_children() -> None:
    """Against bounds of children that are made at either end."""
    problem, limit = flow_shop(6, 3), 120
    tree, bound = TwoEndedFlowShopTree(limit), BothEnds()
    nodes, seen = tree.root_nodes(problem), set[bool]()
    for depth in range(5):
        lowers = []
        for at_end in (False, True):
            forced = nodes.copy()
            forced["at_end"] = at_end
            made = [forced.copy() for _ in range(6 - depth)]
            for k, each in enumerate(made):
                for name, values in tree.children(problem, forced, depth, k)[0].items():
                    each[name] = values
            lowers.append(np.stack([bound.lowers(problem, each, depth + 1) for each in made], axis=1))
        for node, forward, backward in zip(nodes, *lowers, strict=True):
            few = [(int((each < limit).sum()), -int(each[each < limit].sum())) for each in (forward, backward)]
            assert bool(node["at_end"]) == (few[1] < few[0])
            seen.add(bool(node["at_end"]))
        grown = [nodes.copy() for _ in range(6 - depth)]
        for k, each in enumerate(grown):
            for name, values in tree.children(problem, nodes, depth, k)[0].items():
                each[name] = values
        nodes = np.concatenate(grown)
    assert seen == {False, True}


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


@pytest.mark.thorough
@pytest.mark.parametrize("order", [DepthFirst(1 << 12), Explorers(64, 2000)], ids=repr)
def test_both_ends_need_a_hundredth_of_the_nodes(order: Order) -> None:
    search = BranchAndBound(TwoEndedFlowShopTree(1377), cutoff=1377, order=order)
    result = run(search, FlowShop.taillard(14), stop=MINUTE, parallel="host")
    assert result.proof is not None
    assert (result.proof.status, result.proof.counts.kept) == ("infeasible", 15_608)


@pytest.mark.parametrize("backward", [False, True])
def test_the_same_makespan_is_proven_from_both_ends(backward: bool, device: str) -> None:
    problem = flow_shop(7, 3)
    result = run(BranchAndBound(FlowShopTree(backward)), problem, stop=MINUTE, parallel=device)
    two = BranchAndBound(FlowShopTree(not backward), TwoMachines(not backward))
    assert result.cost == run(two, problem, stop=MINUTE).cost == problem.cost(result.solution)
    assert result.cost == run(BranchAndBound(TwoEndedFlowShopTree()), problem, stop=MINUTE, parallel=device).cost


def test_what_the_tree_cannot_be_made_of_is_refused() -> None:
    with pytest.raises(InputError, match="this is a OneMax"):
        run(BranchAndBound(FlowShopTree()), OneMax(5), stop=MINUTE)
    with pytest.raises(InputError, match="TwoEndedFlowShopTree divides"):
        run(BranchAndBound(TwoEndedFlowShopTree()), OneMax(5), stop=MINUTE)
    with pytest.raises(InputError, match="pruned_from"):
        TwoEndedFlowShopTree(-1)
    late = FlowShop(np.ones((3, 2), int), due_dates=np.ones(3, int))
    with pytest.raises(InputError, match="due dates"):
        run(BranchAndBound(FlowShopTree()), late, stop=MINUTE)
    with pytest.raises(InputError, match="int32"):
        run(BranchAndBound(FlowShopTree()), FlowShop(np.full((2, 1), 2**30)), stop=MINUTE)
    with pytest.raises(InputError, match=f"add up to {2**64}, beyond the int32"):
        run(BranchAndBound(FlowShopTree()), FlowShop(np.full((128, 128), 2**50)), stop=MINUTE)
    with pytest.raises(InputError, match="up to 32,767 jobs, but this FlowShop has 32,768"):
        run(BranchAndBound(TwoEndedFlowShopTree()), FlowShop(np.ones((2**15, 1), int)), stop=MINUTE)
