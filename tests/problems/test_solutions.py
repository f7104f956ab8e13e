"""Files of solutions: read as solutions of their instance, shown, and begun from."""

import json
from pathlib import Path

import numpy as np
import pytest

from metaheur.command.main import main
from metaheur.errors import InputError
from metaheur.problems import CVRP, QAP, VehicleRouting, problem_from_file
from metaheur.problems.solutions import solution_from_file
from tests.problems.formats.test_fuzz import CVRP as FOUR
from tests.problems.formats.test_fuzz import FORMATS

ROUTES = "Route #1: 1 2\nRoute #2: 3\nCost 22\n"


def written(folder: Path, **files: str) -> None:
    (folder / "four.vrp").write_bytes(FOUR)
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content)


def test_routes_of_cvrplib_are_shown_and_begun_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, best_sol=ROUTES)
    monkeypatch.chdir(tmp_path)
    problem = problem_from_file("four.vrp")
    assert isinstance(problem, VehicleRouting)
    _, stated, x = solution_from_file("best.sol", problem)
    assert (stated, problem.routes(x)) == (22, [[0, 1], [2]])
    assert main(["show", "best.sol", "four.vrp", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] == 22
    line = ["solve", "four.vrp", "--search", "TabuSearch(Relocate())", "--start", "best.sol", "--iterations", "1"]
    assert main([*line, "--parallel", "numpy", "--format", "json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] <= 22
    made = [each.replace("best.sol", "problem.packed(2)") for each in line]
    assert main([*made, "--parallel", "numpy", "--format", "json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] <= 22
    assert main([*line, "--construct", "--parallel", "numpy"]) == 1
    assert "two starts" in capsys.readouterr().err


def test_routes_are_written_and_drawn(tmp_path: Path) -> None:
    written(tmp_path)
    path, out = tmp_path / "four.vrp", tmp_path / "found.sol"
    assert main(["solve", str(path), "--work", "5000", "--quiet", "--out", str(out)]) == 0
    problem = problem_from_file(path)
    assert isinstance(problem, VehicleRouting)
    _, stated, x = solution_from_file(out, problem)
    assert stated == problem.displayed(problem.cost(x)) == 22
    assert main(["show", str(out), str(path)]) == 0
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    giant = problem.giant_tour
    for each, routes in ((problem, x), (giant, giant.solution(problem.routes(x)))):
        axes = Figure().subplots()
        each.draw(routes, axes)
        assert len(axes.lines) == 2 * len(problem.routes(x)) + 1  # two of each route, and the depot


def test_a_solution_with_more_routes_gets_more_vehicles(tmp_path: Path) -> None:
    written(tmp_path, many_sol="Route #1: 1\nRoute #2: 2\nRoute #3: 3\n")
    problem, stated, x = solution_from_file(tmp_path / "many.sol", CVRP.from_file(tmp_path / "four.vrp", vehicles=2))
    assert isinstance(problem, CVRP)
    assert (problem.vehicles, stated, problem.routes(x)) == (3, None, [[0], [1], [2]])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("Route #1: 1 2\n", "customer 2 is in none"),
        ("Route #1: 1 1 2 3\n", "they list 4"),
        ("Route #1: 1 2 3 4\n", "they list 4"),
        ("Route #1: 0 1 2 3\n", "a customer must be"),
        ("TYPE : TOUR\nDIMENSION : 2\nTOUR_SECTION\n1\n2\n-1\n", "another instance"),
        ("TYPE : TSP\nDIMENSION : 2\n", "holds an instance, not a solution"),
        ("1 2 3\n1 x\n", "is not a file of a solution"),
    ],
)
def test_what_is_no_solution_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    written(tmp_path, some_sol=content)
    with pytest.raises(InputError, match=reason):
        solution_from_file(tmp_path / "some.sol", problem_from_file(tmp_path / "four.vrp"))


def test_an_instance_and_its_solution_the_wrong_way_round_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, best_sol=ROUTES)
    monkeypatch.chdir(tmp_path)
    assert main(["show", "four.vrp", "best.sol"]) == 1
    assert "Maybe write metaheur show best.sol four.vrp" in capsys.readouterr().err


def test_solutions_of_qaplib_and_of_our_own_are_read(tmp_path: Path) -> None:
    path, problem = tmp_path / "file", QAP.random(3, seed=1)
    path.write_bytes(FORMATS["qaplib solution"][1])
    assert solution_from_file(path, problem)[2].tolist() == [1, 2, 0]
    path.write_text("1e-05\n2 0 1\n")
    _, stated, x = solution_from_file(path, problem)
    assert (stated, x.tolist(), x.dtype) == (1e-05, [2, 0, 1], np.dtype("int32"))


def test_published_routes_have_the_costs_that_they_state(data_folder: Path) -> None:
    folder = data_folder / "routing" / "cvrp"
    for name in ("X-n101-k25", "X-n106-k14"):
        problem, stated, x = solution_from_file(folder / f"{name}.sol", CVRP.from_file(folder / f"{name}.vrp"))
        assert problem.cost(x) == stated
