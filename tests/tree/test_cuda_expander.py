"""The kernel of a level, on a GPU played by the CPU: it leaves and counts the same nodes as the Python halves."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.problem import Problem
from metaheur.tree import cuda_expander
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.cuda_expander import CudaExpander
from metaheur.tree.expander import Expanded, Expander, Rules, as_nodes
from metaheur.tree.numpy_expander import NumpyExpander
from metaheur.tree.part import NO_COST, Nodes
from metaheur.tree.tree_parts import TreeParts
from tests.tree.emulated import Emulated, arrays
from tests.tree.trees import TREES, knapsack

SMALL: dict[str, tuple[TreeParts, Problem]] = {
    "KnapsackTree, dominance": (TREES["KnapsackTree, dominance"][0], knapsack(8)),
    "KnapsackTree, blocks of 192 threads": (TREES["KnapsackTree, dominance"][0], knapsack(8)),
    "MultiKnapsackTree": (TREES["MultiKnapsackTree"][0], knapsack(6, 3)),
}


@pytest.fixture(params=SMALL)
def pair(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    parts, problem = SMALL[request.param]
    monkeypatch.setattr(cuda_expander, "cupy", lambda: arrays)
    return emulated(parts, problem, tmp_path, 192 if "192" in request.param else 64), NumpyExpander.of(parts, problem)


def emulated(parts: TreeParts, problem: Problem, folder: Path, threads: int = 64) -> Expander:
    device: Any = Emulated(folder)
    return CudaExpander(parts, problem, device, threads)


def facts(expanded: Expanded, expander: Expander) -> Any:
    left, winner = expanded.left, expanded.winner
    nodes, lowers = expander.download(left)
    found = None if winner is None else (winner.cost, winner.depth, plain(winner.node))
    lowest = left.lowest if len(left) else None
    return left.depth, plain(as_nodes(nodes, expander.dtype)), lowers.tolist(), lowest, expanded.counts, found


def plain(nodes: Nodes) -> dict[str, Any]:
    """The fields, without the bytes between them."""
    return {name: nodes[name].tolist() for name in nodes.dtype.names or ()}


def test_every_level_is_the_same(pair: tuple[Expander, Expander]) -> None:
    kernel, reference = pair
    levels, chunk = reference.parts.branching.levels(reference.problem), reference.root()
    for collect, depth in product((False, True), range(levels)):
        chunk = chunk if depth else reference.root()
        rules = Rules(NO_COST, 1 << 16, collect=collect, dominance=depth % 2 == 1)
        expected = reference.expand(chunk, rules)
        assert facts(kernel.expand(chunk, rules), kernel) == facts(expected, reference)
        # the nodes that a better incumbent leaves; so many nodes that a level has several tiles
        later = Rules(int(np.median(chunk.lowers)), 1 << 16, collect=collect)
        assert facts(kernel.expand(chunk, later), kernel) == facts(reference.expand(chunk, later), reference)
        chunk = expected.left
        if 0 < len(chunk) < 40 and depth + 1 < levels:
            chunk = OpenNodes(chunk.depth, np.repeat(chunk.nodes, 9, axis=0), np.repeat(chunk.lowers, 9))
