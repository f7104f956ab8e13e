"""Guided local search penalises what its definition says, and leads out of local optima."""

import numpy as np
import pytest

from metaheur import CandidateDescent, GuidedLocalSearch, HillClimbing, IteratedLocalSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.neighborhoods import OrOpt, TwoOpt, Union
from metaheur.parallel import Multistart
from metaheur.parts import Limit, RandomMoves
from metaheur.problems import TSP
from metaheur.testing import check_search
from tests.helpers import started

TSP_40 = TSP.random(40, 1)
DESCENT = CandidateDescent(TwoOpt(), TSP_40.nearest(6))


@pytest.mark.parametrize("neighborhood", [TwoOpt(), Union(TwoOpt(), OrOpt())], ids=repr)
def test_it_takes_the_same_steps_everywhere(compiling: Device, neighborhood: TwoOpt | Union) -> None:
    search = GuidedLocalSearch(CandidateDescent(neighborhood, TSP_40.nearest(6)))
    check_search(search, TSP_40, iterations=60, devices=[compiling.name])


def test_a_warp_decides_as_one_thread_does(gpu: Device) -> None:
    search = GuidedLocalSearch(CandidateDescent(Union(TwoOpt(), OrOpt()), TSP_40.nearest(6)))
    one, many = (
        run(search, TSP_40, stop=stop.iterations(100), parallel=Multistart(5, "warp", device=name)).walks
        for name in ("host", gpu.name)
    )
    assert (many.costs.tolist(), many.evaluated.tolist()) == (one.costs.tolist(), one.evaluated.tolist())


def test_inside_a_nest_penalties_begin_anew(compiling: Device) -> None:
    search = IteratedLocalSearch(GuidedLocalSearch(DESCENT), RandomMoves(TwoOpt(), 3), limit=Limit(iterations=5))
    check_search(search, TSP_40, iterations=20, devices=[compiling.name])


def test_the_edges_of_largest_utility_are_penalised() -> None:
    search, evaluate = GuidedLocalSearch(DESCENT, 0.3), NumpyEvaluator(TSP_40, None)
    state = search.step(started(search, TSP_40), evaluate)
    assert state.kept["weight"] == int(0.3 * (state.walk.current.cost / 40)) > 1
    for _ in range(30):
        x, before = state.walk.current.solution, state.kept["penalties"].copy()
        ends = np.column_stack([x, np.roll(x, -1)])
        utility = [(int(TSP_40.edge(a, b)), 1 + int(before[a, b])) for a, b in ends]
        most = max(cost / share for cost, share in utility)
        state = search.step(state, evaluate)
        gained = state.kept["penalties"] - before
        expected = {frozenset(pair.tolist()) for pair, (c, s) in zip(ends, utility, strict=True) if c / s == most}
        assert {frozenset(pair) for pair in np.argwhere(gained).tolist()} == expected
        assert set(gained[gained != 0].tolist()) == {1}


def test_it_leaves_the_first_local_optimum_for_better_ones() -> None:
    first = run(DESCENT, TSP_40, stop=stop.iterations(1), seed=1, parallel="numpy")
    found = run(GuidedLocalSearch(DESCENT), TSP_40, stop=stop.iterations(150), seed=1, parallel="numpy")
    assert found.cost < first.cost
    assert len(found.improvements) > 2


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(InputError, match="`descent` must be a CandidateDescent or LinKernighan, but is HillClimbing"):
        GuidedLocalSearch(HillClimbing(TwoOpt()))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"GuidedLocalSearch\.strength"):
        GuidedLocalSearch(DESCENT, 0.0)
