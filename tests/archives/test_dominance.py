"""Dominance against its definition, one pair at a time."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaheur.archives import covered, covers, nondominated
from metaheur.archives.divide import Divider
from metaheur.archives.dominance import PAIRS
from metaheur.archives.filter import Filter
from metaheur.device.cuda.cuda import cupy
from metaheur.device.device import Device
from metaheur.device.host.host import Host
from metaheur.errors import InputError

ON_ANY_DEVICE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)


def covers_by_definition(a: Any, b: Any) -> bool:
    return all(x <= y for x, y in zip(a, b, strict=True))


def first_kept(costs: list[list[int]]) -> list[int]:
    """The indices that no other cost dominates, the first one of equals."""
    return [
        i
        for i, cost in enumerate(costs)
        if not any(covers_by_definition(c, cost) and (c != cost or j < i) for j, c in enumerate(costs) if j != i)
    ]


def costs_of(objectives: int, most: int = 12) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(st.integers(0, 5), min_size=objectives, max_size=objectives), max_size=most)


@pytest.mark.parametrize("objectives", [2, 3, 4])
@ON_ANY_DEVICE
@given(data=st.data())
def test_the_first_of_equal_nondominated_costs_is_kept(objectives: int, device: str, data: st.DataObject) -> None:
    rows = data.draw(costs_of(objectives))
    kept = nondominated(np.array(rows, np.int64).reshape(len(rows), objectives), device=device)
    assert np.flatnonzero(kept).tolist() == first_kept(rows)


def many(objectives: int, count: int) -> list[np.ndarray]:
    """Costs with many equal numbers, with long runs of equal ones, with hardly any, and fractions of both signs."""
    generator = np.random.default_rng(objectives)
    whole = [generator.integers(-top, top, (count, objectives)) for top in (1, 9, 200, 10**9, 2**52)]
    front = generator.exponential(size=(count, objectives))
    return [*whole, generator.normal(size=(count, objectives)).round(1), front / front.sum(axis=1)[:, None]]


@pytest.mark.parametrize("objectives", [2, 3, 4])
def test_devices_filter_alike(objectives: int, compiling: Device) -> None:
    name, by, mine = compiling.name, many(objectives, 300), Filter(compiling, objectives, few=1000)
    for k, costs in enumerate(many(objectives, 3000)):  # a GPU makes buckets of them
        assert np.array_equal(mine.nondominated(costs), nondominated(costs))
        assert np.array_equal(mine.nondominated(costs[:999]), nondominated(costs[:999]))
        assert np.array_equal(covered(costs, by[k], device=name), covered(costs, by[k]))
        assert np.array_equal(covered(costs, by[k - 1], device=name), covered(costs, by[k - 1]))
    assert not covered(costs, costs[:0], device=name).any()


def test_sides_that_are_divided_to_the_end_are_filtered_alike() -> None:
    divider = Divider(Host(), 4, pairs=0)
    for seed in range(60):
        generator = np.random.default_rng(seed)
        costs = generator.integers(0, generator.integers(3, 12), (50, 4))
        costs[:, 3] = 40 - costs[:, :3].sum(axis=1) + generator.integers(0, 3, 50)
        assert np.flatnonzero(~divider.beaten(costs)).tolist() == first_kept(costs.tolist())


ENDS = [-(2**63), -(2**63) + 1, -(2**62), -1, 0, 1, 2**62, 2**63 - 2, 2**63 - 1]
"""The ends of int64, and a middle."""


@pytest.mark.parametrize("objectives", [2, 3, 4])
def test_the_ends_of_int64_are_costs_as_others(objectives: int, compiling: Device) -> None:
    mine = Filter(compiling, objectives, few=100)  # so that a GPU makes buckets of more
    generator = np.random.default_rng(objectives)
    for count in (1, 2, 3, 30, 300):
        for ends in (ENDS, ENDS[-2:], ENDS[-1:], ENDS[:2]):
            costs = generator.choice(np.array(ends), (count, objectives))
            costs[:, 0] = generator.choice(np.array(ENDS), count)
            by = generator.choice(np.array(ENDS), (20, objectives))
            rows = costs.tolist()
            kept, expected = first_kept(rows), [any(map(covers_by_definition, by.tolist(), [row] * 20)) for row in rows]
            for found in (mine.nondominated(costs), nondominated(costs)):
                assert np.flatnonzero(found).tolist() == kept
            for found in (mine.covered(costs, by), covered(costs, by)):
                assert found.tolist() == expected


@pytest.mark.cuda
def test_costs_on_a_gpu_stay_there(gpu: Device) -> None:
    xp, costs = cupy(), many(3, 20_000)[3]
    kept = nondominated(xp.asarray(costs), device=gpu.name)
    assert isinstance(kept, xp.ndarray)
    assert np.array_equal(kept.get(), nondominated(costs, device="host"))


def test_moocore_filters_the_same() -> None:
    moocore = pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    for objectives in (2, 3, 4, 5, 8):
        for costs in (part for whole in many(objectives, 2500) for part in (whole, whole[:300])):
            expected = moocore.is_nondominated(costs.astype(float), keep_weakly=False)
            assert np.array_equal(nondominated(costs, device="host"), expected)


@pytest.mark.parametrize("costs", [[1, 2], [[1], [2]], np.zeros((2, 9)), [["a", "b"]], [[1.0, np.nan]]])
def test_a_filter_refuses_what_is_no_cost(costs: Any) -> None:
    with pytest.raises(InputError, match="Costs"):
        nondominated(np.array(costs), device="host")


@pytest.mark.parametrize("objectives", [2, 3])
def test_many_costs_are_filtered_as_few_are(objectives: int) -> None:
    costs = np.random.default_rng(1).integers(0, 60, (5000, objectives))  # more than a block, with equal ones
    kept = nondominated(costs)
    others = costs[kept]
    assert len(np.unique(others, axis=0)) == len(others)
    assert covered(costs, others).all()
    assert not any(covered(others[k : k + 1], np.delete(others, k, axis=0)).any() for k in range(len(others)))


@given(costs_of(3), costs_of(3))
def test_a_cost_is_covered_by_one_that_is_nowhere_larger(some: list[list[int]], others: list[list[int]]) -> None:
    found = covered(np.array(some, np.int64).reshape(-1, 3), np.array(others, np.int64).reshape(-1, 3))
    assert found.tolist() == [any(covers_by_definition(other, cost) for other in others) for cost in some]


def test_pairs_are_compared_in_pieces_where_there_are_many() -> None:
    by = np.random.default_rng(2).integers(0, 10**6, (PAIRS // 100, 3))
    costs = by[:250] + np.arange(250)[:, None] % 2 * 10**6 - 10**6 * (np.arange(250)[:, None] % 2 == 0)
    assert covered(costs, by).tolist() == [False, True] * 125


def test_a_tolerance_is_not_known() -> None:
    assert not covers([1.0 + 1e-15, 0.0], [1.0, 0.0])
    assert nondominated(np.array([[1.0, 1.0 + 1e-15], [1.0 + 1e-15, 1.0]])).all()
