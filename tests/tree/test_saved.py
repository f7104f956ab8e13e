"""The open nodes of a file must be nodes of the tree, at their depths; otherwise the file is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import snapshot
from metaheur.door.states import initial_states
from metaheur.errors import InputError
from metaheur.parallel import IterationLevel
from metaheur.problem import Problem
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.random import Key
from metaheur.running.view import Until
from metaheur.tree import BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers
from metaheur.tree.expander import as_nodes
from metaheur.tree.saved import retraced
from metaheur.tree.state import TreeState
from tests.tree.toys import Bits, linear
from tests.tree.trees import TREES, knapsack

KNAPSACK = knapsack(18)
DEPTH_FIRST = BranchAndBound(KnapsackTree(), order=DepthFirst(4))
BREADTH_FIRST = BranchAndBound(KnapsackTree(), order=BreadthFirst(4))
EXPLORERS = BranchAndBound(KnapsackTree(), order=Explorers(5, 9))
FIVE = BranchAndBound(KnapsackTree(), order=DepthFirst(4), keep=5)


def walked(search: BranchAndBound, problem: Problem = KNAPSACK, rounds: int = 4) -> TreeState:
    """The state of a search after some rounds."""
    runner = IterationLevel("numpy").bind(search, problem)
    walks = runner.load(initial_states(search, problem, [Key(1)]))
    state: TreeState = snapshot(runner.advance(walks, Until(rounds)).walks.state(0))
    assert len(state.open["nodes"])
    return state


def depths_of(state: TreeState) -> np.ndarray:
    if "entries" in state.open:
        return np.array(state.open["entries"][:, 0])
    depths: np.ndarray = np.repeat(*state.open["chunks"].T)
    return depths


@pytest.mark.parametrize("order", [DepthFirst(8), BestFirst(8), Explorers(6, 30)], ids=repr)
@pytest.mark.parametrize("name", TREES)
def test_open_nodes_are_made_anew_by_their_own_decisions(name: str, order: Any) -> None:
    parts, problem = TREES[name]
    search = BranchAndBound(parts.branching, parts.bound, order=order)
    state = walked(search, problem, 3)
    nodes, depths = as_nodes(state.open["nodes"], parts.branching.node_type(problem)), depths_of(state)
    search.require_state(state, problem)
    assert depths.max() > 1
    for field in nodes.dtype.names or ():
        for i in {0, len(nodes) - 1}:
            wrong = nodes.copy()
            values = wrong[field].reshape(len(wrong), -1)
            values[i, 0] ^= 1 if values.dtype != bool else True
            same = retraced(parts.branching, problem, wrong, depths)
            assert same is not None
            assert not same[i]
            assert same.sum() == len(nodes) - 1


def test_a_node_at_another_depth_is_refused() -> None:
    state = walked(DEPTH_FIRST)
    state.open["chunks"][-1, 0] += 1
    with pytest.raises(InputError, match=r"its open node .* is not one of the tree"):
        DEPTH_FIRST.require_state(state, KNAPSACK)


def set_(name: str, at: Any, value: Any) -> Callable[[TreeState], TreeState]:
    def change(state: TreeState) -> TreeState:
        (state.best if name in state.best else state.open)[name][at] = value
        return state

    return change


def cut(name: str) -> Callable[[TreeState], TreeState]:
    return lambda state: evolve(state, open={**state.open, name: state.open[name][:-1]})


@pytest.mark.parametrize(
    ("search", "change", "message"),
    [
        (DEPTH_FIRST, set_("chunks", (0, 1), 0), "it has chunks of nodes of"),
        (DEPTH_FIRST, set_("chunks", (0, 1), -1), "it has chunks of nodes of"),
        (DEPTH_FIRST, set_("chunks", (0, 1), 2**62), "it lists a chunk of 4611686018427387904 nodes"),
        (DEPTH_FIRST, set_("chunks", (0, 0), 18), r"at the depths .* 18 of 18 levels"),
        (DEPTH_FIRST, set_("chunks", (0, 0), -1), "at the depths -1"),
        (DEPTH_FIRST, cut("nodes"), "it lists .* open nodes of"),
        (DEPTH_FIRST, cut("lowers"), "it lists .* open nodes of"),
        (DEPTH_FIRST, cut("level"), "it has chunks of nodes of"),
        (BREADTH_FIRST, set_("chunks", (-1, 0), 11), "wait together, but the level is"),
        (EXPLORERS, cut("heights"), "4 explorers of 5 have"),
        (EXPLORERS, set_("heights", 0, 99), "5 explorers of 5 have"),
        (EXPLORERS, set_("heights", 0, -1), "5 explorers of 5 have"),
        (EXPLORERS, set_("entries", (0, 0), 18), "at the depths .* 18 of 18 levels"),
        (EXPLORERS, set_("entries", (0, 1), -1), "is to try children that its node does not have"),
        (EXPLORERS, set_("entries", (0, 1), 2), "is to try children that its node does not have"),
        (EXPLORERS, set_("entries", (0, 2), 3), "is to try children that its node does not have"),
        (EXPLORERS, lambda state: evolve(state, open={**state.open, "round": np.array([6, 0, 1])}), "has begun as"),
        (EXPLORERS, lambda state: evolve(state, open={**state.open, "round": np.array([0, 0, 10])}), "has begun as"),
        (FIVE, set_("costs", 0, -1), "the kept 0 cost is saved as -1"),
        (FIVE, lambda state: evolve(state, best={**state.best, "costs": state.best["costs"][:-1]}), "it keeps 5 sol"),
        (FIVE, lambda s: evolve(s, best={n: np.repeat(v, 2, axis=0) for n, v in s.best.items()}), "it keeps 10 sol"),
        (DEPTH_FIRST, lambda state: evolve(state, counts=evolve(state.counts, bounded=-1)), "its tree counts"),
    ],
)
def test_nodes_that_cannot_be_open_are_refused(
    search: BranchAndBound, change: Callable[[TreeState], TreeState], message: str
) -> None:
    state = walked(search, rounds={DEPTH_FIRST: 12, BREADTH_FIRST: 12, EXPLORERS: 4, FIVE: 24}[search])
    search.require_state(state, KNAPSACK)
    with pytest.raises(InputError, match=message):
        search.require_state(change(state), KNAPSACK)


def test_a_stack_whose_nodes_do_not_descend_from_each_other_is_refused() -> None:
    state = walked(EXPLORERS, rounds=4)
    stack = int(np.argmax(state.open["heights"] > 1))
    assert state.open["heights"][stack] > 1
    first = int(state.open["heights"][:stack].sum())
    for name in ("entries", "nodes", "lowers"):
        state.open[name][first + 1] = state.open[name][first]
    with pytest.raises(InputError, match="do not descend from each other"):
        EXPLORERS.require_state(state, KNAPSACK)


def test_a_best_solution_that_the_tree_does_not_hold_is_refused() -> None:
    state = walked(DEPTH_FIRST)
    full = np.ones_like(state.walk.best.solution)
    heavy = evolve(state.walk, best=evolve(state.walk.best, solution=full, cost=KNAPSACK.cost(full)))
    with pytest.raises(InputError, match="but the tree does not have it"):
        DEPTH_FIRST.require_state(evolve(state, walk=heavy, feasible=True), KNAPSACK)


def test_nodes_of_a_tree_without_toward_are_checked_by_their_ranges_alone() -> None:
    search, problem = BranchAndBound(Bits(), order=DepthFirst(2)), linear(8)
    state = walked(search, problem, 2)
    nodes = as_nodes(state.open["nodes"], Bits().node_type(problem))
    assert retraced(Bits(), problem, nodes, depths_of(state)) is None
    search.require_state(state, problem)
