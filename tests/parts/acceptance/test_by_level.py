"""Acceptances for costs of levels: a temperature each, and weights that adapt, the same on every device."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from metaheur import BitString, EvaluatedSolution, SimulatedAnnealing, TabuSearch, run, stop
from metaheur.costs.levels import Levels
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators import NumpyEvaluator
from metaheur.loops import Scan, Trial
from metaheur.neighborhoods import Hamming, Substitution
from metaheur.parallel import Multistart
from metaheur.parts import (
    AdaptedWeights,
    AspirationPlus,
    BetterOrEqual,
    ByLevel,
    Fixed,
    FrequencyMemory,
    LateAcceptance,
    Metropolis,
    PlacementMemory,
    Tenure,
    Threshold,
)
from metaheur.problem import levels_of
from metaheur.problems import OneMax
from metaheur.search import fitted
from metaheur.searches.temperature import start_temperatures
from metaheur.testing import check_search
from tests.costs.timetable import timetable
from tests.helpers import started

TIMES = timetable(n=12, rooms=4, seed=5)

SEARCHES: dict[str, Any] = {
    "measured temperatures": SimulatedAnnealing(Substitution()),
    "a temperature each": SimulatedAnnealing(Substitution(), (1.0, 8.0)),
    "one temperature": SimulatedAnnealing(Substitution(), 8.0),
    "adapted weights": Trial(Substitution(), AdaptedWeights(Metropolis(4.0), 20)),
    "adapted weights in tabu search": TabuSearch(Substitution(), (0.1, 0.3), weights=AdaptedWeights(window=6)),
    "adapted weights without a memory": Scan(Substitution(), acceptance=AdaptedWeights(window=3)),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_walks_are_the_same_on_every_device(name: str, compiling: Device) -> None:
    check_search(SEARCHES[name], TIMES, devices=[compiling.name])


def test_each_level_is_measured_by_the_changes_that_it_decides() -> None:
    hard, soft = start_temperatures(TIMES, Substitution())
    assert 1 <= hard < 4 < soft < 20
    search = fitted(SEARCHES["measured temperatures"], TIMES)
    assert search.temperature == (float(f"{hard:.3g}"), float(f"{soft:.3g}"))
    assert [each.last for each in search.schedule] == [0.003 * each for each in search.temperature]


def test_the_search_ends_with_its_schedules() -> None:
    result = run(SimulatedAnnealing(Substitution()), TIMES, stop=stop.iterations(10**6), parallel="host")
    assert result.stopped_by == "iterations"
    once = fitted(SimulatedAnnealing(Substitution()), TIMES)
    short = SimulatedAnnealing(Substitution(), once.temperature, once.schedule)
    ended = run(short, TIMES, stop=stop.iterations(10**6), parallel="host")
    assert ended.stopped_by == "schedule ended"
    assert ended.iterations < 10**4


def test_a_level_without_a_temperature_never_becomes_worse() -> None:
    acceptance = ByLevel.of([BetterOrEqual(), Metropolis(1e6)])
    seen = []

    def look(view: Any) -> bool:
        seen.append(view.current_cost[0])
        return False

    run(Trial(Substitution(), acceptance), TIMES, stop=stop.iterations(200) | stop.when(look, every=1), seed=4)
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > seen[-1]


def test_three_levels_take_three_temperatures() -> None:
    acceptance = ByLevel.of([Threshold(0.5), Threshold(1), Threshold(5)])
    levels = Levels(("a", "b", "c"), ((0, 4), (0, 6), (-9, 9)))
    found = acceptance.levelled(levels)  # type: ignore[attr-defined]
    assert (found.weight, found.others.weight) == levels.weights[:2]
    kept: dict[str, Any] = {
        "first": {"cooling": {"level": np.array(0.5)}},
        "others": {"first": {"cooling": {"level": np.array(1.0)}}, "others": {"cooling": {"level": np.array(5.0)}}},
    }
    for change in [(0, 0, 5), (0, 0, 6), (0, 1, 9), (0, 2, -9), (1, -6, -9), (-1, 6, 9), (0, -1, 9)]:
        first = next((k for k, each in enumerate(change) if each), 2)
        wanted = change[first] <= (0.5, 1, 5)[first]
        assert found.accepts(kept, levels.packed(change), 0, 0, 0) == wanted
    with pytest.raises(InputError, match="another number of acceptances"):
        run(Trial(Substitution(), acceptance), TIMES, stop=stop.iterations(1))


def test_a_weight_rises_until_solutions_are_feasible_and_falls_again() -> None:
    search = Trial(Substitution(), AdaptedWeights(Metropolis(2.0), 10))
    weights = []

    def look(view: Any) -> bool:
        weights.append(int(view.state.kept["acceptance"]["penalty"]))
        return False

    result = run(search, TIMES, stop=stop.iterations(600) | stop.when(look, every=10), seed=1)
    assert max(weights) > 3
    assert any(b < a for a, b in pairwise(weights))
    assert result.cost == tuple(TIMES.cost(result.solution))


@pytest.mark.parametrize(("feasible", "weight"), [(3, 12), (4, 10), (6, 10), (7, 8)])
def test_a_weight_stays_while_the_share_of_feasible_solutions_is_within_its_limits(feasible: int, weight: int) -> None:
    acceptance = AdaptedWeights(BetterOrEqual(), 10, start=10).levelled(Levels(("a", "b"), ((0, 40), (0, 60))))
    start = EvaluatedSolution(BitString(1), np.zeros(1, np.uint8), 0)
    kept: dict[str, Any] = {**acceptance.init(start), "acceptance": {}}
    for k in range(10):
        acceptance.record(kept, True, 0 if k < feasible else acceptance.weight or 0, 0)
    assert kept["penalty"] == weight


def test_adapted_weights_cross_infeasible_solutions_to_better_ones() -> None:
    problem = timetable(n=30, rooms=9, seed=2)
    model = Multistart(4, device="host")

    def best(acceptance: Any) -> Any:
        return run(Trial(Substitution(), acceptance), problem, stop=stop.iterations(20_000), parallel=model).cost

    assert best(AdaptedWeights(Metropolis(1.0))) < best(ByLevel.of([BetterOrEqual(), Metropolis(1.0)]))


def test_tabu_search_makes_the_best_move_by_the_weighted_sum() -> None:
    search = fitted(TabuSearch(Substitution(), Tenure.fixed(3), weights=AdaptedWeights(window=4, start=5)), TIMES)
    levels, moves = levels_of(TIMES), list(Substitution().moves(TIMES.representation))
    assert levels is not None
    evaluate, state, differs = NumpyEvaluator(TIMES), started(search, TIMES), 0
    for _ in range(40):
        walk, weight = state.walk, int(state.kept["acceptance"]["penalty"])
        x, expiries = walk.current.solution.copy(), state.kept["memory"]["expiries"].copy()
        found = [move.apply(x) for move in moves]
        costs = [TIMES.cost(each) for each in found]
        sums = [hard * weight + soft for hard, soft in costs]
        tabu = [expiries[m.at, y[m.at]] > walk.iteration for m, y in zip(moves, found, strict=True)]
        free = [k for k, each in enumerate(costs) if not tabu[k] or each < levels.unpacked(walk.best.cost)]
        chosen = min(free, key=sums.__getitem__)
        differs += costs[chosen] != min(costs[k] for k in free)
        state = search.step(state, evaluate)
        assert (state.walk.current.solution == found[chosen]).all()
    assert 0 < differs < 40


def test_problems_without_levels_are_refused() -> None:
    with pytest.raises(InputError, match="AdaptedWeights needs costs with levels, but those of OneMax have none"):
        run(Trial(Hamming(1), AdaptedWeights(Metropolis(1.0))), OneMax(4), stop=stop.iterations(1))
    with pytest.raises(InputError, match="AdaptedWeights needs costs with levels, but those of OneMax have none"):
        run(TabuSearch(Hamming(1), weights=AdaptedWeights()), OneMax(4), stop=stop.iterations(1))
    with pytest.raises(InputError, match="2 temperatures, but costs of OneMax have no levels"):
        run(SimulatedAnnealing(Hamming(1), (1.0, 2.0)), OneMax(4), stop=stop.iterations(1))


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(InputError, match="must not remember costs, but LateAcceptance does"):
        ByLevel(LateAcceptance(), BetterOrEqual())
    with pytest.raises(InputError, match="low <= high <= 1"):
        AdaptedWeights(Metropolis(1.0), low=0.9, high=0.1)
    with pytest.raises(InputError, match="`factor` must be above 1"):
        AdaptedWeights(Metropolis(1.0), factor=1)
    with pytest.raises(InputError, match="`weights` must be AdaptedWeights, but is 3"):
        TabuSearch(Substitution(), weights=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`weights` compare all moves, but `in_conflict`"):
        TabuSearch(Substitution(), weights=AdaptedWeights(), in_conflict=True)
    with pytest.raises(InputError, match="`weights` compare all moves, but `in_conflict` and `examine`"):
        TabuSearch(Substitution(), weights=AdaptedWeights(), examine=AspirationPlus())
    with pytest.raises(InputError, match="weighs changes of cost, which FrequencyMemory"):
        Scan(Substitution(), FrequencyMemory(PlacementMemory()), acceptance=AdaptedWeights())
    with pytest.raises(InputError, match="2 schedules for 3 temperatures"):
        SimulatedAnnealing(Substitution(), (1.0, 2.0, 3.0), (Fixed(), Fixed()))
