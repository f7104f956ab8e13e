"""Problems made of problems: costs, both halves, searches, and what is refused."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from metaheur import ParetoLocalSearch, run, stop
from metaheur.archives import FromRandom, Front
from metaheur.device.device import Device
from metaheur.errors import InputError
from metaheur.evaluators.offers import Offers
from metaheur.neighborhoods import Hamming, Insertion, Swap, TwoOpt
from metaheur.problems import QAP, TSP, FlowShop, Knapsack, MultiObjective, OneMax
from metaheur.testing import check_problem, check_search


def assignments(n: int = 7) -> MultiObjective:
    """Two flows between the same locations."""
    first = QAP.random(n, 1)
    return MultiObjective([first, QAP(first.a, QAP.random(n, 2).b)], ["flow 1", "flow 2"])


def knapsacks(n: int = 9) -> MultiObjective:
    """Two profits of the same items."""
    generator = np.random.default_rng(n)
    weights = generator.integers(1, 30, (1, n))
    capacity = np.array([int(weights.sum()) // 2])
    return MultiObjective([Knapsack(generator.integers(1, 50, n), weights, capacity) for _ in range(2)])


def tours(n: int = 7) -> MultiObjective:
    """Two distances between the same cities."""
    return MultiObjective([TSP.random(n, 1), TSP.random(n, 2)], ["distance", "time"])


CASES = {"assignments": (assignments(), Swap()), "knapsacks": (knapsacks(), Hamming(1)), "tours": (tours(), TwoOpt())}


def test_a_cost_is_that_of_each_problem() -> None:
    problem, x = assignments(), np.arange(7)
    assert problem.cost(x) == tuple(each.cost(x) for each in problem.problems)
    assert problem.objectives == ("flow 1", "flow 2")
    assert knapsacks().objectives == ("Knapsack 1", "Knapsack 2")


@pytest.mark.parametrize("name", CASES)
def test_the_halves_agree(name: str, compiling: Device) -> None:
    report = check_problem(*CASES[name], devices=[compiling.name])
    assert "delta, init, commit" in str(report)


def test_moves_without_a_formula_are_evaluated_in_full(compiling: Device) -> None:
    report = check_problem(assignments(6), Insertion(), devices=[compiling.name])
    assert ", delta" not in str(report)
    assert report.offers == {f"Insertion() on {compiling.name}": Offers.COST}


def test_a_front_of_profits_is_shown_as_profits(compiling: Device) -> None:
    problem = knapsacks()
    check_search(ParetoLocalSearch(Hamming(1)), problem, iterations=15, devices=[compiling.name])
    front = run(ParetoLocalSearch(Hamming(1)), problem, stop=stop.iterations(100), parallel="numpy").front
    assert front is not None
    rows = np.array([[k >> b & 1 for b in range(9)] for k in range(2**9)], np.uint8)
    whole = Front.from_solutions(problem, rows)
    for cost, x in front:
        assert (cost >= 0).all()
        assert problem.displayed(problem.cost(x)) == tuple(cost.tolist())
    assert 0 < front.hypervolume([-1, -1]) <= whole.hypervolume([-1, -1])
    assert whole.epsilon(front) <= 0


@pytest.mark.parametrize("name", ["assignments", "tours"])
def test_a_front_holds_the_best_of_what_may_be_reached(name: str) -> None:
    problem, moves = CASES[name]
    n = problem.representation.length
    whole = Front.from_solutions(problem, np.array([*permutations(range(n))], np.int32))
    end = stop.iterations(200)
    found = run(ParetoLocalSearch(moves, restart=FromRandom()), problem, stop=end, parallel="numpy").front
    assert found is not None
    assert set(map(tuple, found.costs.tolist())) == set(map(tuple, whole.costs.tolist()))


@pytest.mark.parametrize(
    ("problems", "names", "reason"),
    [
        ([OneMax(3)], (), "`problems` must be 2 ... 8, but there are 1"),
        ([OneMax(3), OneMax(4)], (), "must have one representation"),
        ([OneMax(3), 4], (), "`problems` must be problems"),
        ([assignments(), assignments()], (), "must have one objective each, but MultiObjective has 2"),
        ([OneMax(3), OneMax(3)], ("a", "a"), "must be different names"),
        ([OneMax(3), OneMax(3)], ("a",), "must name 2 problems"),
    ],
)
def test_what_does_not_belong_together_is_refused(problems: Any, names: Any, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        MultiObjective(problems, names)


def test_a_flow_shop_may_be_part_of_one() -> None:
    generator = np.random.default_rng(2)
    shops = [FlowShop(generator.integers(1, 50, (6, 3))) for _ in range(2)]
    check_problem(MultiObjective(shops, ["line 1", "line 2"]), Insertion())
