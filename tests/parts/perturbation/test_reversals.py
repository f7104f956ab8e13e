"""Perturbations by reversals change as many edges as they say, anywhere in the tour."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import HillClimbing, IteratedLocalSearch, Key, Problem, Random
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap, TwoOpt
from metaheur.parts import DoubleBridge, Reversals, SegmentReversal, SegmentShuffle
from metaheur.problems import QAP, TSP, OneMax
from metaheur.random import Stream
from metaheur.testing import check_search

seeds = st.integers(0, 2**32 - 1)


def kicked(perturbation: Reversals, n: int, seed: int) -> list[int]:
    items = list(range(n))
    for i, last in perturbation.reversals(Random(Key(seed), Stream.PERTURBATION, 1), n):
        assert 1 <= i <= last < n
        items[i : last + 1] = items[i : last + 1][::-1]
    return items


def blocks(items: list[int]) -> list[list[int]]:
    """The longest runs of consecutive items, from item 0 on."""
    runs = [[items[0]]]
    for item in items[1:]:
        if item == runs[-1][-1] + 1:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def changed(items: list[int]) -> int:
    """Edges that 0, 1, ..., n - 1 and back does not have."""
    n = len(items)
    pairs = zip(items, items[1:] + items[:1], strict=True)
    return sum((a - b) % n not in {1, n - 1} for a, b in pairs)


@pytest.mark.parametrize("perturbation", [DoubleBridge(), DoubleBridge(4), DoubleBridge(50, 0.5)], ids=repr)
@given(seed=seeds, n=st.integers(8, 60))
def test_a_double_bridge_changes_exactly_four_edges(perturbation: DoubleBridge, seed: int, n: int) -> None:
    assert changed(kicked(perturbation, n, seed)) == 4


@given(seed=seeds, n=st.integers(8, 60))
def test_a_double_bridge_makes_a_d_c_b(seed: int, n: int) -> None:
    items = kicked(DoubleBridge(), n, seed)
    a, d, c, b, *rest = blocks(items)
    assert items[0] == 0
    assert a + b + c + d + (rest[0] if rest else []) == list(range(n))
    assert len(a) + len(rest[0] if rest else []) >= 2
    assert len(c) >= 2


@given(seed=seeds)
def test_a_local_double_bridge_stays_within_its_length(seed: int) -> None:
    items = np.array(kicked(DoubleBridge(5), 100, seed))
    places = np.flatnonzero(items != np.arange(100))
    assert 3 <= np.ptp(places) + 1 <= 15


def test_global_segments_are_equally_likely() -> None:
    found = Counter(tuple(map(len, blocks(kicked(DoubleBridge(), 8, seed))[1:4])) for seed in range(1000))
    assert len(found) == 10  # A, B, C, D with 2, 1, 2, 1 items or more
    assert all(55 < count < 145 for count in found.values())  # 100 and nearly five standard deviations of 9.5


def test_the_share_of_global_kicks_is_as_wished() -> None:
    wide = sum(
        np.ptp(np.flatnonzero(np.array(kicked(DoubleBridge(2, 0.25), 200, seed)) != np.arange(200))) > 6
        for seed in range(800)
    )
    assert 140 < wide < 260  # 200 and five standard deviations of 12


@given(seed=seeds, n=st.integers(8, 40), length=st.integers(2, 50))
def test_a_segment_is_reversed(seed: int, n: int, length: int) -> None:
    items = kicked(SegmentReversal(length), n, seed)
    places = np.flatnonzero(np.array(items) != np.arange(n))
    begin, end = places[0], places[-1] + 1
    assert items[begin:end] == list(range(begin, end))[::-1]
    assert 2 <= end - begin <= min(length, n - 1)


def test_a_shuffle_makes_every_order_equally_often() -> None:
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(2400):
        items = kicked(SegmentShuffle(4), 9, seed)
        places = np.flatnonzero(np.array(items) != np.arange(9))
        if len(places):
            assert np.ptp(places) < 4
    for seed in range(2400):
        found[tuple(kicked(SegmentShuffle(8), 9, seed)[:4])] += 1
        assert kicked(SegmentShuffle(8), 9, seed)[0] == 0
    assert len(found) == 8 * 7 * 6
    assert max(found.values()) < 25  # 7 on average


@pytest.mark.parametrize("perturbation", [DoubleBridge(4), SegmentShuffle(4), SegmentReversal(4)], ids=repr)
def test_around_any_search_they_are_ordinary_moves(compiling: Device, perturbation: Reversals) -> None:
    tsp = TSP.random(9, 1)
    check_search(
        IteratedLocalSearch(HillClimbing(TwoOpt()), perturbation), tsp, iterations=40, devices=[compiling.name]
    )


def test_permutations_that_are_not_cyclic_are_perturbed_alike(compiling: Device) -> None:
    search = IteratedLocalSearch(HillClimbing(Swap()), DoubleBridge(4))
    check_search(search, QAP.random(9, 1), iterations=40, devices=[compiling.name])


IMPOSSIBLE: list[tuple[Reversals, Problem]] = [(DoubleBridge(), OneMax(20)), (SegmentReversal(5), TSP.random(7, 1))]


@pytest.mark.parametrize(("perturbation", "problem"), IMPOSSIBLE)
def test_what_they_do_not_perturb_is_refused(perturbation: Reversals, problem: Problem) -> None:
    with pytest.raises(InputError, match="perturbs permutations of 8 items or more, but the solutions are"):
        perturbation.require(problem)


def test_lengths_and_shares_have_their_ranges() -> None:
    for make in (lambda: DoubleBridge(1), lambda: DoubleBridge(5, 1.5), lambda: SegmentReversal(1)):
        with pytest.raises(InputError, match="must be a"):
            make()
