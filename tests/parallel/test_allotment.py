"""Allotment: walks change hands as the allocation says, after equal work, the same wherever they are."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from metaheur import HillClimbing, IteratedLocalSearch, Portfolio, SimulatedAnnealing, TabuSearch, resume, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parallel import (
    Achieved,
    Allocation,
    Allotment,
    Distributed,
    Equal,
    Islands,
    MultiGPU,
    Multistart,
    SuccessiveHalving,
    UpperConfidence,
)
from metaheur.parts import RandomMoves
from metaheur.problems import QAP
from metaheur.watch import Checkpoint
from tests.helpers import EveryTenth
from tests.workers import Deadly

QAP_9 = QAP.random(9, seed=3)
TABU, DESCENT = TabuSearch(Swap()), HillClimbing(Swap())
KICKS = IteratedLocalSearch(HillClimbing(Swap()), RandomMoves(Swap(), 3))
ANNEALING = SimulatedAnnealing(Swap(), 300.0)
UNLIKE = Portfolio({"annealing": ANNEALING, "descent": DESCENT, "tabu": TABU, "kicks": KICKS})
END = stop.evaluations(2000)

ALLOCATIONS: dict[str, Allocation] = {
    "equal": Equal(),
    "halving": SuccessiveHalving(),
    "confidence": UpperConfidence(),
}


def table(model: Any, end: Any = END, **more: Any) -> list[Any]:
    """All that a run says of each walk."""
    found = run(UNLIKE, QAP_9, stop=end, seed=5, parallel=model, **more)
    walks = found.walks
    columns = (walks.costs, walks.iterations, walks.evaluated, walks.improved_at, walks.finished, walks.searches)
    return [found.cost, *(column.tolist() for column in columns)]


@pytest.fixture(scope="module")
def expected() -> dict[str, list[Any]]:
    """What Python's halves come to."""
    return {n: table(Allotment(Multistart(8, device="numpy"), 200, each)) for n, each in ALLOCATIONS.items()}


MODELS: dict[str, Any] = {
    "host": lambda: Multistart(8, device="host"),
    "devices": lambda: MultiGPU(Multistart(8), ("host", "host"), weights=(5, 3)),
    "workers": lambda: Distributed(Multistart(8, device="host", threads=1), ThreadPoolExecutor(2), 3, iterations=50),
}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ALLOCATIONS)
def test_decisions_are_the_same_everywhere(name: str, model: str, expected: dict[str, list[Any]]) -> None:
    assert table(Allotment(MODELS[model](), 200, ALLOCATIONS[name])) == expected[name]


@pytest.mark.cuda
def test_decisions_are_the_same_on_a_gpu(gpu: Any, expected: dict[str, list[Any]]) -> None:
    for name, allocation in ALLOCATIONS.items():
        assert table(Allotment(Multistart(8, device="cuda"), 200, allocation)) == expected[name]


@pytest.mark.parametrize("name", ALLOCATIONS)
def test_decisions_are_the_same_wherever_chunks_end(name: str, expected: dict[str, list[Any]]) -> None:
    model = Allotment(Multistart(8, device="host"), 200, ALLOCATIONS[name])
    assert table(model, watch=[EveryTenth()]) == expected[name]


def test_written_inside_it_stands_outside(expected: dict[str, list[Any]]) -> None:
    inner = Allotment(Multistart(8, device="host", threads=1), 200)
    assert table(Distributed(inner, ThreadPoolExecutor(2), 3)) == expected["halving"]
    assert table(MultiGPU(inner, ("host", "host"))) == expected["halving"]


def test_a_killed_worker_changes_no_decision(tmp_path: Path, expected: dict[str, list[Any]]) -> None:
    made: list[Deadly] = []

    def make() -> Deadly:
        made.append(Deadly(tmp_path / "killed", 2))
        return made[-1]

    try:
        model = Distributed(Multistart(8, device="host", threads=1), make, 2)
        assert table(Allotment(model, 200, SuccessiveHalving())) == expected["halving"]
    finally:
        for deadly in made:
            deadly.pool.shutdown()
    assert len(made) == 2


def test_equal_allocation_changes_nothing(expected: dict[str, list[Any]]) -> None:
    assert expected["equal"][6] == ["annealing", "descent", "tabu", "kicks"] * 2
    plain = table(Multistart(8, device="host"))
    assert expected["equal"][5:] == plain[5:]
    assert expected["equal"][1] == plain[1]


def test_halving_leaves_one_search_and_others_change_hands(expected: dict[str, list[Any]]) -> None:
    assert len(set(expected["halving"][6])) == 1
    assert expected["confidence"][6] != expected["equal"][6]
    assert expected["confidence"][2:4] != expected["equal"][2:4]


@pytest.mark.parametrize("name", ["halving", "confidence"])
def test_a_run_is_resumed_in_the_middle_of_a_period(name: str, expected: dict[str, list[Any]], tmp_path: Path) -> None:
    path, allocation = tmp_path / "run.npz", ALLOCATIONS[name]
    first = Allotment(Multistart(8, device="host"), 200, allocation)
    run(UNLIKE, QAP_9, stop=stop.iterations(37), seed=5, parallel=first, watch=[Checkpoint(path, every=0)])
    rest = resume(path, UNLIKE, QAP_9, stop=END, parallel=Allotment(MODELS["workers"](), 200, allocation)).walks
    assert [rest.costs.tolist(), rest.evaluated.tolist(), rest.searches.tolist()] == [
        expected[name][i] for i in (1, 3, 6)
    ]


@frozen
class Noted(Allocation):
    """Notes what it is told, and gives every walk to the last search."""

    seen: list[Achieved] = field(factory=list)

    def counts(self, achieved: Achieved) -> np.ndarray:
        self.seen.append(achieved)
        last = np.zeros_like(achieved.counts)
        last[-1] = len(achieved.members)
        return last


def test_all_is_told_that_was_found_by_the_same_work() -> None:
    noted = Noted()
    found = run(UNLIKE, QAP_9, stop=stop.evaluations(1200), seed=5, parallel=Allotment(Multistart(8), 400, noted))
    first, second = noted.seen[:2]
    assert first.members.tolist() == [0, 1, 2, 3] * 2
    assert second.members.tolist() == [3] * 8
    assert first.turns.tolist() == [2.0] * 4
    assert second.turns.tolist() == [2.0, 2.0, 2.0, 10.0]
    starts = [QAP_9.cost(x) for x in QAP_9.representation.starts(Multistart(8).keys(5))]
    assert first.gains.sum() == sum(starts) - first.costs.sum()
    assert second.gains.sum() == sum(starts) - second.costs.sum()
    assert first.work[0] == 2 * 400
    assert (first.work[[2, 3]] >= 2 * 400).all()
    assert (first.work <= 2 * 436).all()
    assert found.walks.searches.tolist() == ["kicks"] * 8


def test_a_walk_that_has_ended_goes_on_in_other_hands() -> None:
    only = Portfolio([DESCENT, KICKS])
    model = Allotment(Multistart(4, device="host"), 2000, Noted())
    found = run(only, QAP_9, stop=stop.evaluations(6000), seed=5, parallel=model)
    assert not found.walks.finished.any()
    assert (found.walks.evaluated >= 6000).all()


def test_work_that_a_step_exceeds_is_one_period() -> None:
    noted = Noted()
    found = run(
        UNLIKE,
        QAP_9,
        stop=stop.evaluations(360),
        seed=5,
        parallel=Allotment(Multistart(8, device="host"), 1, noted),
    )
    assert (found.walks.evaluated >= 360).all()
    assert len(noted.seen) > 5


def achieved(members: list[int], costs: list[int], gains: list[float], turns: list[float]) -> Achieved:
    ones = np.ones(len(gains))
    return Achieved(np.array(members), np.array(costs), np.array(gains), ones, np.array(turns))


def test_halving_keeps_the_searches_with_the_best_walks() -> None:
    four = achieved([0, 0, 1, 1, 2, 2, 3, 3], [9, 1, 6, 6, 7, 7, 2, 8], [0.0] * 4, [2.0] * 4)  # the median of 1 is best
    assert SuccessiveHalving().counts(four).tolist() == [4, 0, 0, 4]
    assert SuccessiveHalving(0.75).counts(four).tolist() == [3, 3, 0, 2]
    two = achieved([0, 0, 3], [5, 5, 5], [0.0] * 4, [2.0] * 4)
    assert SuccessiveHalving(0.9).counts(two).tolist() == [3, 0, 0, 0]
    one = achieved([3, 3], [5, 5], [0.0] * 4, [2.0] * 4)
    assert SuccessiveHalving().counts(one).tolist() == [0, 0, 0, 2]


def test_confidence_explores_what_it_does_not_know_and_exploits_what_is_better() -> None:
    members = [0, 1, 2] * 2
    assert UpperConfidence(0).counts(achieved(members, [5] * 6, [1, 3, 2], [2, 2, 2])).tolist() == [0, 6, 0]
    assert UpperConfidence(0).counts(achieved(members, [5] * 6, [1, 3, 2], [2, 2, 0])).tolist() == [0, 5, 1]
    spread = UpperConfidence(9).counts(achieved(members, [5] * 6, [1, 3, 2], [2, 2, 2]))
    assert spread.tolist() == [2, 2, 2]
    assert UpperConfidence().counts(achieved(members, [5] * 6, [0, 0, 0], [2, 2, 2])).sum() == 6


class Greedy(Allocation):
    """Gives away more walks than there are."""

    def counts(self, achieved: Achieved) -> np.ndarray:
        return achieved.counts + 1


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (
            lambda: run(TABU, QAP_9, stop=END, parallel=Allotment(Multistart(4), 9)),
            "searches of a Portfolio, but TabuSearch is one",
        ),
        (
            lambda: Allotment(Islands(Multistart(4), 5), 9),
            "of Islands meet at the same iteration, and",
        ),
        (lambda: Islands(Allotment(Multistart(4), 9), 5), "of Allotment meet after equal work, but Islands meet"),
        (lambda: Allotment(MultiGPU(Allotment(Multistart(4), 9), ("host",)), 9), "of MultiGPU meet after equal work"),
        (lambda: Allotment(Multistart(4), 0), "`Allotment.work` must be a whole number in 1"),
        (
            lambda: Allotment(Multistart(4), 9, "equal"),  # type: ignore[arg-type]
            "`Allotment.allocation` must be of the type",
        ),
        (lambda: SuccessiveHalving(1.0), "`SuccessiveHalving.keep` must be a finite number above 0 and below 1"),
        (lambda: UpperConfidence(-1), "`UpperConfidence.exploration` must be a finite number from 0 on"),
        (
            lambda: table(Allotment(Multistart(8, device="host"), 200, Greedy())),
            "Greedy.counts must return 4 whole numbers, 8 together, but returned",
        ),
    ],
)
def test_what_cannot_be_allotted_is_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()
