"""Searches that suit tours: how many walks and kicks fit a time."""

import numpy as np
import pytest

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


def test_without_a_limit_the_data_alone_decide() -> None:
    assert [kicks_of(each) for each in TSP.random(500, 1).recommended()] == [500, 1000]


def test_seconds_must_be_above_zero() -> None:
    with pytest.raises(InputError, match="seconds"):
        TSP.random(50, 1).recommended(0)


def test_asymmetric_distances_have_searches_that_suit_permutations() -> None:
    distances = np.arange(100).reshape(10, 10)
    assert len(TSP.from_matrix(distances).recommended(1.0)) == len(TSP.from_matrix(distances).recommended())
