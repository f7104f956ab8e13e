"""Every tree of metaheur, in every order: after each batch, and after a pause, the same nodes wait on every device."""

import pytest

from metaheur.device.device import Device
from metaheur.testing import check_search
from metaheur.tree import Beam, BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order
from tests.tree.trees import TREES

ORDERS: list[Order] = [DepthFirst(8), BreadthFirst(16), BestFirst(8), Beam(20, batch=16), Explorers(6, 30)]


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: type(order).__name__)
@pytest.mark.parametrize("name", TREES)
def test_the_same_nodes_wait_everywhere(name: str, order: Order, compiling: Device) -> None:
    parts, problem = TREES[name]
    if parts.dominance and isinstance(order, Explorers):
        pytest.skip("explorers compare no nodes")
    search = BranchAndBound(parts.branching, parts.bound, order=order, dominance=parts.dominance)
    check_search(search, problem, iterations=12, devices=[compiling.name])
