"""What is written in IOHprofiler's format says what the runs said, and other programs read it."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from metaheur import stop
from metaheur.errors import InputError
from metaheur.neighborhoods import Hamming, Swap
from metaheur.problems import QAP, MaxCut
from metaheur.report import Experiment, ExperimentRun, run_many
from metaheur.report.ioh import write_ioh
from metaheur.running.result import Result
from metaheur.searches import SimulatedAnnealing, TabuSearch
from tests.running.test_result import RESULT

SEARCHES = {"tabu search": TabuSearch(Swap()), "annealing": SimulatedAnnealing(Swap(), 500)}
PROBLEMS = {"nine": QAP.random(9, seed=5), "eleven": QAP.random(11, seed=5)}


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return run_many(SEARCHES, PROBLEMS, seeds=[7, 8, 9], stop=stop.evaluations(3000), parallel="host")


@pytest.fixture(scope="module")
def cuts() -> Experiment:
    cut = MaxCut.from_edges(12, [(i, j) for i in range(12) for j in range(i)], [i % 7 - 2 for i in range(66)])
    return run_many(TabuSearch(Hamming(1)), {"cut": cut}, seeds=range(2), stop=stop.iterations(40), parallel="host")


def expected_rows(result: Result) -> list[tuple[int, float]]:
    """Evaluations and best cost: of the start, of each improvement, and of the end."""
    assert result.start_cost is not None
    rows = [(1, result.start_cost), *((each.evaluated + 1, each.cost) for each in result.improvements)]
    end = (result.evaluated + 1, result.cost)
    return rows if rows[-1] == end else [*rows, end]


def test_each_search_has_a_folder_and_each_problem_two_files(experiment: Experiment, tmp_path: Path) -> None:
    experiment.to_ioh(tmp_path / "ioh")
    files = sorted(str(path.relative_to(tmp_path / "ioh")) for path in (tmp_path / "ioh").rglob("*.*"))
    assert files == sorted(
        f"{search}/{name}"
        for search in ("tabu-search", "annealing")
        for name in (
            "IOHprofiler_f1_nine.json",
            "data_f1_nine/IOHprofiler_f1_DIM9.dat",
            "IOHprofiler_f2_eleven.json",
            "data_f2_eleven/IOHprofiler_f2_DIM11.dat",
        )
    )


def test_a_file_of_lines_has_a_header_before_each_run(experiment: Experiment, tmp_path: Path) -> None:
    write_ioh(tmp_path, experiment)
    text = (tmp_path / "annealing/data_f1_nine/IOHprofiler_f1_DIM9.dat").read_text()
    _, *runs = text.split("evaluations raw_y seconds\n")
    for run, result in zip(runs, experiment.results("nine", "annealing"), strict=True):
        rows = [line.split() for line in run.splitlines()]
        assert [(int(evaluations), float(cost)) for evaluations, cost, _ in rows] == expected_rows(result)
        assert float(rows[-1][2]) == pytest.approx(result.seconds)


def test_costs_beyond_the_digits_of_floats_are_written_in_full(tmp_path: Path) -> None:
    large: Result = evolve(RESULT, cost=2**60 + 1, start_cost=2**60 + 3, improvements=())
    write_ioh(tmp_path, Experiment((ExperimentRun("a", "b", 1, large),)))
    assert f"\n1 {2**60 + 3}.0000000000 " in (tmp_path / "a/data_f1_b/IOHprofiler_f1_DIM3.dat").read_text()


def test_the_other_file_says_what_was_run(cuts: Experiment, tmp_path: Path) -> None:
    write_ioh(tmp_path, cuts)
    about: Any = json.loads((tmp_path / "TabuSearch-Hamming/IOHprofiler_f1_cut.json").read_text())
    assert (about["function_id"], about["function_name"], about["maximization"]) == (1, "cut", True)
    assert about["algorithm"]["name"] == cuts.searches[0]
    assert about["attributes"] == ["evaluations", "raw_y", "seconds"]
    (scenario,) = about["scenarios"]
    assert scenario["dimension"] == 12
    for run, result in zip(scenario["runs"], cuts.results(), strict=True):
        assert run["evals"] == result.evaluated + 1
        assert run["best"]["x"] == result.solution.tolist()
        assert (run["best"]["y"], run["seed"]) == (result.cost, result.seed)


def test_iohinspector_reads_it_back(experiment: Experiment, cuts: Experiment, tmp_path: Path) -> None:
    iohinspector = pytest.importorskip("iohinspector", reason="iohinspector is not installed")
    write_ioh(tmp_path / "costs", experiment)
    write_ioh(tmp_path / "cuts", cuts)
    manager = iohinspector.DataManager()
    manager.add_folder(str(tmp_path))
    lines = manager.load(monotonic=False, include_meta_data=True)
    for one in (experiment, cuts):
        for each in one.runs:
            assert each.result is not None
            names = {"algorithm_name": each.search, "function_name": each.problem}
            mine = lines.filter(**names)
            seeds = [result.seed for result in one.results(each.problem, each.search)]
            rows = mine.filter(run_id=seeds.index(each.seed) + 1).select("evaluations", "raw_y").rows()
            assert rows == [(evaluations, float(cost)) for evaluations, cost in expected_rows(each.result)]
            assert set(mine["dimension"]) == {len(each.result.solution)}
    overview = manager.overview.filter(function_name="cut")
    assert overview["best_y"].to_list() == [float(result.cost) for result in cuts.results()]
    assert np.array(overview["evals"].to_list()).tolist() == [result.evaluated + 1 for result in cuts.results()]


def test_names_that_are_alike_have_files_of_their_own(tmp_path: Path) -> None:
    runs = tuple(ExperimentRun(search, "p", 1, evolve(RESULT, start_cost=9)) for search in ("a b", "a+b", "???"))
    write_ioh(tmp_path, Experiment(runs))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-b", "a-b-2", "unnamed"]


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run is done"):
        write_ioh(tmp_path, Experiment((ExperimentRun("a", "b", 1, None, "ValueError: no"),)))
    with pytest.raises(InputError, match="does not say what its start cost"):
        write_ioh(tmp_path, Experiment((ExperimentRun("a", "b", 1, RESULT),)))
    (tmp_path / "a").touch()
    with pytest.raises(InputError, match="cannot be written"):
        write_ioh(tmp_path, Experiment((ExperimentRun("a", "b", 1, evolve(RESULT, start_cost=5)),)))
