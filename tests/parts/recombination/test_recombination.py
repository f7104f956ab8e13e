"""Recombination: children of two tours, never dearer than the own one, at the cost that is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur import (
    CandidateDescent,
    IteratedLocalSearch,
    Key,
    LinKernighan,
    ParetoLocalSearch,
    Random,
    TourPartitioning,
    run,
    stop,
)
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Insertion, OrOpt, ThreeOpt, TwoOpt, Union
from metaheur.parallel import EdgeAssembly, Islands, Multistart, ParallelModel, RandomTopology
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import QAP, TSP, FlowShop
from metaheur.random import Stream
from metaheur.walk import EvaluatedSolution

TSP_60 = TSP.random(60, seed=1)
ASSEMBLY = EdgeAssembly(TSP_60.quadrants(6))
DESCENT = CandidateDescent(Union(TwoOpt(), OrOpt(), ThreeOpt()), TSP_60.quadrants(6), best=True)
KICKS = IteratedLocalSearch(DESCENT, DoubleBridge(10, 0.2), Annealed(100, rungs=2))
PARTITIONING = TourPartitioning(KICKS, 12, 20)


def edges(tour: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in zip(tour.tolist(), np.roll(tour, 1).tolist(), strict=True)}


def child(tsp: TSP, tours: np.ndarray, **more: Any) -> EvaluatedSolution:
    own, other = (EvaluatedSolution(tsp.representation, tour, tsp.cost(tour)) for tour in tours)
    assembly = EdgeAssembly(tsp.nearest(min(6, len(tours[0]) - 1)), **more)
    return assembly.child(tsp, own, other, Random(Key(1), Stream.RECOMBINATION, 1))


@given(st.integers(5, 60), st.integers(0, 60), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_children_are_tours_and_cost_what_is_told(n: int, reversals: int, seed: int) -> None:
    tsp, generator = TSP.random(n, seed=2), np.random.default_rng(seed)
    own = generator.permutation(n)
    other = own.copy()
    for _ in range(reversals):
        i, j = np.sort(generator.integers(0, n, 2))
        other[i : j + 1] = other[i : j + 1][::-1].copy()
    found = child(tsp, np.array([own, other]))
    assert np.array_equal(np.sort(found.solution), np.arange(n))
    assert found.cost == tsp.cost(found.solution) <= tsp.cost(own)


def test_a_child_is_made_of_both_where_one_tour_comes_of_it() -> None:
    """Two places where the tours differ, each is better in one: the child is best in both."""
    best = run(KICKS, TSP_60, stop=stop.iterations(100), start="construct", seed=1, parallel="host").solution
    own, other = best.copy(), best.copy()
    own[10:14], other[40:44] = own[10:14][::-1].copy(), other[40:44][::-1].copy()
    assert TSP_60.cost(best) < min(TSP_60.cost(own), TSP_60.cost(other))
    assert edges(child(TSP_60, np.array([own, other])).solution) == edges(best)
    assert np.array_equal(child(TSP_60, np.array([own, own[::-1]])).solution, own)


def test_fewer_cycles_are_tried_than_there_are() -> None:
    generator = np.random.default_rng(4)
    tours = np.array([generator.permutation(60) for _ in range(2)])
    assert child(TSP_60, tours, most=1).cost > child(TSP_60, tours).cost


def test_compiled_children_are_those_of_python() -> None:
    """Also where many cycles leave several tours, of which few can be joined for less than the gain."""
    generator, pairs = np.random.default_rng(5), []
    for reversals in (1, 3, 10, 30, 100, 300) * 6:
        own = generator.permutation(60).astype(np.int32)
        other = own.copy()
        for _ in range(reversals):
            i, j = np.sort(generator.integers(0, 60, 2))
            other[i : j + 1] = other[i : j + 1][::-1].copy()
        first, second = (EvaluatedSolution(TSP_60.representation, x, TSP_60.cost(x)) for x in (own, other))
        pairs.append((first, second))
    randoms = [Random(Key(7, w), Stream.RECOMBINATION, 2**33) for w in range(len(pairs))]
    tables = [
        [(made.cost, made.solution.tolist()) for made in ASSEMBLY.bound(TSP_60, threads)(pairs, randoms)]
        for threads in (0, 1, 3)
    ]
    assert tables[0] == tables[1] == tables[2]


def test_a_compiled_child_of_tours_that_differ_in_many_places_is_that_of_python() -> None:
    """Both are local optima that were reached from starts of their own."""
    tsp = TSP.random(1500, seed=2)
    assembly, descent = EdgeAssembly(tsp.quadrants(6)), LinKernighan(tsp.quadrants(6))
    found = [run(descent, tsp, stop=stop.iterations(10**6), seed=seed, parallel="host") for seed in (1, 2)]
    own, other = (EvaluatedSolution(tsp.representation, each.solution, each.cost) for each in found)
    random = Random(Key(3), Stream.RECOMBINATION, 4)
    by_python, compiled = (assembly.bound(tsp, threads)([(own, other)], [random])[0] for threads in (0, 1))
    assert by_python.cost == compiled.cost == tsp.cost(compiled.solution) < own.cost
    assert by_python.solution.tolist() == compiled.solution.tolist()


def islands(device: str) -> ParallelModel:
    return Islands(Multistart(4, device=device), 2, RandomTopology(), replaces="worse current", recombination=ASSEMBLY)


def table(model: ParallelModel, search: Any, iterations: int) -> Any:
    result = run(search, TSP_60, stop=stop.iterations(iterations), start="construct", seed=3, parallel=model)
    assert TSP_60.cost(result.solution) == result.cost
    columns = (result.walks.costs, result.walks.evaluated, result.walks.improved_at)
    return [result.solution.tolist(), *(column.tolist() for column in columns)]


@pytest.mark.parametrize(("search", "iterations"), [(KICKS, 6), (PARTITIONING, 4)], ids=["kicks", "partitioning"])
def test_islands_recombine_the_same_everywhere(search: Any, iterations: int, compiling: Device) -> None:
    found = table(islands(compiling.name), search, iterations)
    assert found == table(islands("numpy"), search, iterations)
    assert found != table(Multistart(4, device="numpy"), search, iterations)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="EdgeAssembly needs a cost that is a sum of edges"):
        ASSEMBLY.require(QAP.random(9, seed=1))
    with pytest.raises(InputError, match="`candidates` has 60 rows"):
        ASSEMBLY.require(TSP.random(20, seed=1))
    shop = FlowShop(np.ones((6, 3), np.int32))
    with pytest.raises(InputError, match="sends whole archives, but"):
        islands("numpy").bind(ParetoLocalSearch(Insertion()), shop)
