"""The ends of chunks change nothing in a run, on any device: neither its dates nor its last iteration."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from metaheur import Until, run, stop
from metaheur.parallel import IterationLevel
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.tree import BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order, nodes
from metaheur.tree.engine import BatchReport
from tests.helpers import started
from tests.tree.test_branch_and_bound import knapsack

ORDERS: list[Order] = [DepthFirst(), DepthFirst(3), BreadthFirst(50), BestFirst(8), Explorers(8, 60)]
PROBLEM = knapsack(30)


def advanced(order: Order, device: str, ends: range) -> tuple[list[int], list[tuple[Any, ...]]]:
    """The states of a walk after chunks with these ends, and its improvements."""
    search = BranchAndBound(KnapsackTree(), order=order)
    runner = IterationLevel(device).bind(search, PROBLEM)
    walks = runner.load([started(search, PROBLEM, x=np.zeros(30, np.uint8))])
    found: list[tuple[Any, ...]] = []
    for end in ends:
        chunk = runner.advance(walks, Until(end))
        walks = chunk.walks
        found += chunk.improvements
    counted = (walks.iterations, walks.evaluated, walks.improved_at, walks.best_costs)
    return [int(each[0]) for each in counted], found


@pytest.mark.parametrize("order", ORDERS, ids=repr)
def test_improvements_have_the_same_dates_in_chunks_of_any_length(order: Order, device: str) -> None:
    one_by_one = advanced(order, "numpy", range(1, 13))
    assert one_by_one[1][0][1] == 1  # the solution of the root
    for length in (1, 2, 3, 12):
        assert advanced(order, device, range(length, 13, length)) == one_by_one


def test_the_chunks_are_compared_where_a_call_makes_several_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the test above would compare calls of one round with each other."""
    from metaheur.tree.frontier import FrontierEngine

    advance, rounds = FrontierEngine.advance, list[int]()

    def noted(self: FrontierEngine, *arguments: Any) -> Any:
        made: BatchReport | None = advance(self, *arguments)
        rounds.append(0 if made is None else made.rounds)
        return made

    monkeypatch.setattr(FrontierEngine, "advance", noted)
    advanced(DepthFirst(), "host", range(12, 13))
    assert max(rounds) > 2


@pytest.mark.parametrize("order", ORDERS, ids=repr)
@pytest.mark.parametrize(
    "criterion", [stop.no_improvement(4), stop.evaluations(300), nodes(150), stop.target(1000)], ids=repr
)
def test_a_run_stops_at_the_same_iteration_everywhere(order: Order, criterion: stop.Stop, device: str) -> None:
    search = BranchAndBound(KnapsackTree(), order=order)
    reference, result = (
        run(search, PROBLEM, stop=criterion | stop.iterations(10**4), parallel=name, start=np.zeros(30))
        for name in ("numpy", device)
    )
    assert result.stopped_by == reference.stopped_by
    for name in ("iterations", "evaluated", "improved_at", "cost", "proof"):
        assert getattr(result, name) == getattr(reference, name)
    dates, expected = ([(e.iteration, e.cost, e.evaluated) for e in r.improvements] for r in (result, reference))
    assert dates == expected
    assert all(a <= b for a, b in pairwise(e[0] for e in dates))
