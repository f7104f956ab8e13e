"""Multistart: every walk is the run with its key alone, whoever owns it and however many there are."""

from typing import Any, final

import numpy as np
import pytest
from attrs import frozen

from metaheur import (
    EvaluatedSolution,
    FirstImprovement,
    HillClimbing,
    IteratedLocalSearch,
    Key,
    Problem,
    Random,
    Search,
    SimulatedAnnealing,
    Solution,
    TabuSearch,
    Trial,
    Until,
    run,
    stop,
)
from metaheur.device.device import Device
from metaheur.device.host.host import Host
from metaheur.errors import InputError
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.loops import Loop
from metaheur.loops.loop import unwrapped
from metaheur.machine.processors import cores
from metaheur.neighborhoods import Hamming, Insertion, Swap
from metaheur.parallel import IterationLevel, Multistart
from metaheur.parts import Geometric, LateAcceptance, RandomMoves
from metaheur.problems import QAP, FlowShop, GraphColoring, OneMax
from metaheur.random import START
from metaheur.representation import BitString, DiscreteVector, Permutation, Representation
from metaheur.runners.teams import threads_of_block, threads_of_threads, warps_of_block
from tests.helpers import facts, stepped

QAP_9 = QAP.random(9, seed=3)

SEARCHES: dict[str, Search[Any]] = {
    "tabu search": TabuSearch(Swap()),
    "hill climbing": HillClimbing(Swap(), FirstImprovement()),
    "annealing": SimulatedAnnealing(Swap(), 300.0, Geometric(0.9, 10, 1.0)),
    "late acceptance": Trial(Swap(), LateAcceptance(9)),
    "iterated": IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 2)),
}


@pytest.mark.parametrize("space", [Permutation(1), Permutation(9), BitString(70), DiscreteVector(5, 3)], ids=repr)
def test_many_starts_are_those_of_each_key(space: Representation) -> None:
    keys = [Key(seed, walk) for seed in (0, 7) for walk in (0, 1, 2**32 - 1)]
    expected = [space.random(Random(key, START, 0)) for key in keys]
    starts = space.starts(keys)
    assert starts.dtype == space.dtype
    assert starts.tolist() == [x.tolist() for x in expected]
    assert space.starts([]).shape == (0, space.length)


@pytest.mark.parametrize(
    "problem", [QAP_9, OneMax(70), GraphColoring.random(6, 3, seed=1)], ids=lambda problem: repr(problem.representation)
)
def test_devices_draw_the_same_starts(problem: Problem, compiling: Device) -> None:
    keys = [Key(seed, walk) for seed in (0, 7) for walk in (0, 1, 300, 2**32 - 1)]
    evaluator, space = DeviceEvaluator(problem, compiling), problem.representation
    for some in (keys[:1], keys, []):
        starts = evaluator.starts(some)
        assert starts.dtype == space.dtype
        assert starts.tolist() == space.starts(some).tolist()


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("per", ["thread", "warp", "block", "cluster", "grid"])
def test_each_walk_is_the_run_with_its_key(name: str, per: str, device: str) -> None:
    if device != "cuda" and per != "thread":
        pytest.skip("only a GPU has several owners of a walk")
    search = SEARCHES[name]
    loop = unwrapped(search)
    if per in ("cluster", "grid") and not (isinstance(loop, Loop) and loop.divides):
        pytest.skip("only the walks of a scan are shared by blocks")
    found = run(search, QAP_9, stop=stop.iterations(60), seed=5, parallel=Multistart(7, per, device=device))
    assert found.walks.walks.tolist() == list(range(7))
    for w in range(7):
        alone = search.init(*_beginning(w))
        state, _ = stepped(search, QAP_9, alone, 60)
        row = found.walks
        assert (row.costs[w], row.iterations[w], row.evaluated[w], row.improved_at[w]) == (
            state.walk.best.cost,
            state.walk.iteration,
            state.walk.evaluated,
            state.walk.improved_at,
        )
    best = int(np.argmin(found.walks.costs))
    assert (found.cost, found.key) == (found.walks.costs[best], Key(5, best))
    assert QAP_9.cost(found.solution) == found.cost


def test_blocks_that_share_walks_change_nothing(gpu: Device) -> None:
    search, until = TabuSearch(Swap()), stop.iterations(60)
    one = run(search, QAP_9, stop=until, parallel=Multistart(7, device="host")).walks
    many = run(search, QAP_9, stop=until, parallel=Multistart(7, "block", block=64, blocks=3, device=gpu.name)).walks
    for column in ("costs", "evaluated", "improved_at"):
        assert getattr(many, column).tolist() == getattr(one, column).tolist()


@pytest.mark.parametrize(("n", "walks", "warps"), [(783, 4000, 28), (3038, 4000, 16), (783, 16, 1), (50_000, 4000, 1)])
def test_a_block_takes_as_many_warps_as_there_is_room_for(n: int, walks: int, warps: int) -> None:
    assert warps_of_block(n, walks) == warps


def test_only_blocks_share_walks() -> None:
    with pytest.raises(InputError, match=r'3 blocks can only share walks that blocks own, but .* "warp"'):
        Multistart(7, "warp", blocks=3)


def _beginning(w: int) -> Any:
    space, key = QAP_9.representation, Key(5, w)
    x = space.random(Random(key, START, 0))
    return EvaluatedSolution(space, x, QAP_9.cost(x)), key


def test_the_number_of_threads_changes_nothing() -> None:
    tables = [
        run(
            TabuSearch(Swap()), QAP_9, stop=stop.iterations(90), parallel=Multistart(20, device="host", threads=threads)
        )
        for threads in range(1, cores() + 1)
    ]
    assert all(table.walks.costs.tolist() == tables[0].walks.costs.tolist() for table in tables)


def test_threads_have_scratch_of_their_own() -> None:
    shop, search = FlowShop.taillard(31), HillClimbing(Insertion())
    found = [
        run(search, shop, stop=stop.iterations(40), parallel=Multistart(24, device="host", threads=threads)).walks.costs
        for threads in (1, cores())
    ]
    assert found[0].tolist() == found[1].tolist()


def test_a_walk_that_has_not_begun_is_as_python_begins_it(device: str) -> None:
    search, model = SEARCHES["late acceptance"], Multistart(4, device=device)
    runner = model.bind(search, QAP_9)
    keys = model.keys(5)
    walks = runner.begin(keys, QAP_9.representation.starts(keys))
    for w in range(4):
        assert facts(walks.state(w)) == facts(search.init(*_beginning(w)))
    walks = runner.advance(walks, Until(3)).walks
    assert walks.iterations.tolist() == [3] * 4


def test_python_steps_what_has_no_other_half() -> None:
    @final
    @frozen
    class Ones(Problem):
        """The number of ones, in Python alone."""

        representation = BitString(5)

        def cost(self, x: Solution) -> int:
            return int(x.sum())

    problem = Ones()
    result = run(HillClimbing(Hamming()), problem, stop=stop.iterations(9), parallel=Multistart(3))
    assert (result.device, len(result.walks.costs)) == ("numpy", 3)
    with pytest.raises(InputError, match="Multistart keeps its walks on host, but Ones has no C"):
        run(HillClimbing(Hamming()), problem, stop=stop.iterations(9), parallel=Multistart(3, device="host"))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"walks": 0}, "`Multistart.walks` must be a whole number in 1"),
        ({"walks": "many"}, "`Multistart.walks` must be a whole number in 1"),
        (
            {"walks": 2, "per": "core"},
            '`Multistart.per` must be one of "auto", "thread", "warp", "block", "cluster", "grid", but',
        ),
        ({"walks": 2, "device": "gpu"}, "'gpu' is not the name of a device"),
        ({"walks": 2, "block": 2000}, "`Multistart.block` must be a whole number in 32"),
    ],
)
def test_what_cannot_be_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Multistart(**arguments)


def test_more_threads_than_cores_are_refused() -> None:
    with pytest.raises(InputError, match=f"at most {cores()}, the cores that this process may use"):
        Multistart(4, device="host", threads=cores() + 1).bind(TabuSearch(Swap()), QAP_9)


def test_more_walks_than_fit_into_memory_are_refused_before_they_begin() -> None:
    qap = QAP.random(200, seed=1)
    model = Multistart(2**24, device="host")
    runner = model.bind(TabuSearch(Swap()), qap)
    with pytest.raises(InputError, match=r"16,777,216 walks of QAP .* GiB are free") as caught:
        runner.begin([Key(1, w) for w in range(2)] * 2**23, np.zeros((0, 200), np.int32))
    assert "would fit" in caught.value.maybe


@pytest.mark.parametrize(
    ("size", "beside", "keeps", "threads"),
    [
        (1, 1, True, 64),
        (780, 1, True, 256),
        (2_000, 1, True, 512),
        (780, 10, True, 64),
        (1225, 6, True, 128),
        (2401, 1, False, 1024),
        (2401, 2, False, 256),
        (11_175, 1, True, 512),
        (32_640, 1, True, 1024),
    ],
)
def test_walks_that_share_a_processor_share_its_threads(size: int, beside: int, keeps: bool, threads: int) -> None:
    assert threads_of_block(size, beside, keeps=lambda: keeps) == threads


@pytest.mark.parametrize(("walks", "threads"), [(1, 32), (4096, 32), (4225, 64), (132 * 1024, 256), (10**9, 256)])
def test_walks_of_threads_are_dealt_to_all_processors(walks: int, threads: int) -> None:
    assert threads_of_threads(walks) == threads


def test_one_walk_is_the_same_in_both_models() -> None:
    alone = run(TabuSearch(Swap()), QAP_9, stop=stop.iterations(70), seed=2, parallel=IterationLevel("host"))
    first = run(TabuSearch(Swap()), QAP_9, stop=stop.iterations(70), seed=2, parallel=Multistart(1, device="host"))
    assert (alone.cost, alone.solution.tolist()) == (first.cost, first.solution.tolist())


def test_walks_end_one_by_one_and_the_run_with_the_last() -> None:
    result = run(HillClimbing(Hamming()), OneMax(30), stop=stop.iterations(100), parallel=Multistart(5, device="host"))
    assert result.walks.finished.all()
    assert len(set(result.walks.iterations.tolist())) > 1
    assert result.stopped_by == "local optimum"


def test_nothing_is_compiled_when_walks_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, keys = QAP.random(9, seed=3), [Key(1, w) for w in range(3)]
    runner = Multistart(3, device="host").bind(TabuSearch(Swap()), problem)

    def refuse(*_: object) -> None:
        raise AssertionError("this is compiled in the run's time")

    monkeypatch.setattr(Host, "compile", refuse)
    walks = runner.begin(keys, starts := problem.representation.starts(keys))
    assert walks.costs.tolist() == [problem.cost(x) for x in starts]
