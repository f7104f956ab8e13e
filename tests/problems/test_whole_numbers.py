"""Every whole number that a problem, a neighborhood or a format asks for may be NumPy's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metaheur.neighborhoods import Hamming, OrOpt, Sampled, Swap
from metaheur.problems import PPP, QAP, QUBO, TSP, FlowShop, GraphColoring, Knapsack, MaxCut, OneMax
from metaheur.problems.formats import qaplib
from metaheur.problems.formats.qubo_instance import QUBOInstance

PLACES = np.eye(4)
NONE = np.zeros(0, int)
CALLS: dict[str, Callable[[Any], object]] = {
    "FlowShop.taillard": FlowShop.taillard,
    "GraphColoring": lambda two: GraphColoring(two, [[0, 1]], two),
    "GraphColoring.random": lambda two: GraphColoring.random(two, two, seed=two),
    "Hamming": Hamming,
    "MaxCut.from_edges": lambda two: MaxCut.from_edges(two, [[0, 1]]),
    "OneMax": OneMax,
    "OrOpt": OrOpt,
    "PPP.random": lambda two: PPP.random(two, two, two),
    "QAP.random": lambda two: QAP.random(two, two),
    "QAP.taillard": lambda two: QAP.taillard(6 * two),
    "QUBOInstance": lambda two: QUBOInstance(two, NONE, NONE, NONE, maximise=True, factor=two // 2),
    "Sampled": lambda two: Sampled(Swap(), two),
    "TSP.from_coordinates": lambda two: TSP.from_coordinates(PLACES[:, :2], matrix_up_to=two),
    "TSP.nearest": lambda two: TSP.from_coordinates(PLACES[:, :2]).nearest(two),
    "TSP.random": lambda two: TSP.random(two, two),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64])
def test_numpys_integers_are_whole_numbers(name: str, kind: type) -> None:
    CALLS[name](kind(2))


@pytest.mark.parametrize("one", [1, np.int32(1)])
def test_the_number_of_an_instance_may_be_numpys(tmp_path: Path, one: Any) -> None:
    (tmp_path / "bqp").write_text("2 1\n2 1 3\n")
    (tmp_path / "mkp").write_text("1 1 0\n5\n2\n3\n")
    (tmp_path / "due").write_text("2 2 77\n0 4 3 1\n1 9 2 5\n")
    QUBO.from_file(tmp_path / "bqp", number=one)
    Knapsack.from_file(tmp_path / "mkp", number=one)
    FlowShop.from_file(tmp_path / "due", one)


def test_the_cost_of_a_solution_may_be_numpys(tmp_path: Path) -> None:
    qaplib.write_sln(tmp_path / "sln", np.uint8(7), np.arange(2))
    assert qaplib.read_sln(tmp_path / "sln")[0] == 7
