"""The QAP's tree and the bound of Gilmore and Lawler: against brute force, published optima, and in both halves."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from metaheur import TabuSearch, run, stop
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP, OneMax
from metaheur.problems.trees.qap_tree import GilmoreLawler, QAPTree, assignment
from metaheur.testing import check_bound, check_branching
from metaheur.tree import BranchAndBound

MINUTE = stop.seconds(60)


def qap(n: int, symmetric: bool) -> QAP:
    a, b = np.random.default_rng(n).integers(0, 9, (2, n, n))
    return QAP(a + a.T, b + b.T) if symmetric else QAP(a, b)


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_an_assignment_costs_the_least(n: int) -> None:
    costs = np.random.default_rng(n).integers(-20, 20, (n, n))
    assert assignment(costs.tolist()) == min(int(costs[range(n), list(p)].sum()) for p in permutations(range(n)))


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("n", [1, 5])
def test_the_tree_and_its_bound_are_right_in_both_halves(n: int, symmetric: bool, compiling: Device) -> None:
    problem = qap(n, symmetric)
    check_branching(QAPTree(), problem, devices=[compiling.name])
    check_bound(QAPTree(), GilmoreLawler(), problem, devices=[compiling.name])


@pytest.mark.parametrize(("name", "optimum"), [("nug12", 578), ("tai12a", 224416), ("chr12a", 9552)])
def test_published_optima_are_proven(data_folder: Path, name: str, optimum: int) -> None:
    problem = QAP.from_file(data_folder / f"qaplib/{name}.dat")
    found = run(TabuSearch(Swap()), problem, stop=stop.iterations(2000), seed=1)
    result = run(BranchAndBound(QAPTree()), problem, stop=MINUTE, start=found.solution)
    assert result.proof is not None
    assert (result.proof.status, result.cost) == ("optimal", optimum)


def test_flows_too_large_to_add_up_are_ordered() -> None:
    """Where no distance makes a cost of them."""
    problem = QAP(np.array([[0, 1, 1], [1, 0, 1], [2**62, 2**62, 0]]), np.zeros((3, 3), int))
    assert QAPTree().solution(problem, {"places": [0, 1, 2]}).tolist()[2] == 0
    assert run(BranchAndBound(QAPTree()), problem, stop=MINUTE).cost == 0


def test_what_the_tree_cannot_be_made_of_is_refused() -> None:
    with pytest.raises(InputError, match="this is a OneMax"):
        run(BranchAndBound(QAPTree()), OneMax(5), stop=MINUTE)
    with pytest.raises(InputError, match="up to 32"):
        run(BranchAndBound(QAPTree()), QAP.random(33, 1), stop=MINUTE)
    with pytest.raises(InputError, match="the least is -1"):
        run(BranchAndBound(QAPTree()), QAP(np.full((3, 3), -1), np.ones((3, 3), int)), stop=MINUTE)
