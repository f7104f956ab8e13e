"""Replacements for several objectives against their definitions, written with lists, and against numbers of pymoo."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations
from math import exp, hypot, isqrt
from typing import Any

import numpy as np
import pytest
from attrs import frozen

from metaheur import BitString, Key, Problem, Random
from metaheur.archives import hypervolume
from metaheur.errors import InputError
from metaheur.parts import (
    Breeding,
    EpsilonIndicator,
    OrderedReplacement,
    RankAndCrowding,
    RankAndHypervolume,
    RankAndReferencePoints,
    RankAndSharing,
    RankRoulette,
    StrengthAndDensity,
    Uniform,
)
from metaheur.parts.replacement.epsilon_indicator import exponentials
from metaheur.parts.replacement.rank_and_hypervolume import areas_alone
from metaheur.parts.replacement.ranks import crowding_distances, ranks_of
from metaheur.random import Stream

Costs = list[tuple[int, ...]]


def population(seed: int, size: int, litter: int, objectives: int, values: int) -> dict[str, Any]:
    """Members and children with few values, so that there are equal costs and equal solutions."""
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, 3, (size + litter, 3)).astype(np.uint8)
    table = generator.integers(0, values, (27, objectives))
    costs = table[rows @ [9, 3, 1]]
    return {
        "solutions": rows[:size],
        "costs": costs[:size],
        "children": rows[size:],
        "child_costs": costs[size:],
        "places": np.zeros(size, np.int64),
        "crowding": np.zeros(size),
    }


def dominates(a: Any, b: Any) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True)) and any(x < y for x, y in zip(a, b, strict=True))


def peeled(costs: Costs) -> list[int]:
    """The rank of each cost: fronts are taken away, one after the other."""
    left, ranks, rank = set(range(len(costs))), [0] * len(costs), 0
    while left:
        front = {i for i in left if not any(dominates(costs[j], costs[i]) for j in left)}
        for i in front:
            ranks[i] = rank
        left -= front
        rank += 1
    return ranks


def crowding(costs: Costs) -> list[float]:
    found = [0.0] * len(costs)
    for k in range(len(costs[0])):
        order = sorted(range(len(costs)), key=lambda i: costs[i][k])
        span = costs[order[-1]][k] - costs[order[0]][k]
        for (before, i), (_, after) in pairwise(pairwise(order)):
            found[i] += (costs[after][k] - costs[before][k]) / span if span else 0
        found[order[0]] = found[order[-1]] = float("inf")
    return found


def by_rank_and_crowding(costs: Costs, rows: Costs, _: int) -> list[int]:
    new = [i for i, row in enumerate(rows) if row not in rows[:i]]
    ranks = dict(zip(new, peeled([costs[i] for i in new]), strict=True))
    distance = dict.fromkeys(range(len(rows)), 0.0)
    for rank in set(ranks.values()):
        front = [i for i in new if ranks[i] == rank]
        distance |= zip(front, crowding([costs[i] for i in front]), strict=True)
    return sorted(range(len(rows)), key=lambda i: (ranks.get(i, len(rows)), -distance[i], i))


def by_rank_and_sharing(costs: Costs, rows: Costs, _: int) -> list[int]:
    span = [max(column) - min(column) or 1 for column in zip(*costs, strict=True)]
    new = [i for i, row in enumerate(rows) if row not in rows[:i]]
    ranks = dict(zip(new, peeled([costs[i] for i in new]), strict=True))

    def distance(i: int, j: int) -> float:
        return hypot(*((a - b) / s for a, b, s in zip(costs[i], costs[j], span, strict=True)))

    def niche(i: int) -> float:
        return round(sum(max(0.0, 1 - distance(i, j) / 0.6) for j in new if ranks[j] == ranks[i]), 9)

    return sorted(new, key=lambda i: (ranks[i], niche(i), i)) + [i for i in range(len(rows)) if i not in new]


def by_rank_and_hypervolume(costs: Costs, rows: Costs, size: int) -> list[int]:
    if len(costs[0]) > 2:
        return by_rank_and_volume(costs, rows, size)
    new = [i for i, row in enumerate(rows) if row not in rows[:i]]
    ranks = dict(zip(new, peeled([costs[i] for i in new]), strict=True))

    def area(i: int) -> float:
        """The cells of a grid that no other cost of the front dominates; without end at both ends of the front."""
        others = [costs[j] for j in new if ranks[j] == ranks[i] and j != i]
        if costs[i] in others:
            return 0.0
        if any(all(costs[i][k] < other[k] for other in others) for k in range(2)):
            return float("inf")
        cells = ((a, b) for a in range(costs[i][0], 9) for b in range(costs[i][1], 9))
        return sum(not any(other[0] <= a and other[1] <= b for other in others) for a, b in cells)

    return sorted(new, key=lambda i: (ranks[i], -area(i), i)) + [i for i in range(len(rows)) if i not in new]


def by_rank_and_volume(costs: Costs, rows: Costs, _: int) -> list[int]:
    """Three objectives: what the front loses without a solution, in tenths, up to a tenth beyond its range."""
    new = [i for i, row in enumerate(rows) if row not in rows[:i]]
    ranks = dict(zip(new, peeled([costs[i] for i in new]), strict=True))

    def volume(i: int) -> float:
        front = [j for j in new if ranks[j] == ranks[i]]
        columns = list(zip(*(costs[j] for j in front), strict=True))
        if any(next(j for j in front if costs[j][k] == min(column)) == i for k, column in enumerate(columns)):
            return float("inf")
        corner = [10 * max(column) + max(column) - min(column) for column in columns]
        points = [[10 * c for c in costs[j]] for j in front]
        rest = [point for j, point in zip(front, points, strict=True) if j != i]
        return float(hypervolume(points, corner) - hypervolume(rest, corner))

    return sorted(new, key=lambda i: (ranks[i], -volume(i), i)) + [i for i in range(len(rows)) if i not in new]


def by_indicator(costs: Costs, rows: Costs, size: int) -> list[int]:
    span = [max(column) - min(column) or 1 for column in zip(*costs, strict=True)]

    def indicator(y: int, x: int) -> Fraction:
        return max(Fraction(a - b, s) for a, b, s in zip(costs[y], costs[x], span, strict=True))

    largest = max(abs(indicator(y, x)) for y in range(len(costs)) for x in range(len(costs))) or 1

    def loss(x: int, among: list[int]) -> float:
        return round(sum(exp(-float(indicator(y, x) / largest) / 0.5) for y in among if y != x), 6)

    left = [i for i, row in enumerate(rows) if row not in rows[:i]]
    leaving: list[int] = []
    copies = [i for i in range(len(rows)) if i not in left]
    while len(left) > size:
        leaving.insert(0, max(left, key=lambda x: (loss(x, left), x)))
        left.remove(leaving[0])
    return sorted(left, key=lambda x: (loss(x, left), x)) + leaving + copies


def by_strength_and_density(costs: Costs, rows: Costs, size: int) -> list[int]:
    span = [max(column) - min(column) or 1 for column in zip(*costs, strict=True)]
    left = [i for i, row in enumerate(rows) if row not in rows[:i]]

    def distances(i: int, among: list[int]) -> list[float]:
        pairs = ((zip(costs[i], costs[j], span, strict=True)) for j in among if j != i)
        return sorted(round(sum(((a - b) / s) ** 2 for a, b, s in pair), 12) for pair in pairs)

    strength = {i: sum(dominates(costs[i], costs[j]) for j in left) for i in left}
    fitness = {i: sum(strength[j] for j in left if dominates(costs[j], costs[i])) for i in left}
    density = {i: [0.0, *distances(i, left)][min(isqrt(len(rows)), len(left) - 1)] for i in left}
    front, leaving = [i for i in left if not fitness[i]], list[int]()
    while len(front) > size:
        leaving.insert(0, min(front, key=lambda i: (distances(i, front), -i)))
        front.remove(leaving[0])
    others = [i for i in left if fitness[i]]
    found = [sorted(group, key=lambda i: (fitness[i], -density[i], i)) for group in (front, others)]
    return found[0] + leaving + found[1] + [i for i in range(len(rows)) if i not in left]


POINTS: dict[int, list[tuple[int, ...]]] = {
    2: [(0, 4), (1, 3), (2, 2), (3, 1), (4, 0)],
    3: [(4, 0, 0), (0, 4, 0), (0, 0, 4), (1, 1, 2), (2, 1, 1)],
}


def by_reference_points(costs: Costs, rows: Costs, _: int) -> list[int]:
    left = [i for i, row in enumerate(rows) if row not in rows[:i]]
    ranks = dict(zip(left, peeled([costs[i] for i in left]), strict=True))
    columns = list(zip(*(costs[i] for i in left if not ranks[i]), strict=True))
    points, taken = POINTS[len(columns)], dict.fromkeys(range(5), 0)
    nearest: dict[int, tuple[int, Any]] = {}
    for i in left:
        spans = ((c, min(column), max(column)) for c, column in zip(costs[i], columns, strict=True))
        x = [Fraction(c - low, high - low or 1) for c, low, high in spans]
        squares = [
            sum(a * a for a in x) - sum(a * b for a, b in zip(x, w, strict=True)) ** 2 / sum(b * b for b in w)
            for w in points
        ]
        nearest[i] = squares.index(min(squares)), min(squares)
    found: list[int] = []
    while len(found) < len(left):
        rank = min(ranks[i] for i in left if i not in found)
        waiting = [i for i in left if i not in found and ranks[i] == rank]
        found.append(min(waiting, key=lambda i: (taken[nearest[i][0]], *nearest[i], i)))
        taken[nearest[found[-1]][0]] += 1
    return found + [i for i in range(len(rows)) if i not in left]


ORDERS: dict[str, tuple[Callable[[int], OrderedReplacement], Callable[[Costs, Costs, int], list[int]]]] = {
    "rank and crowding": (lambda _: RankAndCrowding(5), by_rank_and_crowding),
    "rank and sharing": (lambda _: RankAndSharing(5, radius=0.6), by_rank_and_sharing),
    "rank and hypervolume": (lambda _: RankAndHypervolume(5), by_rank_and_hypervolume),
    "indicator": (lambda _: EpsilonIndicator(5, scaling=0.5), by_indicator),
    "strength and density": (lambda _: StrengthAndDensity(5), by_strength_and_density),
    "reference points": (
        lambda objectives: RankAndReferencePoints(np.array(POINTS[objectives]), 5),
        by_reference_points,
    ),
}

VALUES = dict.fromkeys(("rank and sharing", "indicator", "strength and density", "reference points"), 9999)
"""Many values where sums of floats decide, so that rounding does not."""


@pytest.mark.parametrize("name", ORDERS)
def test_small_fractions_are_ordered_as_whole_numbers(name: str) -> None:
    replacement = ORDERS[name][0](2)
    for seed in range(9):
        found = []
        for scale in (1, 2.0**-20):
            kept = population(seed, 7, 5, 2, 9999)
            kept |= {each: kept[each] * scale for each in ("costs", "child_costs")}
            replacement.replace(kept)
            found.append((kept["solutions"].tolist(), (kept["costs"] / scale).tolist()))
        assert found[0] == found[1]


VALUES["rank and hypervolume, 3"] = 9999


@pytest.mark.parametrize("objectives", [2, 3])
@pytest.mark.parametrize("name", ORDERS)
def test_the_first_in_the_order_survive_and_keep_their_places(name: str, objectives: int) -> None:
    make, definition = ORDERS[name]
    replacement, replaced = make(objectives), 0
    for seed in range(25):
        kept = population(seed, 7, 5, objectives, VALUES.get(f"{name}, {objectives}", VALUES.get(name, 9)))
        costs = [*map(tuple, kept["costs"].tolist()), *map(tuple, kept["child_costs"].tolist())]
        rows = [*map(tuple, kept["solutions"].tolist()), *map(tuple, kept["children"].tolist())]
        order = definition(costs, rows, 7)
        replacement.replace(kept)
        entering = iter(sorted(i for i in order[:7] if i >= 7))
        expected = [s if s in order[:7] else next(entering) for s in range(7)]
        assert [tuple(row) for row in kept["solutions"].tolist()] == [rows[i] for i in expected]
        assert [tuple(cost) for cost in kept["costs"].tolist()] == [costs[i] for i in expected]
        assert replacement.fitness(kept).tolist() == [order.index(i) for i in expected]
        replaced += sum(i >= 7 for i in expected)
    assert replaced > 25


def test_areas_lie_between_both_neighbors_on_a_front() -> None:
    costs = np.array([(9, 0), (0, 9), (4, 5), (5, 1), (1, 6), (4, 5)])
    assert areas_alone(costs).tolist() == [np.inf, np.inf, 0, 16, 9, 0]
    assert areas_alone(costs[:5]).tolist() == [np.inf, np.inf, 1, 16, 9]


@pytest.mark.parametrize("name", ORDERS)
def test_a_full_population_is_rated(name: str) -> None:
    make, definition = ORDERS[name]
    replacement = make(2)
    kept = population(3, 7, 5, 2, VALUES.get(name, 9))
    order = definition([*map(tuple, kept["costs"].tolist())], [*map(tuple, kept["solutions"].tolist())], 7)
    replacement.rate(kept)
    assert replacement.fitness(kept).tolist() == [order.index(s) for s in range(7)]


def test_parents_are_compared_by_dominance_then_by_crowding() -> None:
    outcomes = set()
    for seed in range(10):
        kept = population(seed, 7, 5, 2, 30)
        costs = [*map(tuple, kept["costs"].tolist()), *map(tuple, kept["child_costs"].tolist())]
        rows = [*map(tuple, kept["solutions"].tolist()), *map(tuple, kept["children"].tolist())]
        replacement = RankAndCrowding(5, by_dominance=True)
        replacement.replace(kept)
        new = [i for i, row in enumerate(rows) if row not in rows[:i]]
        ranks = peeled([costs[i] for i in new])
        distance: dict[tuple[int, ...], float] = {}
        for rank in set(ranks):
            front = [i for i, own in zip(new, ranks, strict=True) if own == rank]
            distance |= zip((rows[i] for i in front), crowding([costs[i] for i in front]), strict=True)
        fitness, found = replacement.fitness(kept), [tuple(row) for row in kept["solutions"].tolist()]
        for s, t in permutations(range(7), 2):
            a, b = kept["costs"][[s, t]].tolist()
            expected = dominates(a, b) or (not dominates(b, a) and distance[found[s]] > distance[found[t]])
            assert (fitness[s] < fitness[t]) is expected
            outcomes.add((dominates(a, b), distance[found[s]] > distance[found[t]], expected))
    assert len(outcomes) == 5
    assert RankRoulette().parent(fitness, Random(Key(1), Stream.SELECTION, 1), 0) in range(7)


def test_ranks_and_distances_are_those_of_pymoo() -> None:
    # NonDominatedSorting and calc_crowding_distance of pymoo 0.6.2, whose distances are divided by the objectives
    costs = [[8, 9], [9, 2], [1, 0], [3, 11], [2, 7], [7, 3], [3, 5], [3, 4], [11, 0], [5, 6], [6, 4], [0, 9], [1, 11]]
    ranks = [4, 1, 0, 3, 1, 1, 2, 1, 1, 3, 2, 0, 1]
    assert ranks_of(np.array(costs)).tolist() == ranks
    front = [costs[i] for i in range(13) if ranks[i] == 1]
    assert crowding_distances(np.array(front)).round(6).tolist() == [
        *(0.672727, 0.836364, 0.781818, 0.863636),
        *(np.inf, np.inf),
    ]


def test_a_front_that_is_too_large_is_truncated_by_the_next_distances_where_the_nearest_are_equal() -> None:
    # on a line, 0 2 4 7 10 16: 2 has the neighbors 2 and 2, 0 has 2 and 4; then 7 has 3 and 3, 4 has 3 and 4
    ends = np.array([[value, 16 - value] for value in (0, 2, 4, 7, 10, 16)])
    kept = {**population(1, 3, 3, 2, 9), "costs": ends[:3].copy(), "child_costs": ends[3:]}
    rows = np.arange(18, dtype=np.uint8).reshape(6, 3)
    StrengthAndDensity().replace({**kept, "solutions": rows[:3], "children": rows[3:]})
    assert kept["costs"][:, 0].tolist() == [0, 10, 16]


def test_copies_survive_where_they_are_allowed() -> None:
    kept = population(1, 2, 2, 2, 9)
    kept["solutions"][:] = kept["children"][:] = kept["solutions"][0]
    kept["costs"][:] = kept["child_costs"][:] = [[1, 2]]
    kept["costs"][1] = [3, 3]
    kept["solutions"][1] = 2 - kept["solutions"][0] // 2
    for duplicates, expected in ((False, [[1, 2], [3, 3]]), (True, [[1, 2], [1, 2]])):
        each = {name: array.copy() for name, array in kept.items()}
        RankAndCrowding(duplicates=duplicates).replace(each)
        assert each["costs"].tolist() == expected


@pytest.mark.parametrize(("end", "error"), [(60, 1e-5), (100, 1e-4)])
def test_exponentials_are_as_exact_as_their_text_says(end: int, error: float) -> None:
    x = np.linspace(-end, end, 2001)
    assert abs(exponentials(x) / np.exp(x) - 1).max() < error


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(InputError, match=r"RankAndCrowding\.count"):
        RankAndCrowding(0)
    assert RankAndCrowding().children(40) == 40
    with pytest.raises(InputError, match=r"not all 0, but one is \[0\.0, 0\.0\].*\nMaybe.*simplex_lattice"):
        RankAndReferencePoints(np.array([[1, 0], [0, 0]]))
    with pytest.raises(InputError, match="there is none"):
        RankAndReferencePoints(np.zeros((0, 2)))


def test_volumes_are_those_of_two_to_four_objectives() -> None:
    @frozen
    class Five(Problem):
        representation = BitString(3)
        objectives = ("a", "b", "c", "d", "e")

        def cost(self, x: np.ndarray) -> tuple[int, ...]:
            return (0,) * 5

    breeding = Breeding(Uniform(), replacement=RankAndHypervolume(), size=4)
    with pytest.raises(InputError, match=r"two to four objectives, but Five has 5\.\nMaybe use RankAndReferencePoints"):
        breeding.require(Five())
