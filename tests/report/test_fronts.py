"""Fronts of an experiment are compared with one reference for all runs of a problem."""

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur.archives import Front
from metaheur.errors import InputError
from metaheur.report import Experiment, ExperimentRun
from metaheur.report.fronts import CommonReference
from tests.running.test_result import RESULT

FRONTS = {"a": ([[1, 9], [5, 5]], [[2, 8], [4, 6]]), "b": ([[9, 1]], [[1, 9], [8, 8], [9, 1]])}


def front(costs: list[list[int]], signs: Any) -> Front:
    n = len(costs)
    return Front(np.array(costs) * signs, np.zeros((n, 3)), ("f", "g"), signs, np.zeros(n, int), np.zeros(n, int))


def experiment(signs: tuple[int, int]) -> Experiment:
    def run_of(search: str, seed: int, costs: list[list[int]]) -> ExperimentRun:
        found = front(costs, np.array(signs))
        return ExperimentRun(search, "p", seed, evolve(RESULT, cost=tuple(found.costs[0].tolist()), front=found))

    runs = [run_of(search, seed, each) for search, every in FRONTS.items() for seed, each in enumerate(every)]
    return Experiment(tuple(runs), {})


def area(costs: list[list[int]], corner: tuple[float, float]) -> int:
    """The cells of a grid that a front dominates, counted one by one."""
    cells = [(x, y) for x in range(int(corner[0])) for y in range(int(corner[1]))]
    return sum(any(a <= x and b <= y for a, b in costs) for x, y in cells)


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1)])
def test_every_run_of_a_problem_has_the_same_reference(signs: tuple[int, int]) -> None:
    runs = experiment(signs)
    every = [cost for each in FRONTS.values() for costs in each for cost in costs]
    corner = tuple((CommonReference.of(runs.results()).point * signs).tolist())
    assert all(low < high for cost in every for low, high in zip(cost, corner, strict=True))
    whole = area(every, corner)
    table = runs.table(value=("hypervolume", "members", "epsilon", "igd_plus"))
    for first, (name, each) in enumerate(FRONTS.items()):
        share, members, *_ = table.cells[0][4 * first : 4 * first + 4]
        assert share == pytest.approx(np.median([area(costs, corner) / whole for costs in each])), name
        assert members == np.median([len(costs) for costs in each])
    union = Front.merge(*(run.front for run in runs.results() if run.front is not None))
    epsilons = [run.front.epsilon(union) for run in runs.results(search="a") if run.front is not None]
    assert table.cells[0][2] == np.median(epsilons)


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1)])
def test_the_summary_of_several_objectives_is_of_hypervolumes(signs: tuple[int, int]) -> None:
    runs = experiment(signs)
    shares = dict(zip(FRONTS, runs.table(value="hypervolume").cells[0], strict=True))
    for line in runs.summary():
        assert (line.measure, line.target, line.success_rate) == ("hypervolume", None, None)
        assert line.worst <= line.median <= line.best <= 1
        assert line.median == pytest.approx(shares[line.search])
    assert "Several objectives: best ... worst are hypervolumes, as shares of that of all runs of" in str(runs)


def test_methods_of_several_objectives_are_compared_by_a_measure_of_fronts() -> None:
    pytest.importorskip("scipy")
    runs = experiment((1, 1))
    table = runs.table(value=("hypervolume", "epsilon")).cells[0]
    assert runs.compare("hypervolume").medians.tolist() == [[-table[0], -table[2]]]
    assert runs.compare("epsilon").medians.tolist() == [[table[1], table[3]]]
    with pytest.raises(InputError, match=r'Runs of p have several objectives, not a cost(.|\n)*value="hypervolume"'):
        runs.compare()
    with pytest.raises(InputError, match=r"`value` must be one of cost, members, hypervolume, .*, but is 'median'"):
        runs.compare("median")


@pytest.mark.parametrize("plot", ["plot", "plot_time_to_target", "plot_targets", "plot_profiles"])
def test_costs_over_time_are_not_drawn_of_several_objectives(plot: str) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(InputError, match=r"Runs of p have several objectives, not a cost(.|\n)*result.front.plot\(\)"):
        getattr(evolve(experiment((1, 1)), targets={"p": 3}), plot)()


def test_runs_of_one_objective_have_no_front() -> None:
    single = Experiment((ExperimentRun("a", "p", 0, RESULT),), {})
    with pytest.raises(InputError, match="These measures are of fronts, but runs have one objective"):
        single.table(value="hypervolume")
    with pytest.raises(InputError, match="These measures are of fronts, but runs have one objective"):
        single.compare("members")
    with pytest.raises(InputError, match="`median` is of one objective, but the runs have several"):
        experiment((1, 1)).table(value="median")
