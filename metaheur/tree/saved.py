"""Checks of the state of an exact search from a file: its nodes and solutions must belong to the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from attrs import astuple

from metaheur.errors import InputError
from metaheur.evaluators.saved import require_arrays, require_solution
from metaheur.problem import Problem
from metaheur.tree.branching import Branching
from metaheur.tree.expander import as_bytes, as_nodes
from metaheur.tree.order import Explorers, Frontier, Order
from metaheur.tree.part import Nodes, nodes_of
from metaheur.tree.state import TreeState

__all__ = ["require_tree", "retraced"]

Arrays = Mapping[str, np.ndarray]


def require_tree(
    branching: Branching[Any], order: Order, state: TreeState, problem: Problem, *, keep: int | str
) -> None:
    """Refuse a state of an exact search with nodes or solutions that the tree does not have.

    No check can see whether an open node is missing, or whether a bound is too high: a person who changes a checkpoint
    on purpose can change the proof.

    `branching`, `order`: the branching and the order of the search. `state`: the state that was read from a file.
    `keep`: how many of the best solutions the search keeps.
    """
    counts = astuple(state.counts)
    if any(type(count) is not int or not 0 <= count <= 2**62 for count in counts):
        raise InputError(f"its tree counts {counts}.")
    best = state.walk.best
    if state.feasible and not branching.holds(problem, best.solution):
        raise InputError("its best solution is marked as a solution of the tree, but the tree does not have it.")
    if state.begun:
        _require_open(branching, order, state.open, problem)
    if state.best:
        _require_kept(branching, keep, state.best, problem)


def _require_kept(branching: Branching[Any], keep: int | str, kept: Arrays, problem: Problem) -> None:
    """Refuse kept solutions that the tree does not have."""
    solutions, costs = kept["solutions"], kept["costs"]
    most = keep if isinstance(keep, int) else len(costs)
    if len(solutions) != len(costs) or len(costs) > most:
        raise InputError(f"it keeps {len(solutions)} solutions and {len(costs)} costs of {keep} solutions.")
    for row, (solution, cost) in enumerate(zip(solutions, costs.tolist(), strict=True)):
        require_solution(problem, solution, cost, f"kept {row}")
        if not branching.holds(problem, solution):
            raise InputError(f"the kept solution {row} is not one of the tree.")


def _require_open(branching: Branching[Any], order: Order, saved: Arrays, problem: Problem) -> None:
    """Refuse open nodes that the tree does not have, or that cannot be open."""
    dtype, levels = branching.node_type(problem), branching.levels(problem)
    if isinstance(order, Explorers):
        depths = _explored(order, saved, [branching.arity(problem, depth) for depth in range(levels)])
    else:
        depths = _waiting(order, saved)
    if saved["nodes"].shape != (len(depths), dtype.itemsize) or saved["lowers"].shape != depths.shape:
        raise InputError(
            f"it lists {len(depths)} open nodes of {dtype.itemsize} bytes, but has {saved['nodes'].shape} bytes, and "
            f"bounds of {saved['lowers'].shape}."
        )
    if ((depths < 0) | (depths >= levels)).any():
        raise InputError(f"it has open nodes at the depths {depths.min()} ... {depths.max()} of {levels} levels.")
    nodes = as_nodes(saved["nodes"], dtype)
    fields = {name: nodes[name] for name in dtype.names or ()}
    require_arrays(branching.node(problem), fields, problem, "an open node")
    if (same := retraced(branching, problem, nodes, depths)) is not None and not same.all():
        raise InputError(f"its open node {int(np.argmin(same))} is not one of the tree.")


def _waiting(order: Order, saved: Arrays) -> np.ndarray:
    """The depths of the open nodes in chunks."""
    chunks = saved["chunks"]
    if chunks.shape[1:] != (2,) or saved["level"].shape != (4,) or (chunks[:, 1] < 1).any():
        raise InputError(f"it has chunks of nodes of {chunks.tolist()}, at the level {saved['level'].tolist()}.")
    depths, counts = chunks.T
    if (counts > len(saved["nodes"])).any():
        raise InputError(f"it lists a chunk of {counts.max()} nodes, but has {len(saved['nodes'])}.")
    level = int(saved["level"][0])
    allowed = {level, level + 1} if len(depths) and depths[0] == level else set(depths[:1].tolist())
    by_levels = isinstance(order, Frontier) and order.by_levels
    if by_levels and not ((np.diff(depths) >= 0).all() and set(depths.tolist()) <= allowed):
        raise InputError(f"nodes of the depths {depths.tolist()} wait together, but the level is {level}.")
    repeated: np.ndarray = np.repeat(depths, counts)
    return repeated


def _explored(order: Explorers, saved: Arrays, arities: list[int]) -> np.ndarray:
    """The depths of the nodes on the stacks of explorers."""
    heights, entries, begun = saved["heights"], saved["entries"], saved["round"].tolist()
    levels, count = len(arities), order.count
    if heights.shape != (count,) or ((heights < 0) | (heights > levels)).any() or heights.sum() != len(entries):
        raise InputError(f"{len(heights)} explorers of {count} have {len(entries)} nodes, {heights.sum()} in stacks.")
    if entries.shape[1:] != (3,):
        raise InputError(f"its explorers have entries of {entries.shape}.")
    if begun and (len(begun) != 3 or not 0 <= begun[0] <= count or not 1 <= begun[2] <= order.steps):
        raise InputError(f"a round of {count} explorers has begun as {begun}.")
    depths: np.ndarray = entries[:, 0]
    cursors, limits = entries[:, 1], entries[:, 2]
    if len(depths) and (depths.min() < 0 or depths.max() >= levels):
        raise InputError(f"its explorers are at the depths {depths.min()} ... {depths.max()} of {levels} levels.")
    if ((cursors < 0) | (cursors >= limits) | (limits > np.array(arities)[depths])).any():
        raise InputError("an explorer is to try children that its node does not have.")
    deeper, first = np.diff(depths) > 0, np.cumsum(heights)[:-1]
    deeper[first[(first > 0) & (first < len(depths))] - 1] = True  # the bottom of another stack
    if not deeper.all():
        raise InputError("the nodes on the stack of an explorer do not descend from each other.")
    return depths


def retraced(branching: Branching[Any], problem: Problem, nodes: Nodes, depths: np.ndarray) -> np.ndarray | None:
    """Which nodes can be made from the root by their own decisions.

    `branching`: the tree. `nodes`: shape (m,). `depths`, int, shape (m,): the depth of each node, in 0 ... levels.
    Returns bool, shape (m,), or None: None if the tree does not say which child leads `toward` a node.
    """
    plain = as_bytes(nodes_of(nodes.dtype, {name: nodes[name] for name in nodes.dtype.names or ()}, len(nodes)))
    same, known, of = np.zeros(len(nodes), bool), branching.root_nodes(problem), np.zeros(len(nodes), np.int64)
    going = np.arange(len(nodes))
    for depth in range(int(depths.max(initial=-1)) + 1):
        here = going[depths[going] == depth]
        same[here] = (as_bytes(known)[of[here]] == plain[here]).all(axis=1)
        going = going[depths[going] > depth]
        if not len(going):
            break
        numbers = branching.toward(problem, known[of[going]], nodes[going], depth)
        if numbers is None:
            return None
        arity = branching.arity(problem, depth)
        there = (numbers >= 0) & (numbers < arity)
        going, numbers = going[there], numbers[there]
        pairs, of[going] = np.unique(of[going] * arity + numbers, return_inverse=True)
        known, exist = _children(branching, problem, known, depth, np.divmod(pairs, arity))
        going = going[exist[of[going]]]
    return same


def _children(
    branching: Branching[Any], problem: Problem, fathers: Nodes, depth: int, pairs: tuple[np.ndarray, np.ndarray]
) -> tuple[Nodes, np.ndarray]:
    """The children with given numbers of given fathers, and which of them exist."""
    of, numbers = pairs
    made, exist = np.zeros(len(of), fathers.dtype), np.zeros(len(of), bool)
    for k in np.unique(numbers).tolist():
        which = np.flatnonzero(numbers == k)
        fields, exist[which] = branching.children(problem, fathers[of[which]], depth, k)
        made[which] = nodes_of(fathers.dtype, fields, len(which))
    return made, exist
