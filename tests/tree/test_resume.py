"""An exact search that was interrupted, or killed, goes on as if nothing had happened: the same nodes in the end."""

import os
import signal
import time
from pathlib import Path

import pytest

from metaheur import Checkpoint, resume, run, stop
from metaheur.device.device import Device
from metaheur.errors import CheckpointError
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.tree import Beam, BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order
from metaheur.tree.chunk import OpenNodes
from metaheur.tree.expander import Expanded, Rules
from metaheur.tree.host_expander import HostExpander
from tests.device.compilers import started
from tests.tree.test_branch_and_bound import MINUTE, knapsack, proof

SEARCHES = [
    BranchAndBound(KnapsackTree(), order=DepthFirst(4)),
    BranchAndBound(KnapsackTree(), order=BreadthFirst(8), dominance=LighterAndDearer()),
    BranchAndBound(KnapsackTree(), order=BestFirst(4)),
    BranchAndBound(KnapsackTree(), order=Beam(20, batch=8)),
    BranchAndBound(KnapsackTree(), order=Explorers(5, 9)),
    BranchAndBound(KnapsackTree(), order=DepthFirst(4), keep=5),
    BranchAndBound(KnapsackTree(), order=BreadthFirst(4), keep="all", memory=2000),
]


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: f"{search.order!r}, {search.keep}")
def test_a_search_goes_on_where_it_stopped_on_another_device(search: BranchAndBound, tmp_path: Path) -> None:
    problem, file = knapsack(18), tmp_path / "run.npz"
    whole = run(search, problem, stop=MINUTE)
    for end in (1, 3, whole.iterations // 2):
        run(search, problem, stop=stop.iterations(end), watch=[Checkpoint(file)], parallel="numpy")
        rest = resume(file, search, problem, stop=MINUTE, parallel="host")
        assert proof(rest) == proof(whole)
        assert rest.iterations == whole.iterations
        assert rest.solutions.tolist() == whole.solutions.tolist()


@pytest.mark.parametrize("order", [DepthFirst(1), Explorers(2, 1)], ids=repr)
def test_a_search_that_was_killed_is_resumed_and_counts_the_same_nodes(
    order: Order, compiling: Device, tmp_path: Path
) -> None:
    file, search, problem = tmp_path / "run.npz", BranchAndBound(KnapsackTree(), order=order), knapsack(30)
    waits = tmp_path / "waits"
    process = started(
        f"""
import time
from pathlib import Path
from metaheur import Checkpoint, Watcher, run, stop
from metaheur.tree import *
from tests.tree.test_resume import KnapsackTree, knapsack

class Wait(Watcher):
    def next_look(self, view):
        return 20
    def look(self, view):
        if view.iterations == 20:
            Path({str(waits)!r}).touch()
            time.sleep(600)

search, watch = BranchAndBound(KnapsackTree(), order={order!r}), [Checkpoint({str(file)!r}, every=0), Wait()]
run(search, knapsack(30), stop=stop.iterations(30), watch=watch, parallel={compiling.name!r})
"""
    )
    try:
        while not waits.exists() and process.poll() is None:
            time.sleep(0.01)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        _, errors = process.communicate()
    assert waits.exists(), errors
    assert process.returncode == -signal.SIGKILL
    rest = resume(file, search, problem, stop=MINUTE)
    whole = run(search, problem, stop=MINUTE)
    assert proof(rest) == proof(whole)
    assert proof(rest).status == "optimal"
    assert (rest.iterations, rest.solution.tolist()) == (whole.iterations, whole.solution.tolist())
    there = resume(file, search, problem, stop=stop.iterations(1))
    assert there.iterations == 20 < whole.iterations


def test_more_memory_may_be_given_when_a_search_goes_on(tmp_path: Path) -> None:
    problem, file = knapsack(50), tmp_path / "run.npz"
    small = BranchAndBound(KnapsackTree(), order=BreadthFirst(64), memory=6000, disk=10_000)
    large = BranchAndBound(KnapsackTree(), order=BreadthFirst(64))
    assert run(small, problem, stop=MINUTE, watch=[Checkpoint(file)]).stopped_by == "memory"
    assert proof(resume(file, large, problem, stop=MINUTE)) == proof(run(large, problem, stop=MINUTE))


def test_a_run_whose_batch_does_not_fit_ends_with_its_nodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem, file, search = knapsack(30), tmp_path / "run.npz", BranchAndBound(KnapsackTree(), order=DepthFirst(16))
    whole, expand, calls = run(search, problem, stop=MINUTE), HostExpander.expand, iter(range(10**6))

    def short_of_memory(self: HostExpander, chunk: OpenNodes, rules: Rules) -> Expanded:
        if next(calls) > 9:
            raise MemoryError
        return expand(self, chunk, rules)

    with monkeypatch.context() as patch:
        patch.setattr(HostExpander, "expand", short_of_memory)
        part = run(search, problem, stop=MINUTE, watch=[Checkpoint(file)])
    assert (part.stopped_by, proof(part).status) == ("memory", "feasible")
    assert proof(part).open > 0
    rest = resume(file, search, problem, stop=MINUTE)
    assert (proof(rest), rest.iterations) == (proof(whole), whole.iterations)


def test_a_search_of_another_tree_is_not_resumed(tmp_path: Path) -> None:
    problem, file = knapsack(18), tmp_path / "run.npz"
    run(SEARCHES[0], problem, stop=stop.iterations(3), watch=[Checkpoint(file)])
    with pytest.raises(CheckpointError, match="BestFirst, but a DepthFirst was saved"):
        resume(file, SEARCHES[2], problem, stop=MINUTE)
    with pytest.raises(CheckpointError, match="batch differs"):
        resume(file, BranchAndBound(KnapsackTree(), order=DepthFirst(5)), problem, stop=MINUTE)
