"""A limit of seconds is held, by a clock that a slow tree moves: how fast the machine is does not matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Array, Until, resume, run, stop
from metaheur.parallel import IterationLevel, TreeExploration
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.running.checkpoint import save
from metaheur.running.view import View
from metaheur.tree import (
    Beam,
    BestFirst,
    Bound,
    BranchAndBound,
    Branching,
    BreadthFirst,
    DepthFirst,
    Explorers,
    Order,
    gap,
    nodes,
)
from metaheur.tree.runner import TreeRunner, TreeWalks
from tests.helpers import started
from tests.tree.test_branch_and_bound import knapsack, proof
from tests.tree.toys import Bits, Cheaper, Linear, Negatives, linear


class Clock:
    """Seconds that pass where somebody says so, and a little whenever one looks."""

    now: ClassVar[float] = 0.0

    def __call__(self) -> float:
        self.pass_by(1e-6)
        return Clock.now

    @staticmethod
    def pass_by(seconds: float) -> None:
        Clock.now += seconds


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
        Clock.pass_by(0.001 if depth < 7 else 0.002)
        return Bits().child(problem, node, depth, k)

    def solution(self, problem: Linear, node: Any) -> np.ndarray:
        return Bits().solution(problem, node)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock.now = 0.0
    monkeypatch.setattr("metaheur.machine.pace.perf_counter", Clock())
    monkeypatch.setattr("metaheur.machine.pace.sleep", Clock.pass_by)


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


def test_explorers_use_their_time_and_end_within_100_ms_of_its_limit() -> None:
    """A round takes a second, and is broken off where the time is over."""
    search = BranchAndBound(SlowBits(), order=Explorers(16, 40))
    for limit in (0.3, 1.7, 4.0):
        result = run(search, linear(24), stop=stop.seconds(limit), start=np.zeros(24))
        assert result.stopped_by == "seconds"
        assert limit <= result.seconds < limit + 0.1
        assert result.evaluated > 250 * limit  # children of a millisecond or two


@pytest.mark.parametrize("held_up", [40, 200])
def test_a_search_that_was_held_up_once_goes_on(held_up: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One child takes two seconds, as on a machine that is busy; a look at few children says nothing of the others."""
    made = iter(range(10**6))
    child = SlowBits.child

    def slowly(self: SlowBits, problem: Linear, node: Any, depth: int, k: int) -> Mapping[str, Any] | None:
        Clock.pass_by(2 * (next(made) == held_up))
        return child(self, problem, node, depth, k)

    monkeypatch.setattr(SlowBits, "child", slowly)
    search = BranchAndBound(SlowBits(), order=Explorers(16, 40))
    result = run(search, linear(8), stop=stop.seconds(10), start=np.zeros(8), parallel="numpy")
    assert result.stopped_by != "seconds"
    assert result.seconds < 5


@pytest.mark.parametrize("count", [5, 64])
@pytest.mark.parametrize("several", [False, True], ids=["one device", "several devices"])
def test_a_round_that_was_broken_off_is_finished_elsewhere(
    several: bool, count: int, device: str, tmp_path: Path
) -> None:
    """With looks after each explorer, it ends in the middle of a round: after the second one."""
    problem, search = knapsack(24), BranchAndBound(KnapsackTree(), order=Explorers(count, 20))
    file = tmp_path / "run.npz"
    whole = run(search, problem, stop=stop.seconds(10**6), start=np.zeros(24), parallel="numpy")
    runner = IterationLevel("host" if device == "numpy" else "numpy").bind(search, problem)
    assert isinstance(runner, TreeRunner)
    runner.engine.look = 0.0
    walks = runner.load([started(search, problem, x=np.zeros(24, np.uint8))])
    walks = runner.advance(walks, Until(9)).walks
    runner.alarm.interrupted = iter([False] * 3 + [True] * 9).__next__
    walks = runner.advance(walks, Until(10)).walks
    assert walks.state(0).open["round"][0] == 2
    assert walks.iterations[0] == 9
    save(file, View(search, problem, walks))
    parallel = TreeExploration((device, "numpy")) if several else device
    rest = resume(file, search, problem, stop=stop.seconds(10**6), parallel=parallel)
    assert proof(rest) == proof(whole)
    assert (rest.iterations, rest.solution.tolist()) == (whole.iterations, whole.solution.tolist())


@pytest.mark.parametrize("order", ORDERS, ids=repr)
def test_a_batch_that_was_broken_off_is_made_again(order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, so to say, at some of the looks: the run goes on where it was, and ends as if nobody had."""
    problem, search = linear(9), BranchAndBound(SlowBits(), order=order, dominance=Cheaper())
    whole = run(search, problem, stop=stop.seconds(10**6), start=np.zeros(9))
    runner, looks, cuts = IterationLevel("numpy").bind(search, problem), iter(range(10**6)), 0
    runner.alarm.interrupted = lambda: next(looks) in (2, 4, 7, 10, 15, 30, 41)
    walks = runner.load([started(search, problem, x=np.zeros(9, np.uint8))])
    while not walks.finished[0]:
        before = int(walks.iterations[0])
        walks = runner.advance(walks, Until(before + 1)).walks
        cuts += int(walks.iterations[0]) == before
    assert cuts > 2
    assert isinstance(walks, TreeWalks)
    assert walks.proof == proof(whole)
    assert (walks.iterations[0], walks.best_solution(0).tolist()) == (whole.iterations, whole.solution.tolist())


def test_nodes_and_a_gap_hold_from_their_number_on_and_no_share_is_above_1() -> None:
    problem, search = linear(9), BranchAndBound(Bits(), order=BestFirst())
    runner = IterationLevel("numpy").bind(search, problem)
    walks = runner.advance(runner.load([started(search, problem, x=np.zeros(9, np.uint8))]), Until(4)).walks
    view = View(search, problem, walks)
    assert view.proof is not None
    branched = view.proof.counts.branched
    assert branched > 1
    assert [nodes(n).share(view) for n in (1, branched, 2 * branched)] == [1.0, 1.0, 0.5]
    assert [nodes(n).holds(view) for n in (branched, branched + 1)] == [True, False]
    open_gap = view.proof.gap
    assert [gap(limit).holds(view) for limit in (open_gap, open_gap * 0.99)] == [True, False]
