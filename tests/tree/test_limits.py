"""A limit of seconds is held, by a clock that a slow tree moves: how fast the machine is does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, Until, run, stop
from metaheur.tree import Beam, BestFirst, Bound, BranchAndBound, Branching, BreadthFirst, DepthFirst, Order
from tests.helpers import started
from tests.tree.test_branch_and_bound import proof
from tests.tree.toys import Bits, Cheaper, Linear, Negatives, linear


class Clock:
    """Seconds that pass where somebody says so, and a little whenever one looks."""

    now: ClassVar[float] = 0.0

    def __call__(self) -> float:
        Clock.now += 1e-6
        return Clock.now


@final
@frozen
class SlowBits(Branching[Linear]):
    """A child takes a millisecond; from depth 7 on, where batches are large, two."""

    bound: ClassVar[Bound[Linear]] = Negatives()

    def levels(self, problem: Linear) -> int:
        return Bits().levels(problem)

    def arity(self, problem: Linear, depth: int) -> int:
        return 2

    def node(self, problem: Linear) -> Mapping[str, Array]:
        return Bits().node(problem)

    def child(self, problem: Linear, node: Any, depth: int, k: int) -> Mapping[str, Any] | None:
        Clock.now += 0.001 if depth < 7 else 0.002
        return Bits().child(problem, node, depth, k)

    def solution(self, problem: Linear, node: Any) -> np.ndarray:
        return Bits().solution(problem, node)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock.now = 0.0
    for module in ("pace", "running", "tree.frontier"):
        monkeypatch.setattr(f"metaheur.{module}.perf_counter", Clock())


ORDERS = [DepthFirst(), BreadthFirst(), BestFirst(), Beam(10**6), DepthFirst(3)]


@pytest.mark.parametrize("order", ORDERS, ids=repr)
def test_a_run_ends_within_100_ms_of_its_limit(order: Order) -> None:
    """Without bounds that prune, a level of 2,048 nodes takes eight seconds."""
    problem, search = linear(12), BranchAndBound(SlowBits(), order=order, keep=10**6)
    for limit in (0.3, 1.7, 4.0):
        result = run(search, problem, stop=stop.seconds(limit))
        assert result.stopped_by == "seconds"
        assert limit <= result.seconds < limit + 0.1
        assert proof(result).open > 0


@pytest.mark.parametrize("order", ORDERS, ids=repr)
def test_a_batch_that_was_broken_off_is_made_again(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, so to say, at some of the looks: the run goes on where it was, and ends as if nobody had."""
    problem, search = linear(9), BranchAndBound(SlowBits(), order=order, dominance=Cheaper())
    whole = run(search, problem, stop=stop.seconds(10**6), start=np.zeros(9))
    runner, looks, cuts = search.runner(problem, "numpy"), iter(range(10**6)), 0
    runner.alarm.interrupted = lambda: next(looks) in (2, 4, 7, 10, 15, 30, 41)
    walks = runner.load([started(search, problem, x=np.zeros(9, np.uint8))])
    while not walks.finished[0]:
        before = int(walks.iterations[0])
        walks = runner.advance(walks, Until(before + 1)).walks
        cuts += int(walks.iterations[0]) == before
    assert cuts > 2
    assert walks.proof == proof(whole)
    assert (walks.iterations[0], walks.best_solution(0).tolist()) == (whole.iterations, whole.solution.tolist())
