"""Experiments on costs with levels: tables, records, tests and pictures show tuples, in their order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metaheur import HillClimbing, TabuSearch, run_many, stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Substitution
from metaheur.report import Experiment, read_experiment
from tests.costs.timetable import timetable

PROBLEM = timetable(n=12, rooms=4, seed=7)
SEARCHES = {"tabu": TabuSearch(Substitution()), "descent": HillClimbing(Substitution())}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("levels")


@pytest.fixture(scope="module")
def experiment(folder: Path) -> Experiment:
    return run_many(
        SEARCHES,
        {"times": PROBLEM},
        seeds=range(6),
        stop=stop.iterations(30),
        parallel="numpy",
        target=(0, None),
        folder=folder,
        progress=False,
    )


def test_statistics_are_costs_of_runs_in_their_order(experiment: Experiment) -> None:
    for line in experiment.summary():
        costs = sorted(each.cost for each in experiment.results("times", line.search))
        assert (line.best, line.lower_quartile, line.median, line.upper_quartile, line.worst) == (
            costs[0],
            costs[1],
            costs[2],
            costs[4],
            costs[5],
        )
        assert line.feasible == line.success_rate == sum(cost[0] == 0 for cost in costs) / 6
    tabu, descent = experiment.summary()
    assert tabu.feasible > descent.feasible  # type: ignore[operator]


def test_tables_show_tuples_and_the_share_of_feasible_runs(experiment: Experiment) -> None:
    text, line = str(experiment), experiment.summary()[1]
    assert "feasible" in text
    assert f"{line.median[0]}, {line.median[1]}" in text
    assert "times 0, any" in text
    table = experiment.table(rows="search", value=["median", "mean", "quartiles", "feasible"])
    assert f"{line.median[0]}, {line.median[1]}" in table.markdown()
    assert str(table.csv()).count("\n") >= 2
    html = experiment._repr_html_()
    assert "<title>tabu, hard</title>" in html
    assert "<title>descent, soft</title>" in html
    with pytest.raises(InputError, match="`interval` is of one number"):
        experiment.table(value="interval")


def test_records_keep_levels_and_targets(experiment: Experiment, folder: Path) -> None:
    read = read_experiment(folder)
    assert dict(read.targets) == {"times": (0, None)}
    before, after = ([(each.cost, each.levels) for each in it.results("times", "tabu")] for it in (experiment, read))
    assert before == after
    assert before[0][1] == ("hard", "soft")
    content = json.loads(next(folder.glob("*.json")).read_text())
    assert content["result"]["levels"] == ["hard", "soft"]


def test_rows_say_whether_a_run_is_feasible(experiment: Experiment) -> None:
    pytest.importorskip("pandas")
    frame = experiment.to_dataframe()
    assert frame["feasible"].tolist() == [cost[0] == 0 for cost in frame["cost"]]
    walks = experiment.results()[0].walks.to_dataframe()
    assert walks["feasible"].tolist() == [cost[0] == 0 for cost in walks["costs"]]


def test_tests_compare_ranks(experiment: Experiment) -> None:
    pytest.importorskip("scipy")
    compared = experiment.compare()
    tabu, descent = (sorted(each.cost for each in experiment.results("times", name)) for name in SEARCHES)
    wins = sum((a < b) + (a == b) / 2 for a in tabu for b in descent) / 36
    assert compared.effects["times"][0, 1] == pytest.approx(wins)
    assert (compared.pairs[0].wins, compared.pairs[0].losses) == (1, 0)


def test_pictures_show_the_first_level_on_which_runs_differ(experiment: Experiment) -> None:
    pytest.importorskip("matplotlib")
    from metaheur.pictures.costs import settled_levels, steps

    results = experiment.results("times", "tabu")
    ax: Any = experiment.plot().axes[0]
    assert ax.get_ylabel().startswith("best hard")
    alike = [each for each in results if each.cost[0] == 0]
    assert settled_levels(alike) == (0,)
    places, costs = steps(alike[0], "iterations", (0,))
    raw = [alike[0].start_cost, *(each.cost for each in alike[0].improvements), alike[0].cost]
    assert costs.tolist() == [cost[1] if cost[0] == 0 else float("inf") for cost in raw]
    assert len(places) == len(costs)
    assert alike[0].plot().get_ylabel() == "best soft where hard is 0"
    assert experiment.plot_time_to_target().axes[0].get_ylabel() == "share of runs that reached 0, any"
    curve = experiment.plot_targets(gaps=[0]).lines[0].get_ydata()
    assert curve[-1] == experiment.summary()[0].success_rate
