"""Tour partitioning: many kicks of a tour at once, the same on every device."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

from metaheur import CandidateDescent, HillClimbing, IteratedLocalSearch, TourPartitioning, iterate, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import OrOpt, ThreeOpt, TwoOpt, Union
from metaheur.parallel import Islands, MultiGPU, Multistart, ParallelModel, Truncation
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP

TSP_60 = TSP.random(60, seed=1)
DESCENT = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), TSP_60.quadrants(6), best=True)
SEARCH = TourPartitioning(IteratedLocalSearch(DESCENT, DoubleBridge(10, 0.2), Annealed(100, rungs=2)), 12, 20)


def table(model: ParallelModel, search: TourPartitioning = SEARCH, rounds: int = 4) -> Any:
    result = run(search, TSP_60, stop=stop.iterations(rounds), start=TSP_60.nearest_neighbour(), seed=3, parallel=model)
    assert TSP_60.cost(result.solution) == result.cost
    columns = (result.walks.costs, result.walks.evaluated, result.walks.improved_at)
    return [result.solution.tolist(), *(column.tolist() for column in columns)]


def test_rounds_are_the_same_everywhere(compiling: Device) -> None:
    assert table(Multistart(3, device=compiling.name)) == table(Multistart(3, device="numpy"))


@pytest.mark.cuda
def test_rounds_of_islands_are_the_same_everywhere(gpu: Device) -> None:
    models = [
        Islands(Multistart(6, device=name), 2, Truncation(), emigrant="current", replaces="worse current")
        for name in ("host", gpu.name)
    ]
    assert table(models[0]) == table(models[1])


def test_walks_are_dealt_out_to_devices() -> None:
    assert table(MultiGPU(Multistart(3), ("host", "host"))) == table(Multistart(3, device="host"))


def test_threads_share_the_subtours_of_a_walk() -> None:
    assert table(Multistart(1, device="host")) == table(Multistart(1, device="host", threads=1))


def test_a_tour_becomes_shorter() -> None:
    start = TSP_60.cost(TSP_60.nearest_neighbour())
    costs = [table(Multistart(1, device="host"), rounds=rounds)[1][0] for rounds in (1, 8)]
    assert start > costs[0] > costs[1]


def test_subtours_of_a_random_tour_fall_apart_and_the_cost_of_patches_is_told() -> None:
    start = np.random.default_rng(1).permutation(60)
    for state in islice(iterate(SEARCH, TSP_60, start=start, seed=1, parallel="host"), 9):
        assert state.walk.current.cost == TSP_60.cost(state.walk.current.solution)


def test_a_short_tour_is_one_subtour() -> None:
    whole = TourPartitioning(SEARCH.search, 40, 20)
    assert table(Multistart(2, device="host"), whole)[1][0] < TSP_60.cost(TSP_60.nearest_neighbour())


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="`search` must kick tours"):
        TourPartitioning(HillClimbing(TwoOpt()))
    distances = np.rint(1 + np.abs(np.subtract.outer(np.arange(9), np.arange(9)))).astype(int)
    matrix = TSP.from_matrix(distances)
    search = IteratedLocalSearch(CandidateDescent(TwoOpt(), matrix.nearest(4)), DoubleBridge(5))
    with pytest.raises(InputError, match="TSP does not say where"):
        run(TourPartitioning(search), matrix, stop=stop.iterations(1))
