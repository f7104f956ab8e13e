"""The hypervolume against a count of the unit cubes that are dominated."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaheur.archives import hypervolume
from metaheur.device.device import Device
from metaheur.errors import InputError


def counted(costs: list[list[int]], corner: list[int]) -> int:
    """Unit cubes below the reference whose lowest corner a cost covers."""
    return sum(
        any(all(c <= x for c, x in zip(cost, cube, strict=True)) for cost in costs)
        for cube in product(*(range(end) for end in corner))
    )


@pytest.mark.parametrize("objectives", [2, 3])
@given(data=st.data())
def test_it_counts_the_unit_cubes_that_are_dominated(objectives: int, data: st.DataObject) -> None:
    cost = st.lists(st.integers(0, 7), min_size=objectives, max_size=objectives)
    costs = data.draw(st.lists(cost, max_size=9))
    corner = data.draw(st.lists(st.integers(1, 6), min_size=objectives, max_size=objectives))
    points = np.array(costs, np.int64).reshape(len(costs), objectives)
    assert hypervolume(points, corner) == counted(costs, corner)


@pytest.mark.parametrize("objectives", [2, 3])
def test_compiled_devices_measure_the_same(objectives: int, compiling: Device) -> None:
    generator = np.random.default_rng(objectives)
    for count, top in ((1, 9), (40, 9), (700, 9), (3000, 2**31 - 1)):
        costs = generator.integers(0, top, (count, objectives))
        corner = np.full(objectives, top * 9 // 10)
        assert hypervolume(costs, corner, device=compiling.name) == hypervolume(costs, corner)
        found = hypervolume(costs / 7, corner / 7, device=compiling.name)
        assert found == pytest.approx(hypervolume(costs / 7, corner / 7), rel=1e-12)


def test_a_compiled_device_refuses_volumes_of_wide_spans(compiling: Device) -> None:
    with pytest.raises(InputError, match=r"less than 2\*\*31"):
        hypervolume([[0, 0, 0]], [2**31, 1, 1], device=compiling.name)


def test_integers_do_not_overflow() -> None:
    assert hypervolume([[0, 0, 0], [-1, 2**40, 2**40]], [2**41] * 3) == 2**123 + 2**80
    assert hypervolume([[0.5, 1.0]], [2, 2]) == 1.5


@pytest.mark.parametrize(
    ("costs", "reference"),
    [([[1]], [9]), ([[1, 2]], [9]), ([1, 2], [9, 9]), ([[np.nan, 2]], [9, 9]), ([[1, 2]], [9, np.inf])],
)
def test_what_cannot_be_measured_is_refused(costs: list[object], reference: list[float]) -> None:
    with pytest.raises(InputError, match="hypervolume takes"):
        hypervolume(costs, reference)


def test_moocore_measures_the_same() -> None:
    moocore = pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    generator = np.random.default_rng(3)
    for objectives, count in ((2, 500), (3, 500), (4, 50), (5, 20)):
        costs = generator.integers(0, 1000, (count, objectives))
        corner = np.full(objectives, 900)
        assert hypervolume(costs, corner) == moocore.hypervolume(costs.astype(float), ref=corner.astype(float))


@pytest.mark.parametrize("device", ["numpy", "host"])
def test_four_objectives_are_measured_by_moocore(device: str) -> None:
    pytest.importorskip("moocore", reason="moocore is not installed: pip install 'metaheur[mo]'")
    costs = np.random.default_rng(4).integers(0, 5, (9, 4))
    found = hypervolume(costs + 10**15, np.full(4, 10**15 + 5), device=device)
    assert (type(found), found) == (int, counted(costs.tolist(), [5] * 4))
    assert hypervolume(costs * 10**5, np.full(4, 5 * 10**5), device=device) == pytest.approx(found * 10**20)


def test_a_gpu_does_not_measure_four_objectives() -> None:
    with pytest.raises(InputError, match="A GPU measures hypervolumes of two or three objectives"):
        hypervolume([[1, 2, 3, 4]], [9] * 4, device="cuda")


def test_areas_of_large_whole_numbers_are_exact() -> None:
    assert hypervolume([[0, 2**40], [2**39, 1]], [2**41, 2**41]) == 2**81 + (2**41 - 2**39) * (2**40 - 1)
