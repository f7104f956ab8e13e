"""Criteria and watchers look at an exact search some twenty times a second, also in the middle of a long batch.

The tests count looks, and the tree moves the clock: the speed of the machine does not matter.
"""

import math
import threading
from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import Trace, Until, run, stop
from metaheur.parallel import IterationLevel
from metaheur.problems import Knapsack
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.running.runner import Chunk, ParallelModel, Runner
from metaheur.running.view import View
from metaheur.stop.tree import nodes
from metaheur.tree import Beam, BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.engine import LOOK
from metaheur.tree.expander import Expanded, Rules
from metaheur.tree.frontier import FrontierEngine
from metaheur.tree.host_expander import HostExpander
from metaheur.tree.numpy_expander import NumpyExpander
from metaheur.tree.runner import TreeRunner, TreeWalks
from metaheur.tree.store import Store
from tests.helpers import started
from tests.stop.test_tree import Clock, SlowBits, clock
from tests.tree.test_branch_and_bound import MINUTE, knapsack, proof
from tests.tree.toys import linear

__all__ = ["clock"]

SEARCHES = [
    *(BranchAndBound(SlowBits(), order=order, keep=10**6) for order in (DepthFirst(), BreadthFirst(), DepthFirst(3))),
    BranchAndBound(SlowBits(), order=BestFirst(), keep=10**6),
    BranchAndBound(SlowBits(), order=Beam(10**6), keep=10**6),
    BranchAndBound(SlowBits(), order=Explorers(16, 40)),
]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: repr(search.order))
def test_a_criterion_is_asked_twenty_times_a_second(search: BranchAndBound) -> None:
    """The first batches take a millisecond, so that a chunk would have many; later batches take up to eight seconds."""
    looks: list[float] = []

    def late(view: View) -> bool:
        looks.append(Clock.now)
        return view.seconds > 6

    problem = linear(24 if isinstance(search.order, Explorers) else 12)
    result = run(
        search, problem, stop=stop.when(late, every=1), start=np.zeros(len(problem.weights)), watch=[trace := Trace(1)]
    )
    assert result.stopped_by == "when"
    assert np.diff(looks).max() < 0.1
    iterations = [row.iteration for row in trace.rows]
    assert iterations == sorted(set(iterations))


ORDERS: list[Order] = [
    DepthFirst(16),
    BreadthFirst(16),
    BestFirst(16),
    Beam(40, 16),
    Explorers(5, 20),
]
PROBLEM = knapsack(11)


def loaded(search: BranchAndBound, device: str, state: Any = None, look: float = LOOK) -> tuple[Runner, Any]:
    runner = IterationLevel(device).bind(search, PROBLEM)
    assert isinstance(runner, TreeRunner)
    runner.engine.look = look
    return runner, runner.load([started(search, PROBLEM, x=np.zeros(11, np.uint8)) if state is None else state])


def seen(walks: Any) -> Any:
    """The numbers that a view shows of an exact search, without the waiting nodes."""
    assert isinstance(walks, TreeWalks)
    counted = (walks.iterations, walks.evaluated, walks.improved_at, walks.best_costs)
    return [int(each[0]) for each in counted], walks.proof.counts, walks.best_solution(0).tolist()


@pytest.mark.parametrize("order", ORDERS, ids=repr)
@pytest.mark.parametrize("dominance", [None, LighterAndDearer()], ids=["plain", "with dominance"])
def test_looks_in_the_middle_of_a_batch_change_nothing(order: Order, dominance: Any, device: str) -> None:
    """Looks show whole batches, and another device goes on with the search from a state that was looked at."""
    if dominance and isinstance(order, Explorers):
        pytest.skip("explorers compare no nodes")
    search = BranchAndBound(KnapsackTree(), order=order, dominance=dominance)
    runner, walks = loaded(search, "numpy")
    whole = {0: seen(walks)}
    while not walks.finished[0]:
        walks = runner.advance(walks, Until(int(walks.iterations[0]) + 1)).walks
        whole[int(walks.iterations[0])] = seen(walks)
    runner, walks = loaded(search, device, look=0.0)  # a look after each father, and after each explorer
    runner.alarm.look = -math.inf
    states = []
    while not walks.finished[0]:
        chunk: Chunk = runner.advance(walks, Until(int(walks.iterations[0]) + 3))
        walks = chunk.walks
        assert seen(walks) == whole[int(walks.iterations[0])]
        states += [walks.state(0)] if chunk.within else []
    assert max(whole) == walks.iterations[0]
    in_one_launch = device == "cuda" and isinstance(order, Explorers)
    assert in_one_launch or len(states) > (0 if device == "cuda" else 5)
    for state in states[:: max(1, len(states) // 8)]:
        runner, walks = loaded(search, "numpy", state, look=0.0)
        while not walks.finished[0]:
            walks = runner.advance(walks, Until(int(walks.iterations[0]) + 50)).walks
        assert seen(walks) == whole[int(walks.iterations[0])]


@final
@frozen
class Impatient(ParallelModel):
    """Looks after each father, and does all work that cannot be divided in a thread of its own."""

    def bind(self, search: Any, problem: Any) -> Runner:
        runner = IterationLevel("numpy").bind(search, problem)
        assert isinstance(runner, TreeRunner)
        assert isinstance(runner.engine, FrontierEngine)
        runner.engine.look, runner.engine.aside_from = 0.0, 1
        return runner


STRETCHES: list[tuple[type, str]] = [
    (NumpyExpander, "level_of"),
    (NumpyExpander, "swept"),
    (Store, "park"),
    (Store, "fetch"),
]


@pytest.mark.parametrize(("owner", "work"), STRETCHES, ids=lambda each: str(getattr(each, "__name__", each)))
def test_criteria_are_asked_during_work_that_cannot_be_divided(
    owner: type, work: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work ends after the criterion was asked three times; so the main thread must not do the work."""
    began, asked, enough = threading.Event(), list[int](), threading.Event()

    def late(_: View) -> bool:
        asked.extend([1] if began.is_set() else [])
        if len(asked) >= 3:
            enough.set()
        return False

    dominance = LighterAndDearer() if work == "swept" else None
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst(64), dominance=dominance, memory=3000)
    problem, original = knapsack(26), getattr(owner, work)
    whole = run(search, problem, stop=MINUTE, parallel="numpy")

    def slowly(*arguments: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():
            began.set()
            for _ in range(6000):
                Clock.pass_by(0.1)
                if enough.wait(0.01):
                    break
        return original(*arguments)

    monkeypatch.setattr(owner, work, slowly)
    result = run(search, problem, stop=stop.when(late, every=1), parallel=Impatient())
    assert enough.is_set()
    assert (proof(result), result.iterations) == (proof(whole), whole.iterations)


def test_looks_end_a_run_between_two_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that a criterion ends in the middle of a batch equals a run of as many whole batches."""
    search, asked = BranchAndBound(SlowBits(), order=BreadthFirst(), keep=10**6), iter(range(10**6))
    part = run(search, linear(12), stop=stop.when(lambda _: next(asked) == 60, every=1), start=np.zeros(12))
    assert 0 < part.iterations < 12
    again = run(search, linear(12), stop=stop.iterations(part.iterations), start=np.zeros(12), parallel="numpy")
    assert proof(part) == proof(again)
    assert (part.evaluated, part.solution.tolist()) == (again.evaluated, again.solution.tolist())


def test_a_level_that_is_pruned_whole_is_not_cut_into_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """A better incumbent prunes all nodes of a piece but one: its seconds do not tell how long others take."""
    expand, pieces = HostExpander.expand, list[int]()

    def timed(self: HostExpander, chunk: OpenNodes, rules: Rules) -> Expanded:
        expanded = expand(self, chunk, rules)
        Clock.pass_by(2e-5 + 1e-7 * expanded.counts.branched)
        pieces.append(len(chunk))
        return expanded

    monkeypatch.setattr(HostExpander, "expand", timed)
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst())
    result = run(search, Knapsack.boukedjar(500, 4), stop=nodes(10**7), parallel=IterationLevel("host"))
    assert proof(result).counts.branched == 7_812_030
    assert len(pieces) < 1000  # 4,100 pieces if each were so long as the first pruned one says
