"""Searches that suit tours: how many walks and kicks fit a time."""

import numpy as np
import pytest

from metaheur import run, stop
from metaheur.errors import InputError
from metaheur.machine.processors import cores
from metaheur.parallel import Islands
from metaheur.problems import TSP
from metaheur.problems.tsp_searches import KICKS
from metaheur.searches import IteratedLocalSearch
from metaheur.searches.recommendation import Recommendation


def for_seconds(n: int, seconds: float) -> Recommendation:
    (only,) = TSP.random(n, 1).recommended(seconds)
    return only


def kicks_of(recommendation: Recommendation) -> int:
    assert isinstance(recommendation.search, IteratedLocalSearch)
    kicks: int = recommendation.search.acceptance.kicks  # type: ignore[attr-defined]
    return kicks


def test_one_walk_suits_few_cities_and_little_time() -> None:
    assert for_seconds(299, 10).parallel is None
    assert for_seconds(5000, 0.5 / cores()).parallel is None


def test_a_walk_alone_is_annealed_over_the_kicks_of_a_core() -> None:
    alone = for_seconds(100, 3)
    assert kicks_of(alone) == 3 * KICKS
    assert alone.start == "construct"


@pytest.mark.parametrize(("n", "seconds"), [(300, 1), (1000, 1), (1000, 10), (2000, 5)])
def test_walks_that_recombine_end_their_annealing_within_the_time(n: int, seconds: int) -> None:
    together = for_seconds(n, seconds)
    assert isinstance(together.parallel, Islands)
    kicks = together.parallel.walks * kicks_of(together)
    assert 0.75 * seconds * KICKS * cores() < kicks < seconds * KICKS * cores()


def test_more_time_brings_more_walks_and_more_kicks_of_each() -> None:
    short, long = (for_seconds(1000, seconds / cores()) for seconds in (1, 4))
    assert isinstance(short.parallel, Islands)
    assert isinstance(long.parallel, Islands)
    assert short.parallel.walks < long.parallel.walks
    assert kicks_of(short) < kicks_of(long)


@pytest.mark.parametrize(("n", "work"), [(100, 10**6), (1000, 10**6), (1000, 10**7), (1000, 10**9)])
def test_work_decides_on_kicks_alone(n: int, work: int) -> None:
    (only,) = TSP.random(n, 1).recommended(work=work)
    walks = only.parallel.walks if only.parallel else 1
    assert (walks > 1) is (n >= 300 and work >= 400 * 10 * n)
    assert 0.75 * work < 400 * walks * kicks_of(only) <= work


def test_a_search_for_some_work_ends_near_it() -> None:
    tsp, work = TSP.random(100, 1), 400_000
    (only,) = tsp.recommended(work=work)
    found = run(only.search, tsp, stop=stop.evaluations(work), start=only.start, parallel="host")
    assert 0.5 < found.iterations / kicks_of(only) < 2


def test_without_a_limit_the_data_alone_decide() -> None:
    assert [kicks_of(each) for each in TSP.random(500, 1).recommended()] == [700]


def test_seconds_must_be_above_zero() -> None:
    with pytest.raises(InputError, match="seconds"):
        TSP.random(50, 1).recommended(0)


def test_there_is_one_limit_at_most() -> None:
    with pytest.raises(InputError, match="two limits of one search"):
        TSP.random(50, 1).recommended(1, work=1000)


def test_asymmetric_distances_have_searches_that_suit_permutations() -> None:
    distances = np.arange(100).reshape(10, 10)
    assert len(TSP.from_matrix(distances).recommended(1.0)) == len(TSP.from_matrix(distances).recommended())
