"""Pictures show what the results say; nothing is shown on a screen here."""

import os
import subprocess
import sys
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from metaheur import stop
from metaheur.door.run import run
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.pictures.costs import distribution, plot_costs, plot_time_to_target, quartiles, steps
from metaheur.pictures.distributions import performance_profiles, share_of_targets
from metaheur.problems import QAP, Knapsack, MaxCut
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.report import Experiment, ExperimentRun, run_many
from metaheur.running.result import Improvement, Result
from metaheur.searches import HillClimbing, SimulatedAnnealing, TabuSearch
from metaheur.tree import BranchAndBound
from tests.running.test_result import RESULT

ROOT = Path(__file__).resolve().parents[2]
QAP_9 = QAP.random(9, seed=5)
WAYS = {"iterations": "iteration", "evaluations": "evaluated", "seconds": "seconds"}


@pytest.fixture
def pyplot() -> Iterator[Any]:
    """Matplotlib without a screen and without figures; those of a test are closed."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.close("all")
    yield pyplot
    pyplot.close("all")


def made(search: Any = None, seed: int = 1) -> Result:
    enough = stop.evaluations(2000)
    return run(search or SimulatedAnnealing(Swap(), 500), QAP_9, stop=enough, seed=seed, parallel="host")


def at(result: Result, x: str, place: float) -> float:
    """The best cost at a place, looked up in the improvements one by one."""
    assert result.start_cost is not None
    cost = result.start_cost
    for each in result.improvements:
        if getattr(each, WAYS[x]) <= place:
            cost = each.cost
    return float(cost)


# What is drawn


@pytest.mark.parametrize("x", WAYS)
def test_the_cost_changes_where_improvements_are(x: str) -> None:
    result = made()
    places, costs = steps(result, x)
    assert places[0] == 0
    assert places[-1] == {"iterations": result.iterations, "evaluations": result.evaluated}.get(x, result.seconds)
    assert costs.tolist() == [at(result, x, place) for place in places]


@pytest.mark.parametrize("x", WAYS)
def test_quartiles_are_those_of_the_runs_at_each_place(x: str) -> None:
    results = [made(seed=seed) for seed in range(5)]
    places, bands = quartiles(results, x)
    assert (np.diff(places) > 0).all()
    for k, place in enumerate(places):
        costs = sorted(at(result, x, place) for result in results)
        assert bands[:, k].tolist() == [costs[1], costs[2], costs[3]]


def test_runs_that_have_ended_keep_their_cost() -> None:
    short, long = made(HillClimbing(Swap())), made()
    places, (low, _, high) = quartiles([short, short, long, long], "evaluations")
    assert short.evaluated < long.evaluated == places[-1]
    assert [low[-1], high[-1]] == sorted([short.cost, long.cost])


def test_thousands_of_places_are_thinned_out() -> None:
    many = tuple(Improvement(k, 10_000 - k, k / 1000, 0, k) for k in range(1, 5001))
    result: Result = evolve(RESULT, improvements=many, start_cost=10_000, cost=5000, iterations=6000, evaluated=6000)
    places, (_, median, _) = quartiles([result], "iterations")
    assert len(places) == 2000
    assert (places[0], places[-1]) == (0, 6000)
    assert median.tolist() == [10_000 - min(place, 5000) for place in places]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=8), st.integers(0, 30))
def test_the_distribution_counts_the_runs_that_reached_the_target(costs: list[int], target: int) -> None:
    results: list[Result] = [
        evolve(RESULT, start_cost=40, cost=cost, improvements=(Improvement(5 + k, cost, 0.1 * k, 0, 7 * k),))
        for k, cost in enumerate(costs)
    ]
    places, shares = distribution(results, target, "iterations")
    for place, share in zip(places, shares, strict=True):
        assert share == pytest.approx(sum(at(each, "iterations", place) <= target for each in results) / len(results))
    assert len(places) == 2 + sum(cost <= target for cost in costs)


# How it is drawn


def test_a_result_draws_its_best_cost(pyplot: Any) -> None:
    result = made()
    for x, label in (("iterations", "iterations"), ("evaluations", "moves evaluated"), ("seconds", "seconds")):
        ax = result.plot(x)
        (line,) = ax.lines
        assert line.get_xdata().tolist() == steps(result, x)[0].tolist()
        assert line.get_ydata()[-1] == result.cost
        assert ax.get_xlabel() == label
    assert len(pyplot.get_fignums()) == 3
    assert result.plot(ax=ax) is ax


def test_an_experiment_draws_a_picture_for_each_problem(pyplot: Any, tmp_path: Path) -> None:
    searches = {"tabu": TabuSearch(Swap()), "annealing": SimulatedAnnealing(Swap(), 50)}
    problems = {f"size {n}": QAP.random(n, 1) for n in (6, 7, 8, 9)}
    arguments: dict[str, Any] = {"seeds": range(3), "stop": stop.evaluations(500), "parallel": "host"}
    experiment = run_many(searches, problems, target=10**6, **arguments)
    for figure in (experiment.plot(), experiment.plot("seconds"), experiment.plot_time_to_target()):
        assert [ax.get_title() for ax in figure.axes] == list(problems)
        assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == list(searches)
        figure.savefig(tmp_path / "figure.png")
    shares = [line.get_ydata()[-1] for line in experiment.plot_time_to_target(-1).axes[0].lines]
    assert shares == [0, 0]


def test_an_experiment_without_a_target_says_so(pyplot: Any) -> None:
    experiment = run_many(TabuSearch(Swap()), QAP_9, seeds=[1], stop=stop.iterations(3), parallel="host")
    with pytest.raises(InputError, match=r"There is no target for QAP of length 9(.|\n)*plot_time_to_target\(1000\)"):
        experiment.plot_time_to_target()


def test_where_nothing_is_done_there_is_nothing_to_draw() -> None:
    failed = Experiment((ExperimentRun("a", "b", 1, None, "ValueError: no"),))
    with pytest.raises(InputError, match="no run is done"):
        failed.plot()
    with pytest.raises(InputError, match="The group 'a' has no results"):
        plot_costs({"a": []})
    with pytest.raises(InputError, match="There are no results to draw"):
        plot_time_to_target({}, 3)


def test_what_is_maximised_reaches_its_target_from_below() -> None:
    cut = MaxCut.from_edges(9, [(i, j) for i in range(9) for j in range(i)])
    result = run(TabuSearch(Hamming(1)), cut, stop=stop.iterations(20), seed=1, parallel="host")
    assert result.cost == 20
    places, shares = distribution([result, result], 20, "iterations")
    assert shares.tolist() == [0, 0.5, 1, 1]
    assert places[1] == result.improved_at
    assert distribution([result], 21, "iterations")[1].tolist() == [0, 0]


@pytest.mark.parametrize("x", ["time", None, 5])
def test_what_is_drawn_from_left_to_right_has_a_name(x: Any) -> None:
    with pytest.raises(InputError, match="`x` must be one of iterations, evaluations, seconds"):
        steps(RESULT, x)


@pytest.mark.parametrize(("package", "extra"), [("matplotlib", "plot"), ("pandas", "dataframe")])
def test_where_an_optional_package_is_absent_its_extra_is_named(package: str, extra: str) -> None:
    code = f"""
import sys
sys.modules["{package}"] = None
from metaheur import TabuSearch, Trace, run_many, stop
from metaheur.neighborhoods import Swap
from metaheur.problems import QAP
runs = run_many(TabuSearch(Swap()), QAP.random(6, 1), seeds=[1], stop=stop.iterations(5), parallel="numpy")
try:
    runs.plot() if "{package}" == "matplotlib" else runs.to_dataframe()
except Exception as error:
    print(error)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert f"needs {package}, which is not installed.\nMaybe pip install 'metaheur[{extra}]'" in done.stdout


def test_a_proof_draws_its_bound_and_its_nodes(pyplot: Any) -> None:
    search = BranchAndBound(KnapsackTree())
    result = run(search, Knapsack.single([6, 5, 4, 7, 3], [3, 2, 2, 4, 1], 7), stop=stop.iterations(99))
    assert result.proof is not None
    lines = result.plot().lines
    assert list(lines[-1].get_ydata()) == [15, 15]
    assert lines[-1].get_label() == "bound: optimal"
    bars = [bar.get_width() for bar in result.proof.plot().patches]
    counts = result.proof.counts
    assert bars == [counts.bounded, counts.complete, counts.by_bound, counts.by_dominance, counts.branched, 0]


# Several problems at once


def test_the_share_of_targets_counts_every_target_of_every_run() -> None:
    results = [made(seed=seed) for seed in range(3)]
    aims = [(each, [float(each.cost), float(each.cost) + 50, 0.0]) for each in results]
    places, shares = share_of_targets(aims)
    for place, share in zip(places[:-1], shares[:-1], strict=True):
        reached = sum(at(each, "evaluations", place) <= aim for each, targets in aims for aim in targets)
        assert share <= reached / 9
    assert shares[-1] == sum(float(each.cost) <= aim for each, targets in aims for aim in targets) / 9
    assert places[-1] == max(each.evaluated for each in results)


def test_performance_profiles_follow_their_definition() -> None:
    times = {"p": {"a": 1.0, "b": 2.0}, "q": {"a": 9.0, "b": 3.0}, "r": {"a": 5.0, "b": inf}, "s": {"a": inf, "b": inf}}
    found = performance_profiles(times)
    for name, (places, shares) in found.items():
        for place, share in zip(places, shares, strict=True):
            fast = [each[name] / min(each.values()) <= place for each in times.values() if each[name] < inf]
            assert share == sum(fast) / len(times)
    assert found["a"][0].tolist() == [1.0, 3.0]
    assert found["a"][1].tolist() == [0.5, 0.75]
    assert found["b"][1].tolist() == [0.25, 0.5]
    with pytest.raises(InputError, match="The time of b on p must be more than 0, but is None"):
        performance_profiles({"p": {"a": 1.0}, "q": {"b": 1.0}})


def test_an_experiment_draws_targets_profiles_and_ranks(pyplot: Any) -> None:
    pytest.importorskip("scipy")
    searches = {
        "annealing": SimulatedAnnealing(Swap(), 500),
        "tabu": TabuSearch(Swap()),
        "climbing": HillClimbing(Swap()),
    }
    problems = {str(seed): QAP.random(9, seed) for seed in range(3)}
    until = stop.evaluations(1000)
    experiment = run_many(searches, problems, seeds=range(2), stop=until, parallel="host", progress=False)
    with pytest.raises(InputError, match=r"There is no target for 0, 1, 2(.|\n)*pass target= to run_many"):
        experiment.plot_profiles()
    best = {name: min(each.cost for each in experiment.results(name)) for name in problems}
    experiment = evolve(experiment, targets=best)
    targets = experiment.plot_targets((0.5, 0))
    assert [line.get_label() for line in targets.get_lines()] == list(searches)
    for value in ("ert", "seconds"):
        profiles = experiment.plot_profiles(value)
        assert max(line.get_ydata()[0] for line in profiles.get_lines()) > 0
    with pytest.raises(InputError, match="`value` must be one of ert, ert_seconds, seconds, evaluated"):
        experiment.plot_profiles("median")
    some = evolve(experiment, targets={**best, "1": None})
    assert some.plot_targets().get_title() == some.plot_profiles().get_title() == "without 1: no target"
    assert some.plot_profiles("seconds").get_title() == ""
    assert [[each.get_text() for each in ax.texts] for ax in some.plot_time_to_target().axes] == [[], ["no target"], []]
    ranks = experiment.compare().plot()
    assert {text.get_text().strip() for text in ranks.texts} >= {*searches, "1", "2", "3"}
