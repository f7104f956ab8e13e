"""One neighborhood on several devices: the same moves, wherever the shares end."""

from typing import Any

import numpy as np
import pytest

from metaheur import HillClimbing, Neighborhood, Problem, TabuSearch, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Insertion, Restricted, Swap, TwoOpt
from metaheur.parallel import IterationLevel
from metaheur.problems import PPP, QAP, TSP, FlowShop

NEAR = np.array([[1, 2], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6], [5, 7], [6, 0]])
CASES: dict[str, tuple[Problem, Neighborhood]] = {
    "in groups": (FlowShop(np.random.default_rng(1).integers(1, 99, (9, 3))), Insertion()),
    "one by one": (TSP.random(12, 1), TwoOpt()),
    "infeasible ones": (TSP.random(8, 1), Restricted(TwoOpt(), NEAR)),
    "kept arrays": (PPP.random(7, 9, 1), Hamming(2)),
}


def trace(problem: Problem, search: Any, model: Any) -> list[Any]:
    result = run(search, problem, stop=stop.iterations(25), seed=2, parallel=model)
    return [result.cost, result.solution.tolist(), result.iterations, result.evaluated]


@pytest.mark.parametrize("weights", [None, (1, 1, 1), (1, 5, 30), (30, 1, 1)])
@pytest.mark.parametrize("name", CASES)
def test_the_walk_is_that_of_one_device(name: str, weights: Any, device: str) -> None:
    if device == "numpy":
        pytest.skip("several devices are compiled ones")
    problem, neighborhood = CASES[name]
    several = IterationLevel(devices=(device, "host", device), weights=weights)
    assert trace(problem, HillClimbing(neighborhood), several) == trace(
        problem, HillClimbing(neighborhood), IterationLevel("numpy")
    )


def test_a_search_with_memory_walks_the_same_way() -> None:
    qap, search = QAP.random(8, 1), TabuSearch(Swap())
    assert trace(qap, search, IterationLevel(devices=("host", "host"))) == trace(qap, search, IterationLevel("numpy"))


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ({"devices": "cuda"}, "`devices` must name several devices"),
        ({"devices": ("numpy",)}, "holds 'numpy'"),
        ({"weights": (1, 2)}, "are the shares of several `devices`, but none is named"),
        ({"devices": ("host", "host"), "weights": (1, 0)}, "must be a finite number above 0, but is 0"),
        ({"devices": ("host", "host"), "weights": (1, 1, 1)}, "must be a number above 0 for each of 2 devices"),
        ({"devices": ("host", "host"), "resident": True}, "several devices share cannot be resident"),
    ],
)
def test_what_cannot_be_shared_is_refused(model: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        trace(QAP.random(5, 1), HillClimbing(Swap()), IterationLevel(**model))
