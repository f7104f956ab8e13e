"""The planner: what it picks, that the walks do not depend on it, and what it says."""

from pathlib import Path
from typing import Any

import pytest

from metaheur import Checkpoint, HillClimbing, ParetoLocalSearch, TabuSearch, resume, run, stop
from metaheur.device.capabilities import delta_operations
from metaheur.device.names import device_for
from metaheur.errors import InputError
from metaheur.evaluators.offers import Offers
from metaheur.machine.processors import cores
from metaheur.neighborhoods import Insertion, TwoOpt
from metaheur.parallel import Auto, Islands, IterationLevel, Multistart
from metaheur.parallel import auto as planner
from metaheur.parallel.multi_gpu import MultiGPU
from metaheur.problems import QAP, TSP, FlowShop, Scalarised
from metaheur.runners.teams import blocks_of_walk, threads_of_share
from metaheur.running.program import Wishes
from metaheur.running.thresholds import Thresholds, walk_on_gpu
from tests.machine.test_performance import QAP_9, SHOP, TABU
from tests.toys import Rotations
from tests.tree.emulated import Emulated

TEN = stop.iterations(10)


def test_one_walk_is_that_of_the_iteration_level() -> None:
    found = run(TABU, QAP_9, stop=TEN)
    same = run(TABU, QAP_9, stop=TEN, parallel=IterationLevel())
    assert found.solution.tolist() == same.solution.tolist()
    assert found.plan.startswith(same.plan)  # where there is a GPU, the planner also says why it made no trial
    assert same.plan == (
        "One walk, resident on host: solutions have 9 entries, fewer than the 200 from which one walk is faster on a "
        "GPU."
    )


def test_several_walks_are_those_of_a_multistart() -> None:
    found, same = (run(TABU, QAP_9, stop=TEN, seed=3, parallel=model) for model in (Auto(3), Multistart(3)))
    assert found.walks.costs.tolist() == same.walks.costs.tolist()
    assert found.plan.startswith(same.plan)
    threads = min(3, cores())
    assert same.plan.startswith(f"3 walks, resident on host, {threads} threads: solutions have 9 entries, fewer than ")
    assert same.plan.endswith(", and 3 walks are fewer than 16 for each core.")


@pytest.mark.parametrize(
    ("length", "walks", "gpu", "why"),
    [
        (199, 1, False, "solutions have 199 entries, fewer than the 200 from which one walk is faster on a GPU"),
        (200, 1, True, "a GPU is there, and solutions have at least 200 entries"),
        (9, 63, False, "63 walks are fewer than 16 for each core"),
        (9, 64, True, "a GPU is there, and 64 walks are at least 16 for each core"),
    ],
)
def test_a_gpu_takes_what_it_is_faster_at(length: int, walks: int, gpu: bool, why: str) -> None:
    found = walk_on_gpu(length, walks, 4, Thresholds())
    assert found[0] == gpu
    assert found[1].endswith(why)


def test_blocks_are_worth_more_than_warps() -> None:
    assert [walk_on_gpu(9, walks, 4, Thresholds(), block=True)[0] for walks in (7, 8)] == [False, True]


@pytest.mark.parametrize(
    ("size", "cluster", "blocks"), [(6_999, 16, 1), (7_000, 16, 16), (7_000, 8, 8), (19_999, 1, 1), (20_000, 1, 8)]
)
def test_large_neighborhoods_are_shared_by_blocks(size: int, cluster: int, blocks: int) -> None:
    assert blocks_of_walk(size, 1, 132, cluster, Thresholds()) == blocks


@pytest.mark.parametrize(
    ("offers", "size", "blocks"),
    [
        *((Offers.GROUPS, size, blocks) for size, blocks in ((464, 1), (465, 16), (32_767, 16), (32_768, 32))),
        *((Offers.DELTA, size, blocks) for size, blocks in ((1_999, 1), (2_000, 16), (32_767, 16), (500_000, 132))),
        *(
            (Offers.GROUPS | Offers.RUNS, size, blocks)
            for size, blocks in ((73, 16), (895, 16), (896, 32), (1_317, 47))
        ),
    ],
)
def test_without_updates_smaller_ones_are_shared_and_large_ones_by_more(offers: Offers, size: int, blocks: int) -> None:
    assert blocks_of_walk(size, 1, 132, 16, Thresholds(), offers=lambda: offers) == blocks


def test_offers_are_asked_for_only_where_they_matter() -> None:
    def asked() -> Offers:
        raise AssertionError

    assert [blocks_of_walk(size, 1, 132, 16, Thresholds(), offers=asked) for size in (7_000, 32_767)] == [16, 16]
    assert blocks_of_walk(4_000, 1_000, 132, 16, Thresholds(), offers=asked) == 30


def test_without_a_gpu_the_reason_says_so(gpu_is_there: bool) -> None:
    name, why = device_for("auto", (), gpu=True, why="it is faster")
    assert name == ("cuda:0" if gpu_is_there else "host")
    assert why == "it is faster" if gpu_is_there else "CuPy" in why


def test_every_model_says_its_plan() -> None:
    plans: dict[str, Any] = {
        "One walk: host evaluates its neighborhoods, Python decides: asked for.": IterationLevel(
            "host", resident=False
        ),
        "One walk in Python: asked for.": "numpy",
        "One walk: host+host share its neighborhoods, Python decides: asked for.": IterationLevel(
            devices=("host", "host")
        ),
        "4 walks, dealt out to host+host: asked for.": MultiGPU(Multistart(4), ("host", "host")),
        "4 walks in Python, with exchanges every 5 iterations: asked for.": Islands(Multistart(4, device="numpy"), 5),
    }
    for plan, model in plans.items():
        assert run(TABU, QAP_9, stop=TEN, parallel=model).plan == plan


def test_a_missing_half_is_named() -> None:
    for walks, words in ((1, "One walk in Python"), (3, "3 walks in Python")):
        plan = run(HillClimbing(Rotations()), QAP.random(6, 1), stop=TEN, parallel=Auto(walks)).plan
        assert plan == f"{words}: Rotations has no C++ half."


def test_walks_of_archives_are_resident_too() -> None:
    search = ParetoLocalSearch(Insertion())
    alone = run(search, SHOP, stop=TEN, seed=2, parallel="numpy")
    many = run(search, SHOP, stop=TEN, seed=2, parallel=Multistart(2, device="host"))
    assert many.resident
    assert many.walks.evaluated[0] == alone.evaluated


@pytest.mark.parametrize("there", [1, 2, 3])
def test_gpus_share_walks_that_fill_them(there: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "gpus", lambda: there)
    monkeypatch.setattr(Multistart, "device_for", lambda *_: ("cuda:0", "a GPU is there"))
    model, why = Auto(264)._picked(TABU, QAP_9)
    if there == 1:
        assert (model, why) == (Multistart(264, calibrate=True), "")
    else:
        assert isinstance(model, MultiGPU)
        assert model.devices == ("cuda:0", "cuda:1")
        assert why == f"{there} GPUs are there, and 264 walks are at least 132 for each"
    assert Auto(263, calibrate=False)._picked(TABU, QAP_9)[0] == Multistart(263)


def test_several_walks_are_resumed_by_a_plan_for_them(tmp_path: Any) -> None:
    once = run(TABU, QAP_9, stop=stop.iterations(20), parallel=Auto(3))
    run(TABU, QAP_9, stop=TEN, parallel=Auto(3), watch=[Checkpoint(tmp_path / "at")])
    again = resume(tmp_path / "at", TABU, QAP_9, stop=stop.iterations(20))
    assert again.walks.costs.tolist() == once.walks.costs.tolist()
    assert again.plan.startswith("3 walks, resident on host")


def test_what_is_no_number_of_walks_is_refused() -> None:
    with pytest.raises(InputError, match=r"`Auto\.walks` must be a whole number in 1"):
        Auto(0)


def test_more_blocks_share_a_walk_where_moves_take_long() -> None:
    def blocks(n: int, operations: int) -> int:
        return blocks_of_walk((n - 1) ** 2, operations, 132, 1, Thresholds())

    assert [blocks(n, 1) for n in (20, 100, 200)] == [1, 1, 8]
    assert [blocks(n, 20 * n) for n in (20, 50, 100, 200)] == [1, 18, 132, 132]
    problem = FlowShop.taillard(51, objectives=("makespan", "tardy jobs"))
    assert delta_operations(Scalarised(problem, [1, 2])) == delta_operations(problem) == 1000
    assert delta_operations(FlowShop.taillard(51)) == delta_operations(QAP.random(9, 1)) == 1
    assert [threads_of_share(moves) for moves in (0, 128, 129, 300, 39601)] == [128, 128, 256, 512, 512]


@pytest.mark.parametrize(("free", "blocks"), [(2**36, 132), (2 * 83 * 10**5 * 20, 20), (2**20, 1)])
def test_fewer_blocks_share_a_walk_where_memory_for_their_replicas_is_short(
    free: int, blocks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpu = Emulated(tmp_path)
    monkeypatch.setattr(gpu, "free_memory", free, raising=False)
    monkeypatch.setattr(gpu, "processors", 132, raising=False)
    problem, search = TSP.random(1000, 1), TabuSearch(TwoOpt())
    team = search.program._shared(problem, Wishes(shares=True), gpu)
    assert team.league == blocks
