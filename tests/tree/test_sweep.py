"""Compiled code and the Python halves agree on the nodes that a dominance leaves, and on their order."""

import numpy as np
import pytest

from metaheur.tree.chunk import OpenNodes
from metaheur.tree.expander import Expander, Rules, as_nodes
from metaheur.tree.host_expander import HostExpander
from metaheur.tree.numpy_expander import NumpyExpander
from metaheur.tree.part import NO_COST
from tests.tree.trees import TREES


@pytest.fixture(scope="module")
def expanders() -> tuple[Expander, Expander]:
    parts, problem = TREES["KnapsackTree, dominance"]
    return HostExpander(parts, problem), NumpyExpander.of(parts, problem)


@pytest.mark.parametrize("runs", [1, 2, 8, 9, 360])
def test_nodes_are_left_in_the_order_of_their_keys(runs: int, expanders: tuple[Expander, Expander]) -> None:
    host, reference = expanders
    level, dominance = reference.root(), reference.parts.dominance
    assert dominance
    for _ in range(6):
        level = reference.expand(level, Rules(NO_COST, 1)).left
    level = level.picked(np.resize(np.arange(len(level)), 720))  # most of them several times

    def keys(chunk: OpenNodes) -> np.ndarray:
        return dominance.keys(reference.problem, as_nodes(chunk.nodes, reference.dtype), chunk.depth)

    ascending = np.lexsort(keys(level).T[::-1])
    mixed = level.picked(ascending.reshape(runs, -1)[::-1].T.reshape(-1))  # so many ascending runs
    expected, left = reference.swept(mixed), host.swept(mixed)
    assert 1 < len(expected) < len(level) / 11
    assert left.nodes.tolist() == expected.nodes.tolist()
    assert (left.lowers.tolist(), left.lowest) == (expected.lowers.tolist(), expected.lowers.min())
    assert (np.diff(keys(left)[:, 0]) > 0).all()
