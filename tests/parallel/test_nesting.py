"""Models in models: the walks are those of one device, whichever model holds which, and whoever dies."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from metaheur import HillClimbing, Portfolio, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import (
    Auto,
    Complete,
    Distributed,
    Islands,
    IterationLevel,
    MultiGPU,
    Multistart,
    ParallelModel,
    SolutionLevel,
    Star,
    TreeExploration,
)
from metaheur.problems import QAP
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.tree import BranchAndBound
from metaheur.watch import Checkpoint
from tests.helpers import EveryTenth
from tests.machine.test_performance import KNAPSACK
from tests.workers import Deadly

QAP_9, TABU = QAP.random(9, seed=3), TabuSearch(Swap())

Outer = Callable[[ParallelModel], ParallelModel]
POOL = partial(ThreadPoolExecutor, 2)

OUTER: dict[str, Outer] = {
    "GPUs": lambda model: MultiGPU(model, ("host", "host", "host"), weights=(1, 3, 2)),
    "host and GPU": lambda model: MultiGPU(model, ("host", "cuda"), weights=(1, 3)),
    "workers": lambda model: Distributed(model, POOL, 3, iterations=13),
    "islands": lambda model: Islands(model, 7, Complete(), replaces="worse current"),
}


def leaf(device: str) -> Multistart:
    return Multistart(8, device=device, threads=None if device == "cuda" else 1)


def table(model: ParallelModel, search: Any = TABU, **more: Any) -> list[Any]:
    """All that a run says of each walk."""
    found = run(search, QAP_9, stop=stop.iterations(60), seed=4, parallel=model, watch=[EveryTenth()], **more)
    walks = found.walks
    columns = (walks.walks, walks.costs, walks.iterations, walks.evaluated, walks.improved_at, walks.finished)
    return [found.cost, found.solution.tolist(), *(column.tolist() for column in columns)]


def on(names: tuple[str, ...], device: str) -> ParallelModel:
    """Models around each other, the first one outermost."""
    model: ParallelModel = leaf("auto" if "GPUs" in names else device)
    for name in reversed(names):
        model = OUTER["host and GPU" if (name, device) == ("GPUs", "cuda") else name](model)
    return model


@cache
def expected(names: tuple[str, ...]) -> list[Any]:
    """The same walks on one device, and exchanges where there are some."""
    alone: ParallelModel = leaf("numpy")
    return table(OUTER["islands"](alone) if "islands" in names else alone)


CROSS = [
    ("workers", "GPUs"),
    ("workers", "workers"),
    ("workers", "islands"),
    ("GPUs", "workers"),
    ("GPUs", "islands"),
    ("islands", "GPUs"),
    ("islands", "workers"),
    ("islands", "workers", "GPUs"),
    ("workers", "GPUs", "islands"),
    ("GPUs", "islands", "workers"),
]


@pytest.mark.parametrize("names", CROSS, ids=" of ".join)
def test_models_nest(names: tuple[str, ...], device: str) -> None:
    if "GPUs" in names and device == "numpy":
        pytest.skip("several devices are compiled ones")
    assert table(on(names, device)) == expected(names)


def test_islands_of_islands_exchange_the_inner_ones_first(device: str) -> None:
    def twice(model: ParallelModel) -> ParallelModel:
        return Islands(Islands(model, 5), 15, Star(), replaces="always")

    found = table(twice(leaf(device)))
    assert found == table(twice(OUTER["workers"](leaf("numpy")))) == table(OUTER["workers"](twice(leaf("numpy"))))
    assert found != table(Islands(leaf("numpy"), 5))
    assert found != table(Islands(leaf("numpy"), 15, Star(), replaces="always"))


FAST = [("islands", "workers"), ("workers", "GPUs", "islands")]
KILLED = [
    *FAST,
    *(pytest.param(each, marks=pytest.mark.thorough) for each in CROSS if "workers" in each and each not in FAST),
]


@pytest.mark.parametrize("names", KILLED, ids=" of ".join)
def test_a_killed_worker_changes_nothing(names: tuple[str, ...], tmp_path: Path) -> None:
    made: list[Deadly] = []

    def make() -> Deadly:
        made.append(Deadly(tmp_path / "killed", 2))
        return made[-1]

    inside = names.index("workers") + 1
    model: ParallelModel = Distributed(on(names[inside:], "host"), make, 4, iterations=20)
    for name in reversed(names[: inside - 1]):
        model = OUTER[name](model)
    try:
        assert table(model) == expected(names)
    finally:
        for deadly in made:
            deadly.pool.shutdown()
    assert len(made) > 1


def test_a_checkpoint_of_nested_models_is_resumed_on_one_device(tmp_path: Path) -> None:
    from metaheur import resume

    path = tmp_path / "run.npz"
    whole, half = table(OUTER["islands"](leaf("host"))), on(("islands", "workers", "GPUs"), "host")
    run(TABU, QAP_9, stop=stop.iterations(30), seed=4, parallel=half, watch=[Checkpoint(path, every=30)])
    rest = resume(path, TABU, QAP_9, stop=stop.iterations(60), parallel=OUTER["islands"](leaf("host")))
    assert [rest.cost, rest.walks.costs.tolist()] == [whole[0], whole[3]]


def test_a_plan_and_a_single_walk_can_be_sent_to_workers() -> None:
    assert table(OUTER["workers"](Auto(8))) == table(OUTER["GPUs"](Auto(8, calibrate=False))) == expected(())
    assert table(OUTER["workers"](IterationLevel("host"))) == table(IterationLevel("numpy"))
    assert table(MultiGPU(Auto(), ("host",))) == table(IterationLevel("numpy"))


def test_many_walks_by_whole_solutions_meet_and_are_shared_out(device: str) -> None:
    walks = SolutionLevel(device, walks=8)
    assert table(walks) == expected(())
    assert table(OUTER["workers"](walks)) == expected(())
    assert table(OUTER["islands"](OUTER["workers"](walks))) == expected(("islands",))
    if device == "host":
        assert table(OUTER["islands"](OUTER["GPUs"](walks))) == expected(("islands",))
    both = Portfolio([TABU, HillClimbing(Swap())])
    assert table(walks, both) == table(leaf("numpy"), both)


def test_all_walks_are_counted_wherever_they_are() -> None:
    for names in CROSS:
        model = on(names, "host")
        assert (model.walks, len(model.keys(1))) == (8, 8)
    assert on(("islands", "workers", "GPUs"), "host").device == "workers, host+host+host"


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (
            lambda: OUTER["GPUs"](OUTER["GPUs"](leaf("host"))),
            "names its devices itself, host, host, host",
        ),
        (lambda: OUTER["GPUs"](OUTER["workers"](OUTER["GPUs"](leaf("host")))), "names its devices itself"),
        (lambda: MultiGPU(IterationLevel(devices=("host", "host")), ("host",)), "IterationLevel names its devices its"),
        (lambda: Islands(Auto(1), 5), "of Islands exchange solutions, but Auto has one walk"),
        (lambda: Islands(TreeExploration("host"), 5), "must have walks, but TreeExploration explores"),
        (
            lambda: OUTER["workers"](Multistart(4, follow=True)),
            "walks that are followed by other walks",
        ),
        (
            lambda: table(Distributed(Distributed(leaf("host"), POOL(), 2), POOL, 2)),
            r"cannot be sent to workers: cannot pickle(.|\n)*give a function that makes their executor",
        ),
        (
            lambda: run(
                BranchAndBound(KnapsackTree()),
                KNAPSACK,
                stop=stop.iterations(5),
                parallel=Distributed(IterationLevel("host"), POOL, 1),
            ),
            "BranchAndBound brings a runner of its own, and has no walks that Distributed could spread",
        ),
    ],
)
def test_what_means_nothing_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()
