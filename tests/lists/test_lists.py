"""Lists: what they draw, how they read, and what is refused; their moves against plain lists."""

from __future__ import annotations

from itertools import permutations
from math import comb, factorial
from typing import Any

import numpy as np
import pytest

from metaheur import Neighborhood, ParetoLocalSearch, Permutation, Representation, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.lists import (
    CrossExchange,
    Granular,
    Lists,
    Relocate,
    RuinAndRecreatePairs,
    RuinAndRegret,
    TwoOptStar,
)
from metaheur.neighborhoods import Interchange, Substitution, Swap, Union
from metaheur.parts import PathRelinking
from metaheur.problems import MultiObjective
from metaheur.random import START, Key, Random
from metaheur.testing import check_corners, check_neighborhood, check_representation
from metaheur.testing.enumeration import solutions_of
from tests.neighborhoods.test_interchange import Weighted

SPACES = [Lists(3, 2), Lists(2, 3), Lists(3, 1), Lists(2, 2, optional=True), Lists(3, 1, optional=True), Lists(20, 5)]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_draws_facts_and_distances(space: Representation, compiling: Device) -> None:
    check_representation(space, devices=[compiling.name])


def test_there_are_as_many_solutions_as_arrangements() -> None:
    assert len(solutions_of(Lists(4, 2), 200, "")) == factorial(4) * comb(5, 1)
    served = [comb(3, k) * factorial(k) * comb(k + 1, 1) for k in range(4)]
    assert len(solutions_of(Lists(3, 2, optional=True), 200, "")) == sum(served)


def test_lists_lead_to_a_solution_and_back() -> None:
    space = Lists(6, 3, optional=True)
    x = space.join([[2, 0], [], [5, 3, 4]])
    assert np.asarray(x).tolist() == [6, 1, 0, 4, 8, 3, 2, 7, 5]
    assert space.split(x) == x.lists == [[2, 0], [], [5, 3, 4]]
    assert (x.list(2), x.left_out, x.next(5), x.previous(3), x.previous(6)) == ([5, 3, 4], [1], 3, 5, 0)
    assert x.copy().lists == x.lists
    name = "lists"
    with pytest.raises(AttributeError, match="only a whole solution has lists"):
        getattr(x[2:], name)


@pytest.mark.parametrize(
    ("kind", "given", "name"),
    [
        (Relocate, {"reverse": 1}, "reverse"),
        (CrossExchange, {"reverse": "yes"}, "reverse"),
        (Lists, {"items": 3, "lists": 2, "optional": 1}, "optional"),
        (RuinAndRegret, {"ruin": 5}, "ruin"),
        (RuinAndRecreatePairs, {"ruin": Swap(), "pairs": np.array([[0, 1]])}, "ruin"),
    ],
)
def test_fields_of_another_type_are_refused_by_name(kind: Any, given: dict[str, Any], name: str) -> None:
    with pytest.raises(InputError, match=rf"`{kind.__name__}\.{name}` must be"):
        kind(**given)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([[0, 1], [2, 1]], r"Item 1 is in list 0 and in list 1"),
        ([[0, 1]], r"Item 2 is in no list"),
        ([[0, 1], [2, 3]], r"List 1 holds 3, but the items are 0 \.\.\. 2"),
        ([[0], [1], [2]], r"has 2 lists, but 3 are given"),
    ],
)
def test_lists_that_are_no_solution_are_refused(lists: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Lists(3, 2).join(lists)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([3, 3, 4, 0, 1], r"positions 0 and 1 both hold 3"),
        ([4, 3, 2, 0, 1], r"list 0 leads to the head of another list, 4"),
        ([1, 0, 4, 3, 2], r"item 0 is in no list, but in a circle of items"),
        ([0, 3, 4, 1, 2], r"item 0 is in no list, and may not be left out"),
    ],
)
def test_arrays_that_are_no_solution_are_refused(x: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Lists(3, 2).validate(x)


def test_candidates_of_other_numbers_of_items_are_not_supported() -> None:
    moves = Granular(Relocate(), NEAR)
    assert moves.supports(Lists(6, 2))
    assert not moves.supports(Lists(5, 2))
    assert not moves.supports(Permutation(6))


def test_other_moves_and_wrong_numbers_are_refused() -> None:
    assert not any(each.supports(Lists(3, 2)) for each in (Swap(), Interchange(), Substitution()))
    with pytest.raises(InputError, match=r"Lists\.lists"):
        Lists(3, 0)
    with pytest.raises(InputError, match=r"bring two items of lists together"):
        Granular(Swap(), [[1], [0]])  # type: ignore[arg-type]


NEAR = np.array([[1, 2, 5], [4, 0, 2], [0, 1, 3], [4, 5, 0], [5, 1, 3], [0, 2, 4]], np.int32)
MOVES = [
    Relocate(),
    Relocate(2, reverse=False),
    CrossExchange(2),
    CrossExchange(2, reverse=True),
    TwoOptStar(),
    Granular(Relocate(), NEAR),
    Granular(CrossExchange(2, reverse=True), NEAR),
    Granular(TwoOptStar(), NEAR),
    Union(Relocate(1), Granular(TwoOptStar(), NEAR)),
]


@pytest.mark.parametrize("moves", MOVES, ids=repr)
def test_moves(moves: Neighborhood, compiling: Device) -> None:
    check_neighborhood(moves, Lists(6, 3), devices=[compiling.name])


@pytest.mark.parametrize("moves", [MOVES[0], MOVES[3], MOVES[4], MOVES[5]], ids=repr)
def test_moves_of_optional_items(moves: Neighborhood, compiling: Device) -> None:
    check_neighborhood(moves, Lists(6, 2, optional=True), seed=4, devices=[compiling.name])


@pytest.mark.parametrize("moves", [Relocate(), CrossExchange()], ids=repr)
def test_the_numbering_is_exact_where_it_is_long(moves: Neighborhood, compiling: Device) -> None:
    check_corners(moves, Lists(10**5, 10**3), samples=20, devices=[compiling.name])


def neighbors(moves: Neighborhood, space: Lists, x: Any) -> set[str]:
    found = (move.apply(x) for move in moves.moves(space) if move.resolve(x) is not None)
    return {str(space.split(each)) for each in found}


def arrangements(space: Lists, seeds: int = 8) -> list[Any]:
    return [space.random(Random(Key(seed), START, 0)) for seed in range(seeds)]


def test_relocations_are_those_of_plain_lists() -> None:
    space = Lists(6, 2)
    for x in arrangements(space):
        expected, lists = set(), space.split(x)
        for a, one in enumerate(lists):
            for i in range(len(one)):
                for j in range(i + 1, min(i + 2, len(one)) + 1):
                    rest = [list(each) for each in lists]
                    segment, rest[a] = one[i:j], one[:i] + one[j:]
                    for b in range(2):
                        for k in range(len(rest[b]) + 1):
                            if (a, i) != (b, k):
                                for order in (segment, segment[::-1]):
                                    put = [list(each) for each in rest]
                                    put[b][k:k] = order
                                    expected.add(str(put))
        assert neighbors(Relocate(2), space, x) == expected


def test_exchanges_are_those_of_plain_lists() -> None:
    space = Lists(7, 2)
    for x in arrangements(space):
        expected, lists = set(), space.split(x)
        tour = [*lists[0], -1, *lists[1]]
        for n in (1, 2):
            for m in (1, 2):
                for i in range(len(tour) - n + 1):
                    for j in range(i + n + 1, len(tour) - m + 1):  # one place or more is between
                        one, other = tour[i : i + n], tour[j : j + m]
                        between = tour[i + n : j]
                        if -1 not in one + other:
                            put = [*tour[:i], *other, *between, *one, *tour[j + m :]]
                            cut = put.index(-1)
                            expected.add(str([put[:cut], put[cut + 1 :]]))
        assert neighbors(CrossExchange(2), space, x) == expected


def test_cuts_are_those_of_plain_lists() -> None:
    space = Lists(6, 3)
    for x in arrangements(space):
        expected, lists = set(), space.split(x)
        for a, b in permutations(range(3), 2):
            for i in range(len(lists[a]) + 1):
                for j in range(len(lists[b]) + 1):
                    put = [list(each) for each in lists]
                    put[a], put[b] = lists[a][:i] + lists[b][j:], lists[b][:j] + lists[a][i:]
                    expected.add(str(put))
        for a, one in enumerate(lists):
            for i in range(len(one)):
                for j in range(i + 2, len(one) + 1):
                    put = [list(each) for each in lists]
                    put[a] = one[:i] + one[i:j][::-1] + one[j:]
                    expected.add(str(put))
        assert neighbors(TwoOptStar(), space, x) == expected - {str(lists)}


def test_an_optional_item_is_left_out_and_put_back() -> None:
    space = Lists(3, 2, optional=True)
    x = space.join([[0, 1], []])
    expected = {"[[1], []]", "[[0], []]"}  # left out
    expected |= {"[[2, 0, 1], []]", "[[0, 2, 1], []]", "[[0, 1, 2], []]", "[[0, 1], [2]]"}  # put in
    expected |= {"[[1, 0], []]", "[[1], [0]]", "[[0], [1]]"}
    assert neighbors(Relocate(1), space, x) == expected


@pytest.mark.parametrize("moves", [Relocate(), CrossExchange(), TwoOptStar()], ids=repr)
def test_near_moves_bring_an_item_to_its_candidate(moves: Any) -> None:
    space, granular = Lists(6, 2), Granular(moves, NEAR)
    for x in arrangements(space):
        made = 0
        for move in granular.moves(space):
            if move.resolve(x) is not None:
                after = np.asarray(move.apply(x))
                beside = {move.item: move.candidate, move.candidate: move.item}
                beside_before = any(x[a] == b for a, b in beside.items())
                assert beside_before or any(after[a] == b for a, b in beside.items())
                made += 1
        assert made


def test_archives_hold_lists(compiling: Device) -> None:
    space, numbers = Lists(5, 2), np.random.default_rng(1)
    problem = MultiObjective([Weighted(space, numbers.integers(-9, 9, 7).astype(np.int32)) for _ in range(2)])
    fronts = [
        run(ParetoLocalSearch(Relocate()), problem, stop=stop.iterations(6), seed=1, parallel=device).front
        for device in ("numpy", compiling.name)
    ]
    assert fronts[0] is not None
    assert fronts[1] is not None
    assert fronts[0].costs.tolist() == fronts[1].costs.tolist()
    assert not any(space.violation(x) for x in fronts[0].solutions)


def test_no_path_leads_from_lists_to_lists() -> None:
    with pytest.raises(InputError, match="has no moves that lead from one solution to another"):
        PathRelinking(Relocate())
