from typing import Any

import numpy as np
import pytest
from attrs import field, frozen

from metaheur import IteratedLocalSearch, Permutation, Problem, TabuSearch, Trial, run, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Swap
from metaheur.parts import Always, BetterOrEqual, Limit, RandomMoves
from metaheur.problems import QAP, FlowShop
from metaheur.searches import Recommendation
from metaheur.tuning import OneOf, Range, Space, Tuned, tune
from metaheur.tuning.measure import measured


@frozen(eq=False)
class Sorting(Problem):
    """The sum of squared distances from home, in Python alone; perhaps an evaluation that Ctrl-C interrupts."""

    n: int = 9
    interrupted_at: int = 0
    evaluated: list[int] = field(factory=list)

    @property
    def representation(self) -> Permutation:
        return Permutation(self.n)

    def cost(self, x: np.ndarray) -> int:
        self.evaluated.append(1)
        if len(self.evaluated) == self.interrupted_at:
            raise KeyboardInterrupt
        return int((np.abs(x - np.arange(self.n)) ** 2).sum())


WANDERING = Trial(Swap(), Always())
TWO_COSTS = FlowShop(np.array([[1, 2], [2, 1]]), objectives=("makespan", "total flow time"))
SEARCHES = OneOf(WANDERING, Trial(Swap(), BetterOrEqual()))
KICKS = Space(
    IteratedLocalSearch(Trial(Swap(), BetterOrEqual()), RandomMoves(Swap(), 40), limit=Limit(15)),
    {"acceptance": None, "limit": None, "perturbation.count": Range(1, 60)},
)


def tuned(problem: Problem, seed: int = 0) -> Tuned:
    return tune(KICKS, problem, work=6_000, each=60, seed=seed, report=False)


def content(found: Tuned) -> Any:
    return [(each.configuration, each.costs) for each in found.ranked], found.place, found.work, found.runs


def test_the_better_search_is_found() -> None:
    found = tune(SEARCHES, [Sorting(8), Sorting(9)], work=3_000, each=60, report=False)
    assert found.configuration == {"search": "Trial2"}
    assert found.search == SEARCHES.values[1]
    assert found.default.configuration == {"search": "Trial"}
    assert found.place == 1
    assert found.rows()[1]["mean"] > found.rows()[0]["mean"]


def test_the_same_seed_and_work_give_the_same_answer() -> None:
    assert content(tuned(Sorting(), 3)) == content(tuned(Sorting(), 3))
    assert content(tuned(Sorting(), 3)) != content(tuned(Sorting(), 4))


def test_no_more_than_the_work_is_done() -> None:
    found = tuned(Sorting())
    assert found.stopped_by == "work"
    assert 3_000 < found.work <= 6_000
    assert found.work >= 60 * found.runs


def test_a_cost_is_that_of_a_run_with_the_same_seed() -> None:
    qap, search = QAP.taillard(12), TabuSearch(Swap())
    together = measured(search, qap, seeds=[5, 7, 9], each=300, parallel="host")
    alone = [run(search, qap, stop=stop.evaluations(300), seed=seed, parallel="numpy") for seed in (5, 7, 9)]
    assert together == [(each.cost, each.evaluated) for each in alone]


def test_the_price_of_a_recommendation_divides_the_moves() -> None:
    (found,) = measured(Recommendation("", WANDERING, price=5), Sorting(), seeds=[1], each=100, parallel="numpy")
    assert found.work == 100
    (alone,) = measured(WANDERING, Sorting(), seeds=[1], each=20, parallel="numpy")
    assert found.cost == alone.cost


def test_small_kicks_are_found_for_a_problem_that_wants_small_kicks() -> None:
    found = tune(KICKS, Sorting(), work=10_000, each=100, report=False)
    assert int(found.configuration["perturbation.count"]) < 20
    assert found.default.configuration == {"perturbation.count": 40}


def test_ctrl_c_leaves_the_races_that_have_ended() -> None:
    problem = Sorting()
    races = tuned(problem).races
    found = tuned(Sorting(9, len(problem.evaluated) * 2 // 3))
    assert found.stopped_by == "interrupt"
    assert 1 <= found.races < races
    with pytest.raises(KeyboardInterrupt):
        tuned(Sorting(9, 10))


TWO_NUMBERS = Space(TabuSearch(Swap(), (0.2, 0.8)), {"tenure.low": Range(0.1, 0.5), "tenure.high": Range(0.6, 2.0)})


@pytest.mark.parametrize(
    ("space", "problems", "work", "message"),
    [
        (SEARCHES, Sorting(), 100, "too little: 2 races"),
        (TWO_NUMBERS, Sorting(), 100, "too little: 4 races"),
        (SEARCHES, [], 1e4, "`problems` must not be empty"),
        (SEARCHES, [3], 1e4, "must be problems, but holds 3"),
        (3, Sorting(), 1e4, "must be a Space or a search"),
        (
            SEARCHES,
            TWO_COSTS,
            1e4,
            "compares single costs",
        ),
        (
            lambda problem: Space(TabuSearch(Swap()), {"tenure.low_plus": Range(0, problem.n)}),
            [Sorting(8), Sorting(9)],
            1e6,
            "Problems 0 and 1 have different parameters or ranges, such as 'tenure.low_plus'",
        ),
    ],
)
def test_bad_input_is_refused(space: Any, problems: Any, work: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tune(space, problems, work=work, each=60, report=False)
