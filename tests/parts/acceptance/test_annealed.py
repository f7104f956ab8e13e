"""Annealed acceptance: Metropolis' criterion with a temperature that falls from the first cost an item to nothing."""

import math

import numpy as np
import pytest

from metaheur import Key, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.loops import CandidateDescent
from metaheur.neighborhoods import TwoOpt
from metaheur.parallel import Multistart
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from metaheur.searches import IteratedLocalSearch
from metaheur.testing import check_part
from tests.helpers import evaluated, solution_of

GENERATOR = np.random.default_rng(1)
WORDS = GENERATOR.integers(0, 2**32, 20_000, dtype=np.uint32)
TSP_9 = TSP.random(9, 1)


def kept(scale: float, trials: int) -> dict[str, np.ndarray]:
    return {"scale": np.array(scale), "trials": np.array(trials), "items": np.array(9), "rung": np.array(0)}


@pytest.mark.parametrize("trials", [0, 400, 999, 1000, 5000])
def test_both_halves_answer_alike(compiling: Device, trials: int) -> None:
    deltas = GENERATOR.integers(-50, 400, len(WORDS))
    arguments = (deltas, np.int64(1000), np.int64(900), WORDS)
    check_part(Annealed(1000), "accepts", *arguments, kept=kept(100.0, trials), devices=[compiling.kind])


def test_the_first_temperature_is_the_mean_edge_of_the_first_local_optimum() -> None:
    part = Annealed(10, 0.5)
    state = part.init(evaluated(TSP_9, solution_of(TSP_9)))
    part.record(state, True, 1800, 1800)
    assert [float(state["scale"]), int(state["trials"])] == [100.0, 0]
    part.record(state, True, 900, 900)
    assert [float(state["scale"]), int(state["trials"])] == [100.0, 1]


def test_walks_begin_at_the_rungs_of_a_ladder() -> None:
    part, start = Annealed(10, 0.5, rungs=4), evaluated(TSP_9, solution_of(TSP_9))
    scales = []
    for walk in range(6):
        state = part.begin(start, Key(1, walk))
        part.record(state, True, 1800, 1800)
        scales.append(float(state["scale"]))
    assert scales == [100.0, 75.0, 50.0, 25.0, 100.0, 75.0]


def test_it_accepts_with_the_probability_of_metropolis_and_less_from_kick_to_kick() -> None:
    shares = []
    for trials in (0, 500, 900):
        accepted = Annealed(1000).accepts(kept(100.0, trials), np.full(len(WORDS), 60), 0, 0, WORDS)
        expected = math.exp(-60 / (100 * (1 - trials / 1000)))
        assert accepted.mean() == pytest.approx(expected, abs=0.015)
        shares.append(accepted.mean())
    assert shares == sorted(shares, reverse=True)


def test_in_the_end_nothing_worse_is_accepted() -> None:
    for trials in (1000, 10**9):
        accepted = Annealed(1000).accepts(kept(100.0, trials), np.array([-1, 0, 1]), 0, 0, WORDS[:3])
        assert accepted.tolist() == [True, True, False]


def test_a_temperature_is_positive_and_a_budget_is_there() -> None:
    with pytest.raises(InputError, match=r"Annealed\.start"):
        Annealed(10, 0.0)
    with pytest.raises(InputError, match=r"Annealed\.kicks"):
        Annealed(0)


def test_few_kicks_are_decided_alike(compiling: Device) -> None:
    tsp = TSP.random(40, 2)
    search = IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(5)), DoubleBridge(9), Annealed(1, 9.0))
    found = []
    for device in ("numpy", compiling.name):
        model = Multistart(8, device=device)
        found.append(run(search, tsp, stop=stop.iterations(4), seed=1, parallel=model).walks.costs.tolist())
    assert found[0] == found[1]


def test_what_walks_begin_with_is_in_the_ranges_that_checkpoints_are_checked_by() -> None:
    part, start = Annealed(10, rungs=3), evaluated(TSP_9, solution_of(TSP_9))
    ranges = {name: array.within for name, array in part.state(TSP_9.representation).items() if array.within}
    begun = [part.begin(start, Key(1, walk)) for walk in range(3)]
    assert ranges["rung"] == (min(int(each["rung"]) for each in begun), max(int(each["rung"]) for each in begun))
    assert all(low <= each[name] <= high for each in begun for name, (low, high) in ranges.items())
