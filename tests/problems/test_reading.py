import json
from pathlib import Path
from typing import Any

import pytest

from metaheur.errors import InputError
from metaheur.problems.reading import problem_from_file
from tests.problems.formats.test_fuzz import FORMATS

KINDS = {
    "biq_mac": "QUBO",
    "cvrplib": "VehicleRouting",
    "flow shop matrix": "FlowShop",
    "gset": "MaxCut",
    "kplib": "Knapsack",
    "or_library mkp": "Knapsack",
    "pisinger": "Knapsack",
    "qaplib": "QAP",
    "qbsolv": "QUBO",
    "tsplib": "TSP",
}


@pytest.mark.parametrize("name", KINDS)
def test_a_file_becomes_the_problem_of_its_format(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(FORMATS[name][1])
    assert type(problem_from_file(tmp_path / "file")).__name__ == KINDS[name]


def test_several_flows_become_several_objectives(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("facilities: 2 objectives: 2\n0 1\n1 0\n\n0 7\n7 0\n\n0 3\n3 0\n")
    assert problem_from_file(tmp_path / "file").objectives == ("QAP 1", "QAP 2")


def test_a_graph_needs_its_number_of_colors(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(FORMATS["dimacs"][1])
    with pytest.raises(InputError, match="`k`, the number of colors, is missing"):
        problem_from_file(tmp_path / "file")
    assert problem_from_file(tmp_path / "file", k=3).representation.length == 4


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("qaplib", {"number": 2}, "`number` is not an option of a quadratic assignment, which takes none"),
        ("or_library mkp", {"k": 2}, "`k` is not an option of a knapsack, which takes `number`"),
        ("or_library gap", {}, "in 2 formats: 'gap', generalised assignment of least cost.*'gap to maximise'"),
        ("qaplib", {"layout": "dat"}, "`layout` must be one of 'qaplib', "),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str, options: Any, message: str) -> None:
    (tmp_path / "file").write_bytes(FORMATS[name][1])
    with pytest.raises(InputError, match=message):
        problem_from_file(tmp_path / "file", **options)


def test_json_names_a_problem_or_a_constructor(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"problem": "QAP", "a": [[0, 1], [1, 0]], "b": [[0, 2], [2, 0]]}))
    assert problem_from_file(path).cost(problem_from_file(path).representation.validate([0, 1])) == 4
    path.write_text(json.dumps({"problem": "Knapsack.single", "profits": [6, 5], "weights": [3, 2], "capacity": 4}))
    assert problem_from_file(path).maximise


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"problem": "fetch"}', "names 'fetch'"),
        ('{"problem": "QAP.__init__"}', "no constructor '__init__'"),
        ('{"problem": "QAP.cost"}', "no constructor 'cost'"),
        ('{"problem": "QAP", "c": 1}', "QAP cannot be made: .*argument"),
        ('{"problem": ', "is not JSON"),
    ],
)
def test_other_json_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "file.json").write_text(content)
    with pytest.raises(InputError, match=message):
        problem_from_file(tmp_path / "file.json")
