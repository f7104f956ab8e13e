"""Selections of parents have the probabilities of the textbooks, and ties are decided by order."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from metaheur import Key, Random
from metaheur.errors import InputError
from metaheur.parts import (
    BestAndRandom,
    BestParents,
    Breeding,
    NearParents,
    ParentSelection,
    RandomParents,
    RankRoulette,
    StochasticTournament,
    Tournament,
    Uniform,
    UniversalSampling,
    torus,
)
from metaheur.parts.parents.parent_selection import rank_of
from metaheur.searches import MOEAD

COSTS = np.array([30, 10, 20, 10, 50])
TIMES = 4000


def shares(selection: ParentSelection) -> list[float]:
    drawn = Counter(selection.parent(COSTS, Random(Key(1), 7, k), k % 2) for k in range(TIMES))
    return [drawn[s] / TIMES for s in range(len(COSTS))]


def test_ranks_are_those_of_a_stable_order() -> None:
    assert [rank_of(COSTS, s) for s in range(5)] == np.argsort(np.argsort(COSTS, kind="stable")).tolist()


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (RandomParents(), [0.2] * 5),
        (BestParents(1), [0, 1, 0, 0, 0]),
        (BestParents(3), [0, 1 / 3, 1 / 3, 1 / 3, 0]),
        (BestParents(5), [0.2] * 5),
        (RankRoulette(), [2 / 15, 5 / 15, 3 / 15, 4 / 15, 1 / 15]),
        (Tournament(1), [0.2] * 5),
        (Tournament(2), [3 / 25, 8 / 25, 5 / 25, 8 / 25, 1 / 25]),
        (StochasticTournament(0.75), [4 / 25, 6.5 / 25, 5 / 25, 6.5 / 25, 3 / 25]),
        (StochasticTournament(0.5), [0.2] * 5),
        (UniversalSampling(), [2 / 15, 5 / 15, 3 / 15, 4 / 15, 1 / 15]),
        (BestAndRandom(), [1 / 8, 1 / 2, 1 / 8, 1 / 8, 1 / 8]),
    ],
    ids=repr,
)
def test_probabilities(selection: ParentSelection, expected: list[float]) -> None:
    deviation = 4 * np.sqrt(0.25 / TIMES)
    assert np.allclose(shares(selection), expected, rtol=0, atol=deviation)


def test_a_large_tournament_takes_the_first_drawn_of_the_best() -> None:
    random = Random(Key(1), 7, 3)
    drawn = [random.index(k, 5) for k in range(50)]
    assert Tournament(50).parent(COSTS, random, 0) == next(s for s in drawn if COSTS[s] == 10)


def test_the_best_of_very_many_have_the_same_probability() -> None:
    costs = np.arange(500)[::-1] // 2  # the best two are the members 498 and 499
    drawn = Counter(BestParents(2).parent(costs, Random(Key(1), 7, k), k % 2) for k in range(400))
    assert set(drawn) == {498, 499}
    assert abs(drawn[498] - 200) < 4 * 10


def test_more_best_members_than_there_are_is_refused() -> None:
    with pytest.raises(InputError, match=r"BestParents\.count.*9, of 8 members.*\nMaybe"):
        Breeding(Uniform(), size=8, selection=BestParents(9))


def test_a_tournament_of_nobody_is_refused() -> None:
    with pytest.raises(InputError, match="rivals"):
        Tournament(0)


@pytest.mark.parametrize("neighbors", [[[1], [2]], [[1], [-1]], np.zeros((2, 0))], ids=["2 of 2", "-1", "none"])
def test_neighbors_that_are_no_members_are_refused(neighbors: Any) -> None:
    with pytest.raises(InputError, match=r"The neighbors of 2 members must be in 0 \.\.\. 1"):
        NearParents(neighbors)


def test_parents_of_subproblems_are_those_of_the_nearest_weights() -> None:
    breeding: Any = MOEAD(Uniform(), objectives=2, divisions=9, neighbors=4).loop.breeding
    weights, selection = breeding.replacement.weights, breeding.selection
    for s, row in enumerate(selection.neighbors.tolist()):
        apart = {t: float(((weights[s] - weights[t]) ** 2).sum()) for t in range(len(weights)) if t != s}
        assert s not in row
        assert max(apart[t] for t in row) <= min(far for t, far in apart.items() if t not in row) + 1e-9
    assert breeding.replacement.children(len(weights)) == 1


def test_the_pointers_of_one_wheel_are_half_a_turn_apart() -> None:
    """In wheels with an even number of parts, each pair of parents is that of one spin; none has half of the wheel."""
    costs = np.array([3, 1, 2, 9, 8, 7, 6])  # 28 parts: ranks 0 ... 6 have 7, 6, ..., 1
    wheel = [rank for rank in range(7) for _ in range(7 - rank)]
    order = np.argsort(costs)
    pairs = {(int(order[wheel[k]]), int(order[wheel[(k + 14) % 28]])) for k in range(28)}
    randoms = [Random(Key(1), 7, k) for k in range(400)]
    found = {
        (UniversalSampling().parent(costs, each, 0), UniversalSampling().parent(costs, each, 1)) for each in randoms
    }
    assert found == pairs
    assert all(first != second for first, second in found)


def test_cells_of_a_torus_are_neighbors_of_their_neighbors() -> None:
    for corners, count in ((False, 4), (True, 8)):
        cells = torus(4, 5, corners=corners)
        assert cells.shape == (20, count)
        for s, row in enumerate(cells.tolist()):
            assert len(set(row)) == count
            for t in row:
                assert s in cells[t]
                (i, j), (a, b) = divmod(s, 5), divmod(t, 5)
                assert min((i - a) % 4, (a - i) % 4) <= 1
                assert min((j - b) % 5, (b - j) % 5) <= 1
    with pytest.raises(InputError, match="rows"):
        torus(2, 5)
