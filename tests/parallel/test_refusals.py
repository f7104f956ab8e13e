"""What every parallel model refuses before anything is launched, in the same words."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from metaheur import HillClimbing, run, stop
from metaheur.errors import DeviceError, InputError
from metaheur.parallel import Auto, Distributed, Islands, IterationLevel, MultiGPU, Multistart, SolutionLevel
from metaheur.problems import QAP
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.tree import BranchAndBound
from tests.machine.test_performance import KNAPSACK, QAP_9, TABU
from tests.toys import Rotations, SecondBest

TEN = stop.iterations(10)
MANY = 2**31 - 1

TOO_MANY: dict[str, Any] = {
    "a multistart": Multistart(MANY),
    "a plan": Auto(MANY),
    "devices": MultiGPU(Multistart(MANY), ("host", "host")),
    "workers": Distributed(Multistart(MANY), ThreadPoolExecutor(1), 2),
    "islands": Islands(Multistart(MANY), 5),
}


@pytest.mark.parametrize("name", TOO_MANY)
def test_walks_beyond_the_memory_are_refused_with_the_number_that_fits(name: str) -> None:
    problem = QAP.random(2000, 1)
    with pytest.raises(InputError, match=r"2,147,483,647 walks of QAP with Permutation\(n=2000.* are free") as caught:
        run(TABU, problem, stop=TEN, parallel=TOO_MANY[name])
    fits = int(caught.value.maybe.partition("fewer walks: ")[2].partition(" ")[0].replace(",", ""))
    Multistart(max(1, fits // 2)).require(problem)


def test_all_missing_halves_are_named() -> None:
    problem = QAP.random(6, 1)
    with pytest.raises(InputError, match=r"on host, but Rotations and SecondBest have no C\+\+ half\.\nMaybe use dev"):
        run(SecondBest(Rotations()), problem, stop=TEN, parallel=Multistart(4, device="host"))
    with pytest.raises(InputError, match=r"share a neighborhood, but Rotations has no C\+\+ half"):
        run(HillClimbing(Rotations()), problem, stop=TEN, parallel=IterationLevel(devices=("host", "host")))


SPREAD: dict[str, Any] = {
    "Multistart": Multistart(4),
    "SolutionLevel": SolutionLevel(),
    "IterationLevel": IterationLevel(devices=("host", "host")),
}


@pytest.mark.parametrize("name", SPREAD)
def test_a_search_with_a_runner_of_its_own_is_not_spread(name: str) -> None:
    search = BranchAndBound(KnapsackTree())
    with pytest.raises(InputError, match=f"BranchAndBound brings a runner of its own, and has no walks that {name}"):
        run(search, KNAPSACK, stop=TEN, parallel=SPREAD[name])


@pytest.mark.parametrize(
    "model",
    [
        Multistart(4, device="cuda:99"),
        IterationLevel("cuda:99"),
        IterationLevel(devices=("host", "cuda:99")),
        SolutionLevel("cuda:99"),
        MultiGPU(Multistart(4), ("host", "cuda:99")),
        Islands(Multistart(4, device="cuda:99"), 5),
    ],
    ids=repr,
)
def test_a_device_that_does_not_exist_is_refused(model: Any, gpu_is_there: bool) -> None:
    reason = "cuda:99 does not exist: this machine has" if gpu_is_there else "CuPy"
    with pytest.raises(DeviceError, match=reason) as caught:
        run(TABU, QAP_9, stop=TEN, parallel=model)
    assert caught.value.maybe


@pytest.mark.parametrize(
    ("made", "reason"),
    [
        (lambda: Multistart(4, block=33), r"`Multistart\.block` must be a multiple of 32, but is 33"),
        (lambda: IterationLevel(weights=(1, 2)), r"`IterationLevel\.weights` are the shares of several `devices`, but"),
        (lambda: MultiGPU(Multistart(4), ("host", "host"), weights=(1, float("nan"))), "finite number above 0"),
        (lambda: IterationLevel(devices=("host", "host"), weights=(1, 0)), "finite number above 0, but is 0"),
        (
            lambda: IterationLevel(devices=("host", "host"), weights=()),
            "a number above 0 for each of 2 devices, but is ",
        ),
    ],
)
def test_numbers_that_do_not_fit_the_devices_are_refused(made: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        made()
