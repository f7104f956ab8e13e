"""Restricted: candidate moves against all moves of the neighborhood, by brute force."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur import HillClimbing, Neighborhood, Permutation, Problem, Representation, Solution, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import (
    CandidateMove,
    Hamming,
    Insertion,
    OrOpt,
    Restricted,
    Sampled,
    Swap,
    ThreeOpt,
    TwoOpt,
    Union,
)
from metaheur.problems import QAP, TSP
from metaheur.testing import check_neighborhood, check_problem, check_search

CONNECTING = [TwoOpt(), OrOpt(), OrOpt(2), Insertion(), Swap()]
connecting = pytest.mark.parametrize("neighborhood", CONNECTING, ids=repr)
cyclic = pytest.mark.parametrize("cyclic", [False, True], ids=["open", "cyclic"])


def candidates(n: int, k: int, seed: int = 1) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return np.array([generator.permutation([c for c in range(n) if c != i])[:k] for i in range(n)])


def same_tour(x: Solution, cyclic: bool) -> tuple[int, ...]:
    """One name for all rotations and reversals of a tour."""
    row = tuple(x.tolist())
    if not cyclic:
        return row
    k = row.index(0)
    forth = row[k:] + row[:k]
    return min(forth, forth[:1] + forth[:0:-1])


def are_neighbors(x: Solution, a: int, b: int, cyclic: bool) -> bool:
    apart = abs(int(np.flatnonzero(x == a)[0]) - int(np.flatnonzero(x == b)[0]))
    return apart == 1 or (cyclic and apart == len(x) - 1)


def results(neighborhood: Neighborhood, space: Representation, x: Solution) -> Iterator[Solution]:
    return (move.apply(x) for move in neighborhood.moves(space))


@connecting
@cyclic
@pytest.mark.parametrize("n", [5, 6, 10])
def test_every_move_makes_an_item_and_its_candidate_neighbors(neighborhood: Any, cyclic: bool, n: int) -> None:
    space, x = Permutation(n, cyclic), np.random.default_rng(n).permutation(n).astype(np.int32)
    everywhere = {same_tour(y, cyclic) for y in results(neighborhood, space, x)}
    met, ways = set(), set()
    for move in Restricted(neighborhood, candidates(n, n - 1)).moves(space):
        if (move_here := move.resolve(x)) is None:
            continue
        ways.add(move.variant)
        y = move_here.apply(x)
        assert np.array_equal(move.apply(x), y)
        assert are_neighbors(y, move.item, move.candidate, cyclic), move
        met.add(same_tour(y, cyclic))
    assert met <= everywhere
    assert n < 10 or ways == set(range(neighborhood.variants))
    missed = {same_tour(x[::-1], cyclic)} if isinstance(neighborhood, TwoOpt) else set()
    assert everywhere - met <= missed  # turning the whole permutation around makes nobody neighbors


@connecting
@cyclic
def test_restricted_keeps_every_promise_of_a_neighborhood(neighborhood: Any, cyclic: bool, compiling: Device) -> None:
    check_neighborhood(Restricted(neighborhood, candidates(9, 3)), Permutation(9, cyclic), devices=[compiling.name])


@connecting
@cyclic
def test_so_it_does_of_two_items(neighborhood: Any, cyclic: bool, compiling: Device) -> None:
    pair = Restricted(neighborhood, np.array([[1], [0]]))
    check_neighborhood(pair, Permutation(2, cyclic), devices=[compiling.name])


def test_an_index_names_an_item_a_candidate_and_a_variant() -> None:
    space, listed = Permutation(4), [[1, 2], [0, 3], [3, 0], [0, 1]]
    restricted = Restricted(TwoOpt(), np.array(listed))
    moves = list(restricted.moves(space))
    assert restricted.size(space) == len(moves) == 4 * 2 * 2
    names = [(move.item, move.candidate, move.variant) for move in moves]
    assert names == [(i, c, variant) for i in range(4) for c in listed[i] for variant in range(2)]
    assert repr(moves[5]) == "CandidateMove(item=1, candidate=0, variant=1)"
    assert [restricted.index(space, move) for move in moves] == list(range(16))


def test_neighbors_are_not_connected_again() -> None:
    space, x = Permutation(5, cyclic=True), np.arange(5, dtype=np.int32)
    move = CandidateMove(0, 4, 0, TwoOpt(), space)
    assert move.resolve(x) is None
    assert np.array_equal(move.apply(x), x)
    with pytest.raises(InputError, match="depends on the solution, and so does its inverse"):
        move.inverse()


def candidates_of(n: int) -> dict[str, Neighborhood]:
    near, nearer = candidates(n, 3), candidates(n, 1)
    both = Union(Restricted(TwoOpt(), near), Restricted(OrOpt(2), near))
    return {
        "swaps": Restricted(Swap(), near),
        "in a union with all moves": Union(Swap(), Restricted(Insertion(), near)),
        "of two neighborhoods": both,
        "two lists": Union(Restricted(TwoOpt(), near), Restricted(TwoOpt(), nearer)),
        "in a sample": Sampled(both, 20),
    }


PROBLEMS: dict[str, Problem] = {"TSP": TSP.random(10, 1), "QAP": QAP.random(10, 1)}
"""A formula for every move, and none for most."""


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("which", candidates_of(10))
def test_problems_know_what_candidate_moves_cost(problem: str, which: str, compiling: Device) -> None:
    check_problem(PROBLEMS[problem], candidates_of(10)[which], devices=[compiling.name])


@pytest.mark.parametrize("which", ["in a union with all moves", "two lists", "in a sample"])
def test_searches_make_candidate_moves(which: str, compiling: Device) -> None:
    search = HillClimbing(candidates_of(10)[which])
    check_search(search, PROBLEMS["TSP"], iterations=50, devices=[compiling.name])


def test_a_walk_ends_where_no_candidate_improves(device: str) -> None:
    tsp = TSP.random(14, 1)
    both = Union(Restricted(TwoOpt(), tsp.nearest(5)), Restricted(OrOpt(), tsp.nearest(5)))
    result = run(HillClimbing(both), tsp, stop=stop.iterations(1000), seed=1, parallel=device)
    assert result.stopped_by == "local optimum"
    moved = [tsp.cost(y) for y in results(both, tsp.representation, result.solution)]
    assert min(moved) >= result.cost


def test_no_move_at_all_is_a_local_optimum(device: str) -> None:
    tsp = TSP.from_coordinates([[0, 0], [0, 3], [4, 3], [4, 0]])
    beside = Restricted(TwoOpt(), np.array([[1], [2], [3], [0]]))
    start = np.arange(4, dtype=np.int32)
    result = run(HillClimbing(beside), tsp, stop=stop.iterations(9), seed=1, start=start, parallel=device)
    assert (result.cost, result.iterations, result.stopped_by) == (14, 1, "local optimum")


@given(st.integers(3, 15), st.integers(0, 1000))
def test_the_nearest_cities_are_those_of_a_sort(n: int, seed: int) -> None:
    tsp = TSP.from_coordinates(np.random.default_rng(seed).integers(0, 12, (n, 2)))  # many ties
    k = min(5, n - 1)
    apart = np.array([[tsp.cost(np.array([i, j])) // 2 if i != j else 0 for j in range(n)] for i in range(n)])
    expected = [sorted((j for j in range(n) if j != i), key=lambda j: (apart[i, j], j))[:k] for i in range(n)]
    assert tsp.nearest(k).tolist() == expected


@pytest.mark.parametrize("k", [0, 4, -1, 2.5, True])
def test_more_neighbors_than_cities_are_refused(k: Any) -> None:
    with pytest.raises(InputError, match=r"`k` must be a whole number in 1 \.\.\. 3"):
        TSP.random(4, 1).nearest(k)


@pytest.mark.parametrize(
    ("neighborhood", "listed", "reason"),
    [
        (ThreeOpt(), [[1], [0]], "ThreeOpt.* is not one"),
        (Hamming(1), [[1], [0]], "Hamming.* is not one"),
        (7, [[1], [0]], "7 is not one"),
        (
            TwoOpt(),
            [[1], [1]],
            r"candidates of item 1 must be other items of 0 \.\.\. 1, but candidates\[1, 0\] is 1\.",
        ),
        (TwoOpt(), [[1], [2]], r"candidates\[1, 0\] is 2\."),
        (TwoOpt(), [[-1], [0]], r"candidates\[0, 0\] is -1"),
        (TwoOpt(), [[1, 1], [0, 2], [0, 1]], "candidates of item 0 must differ, but item 1 is listed twice"),
        (TwoOpt(), [[], []], "`candidates` must have at least one column"),
        (TwoOpt(), [1, 0], "`candidates` must be a matrix"),
        (TwoOpt(), [[1.5], [0]], r"`candidates` must hold whole numbers .* but holds 1\.5"),
    ],
)
def test_what_makes_no_candidates_is_refused(neighborhood: Any, listed: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        Restricted(neighborhood, listed)


def test_candidates_fit_permutations_of_as_many_items() -> None:
    restricted = Restricted(Swap(), candidates(5, 2))
    assert restricted.supports(Permutation(5))
    assert not restricted.supports(Permutation(6))
    with pytest.raises(InputError, match="Restricted does not act on"):
        run(HillClimbing(restricted), QAP.random(6, 1), stop=stop.iterations(1))
