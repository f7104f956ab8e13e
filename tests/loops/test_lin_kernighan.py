"""Exchanges of variable depth: brute force finds no better one, and every device takes the same steps."""

from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from metaheur import CandidateDescent, IteratedLocalSearch, LinKernighan, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.loops import Kicks
from metaheur.neighborhoods import ThreeOpt
from metaheur.parallel import Multistart
from metaheur.parts import Annealed, DoubleBridge
from metaheur.problems import TSP
from metaheur.testing import check_search
from metaheur.tours.tour import Tour

TSP_40 = TSP.random(40, 1)


def lin_kernighan(*breadth: int, tsp: TSP = TSP_40, k: int = 6) -> LinKernighan:
    return LinKernighan(tsp.nearest(k), breadth)


@pytest.mark.parametrize("breadth", [(6,), (5, 3, 2), (3, 2, 2, 1)], ids=repr)
def test_it_takes_the_same_steps_everywhere(compiling: Device, breadth: tuple[int, ...]) -> None:
    search = IteratedLocalSearch(lin_kernighan(*breadth), DoubleBridge(5), Annealed(30))
    assert isinstance(search.loop, Kicks)
    check_search(search, TSP_40, iterations=30, devices=[compiling.name])


@pytest.mark.parametrize("per", ["thread", "warp", "block"])
def test_a_team_decides_as_one_thread_does(gpu: Device, per: str) -> None:
    search, until = IteratedLocalSearch(lin_kernighan(5, 3, 2), DoubleBridge(5), Annealed(200)), stop.iterations(200)
    one = run(search, TSP_40, stop=until, parallel=Multistart(6, device="host")).walks
    many = run(search, TSP_40, stop=until, parallel=Multistart(6, per, block=64, device=gpu.name)).walks
    for column in ("costs", "evaluated", "improved_at"):
        assert getattr(many, column).tolist() == getattr(one, column).tolist()


def sequential(tour: list[int], edges: tuple[int, ...]) -> set[frozenset[frozenset[int]]]:
    """The tours, as sets of edges, in which these edges, by position, are removed and others added along one chain."""
    n, found = len(tour), set()
    lost = [(tour[p], tour[(p + 1) % n]) for p in edges]
    kept = [{tour[p], tour[(p + 1) % n]} for p in range(n) if p not in edges]
    for order in permutations(lost[1:]):
        for ways in product((1, -1), repeat=len(lost)):
            chain = [item for edge, way in zip((lost[0], *order), ways, strict=True) for item in edge[::way]]
            added = [{chain[k], chain[(k + 1) % len(chain)]} for k in range(1, len(chain), 2)]
            if any(len(edge) == 1 or edge in map(set, lost) for edge in added):
                continue
            every = [*kept, *added]
            here, left = tour[0], list(every)
            while edge := next((edge for edge in left if here in edge), None):
                left.remove(edge)
                here = next(iter(edge - {here}))
            if not left and here == tour[0]:
                found.add(frozenset(map(frozenset, every)))
    return found


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_its_exchanges_are_all_sequential_ones_that_gain(depth: int) -> None:
    n = 7
    tsp = TSP.random(n, 5)
    items = np.random.default_rng(depth).permutation(n).tolist()
    lengths = tsp.edge(*np.broadcast_arrays(np.arange(n)[:, None], np.arange(n))).tolist()
    descent, found = LinKernighan(tsp.nearest(n - 1), (n - 1,) * (depth - 1)), {}
    for item in range(n):
        tour = Tour(list(items), descent.candidates.tolist(), lambda a, b: lengths[a][b])
        for gain, steps in list(descent.exchanges(tour, item)):
            if gain <= 0:
                assert steps == ()
                continue
            copy = Tour(list(items), descent.candidates.tolist(), tour.edge)
            copy.make(steps)
            assert tsp.cost(np.array(items)) - tsp.cost(np.array(copy.items)) == gain
            found[frozenset(frozenset({a, copy.beside(a, 0)}) for a in copy.items)] = gain
    expected = {
        tour: gain
        for count in range(2, depth + 1)
        for edges in combinations(range(n), count)
        for tour in sequential(items, edges)
        if (gain := tsp.cost(np.array(items)) - sum(lengths[min(edge)][max(edge)] for edge in tour)) > 0
    }
    assert found == expected
    assert expected


def test_a_deeper_local_optimum_is_one_of_three_opt() -> None:
    found = run(lin_kernighan(39, 39, 2, k=39), TSP_40, stop=stop.iterations(5), seed=4, parallel="numpy")
    again = run(
        CandidateDescent(ThreeOpt(), TSP_40.nearest(39)), TSP_40, stop=stop.iterations(5), start=found.solution, seed=1
    )
    assert (found.iterations, found.stopped_by) == (1, "local optimum")
    assert again.cost == found.cost


@pytest.mark.parametrize("breadth", [(), (5, 5, 5, 5, 5), (0,), 5])
def test_what_does_not_fit_is_named(breadth: Any) -> None:
    with pytest.raises(InputError, match="`breadth"):
        LinKernighan(TSP_40.nearest(6), breadth)
