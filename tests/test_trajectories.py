"""Every composition walks where it walked before, on every device."""

import json

import pytest

from metaheur.device.device import Device
from tests.trajectories import STORED, compositions, followed

DIGESTS = json.loads(STORED.read_text(encoding="utf-8"))


def test_every_composition_is_stored() -> None:
    assert sorted(DIGESTS) == sorted(compositions())


@pytest.mark.parametrize("name", DIGESTS)
def test_a_composition_walks_where_it_walked(name: str) -> None:
    assert followed(name) == DIGESTS[name]


@pytest.mark.thorough
@pytest.mark.parametrize("name", DIGESTS)
def test_a_composition_walks_there_in_c(name: str) -> None:
    assert followed(name, "host") == DIGESTS[name]


@pytest.mark.cuda
@pytest.mark.parametrize("name", DIGESTS)
def test_a_composition_walks_there_on_a_gpu(name: str, gpu: Device) -> None:
    assert followed(name, gpu.name) == DIGESTS[name]
