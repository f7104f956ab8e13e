"""Searches that suit tours: how many walks and kicks fit a budget."""

from functools import partial

import numpy as np
import pytest

from metaheur import run, solve, stop
from metaheur.door.expression import read, written
from metaheur.errors import InputError
from metaheur.machine.pace import TimeBudget, running
from metaheur.parallel import Islands
from metaheur.problems import TSP
from metaheur.problems.tsp_searches import TourCandidates, TourSearches
from metaheur.searches import IteratedLocalSearch
from metaheur.searches.recommendation import Recommendation


def within(n: int, kicks: int, cores: int = 1) -> Recommendation:
    found = TSP.random(n, 1).recommended_within(kicks, cores)
    assert found is not None
    return found


def kicks_of(recommendation: Recommendation) -> int:
    assert isinstance(recommendation.search, IteratedLocalSearch)
    kicks: int = recommendation.search.acceptance.kicks  # type: ignore[attr-defined]
    return kicks


def walks_of(recommendation: Recommendation) -> int:
    return recommendation.parallel.walks if recommendation.parallel else recommendation.walks


@pytest.mark.parametrize("cores", [1, 4])
def test_a_walk_on_each_core_suits_few_kicks(cores: int) -> None:
    alone = within(1000, 2000, cores)
    assert (alone.parallel, alone.walks, kicks_of(alone), alone.start) == (None, cores, 2000, "construct")


@pytest.mark.parametrize(("n", "kicks", "cores"), [(300, 10**5, 1), (1000, 10**5, 1), (1000, 10**6, 4)])
def test_walks_that_recombine_share_the_kicks_of_all_cores(n: int, kicks: int, cores: int) -> None:
    together = within(n, kicks, cores)
    assert isinstance(together.parallel, Islands)
    assert 0.99 * kicks * cores < together.parallel.walks * kicks_of(together) <= kicks * cores


def test_more_kicks_bring_more_walks_and_more_kicks_of_each() -> None:
    short, long = within(1000, 10**5), within(1000, 10**6)
    assert walks_of(short) < walks_of(long)
    assert kicks_of(short) < kicks_of(long)


@pytest.mark.parametrize("kicks", [10**3, 10**5])
def test_another_length_changes_the_schedule_alone(kicks: int) -> None:
    found = within(500, kicks)
    other = found.of_length(77)
    assert (kicks_of(found), kicks_of(other), other.length) == (found.length, 77, 77)
    assert (walks_of(other), other.start) == (walks_of(found), found.start)


@pytest.mark.parametrize(("n", "work"), [(100, 10**6), (1000, 10**6), (1000, 10**8), (1000, 10**9)])
def test_work_decides_on_kicks(n: int, work: int) -> None:
    (only,) = TSP.random(n, 1).recommended(work=work)
    assert 0.9 * work < 1300 * walks_of(only) * kicks_of(only) <= work


def test_a_search_for_some_work_ends_near_it() -> None:
    tsp, work = TSP.random(100, 1), 400_000
    (only,) = tsp.recommended(work=work)
    found = run(only.search, tsp, stop=stop.evaluations(work), start=only.start, parallel="host")
    assert 0.5 < found.iterations / kicks_of(only) < 2


def test_work_must_be_a_whole_number() -> None:
    with pytest.raises(InputError, match="work"):
        TSP.random(50, 1).recommended(work=0)


def test_asymmetric_distances_have_searches_that_suit_permutations() -> None:
    tsp = TSP.from_matrix(np.arange(100).reshape(10, 10))
    assert tsp.recommended_within(1000, 1) is None
    assert len(tsp.recommended()) > 1


def test_many_cities_begin_at_the_greedy_tour() -> None:
    tsp = TSP.random(30, 1)
    found = TourSearches(tsp.nearest(5), "problem.nearest(5)", tsp.greedy_edge, greedy_from=30).within(60, 2)
    assert np.array_equal(found.start, tsp.greedy_edge())
    assert written(found.start, found.names) == "problem.greedy_edge()"
    assert within(30, 60, 2).start == "construct"
    result = run(found.search, tsp, stop=stop.iterations(20), seed=1, start=found.start, parallel="host")
    assert result.cost <= tsp.cost(tsp.greedy_edge())


def test_one_walk_from_the_greedy_tour_suits_few_kicks() -> None:
    tsp = TSP.random(30, 1)
    searches = TourSearches(tsp.nearest(5), "problem.nearest(5)", tsp.greedy_edge, greedy_from=30)
    assert [searches.within(kicks, 4).walks for kicks in (30, 31)] == [1, 4]


def test_many_cities_have_candidates_in_each_quadrant() -> None:
    tsp = TSP.random(30, 1)
    many = TourCandidates(tsp, quadrants_from=30, at_once_from=30).searches()
    few = TourCandidates(tsp, quadrants_from=31, at_once_from=30).searches()
    assert np.array_equal(many.near, tsp.quadrants(6))
    assert written(many.within(60).search, many.within(60).names).count("problem.quadrants(6)") == 1
    assert np.array_equal(few.near, tsp.alpha_nearest(5, 50))


def test_cities_without_coordinates_have_no_quadrants() -> None:
    near = np.abs(np.subtract.outer(np.arange(30), np.arange(30)))
    candidates, budget = TourCandidates(TSP.from_matrix(near), at_once_from=30), TimeBudget(1e-6)
    with running(budget):
        assert candidates.searches().name == "problem.alpha_nearest(5, 50)"
    assert candidates.searches().greedy_name == "problem.greedy_edge()"


def test_many_cities_begin_at_the_greedy_tour_of_the_candidates_that_are_there() -> None:
    tsp = TSP.random(30, 1)
    for quadrants_from in (30, 31):
        found = TourCandidates(tsp, quadrants_from, at_once_from=30).searches()
        assert found.greedy_name == "problem.greedy_edge(problem.quadrants(6))"
        assert np.array_equal(read(found.greedy_name, tsp), found.greedy())
        assert np.array_equal(found.greedy(), tsp.greedy_edge(tsp.quadrants(6)))


class Time:
    now = 0.0


@pytest.mark.parametrize(("limit", "name"), [(16.5, "alpha_nearest(5, 50)"), (15.5, "quadrants(6)")])
def test_candidates_by_alpha_fit_into_a_part_of_the_time_left(
    limit: float, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those in quadrants take a second here, and 50 steps of an ascent are expected to take 15 times as long."""

    def quadrants(tsp: TSP, k: int) -> np.ndarray:
        Time.now += 1.0
        return slow(tsp, k)

    slow = TSP.quadrants
    monkeypatch.setattr(Time, "now", 0.0)
    monkeypatch.setattr(TSP, "quadrants", quadrants)
    monkeypatch.setattr("metaheur.machine.pace.perf_counter", lambda: Time.now)
    candidates, budget = TourCandidates(TSP.random(30, 1), at_once_from=30), TimeBudget(limit)
    with running(budget):
        found = candidates.searches()
        Time.now += 100.0
        assert candidates.searches() is found
    assert (found.name, Time.now) == (f"problem.{name}", 101.0)
    assert len(budget.cuts) == ("quadrants" in name)
    assert candidates.searches().name == "problem.alpha_nearest(5, 50)"  # where time is not limited


def test_a_plan_tells_of_candidates_that_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metaheur.problems.tsp.TourCandidates", partial(TourCandidates, at_once_from=30))
    tsp = TSP.random(30, 1)
    short = solve(tsp, seconds=1e-6, parallel="numpy", report=False)
    assert short.plan.count("alpha-nearness takes more than 1/1 of the time") == 1
    assert short.race is not None
    assert "problem.quadrants(6)" in short.race.python
    assert "alpha-nearness" not in solve(tsp, work=1000, parallel="numpy", report=False).plan
