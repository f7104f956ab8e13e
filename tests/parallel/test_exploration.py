"""One tree on several devices, on a CPU beside another expander, and on workers that die: always the same nodes."""

import os
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from metaheur import Checkpoint, TabuSearch, resume, run, stop
from metaheur.device.device import Device
from metaheur.device.names import device_of
from metaheur.errors import DeviceError, InputError
from metaheur.neighborhoods import Hamming
from metaheur.parallel import IterationLevel, TreeExploration
from metaheur.problems.trees.knapsack_tree import KnapsackTree, LighterAndDearer
from metaheur.problems.trees.multi_knapsack_tree import MultiKnapsackTree
from metaheur.tree import BestFirst, BranchAndBound, BreadthFirst, DepthFirst, Explorers, Order
from metaheur.tree.expander import Rules
from metaheur.tree.explorers import ExplorerEngine
from metaheur.tree.frontier import FrontierEngine
from metaheur.tree.host_expander import HostExpander
from metaheur.tree.hybrid import HybridExpander, SeveralExpanders
from metaheur.tree.part import NO_COST
from metaheur.tree.python_walker import PythonWalker
from metaheur.tree.runner import TreeRunner, TreeWalks, expander_on
from metaheur.tree.several_walkers import SeveralWalkers
from metaheur.tree.store import Store
from tests.helpers import started
from tests.tree.test_branch_and_bound import MINUTE, knapsack, proof

PROBLEM = knapsack(22)


def same(search: BranchAndBound, model: Any) -> None:
    one, many = run(search, PROBLEM, stop=MINUTE, parallel="numpy"), run(search, PROBLEM, stop=MINUTE, parallel=model)
    assert proof(one) == proof(many)
    assert (one.iterations, one.solution.tolist()) == (many.iterations, many.solution.tolist())


@pytest.mark.parametrize("order", [DepthFirst(16), BreadthFirst(16), BestFirst(16), Explorers(7, 20)], ids=repr)
def test_several_devices_branch_the_nodes_of_one(order: Order) -> None:
    same(BranchAndBound(KnapsackTree(), order=order), TreeExploration(("host", "numpy", "host")))


def test_the_devices_are_named_as_other_models_name_them() -> None:
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst(16))

    def words(model: Any) -> str:
        return run(search, PROBLEM, stop=MINUTE, parallel=model).description

    alone = words(IterationLevel("host"))
    assert words(TreeExploration("host")) == alone
    assert words(TreeExploration(("host", "numpy", "host"))) == f"{alone}; NumPy, the Python halves"


def test_a_dominance_sees_what_all_devices_made() -> None:
    search = BranchAndBound(KnapsackTree(), order=BreadthFirst(), dominance=LighterAndDearer())
    same(search, TreeExploration(("host", "numpy")))


@pytest.mark.parametrize("below", [1, 9, 10**6])
@pytest.mark.parametrize("order", [DepthFirst(32), BreadthFirst(32)], ids=repr)
def test_small_batches_may_go_to_another_expander(order: Any, below: int) -> None:
    """As to a CPU beside a GPU; here both are CPUs, the second in the Python halves."""
    search = BranchAndBound(KnapsackTree(), order=order, dominance=LighterAndDearer())
    expander = HybridExpander(
        expander_on(search.parts, PROBLEM, device_of("host")), expander_on(search.parts, PROBLEM, None), below
    )
    whole = run(search, PROBLEM, stop=MINUTE, parallel="numpy")
    engine = FrontierEngine(search.parts, PROBLEM, order, expander, Store(0), 1 << 30)
    runner = TreeRunner(search, PROBLEM, engine, IterationLevel("numpy").bind(search, PROBLEM).facts)
    walks = runner.load([started(search, PROBLEM, x=whole.solution)])
    again = run(search, PROBLEM, stop=MINUTE, parallel="numpy", start=whole.solution)
    from metaheur import Until

    while not walks.finished[0]:
        walks = runner.advance(walks, Until(int(walks.iterations[0]) + 3)).walks
    assert isinstance(walks, TreeWalks)
    assert walks.proof == proof(again)
    assert walks.iterations[0] == again.iterations


@pytest.mark.cuda
@pytest.mark.parametrize("placement", ["global", "read-only", "texture", "constant"])
@pytest.mark.parametrize("order", [BreadthFirst(), Explorers(700, 20)], ids=repr)
def test_a_gpu_branches_the_same_nodes_wherever_the_data_lie(order: Order, placement: str, gpu: Device) -> None:
    for tree in (KnapsackTree(), MultiKnapsackTree()):
        search = BranchAndBound(tree, order=order)
        same(search, IterationLevel(gpu.name, placement=placement))
        same(search, TreeExploration(gpu.name, placement=placement))


@pytest.mark.cuda
@pytest.mark.parametrize("below", [1, 9, None])
@pytest.mark.parametrize("order", [DepthFirst(32), BreadthFirst(32), BestFirst(32)], ids=repr)
def test_a_cpu_beside_a_gpu_branches_the_nodes_of_one(order: Order, below: int | None, gpu: Device) -> None:
    for dominance in (None, LighterAndDearer()):
        search = BranchAndBound(KnapsackTree(), order=order, dominance=dominance)
        same(search, TreeExploration(gpu.name, below=below, block=192 if below == 9 else None))


@pytest.mark.cuda
def test_explorers_of_a_gpu_and_of_a_cpu_exchange_intervals(gpu: Device) -> None:
    same(BranchAndBound(KnapsackTree(), order=Explorers(40, 20)), TreeExploration((gpu.name, "host")))


def test_a_worker_that_is_killed_gives_its_intervals_back(tmp_path: Path) -> None:
    victims = tmp_path / "killed"
    pool = partial(ProcessPoolExecutor, 1, mp_context=get_context("spawn"), initializer=_die_once, initargs=(victims,))
    search = BranchAndBound(KnapsackTree(), order=Explorers(6, 300))
    same(search, TreeExploration("host", executor=pool, slices=2))
    assert victims.exists()


def _die_once(mark: Path) -> None:
    """A worker's beginning: the first one dies in its first task."""
    if not mark.exists():
        mark.touch()
        threading.Timer(0.2, os._exit, (1,)).start()
        from metaheur.tree import distributed_walker

        distributed_walker._WORKER.walkers = Endless()


class Endless(dict[bytes, Any]):
    """Walkers that nobody ever gets."""

    def __contains__(self, _: object) -> bool:
        threading.Event().wait()
        return False


class Losing(Executor):
    """An executor that loses every task."""

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_exception(OSError("the network is down"))
        return future


def test_tasks_that_are_always_lost_end_the_run_in_words() -> None:
    search = BranchAndBound(KnapsackTree(), order=Explorers(6, 300))
    with pytest.raises(DeviceError, match="2 of 2 slices were lost 4 times: OSError"):
        run(search, PROBLEM, stop=MINUTE, parallel=TreeExploration("host", executor=Losing(), slices=2))


class Careless(Executor):
    """An executor whose tasks come to something else."""

    def submit(self, *_: Any, **__: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_result("garbage")
        return future


def test_what_no_task_has_returned_is_refused() -> None:
    search = BranchAndBound(KnapsackTree(), order=Explorers(6, 300))
    with pytest.raises(InputError, match="Careless must return what its task returns, but returned 'garbage'"):
        run(search, PROBLEM, stop=MINUTE, parallel=TreeExploration("host", executor=Careless(), slices=2))


def test_a_device_that_is_lost_is_named_with_its_explorers() -> None:
    search = BranchAndBound(KnapsackTree(), order=Explorers(7, 20))
    walkers = [PythonWalker(search.parts, PROBLEM), PythonWalker(search.parts, PROBLEM)]
    engine = ExplorerEngine(search.parts, PROBLEM, Explorers(7, 20), SeveralWalkers(search.parts, PROBLEM, walkers))
    engine.begin()
    walkers[1]._stacks = None  # type: ignore[assignment]
    with pytest.raises(DeviceError, match=r"Explorers 3 \.\.\. 6 are lost with their device: TypeError"):
        engine.walker.explore(0, 1, completes=False, eager=False)


def failing(times: int, monkeypatch: pytest.MonkeyPatch, kind: type, method: str) -> None:
    """The second call after so many, and every later one of the same object, fails as on a device that is gone."""
    whole, calls, gone = getattr(kind, method), iter(range(10**6)), list[Any]()

    def fails(self: Any, *arguments: Any, **options: Any) -> Any:
        if next(calls) == times:
            gone.append(self)
        if any(self is each for each in gone):
            raise RuntimeError("cudaErrorIllegalAddress")
        return whole(self, *arguments, **options)

    monkeypatch.setattr(kind, method, fails)


@pytest.mark.parametrize("order", [DepthFirst(16), BreadthFirst(16)], ids=repr)
def test_what_a_lost_device_had_to_branch_is_branched_by_the_others(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = BranchAndBound(KnapsackTree(), order=order, dominance=LighterAndDearer())
    whole = run(search, PROBLEM, stop=MINUTE, parallel="numpy")
    for method, devices in (("expand", ("host", "numpy", "host")), ("swept", ("host", "host"))):
        with pytest.MonkeyPatch.context() as patch:
            failing(2, patch, HostExpander, method)
            result = run(search, PROBLEM, stop=MINUTE, parallel=TreeExploration(devices))
        assert proof(result) == proof(whole)
        assert result.plan.count("Lost on the way, others went on: host (RuntimeError('cudaErrorIllegalAddress'))") == 1
    failing(0, monkeypatch, HostExpander, "expand")
    alone = SeveralExpanders([HostExpander(search.parts, PROBLEM)])
    with pytest.raises(DeviceError, match=r"The last device is lost: host \(RuntimeError"):
        alone.expand(alone.root(), Rules(NO_COST, 4))


def test_explorers_of_a_lost_device_go_on_elsewhere_from_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, file = BranchAndBound(KnapsackTree(), order=Explorers(7, 20)), tmp_path / "run.npz"
    whole = run(search, PROBLEM, stop=MINUTE, parallel="numpy")
    with monkeypatch.context() as patch:
        failing(30, patch, PythonWalker, "explore")
        with pytest.raises(DeviceError, match="are lost with their device: RuntimeError"):
            run(
                search,
                PROBLEM,
                stop=MINUTE,
                parallel=TreeExploration(("numpy", "numpy")),
                watch=[Checkpoint(file, every=0)],
            )
    assert 0 < resume(file, search, PROBLEM, stop=stop.iterations(1)).iterations < whole.iterations
    rest = resume(file, search, PROBLEM, stop=MINUTE, parallel="host")
    assert proof(rest) == proof(whole)
    assert (rest.iterations, rest.solution.tolist()) == (whole.iterations, whole.solution.tolist())


def test_what_cannot_be_meant_is_refused() -> None:
    with pytest.raises(InputError, match="explores trees"):
        run(TabuSearch(Hamming(1)), PROBLEM, stop=stop.iterations(1), parallel=TreeExploration("host"))
    with pytest.raises(InputError, match="slices of explorers"):
        run(BranchAndBound(KnapsackTree()), PROBLEM, stop=MINUTE, parallel=TreeExploration("host", executor=Losing()))
    with pytest.raises(InputError, match="for one GPU and a CPU"):
        run(BranchAndBound(KnapsackTree()), PROBLEM, stop=MINUTE, parallel=TreeExploration("host", below=9))
    with pytest.raises(InputError, match=r"`TreeExploration\.block` is for GPUs"):
        run(BranchAndBound(KnapsackTree()), PROBLEM, stop=MINUTE, parallel=TreeExploration("host", block=192))
    with pytest.raises(InputError, match="multiple of 32, but is 100"):
        TreeExploration("cuda:0", block=100)
    with pytest.raises(InputError, match="a tree has none"):
        run(BranchAndBound(KnapsackTree()), PROBLEM, stop=MINUTE, parallel=TreeExploration("host", placement="shared"))
    workers = TreeExploration("host", placement="texture", executor=Losing())
    with pytest.raises(InputError, match=r"`TreeExploration\.placement` is not for workers"):
        run(BranchAndBound(KnapsackTree(), order=Explorers()), PROBLEM, stop=MINUTE, parallel=workers)
    with pytest.raises(InputError, match="must name devices"):
        TreeExploration(("host", "auto"))
