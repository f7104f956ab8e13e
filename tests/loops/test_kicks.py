"""Kicks: a kick and its repair are undone where they are not accepted, whatever the journal has room for."""

from typing import Any

import numpy as np
import pytest

from metaheur import CandidateDescent, HillClimbing, IteratedLocalSearch, Key, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Kicks
from metaheur.neighborhoods import OrOpt, Sampled, Swap, ThreeOpt, TwoOpt, Union
from metaheur.parallel import Multistart
from metaheur.parts import (
    Always,
    Annealed,
    Better,
    BetterOrEqual,
    DoubleBridge,
    Limit,
    RandomMoves,
    Reversals,
    SegmentReversal,
    SegmentShuffle,
)
from metaheur.problems import TSP
from metaheur.testing import check_search
from tests.helpers import started

TSP_40 = TSP.random(40, 1)
DESCENT = CandidateDescent(Union(TwoOpt(), OrOpt()), TSP_40.nearest(6))


def ils(perturbation: Reversals, acceptance: Any = BetterOrEqual()) -> IteratedLocalSearch:
    return IteratedLocalSearch(DESCENT, perturbation, acceptance)


SEARCHES = {
    "local": ils(DoubleBridge(5), Annealed(30)),
    "global": ils(DoubleBridge(), Better()),
    "ladder": ils(DoubleBridge(5), Annealed(30, 3.0, rungs=2)),
    "mixed": ils(DoubleBridge(5, 0.5), Always()),
    "reversal": ils(SegmentReversal(9)),
    "shuffle": ils(SegmentShuffle(6)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_kicks_are_the_same_everywhere(compiling: Device, name: str) -> None:
    assert isinstance(SEARCHES[name].loop, Kicks)
    check_search(SEARCHES[name], TSP_40, iterations=40, devices=[compiling.name])


@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize("per", ["thread", "warp", "block"])
def test_a_team_decides_as_one_thread_does(gpu: Device, per: str, best: bool) -> None:
    every = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), TSP_40.nearest(39), best=best)
    for descent in (every, CandidateDescent(every.neighborhood, TSP_40.nearest(6), best=best)):
        search, until = IteratedLocalSearch(descent, DoubleBridge(5), Annealed(200)), stop.iterations(200)
        one = run(search, TSP_40, stop=until, parallel=Multistart(6, device="host")).walks
        many = run(search, TSP_40, stop=until, parallel=Multistart(6, per, block=64, device=gpu.name)).walks
        for column in ("costs", "evaluated", "improved_at"):
            assert getattr(many, column).tolist() == getattr(one, column).tolist()


def test_a_journal_without_room_is_no_hindrance(compiling: Device) -> None:
    kicks = Kicks(DESCENT, SegmentShuffle(20), Better(), room=5)
    check_search(kicks, TSP_40, iterations=25, devices=[compiling.name])


@pytest.mark.parametrize("room", [1, 5, 512])
def test_the_best_tour_is_found_by_the_reversals_since_then(compiling: Device, room: int) -> None:
    tsp = TSP.random(200, 1)
    descent = CandidateDescent(Union(TwoOpt(), OrOpt()), tsp.nearest(5))
    for acceptance in (Annealed(60), Always()):
        kicks = Kicks(descent, DoubleBridge(5), acceptance, room=room, late_from=1)
        check_search(kicks, tsp, iterations=60, devices=[compiling.name])


def test_a_refused_kick_leaves_the_tour_as_it_was() -> None:
    search, evaluate = ils(DoubleBridge(5), Better()), NumpyEvaluator(TSP_40, None)
    state, refused = search.step(started(search, TSP_40), evaluate), 0
    for _ in range(40):
        before = state.walk.current
        state = search.step(state, evaluate)
        if state.walk.current.cost >= before.cost:
            refused += 1
            assert state.walk.current.solution.tolist() == before.solution.tolist()
    assert 0 < refused < 40


def test_its_solutions_are_local_optima_and_get_better() -> None:
    found = run(ils(DoubleBridge(5), Better()), TSP_40, stop=stop.iterations(60), seed=1, parallel="numpy")
    again = run(DESCENT, TSP_40, stop=stop.iterations(1), start=found.solution, parallel="numpy")
    first = run(DESCENT, TSP_40, stop=stop.iterations(1), seed=1, parallel="numpy")
    assert again.cost == found.cost < first.cost


def test_a_kick_costs_what_it_touches() -> None:
    tsp = TSP.random(1000, 1)
    search = IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(6)), DoubleBridge(10))
    start = tsp.greedy_edge()
    first, second = (run(search, tsp, stop=stop.iterations(k), start=start, parallel="numpy").evaluated for k in (1, 2))
    assert second - first < first / 20


def test_the_compositions_of_delevacq_delisle_and_krajecki(compiling: Device) -> None:
    tsp = TSP.random(10, 1)
    ils_fi = IteratedLocalSearch(CandidateDescent(ThreeOpt(), tsp.nearest(9)), DoubleBridge(), Better())
    ils_rkbi = IteratedLocalSearch(HillClimbing(Sampled(ThreeOpt(), 20)), DoubleBridge(), Better())
    for search in (ils_fi, ils_rkbi):
        check_search(search, tsp, iterations=20, devices=[compiling.name])
    found = [run(ils_fi, tsp, stop=stop.iterations(40), seed=seed, parallel="numpy").cost for seed in range(3)]
    assert len(set(found)) == 1  # ten cities: the optimum


def test_where_no_journal_can_be_kept_a_nest_goes_around_the_search() -> None:
    for search in (
        IteratedLocalSearch(HillClimbing(TwoOpt()), DoubleBridge(5)),
        IteratedLocalSearch(DESCENT, RandomMoves(TwoOpt(), 3)),
        IteratedLocalSearch(DESCENT, DoubleBridge(5), limit=Limit(iterations=1)),
    ):
        assert not isinstance(search.loop, Kicks)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((HillClimbing(TwoOpt()), DoubleBridge(5)), "`descent` must be a CandidateDescent"),
        ((DESCENT, RandomMoves(Swap(), 2)), "`perturbation` must be made of reversals"),
    ],
)
def test_what_does_not_fit_is_named(arguments: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Kicks(*arguments)


def test_a_tour_too_short_for_a_double_bridge_is_refused() -> None:
    tsp = TSP.random(7, 1)
    search = IteratedLocalSearch(CandidateDescent(TwoOpt(), tsp.nearest(3)), DoubleBridge())
    with pytest.raises(InputError, match="DoubleBridge perturbs permutations of 8 items or more"):
        run(search, tsp, stop=stop.iterations(3), parallel="numpy")


def test_walks_with_one_key_are_one_walk() -> None:
    search, evaluate = ils(DoubleBridge(5)), NumpyEvaluator(TSP_40, None)
    states = [started(search, TSP_40, key=key) for key in (Key(1), Key(1), Key(2))]
    for _ in range(5):
        states = [search.step(state, evaluate) for state in states]
    one, same, other = (state.walk.current.solution.tolist() for state in states)
    assert one == same != other
    assert np.array_equal(states[0].walk.best.solution, states[1].walk.best.solution)
