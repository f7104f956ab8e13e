"""Every composition walks where it walked before, on every device."""

import json

import pytest

from metaheur import TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
from tests.trajectories import STORED, compositions, digest, followed

DIGESTS = json.loads(STORED.read_text(encoding="utf-8"))


def test_every_composition_is_stored() -> None:
    assert sorted(DIGESTS) == sorted(compositions())


def test_robust_tabu_search_without_its_long_term_rule_walks_where_it_walked_before_it_had_one() -> None:
    problem, limit = QAP.taillard(15), stop.iterations(2500)
    found = digest(run(TabuSearch(Swap(), long_term=None), problem, stop=limit, seed=0, parallel="numpy"))
    assert found == "c413c45f6080d1f1"
    assert digest(run(TabuSearch(Swap()), problem, stop=limit, seed=0, parallel="numpy")) != found


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
