"""Archives against brute force: what enters, what leaves, and in which order members stand."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaheur.archives import (
    Archive,
    Crowding,
    DistanceTruncation,
    EpsilonBoxes,
    Grid,
    HypervolumeContribution,
    Members,
    Unbounded,
    crowding_distances,
)
from metaheur.archives.hypervolume import hypervolume
from metaheur.errors import InputError
from metaheur.representation import BitString

SPACE = BitString(4)


def members(costs: Any) -> Members:
    """Members whose solutions count them."""
    rows = np.asarray(costs)
    return Members.of(SPACE, [[k >> b & 1 for b in range(4)] for k in range(len(rows))], rows)


def one_by_one(kept: list[list[int]], costs: list[list[int]]) -> list[list[int]]:
    """The archive by its definition: candidate after candidate."""
    kept = list(kept)
    for cost in costs:
        if not any(all(x <= y for x, y in zip(other, cost, strict=True)) for other in kept):
            kept = [o for o in kept if not all(x <= y for x, y in zip(cost, o, strict=True))] + [cost]
    return kept


def batches(objectives: int) -> st.SearchStrategy[list[list[list[int]]]]:
    cost = st.lists(st.integers(0, 6), min_size=objectives, max_size=objectives)
    return st.lists(st.lists(cost, min_size=1, max_size=6), min_size=1, max_size=5)


@pytest.mark.parametrize("objectives", [2, 3, 4])
@given(data=st.data())
def test_a_batch_is_archived_as_its_candidates_one_by_one(objectives: int, data: st.DataObject) -> None:
    archive, expected = Unbounded(), list[list[int]]()
    kept = members(np.zeros((0, objectives), np.int64))
    for batch in data.draw(batches(objectives)):
        kept = archive.offer(kept, members(batch))
        expected = one_by_one(expected, batch)
        assert kept.costs.tolist() == expected


def test_solutions_stay_with_their_costs() -> None:
    kept = Unbounded().offer(members([[5, 5], [1, 9]]), members([[9, 1], [4, 4]]))
    assert kept.costs.tolist() == [[1, 9], [9, 1], [4, 4]]
    assert kept.solutions[:, 0].tolist() == [1, 0, 1]  # number 1 of the first, numbers 0 and 1 of the second


def measure(costs: np.ndarray, corner: np.ndarray) -> float:
    """The hypervolume; of more than three objectives slice by slice of the last one."""
    if len(corner) <= 3:
        return hypervolume(costs, corner)
    heights = [*np.unique(costs[:, -1]).tolist(), corner[-1]]
    return float(sum((b - a) * measure(costs[costs[:, -1] <= a, :-1], corner[:-1]) for a, b in pairwise(heights)))


def contribution(costs: np.ndarray, k: int) -> float:
    """By the definition: the hypervolume less that without a member."""
    low, high = costs.min(axis=0).astype(float), costs.max(axis=0).astype(float)
    corner = high + 0.1 * (high - low)
    return measure(costs.astype(float), corner) - measure(np.delete(costs, k, axis=0).astype(float), corner)


def crowding(costs: np.ndarray, k: int) -> float:
    """By the definition: objective by objective, in the order of values and then of indices."""
    total = 0.0
    for column in costs.T:
        order = sorted(range(len(column)), key=lambda i: (column[i], i))
        at = order.index(k)
        if at in (0, len(order) - 1):
            return float("inf")
        if column.max() > column.min():
            total += (float(column[order[at + 1]]) - float(column[order[at - 1]])) / float(column.max() - column.min())
    return total


def cell(grid: Grid, costs: np.ndarray, k: int) -> tuple[int, ...]:
    low, high = costs.min(axis=0), costs.max(axis=0)
    shares = [(c - a) / (b - a) if b > a else 0.0 for c, a, b in zip(costs[k], low, high, strict=True)]
    return tuple(min(grid.divisions - 1, int(share * grid.divisions)) for share in shares)


def fronts(objectives: int, most: int = 40) -> st.SearchStrategy[np.ndarray]:
    """Costs of which none dominates another."""
    cost = st.lists(st.integers(0, 30), min_size=objectives, max_size=objectives)
    lists = st.lists(cost, min_size=12, max_size=most).map(lambda rows: np.array(one_by_one([], rows)))
    return lists.filter(lambda costs: len(costs) > 3)


def test_no_costs_have_no_crowding_distances() -> None:
    assert crowding_distances(np.empty((0, 2))).tolist() == []


@pytest.mark.parametrize("objectives", [2, 3, 4])
@given(data=st.data())
def test_crowding_distances_are_those_of_the_definition(objectives: int, data: st.DataObject) -> None:
    costs = data.draw(fronts(objectives))
    assert crowding_distances(costs).tolist() == [crowding(costs, k) for k in range(len(costs))]
    scores = [crowding(costs, k) for k in range(len(costs))]
    assert Crowding(2).worst(costs) == max(k for k, score in enumerate(scores) if score == min(scores))


@pytest.mark.parametrize("objectives", [2, 3])
@given(data=st.data())
def test_the_member_with_the_nearest_neighbors_is_truncated(objectives: int, data: st.DataObject) -> None:
    costs = data.draw(fronts(objectives))
    lows, spans = costs.min(axis=0).tolist(), np.maximum(np.ptp(costs, axis=0), 1).tolist()
    scaled = [[(c - low) / span for c, low, span in zip(row, lows, spans, strict=True)] for row in costs.tolist()]

    def distances(k: int) -> list[float]:
        others = (sum((a - b) ** 2 for a, b in zip(scaled[k], x, strict=True)) for x in scaled[:k] + scaled[k + 1 :])
        return sorted(others)

    worst = DistanceTruncation(2).worst(costs)
    assert distances(worst) == min(distances(k) for k in range(len(costs)))


def test_of_equally_near_members_the_next_distances_decide_and_then_the_youngest_leaves() -> None:
    for line, expected in (((0, 1, 2, 3, 4), 2), ((0, 1, 3, 4), 2), ((4, 3, 1, 0), 2)):
        assert DistanceTruncation(2).worst(np.array([[x, 4 - x] for x in line])) == expected


@pytest.mark.parametrize("objectives", [2, 3, 4])
@settings(max_examples=25)
@given(data=st.data())
def test_the_least_contribution_goes_but_for_the_ends(objectives: int, data: st.DataObject) -> None:
    costs = data.draw(fronts(objectives, 40 if objectives < 4 else 14))
    ends = set(np.argmin(costs, axis=0).tolist())
    worst = HypervolumeContribution(4).worst(costs)
    inner = [contribution(costs, k) for k in range(len(costs)) if k not in ends]
    if inner:
        assert worst not in ends
        assert contribution(costs, worst) == pytest.approx(min(inner), abs=1e-6)


@pytest.mark.parametrize("objectives", [2, 3, 4])
@given(data=st.data())
def test_the_youngest_of_the_fullest_cell_goes_but_for_the_ends(objectives: int, data: st.DataObject) -> None:
    grid, costs = Grid(9, 4), data.draw(fronts(objectives))
    cells = [cell(grid, costs, k) for k in range(len(costs))]
    ends = set(np.argmin(costs, axis=0).tolist())
    crowds = [0 if k in ends else cells.count(cells[k]) for k in range(len(costs))]
    assert grid.worst(costs) == max(k for k, crowd in enumerate(crowds) if crowd == max(crowds))


@pytest.mark.parametrize("archive", [Crowding(9), Grid(9), HypervolumeContribution(9)])
def test_a_bounded_archive_holds_as_many_as_it_may_and_keeps_the_ends(archive: Archive) -> None:
    x = np.arange(40)
    kept = archive.offer(members(np.zeros((0, 2), np.int64)), members(np.stack([x, (39 - x) ** 2], axis=1)))
    assert len(kept) == archive.limit == 9
    assert kept.costs[:, 0].min() == 0
    assert kept.costs[:, 1].min() == 0
    assert (np.diff(kept.costs[:, 0]) > 0).all()  # in the order in which they came


def slow_worst(archive: Archive, costs: np.ndarray) -> int:
    """The member that leaves, by the definitions above and in fractions: the youngest among equals."""
    ends = set(np.argmin(costs, axis=0).tolist())
    some = range(len(costs))
    if isinstance(archive, Crowding):
        return min(some, key=lambda k: (crowding(costs, k), -k))
    if isinstance(archive, Grid):
        cells = [cell(archive, costs, k) for k in some]
        return max(some, key=lambda k: (0 if k in ends else cells.count(cells[k]), k))
    return min(set(some) - ends, key=lambda k: (contribution(costs, k), -k))


@pytest.mark.parametrize("objectives", [2, 3])
@pytest.mark.parametrize("archive", [Crowding(9), Grid(9, 4), HypervolumeContribution(9)], ids=repr)
def test_a_bounded_archive_is_that_of_a_slow_one_batch_after_batch(archive: Archive, objectives: int) -> None:
    """Each batch enters as its candidates do one by one; then members leave one by one."""
    generator, removed = np.random.default_rng(objectives), 0
    kept, expected = members(np.zeros((0, objectives), np.int64)), list[list[int]]()
    for _ in range(60):
        angles = generator.dirichlet(np.ones(objectives), 8)
        batch = (1000 - 400 * np.sqrt(angles) + generator.integers(0, 80, (8, 1))).astype(np.int64).tolist()
        kept = archive.offer(kept, members(batch))
        expected = one_by_one(expected, batch)
        while len(expected) > 9:
            del expected[slow_worst(archive, np.array(expected))]
            removed += 1
        assert kept.costs.tolist() == expected
    assert removed > 20


def boxed(kept: list[list[int]], costs: list[list[int]], widths: tuple[int, ...]) -> list[list[int]]:
    """The archive of boxes by its definition: candidate after candidate, in fractions."""
    kept = list(kept)

    def box(cost: list[int]) -> tuple[int, ...]:
        return tuple(c // w for c, w in zip(cost, widths, strict=True))

    def square(cost: list[int]) -> Fraction:
        return sum((Fraction(c % w, w) ** 2 for c, w in zip(cost, widths, strict=True)), Fraction())

    def displaces(one: list[int], other: list[int]) -> bool:
        if box(one) == box(other):
            return square(one) <= square(other)
        return all(x <= y for x, y in zip(box(one), box(other), strict=True))

    for cost in costs:
        if not any(displaces(other, cost) for other in kept):
            kept = [other for other in kept if not displaces(cost, other)] + [cost]
    return kept


@pytest.mark.parametrize("widths", [(8, 8), (4, 16), (8, 1, 32), (16, 8, 16, 2)])
def test_boxes_keep_what_candidates_one_by_one_leave_in_them(widths: tuple[int, ...]) -> None:
    archive, generator, fewer = EpsilonBoxes(widths), np.random.default_rng(len(widths)), 0
    kept, expected, all_of_them = members(np.zeros((0, len(widths)), np.int64)), list[list[int]](), list[list[int]]()
    for high in range(120, 0, -4):
        batch = generator.integers(high - 60, high + 60, (16, len(widths))).tolist()  # below 0, too
        kept = archive.offer(kept, members(batch))
        expected = boxed(expected, batch, widths)
        all_of_them = one_by_one(all_of_them, batch)
        assert kept.costs.tolist() == expected
        fewer += len(expected) < len(all_of_them)
    assert fewer > 10


@given(data=st.data())
def test_no_offered_solution_is_better_than_all_members_by_a_box(data: st.DataObject) -> None:
    widths = data.draw(st.lists(st.integers(1, 5), min_size=3, max_size=3))
    kept, offered = members(np.zeros((0, 3), np.int64)), list[list[int]]()
    for batch in data.draw(batches(3)):
        kept = EpsilonBoxes(widths).offer(kept, members(batch))
        offered += batch
    for cost in offered:
        assert (kept.costs < np.array(cost) + widths).all(axis=1).any()


def test_an_archive_that_cannot_measure_refuses() -> None:
    with pytest.raises(InputError, match=r"two to four objectives, but there are 5\.\nMaybe use Crowding"):
        HypervolumeContribution(4).require(5)
    with pytest.raises(InputError, match=r"Crowding\.capacity"):
        Crowding(0)
    with pytest.raises(InputError, match="each of 3 objectives, but holds 2"):
        EpsilonBoxes([5, 5]).require(3)
    with pytest.raises(InputError, match=r"`EpsilonBoxes.widths` must be a whole number"):
        EpsilonBoxes(0)
    with pytest.raises(InputError, match=f"in 1 ... {2**53}, but is {2**53 + 1}"):
        EpsilonBoxes(2**53 + 1)
    with pytest.raises(InputError, match="no worst member"):
        Unbounded().worst(np.zeros((3, 2)))


def test_moocore_finds_the_same_front() -> None:
    moocore = pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    generator = np.random.default_rng(5)
    for objectives in (2, 3, 4):
        costs = generator.integers(0, 40, (400, objectives))
        found = moocore.is_nondominated(costs.astype(float), keep_weakly=False)
        kept = Unbounded().offer(
            Members.of(SPACE, np.zeros((0, 4)), np.zeros((0, objectives), np.int64)),
            Members.of(SPACE, np.zeros((400, 4)), costs),
        )
        assert sorted(kept.costs.tolist()) == sorted(np.unique(costs[found], axis=0).tolist())
