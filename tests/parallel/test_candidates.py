"""Candidates of the planner: the ways that it compares on a machine, and that they all make the same walks."""

from pathlib import Path
from typing import Any

import pytest

from metaheur import HillClimbing, Problem, Search, SimulatedAnnealing, run, stop
from metaheur.device.device import Device
from metaheur.neighborhoods import Swap
from metaheur.parallel import Auto, IterationLevel, Multistart, candidates
from metaheur.parallel.candidates import alternatives, name_of
from metaheur.problems import QAP
from metaheur.problems.trees.knapsack_tree import KnapsackTree
from metaheur.runners import trials
from metaheur.running.runner import Facts
from metaheur.running.thresholds import Thresholds
from metaheur.tree import BranchAndBound, Explorers
from tests.machine.test_performance import KNAPSACK, QAP_9, TABU
from tests.toys import Rotations

STEPPED = "stepped by Python"
HOST = Facts("host", "a machine", "a rule", resident=True)
ONE = IterationLevel()
ANNEALING = SimulatedAnnealing(Swap(), 300.0)
LARGE = QAP.random(150, 1)
TREE, EXPLORERS = BranchAndBound(KnapsackTree()), BranchAndBound(KnapsackTree(), order=Explorers(5, 7))
EAGER = BranchAndBound(KnapsackTree(), incumbent="eager")

ALWAYS = Thresholds(trial_least=0)
"""Trials are made before every run of some iterations."""


@pytest.mark.parametrize(
    ("search", "problem", "model", "ways"),
    [
        (TABU, QAP_9, ONE, ([], ["cuda:0"])),
        (TABU, QAP.random(40, 1), ONE, ([], ["cuda:0", "cuda:0 by 8 blocks", f"cuda:0 {STEPPED}"])),
        (TABU, LARGE, ONE, ([f"host {STEPPED}"], ["cuda:0", "cuda:0 by 1 block", f"cuda:0 {STEPPED}"])),
        (ANNEALING, QAP_9, ONE, ([], ["cuda:0", "cuda:0 by a warp"])),
        (HillClimbing(Rotations()), QAP_9, ONE, ([], [])),
        (TABU, QAP_9, Multistart(3), ([], ["cuda:0", "cuda:0 by a block each"])),
        (TABU, QAP.random(40, 1), Multistart(3), ([], ["cuda:0", "cuda:0 by a warp each"])),
        (ANNEALING, QAP_9, Multistart(3), ([], ["cuda:0"])),
        (TREE, KNAPSACK, ONE, (["numpy"], ["cuda:0"])),
        (EXPLORERS, KNAPSACK, ONE, ([], ["cuda:0"])),
        (EAGER, KNAPSACK, ONE, ([], [])),
    ],
)
def test_the_ways_depend_on_the_search_and_the_machine(
    search: Search[Any],
    problem: Problem,
    model: Any,
    ways: tuple[list[str], list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(candidates, "threads_for", lambda _, size, *__: 1 + (size > 10_000))
    cpu, gpu = ways
    for there, names in ((0, cpu), (1, [*cpu, *gpu])):
        monkeypatch.setattr(candidates, "gpus", lambda there=there: there)
        assert [each.name for each in alternatives(search, problem, model, HOST)] == names


def test_the_rules_own_way_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "gpus", lambda: 1)
    rule = Facts("cuda:0", "a GPU", "a rule", resident=True)
    assert (name_of(rule), name_of(HOST)) == ("cuda:0", "host")
    assert [each.name for each in alternatives(TABU, QAP_9, ONE, rule)] == ["host"]


def test_python_and_fractions_leave_nothing_to_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    assert alternatives(TABU, QAP_9, ONE, Facts("numpy", "NumPy", "a rule")) == []
    monkeypatch.setattr(QAP, "cost_type", "float64")
    monkeypatch.setattr(candidates, "gpus", lambda: 1)
    assert alternatives(TABU, QAP_9, ONE, HOST) == []


@pytest.mark.parametrize("search", [TABU, ANNEALING, HillClimbing(Swap())])
def test_a_run_after_trials_equals_that_of_numpy(
    search: Search[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(candidates, "threads_for", lambda *_: 2)  # so that stepping by Python is a way to run
    planned = run(search, QAP_9, stop=stop.iterations(90), seed=4, parallel=Auto(thresholds=ALWAYS))
    again = run(search, QAP_9, stop=stop.iterations(90), seed=4, parallel=Auto(thresholds=ALWAYS))
    numpy = run(search, QAP_9, stop=stop.iterations(90), seed=4, parallel="numpy")
    for found in (planned, again):
        assert found.solution.tolist() == numpy.solution.tolist()
        assert [(i.iteration, i.cost) for i in found.improvements] == [
            (i.iteration, i.cost) for i in numpy.improvements
        ]
        assert (found.iterations, found.evaluated) == (numpy.iterations, numpy.evaluated)
    assert f"host {STEPPED}" in planned.plan
    assert "trial" in planned.plan
    assert again.plan == planned.plan or not list(tmp_path.iterdir())


@pytest.mark.parametrize("search", [TREE, EXPLORERS])
def test_a_tree_after_trials_equals_that_of_numpy(
    search: Search[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "cache_folder", lambda: tmp_path)
    planned = run(search, KNAPSACK, stop=stop.seconds(60), parallel=Auto(thresholds=ALWAYS))
    numpy = run(search, KNAPSACK, stop=stop.seconds(60), parallel="numpy")
    assert (planned.cost, planned.evaluated) == (numpy.cost, numpy.evaluated)
    assert planned.proof == numpy.proof


@pytest.mark.cuda
@pytest.mark.parametrize("search", [TABU, ANNEALING])
@pytest.mark.parametrize("walks", [1, 3])
def test_trials_on_a_gpu_do_not_change_walks(
    walks: int, search: Search[Any], gpu: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "cache_folder", lambda: tmp_path)
    problem, end = QAP.random(40, 1), stop.iterations(200)
    planned = run(search, problem, stop=end, seed=4, parallel=Auto(walks, thresholds=ALWAYS))
    numpy = run(search, problem, stop=end, seed=4, parallel=Multistart(walks, device="numpy"))
    assert gpu.name == "cuda:0"
    assert planned.walks.costs.tolist() == numpy.walks.costs.tolist()
    assert planned.walks.improved_at.tolist() == numpy.walks.improved_at.tolist()
    assert "A trial found" in planned.plan
