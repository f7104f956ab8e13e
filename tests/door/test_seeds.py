"""Runs with several seeds as the walks of one launch: each is what it is alone."""

from typing import Any, final

import numpy as np
import pytest
from attrs import asdict, frozen

from metaheur import HillClimbing, Search, SimulatedAnnealing, data, run, run_many, stop
from metaheur.door.seeds import most_walks, run_seeds
from metaheur.neighborhoods import Hamming, Swap
from metaheur.parallel import Auto, IterationLevel, Multistart
from metaheur.problem import Problem
from metaheur.problems import OneMax
from metaheur.random import START, Key, Random
from metaheur.report import Threads
from metaheur.representation import Permutation, Solution
from metaheur.running.result import Result
from metaheur.running.thresholds import Thresholds
from metaheur.stop import Stop
from tests.machine.test_performance import QAP_9, TABU
from tests.toys import linear_ordering

ONES = OneMax(40)
CLIMBING = HillClimbing(Hamming(1))
SEEDS = [4, 0, 11, 7, 2]


def what_was_found(result: Result) -> dict[str, Any]:
    """All that a result says, but for times, and how the work was spread."""
    timed = ("_improvements", "seconds", "performance", "plan", "walks", "solutions")
    plain = {key: value for key, value in asdict(result, recurse=False).items() if key not in timed}
    table = {name: column.tolist() for name, column in asdict(result.walks).items() if name != "seconds"}
    improvements = [(each.iteration, each.cost, each.evaluated, each.walk) for each in result.improvements]
    return {**plain, "solution": result.solution.tolist(), "improvements": improvements, **table}


RUNS: dict[str, tuple[Search[Any], Problem, Stop]] = {
    "work": (TABU, QAP_9, stop.evaluations(3000)),
    "a local optimum": (CLIMBING, ONES, stop.iterations(1000)),
    "a target, where the problem maximises": (CLIMBING, ONES, stop.target(33) | stop.iterations(9)),
    "no improvement and not yet enough": (
        TABU,
        QAP_9,
        stop.no_improvement(20) & ~stop.target(100) | stop.iterations(300),
    ),
    "diminished returns": (TABU, QAP_9, stop.diminished_returns(5, iterations=15)),
    "a schedule": (SimulatedAnnealing(Swap(), 50), QAP_9, stop.iterations(500)),
    "costs that are no whole numbers": (TABU, linear_ordering("cost and delta", "float64"), stop.iterations(40)),
}


@pytest.mark.parametrize("name", RUNS)
def test_each_run_is_what_it_is_alone(name: str, compiling: Any) -> None:
    search, problem, end = RUNS[name]
    device = compiling.name
    together = run_seeds(search, problem, stop=end, seeds=SEEDS, parallel=device)
    for seed, result in zip(SEEDS, together, strict=True):
        alone = run(search, problem, stop=end, seed=seed, parallel=device)
        assert what_was_found(result) == what_was_found(alone)
        times = [each.seconds for each in result.improvements]
        assert times == sorted(times)
        assert 0 < result.performance.native_seconds <= result.seconds
        assert all(at <= result.seconds * (1 + 1e-9) for at in times)
    assert len({result.cost for result in together} | {len(result.improvements) for result in together}) > 1


def test_launches_that_end_where_improvements_fill_their_room_lose_none() -> None:
    """A launch has room for 1,024 improvements of a walk; the last chunk of these walks has more."""
    start = np.zeros(3000, np.uint8)
    for result in run_seeds(
        CLIMBING, OneMax(3000), stop=stop.iterations(4000), seeds=[1, 2], start=start, parallel="host"
    ):
        assert [(each.iteration, each.cost) for each in result.improvements] == [(k, k) for k in range(1, 3001)]
        assert result.stopped_by == "local optimum"


def test_this_thread_makes_the_seeds_of_each_search_at_once() -> None:
    searches, end = {"tabu": TABU, "climbing": HillClimbing(Swap())}, stop.iterations(9)
    experiment = run_many(searches, QAP_9, seeds=range(3), stop=end, start=np.arange(9))
    assert [(each.search, each.seed) for each in experiment.runs] == [(s, i) for s in searches for i in range(3)]
    for each in experiment.runs:
        assert each.result is not None
        assert each.result.plan.startswith("3 walks, resident on ")
        assert each.result.start_cost == QAP_9.cost(np.arange(9))
    alone = run_many(searches, QAP_9, seeds=range(3), stop=end, workers=Threads(2)).results()
    assert all(result.plan.startswith("One walk, resident on ") for result in alone)


@final
@frozen(eq=False)
class Broken(Problem):
    """Costs nothing; where the first two entries are those of one start, C++ makes no numbers of the moves."""

    cost_type = "float64"
    first: int = data("int32")
    second: int = data("int32")
    source = (
        "struct Broken : BrokenData { MH_FN Cost delta(Team, const Item* x, SwapMove) const "
        "{ const double zero = x[0] * 0.0; return x[0] == first && x[1] == second ? zero / zero : zero; } };"
    )

    @property
    def representation(self) -> Permutation:
        return Permutation(30)

    def cost(self, x: Solution) -> float:
        return 0.0


def test_a_run_that_fails_among_others_fails_alone() -> None:
    first, second, *_ = Permutation(30).random(Random(Key(1), START, 0)).tolist()
    experiment = run_many(TABU, Broken(first, second), seeds=range(3), stop=stop.iterations(1), parallel="host")
    assert [each.status for each in experiment.runs] == ["done", "failed", "done"]
    assert "not a finite number" in experiment.runs[1].error


ALONE: dict[str, dict[str, Any]] = {
    "a limit of time": {"stop": stop.iterations(9) | stop.seconds(1)},
    "a stop of one's own": {"stop": stop.when(lambda view: True)},
    "Python's halves": {"parallel": "numpy"},
    "Python decides": {"parallel": IterationLevel("host", resident=False)},
    "devices that share a neighborhood": {"parallel": IterationLevel(devices=("host", "host"))},
    "walks of their own": {"parallel": Multistart(4)},
    "walks that are planned": {"parallel": Auto(2)},
    "a problem in Python alone": {"problem": linear_ordering("none")},
    "a neighborhood that is streamed": {"parallel": IterationLevel("host", thresholds=Thresholds(stream_from=36))},
}


@pytest.mark.parametrize("name", ALONE)
def test_runs_that_could_differ_are_made_alone(name: str) -> None:
    arguments: dict[str, Any] = {"search": TABU, "problem": QAP_9, "stop": stop.iterations(9), "parallel": "auto"}
    assert most_walks(**arguments) > 1
    assert most_walks(**{**arguments, **ALONE[name]}) == 1


def test_a_run_that_never_improves_has_found_its_best_at_the_start() -> None:
    end, start = stop.iterations(5), run(TABU, QAP_9, stop=stop.iterations(300), parallel="numpy").solution
    runs = run_many({"climbing": HillClimbing(Swap())}, QAP_9, seeds=range(3), stop=end, start=start, parallel="host")
    assert [each.result.walks.seconds.tolist() for each in runs.runs if each.result] == [[0.0]] * 3
