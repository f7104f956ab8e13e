"""The ways in which C++ halves evaluate moves are known without the kernels that do so."""

import pytest

from metaheur import Problem
from metaheur.device.device import Device
from metaheur.evaluators.device import DeviceEvaluator
from metaheur.evaluators.offers import Offers, offers_of
from metaheur.neighborhood import Neighborhood
from metaheur.neighborhoods import Hamming, Insertion, Swap
from metaheur.problems import PPP, QAP, TSP, FlowShop, OneMax


@pytest.mark.parametrize(
    ("problem", "neighborhood", "updates"),
    [
        (QAP.random(9, 1), Swap(), True),
        (TSP.random(9, 1), Swap(), False),
        (PPP.random(9, 9, 1), Hamming(2), False),
        (FlowShop.taillard(1), Insertion(), False),
        (OneMax(9), Hamming(1), True),
    ],
)
def test_a_problem_is_asked_without_its_kernels(
    compiling: Device, problem: Problem, neighborhood: Neighborhood, updates: bool
) -> None:
    offers = offers_of(problem, neighborhood, compiling)
    assert (Offers.UPDATE in offers) == updates
    assert offers == DeviceEvaluator(problem, compiling, neighborhood).of(neighborhood).offers
